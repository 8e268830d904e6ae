"""Rows of the weak form: bumps of a width and power that suit the data, and the covariance of their noise."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import solve_triangular
from scipy.sparse import csr_array, vstack

from mathonet.data.samples import MINIMUM_ROWS
from mathonet.data.weak.bump import Bumps
from mathonet.errors import DataError

SHAPES = ((3, 1.0), (5, 1.0), (8, 1.0), (12, 1.0), (12, 1.5), (12, 2.25))
"""Powers, and factors on the half-width, in the order in which they are tried."""
STRIDE = 0.25
"""Distance of the centres in half-widths: closer bumps are combinations of these."""
BAND = 1.7
"""How many times the rate a bump's spectrum, of deviation sqrt(2p + 3)/width, covers."""
WANTED_POINTS, FEWEST_POINTS = 10.0, 4.0
"""Points a half-width: wanted, and the least with which quadrature means something."""
SHARE = 6.0
"""Half-widths that the longest trajectory must hold."""
GAP = 0.5
"""Widest gap between measurements under a bump, in half-widths."""
STRETCH = 100
"""Bumps in a row where more would fit than are wanted."""
HARMONIC = 2.0
"""Quadrature is tried on sines of so many times the rate: what squares and products make of it."""
BELOW_NOISE, UNUSUAL = 0.01, 3.0
"""Quadrature error wanted, as a share of the noise; and how many times the median a row may have."""


