"""Curvature H of the negative log-likelihood at the map estimate: Gauss-Newton or exact, always a matrix."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from mathonet.fit.problem import Problem
from mathonet.learning.energy import energy
from mathonet.network.mathonet import Architecture


def gauss_newton(
    normal: Float[Array, "weights weights"], observations: Array, lam: Float[Array, ""]
) -> Float[Array, "weights weights"]:
    """H = J^T J / (N lambda): lambda plays sigma^2 / N with the energy 1/2 mean r^2."""
    return normal / (observations * lam)


def exact(
    architecture: Architecture, w: Float[Array, " weights"], problem: Problem, lam: Float[Array, ""]
) -> Float[Array, "weights weights"]:
    """H = Hessian of E(w) / lambda, its negative eigenvalues set to zero.

    Away from a minimum the Hessian is indefinite, and a prior update needs a positive semi-definite one.
    """
    hessian = jax.hessian(lambda v: energy(architecture, v, problem))(w)
    hessian = jnp.where(jnp.all(jnp.isfinite(hessian)), hessian, 0.0)
    size, axes = jnp.linalg.eigh(hessian)
    return (axes * jnp.maximum(size, 0.0)) @ axes.T / lam
