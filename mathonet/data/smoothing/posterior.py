"""Posterior: values and derivatives of a tuned process with their deviations, at nodes and at any time."""

from dataclasses import dataclass
from math import factorial

import numpy as np

from mathonet.data.smoothing.elimination import applied
from mathonet.data.smoothing.matern import ORDER, STATIONARY, transition
from mathonet.data.smoothing.nodes import Nodes
from mathonet.data.smoothing.process import UNFIT, Chain, Parameters
from mathonet.errors import DataError

_BLOCK = 8192
"""Times at which values are computed at once."""
_HERE = 1e-3
"""A time this near to a node, in node steps, is moved there by a cubic."""
_FLIP = np.array([1.0, -1.0, 1.0, -1.0])
"""Signs of f and its derivatives when time runs backwards."""


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
        """The posterior of tuned nodes.

        Raises:
            DataError: it cannot be computed within rounding.
        """
        share = parameters.noise / parameters.size
        try:
            solved, _ = Chain.of(nodes).solve(np.array([parameters.rate]), np.array([share]))
        except np.linalg.LinAlgError as error:
            raise DataError(UNFIT) from error
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
