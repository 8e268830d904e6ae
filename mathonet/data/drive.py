"""Inputs between samples: monotone cubics, splines for smooth ones, switched ones held until the next."""

import numpy as np
from scipy.interpolate import PchipInterpolator, make_interp_spline

DEGREE, FEWEST = 5, 24
"""Of the splines of smooth inputs, and samples from which on these are tried."""
SMOOTH = 0.1
"""Error of a spline, in units of the monotone cubics', that tells a smooth input without noise."""
HELD = 0.5
"""An input is switched if more than this share of its samples repeat the one before."""


def between(t: np.ndarray, u: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Inputs at other times, one more axis for the inputs; monotone cubics never overshoot.

    Args:
        t: times of the samples.
        u: samples (times, inputs).
        at: times to look at, of any shape, within those of the samples.
    """
    if len(t) < 2:
        return np.broadcast_to(u[0], (*at.shape, u.shape[1])).copy()
    found = PchipInterpolator(t, u, axis=0)(at)
    smooth = _smooth(t, u)
    if smooth.any():
        found[..., smooth] = make_interp_spline(t, u[:, smooth], k=DEGREE)(at)
    before = np.clip(np.searchsorted(t, at, side="right") - 1, 0, len(t) - 1)
    switched = held(u)
    found[..., switched] = u[before][..., switched]
    return found


def _smooth(t: np.ndarray, u: np.ndarray) -> np.ndarray:
    """Which inputs a spline foretells far better: the samples in between, from every other one."""
    if len(t) < FEWEST:
        return np.zeros(u.shape[1], bool)
    inside = slice(1, len(t) - 1, 2)
    monotone = PchipInterpolator(t[::2], u[::2], axis=0)(t[inside]) - u[inside]
    spline = make_interp_spline(t[::2], u[::2], k=DEGREE)(t[inside]) - u[inside]
    return np.sum(spline**2, axis=0) < SMOOTH**2 * np.sum(monotone**2, axis=0)


def held(u: np.ndarray) -> np.ndarray:
    """Which inputs are switched: most samples repeat the one before, and not all."""
    if len(u) < 2:
        return np.zeros(u.shape[1], bool)
    repeats = np.mean(np.diff(u, axis=0) == 0.0, axis=0)
    return (repeats > HELD) & (repeats < 1.0)
