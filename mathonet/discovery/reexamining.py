"""Reexamining: which measured values are outliers to what a fitted system leaves of them.

Neighbours tell little where a curve turns sharply, and nothing about the first value. The equations do: what
the right ones leave is noise and outliers. Some values come back that only neighbours did not explain.
"""

from dataclasses import replace

import numpy as np

from mathonet.data.curve import Series
from mathonet.data.outliers import MOST, QUARTILE, outlying, threshold
from mathonet.discovery.joint import Joint, JointFit
from mathonet.discovery.measured import CLEAN, Measured, smoothed_without
from mathonet.discovery.trust import leaves_noise

NEAR = 4.0
"""Deviations of the noise within which a system explains a value that was taken for an outlier."""
PASSES = 2
"""Times that the share of outliers is taken anew from those found."""
EVEN = 1.25
"""Root mean square of noise in units of its quartiles', up to which its law is normal."""


def reexamined(joint: Joint, fit: JointFit, measured: Measured, units: np.ndarray) -> Measured | None:
    """What was measured with other outliers, those to the system; None if they are the same.

    Weights of the user say what a value is worth, and stay. Long series, of which a path has but a part, keep
    what neighbours say.

    Args:
        joint: what the system was fitted by.
        fit: the system.
        measured: what the path of the joint fit goes through.
        units: from the units of the path to those of the data, one a state.
    """
    weighted = any(each.weights is not None for each in measured.trajectories)
    if weighted or len(fit.shot.x) != len(measured.x):
        return None
    before, values = _outliers(measured)
    after = [mask.copy() for mask in before]
    ends = np.cumsum([len(each) for each in measured.trajectories])[:-1]
    for state in np.flatnonzero(joint.path.told[: measured.positions]).tolist():
        path = np.split(fit.shot.x[:, state] * units[state], ends)
        left = [x[:, state] - own for x, own in zip(values, path, strict=True)]
        seen = [
            (each.t, np.where(mask[:, state], np.nan, own))
            for each, mask, own in zip(measured.trajectories, before, left, strict=True)
        ]
        known = np.concatenate([each.x[:, state] for each in measured.trajectories])
        least = CLEAN * float(np.nanstd(known))
        rest = np.concatenate([own for _, own in seen])
        rest = float(np.sqrt(np.nanmean(rest**2)))
        # A system that leaves more than noise explains no value.
        near = NEAR * max(min(rest, float(measured.noise[state])), least)
        span = float(np.nanmax(known) - np.nanmin(known))
        sigma = [each.sigma[:, state] for each in measured.smoothed]
        named = sum(int(mask[:, state].sum()) for mask in before)
        found = _beyond_noise(seen, sigma, span, least, named)
        found = outlying(seen, True, least) if found is None else found
        for mask, own, new in zip(after, left, found, strict=True):
            mask[:, state] = new | (mask[:, state] & (np.abs(own) > near))
        if sum(int(mask[:, state].sum()) for mask in after) > MOST * np.isfinite(known).sum():
            return None
    if all(np.array_equal(one, other) for one, other in zip(before, after, strict=True)):
        return None
    whole = [replace(each, x=x) for each, x in zip(measured.trajectories, values, strict=True)]
    return smoothed_without(whole, after, measured.given, measured.order, measured.known, measured.smoothing)


def _outliers(measured: Measured) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Which values are outliers now, and all values with them, (times, states) a trajectory."""
    masks = [np.zeros(each.x.shape, bool) for each in measured.trajectories]
    values = [each.x.copy() for each in measured.trajectories]
    for each in measured.outliers:
        trajectory = measured.trajectories[each.trajectory]
        place = int(np.searchsorted(trajectory.t, each.t)), trajectory.names.index(each.name)
        masks[each.trajectory][place], values[each.trajectory][place] = True, each.value
    return masks, values


def _beyond_noise(
    left: Series, sigma: list[np.ndarray], span: float, least: float
) -> list[np.ndarray] | None:
    """Residuals that normal noise does not make, a mask a trajectory; None where the rest is no such noise.

    Args:
        left: times and residuals.
        sigma: how the deviation of the noise goes along them.
        span: range of what was measured.
        least: least deviation of the noise.
        named: how many outliers there are already: where some are, more are likely.
    """
    scaled = np.concatenate([own / each for (_, own), each in zip(left, sigma, strict=True)])
    flat = np.concatenate(sigma)
    seen = np.isfinite(scaled)
    unit = float(np.median(np.abs(scaled[seen]))) / QUARTILE
    deviation = np.maximum(unit * flat, least)
    far = np.zeros(len(flat), bool)
    for _ in range(PASSES):
        count = seen.sum() / (1 + named + far.sum())
        far = seen & (np.abs(scaled * flat) > threshold(count, span, deviation) * deviation)
    rest = (scaled * flat / deviation)[seen & ~far]
    if np.sqrt(np.mean(rest**2)) > EVEN or not leaves_noise(rest, None):
        return None
    return np.split(far, np.cumsum([len(each) for each in sigma])[:-1])
