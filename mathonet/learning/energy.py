"""Energy of a MathONet on a problem: residuals and their Jacobian."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from mathonet.fit.problem import Problem
from mathonet.network.mathonet import Architecture, unflatten
from mathonet.network.slopes import Places, value_and_slopes


def predict(architecture: Architecture, w: Float[Array, " weights"], inputs: Array) -> Array:
    """Predictions (samples, outputs) of the network with flat weights w."""
    return jax.vmap(unflatten(architecture, w))(inputs)


def energy(architecture: Architecture, w: Float[Array, " weights"], problem: Problem) -> Float[Array, ""]:
    """E(w) = 1/2 mean of the squared weighted residuals."""
    r = problem.residuals(predict(architecture, w, problem.inputs))
    return 0.5 * jnp.sum(r**2) / problem.observations


def linearise(
    architecture: Architecture, w: Float[Array, " weights"], problem: Problem, places: Places = None
) -> tuple[Float[Array, " residuals"], Float[Array, "residuals weights"]]:
    """Residuals at w and their Jacobian in the weights at some places, or in all."""
    values, slopes = value_and_slopes(unflatten(architecture, w), problem.inputs, places)
    return problem.residuals(values), problem.jacobian(slopes)
