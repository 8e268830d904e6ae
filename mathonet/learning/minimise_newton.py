"""Map step by Levenberg-Marquardt on the majorised sparse group penalty (the default)."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float

from mathonet.fit.least_squares import Minimum, Quadratic, minimise, quadratic
from mathonet.fit.problem import Problem
from mathonet.learning.energy import linearise
from mathonet.learning.penalty import Strength, sparse_group
from mathonet.network.mathonet import Architecture

SMOOTH_START, SMOOTH_END = 1e-1, 1e-7
"""|w| is smoothed to sqrt(w^2 + smooth^2); annealed over two thirds of the steps, because zero absorbs."""


def minimise_newton(
    architecture: Architecture,
    problem: Problem,
    w: Float[Array, " weights"],
    active: Bool[Array, " weights"],
    strength: Strength,
    member: Float[Array, "groups weights"],
    steps: Array,
    living: int | None = None,
) -> Minimum:
    """The weights that minimise energy + penalty, from w.

    Where at most so many weights are `living`, only these are computed with: the cost of a step grows with
    the square of their number. None is for all weights.
    """
    annealed = (2 * steps) // 3
    whole = living is None or living >= w.size
    # Living places first, in their order; those that are left over are masked, and stay zero.
    order = jnp.arange(w.size) if whole else jnp.argsort(~active)
    places, rank = order[:living], jnp.argsort(order)
    member, strength = member[:, places], Strength(strength.single[places], strength.group)

    def embed(v: Array) -> Array:
        """All weights, or all of an axis, from the living ones: gathered, as scattering is slow."""
        return v if whole else jnp.where(rank < len(v), v[jnp.minimum(rank, len(v) - 1)], 0.0)

    def around(v: Array) -> Quadratic:
        return quadratic(*linearise(architecture, embed(v), problem, None if whole else places))

    def penalty(v: Array, step: Array) -> tuple[Array, Array]:
        share = jnp.minimum(step / jnp.maximum(annealed, 1), 1.0)
        return sparse_group(v, strength, member, SMOOTH_START * (SMOOTH_END / SMOOTH_START) ** share)

    best = minimise(
        around,
        w[places],
        active[places],
        problem.observations,
        steps,
        penalty,
        tolerance=1e-9,
        least_steps=annealed,
    )
    if whole:
        return best
    normal = jax.vmap(embed)(jax.vmap(embed)(best.around.normal).T).T
    return Minimum(
        embed(best.w),
        Quadratic(best.around.rss, embed(best.around.gradient), normal),
        best.steps,
        best.finite,
    )
