"""Map step by Levenberg-Marquardt on the majorised sparse group penalty (the default)."""

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
    support: tuple[int, ...] | None = None,
) -> Minimum:
    """The weights that minimise energy + penalty, from w.

    With a `support` only the weights at these places are computed with; all others must be masked. The cost
    of a step grows with the square of their number.
    """
    places = jnp.arange(w.size) if support is None else jnp.asarray(support)
    member, strength = member[:, places], Strength(strength.single[places], strength.group)
    annealed = (2 * steps) // 3

    def embed(v: Array) -> Array:
        return v if support is None else jnp.zeros_like(w).at[places].set(v)

    def around(v: Array) -> Quadratic:
        residuals, jacobian = linearise(architecture, embed(v), problem)
        return quadratic(residuals, jacobian if support is None else jacobian[:, places])

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
    if support is None:
        return best
    normal = jnp.zeros((w.size, w.size), w.dtype).at[places[:, None], places[None, :]].set(best.around.normal)
    whole = Quadratic(best.around.rss, embed(best.around.gradient), normal)
    return Minimum(embed(best.w), whole, best.steps, best.finite)
