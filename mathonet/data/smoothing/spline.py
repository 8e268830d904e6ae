"""Spline smoothing of a channel: cubic smoothing splines by generalised cross-validation, with deviations.

Reinsch's banded equations, for the samples and some draws of noise at once. The draws give the trace that
cross-validation needs, and the noise that a derivative lets through. It is also wrong by the shape that is
smoothed away, which a spline 32 times less stiff shows beyond the noise of the two, and by being cubic, which
a quintic through the smoothed values shows.
"""

from dataclasses import dataclass

import numpy as np
from scipy.interpolate import CubicSpline, make_interp_spline
from scipy.linalg import solveh_banded
from scipy.optimize import minimize_scalar

from mathonet.data.smoothing.curve import Curve, Series
from mathonet.errors import DataError

FEWEST = 6
"""Samples of a trajectory that a smoothing spline and a quintic need."""
_DRAWS = 16
_LOOSER = 1.0 / 32.0
_SOFT, _STIFF = -14.0, 26.0
"""Log stiffness of splines that go through the samples, and that span hundreds, at times 1 apart."""


@dataclass(frozen=True)
class _Fit:
    """A trajectory's spline; curves are values and two derivatives (times, 3), of noise (times, 3, draws)."""

    mean: np.ndarray
    passed: np.ndarray
    apart: np.ndarray
    apart_noise: np.ndarray
    coarse: np.ndarray
    squares: float
    freedom: float
    length: float


def smooth_by_spline(channel: Series) -> list[Curve]:
    """Smooth a channel of some trajectories, each by its own spline; NaN is not measured.

    Raises:
        DataError: a trajectory has too few samples.
    """
    values = np.concatenate([x[np.isfinite(x)] for _, x in channel])
    middle, scale = float(values.mean()), float(values.std())
    fits = [_fit(t, (x - middle) / scale) for t, x in channel]
    noise = float(np.sqrt(sum(fit.squares for fit in fits) / sum(fit.freedom for fit in fits)))
    curves = []
    for fit in fits:
        shape = np.mean(fit.apart**2, axis=0) - noise**2 * np.mean(fit.apart_noise**2, axis=(0, 2))
        variance = noise**2 * np.mean(fit.passed**2, axis=2) + np.maximum(shape, 0.0) + fit.coarse**2
        mean = fit.mean * scale + np.array([middle, 0.0, 0.0])
        sigma = np.full(len(mean), noise * scale)
        curves.append(Curve(mean, np.sqrt(variance) * scale, sigma, noise * scale, "constant", fit.length))
    return curves


def _fit(t: np.ndarray, y: np.ndarray) -> _Fit:
    seen = np.isfinite(y)
    count = int(seen.sum())
    if count < FEWEST:
        raise DataError(
            f"A trajectory has {count} measured samples of a channel; a smoothing spline needs {FEWEST}. "
            "Leave it out, or use method='gp', in which trajectories help each other."
        )
    unit = float(np.ptp(t[seen])) / (count - 1)
    times = (t - t[seen][0]) / unit
    inner = times[seen]
    draws = np.random.default_rng(0).choice([-1.0, 1.0], size=(count, _DRAWS))
    columns = np.concatenate([y[seen, None], draws], axis=1)
    stiffness = _cross_validated(inner, columns)
    smooth, looser = (flattened(inner, columns, each) for each in (stiffness, stiffness * _LOOSER))
    power = unit ** -np.arange(3.0)[:, None]
    curve, loose = (
        _curve(CubicSpline(inner, each, bc_type="natural"), times) * power for each in (smooth, looser)
    )
    quintic = _curve(make_interp_spline(inner, smooth[:, :1], k=5), times) * power
    return _Fit(
        mean=curve[:, :, 0],
        passed=curve[:, :, 1:],
        apart=(curve - loose)[:, :, 0],
        apart_noise=(curve - loose)[:, :, 1:],
        coarse=(curve[:, :, :1] - quintic)[:, :, 0],
        squares=float(np.sum((columns - smooth)[:, 0] ** 2)),
        freedom=max(count - _trace(columns, smooth), 1e-3 * count),
        length=float(stiffness**0.25 * unit),
    )


def _curve(spline, times: np.ndarray) -> np.ndarray:
    """Values and two derivatives (times, 3, columns)."""
    return np.stack([spline(times, order) for order in range(3)], axis=1)


def _trace(columns: np.ndarray, smooth: np.ndarray) -> float:
    """Parameters that the spline spends, from what it keeps of the draws."""
    return float(np.mean(np.sum(columns[:, 1:] * smooth[:, 1:], axis=0)))


def _cross_validated(t: np.ndarray, columns: np.ndarray) -> float:
    """Stiffness of the least generalised cross-validation."""
    count = len(t)

    def score(log_stiffness: float) -> float:
        smooth = flattened(t, columns, float(np.exp(log_stiffness)))
        squares = np.sum((columns - smooth)[:, 0] ** 2) + 1e-300
        return float(np.log(squares) - 2.0 * np.log(max(count - _trace(columns, smooth), 1e-9)))

    grid = np.arange(_SOFT, min(_STIFF, 4.0 * np.log(count)) + 1.0, 2.0)
    scores = np.array([score(each) for each in grid])
    best = grid[np.argmin(scores)]
    found = minimize_scalar(score, bounds=(best - 2.0, best + 2.0), method="bounded", options={"xatol": 0.02})
    return float(np.exp(found.x if found.fun < scores.min() else best))


def flattened(t: np.ndarray, columns: np.ndarray, stiffness: float) -> np.ndarray:
    """Columns at the knots after the minimum of sum (y - f)^2 + stiffness * integral f''^2 (Reinsch 1967)."""
    h = np.diff(t)
    above, below = 1.0 / h[:-1], 1.0 / h[1:]
    centre = -(above + below)
    band = np.zeros((3, len(h) - 1))
    band[2] = (h[:-1] + h[1:]) / 3.0 + stiffness * (above**2 + centre**2 + below**2)
    band[1, 1:] = h[1:-1] / 6.0 + stiffness * (centre[:-1] * above[1:] + below[:-1] * centre[1:])
    band[0, 2:] = stiffness * below[:-2] * above[2:]
    second = np.diff(np.diff(columns, axis=0) / h[:, None], axis=0)
    bent = solveh_banded(band, second)
    moved = np.zeros_like(columns)
    moved[:-2] += above[:, None] * bent
    moved[1:-1] += centre[:, None] * bent
    moved[2:] += below[:, None] * bent
    return columns - stiffness * moved
