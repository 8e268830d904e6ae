"""Process: a channel as a Gaussian process on nodes: likelihood, the best parameters, values at any time.

The size of the process has a closed form, so that the likelihood is a function of two numbers, the rate and
the share of noise; a coarse look at both is followed by one local search.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mathonet.data.smoothing.elimination import Eliminated, applied, eliminate
from mathonet.data.smoothing.matern import Transition, transition
from mathonet.data.smoothing.nodes import Nodes
from mathonet.errors import DataError

MOST_TUNED = 1000
"""Nodes from which parameters are learned; all are smoothed."""
_LOOKED = 250
"""Nodes of the coarse look, and of clean samples, whose few unknowns need no more."""
_CLEAN = 1e-6
"""Share of noise below which samples are clean."""
_RATES = 8
_SHARES = 10.0 ** np.arange(-12.0, 0.6, 1.5)
_SIZES = 10.0 ** np.arange(-0.5, 3.1, 0.5)
LEAST_SHARE = 1e-13
_BENT = 1e-2
"""Step of the differences in log parameters."""
_AROUND = _BENT * np.array([[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1], [1, 1]])
_STEPS = 30
_LONGEST = 2.0
"""Longest step, in log parameters."""
_SHARES_OF_STEP = np.array([1.0, 0.5, 0.2, 0.03])
_CLOSE = 1e-3
"""Nats of a last step."""
_LEVEL = 1.0
"""Nats that tell one noise from another."""
_RUNGS, _HALVINGS = 12, 4

UNFIT = (
    "A channel's Gaussian process cannot be computed within rounding: its samples lie far denser in some "
    "places than in others, or reach over too many decades. Thin them out, or use method='spline'."
)

Cost = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""Two parameters of many processes to their costs."""


@dataclass(frozen=True)
class Parameters:
    """Rate of the kernel (per unit of the nodes), deviation of the process, of the noise.

    `likelihood` is the log likelihood a sample that they were learned from.
    """

    rate: float
    size: float
    noise: float
    likelihood: float


