"""Inputs between their samples: smooth ones by monotone cubics, switched ones held until the next sample."""

import numpy as np
from scipy.interpolate import PchipInterpolator

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
    before = np.clip(np.searchsorted(t, at, side="right") - 1, 0, len(t) - 1)
    switched = held(u)
    found[..., switched] = u[before][..., switched]
    return found


def held(u: np.ndarray) -> np.ndarray:
    """Which inputs are switched: most samples repeat the one before, and not all."""
    if len(u) < 2:
        return np.zeros(u.shape[1], bool)
    repeats = np.mean(np.diff(u, axis=0) == 0.0, axis=0)
    return (repeats > HELD) & (repeats < 1.0)
