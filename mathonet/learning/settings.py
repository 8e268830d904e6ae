"""Settings of sparse group Bayesian learning: what a run is compiled for, and the numbers it is given."""

from dataclasses import dataclass
from typing import Literal, get_args

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float

from mathonet.errors import ConfigError

MapStep = Literal["newton", "adam"]
Curvature = Literal["gauss-newton", "exact"]


@dataclass(frozen=True)
class Learning:
    """What a run is compiled for.

    Attributes:
        map_step: "newton" (damped Gauss-Newton, the default) or "adam" (the paper's).
        curvature: "gauss-newton" (positive semi-definite) or "exact" (second derivatives, made so).
        full: if True the prior update inverts the whole matrix diag(1/eta) + H, as automatic relevance
            determination does; the default takes H's diagonal, as the paper's code means to. With the whole
            matrix, redundant weights (a scale of output, OperNet and PolyNet; sin of a small argument
            beside the identity) share the credit, and none of them is found redundant.
        learning_rate: of adam.
    """

    map_step: MapStep = "newton"
    curvature: Curvature = "gauss-newton"
    full: bool = False
    learning_rate: float = 1e-2

    def __post_init__(self) -> None:
        """Refuse names that do not exist."""
        for name, allowed in (("map_step", get_args(MapStep)), ("curvature", get_args(Curvature))):
            if getattr(self, name) not in allowed:
                raise ConfigError(
                    f"{name}={getattr(self, name)!r} does not exist; choose one of {list(allowed)}."
                )


class Schedule(eqx.Module):
    """Numbers of one run; a batch may give every run its own.

    Attributes:
        lam: lambda of the first cycle, for single weights and for groups.
        decay: factor on lambda from cycle to cycle; it never falls below the noise.
        kappa: a weight is pruned if alpha > kappa, so roughly if |w| < kappa^-1/2 on scaled data.
        zero: weights below this after a map step are the Lasso's zeros, smoothed: pruned as well.
        floor: variance of the residuals from rounding; the noise is never estimated below it.
        first: steps of the first map step (epochs with adam).
        later: steps of each later one.
    """

    lam: Float[Array, ""]
    decay: Float[Array, ""]
    kappa: Float[Array, ""]
    zero: Float[Array, ""]
    floor: Float[Array, ""]
    first: Array
    later: Array


def schedule(
    lam: float = 1e-3,
    decay: float = 0.1,
    kappa: float = 1e6,
    zero: float = 1e-4,
    floor: float = 1e-24,
    first: int = 40,
    later: int = 20,
) -> Schedule:
    """A schedule from plain numbers; the defaults are those of every discovery."""
    lam_, decay_, kappa_, zero_, floor_ = (
        jnp.asarray(value, jnp.float64) for value in (lam, decay, kappa, zero, floor)
    )
    return Schedule(
        lam_, decay_, kappa_, zero_, floor_, jnp.asarray(first, jnp.int32), jnp.asarray(later, jnp.int32)
    )
