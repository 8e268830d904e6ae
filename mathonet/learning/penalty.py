"""Sparse group penalty: lambda sum(beta |w|) + lambda_g sum(beta_g ||w_g||) [eq:loss function]."""

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float


class Strength(eqx.Module):
    """How strongly each weight and each group is penalised: lambda beta and lambda_g beta_g."""

    single: Float[Array, " weights"]
    group: Float[Array, " groups"]


def sparse_group(
    w: Float[Array, " weights"],
    strength: Strength,
    member: Float[Array, "groups weights"],
    smooth: Array | float,
) -> tuple[Float[Array, ""], Float[Array, " weights"]]:
    """The penalty with |w| smoothed to sqrt(w^2 + smooth^2), and its curvature q.

    q is the weight of the quadratic that majorises the penalty at w (the w^2 / eta of the derivation), and
    q w is the penalty's gradient. Zero absorbs: q grows as w vanishes, so `smooth` is annealed.

    Returns:
        (value, q).
    """
    size = jnp.sqrt(w**2 + smooth**2)
    size_group = jnp.sqrt(member @ w**2 + smooth**2)
    value = strength.single @ (size - smooth) + strength.group @ (size_group - smooth)
    return value, strength.single / size + (strength.group / size_group) @ member
