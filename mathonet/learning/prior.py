"""Prior update [eq:cccp_1]: how strongly each weight and each group is to be penalised next.

Derivation, with the factor that the paper loses between two lines. Up to constants, minus twice the log
evidence with prior w_i ~ N(0, eta_i) and energy expanded to second order with curvature H is

    L(w, eta) = 2 E(w)/lambda + sum w_i^2/eta_i + log|diag(eta)| + log|H + diag(1/eta)|.

The last two are concave in eta with slope  alpha_i = 1/eta_i - zeta_ii/eta_i^2,  zeta = (diag(1/eta) + H)^-1.
For fixed alpha, min over eta of  w^2/eta + alpha eta  is  2 sqrt(alpha) |w|  at  eta = |w|/sqrt(alpha), so
the map step minimises  E + lambda sum beta_i |w_i|  with  beta = sqrt(alpha).
With H = J^T J/(N lambda) no factor 2 is left over. A fixed point has  eta = w^2 + zeta_ii,  that of automatic
relevance determination.
"""

import equinox as eqx
import jax.numpy as jnp
from jax.scipy.linalg import cho_factor, cho_solve
from jaxtyping import Array, Bool, Float

JITTER = 1e-13
LEAST = 1e-6
"""Least alpha: a weight without any curvature would otherwise go unpenalised and drift."""


class Prior(eqx.Module):
    """State of the prior. Its start, beta = 1, is the sparse group Lasso.

    Attributes:
        alpha: redundancy of each weight; beta = sqrt(alpha) weighs its l1 penalty.
        alpha_group: redundancy of each group.
        eta: prior variance of each weight.
        zeta: posterior variance of each weight (the diagonal).
    """

    alpha: Float[Array, " weights"]
    alpha_group: Float[Array, " groups"]
    eta: Float[Array, " weights"]
    zeta: Float[Array, " weights"]

    @property
    def beta(self) -> Float[Array, " weights"]:
        """Weight of each single penalty."""
        return jnp.sqrt(self.alpha)

    @property
    def beta_group(self) -> Float[Array, " groups"]:
        """Weight of each group penalty."""
        return jnp.sqrt(self.alpha_group)


def lasso_prior(weights: int, group_count: int, dtype=jnp.float64) -> Prior:
    """The prior before the first cycle: beta = eta = 1, the sparse group Lasso."""
    ones = jnp.ones(weights, dtype)
    return Prior(ones, jnp.ones(group_count, dtype), ones, jnp.zeros(weights, dtype))


def posterior(
    eta: Float[Array, " weights"], curvature: Float[Array, "weights weights"]
) -> tuple[Float[Array, " weights"], Float[Array, " weights"]]:
    """Slope alpha and posterior variance zeta_ii for prior variances eta, stable from eta = 0 to infinity.

    alpha = (1 - zeta_ii/eta)/eta cancels where eta H is small (a vanishing weight); there the equal form
    H_ii - (H zeta H)_ii is used, which in turn cancels where eta H is large.
    """
    h = jnp.diagonal(curvature)
    # zeta = D C^-1 D with D^2 = 1/(1/eta + h), so that C has a diagonal of ones whatever the scales. The
    # jitter bounds the condition where weights are redundant (scales of output, OperNet and PolyNet).
    d = jnp.sqrt(eta / (1.0 + eta * h))
    eye = jnp.eye(eta.shape[0], dtype=eta.dtype)
    c = jnp.where(eye > 0, 1.0 + JITTER, d[:, None] * curvature * d[None, :])
    inverse = cho_solve(cho_factor(c, lower=True), eye)
    zeta_over_eta = jnp.minimum(jnp.diagonal(inverse) / (1.0 + eta * h), 1.0)
    scaled = d[:, None] * curvature
    vanishing = h - jnp.einsum("ji,jk,ki->i", scaled, inverse, scaled)
    determined = (1.0 - zeta_over_eta) / jnp.where(eta > 0, eta, 1.0)
    alpha = jnp.where(zeta_over_eta < 0.5, determined, vanishing)
    return jnp.maximum(alpha, 0.0), eta * zeta_over_eta


def update(
    prior: Prior,
    w: Float[Array, " weights"],
    curvature: Float[Array, "weights weights"],
    active: Bool[Array, " weights"],
    member: Float[Array, "groups weights"],
    full: bool = False,
) -> Prior:
    """One step of [eq:cccp_1] for single weights and for groups, over the living weights.

    With the diagonal of H alone, alpha = 1/(eta + 1/h); with the `full` matrix see `posterior`.
    """
    live = active.astype(w.dtype)
    curvature = curvature * live[:, None] * live[None, :]
    eta = live * jnp.abs(w) / prior.beta
    if full:
        alpha, zeta = posterior(eta, curvature)
    else:
        share = 1.0 + eta * jnp.diagonal(curvature)
        alpha, zeta = jnp.diagonal(curvature) / share, eta / share

    size = jnp.sqrt(member @ (live * w**2))
    eta_group = size / prior.beta_group
    # The members of a group share eta_g; each contributes 1/(eta_g + 1/h), written so that h = 0 gives 0.
    diagonal = jnp.diagonal(curvature)
    alpha_group = jnp.sum(member * live * diagonal / (1.0 + eta_group[:, None] * diagonal), axis=1)
    return Prior(jnp.maximum(alpha, LEAST), jnp.maximum(alpha_group, LEAST), eta, zeta)


def degrees_of_freedom(prior: Prior, active: Bool[Array, " weights"]) -> Float[Array, ""]:
    """Well-determined weights: sum of 1 - zeta_ii/eta_i over the living."""
    share = 1.0 - prior.zeta / jnp.where(prior.eta > 0, prior.eta, 1.0)
    return jnp.sum(jnp.where(active & (prior.eta > 0), share, 0.0))
