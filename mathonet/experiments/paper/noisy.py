"""Noisy copies of the paper's derivatives: they share their inputs, so one discovery learns them all."""

from functools import lru_cache

import numpy as np

from mathonet import Samples, Trajectory, discover, systems
from mathonet.result.discover import Discovery

SIZES = {100: (0.001, 5.0), 10_000: (0.0, 100.0), 100_000: (0.0, 1000.0)}
"""Times of the Lorenz samples, by their number."""
ROWS, RESTARTS = 256, 5


@lru_cache(maxsize=4)
def clean(name: str, size: int) -> Trajectory:
    """A system without noise; Lorenz over the times that go with the number of samples."""
    span = SIZES[size] if name == "lorenz" else None
    return systems.get(name).simulate(t_span=span, samples=size)


def noisy_discovery(
    name: str,
    size: int,
    noise: float | np.ndarray,
    copies: int,
    seed: list[int],
    restarts: int = RESTARTS,
) -> Discovery:
    """The equations of some noisy copies; each gives as many targets as the system has states.

    Every copy is searched, cleaned and chosen by itself. The search sees 256 rows, score and refit all.

    Args:
        name: of the system.
        size: number of samples.
        noise: deviation of the noise, one number or one a state.
        copies: how many.
        seed: of the noise.
        restarts: random starts of each target.
    """
    system, data, draw = systems.get(name), clean(name, size), np.random.default_rng(seed)
    assert data.x_dot is not None
    targets = [data.x_dot + noise * draw.standard_normal(data.x_dot.shape) for _ in range(copies)]
    names = tuple(f"{state}{copy}" for copy in range(copies) for state in data.names)
    return discover(
        Samples(data.x, np.concatenate(targets, axis=1), data.names, names),
        operations=system.operations,
        hidden=system.hidden,
        restarts=restarts,
        rows=ROWS,
    )
