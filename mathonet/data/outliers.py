"""Outliers: single values that lie far off what their neighbours in time allow.

The model is noise with a few values of a law of their own, anywhere in the channel's range (a contaminated
normal); a value is an outlier where that is likelier by a margin. The curve's own error must not be taken for
one: where a curve turns sharply or jumps, it is as wrong about the neighbours of a value, so these have to be
predicted far better, each from the others. The farthest are judged first, since they spoil what is predicted.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import erfinv

from mathonet.data.rounding import printed_error
from mathonet.data.smoothing.curve import Series
from mathonet.data.smoothing.noise import MARGIN, proportional_share

MOST = 0.1
"""Share of a channel's values that may be outliers; if more, noise has heavy tails, or the curve jumps."""
FEWEST = 16
"""Samples of a trajectory below which neighbours do not tell."""
_SUSPECT = 3.5
"""Deviations of the noise off every prediction from which on a value is looked at."""
_LEVEL = 3.0
"""Values that lie off by up to so many times less than the farthest are judged with it."""
_LOOKED = 0.2
"""Share of the values, the farthest, that are looked at."""
_ORDERS = (1, 2, 3, 6)
"""Neighbours on either side of polynomials through all of them."""
_WAYS = (*((sides, 2 * sides - 1) for sides in _ORDERS), (4, 3), (8, 3), (16, 3))
"""Neighbours on either side and degree: through all of them on clean curves, fitted to them against noise."""
_BESIDE = 4
"""Neighbours on either side that are predicted in the same way."""
_APART = 3.0
"""A value must lie so many times farther off than each of them."""
_AGREED = 3
"""Ways of predicting that must agree on it: one alone may be right about neighbours by chance."""
_LOCAL = 60
"""Neighbours whose residuals tell the noise about a value."""
_BENT, _SEEN = 6.0, (0.1, 0.3)
"""A channel bends sharply where it is so many times farther off than usual, at least and at most these shares
of its spread."""
_LEAST = 1e-6
"""Least deviation of the noise, as a share of the values' spread: what is smaller is nothing gross."""
_RECURRING, _ALIKE = 4, 4.0
"""So many values at the edge of the range, none so many times as far out as another, are spikes."""
_REACH, _TINY = 8, 1e-12
QUARTILE = float(np.sqrt(2.0) * erfinv(0.5))
"""Median of the size of a normal variable of deviation 1."""


@dataclass(frozen=True)
class Outlier:
    """A measured value that does not count.

    Attributes:
        trajectory: number of its trajectory.
        row: its row there, counted from 0, as it was given.
        t: its time.
        name: of the state.
        value: what was measured.
        expected: what the other values say.
        deviations: how far off it is, in deviations of the noise.
    """

    trajectory: int
    row: int
    t: float
    name: str
    value: float
    expected: float
    deviations: float

    def __str__(self) -> str:
        """Where it is and how far off, in words."""
        at = f"at t = {self.t:.6g} (row {self.row}; about {self.expected:.4g} fits)"
        return f"{self.name} = {self.value:.4g} {at}"


def threshold(count: float, span: float, sigma: np.ndarray | float) -> np.ndarray:
    """Deviations from which on a value is likelier one of its own law, anywhere in the span, than noise.

    One value of `count` is thought to be it, and it must be so by a margin.
    """
    odds = np.log(count * np.maximum(span / np.asarray(sigma), 1.0) / np.sqrt(2.0 * np.pi))
    return np.sqrt(2.0 * (np.maximum(odds, 0.0) + MARGIN))


