"""Reexamining: which measured values are outliers to what a fitted system leaves of them.

Neighbours tell little where a curve turns sharply, and nothing about the first value. The equations do: what
the right ones leave is noise and outliers. Some values come back that only neighbours did not explain.
"""

from dataclasses import replace

import numpy as np

from mathonet.data.outliers import MOST, QUARTILE, threshold
from mathonet.data.smoothing.noise import log_likelihood
from mathonet.fit.residuals import MISFIT, leaves_noise
from mathonet.search import effort
from mathonet.search.fit import Fit
from mathonet.search.front import Front
from mathonet.search.measurements.measured import Measured, smoothed_without
from mathonet.search.measurements.outlying import stands_still
from mathonet.search.path.fit import PathFit


def reexamined(joint: PathFit, fit: Fit, measured: Measured, units: np.ndarray) -> Measured | None:
    """What was measured with other outliers, those to the system; None if they are the same.

    Weights of the user say what a value is worth, and stay. Long series, of which a path has but a part, keep
    what neighbours say, and so does what a very long equation leaves.

    Args:
        joint: what the system was fitted by.
        fit: the system.
        measured: what the path of the joint fit goes through.
        units: from the units of the path to those of the data, one a state.
    """
    weighted = any(each.weights is not None for each in measured.trajectories)
    if weighted or len(fit.path.x) != len(measured.x) or fit.longest > effort.MOST_SHORTENED:
        return None
    before, values = _outliers(measured)
    fit, far = _without_farthest(joint, fit)
    left = values - fit.path.x[:, : measured.positions] * units[: measured.positions]
    known = np.where(before, np.nan, values)
    rest = np.where(before | far[:, : measured.positions], np.nan, left)
    least = effort.CLEAN * np.nanstd(known, axis=0)
    # A system that leaves more than noise explains no value.
    size = np.sqrt(np.nanmean(rest**2, axis=0))
    near = np.where(
        size <= effort.NORMAL_SPREAD * np.maximum(measured.noise, least),
        effort.EXPLAINED_WITHIN * np.maximum(size, least),
        0.0,
    )
    after = (before | far[:, : measured.positions]) & (np.abs(left) > near)
    sigma = np.concatenate([each.sigma for each in measured.smoothed])
    for state in range(measured.positions):
        span = float(np.nanmax(known[:, state]) - np.nanmin(known[:, state]))
        if span == 0:
            continue
        named = int(after[:, state].sum())
        after[:, state] |= _beyond_noise(rest[:, state], sigma[:, state], span, least[state], named)
        if stands_still(values[:, state], after[:, state]):
            after[:, state] = before[:, state]
    if (after.sum(axis=0) > MOST * np.isfinite(values).sum(axis=0)).any() or np.array_equal(before, after):
        return None
    starts = np.cumsum([len(each) for each in measured.trajectories])[:-1]
    whole = [
        replace(each, x=x) for each, x in zip(measured.trajectories, np.split(values, starts), strict=True)
    ]
    masks = np.split(after, starts)
    return smoothed_without(whole, masks, measured.given, measured.order, measured.known, measured.smoothing)


def _without_farthest(joint: PathFit, fit: Fit) -> tuple[Fit, np.ndarray]:
    """The system fitted without the values that hold it off the others, and which these are.

    A few values far off bend the whole path, above all where the noise is small, so that what is left of
    others is no noise. They are left out one by one, the farthest first, as long as that helps; if no more
    than noise is left then, they were outliers, and if not, the system is wrong and all values stay.
    """
    path, best = joint.path, fit
    far = np.zeros(path.weights.shape, bool)
    for _ in range(effort.LEFT_OUT_SINGLY):
        place = _farthest(joint, best, far)
        if place is None:
            break
        tried = [_left_out(joint, best, far, each) for each in (place, *_ends(joint, far, place))]
        found, without = min(tried, key=lambda each: np.inf if each[0] is None else each[0].path.data)
        if found is None or found.path.data > effort.HELPED * best.path.data:
            break
        best, far = found, without
    seen = (path.weights > 0) & ~far
    squares = np.where(seen, path.weights * (path.y - best.path.x), 0.0) ** 2
    misfit = squares.sum(axis=0) / np.maximum(seen.sum(axis=0), 1)
    explained = (misfit[path.told] <= MISFIT).all() and _scattered(path.y - best.path.x, far)
    return (best, far) if explained else (fit, np.zeros_like(far))