@dataclass(frozen=True)
class Chain:
    """Nodes with their steps, equal ones once: `steps[places]` are all."""

    nodes: Nodes
    steps: np.ndarray
    places: np.ndarray

    @classmethod
    def of(cls, nodes: Nodes) -> "Chain":
        """The chain of some nodes."""
        steps = nodes.steps
        # Times are rounded: steps that differ by no more are the same.
        grid = 4.0 * np.finfo(float).eps * max(float(np.max(np.abs(nodes.t))), 1.0)
        finite = np.isfinite(steps)
        rounded = np.where(finite, np.round(np.where(finite, steps, 0.0) / grid), np.inf)
        _, where, places = np.unique(rounded, return_index=True, return_inverse=True)
        return cls(nodes, steps[where], places.ravel())

    def solve(self, rate: np.ndarray, share: np.ndarray) -> tuple[Eliminated, Transition]:
        """Posterior of the states for processes of variance 1 and noise of deviation `share`."""
        moves = transition(self.steps, rate[:, None])
        carried = moves.whiten @ moves.step
        back = np.swapaxes(carried, -1, -2)
        later = self.places[1:]
        own = (np.swapaxes(moves.whiten, -1, -2) @ moves.whiten)[:, self.places]
        own[:, :-1] += (back @ carried)[:, later]
        own += self.nodes.information / share[:, None, None, None] ** 2
        right = self.nodes.right / share[:, None, None] ** 2
        return eliminate(own, -(back @ moves.whiten)[:, later], right), moves

    def costs(self, rate: np.ndarray, share: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Log determinant of the samples' covariance, and their squares in it."""
        solved, moves = self.solve(rate, share)
        x, nodes = solved.solution, self.nodes
        behind = np.concatenate([np.zeros_like(x[:, :1]), x[:, :-1]], axis=1)
        defect = x - applied(moves.step[:, self.places], behind)
        defect = applied(moves.whiten[:, self.places], defect)
        off = x - nodes.best
        count = nodes.count.sum()
        log_det = solved.log_det + moves.log_det[:, self.places].sum(axis=-1)
        log_det += 2.0 * count * np.log(share) + 2.0 * nodes.log_weight.sum()
        data = np.sum(off * applied(nodes.information, off), axis=(1, 2))
        return log_det, (np.maximum(data, 0.0) + nodes.rest.sum()) / share**2 + np.sum(defect**2, axis=(1, 2))


def _profile(chain: Chain, rate: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Minus the log likelihood at the best size."""
    log_det, squares = chain.costs(rate, share)
    count = chain.nodes.count.sum()
    return 0.5 * (count * np.log(squares / count) + log_det + count * (1.0 + np.log(2.0 * np.pi)))


def _held(chain: Chain, rate: np.ndarray, size: np.ndarray, noise: float) -> np.ndarray:
    """Minus the log likelihood at a given noise."""
    log_det, squares = chain.costs(rate, noise / size)
    count = chain.nodes.count.sum()
    return 0.5 * (squares / size**2 + log_det + count * np.log(2.0 * np.pi * size**2))


def _descend(cost: Cost, start: np.ndarray, bounds: np.ndarray) -> tuple[np.ndarray, float]:
    """Local minimum of a function of two log parameters that takes many at once, by Newton's method.

    The likelihood has a narrow valley (size against rate), which second differences follow in few steps.
    """

    def values(at: np.ndarray) -> np.ndarray:
        return _tried(cost, np.clip(at, bounds[:, 0], bounds[:, 1]))

    place = np.clip(start, bounds[:, 0] + 2.0 * _BENT, bounds[:, 1] - 2.0 * _BENT)
    best = float(values(place[None])[0])
    for _ in range(_STEPS):
        middle = np.clip(place, bounds[:, 0] + _BENT, bounds[:, 1] - _BENT)
        here, *sides, corner = around = values(middle + _AROUND)
        if not np.isfinite(around).all():
            break
        up, down = np.array(sides[::2]), np.array(sides[1::2])
        slope = (up - down) / (2.0 * _BENT)
        bend = np.diag((up - 2.0 * here + down) / _BENT**2)
        bend[0, 1] = bend[1, 0] = (corner - up.sum() + here) / _BENT**2
        bends, turn = np.linalg.eigh(bend)
        bends = np.maximum(np.abs(bends), 1e-3)
        step = -turn @ ((turn.T @ slope) / bends)
        step /= max(1.0, np.max(np.abs(step)) / _LONGEST)
        # At a bound, only what can still move does.
        free = np.clip(place + step, bounds[:, 0], bounds[:, 1]) - place
        pinned = free == 0.0
        if pinned.any() and not pinned.all():
            own = np.maximum(np.abs(np.diag(bend)), 1e-3)
            step = np.where(pinned, 0.0, np.clip(-slope / own, -_LONGEST, _LONGEST))
        tried = place + _SHARES_OF_STEP[:, None] * step
        found = values(tried)
        winner = int(np.argmin(found))
        if not found[winner] < best:
            break
        gain, best = best - float(found[winner]), float(found[winner])
        place = np.clip(tried[winner], bounds[:, 0], bounds[:, 1])
        if gain < _CLOSE:
            break
    return place, best


def _tried(cost: Cost, at: np.ndarray) -> np.ndarray:
    """Costs at rows of log parameters, infinite where rounding defeats them."""
    with np.errstate(all="ignore"):
        try:
            values = cost(*np.exp(at).T)
        except np.linalg.LinAlgError:
            if len(at) == 1:
                return np.array([np.inf])
            return np.concatenate([_tried(cost, each[None]) for each in at])
    return np.where(np.isfinite(values), values, np.inf)


def tune(nodes: Nodes, least: float, most: float, start: Parameters | None = None) -> Parameters:
    """Parameters of the greatest likelihood.

    Args:
        nodes: the samples.
        least: least deviation of the noise.
        most: its most where the likelihood cannot tell.
        start: where to begin; None to look for it.

    Raises:
        DataError: nothing can be computed within rounding.
    """
    span = float(np.ptp(nodes.t)) + 1.0
    bounds = np.log([[min(0.5 / span, 0.1), 3.0], [LEAST_SHARE, 1e2]])
    if start is None:
        few = Chain.of(nodes.stretches(_LOOKED))
        begin = _look(lambda rate, share: _profile(few, rate, share), bounds[0], _SHARES)
    else:
        begin = np.log([start.rate, start.noise / start.size])
    chain = Chain.of(nodes.stretches(MOST_TUNED if begin[1] > np.log(_CLEAN) else _LOOKED))
    place, cost = _descend(lambda rate, share: _profile(chain, rate, share), begin, bounds)
    rate, share = np.exp(place)
    if not np.isfinite(cost):
        raise DataError(UNFIT)
    _, squares = chain.costs(np.array([rate]), np.array([share]))
    size = float(np.sqrt(squares[0] / chain.nodes.count.sum()))
    count = float(chain.nodes.count.sum())
    free = Parameters(float(rate), size, float(share * size), -cost / count)

    begin = np.array([place[0], np.log(size)])

    def told(noise: float) -> bool:
        """Whether the likelihood tells this noise from the best."""
        return _tried(lambda rate, size: _held(chain, rate, size, noise), begin[None])[0] > cost + _LEVEL

    if free.noise > least and told(least):
        return free
    # The likelihood is level below what the steps show: the most that neighbours allow is safest.
    ladder = np.geomspace(max(most, least), least, _RUNGS)
    place = next((k for k, each in enumerate(ladder) if not told(each)), len(ladder) - 1)
    noise = float(ladder[place])
    too_large = float(ladder[place - 1]) if place else noise
    for _ in range(_HALVINGS if place else 0):
        middle = float(np.sqrt(noise * too_large))
        noise, too_large = (noise, middle) if told(middle) else (middle, too_large)

    def held(rate: np.ndarray, size: np.ndarray) -> np.ndarray:
        return _held(chain, rate, size, noise)

    if free.noise < least:
        # What fits best without the noise may be far from what fits best with it.
        begin = _look(held, bounds[0], _SIZES)
    place, cost = _descend(held, begin, np.array([bounds[0], np.log([1e-2, 1e6])]))
    rate, size = np.exp(place)
    return Parameters(float(rate), float(size), noise, -cost / count)


def _look(cost: Cost, rates: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Best of a coarse grid of log rates and logs of the other parameter."""
    places = np.stack(np.meshgrid(np.linspace(rates[0], rates[1], _RATES), np.log(others)), axis=-1)
    values = np.array([_tried(cost, each) for each in places])
    return places[np.unravel_index(np.argmin(values), values.shape)]
