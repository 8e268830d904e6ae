"""Process: a channel as a Gaussian process on nodes: likelihood, the best parameters, values at any time.

The size of the process has a closed form, so that the likelihood is a function of two numbers, the rate and
the share of noise; a coarse look at both is followed by one local search.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import factorial

import numpy as np

from mathonet.data.elimination import Eliminated, applied, eliminate
from mathonet.data.matern import ORDER, STATIONARY, Transition, transition
from mathonet.data.nodes import Nodes
from mathonet.errors import DataError

MOST_TUNED = 1000
"""Nodes from which parameters are learned; all are smoothed."""
_LOOKED = 250
"""Nodes of the coarse look, and of clean samples, whose few unknowns need no more."""
_CLEAN = 1e-6
"""Share of noise below which samples are clean."""
_RATES = 8
_SHARES = 10.0 ** np.arange(-12.0, 0.6, 1.5)
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
"""Nats that noise above rounding must be worth."""
_BLOCK = 8192
"""Times at which values are computed at once."""
_HERE = 1e-3
"""A time this near to a node, in node steps, is moved there by a cubic."""
_FLIP = np.array([1.0, -1.0, 1.0, -1.0])
"""Signs of f and its derivatives when time runs backwards."""

Cost = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""Two parameters of many processes to their costs."""


@dataclass(frozen=True)
class Parameters:
    """Rate of the kernel (per unit of the nodes), deviation of the process, of the noise; log likelihood."""

    rate: float
    size: float
    noise: float
    log_likelihood: float


@dataclass(frozen=True)
class _Chain:
    """The nodes' steps, equal ones once."""

    nodes: Nodes
    steps: np.ndarray
    places: np.ndarray

    @classmethod
    def of(cls, nodes: Nodes) -> "_Chain":
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


