"""Smoothing: states and derivatives with their uncertainty from noisy samples, at any times, some missing.

A Gaussian process with the Matern-7/2 kernel, whose noise, size and time scale are those of the greatest
marginal likelihood. It is run as a Kalman filter and smoother over f and three derivatives, so the cost grows
linearly with the number of samples and the derivative comes with it (Hartikainen and Sarkka 2010).

Time is measured in units of the kernel's scale, 1/lambda with lambda = sqrt(7)/length. The process is then
(d/ds + 1)^4 f = white noise: F + I is nilpotent, and exp(F s) = e^-s sum_k s^k/k! (F + I)^k.
"""

from dataclasses import dataclass
from math import factorial

import jax
import jax.numpy as jnp
import numpy as np
from scipy.optimize import minimize

from mathonet.errors import DataError
from mathonet.precision import double_precision

ORDER = 4
_COMPANION = np.diag(np.ones(ORDER - 1), 1)
_COMPANION[-1] = [-1.0, -4.0, -6.0, -4.0]
_POWERS = np.stack(
    [np.linalg.matrix_power(_COMPANION + np.eye(ORDER), k) / factorial(k) for k in range(ORDER)]
)
# Covariances of f and its derivatives: moments of the spectral density (1 + omega^2)^-4.
_STATIONARY = np.array(
    [[1, 0, -0.2, 0], [0, 0.2, 0, -0.2], [-0.2, 0, 0.2, 0], [0, -0.2, 0, 1.0]], dtype=float
)
_DENSITY = 32.0 / 5.0
"""Strength of the white noise that gives the process variance 1."""
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(12)
SHORT = 1.0
"""Up to this step the noise of a transition is integrated; beyond, a difference gives it uncancelled."""

LEAST_NOISE = 1e-10
"""Least noise, as a share of a channel's deviation: float64 cannot tell less."""
MOST_TUNED = 2000
"""Samples from which the kernel is learned; all are smoothed."""
SIZES = (64, 128, 256, 512, 1024, 2048)


@dataclass(frozen=True)
class Smooth:
    """Smoothed channels.

    Attributes:
        x: states (times, channels).
        x_dot: their derivatives.
        x_std: deviations of the states.
        x_dot_std: deviations of the derivatives.
        noise: deviation of the measurement noise of each channel.
        length: time scale of each channel.
    """

    x: np.ndarray
    x_dot: np.ndarray
    x_std: np.ndarray
    x_dot_std: np.ndarray
    noise: np.ndarray
    length: np.ndarray


def _transition(s):
    """Transition over a step s, and the covariance of what is added meanwhile."""
    powers = jnp.asarray(_POWERS)

    def step(by):
        return jnp.exp(-by) * jnp.einsum("k,kij->ij", by ** jnp.arange(ORDER), powers)

    a = step(s)
    nodes = 0.5 * s * (jnp.asarray(_NODES) + 1.0)
    columns = jax.vmap(step)(nodes)[:, :, -1]
    integrated = 0.5 * s * _DENSITY * jnp.einsum("q,qi,qj->ij", jnp.asarray(_WEIGHTS), columns, columns)
    p = jnp.asarray(_STATIONARY)
    return a, jnp.where(s < SHORT, integrated, p - a @ p @ a.T)


def _filter(parameters, t, y, seen):
    """Kalman filter of one channel of variance about 1: log likelihood, filtered and predicted moments."""
    rate, size, noise = jnp.exp(parameters)
    steps = jnp.concatenate([jnp.zeros(1, t.dtype), jnp.diff(t)]) * rate

    def advance(state, row):
        mean, covariance, total = state
        s, value, here = row
        a, q = _transition(s)
        ahead, spread = a @ mean, a @ covariance @ a.T + size**2 * q
        innovation = value - ahead[0]
        variance = spread[0, 0] + noise**2
        gain = jnp.where(here, spread[:, 0] / variance, 0.0)
        mean = ahead + gain * innovation
        # Joseph's form: stays positive where the noise is tiny.
        keep = jnp.eye(ORDER).at[:, 0].add(-gain)
        covariance = keep @ spread @ keep.T + noise**2 * jnp.outer(gain, gain)
        gained = -0.5 * (jnp.log(2 * jnp.pi * variance) + innovation**2 / variance)
        return (mean, covariance, total + jnp.where(here, gained, 0.0)), (mean, covariance, ahead, spread)

    start = (jnp.zeros(ORDER), size**2 * jnp.asarray(_STATIONARY), jnp.zeros(()))
    (_, _, total), moments = jax.lax.scan(advance, start, (steps, y, seen))
    return total, moments, steps


@jax.jit
def _cost(parameters, t, y, seen):
    return jax.value_and_grad(lambda p: -_filter(p, t, y, seen)[0])(parameters)


