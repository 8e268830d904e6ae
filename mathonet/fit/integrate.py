"""One integrator for every structure: tapes as right-hand side, compiled once for a number of states."""

from functools import partial
from typing import cast

import diffrax
import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float

from mathonet.compilation import size_to_compile
from mathonet.fit.tape import Tape, evaluate
from mathonet.operations import Operation

MOST_STEPS = 200_000
LARGEST = 1e100
LEAST_STEP = 1e-15
"""Share of the whole time below which a step no longer moves the clock: the solution has a singularity."""


class Trajectories(eqx.Module):
    """Saved states, and how far they can be believed.

    Attributes:
        x: states at the asked times; not finite after the integration ended.
        good: whether the integration reached the last time.
        blown: whether it ended because a state or its slope grew past all bounds.
    """

    x: Float[Array, "times states"]
    good: Bool[Array, ""]
    blown: Bool[Array, ""]


@partial(jax.jit, static_argnums=(1, 6))
def _solve(
    tapes: tuple[Tape, ...], operations: tuple[Operation, ...], x0, t, drive_t, drive, stiff, rtol, atol
) -> Trajectories:
    def field(time, x, _):
        u = jax.vmap(lambda column: jnp.interp(time, drive_t, column), in_axes=1)(drive)
        row = jnp.concatenate([x, u])[None, :]
        return jnp.stack([evaluate(tape, operations, tape.constants, row)[0] for tape in tapes])

    # The tolerance of each state follows its own size, so that units do not matter; a system that starts at
    # zero has no size yet, and takes that of its first change.
    size, change = jnp.abs(x0), jnp.abs(field(t[0], x0, None)) * (t[1] - t[0])
    known = jnp.maximum(size, 1e-3 * jnp.max(size))
    scale = jnp.where(known > 0, known, jnp.clip(change, 1e-12, 1.0))
    controller = diffrax.PIDController(
        rtol=rtol, atol=atol * scale, dtmin=LEAST_STEP * (t[-1] - t[0]), force_dtmin=False
    )
    solver = diffrax.Kvaerno5() if stiff else diffrax.Dopri8()
    solution = diffrax.diffeqsolve(
        diffrax.ODETerm(field),
        solver,
        t[0],
        t[-1],
        None,
        x0,
        saveat=diffrax.SaveAt(ts=t),
        stepsize_controller=controller,
        max_steps=MOST_STEPS if not stiff else MOST_STEPS // 10,
        event=diffrax.Event(lambda t, y, args, **_: ~(jnp.max(jnp.abs(y)) < LARGEST * (1.0 + jnp.max(size)))),
        throw=False,
    )
    x = cast(Array, solution.ys)  # None only if nothing was asked to be saved
    good = (solution.result == diffrax.RESULTS.successful) & jnp.all(jnp.isfinite(x))
    ended = (diffrax.RESULTS.event_occurred, diffrax.RESULTS.dt_min_reached)
    return Trajectories(x, good, (solution.result == ended[0]) | (solution.result == ended[1]))


def integrate(
    tapes: tuple[Tape, ...],
    operations: tuple[Operation, ...],
    x0: np.ndarray,
    t: np.ndarray,
    u: np.ndarray,
    rtol: float = 1e-9,
    atol: float = 1e-9,
) -> Trajectories:
    """Solve x' = f(x, u(t)) by an explicit method of order 8, and by a stiff one where that gives up.

    The times are padded to a power of two, so that few lengths compile; inputs are interpolated linearly.
    A blow-up ends the integration instead of running on.
    """
    length = size_to_compile(len(t), 16)
    times = jnp.asarray(np.concatenate([t, np.full(length - len(t), t[-1])]))
    drive = np.concatenate([u, np.repeat(u[-1:], length - len(t), 0)])
    arguments = (tapes, operations, jnp.asarray(x0), times, times, jnp.asarray(drive))
    found = _solve(*arguments, False, rtol, atol)
    if not bool(found.good) and not bool(found.blown):
        found = _solve(*arguments, True, max(rtol, 1e-7), atol * 100)
    return Trajectories(found.x[: len(t)], found.good, found.blown)