def _profile(chain: _Chain, rate: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Minus the log likelihood at the best size."""
    log_det, squares = chain.costs(rate, share)
    count = chain.nodes.count.sum()
    return 0.5 * (count * np.log(squares / count) + log_det + count * (1.0 + np.log(2.0 * np.pi)))


def _held(chain: _Chain, rate: np.ndarray, size: np.ndarray, noise: float) -> np.ndarray:
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


def tune(nodes: Nodes, least: float, start: Parameters | None = None) -> Parameters:
    """Parameters of the greatest likelihood.

    Args:
        nodes: the samples.
        least: least deviation of the noise.
        start: where to begin; None to look for it.

    Raises:
        DataError: nothing can be computed within rounding.
    """
    span = float(np.ptp(nodes.t)) + 1.0
    bounds = np.log([[min(0.5 / span, 0.1), 3.0], [LEAST_SHARE, 1e2]])
    if start is None:
        begin = _look(_Chain.of(nodes.stretches(_LOOKED)), bounds)
    else:
        begin = np.log([start.rate, start.noise / start.size])
    chain = _Chain.of(nodes.stretches(MOST_TUNED if begin[1] > np.log(_CLEAN) else _LOOKED))
    place, cost = _descend(lambda rate, share: _profile(chain, rate, share), begin, bounds)
    rate, share = np.exp(place)
    if not np.isfinite(cost):
        raise DataError("No Gaussian process fits a channel within rounding. Use method='spline'.")
    _, squares = chain.costs(np.array([rate]), np.array([share]))
    size = float(np.sqrt(squares[0] / chain.nodes.count.sum()))
    free = Parameters(float(rate), size, float(share * size), -cost)

    def held(rate: np.ndarray, size: np.ndarray) -> np.ndarray:
        return _held(chain, rate, size, least)

    begin = np.array([place[0], np.log(size)])
    # Noise that cannot be told from rounding is rounding: the likelihood is level below what the steps show.
    if free.noise > least and _tried(held, begin[None])[0] > cost + _LEVEL:
        return free
    place, cost = _descend(held, begin, np.array([bounds[0], np.log([1e-2, 1e6])]))
    rate, size = np.exp(place)
    return Parameters(float(rate), float(size), least, -cost)


def _look(chain: _Chain, bounds: np.ndarray) -> np.ndarray:
    """Best of a coarse grid of log rates and log shares of noise."""
    rates, shares = np.meshgrid(
        np.linspace(bounds[0, 0], bounds[0, 1], _RATES), np.log(_SHARES), indexing="ij"
    )
    places = np.stack([rates.ravel(), shares.ravel()], axis=1)
    values = np.concatenate(
        [_tried(lambda rate, share: _profile(chain, rate, share), each) for each in np.split(places, _RATES)]
    )
    return places[np.argmin(values)]


def _cubic(gap: np.ndarray) -> np.ndarray:
    """Matrices (gaps, 4, 4) that move f and its derivatives by a short time."""
    moved = np.zeros((len(gap), ORDER, ORDER))
    for order in range(ORDER):
        np.einsum("nii->ni", moved[:, : ORDER - order, order:])[:] = gap[:, None] ** order / factorial(order)
    return moved


@dataclass(frozen=True)
class Posterior:
    """States (f, f', f'', f''') at all nodes: means, covariances, and those with the next node."""

    nodes: Nodes
    rate: float
    size: float
    mean: np.ndarray
    own: np.ndarray
    beside: np.ndarray

    @classmethod
    def of(cls, nodes: Nodes, parameters: Parameters) -> "Posterior":
        """The posterior of tuned nodes."""
        share = parameters.noise / parameters.size
        solved, _ = _Chain.of(nodes).solve(np.array([parameters.rate]), np.array([share]))
        own, beside = solved.inverse()
        square = parameters.size**2
        return cls(
            nodes, parameters.rate, parameters.size, solved.solution[0], own[0] * square, beside[0] * square
        )

    def at(self, t: np.ndarray, begin: int, end: int) -> tuple[np.ndarray, np.ndarray]:
        """Means and deviations (times, 4) at times of the trajectory whose nodes are begin to end."""
        blocks = [self._at(t[k : k + _BLOCK], begin, end) for k in range(0, len(t), _BLOCK)]
        mean = np.concatenate([block[0] for block in blocks])
        variance = np.concatenate([block[1] for block in blocks])
        return mean, np.sqrt(np.maximum(variance, 0.0))

    def _at(self, t: np.ndarray, begin: int, end: int) -> tuple[np.ndarray, np.ndarray]:
        mean = np.zeros((len(t), ORDER))
        # A trajectory where nothing was measured keeps the prior.
        variance = np.tile(
            self.size**2 * np.diag(STATIONARY) * self.rate ** (2 * np.arange(ORDER)), (len(t), 1)
        )
        if begin == end:
            return mean, variance
        times = self.nodes.t[begin:end]
        after = np.searchsorted(times, t)
        near = np.clip(after, 0, len(times) - 1)
        before = np.maximum(after - 1, 0)
        near = np.where(t - times[before] < times[near] - t, before, near)
        exact = np.abs(times[near] - t) < _HERE
        mean[exact], variance[exact] = self._beside(t[exact], begin + near[exact])
        for outside, node, flip in (
            ((after == len(times)) & ~exact, end - 1, np.ones(ORDER)),
            ((after == 0) & ~exact, begin, _FLIP),
        ):
            if outside.any():
                gap = np.abs(t[outside] - self.nodes.t[node])
                mean[outside], variance[outside] = self._beyond(gap, node, flip)
        inside = ~exact & (after > 0) & (after < len(times))
        if inside.any():
            mean[inside], variance[inside] = self._between(t[inside], begin + after[inside] - 1)
        return mean, variance

    def _beside(self, t: np.ndarray, node: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Values at a node or so near to it that a cubic is exact."""
        cubic = _cubic(t - self.nodes.t[node])
        spread = cubic @ self.own[node] @ np.swapaxes(cubic, 1, 2)
        return applied(cubic, self.mean[node]), np.diagonal(spread, axis1=1, axis2=2)

    def _beyond(self, gap: np.ndarray, node: int, flip: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Values a time after a node, or before it with flipped signs."""
        moves = transition(gap, np.array(self.rate))
        added = np.linalg.inv(moves.whiten)
        own = self.own[node] * flip[:, None] * flip
        spread = moves.step @ own @ np.swapaxes(moves.step, 1, 2)
        variance = np.diagonal(spread, axis1=1, axis2=2) + self.size**2 * np.sum(added**2, axis=2)
        return moves.step @ (flip * self.mean[node]) * flip, variance

    def _between(self, t: np.ndarray, node: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Values between a node and the next: the process pinned at both ends."""
        rate = np.array(self.rate)
        first = transition(t - self.nodes.t[node], rate)
        second = transition(self.nodes.t[node + 1] - t, rate)
        carried = second.whiten @ second.step
        precision = np.swapaxes(first.whiten, 1, 2) @ first.whiten + np.swapaxes(carried, 1, 2) @ carried
        scale = np.sqrt(np.diagonal(precision, axis1=1, axis2=2))
        pinned = np.linalg.inv(precision / scale[:, :, None] / scale[:, None, :])
        pinned = pinned / scale[:, :, None] / scale[:, None, :]
        from_first = pinned @ np.swapaxes(first.whiten, 1, 2) @ first.whiten @ first.step
        from_second = pinned @ np.swapaxes(carried, 1, 2) @ second.whiten
        mean = applied(from_first, self.mean[node]) + applied(from_second, self.mean[node + 1])
        variance = np.diagonal(pinned, axis1=1, axis2=2) * self.size**2
        for left, spread, right in (
            (from_first, self.own[node], from_first),
            (from_second, self.own[node + 1], from_second),
            (2.0 * from_first, self.beside[node], from_second),
        ):
            variance = variance + np.sum((left @ spread) * right, axis=2)
        return mean, variance
