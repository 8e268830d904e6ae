"""Matern-7/2 process: f and three derivatives as a Markov chain through any times, for many rates at once.

In units of the kernel's scale, 1/rate with rate = sqrt(7)/length, the process is (d/ds + 1)^4 f = white noise
(Hartikainen and Sarkka 2010). F + I is nilpotent, so exp(F s) = e^-s sum_k s^k/k! (F + I)^k. A pair of times
infinitely far apart has the transition 0 and the stationary covariance: so chains of several trajectories are
one chain.
"""

from dataclasses import dataclass
from math import factorial

import numpy as np

ORDER = 4
_COMPANION = np.diag(np.ones(ORDER - 1), 1)
_COMPANION[-1] = [-1.0, -4.0, -6.0, -4.0]
_POWERS = np.stack(
    [np.linalg.matrix_power(_COMPANION + np.eye(ORDER), k) / factorial(k) for k in range(ORDER)]
)
# Covariances of f and its derivatives: moments of the spectral density (1 + omega^2)^-4.
STATIONARY = np.array([[1, 0, -0.2, 0], [0, 0.2, 0, -0.2], [-0.2, 0, 0.2, 0], [0, -0.2, 0, 1.0]], dtype=float)
_DENSITY = 32.0 / 5.0
"""Strength of the white noise that gives the process variance 1."""
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(12)
_PLACES, _WEIGHTS = 0.5 * (_NODES + 1.0), 0.5 * _WEIGHTS
_SHORT = 2.0
"""Up to this step the noise of a transition is integrated; beyond, a difference gives it uncancelled."""
_FAR = 700.0
"""Nothing is remembered over such a step, in units of the scale."""
_INDEX = np.arange(ORDER)


@dataclass(frozen=True)
class Transition:
    """x_next = step x + noise, for the state x = (f, f', f'', f''') of a process of variance 1.

    Attributes:
        step: matrices (..., 4, 4).
        whiten: inverse Cholesky factors of the noise's covariance: whiten @ noise is white.
        log_det: of the noise's covariance.
    """

    step: np.ndarray
    whiten: np.ndarray
    log_det: np.ndarray


def transition(steps: np.ndarray, rate: np.ndarray) -> Transition:
    """Transitions over times `steps` (any shape) for rates whose shape broadcasts with it."""
    rate = np.broadcast_to(rate, np.broadcast_shapes(np.shape(rate), np.shape(steps)))
    with np.errstate(over="ignore"):
        s = np.minimum(rate * steps, _FAR)
    decay = np.einsum("...k,kij->...ij", np.exp(-s)[..., None] * s[..., None] ** _INDEX, _POWERS)
    # Divided by the leading powers of s, the covariance is near a constant matrix however short the step.
    scale = s[..., None] ** (ORDER - 0.5 - _INDEX)
    unit = np.where(
        (s < _SHORT)[..., None, None],
        _integrated(np.minimum(s, _SHORT)),
        (STATIONARY - decay @ STATIONARY @ np.swapaxes(decay, -1, -2))
        / scale[..., None]
        / scale[..., None, :],
    )
    factor = np.linalg.cholesky(unit)
    own = rate[..., None] ** _INDEX
    whiten = np.linalg.inv(factor) / (scale * own)[..., None, :]
    diagonal = np.diagonal(factor, axis1=-2, axis2=-1)
    return Transition(
        decay * own[..., None] / own[..., None, :],
        whiten,
        2.0 * np.sum(np.log(diagonal) + np.log(scale) + np.log(own), axis=-1),
    )


def _integrated(s: np.ndarray) -> np.ndarray:
    """Covariance of a step's noise divided by s^(3.5 - i) s^(3.5 - j), by quadrature of a smooth function."""
    v = s[..., None] * _PLACES
    columns = np.zeros((*v.shape, ORDER))
    for i in range(ORDER):
        for k in range(ORDER - 1 - i, ORDER):
            power = s[..., None] ** (k - (ORDER - 1 - i))
            columns[..., i] += _POWERS[k, i, -1] * power * _PLACES**k
    columns *= np.exp(-v)[..., None]
    return _DENSITY * np.swapaxes(columns, -1, -2) @ (_WEIGHTS[:, None] * columns)