@dataclass
class _Kept:
    """What is left of a trajectory: rows of the samples, times, values, and how far each is off."""

    rows: np.ndarray
    t: np.ndarray
    y: np.ndarray
    judged: np.ndarray
    scores: np.ndarray
    nearest: np.ndarray

    @classmethod
    def of(cls, rows: np.ndarray, t: np.ndarray, y: np.ndarray) -> "_Kept":
        return cls(rows, t, y, np.zeros(len(t), bool), *_scored(t, y, np.arange(len(t))))

    def without(self, places: np.ndarray) -> "_Kept":
        """The same less some; only their neighbours are predicted anew."""
        parts = (np.delete(each, places) for each in (self.rows, self.t, self.y, self.judged))
        rows, t, y, judged = parts
        scores, nearest = np.delete(self.scores, places, axis=1), np.delete(self.nearest, places)
        reach = max(_ORDERS)
        near = places[:, None] - np.arange(len(places))[:, None] + np.arange(-reach - 1, reach + 1)
        near = np.unique(np.clip(near, 0, len(t) - 1))
        scores[:, near], nearest[near] = _scored(t, y, near)
        return _Kept(rows, t, y, judged, scores, nearest)


def outlying(channel: Series) -> list[np.ndarray]:
    """Which values of a channel are outliers, a mask a trajectory; NaN is not measured and is none.

    The first and the last value of a trajectory have neighbours on one side only and are never called so: a
    fast start looks the same.
    """
    masks = [np.zeros(len(t), bool) for t, _ in channel]
    seen = [np.flatnonzero(np.isfinite(x)) for _, x in channel]
    values = np.concatenate([x[rows] for (_, x), rows in zip(channel, seen, strict=True)])
    low, middle, high = np.percentile(values, (5.0, 50.0, 95.0)) if len(values) else (0.0, 0.0, 0.0)
    spread = float(high - low)
    if not spread > 0:
        return masks
    # The values' spread as unit: residuals of very large or small ones keep their digits.
    kept = {
        number: _Kept.of(rows, t[rows], (x[rows] - middle) / spread)
        for number, ((t, x), rows) in enumerate(zip(channel, seen, strict=True))
        if len(rows) >= FEWEST
    }
    if not kept:
        return masks
    # No outlier is nearer than some steps of what the values were rounded to.
    least = max(_LEAST, np.sqrt(12.0) * printed_error(values) / spread)
    most = MOST * len(values)
    named = 0
    while named <= most:
        found = _worst(list(kept.values()), least, -middle / spread)
        if found is None:
            break
        for number, places in zip(list(kept), found, strict=True):
            if len(places):
                masks[number][kept[number].rows[places]] = True
                kept[number] = kept[number].without(places)
                named += len(places)
    if named > most or (named and _recurring(channel, masks)):
        return [np.zeros(len(t), bool) for t, _ in channel]
    return masks


def bent(channel: Series, at: list[np.ndarray]) -> list[np.ndarray]:
    """Whether a channel bends sharply at rows of each trajectory, told from the values beside these rows."""
    seen = [np.isfinite(x) for _, x in channel]
    usual = [
        _scored(t[own], x[own], np.arange(own.sum()))[0][1]
        for (t, x), own in zip(channel, seen, strict=True)
        if own.sum() >= FEWEST
    ]
    if not usual:
        return [np.zeros(len(rows), bool) for rows in at]
    low, high = np.nanpercentile(np.concatenate([x for _, x in channel]), (5.0, 95.0))
    most = _BENT * float(np.median(np.concatenate(usual))) / QUARTILE
    most = float(np.clip(most, *(np.array(_SEEN) * (high - low))))
    found = []
    for (t, x), own, rows in zip(channel, seen, at, strict=True):
        sharp = np.zeros(len(rows), bool)
        for number, row in enumerate(rows if own.sum() >= FEWEST else rows[:0]):
            others = np.flatnonzero(own)
            others = others[others != row]
            after = int(np.searchsorted(others, row))
            start = max(min(after - _REACH, len(others) - 2 * _REACH), 0)
            near = others[start : start + 2 * _REACH]
            beside = np.arange(max(after - start - 2, 0), min(after - start + 2, len(near)))
            sharp[number] = np.max(_scored(t[near], x[near], beside)[0][1]) > most
        found.append(sharp)
    return found


