"""Savitzky-Golay smoothing of a channel on even times: quartics in windows as wide as the noise asks for.

Noise comes from fourth differences, the window from the least expected error of the values (Mallows' Cp). The
deviations hold the noise that passes, and the shape that a sextic in the same window sees beyond noise.
"""

import numpy as np
from scipy.signal import savgol_coeffs, savgol_filter

from mathonet.data.smoothing.curve import Curve, Series
from mathonet.errors import DataError

DEGREE = 4
NARROWEST = 9
_HOPELESS = 4.0
"""Growth of the expected error after which no wider window is tried."""
_EVEN = 1e-3
"""Steps may differ by this part: times are printed with few digits."""
_DIFFERENCES = 4
_GAIN = 70.0
"""Variance of fourth differences of white noise of variance 1."""


def smooth_by_savitzky_golay(channel: Series) -> list[Curve]:
    """Smooth a channel of some trajectories, all with one window.

    Raises:
        DataError: times are not even, values are missing, or a trajectory is shorter than a window.
    """
    values = np.concatenate([x for _, x in channel])
    for t, x in channel:
        _check(t, x)
    middle, scale = float(values.mean()), float(values.std())
    series = [(x - middle) / scale for _, x in channel]
    differences = np.concatenate([np.diff(y, _DIFFERENCES) for y in series])
    noise = float(np.sqrt(np.mean(differences**2) / _GAIN))
    window = _window(series, noise)
    curves = []
    for (t, _), y in zip(channel, series, strict=True):
        step = (t[-1] - t[0]) / (len(t) - 1)
        mean = _filtered(y, window, DEGREE, step)
        apart = mean - _filtered(y, window, DEGREE + 2, step)
        passed, difference = _passed(window, len(y), step)
        inside = slice(window // 2, len(y) - window // 2)
        extra = np.mean(apart[inside] ** 2, axis=0) - noise**2 * difference
        std = np.sqrt(noise**2 * passed + np.maximum(extra, 0.0)) * scale
        mean = mean * scale + np.array([middle, 0.0, 0.0])
        sigma = np.full(len(t), noise * scale)
        curves.append(Curve(mean, std, sigma, noise * scale, "constant", window * step))
    return curves


def _check(t: np.ndarray, x: np.ndarray) -> None:
    if len(t) < NARROWEST:
        raise DataError(
            f"A trajectory has {len(t)} times; Savitzky-Golay needs {NARROWEST}. Leave it out, or use "
            "method='gp'."
        )
    if not np.isfinite(x).all():
        raise DataError(
            f"{np.sum(~np.isfinite(x))} values of a channel are missing; Savitzky-Golay needs all. Use "
            "method='gp' or 'spline'."
        )
    steps = np.diff(t)
    if np.ptp(steps) > _EVEN * np.median(steps):
        raise DataError(
            f"Savitzky-Golay needs even times; found steps from {steps.min():g} to {steps.max():g}. Use "
            "method='gp' or 'spline'."
        )


def _window(series: list[np.ndarray], noise: float) -> int:
    """The odd window of the least expected squared error of the values."""
    shortest = min(len(y) for y in series)
    count = sum(len(y) for y in series)
    best, window, width = np.inf, NARROWEST, NARROWEST
    while width <= shortest:
        squares = sum(np.sum((y - savgol_filter(y, width, DEGREE)) ** 2) for y in series) / count
        risk = squares + 2.0 * noise**2 * savgol_coeffs(width, DEGREE)[width // 2]
        if risk < best:
            best, window = risk, width
        elif risk > _HOPELESS * best:
            break
        width += 2 * max(1, width // 12)
    return window


def _filtered(y: np.ndarray, window: int, degree: int, step: float) -> np.ndarray:
    curve = np.empty((len(y), 3))
    for order in range(3):
        curve[:, order] = savgol_filter(y, window, degree, deriv=order, delta=step)
    return curve


def _passed(window: int, count: int, step: float) -> tuple[np.ndarray, np.ndarray]:
    """Variance that white noise has after the filter (times, 3), and in the difference to the sextic (3)."""
    half = window // 2
    passed, difference = np.empty((count, 3)), np.empty(3)
    for order in range(3):
        four, six = (
            savgol_coeffs(window, degree, deriv=order, delta=step, use="dot")
            for degree in (DEGREE, DEGREE + 2)
        )
        passed[:, order] = np.sum(four**2)
        difference[order] = np.sum((four - six) ** 2)
        for place in range(half):
            edge = savgol_coeffs(window, DEGREE, deriv=order, delta=step, pos=place, use="dot")
            passed[place, order] = passed[count - 1 - place, order] = np.sum(edge**2)
    return passed, difference
