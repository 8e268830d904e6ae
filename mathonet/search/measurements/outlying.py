"""Outlying values of measured trajectories: found before they are smoothed, bridged, and named."""

from collections.abc import Sequence

import numpy as np
from scipy.interpolate import CubicSpline

from mathonet.data.outliers import Outlier, bent, outlying
from mathonet.data.smoothing import Smooth
from mathonet.data.trajectory import Trajectory
from mathonet.search import effort

MOST_NAMED = 8
"""Outliers that a sentence names."""


def screened(trajectories: Sequence[Trajectory]) -> list[np.ndarray]:
    """Which values are outliers to their neighbours, (times, states) a trajectory.

    Weights of the user say what a value is worth: then none are. Where another state bends sharply at the
    same time, something happened there: a spike between coarse samples, and no mistake.
    """
    masks = [np.zeros(each.x.shape, bool) for each in trajectories]
    if any(each.weights is not None for each in trajectories):
        return masks
    columns = range(len(trajectories[0].names))
    for state in columns:
        channel = [(each.t, each.x[:, state]) for each in trajectories]
        found = outlying(channel)
        if stands_still(
            np.concatenate([x for _, x in channel]), np.concatenate([own.astype(bool) for own in found])
        ):
            continue
        for mask, own in zip(masks, found, strict=True):
            mask[:, state] = own
    kept = [np.where(mask, np.nan, each.x) for each, mask in zip(trajectories, masks, strict=True)]
    result = [mask.copy() for mask in masks]
    for state in columns:
        rows = [np.flatnonzero(mask[:, state]) for mask in masks]
        if not any(map(len, rows)):
            continue
        for other in (each for each in columns if each != state):
            beside = [(each.t, x[:, other]) for each, x in zip(trajectories, kept, strict=True)]
            for mask, own, sharp in zip(result, rows, bent(beside, rows), strict=True):
                mask[own[sharp], state] = False
    return result


def stands_still(x: np.ndarray, outliers: np.ndarray) -> bool:
    """Whether a state does not move without its outliers: then these are all that was measured, and none."""
    left = x[np.isfinite(x) & ~outliers]
    return not left.size or bool(np.ptp(left) == 0)


def bridged(trajectory: Trajectory, outliers: np.ndarray) -> np.ndarray:
    """The values, in the place of outliers those of cubic splines through the others."""
    x = trajectory.x.copy()
    for state in np.flatnonzero(outliers.any(axis=0)):
        seen, gone = np.isfinite(x[:, state]), outliers[:, state]
        x[gone, state] = CubicSpline(trajectory.t[seen], x[seen, state])(trajectory.t[gone])
    return x


def named_outliers(
    trajectories: Sequence[Trajectory],
    outliers: Sequence[np.ndarray],
    smoothed: Sequence[Smooth],
    given: Sequence[np.ndarray],
) -> tuple[Outlier, ...]:
    """Outliers with their rows among the times that were given, and what is smoothed without them."""
    named = []
    for number, (each, mask, curve) in enumerate(zip(trajectories, outliers, smoothed, strict=True)):
        rows = np.searchsorted(given[number], each.t)
        for place, state in zip(*np.nonzero(mask), strict=True):
            value, expected = float(each.x[place, state]), float(curve.x[place, state])
            # Smoothing of clean values may see no noise at all.
            sigma = max(
                float(curve.sigma[place, state]), effort.RESOLVED * float(np.nanmax(np.abs(each.x[:, state])))
            )
            at = (number, int(rows[place]), float(each.t[place]), each.names[state])
            named.append(Outlier(*at, value, expected, abs(value - expected) / sigma))
    return tuple(named)


def in_words(outliers: Sequence[Outlier], several: bool) -> str:
    """Outliers in a sentence that goes on after another; nothing without any.

    Args:
        outliers: in the order in which they are named.
        several: whether there are several trajectories.
    """
    if not outliers:
        return ""
    named = [
        f"{each} of trajectory {each.trajectory + 1}" if several else str(each)
        for each in outliers[:MOST_NAMED]
    ]
    if len(outliers) > MOST_NAMED:
        named.append(f"and {len(outliers) - MOST_NAMED} more")
    many = "1 value lies" if len(outliers) == 1 else f"{len(outliers)} values lie"
    return f". Outliers: {many} far off and did not count (rows from 0): " + "; ".join(named)
