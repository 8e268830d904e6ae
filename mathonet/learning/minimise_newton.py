"""Map step by Levenberg-Marquardt on the majorised sparse group penalty (the default)."""

import jax.numpy as jnp
from jaxtyping import Array, Bool, Float

from mathonet.fit.least_squares import Minimum, minimise, quadratic
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
) -> Minimum:
    """The weights that minimise energy + penalty, from w."""
    annealed = (2 * steps) // 3

    def penalty(v: Array, step: Array) -> tuple[Array, Array]:
        share = jnp.minimum(step / jnp.maximum(annealed, 1), 1.0)
        return sparse_group(v, strength, member, SMOOTH_START * (SMOOTH_END / SMOOTH_START) ** share)

    return minimise(
        lambda v: quadratic(*linearise(architecture, v, problem)),
        w,
        active,
        problem.observations,
        steps,
        penalty,
        tolerance=1e-9,
        least_steps=annealed,
    )