@dataclass(frozen=True)
class Series:
    """One trajectory: its times, inputs of f, raw measurements, and the number of its first sample."""

    t: np.ndarray
    inputs: np.ndarray
    x: np.ndarray
    first: int

    @property
    def span(self) -> float:
        """From the first time to the last."""
        return float(self.t[-1] - self.t[0])

    @property
    def complete(self) -> np.ndarray:
        """Samples at which f can be evaluated."""
        return np.flatnonzero(np.isfinite(self.inputs).all(axis=1))

    @property
    def step(self) -> float:
        """Mean distance of successive times at which f can be evaluated, the widest tenth left out."""
        steps = np.sort(np.diff(self.t[self.complete]))
        return float(steps[: -(-9 * len(steps) // 10)].mean()) if steps.size else np.inf

    def rows(self, centres: np.ndarray, half: float, power: int, samples: int) -> list[csr_array]:
        """Rows of phi over the complete samples, and of phi' over those of each channel; gaps left out."""
        grids = [self.complete, *(np.flatnonzero(np.isfinite(column)) for column in self.x.T)]
        made = [Bumps(at + self.first, self.t[at], centres, half, power) for at in grids]
        good = np.all([bumps.steps[1] <= GAP * half for bumps in made], axis=0)
        return [bumps.rows(min(k, 1), samples)[good] for k, bumps in enumerate(made)]


@dataclass(frozen=True)
class Rows:
    """Bumps as rows over all samples: Phi q, and Phi' q of each channel; C is their noise covariance."""

    phi: csr_array
    slopes: list[csr_array]
    rate: float

    def __len__(self) -> int:
        return len(self.phi.indptr) - 1

    @cached_property
    def covariance(self) -> np.ndarray:
        """C, the mean over the channels, which differ where values are missing."""
        own = np.mean([(slope @ slope.T).toarray() for slope in self.slopes], axis=0)
        return own + len(self.slopes) * self.rate**2 * (self.phi @ self.phi.T).toarray()

    @cached_property
    def whitening(self) -> np.ndarray:
        """The inverse of C's Cholesky factor."""
        return solve_triangular(np.linalg.cholesky(self.covariance), np.eye(len(self)), lower=True)

    def quadrature_errors(self, t: np.ndarray) -> np.ndarray:
        """Errors of the weak form of sines of twice the rate and size one; one column a phase and channel."""
        rate = HARMONIC * self.rate
        waves = ((np.sin(rate * t), np.cos(rate * t)), (np.cos(rate * t), -np.sin(rate * t)))
        errors = [self.phi @ (rate * d) + slope @ x for x, d in waves for slope in self.slopes]
        return np.sqrt(2.0) * np.stack(errors, axis=1)

    def take(self, rows: np.ndarray) -> "Rows":
        """The rows where `rows` is true."""
        return Rows(self.phi[rows], [slope[rows] for slope in self.slopes], self.rate)


def choose_rows(
    series: list[Series], rate: float, share: float, width: float | None, power: int | None, most: int
) -> tuple[Rows, float]:
    """The rows of the first shape whose quadrature error is well below the noise, and that error.

    Where no shape's is, those for which the sum of both variances, over the number of rows, is least: wider
    bumps have smaller errors, and there are fewer of them. Errors are those of a state of size one, whitened;
    `share` is its noise.
    """
    shapes = SHAPES if power is None else ((power, 1.0),)
    if width is not None:
        shapes = [shape for shape in shapes if shape[1] == 1.0]
    t = np.concatenate([each.t for each in series])
    best, least = None, np.inf
    for p, wider in shapes:
        rows = _rows(
            series, [_half_width(each, p, rate, series, width, wider) for each in series], p, rate, most
        )
        if len(rows) < MINIMUM_ROWS:
            # Wider bumps do not fit either.
            break
        size = np.sqrt(np.mean(rows.quadrature_errors(t) ** 2, axis=1) / np.diagonal(rows.covariance))
        rows = rows.take(size <= max(share, UNUSUAL * float(np.median(size))))
        if len(rows) < MINIMUM_ROWS:
            continue
        error = float(np.sqrt(np.mean((rows.whitening @ rows.quadrature_errors(t)) ** 2)))
        variance = (share**2 + error**2) / len(rows)
        if variance < least:
            best, least = (rows, error), variance
        if error <= BELOW_NOISE * share:
            return rows, error
    if best is None:
        points = max(len(each.t) for each in series)
        if not any(len(each.complete) for each in series):
            raise DataError(
                "There is no time at which all states were measured. Give smoothed states as well: `states`."
            )
        raise DataError(
            f"Fewer than {MINIMUM_ROWS} bumps of the weak form fit into the data; the longest trajectory has "
            f"{points} times. Give longer trajectories or fewer gaps, or a smaller width."
        )
    return best


def _half_width(
    each: Series, power: int, rate: float, series: list[Series], width: float | None, wider: float
) -> float:
    """Half-width in units of time: as given in points, or by the rate and the number of points."""
    if width is not None:
        return width * each.step
    half = wider * max(np.sqrt(2.0 * power + 3.0) / (BAND * rate), WANTED_POINTS * each.step)
    return min(half, max(max(other.span for other in series) / SHARE, FEWEST_POINTS * each.step))


def _rows(series: list[Series], halves: list[float], power: int, rate: float, most: int) -> Rows:
    """Rows of all bumps that fit, or of stretches of them spread over the data."""
    samples, centres = sum(len(each.t) for each in series), []
    for each, half in zip(series, halves, strict=True):
        room = each.span - 2.0 * half * (1 - 1e-12)
        if not room >= 0:
            centres.append(np.zeros(0))
            continue
        many = int(room / (STRIDE * half)) + 1
        # Centred, so that as little is lost at one end as at the other.
        start = each.t[0] + half + 0.5 * (room - STRIDE * half * (many - 1))
        centres.append(start + STRIDE * half * np.arange(many))
    chosen = np.zeros(sum(map(len, centres)), bool)
    chosen[_spread(len(chosen), most)] = True
    parts, first = [], 0
    for each, half, own in zip(series, halves, centres, strict=True):
        parts.append(each.rows(own[chosen[first : first + len(own)]], half, power, samples))
        first += len(own)
    phi, *slopes = (csr_array(vstack(kind)) for kind in zip(*parts, strict=True))
    return Rows(phi, slopes, rate)


def _spread(available: int, most: int) -> np.ndarray:
    """Numbers of at most so many bumps: all, or stretches of neighbours at even distances."""
    if available <= most:
        return np.arange(available)
    stretches = -(-most // STRETCH)
    length = most // stretches
    starts = np.linspace(0, available - length, stretches).astype(int)
    return np.unique(starts[:, None] + np.arange(length))
