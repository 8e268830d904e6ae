"""Jumps: columns that move all at once between samples and stand still in between, as switches and spikes do.

Samples do not resolve such a column: any steep curve follows a step as well as any other, so that no law of
it can be read from them. Set points, doses and switches are inputs that somebody chose.
"""

from collections.abc import Sequence

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from mathonet.data.rounding import printed_error

LEAST_VALUES = 10
DEVIATIONS = 4.0
"""Increments this far above the usual one are jumps, and a correlation this far above chance is no noise."""
NEAR = 11
"""Intervals about one that say what is usual there."""
RESOLVED = 3
"""Successive jumps, not merely to and fro, that are a steep rise or peak which the samples follow."""
COARSE = 4.0
"""Range in units of the last printed digit up to which a change by one such unit counts as a jump."""
MOST_VALUES = 20_000
"""Values that are looked at, from the first one on."""
SPIKE = 2
"""Samples that a stretch between two jumps has at most if it is a spike, or an outlier."""
STILL, CREEPING = 0.1, 0.01
"""Share of the variance that may be left between jumps if it is like noise, and if it is not."""


def moves_in_jumps(x: np.ndarray) -> bool:
    """Whether a column moves in few sample intervals, and (nearly) stands still between them.

    A curve with gross outliers, one that turns sharply and then creeps on, and one printed with few digits do
    not move in jumps.

    Args:
        x: one column in the order of time; NaN are skipped.
    """
    x = np.asarray(x, dtype=np.float64).ravel()
    x = x[np.isfinite(x)][:MOST_VALUES]
    if len(x) < LEAST_VALUES or len(np.unique(x)) < 2:
        return False
    if len(np.unique(x)) == 2:
        return True
    # Divided by the largest first: squares of very large or small columns leave the range of numbers.
    largest = np.abs(x).max()
    digit = np.sqrt(12.0) * printed_error(x) / largest
    x = x / largest
    calm, jumps, stretch = x, *_stretches(x, digit)
    if not jumps.any():
        return False
    # Without its spikes a curve with outliers is a curve again, and a spike train stands still.
    while (short := np.bincount(stretch)[stretch] <= SPIKE).any():
        calm = calm[~short]
        if len(calm) < len(x) / 2:
            return False
        jumps, stretch = _stretches(calm, digit)
    left = calm - (np.bincount(stretch, calm) / np.bincount(stretch))[stretch]
    rest = np.mean(left**2)
    if rest <= CREEPING * np.var(calm):
        return True
    return bool(rest <= STILL * np.var(x) and _like_noise(left, ~jumps))


def left_by_steps(pieces: Sequence[np.ndarray], weights: Sequence[np.ndarray], jumps: int) -> float:
    """Weighted sum of squares that the best steps leave: one level a piece, and so many jumps besides.

    Jumps are placed one after the other, each where it gains most.

    Args:
        pieces: values of one column, those of each trajectory.
        weights: of the values; zero where nothing was measured.
        jumps: how many.
    """
    parts = [_Part(x, w**2) for x, w in zip(pieces, weights, strict=True)]
    for _ in range(jumps):
        best = max(range(len(parts)), key=lambda k: parts[k].gain)
        if not parts[best].gain > 0:
            break
        part = parts.pop(best)
        parts += [_Part(part.x[: part.at], part.w[: part.at]), _Part(part.x[part.at :], part.w[part.at :])]
    return sum(part.left for part in parts)


class _Part:
    """A stretch at one level: what that leaves, and where a jump would gain how much."""

    def __init__(self, x: np.ndarray, w: np.ndarray) -> None:
        self.x, self.w = x, w
        weight = np.cumsum(w)
        mean = (w @ x) / weight[-1] if len(x) and weight[-1] > 0 else 0.0
        about = x - mean
        self.left = float(w @ about**2)
        self.gain, self.at = 0.0, 0
        if len(x) > 1 and weight[-1] > 0:
            before, after = weight[:-1], weight[-1] - weight[:-1]
            moved = np.cumsum(w * about)[:-1]
            usable = (before > 0) & (after > 0)
            gains = np.where(usable, moved**2 / np.where(usable, before * after, 1.0) * weight[-1], 0.0)
            self.at = int(np.argmax(gains)) + 1
            self.gain = float(gains[self.at - 1])


def _stretches(x: np.ndarray, digit: float) -> tuple[np.ndarray, np.ndarray]:
    """Which intervals jump, and the number of the stretch between jumps that every sample belongs to.

    A jump is far above the usual interval and the last digit, and not part of a resolved rise or peak.
    """
    steps = np.diff(x)
    sizes = np.abs(steps)
    # Usual all over and near by: where noise goes with the value, it is large in some places.
    padded = np.pad(sizes, NEAR // 2, mode="edge")
    near = np.median(sliding_window_view(padded, NEAR), axis=1)
    usual = 1.4826 * np.maximum(np.median(sizes), near)
    last = digit if COARSE * digit < np.ptp(x) else 0.0
    far = sizes > np.maximum(DEVIATIONS * usual, max(1.5 * last, 8.0 * np.finfo(float).eps))
    for run in np.split(np.arange(len(far)), np.flatnonzero(np.diff(far)) + 1):
        on = np.any(steps[run][1:] * steps[run][:-1] > 0)
        if len(run) >= RESOLVED and on:
            far[run] = False
    return far, np.concatenate([[0], np.cumsum(far)])


def _like_noise(left: np.ndarray, inside: np.ndarray) -> bool:
    """Whether neighbours within a stretch do not correlate by more than chance."""
    products = (left[1:] * left[:-1])[inside]
    return bool(products.sum() <= DEVIATIONS * np.sqrt(np.sum(products**2)))