def _recurring(channel: Series, masks: list[np.ndarray]) -> bool:
    """Whether values stick out again and again by about as much, as the peaks of coarse spikes do."""
    named = np.concatenate([x[mask] for (_, x), mask in zip(channel, masks, strict=True)])
    rest = np.concatenate([x[~mask] for (_, x), mask in zip(channel, masks, strict=True)])
    low, middle, high = np.nanpercentile(rest, (5.0, 50.0, 95.0))
    out = (named > high) | (named < low)
    # Equal to the last digit is what a sensor that fails shows.
    if len(named) < _RECURRING or not out.all() or len(np.unique(named)) == 1:
        return False
    far = np.abs(named - middle)
    return bool(far.max() < _ALIKE * far.min())


def _worst(kept: list[_Kept], least: float, zero: float) -> list[np.ndarray] | None:
    """Places of the farthest outliers in every trajectory; None without any."""
    # The order that leaves least knows the noise best.
    usual = np.median(np.concatenate([each.scores for each in kept], axis=1), axis=1) / QUARTILE
    order = int(np.argmin(usual))
    count, span = sum(len(each.t) for each in kept), float(np.ptp(np.concatenate([each.y for each in kept])))
    sigmas = []
    for each in kept:
        sigmas.append(
            np.maximum(_noise(each.scores[order], _level(each.y), zero), max(float(usual[order]), least))
        )
    ratios = [each.nearest / sigma for each, sigma in zip(kept, sigmas, strict=True)]
    flat = np.concatenate(ratios)
    looked = max(int(_LOOKED * len(flat)), 1)
    bound = max(_SUSPECT, float(np.partition(flat, -looked)[-looked]))
    while True:
        top = max(
            float(np.max(ratio[~each.judged], initial=0.0)) for ratio, each in zip(ratios, kept, strict=True)
        )
        if top < bound:
            return None
        found = []
        for each, ratio, sigma in zip(kept, ratios, sigmas, strict=True):
            suspect = (ratio >= max(top / _LEVEL, bound)) & ~each.judged
            suspect[[0, -1]] = False
            each.judged |= ratio >= max(top / _LEVEL, bound)
            found.append(_judged(each.t, each.y, sigma, suspect, threshold(count, span, sigma)))
        if any(map(len, found)):
            return found


def _noise(scores: np.ndarray, level: np.ndarray, zero: float) -> np.ndarray:
    """Noise of every value, from residuals near in time and in size and, where it grows with that, of all."""
    by_level, order = np.empty_like(scores), np.argsort(level, kind="stable")
    by_level[order] = _about(scores[order])
    about = np.maximum(_about(scores), by_level)
    size = np.abs(level - zero)
    root = float(np.sqrt(np.mean(size**2)))
    if not (root > 0 and about.any()):
        return about
    # Outliers, and what is predicted with them, count for no more than large noise.
    usual = np.maximum(np.minimum(scores, _SUSPECT * about), _TINY * root)
    share = proportional_share(usual, size / root)
    if share is None:
        return about
    relative = np.hypot(size / root, share)
    return np.maximum(about, float(np.median(scores / relative)) / QUARTILE * relative)


