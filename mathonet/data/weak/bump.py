"""Bumps (1 - s^2)^p, s = (t - centre) / width, of integral one, and their slopes as quadrature rows."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array, diags_array
from scipy.special import gamma

EVEN = 1e-6
"""Steps under a bump that differ by less, as a share of the widest, are even."""
APART = 0.5
"""Least distance of a neighbour that bends an interval, in lengths of the interval."""
NODES, WEIGHTS = np.polynomial.legendre.leggauss(6)


def interpolation(t: np.ndarray) -> tuple[np.ndarray, np.ndarray, csr_array]:
    """Gauss's nodes and weights in every interval, and the matrix that takes values at t to the nodes.

    Each interval is a cubic through its ends and a neighbour on either side; the first and the last are
    straight. Neighbours closer than half an interval are passed over, so that nothing is amplified where
    times cluster.
    """
    h = np.diff(t)
    left = np.searchsorted(t, t[:-1] - APART * h, side="right") - 1
    right = np.searchsorted(t, t[1:] + APART * h, side="left")
    bent = (left >= 0) & (right < len(t))
    left, right = np.maximum(left, 0), np.minimum(right, len(t) - 1)
    a = np.where(bent, (t[:-1] - t[left]) / h, 1.0)[:, None]
    b = np.where(bent, (t[right] - t[1:]) / h, 1.0)[:, None]
    s = 0.5 * (NODES + 1.0)[None, :]
    # Lagrange's polynomials of the points -a, 0, 1, 1 + b.
    before = np.where(bent[:, None], -s * (s - 1) * (s - 1 - b) / (a * (a + 1) * (a + 1 + b)), 0.0)
    after = np.where(bent[:, None], s * (s - 1) * (s + a) / (b * (b + 1) * (a + 1 + b)), 0.0)
    end = s + a * before - (1 + b) * after
    share = np.stack([before, 1 - before - after - end, end, after], axis=-1)
    interval = np.arange(len(h))
    place = np.stack([left, interval, interval + 1, right], axis=-1)[:, None, :]
    place = np.broadcast_to(place, share.shape)
    nodes, many = (t[:-1, None] + h[:, None] * s).ravel(), s.size * len(h)
    matrix = csr_array((share.ravel(), place.ravel(), 4 * np.arange(many + 1)), shape=(many, len(t)))
    return nodes, (0.5 * h[:, None] * WEIGHTS).ravel(), matrix


@dataclass(frozen=True)
class Bumps:
    """Bumps of one half-width and power over some of the samples.

    Attributes:
        at: numbers of the samples that are used.
        t: their times.
        centres: of the bumps.
        half: half-width, in units of time.
        power: p.
    """

    at: np.ndarray
    t: np.ndarray
    centres: np.ndarray
    half: float
    power: int

    @property
    def steps(self) -> tuple[np.ndarray, np.ndarray]:
        """Narrowest and widest interval between samples under each bump; infinite where it reaches beyond."""
        reach = self.half * (1.0 - EVEN)
        first = np.searchsorted(self.t, self.centres - reach, side="right") - 1
        last = np.searchsorted(self.t, self.centres + reach, side="left") - 1
        beyond = (first < 0) | (last > len(self.t) - 2)
        if len(self.t) < 2 or not len(self.centres):
            return np.full(len(self.centres), np.inf), np.full(len(self.centres), np.inf)
        place = first[:, None] + np.arange(np.max(last - first) + 1)
        step = np.diff(self.t)[np.clip(np.minimum(place, last[:, None]), 0, len(self.t) - 2)]
        return np.where(beyond, np.inf, step.min(axis=1)), np.where(beyond, np.inf, step.max(axis=1))

    def rows(self, order: int, samples: int) -> csr_array:
        """Quadrature rows of the derivative of some order, up to 2, over all samples.

        Where times are even, the trapezoid rule: its error for bumps falls faster than any power of the step.
        Elsewhere it would be left with a plain error of second order, often larger than the noise: there the
        bump is integrated with a piecewise cubic through the values.
        """
        least, most = self.steps
        even = most * (1.0 - EVEN) <= least
        found = self._shape(order, self.t, _trapezoid(self.t))
        if not even.all():
            nodes, weights, matrix = interpolation(self.t)
            smooth = self._shape(order, nodes, weights) @ matrix
            found = diags_array(even.astype(float)) @ found + diags_array((~even).astype(float)) @ smooth
        found = csr_array(found)
        found.eliminate_zeros()
        return csr_array((found.data, self.at[found.indices], found.indptr), shape=(len(even), samples))

    def _shape(self, order: int, t: np.ndarray, weights: np.ndarray) -> csr_array:
        """Values of the bumps' derivative at some times, times the weights."""
        first, many = _window(t, self.centres, self.half)
        inside = np.arange(many.max(initial=0)) < many[:, None]
        place = (first[:, None] + np.arange(inside.shape[1]))[inside]
        s = (t[place] - np.repeat(self.centres, many)) / self.half
        p, base = self.power, 1.0 - s * s
        if order == 0:
            shape = base**p
        elif order == 1:
            shape = -2.0 * p * s * base ** (p - 1)
        else:
            shape = 2.0 * p * base ** (p - 2) * ((2 * p - 1) * s * s - 1.0)
        area = np.sqrt(np.pi) * gamma(p + 1.0) / gamma(p + 1.5) * self.half
        value = shape * weights[place] / (area * self.half**order)
        starts = np.insert(np.cumsum(many), 0, 0)
        return csr_array((value, place, starts), shape=(len(first), len(t)))


def _window(t: np.ndarray, centres: np.ndarray, half: float) -> tuple[np.ndarray, np.ndarray]:
    """First time under each bump, and how many there are."""
    first = np.searchsorted(t, centres - half, side="right")
    return first, np.maximum(np.searchsorted(t, centres + half, side="left") - first, 0)


def _trapezoid(t: np.ndarray) -> np.ndarray:
    steps = np.diff(t)
    return 0.5 * (np.append(steps, 0.0) + np.insert(steps, 0, 0.0))
