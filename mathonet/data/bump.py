"""Bumps (1 - s^2)^p, s = (t - centre) / width, of integral one, and their slopes as quadrature rows."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.special import gamma

APART = 0.5
"""Least distance of a neighbour that bends an interval, in lengths of the interval."""


def quadrature(t: np.ndarray) -> np.ndarray:
    """Quadrature weights at increasing times: each interval by a cubic through its ends and two neighbours.

    Inside an even grid this is the trapezoid rule, whose error for bumps falls faster than any power of the
    step. On other grids the trapezoid rule is left with its plain error of second order, often larger than
    the noise; this one's is of fourth order. Neighbours closer than half an interval are passed over, so that
    no weight is large where times cluster; an interval with no neighbour on one side is taken as straight.
    """
    h = np.diff(t)
    left = np.searchsorted(t, t[:-1] - APART * h, side="right") - 1
    right = np.searchsorted(t, t[1:] + APART * h, side="left")
    bent = (left >= 0) & (right < len(t))
    left, right = np.maximum(left, 0), np.minimum(right, len(t) - 1)
    a = np.where(bent, (t[:-1] - t[left]) / h, 1.0)
    b = np.where(bent, (t[right] - t[1:]) / h, 1.0)
    # Integrals of the Lagrange polynomials of the nodes -a, 0, 1, 1 + b from 0 to 1.
    before = np.where(bent, -(1 + 2 * b) / (12 * a * (a + 1) * (a + 1 + b)), 0.0)
    after = np.where(bent, -(1 + 2 * a) / (12 * b * (b + 1) * (a + 1 + b)), 0.0)
    end = 0.5 + a * before - (1 + b) * after
    weights = np.zeros(len(t))
    for place, share in (
        (left, before),
        (np.arange(len(h)), 1.0 - before - after - end),
        (np.arange(1, len(t)), end),
        (right, after),
    ):
        np.add.at(weights, place, h * share)
    return weights


@dataclass(frozen=True)
class Bumps:
    """Bumps of one half-width and power over some of the times of a series.

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
    def _window(self) -> tuple[np.ndarray, np.ndarray]:
        """First sample of each bump, and how many samples it sees."""
        first = np.searchsorted(self.t, self.centres - self.half, side="right")
        return first, np.searchsorted(self.t, self.centres + self.half, side="left") - first

    @property
    def gap(self) -> np.ndarray:
        """Widest distance of successive samples under each bump, its ends counted as samples."""
        first, many = self._window
        place = first[:, None] + np.arange(-1, many.max(initial=0) + 1)
        ends = self.centres[:, None] + self.half * np.array([-1.0, 1.0])
        times = self.t[np.clip(place, 0, len(self.t) - 1)]
        return np.diff(np.hstack([ends[:, :1], np.clip(times, *ends.T[:, :, None]), ends[:, 1:]])).max(axis=1)

    def rows(self, order: int, samples: int) -> csr_array:
        """Quadrature rows of the derivative of some order, up to 2, over all samples."""
        first, many = self._window
        reach = np.arange(many.max(initial=0))
        inside = reach < many[:, None]
        place = np.clip(first[:, None] + reach, 0, len(self.t) - 1)
        s = np.clip((self.t[place] - self.centres[:, None]) / self.half, -1.0, 1.0)
        p, base = self.power, 1.0 - s * s
        if order == 0:
            shape = base**p
        elif order == 1:
            shape = -2.0 * p * s * base ** (p - 1)
        else:
            shape = 2.0 * p * base ** (p - 2) * ((2 * p - 1) * s * s - 1.0)
        area = np.sqrt(np.pi) * gamma(p + 1.0) / gamma(p + 1.5) * self.half
        value = shape * quadrature(self.t)[place] / (area * self.half**order)
        starts = np.insert(np.cumsum(many), 0, 0)
        return csr_array((value[inside], self.at[place[inside]], starts), shape=(len(first), samples))
