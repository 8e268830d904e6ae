"""Map step by Adam on energy + sparse group penalty: the paper's way."""

import jax
import optax
from jaxtyping import Array, Bool, Float

from mathonet.fit.least_squares import Minimum, quadratic
from mathonet.fit.problem import Problem
from mathonet.learning.energy import energy, linearise
from mathonet.learning.penalty import Strength, sparse_group
from mathonet.network.mathonet import Architecture

SMOOTH = 1e-8
"""Only to give |w| a slope at zero."""


def minimise_adam(
    architecture: Architecture,
    problem: Problem,
    w: Float[Array, " weights"],
    active: Bool[Array, " weights"],
    strength: Strength,
    member: Float[Array, "groups weights"],
    epochs: Array,
    learning_rate: float,
) -> Minimum:
    """The weights after `epochs` steps of Adam; one epoch sees all samples."""
    optimiser = optax.adam(learning_rate)
    free = active.astype(w.dtype)

    def loss(v: Array) -> Array:
        return energy(architecture, v, problem) + sparse_group(v, strength, member, SMOOTH)[0]

    def epoch(_, carry):
        v, state = carry
        change, state = optimiser.update(free * jax.grad(loss)(v), state)
        return free * (v + change), state

    w = free * w
    w, _ = jax.lax.fori_loop(0, epochs, epoch, (w, optimiser.init(w)))
    around = quadratic(*linearise(architecture, w, problem))
    return Minimum(w, around, epochs, around.finite)