def _about(scores: np.ndarray) -> np.ndarray:
    """Noise about every value, from blocks of neighbours, in time or in size, that overlap by half."""
    size = min(_LOCAL, len(scores))
    blocks = np.lib.stride_tricks.sliding_window_view(scores, size)[:: max(size // 2, 1)]
    nearest = np.clip((np.arange(len(scores)) - size // 4) // max(size // 2, 1), 0, len(blocks) - 1)
    return (np.median(blocks, axis=1) / QUARTILE)[nearest]


def _level(y: np.ndarray) -> np.ndarray:
    """Size of every value, from those beside it."""
    padded = np.pad(y, 1, mode="edge")
    return 0.5 * (padded[:-2] + padded[2:])


def _scored(t: np.ndarray, y: np.ndarray, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How far values lie off polynomials through their neighbours.

    Returns: residuals of each order in units of what noise makes of them, and the distance to the nearest of
    all predictions, those from one side and past the next neighbours included.
    """
    scores, off = [], []
    for sides in _ORDERS:
        around = _around(places, len(t), sides)
        weights = _lagrange(t[around] - t[places][:, None])
        left = np.abs(np.sum(weights * (y[around] - y[places][:, None]), axis=1))
        scores.append(left / np.sqrt(1.0 + np.sum(weights**2, axis=1)))
        off.append(left)
    for shifts in ((-2, -1), (1, 2), (-2, 2)):
        around = np.clip(places[:, None] + np.array(shifts), 0, len(t) - 1)
        inside = (around[:, 0] != around[:, 1]) & (around != places[:, None]).all(axis=1)
        left = np.full(len(places), np.inf)
        weights = _lagrange(t[around[inside]] - t[places[inside]][:, None])
        left[inside] = np.abs(np.sum(weights * (y[around[inside]] - y[places[inside]][:, None]), axis=1))
        off.append(left)
    return np.stack(scores), np.min(off, axis=0)


def _around(places: np.ndarray, count: int, sides: int) -> np.ndarray:
    """Places of the neighbours on either side, of more on one side near an end."""
    start = np.clip(places - sides, 0, count - 2 * sides - 1)
    around = start[:, None] + np.arange(2 * sides)
    return around + (around >= places[:, None])


def _lagrange(gap: np.ndarray) -> np.ndarray:
    """Weights of the neighbours in the prediction by the polynomial through them, at gap zero."""
    weights = np.ones_like(gap)
    for j in range(gap.shape[1]):
        for k in range(gap.shape[1]):
            if k != j:
                weights[:, j] *= gap[:, k] / (gap[:, k] - gap[:, j])
    return weights


def _judged(
    t: np.ndarray, y: np.ndarray, sigma: np.ndarray, suspect: np.ndarray, most: np.ndarray
) -> np.ndarray:
    """Places of the suspects that are outliers, predicted from all but suspects."""
    places, sure = np.flatnonzero(suspect), np.flatnonzero(~suspect)
    off, best = np.zeros(len(places)), np.full(len(places), np.inf)
    passed = np.zeros(len(places), int)
    after = np.searchsorted(sure, places)
    beside = np.clip(after[:, None] + np.arange(-_BESIDE, _BESIDE), 0, len(sure) - 1)
    neighbours, of = np.unique(beside, return_inverse=True)
    for sides, degree in _WAYS:
        if 2 * sides >= len(sure):
            break
        start = np.clip(after - sides, 0, len(sure) - 2 * sides)
        around = sure[start[:, None] + np.arange(2 * sides)]
        found, gain = _fitted(t[around] - t[places][:, None], y[around] - y[places][:, None], degree)
        around, own = sure[_around(neighbours, len(sure), sides)], sure[neighbours]
        beyond = np.abs(_fitted(t[around] - t[own][:, None], y[around] - y[own][:, None], degree)[0])
        curve = np.max(beyond[of.reshape(beside.shape)], axis=1)
        limit = np.maximum(most[places] * sigma[places] * np.sqrt(1.0 + gain**2), _APART * curve)
        passed += np.abs(found) > limit
        better = limit < best
        best[better], off[better] = limit[better], -found[better]
    # Two in a row on one side may be a peak.
    side = np.zeros(len(t))
    side[places] = np.sign(off)
    peak = (np.roll(side, 1) * side > 0) | (np.roll(side, -1) * side > 0)
    named = (passed >= _AGREED) & ~peak[places]
    return places[named]


def _fitted(gap: np.ndarray, y: np.ndarray, degree: int) -> tuple[np.ndarray, np.ndarray]:
    """What polynomials of a degree predict at gap zero, and their gain of noise."""
    gap = gap / np.abs(gap).max(axis=1, keepdims=True)
    weights = np.linalg.pinv(gap[:, :, None] ** np.arange(degree + 1))[:, 0]
    return np.sum(weights * y, axis=1), np.sqrt(np.sum(weights**2, axis=1))
