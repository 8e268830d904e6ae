"""Interpolation: clean samples by a spline of degree 9, with the one of degree 7 and noise to tell its error.

A Gaussian process through clean samples is as good inside, but not at the ends, where it has a kernel's
habits and no data. The deviations say what noise too small for a likelihood may do, so the caller can
compare.
"""

import numpy as np
from scipy.interpolate import make_interp_spline
from scipy.ndimage import maximum_filter1d

FEWEST = 24
"""Samples below which degree 9 is not tried."""
_SIDE = 6
"""Samples on each side from which one is predicted."""
_NEAR = 9
"""Times over which the largest disagreement is taken: two splines cross."""
_DRAWS = 8
_QUARTILE = 0.6745
"""Median of the size of a normal variable of deviation 1."""


def interpolate(t: np.ndarray, x: np.ndarray, at: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Values, first and second derivatives (times, 3) and their deviations, or None for too few samples.

    Args:
        t: times of the samples.
        x: samples.
        at: where to interpolate, within the samples' times.
    """
    if len(t) < FEWEST:
        return None
    # The matrix of a spline wants times about 1 apart.
    unit = (t[-1] - t[0]) / (len(t) - 1)
    inner, where = (t - t[0]) / unit, (at - t[0]) / unit
    unknown = unpredicted(inner, x) * np.random.default_rng(0).normal(size=(len(t), _DRAWS))
    try:
        nine = make_interp_spline(inner, np.concatenate([x[:, None], unknown], axis=1), k=9)
        seven = make_interp_spline(inner, x, k=7)
    except (np.linalg.LinAlgError, ValueError):
        return None
    power = unit ** -np.arange(3.0)
    found = np.stack([nine(where, order) for order in range(3)], axis=1) * power[:, None]
    other = np.stack([seven(where, order) for order in range(3)], axis=1) * power
    mean = found[:, :, 0]
    apart = maximum_filter1d(np.abs(mean - other), _NEAR, axis=0)
    return mean, np.hypot(apart, np.sqrt(np.mean(found[:, :, 1:] ** 2, axis=2)))


def unpredicted(t: np.ndarray, x: np.ndarray) -> float:
    """Noise at most: what twelve neighbours do not say about a sample; the median, for it is everywhere.

    Zero for fewer than 24 samples, which do not tell.
    """
    if len(t) < FEWEST:
        return 0.0
    # The weights want times about 1 apart.
    t = (t - t[0]) * ((len(t) - 1) / (t[-1] - t[0]))
    windows = np.lib.stride_tricks.sliding_window_view(np.arange(len(t)), 2 * _SIDE + 1)
    others = np.delete(windows, _SIDE, axis=1)
    gap = t[others] - t[windows[:, _SIDE]][:, None]
    # Lagrange's weights at zero.
    weights = np.ones_like(gap)
    for j in range(2 * _SIDE):
        for k in range(2 * _SIDE):
            if k != j:
                weights[:, j] *= gap[:, k] / (gap[:, k] - gap[:, j])
    left = x[windows[:, _SIDE]] - np.sum(weights * x[others], axis=1)
    return float(np.median(np.abs(left) / np.sqrt(1.0 + np.sum(weights**2, axis=1)))) / _QUARTILE