@jax.jit
def _smooth(parameters, t, y, seen):
    """Rauch-Tung-Striebel smoother: mean and deviation of f and f' at every time."""
    _, (means, covariances, ahead, spread), steps = _filter(parameters, t, y, seen)

    def back(state, row):
        mean, covariance = state
        filtered, own, predicted, predicted_spread, s = row
        a, _ = _transition(s)
        scale = 1.0 / jnp.sqrt(jnp.diagonal(predicted_spread))
        unit = predicted_spread * scale[:, None] * scale[None, :] + 1e-14 * jnp.eye(ORDER)
        gain = jnp.linalg.solve(unit, scale[:, None] * (a @ own)).T * scale[None, :]
        mean = filtered + gain @ (mean - predicted)
        covariance = own + gain @ (covariance - predicted_spread) @ gain.T
        return (mean, covariance), (mean, jnp.diagonal(covariance))

    last = (means[-1], covariances[-1])
    rows = (means[:-1], covariances[:-1], ahead[1:], spread[1:], steps[1:])
    _, (mean, variance) = jax.lax.scan(back, last, rows, reverse=True)
    mean = jnp.concatenate([mean, means[-1:]])
    variance = jnp.concatenate([variance, jnp.diagonal(covariances[-1])[None]])
    rate = jnp.exp(parameters[0])
    deviation = jnp.sqrt(jnp.maximum(variance, 0.0))
    return mean[:, 0], mean[:, 1] * rate, deviation[:, 0], deviation[:, 1] * rate


@double_precision
def smooth(t: np.ndarray, x: np.ndarray) -> Smooth:
    """Smooth every channel of a trajectory.

    Args:
        t: increasing times, at any distance.
        x: samples (times, channels); NaN where a channel was not measured.

    Raises:
        DataError: a channel has fewer than 8 samples or does not vary.
    """
    t, x = np.asarray(t, float), np.asarray(x, float)
    parts = [_channel(t, column, number) for number, column in enumerate(x.T)]
    x, x_dot, x_std, x_dot_std = (np.stack([part[place] for part in parts], axis=1) for place in range(4))
    noise, length = (np.asarray([part[place] for part in parts]) for place in (4, 5))
    return Smooth(x, x_dot, x_std, x_dot_std, noise, length)


def _channel(t: np.ndarray, x: np.ndarray, number: int):
    seen = np.isfinite(x)
    if seen.sum() < 8:
        raise DataError(
            f"Channel {number} has {seen.sum()} measured samples; smoothing needs at least 8. Measure "
            "more, or give derivatives."
        )
    middle, scale = x[seen].mean(), x[seen].std()
    if not scale > 0:
        raise DataError(f"Channel {number} does not vary, so there is nothing to smooth. Leave it out.")
    y = np.where(seen, (x - middle) / scale, 0.0)
    parameters = _tune(t, y, seen)
    rows = len(t)
    columns = [np.asarray(each)[:rows] for each in _smooth(parameters, *_padded(t, y, seen))]
    value, slope, deviation, slope_deviation = columns
    rate, _, noise = np.exp(parameters)
    return (
        value * scale + middle,
        slope * scale,
        deviation * scale,
        slope_deviation * scale,
        float(noise * scale),
        float(np.sqrt(7.0) / rate),
    )


def _padded(t: np.ndarray, y: np.ndarray, seen: np.ndarray):
    """Rows filled up to few lengths by times after the last at which nothing was measured."""
    rows = len(t)
    length = next((size for size in SIZES if rows <= size), -(-rows // SIZES[-1]) * SIZES[-1])
    extra = length - rows
    step = (t[-1] - t[0]) / max(rows - 1, 1)
    times = np.concatenate([t, t[-1] + step * np.arange(1, extra + 1)])
    return times, np.pad(y, (0, extra)), np.pad(seen, (0, extra))


def _tune(t: np.ndarray, y: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """Log of (rate, size, noise) of the greatest marginal likelihood, from several starts."""
    cut = slice(0, MOST_TUNED)
    t, y, seen = t[cut], y[cut], seen[cut]
    rows = _padded(t, y, seen)
    step, span = np.median(np.diff(t)), t[-1] - t[0]
    bounds = [
        (np.log(0.5 / span), np.log(3.0 / step)),
        (np.log(1e-2), np.log(1e4)),
        (np.log(LEAST_NOISE), np.log(2.0)),
    ]

    def cost(parameters: np.ndarray):
        value, slope = _cost(parameters, *rows)
        return float(value), np.asarray(slope)

    # Noise from the scatter of fourth differences; wiggles of a few to many steps.
    start = np.log(max(_scatter(y[seen]), 1e-6))
    found = [
        minimize(cost, [np.log(rate), 0.0, start], jac=True, method="L-BFGS-B", bounds=bounds)
        for rate in (10.0 / span, 0.1 / step)
    ]
    best = min(found, key=lambda each: each.fun if np.isfinite(each.fun) else np.inf)
    return best.x


def _scatter(y: np.ndarray) -> float:
    """Noise from fourth differences, which a smooth curve on an even grid hardly has."""
    return float(np.sqrt(np.mean(np.diff(y, 4) ** 2) / 70.0))
