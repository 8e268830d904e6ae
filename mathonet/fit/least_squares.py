"""The least-squares engine of a given network: damped Gauss-Newton (Levenberg-Marquardt) for one problem.

It minimises  1/(2 n) |r(w)|^2 + R(w)  over the weights that a mask leaves active. R is a penalty that is
majorised by a quadratic with diagonal curvature q(w), such that its gradient is q(w) w (the sparse group
penalty smoothed at zero is of this kind). Written for one problem: a batch is `vmap` of it.
"""

from collections.abc import Callable

import equinox as eqx
import jax
import jax.numpy as jnp
from jax.scipy.linalg import cho_factor, cho_solve
from jaxtyping import Array, Bool, Float, Int

Penalty = Callable[[Array, Array], tuple[Array, Array]]
"""(w, step number) -> value R(w) and curvature q(w)."""

DAMPING_START, DAMPING_LEAST, DAMPING_MOST = 1e-2, 1e-14, 1e10


class Quadratic(eqx.Module):
    """The sum of squares around w: all that a Gauss-Newton step needs of the residuals r.

    Attributes:
        rss: r^T r.
        gradient: J^T r.
        normal: J^T J.
    """

    rss: Float[Array, ""]
    gradient: Float[Array, " weights"]
    normal: Float[Array, "weights weights"]

    @property
    def finite(self) -> Bool[Array, ""]:
        """Whether every number is finite."""
        return (
            jnp.isfinite(self.rss) & jnp.all(jnp.isfinite(self.normal)) & jnp.all(jnp.isfinite(self.gradient))
        )


def quadratic(
    residuals: Float[Array, " residuals"], jacobian: Float[Array, "residuals weights"]
) -> Quadratic:
    """The quadratic model of residuals and their Jacobian; those of several batches of rows add up."""
    return Quadratic(residuals @ residuals, jacobian.T @ residuals, jacobian.T @ jacobian)


Evaluate = Callable[[Array], Quadratic]
"""w -> the sum of squares around w."""


class Minimum(eqx.Module):
    """Where the minimiser ended.

    Attributes:
        w: the weights.
        around: the sum of squares around w.
        steps: steps taken.
        finite: False if the start itself was not finite.
    """

    w: Float[Array, " weights"]
    around: Quadratic
    steps: Int[Array, ""]
    finite: Bool[Array, ""]


class _State(eqx.Module):
    w: Array
    around: Quadratic
    damping: Array
    largest: Array
    step: Array
    quiet: Array


def no_penalty(w: Array, step: Array) -> tuple[Array, Array]:
    """The penalty of an unpenalised fit."""
    return jnp.zeros((), w.dtype), jnp.zeros_like(w)


def minimise(
    evaluate: Evaluate,
    start: Float[Array, " weights"],
    active: Bool[Array, " weights"],
    count: Float[Array, ""],
    steps: int | Array,
    penalty: Penalty = no_penalty,
    tolerance: float = 1e-12,
    least_steps: int | Array = 0,
    patience: int = 3,
) -> Minimum:
    """Minimise from `start`; weights outside `active` stay exactly zero.

    Args:
        evaluate: the sum of squares around w.
        start: first weights.
        active: which weights may move.
        count: n, what the sum of squares is divided by.
        steps: most steps.
        penalty: R and its diagonal curvature; it may change with the step number (annealing).
        tolerance: relative gain below which a step counts as quiet.
        least_steps: steps before which quiet steps do not count (while a penalty is annealed).
        patience: quiet steps in a row that end the fit.

    Returns:
        The best weights found. Steps to non-finite values are refused.
    """
    free = active.astype(start.dtype)

    def solve(state: _State, q: Array) -> tuple[Array, Array]:
        gradient = free * (state.around.gradient / count + q * state.w)
        curvature = state.around.normal / count * free[:, None] * free[None, :]
        diagonal = jnp.diagonal(curvature) + free * q
        # The floor keeps a weight that lost its curvature from taking an unbounded step. It comes from the
        # weight's own past, not from the other weights: columns may differ by many orders of magnitude.
        largest = jnp.maximum(state.largest, diagonal)
        damp = state.damping * (diagonal + 1e-12 * largest) + (largest == 0)
        matrix = curvature + jnp.diag(free * q + damp)
        # Jacobi scaling, for the same reason.
        scale = 1.0 / jnp.sqrt(jnp.maximum(jnp.diagonal(matrix), 1e-300))
        factor = cho_factor(matrix * scale[:, None] * scale[None, :], lower=True)
        return -scale * cho_solve(factor, scale * gradient), largest

    def advance(state: _State) -> _State:
        value, q = penalty(state.w, state.step)
        cost = 0.5 * state.around.rss / count + value
        change, largest = solve(state, q)
        w = free * (state.w + change)
        around = evaluate(w)
        trial = 0.5 * around.rss / count + penalty(w, state.step)[0]
        accept = around.finite & jnp.isfinite(trial) & (trial <= cost)
        small = (cost - trial) <= tolerance * cost
        quiet = (~accept & (state.damping >= DAMPING_MOST)) | (accept & small)
        damping = jnp.where(accept, state.damping * 0.2, state.damping * 4.0)
        counted = jnp.where(accept, 0, state.quiet)
        return _State(
            jnp.where(accept, w, state.w),
            jax.tree.map(lambda new, old: jnp.where(accept, new, old), around, state.around),
            jnp.clip(damping, DAMPING_LEAST, DAMPING_MOST),
            largest,
            state.step + 1,
            jnp.where(quiet & (state.step >= least_steps), state.quiet + 1, counted),
        )

    def unfinished(state: _State) -> Array:
        return (state.step < steps) & (state.quiet < patience)

    start = free * start
    around = evaluate(start)
    zero = jnp.zeros((), jnp.int32)
    # A start that is not finite is given up at once, so that it costs the rest of a batch nothing.
    quiet = jnp.where(around.finite, zero, patience)
    first = _State(start, around, jnp.asarray(DAMPING_START, start.dtype), jnp.zeros_like(start), zero, quiet)
    last = jax.lax.while_loop(unfinished, advance, first)
    return Minimum(last.w, last.around, last.step, around.finite)