def _scattered(left: np.ndarray, far: np.ndarray) -> bool:
    """Whether no three values in a row lie off to one side: these would show a path that is off there."""
    side = np.where(far, np.sign(left), 0.0)
    return not (np.abs(side[2:] + side[1:-1] + side[:-2]) == 3.0).any()


def _left_out(
    joint: PathFit, fit: Fit, far: np.ndarray, place: tuple[int, int]
) -> tuple[Fit | None, np.ndarray]:
    """The system fitted without one more value."""
    without = far.copy()
    without[place] = True
    path = replace(joint.path, weights=np.where(without, 0.0, joint.path.weights))
    return replace(joint, path=path, front=Front()).fit(fit.forms, fit.path.x), without


def _ends(joint: PathFit, far: np.ndarray, place: tuple[int, int]) -> list[tuple[int, int]]:
    """The first or last value of a trajectory, if near: a path bends to it, and off the values beside it."""
    row, state = place
    breaks = np.flatnonzero(joint.path.joined == 0)
    ends = np.concatenate([[0], breaks, breaks + 1, [len(far) - 1]])
    near = ends[(np.abs(ends - row) <= effort.BESIDE_END) & (ends != row)]
    return [(int(end), state) for end in near if joint.path.weights[end, state] > 0 and not far[end, state]]


def _farthest(joint: PathFit, fit: Fit, far: np.ndarray) -> tuple[int, int] | None:
    """The value farthest off, of those that stand out of what is left of their state; None without any."""
    path, best, place = joint.path, 0.0, None
    for state in np.flatnonzero(path.told):
        seen = (path.weights[:, state] > 0) & ~far[:, state]
        left = np.where(seen, np.abs(path.weights[:, state] * (path.y - fit.path.x)[:, state]), 0.0)
        usual = max(float(np.median(left[seen])) / QUARTILE, effort.SMALL_RESIDUAL)
        row = int(np.argmax(left))
        most = threshold(int(seen.sum()), float(np.ptp((path.weights * path.y)[seen, state])), usual)
        share = left[row] ** 2 / max(float(np.sum(left**2)), effort.SMALL_RESIDUAL)
        if left[row] > most * usual and share > 1.0 - effort.HELPED and left[row] > best:
            best, place = left[row], (row, int(state))
    return place


def _outliers(measured: Measured) -> tuple[np.ndarray, np.ndarray]:
    """Which values are outliers now, and all values with them, (times, states) of all trajectories."""
    values = np.concatenate([each.x for each in measured.trajectories])
    mask = np.zeros(values.shape, bool)
    starts = np.cumsum([0, *map(len, measured.trajectories)])
    for each in measured.outliers:
        trajectory = measured.trajectories[each.trajectory]
        row = starts[each.trajectory] + int(np.searchsorted(trajectory.t, each.t))
        state = trajectory.names.index(each.name)
        mask[row, state], values[row, state] = True, each.value
    return mask, values


def _beyond_noise(left: np.ndarray, sigma: np.ndarray, span: float, least: float, named: int) -> np.ndarray:
    """Which residuals normal noise does not make; none where the rest is no such noise.

    Outliers among large values look like noise that grows with them, so the noise may also be constant,
    whichever is likelier with outliers of either anywhere in the span.

    Args:
        left: residuals; NaN where there is none.
        sigma: how the deviation of the noise goes along them, as smoothing saw it.
        span: range of what was measured.
        least: least deviation of the noise.
        named: how many outliers there are already: where some are, more are likely.
    """
    seen = np.isfinite(left)
    found = []
    for shape in (sigma, np.ones(len(sigma))):
        far = np.zeros(len(left), bool)
        deviation = np.maximum(np.median(np.abs(left / shape)[seen]) / QUARTILE * shape, least)
        for _ in range(effort.OUTLIER_PASSES):
            count = seen.sum() / (1 + named + far.sum())
            far = seen & (np.abs(left) > threshold(count, span, deviation) * deviation)
        rest = seen & ~far
        likelihood = log_likelihood(left[rest], deviation[rest]) - far.sum() * np.log(span)
        found.append((likelihood, far, (left / deviation)[rest]))
    _, far, rest = max(found, key=lambda each: each[0])
    normal = (
        _scattered(left, far)
        and np.sqrt(np.mean(rest**2)) <= effort.NORMAL_SPREAD
        and leaves_noise(rest, None)
    )
    return far if normal else np.zeros(len(left), bool)
