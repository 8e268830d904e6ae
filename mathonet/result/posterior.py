"""The posterior of a run's weights, N(w, diag zeta), and what networks sampled from it predict."""

from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float

from mathonet.compilation import size_to_compile
from mathonet.errors import ConfigError
from mathonet.learning.cycle import RUNNING
from mathonet.learning.energy import predict
from mathonet.network.mathonet import Architecture
from mathonet.result.discover import Discovery
from mathonet.result.history import best_run


@dataclass(frozen=True)
class Posterior:
    """The posterior N(w, diag(std^2)) of the weights of one run, in scaled units.

    Attributes:
        architecture: of the network.
        w: the map estimate, exactly zero where pruned.
        std: deviation of each weight, the root of zeta; exactly zero where pruned.
        lam: lambda of the run's last cycle. The variances belong to noise of variance N lambda, in units of
            the target's size squared, where N counts the training rows of the search.
    """

    architecture: Architecture
    w: np.ndarray
    std: np.ndarray
    lam: float


def weight_posterior(discovery: Discovery, target: int) -> Posterior:
    """What the last cycle of a target's best run says about its weights.

    Raises:
        ConfigError: no network led to the target's equation.
    """
    joint, rung = discovery.settings.joint, discovery.chosen[target].rung
    if rung not in discovery.sweeps:
        raise ConfigError(
            f"The sampled band is that of a network that was asked for. {discovery.without_runs(target)} "
            "Ask for kind='linearised', or fit with hidden=[...], one network that leads to the equations."
        )
    sweep = discovery.runs_of(target)
    run = best_run(sweep, 0 if joint else target)
    last = sweep.history[-1]
    # A run that has ended passes through later cycles unchanged; lambda alone goes on falling in its records.
    ended = [cycle for cycle, record in enumerate(sweep.history) if record.status[run] != RUNNING]
    lam = sweep.history[ended[0] if ended else -1].lam[run]
    living = np.asarray(last.active[run], bool)
    std = np.where(living, np.sqrt(np.maximum(last.zeta[run], 0.0)), 0.0)
    return Posterior(sweep.architecture, np.asarray(last.w[run]), std, float(lam))


Moments = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Mean, deviation and share of finite values, each (rows, outputs)."""

LEAST_SHARE = 0.5
"""Where fewer of the sampled networks are finite, there is no band."""
AT_ONCE = 2**17
"""Values of one chunk of samples times rows: what is held at once, whatever the number of samples."""


def sample_moments(posterior: Posterior, draws: np.ndarray, inputs: np.ndarray) -> Moments:
    """Moments of the predictions of w + std * draw over the draws, in scaled units."""
    rows = len(inputs)
    padded = size_to_compile(rows, 64)
    inputs = np.concatenate([inputs, np.repeat(inputs[:1], padded - rows, axis=0)])
    size = min(max(AT_ONCE // padded, 1), len(draws))
    chunks = -(-len(draws) // size)
    real = np.arange(chunks * size) < len(draws)
    draws = np.concatenate([draws, np.zeros((len(real) - len(draws), draws.shape[1]))])
    count, centre, first, second = (
        np.asarray(part)[:rows]
        for part in _sums(
            posterior.architecture,
            jnp.asarray(posterior.w),
            jnp.asarray(posterior.std),
            jnp.asarray(draws.reshape(chunks, size, -1)),
            jnp.asarray(real.reshape(chunks, size)),
            jnp.asarray(inputs),
        )
    )
    enough = count >= LEAST_SHARE * real.sum()
    with np.errstate(all="ignore"):
        shift = first / count
        mean = np.where(enough, centre + shift, np.nan)
        std = np.where(enough, np.sqrt(np.maximum(second / count - shift**2, 0.0)), np.nan)
    return mean, std, count / real.sum()


@partial(jax.jit, static_argnums=0)
def _sums(
    architecture: Architecture,
    w: Float[Array, " weights"],
    std: Float[Array, " weights"],
    draws: Float[Array, "chunks size weights"],
    real: Bool[Array, "chunks size"],
    inputs: Float[Array, "rows inputs"],
) -> tuple[Array, Array, Array, Array]:
    """How many samples are finite, the map prediction, sums of deviations from it and of their squares."""
    middle = predict(architecture, w, inputs)
    # Where the map estimate itself overflows, deviations from zero do as well.
    centre = jnp.where(jnp.isfinite(middle), middle, 0.0)

    def add(sums, chunk):
        z, is_real = chunk
        values = jax.vmap(lambda v: predict(architecture, v, inputs))(w + std * z)
        deviation = values - centre
        good = is_real[:, None, None] & jnp.isfinite(deviation**2)
        kept = jnp.where(good, deviation, 0.0)
        parts = (good.astype(w.dtype), kept, kept**2)
        return tuple(total + jnp.sum(part, axis=0) for total, part in zip(sums, parts, strict=True)), None

    zero = jnp.zeros_like(centre)
    (count, first, second), _ = jax.lax.scan(add, (zero, zero, zero), (draws, real))
    return count, centre, first, second
