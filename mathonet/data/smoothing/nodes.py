"""Nodes: the samples of a channel, neighbours gathered while a cubic describes them far below the noise.

A node carries what its samples say about f and three derivatives at its time: exactly for one sample, and for
several as if nothing but a cubic happened between them. Oversampled series so become short, and their
equations well conditioned; others keep every sample as a node.
"""

from dataclasses import dataclass, replace

import numpy as np

from mathonet.data.smoothing.elimination import applied
from mathonet.data.smoothing.matern import ORDER

_WINDOW = 4
"""A node spans at most this part of the samples that a cubic fits as well as noise allows: a fourth-order
remainder is 256 times smaller there."""
_WORSE = 1.2
"""Growth of the residual variance at which a cubic is said not to fit."""
FEWEST = 50
"""Nodes of a series that are never gathered into fewer."""
_CELL = 0.2
"""Samples nearer than this part of the usual step may share a node: steps of very different lengths would
leave no digits."""
_NARROW = 1e-9
"""Least width of a node, in node steps."""
_TAYLOR = np.array([1.0, 1.0, 0.5, 1.0 / 6.0])


@dataclass(frozen=True)
class Nodes:
    """Nodes of one or several trajectories, one after the other, in time units of one node.

    The samples of a node cost (x - best)^T information (x - best) plus their share of `rest`, divided by the
    squared noise.

    Attributes:
        t: times of the nodes, in `unit`.
        unit: the time unit.
        first: whether a node is the first of its trajectory.
        information: (nodes, 4, 4).
        best: (nodes, 4).
        rest: weighted squares the nodes' cubics leave.
        count: number of samples.
        log_weight: sum of the logarithms of the samples' relative noise.
    """

    t: np.ndarray
    unit: float
    first: np.ndarray
    information: np.ndarray
    best: np.ndarray
    rest: np.ndarray
    count: np.ndarray
    log_weight: np.ndarray

    @property
    def right(self) -> np.ndarray:
        """Information times best (nodes, 4)."""
        return applied(self.information, self.best)

    @property
    def steps(self) -> np.ndarray:
        """Times from the node before; infinite at a trajectory's first."""
        return np.where(self.first, np.inf, np.diff(self.t, prepend=np.nan))

    def stretches(self, most: int, pieces: int = 4) -> "Nodes":
        """At most about `most` nodes, in some stretches spread evenly."""
        size = len(self.t)
        if size <= most:
            return self
        long = most // pieces
        starts = np.linspace(0, size - long, pieces).astype(int)
        places = (starts[:, None] + np.arange(long)).ravel()
        first = self.first[places].copy()
        first[::long] = True
        return replace(
            self,
            t=self.t[places],
            first=first,
            information=self.information[places],
            best=self.best[places],
            rest=self.rest[places],
            count=self.count[places],
            log_weight=self.log_weight[places],
        )


def gather(series: list[tuple[np.ndarray, np.ndarray]], noise: list[np.ndarray], grain: int) -> Nodes:
    """Nodes of about `grain` samples each.

    Args:
        series: times and values of each trajectory, all measured.
        noise: relative deviations of the values' noise.
        grain: samples a node.
    """
    unit = grain * _step(series)
    parts = [_gather(t, y, h, grain, unit) for (t, y), h in zip(series, noise, strict=True) if len(t)]
    first = np.concatenate([np.arange(len(part[0])) == 0 for part in parts])
    t, information, best, rest, count, log_weight = (
        np.concatenate(each) for each in zip(*parts, strict=True)
    )
    return Nodes(t, unit, first, information, best, rest, count, log_weight)


def _step(series: list[tuple[np.ndarray, np.ndarray]]) -> float:
    steps = np.concatenate([np.diff(t) for t, _ in series])
    return float(np.median(steps)) if steps.size else 1.0


def _gather(t: np.ndarray, y: np.ndarray, noise: np.ndarray, grain: int, unit: float):
    start = t[0]
    if grain == 1 and (np.diff(t) > _CELL * unit).all():
        information, best = np.zeros((len(t), ORDER, ORDER)), np.zeros((len(t), ORDER))
        information[:, 0, 0], best[:, 0] = noise**-2.0, y
        return (t - start) / unit, information, best, np.zeros(len(t)), np.ones(len(t)), np.log(noise)
    times = (t - start) / unit
    begins = _begins(times, _CELL if grain == 1 else 1.0)
    count = np.diff(begins, append=len(t))
    member = np.repeat(np.arange(len(begins)), count)
    middle = np.add.reduceat(times, begins) / count
    gap = times - middle[member]
    # Relative to a node's own width the samples of a close pair are as good as any.
    width = np.maximum(np.maximum.reduceat(np.abs(gap), begins), _NARROW)
    rows = _TAYLOR * (gap / width[member])[:, None] ** np.arange(ORDER) / noise[:, None]
    own = np.add.reduceat(rows[:, :, None] * rows[:, None, :], begins)
    right = np.add.reduceat(rows * (y / noise)[:, None], begins)
    best = applied(np.linalg.pinv(own, rcond=1e-12, hermitian=True), right)
    left = y / noise - np.einsum("ki,ki->k", rows, best[member])
    power = width[:, None] ** np.arange(ORDER)
    information, best = own * power[:, :, None] * power[:, None, :], best / power
    return (
        middle,
        information,
        best,
        np.add.reduceat(left**2, begins),
        count.astype(float),
        np.add.reduceat(np.log(noise), begins),
    )


def _begins(times: np.ndarray, cell: float) -> np.ndarray:
    """First samples of nodes: cells of equal width, two joined where their samples are next to each other."""
    bins = np.floor(times / cell + 1e-9)
    begins = np.flatnonzero(np.diff(bins, prepend=-1.0))
    middle = np.add.reduceat(times, begins) / np.diff(begins, append=len(times))
    return begins[np.diff(middle, prepend=-np.inf) > 0.5 * cell]


def choose_grain(series: list[tuple[np.ndarray, np.ndarray]]) -> int:
    """Samples a node may gather: a part of the longest run that a cubic fits as well as five samples."""
    longest = max(len(t) for t, _ in series)
    best = _scatter(series, ORDER + 1)
    grain, window = 1, 2 * _WINDOW
    while best is not None and window * FEWEST <= _WINDOW * longest:
        variance = _scatter(series, window)
        if variance is None or not variance <= _WORSE * best:
            break
        best, grain, window = min(best, variance), window // _WINDOW, 2 * window
    return grain


def _scatter(series: list[tuple[np.ndarray, np.ndarray]], window: int) -> float | None:
    """Variance about cubics through consecutive windows of samples."""
    total, freedom = 0.0, 0
    for t, y in series:
        blocks = len(t) // window
        if not blocks:
            continue
        times = t[: blocks * window].reshape(blocks, window)
        times = times - times.mean(axis=1, keepdims=True)
        times = times / np.abs(times).max(axis=1, keepdims=True)
        basis = np.polynomial.legendre.legvander(times, ORDER - 1)
        values = y[: blocks * window].reshape(blocks, window)
        q, _ = np.linalg.qr(basis)
        left = values - np.einsum("bwi,bi->bw", q, np.einsum("bwi,bw->bi", q, values))
        total, freedom = total + float(np.sum(left**2)), freedom + blocks * (window - ORDER)
    return total / freedom if freedom else None
