"""The weak form: derivatives moved onto bumps, so that noisy states are never differentiated (METHOD 1).

For a bump phi that vanishes at its ends, integration by parts turns x' = f(x) into

    integral phi f(x) dt = - integral phi' x dt,    phi = (1 - s^2)^p,  s = (t - centre) / width.

With quadrature weights q this is A f(X) = b with A = [phi_m(t_k) q_k] and b = -[phi_m'(t_k) q_k] x: the
problem of `Samples` with an operator. Bumps have the integral one, so b is the local mean of a derivative.

Rows of overlapping bumps share noise. Noise e of the states enters b as phi' e and f(x) as phi J e with the
Jacobian J of f, so their covariance is

    C = Phi' Phi'^T + n rate^2 Phi Phi^T,    rate = size of x'' / size of x',

since x'' = J x' makes the rate the gain of J in one of its n directions. Rows are whitened by C's Cholesky factor. Without the
second part slow combinations of bumps, whose noise is nearly all from f(x), count too much: on Lorenz's system
with 1 % noise the coefficients are then four times as wrong.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_triangular
from scipy.sparse import csr_array, vstack

from mathonet.data.bump import Bumps
from mathonet.data.rate import channel_rate, difference_noise
from mathonet.data.rounding import rounding_floor
from mathonet.data.samples import MINIMUM_ROWS, Samples, Windows
from mathonet.data.trajectory import Trajectory
from mathonet.errors import ConfigError, DataError

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
MOST, STRETCH = 1000, 100
"""Most bumps, since whitening is a matrix over them; and how many of them in a row where more would fit."""
BELOW_NOISE, UNUSUAL = 0.1, 3.0
"""Quadrature error wanted, as a share of the noise; and how many times the median a row may have."""


@dataclass(frozen=True)
class _Series:
    """One trajectory: its times, the inputs of f, the raw measurements, and the number of its first sample."""

    t: np.ndarray
    inputs: np.ndarray
    x: np.ndarray
    first: int

    @property
    def span(self) -> float:
        return float(self.t[-1] - self.t[0])

    @property
    def complete(self) -> np.ndarray:
        """Samples at which f can be evaluated."""
        return np.flatnonzero(np.isfinite(self.inputs).all(axis=1))

    @property
    def step(self) -> float:
        """Nearly the widest distance of successive times at which f can be evaluated."""
        times = self.t[self.complete]
        return float(np.quantile(np.diff(times), 0.9)) if times.size > 1 else np.inf

    def rows(self, centres: np.ndarray, half: float, power: int, samples: int) -> list[csr_array]:
        """Rows of phi over the complete samples, and of phi' over those of each channel; gaps left out."""
        grids = [self.complete, *(np.flatnonzero(np.isfinite(column)) for column in self.x.T)]
        made = [Bumps(at + self.first, self.t[at], centres, half, power) for at in grids]
        good = np.all([bumps.gap <= GAP * half for bumps in made], axis=0)
        return [bumps.rows(min(k, 1), samples)[good] for k, bumps in enumerate(made)]


@dataclass(frozen=True)
class _Rows:
    """Bumps as rows over all samples: Phi q, and Phi' q of each channel; C is their noise covariance."""

    phi: csr_array
    slopes: list[csr_array]
    rate: float

    def __len__(self) -> int:
        return int(self.phi.shape[0])

    @property
    def covariance(self) -> np.ndarray:
        """C, the mean over the channels, which differ where values are missing."""
        own = np.mean([(slope @ slope.T).toarray() for slope in self.slopes], axis=0)
        return own + len(self.slopes) * self.rate**2 * (self.phi @ self.phi.T).toarray()

    @property
    def whitening(self) -> np.ndarray:
        """The inverse of C's Cholesky factor."""
        return solve_triangular(np.linalg.cholesky(self.covariance), np.eye(len(self)), lower=True)

    def quadrature_errors(self, t: np.ndarray) -> np.ndarray:
        """Errors of the weak form of sines of this rate and size one; one column a phase and channel."""
        phase = self.rate * t
        waves = ((np.sin(phase), np.cos(phase)), (np.cos(phase), -np.sin(phase)))
        errors = [self.phi @ (self.rate * d) + slope @ x for x, d in waves for slope in self.slopes]
        return np.sqrt(2.0) * np.stack(errors, axis=1)

    def take(self, rows: np.ndarray) -> "_Rows":
        """The rows where `rows` is true."""
        return _Rows(self.phi[rows], [slope[rows] for slope in self.slopes], self.rate)


def weak_samples(
    trajectories: Sequence[Trajectory],
    width: float | None = None,
    power: int | None = None,
    count: int | None = None,
    states: Sequence[np.ndarray] | None = None,
    noise: np.ndarray | None = None,
) -> Samples:
    """The regression problem of trajectories without derivatives, in the weak form.

    Without a width and a power the data choose. Their rate is the size of x'' over the size of x', both seen
    through the narrowest bumps under which x'' stands clear of its noise, so noisier data look slower. The
    half-width makes the bump's spectrum cover 1.7 times that rate, and holds 10 points at least. The power is
    the smallest of 3, 5, 8, 12 whose quadrature error, measured on a sine of that rate at the data's own
    times, is a tenth of the noise or less; where even the largest misses it, bumps get wider.

    Missing values (NaN) are left out of the channel they are missing in, and f(x) is not taken at times where
    any state is missing; bumps over a gap wider than half of their half-width, and those whose quadrature
    error is above the noise and above three times the median, are not used.

    Args:
        trajectories: states at increasing times, on any grids, with inputs from outside or without.
        width: half-width of the bumps in points of each trajectory.
        power: p of (1 - s^2)^p, at least 2.
        count: most bumps; where more would fit, stretches of neighbours are spread over the data. None is
            1000. Memory grows with its square.
        states: smoothed states, an array like x for each trajectory; f sees them, b the raw measurements.
        noise: deviation of the measurement noise of each state; None estimates it from fourth differences.

    Raises:
        DataError: The data are too short, or have too many gaps, for bumps of this width.
        ConfigError: A number is out of range.
    """
    _check(trajectories, width, power, count, states)
    series, first = [], 0
    for number, each in enumerate(trajectories):
        inside = each.x if states is None else np.asarray(states[number], float)
        series.append(
            _Series(each.t, inside if each.u is None else np.hstack([inside, each.u]), each.x, first)
        )
        first += len(each)
    inputs, x = (np.concatenate([getattr(each, part) for each in series]) for part in ("inputs", "x"))
    size = np.sqrt(np.nanmean(np.square(x), axis=0))
    size = np.where(size > 0, size, 1.0)
    sigma = _noise(series) if noise is None else np.broadcast_to(np.asarray(noise, float), size.shape)
    rate = _rate(series, sigma)
    share, most = float(np.max(sigma / size)), MOST if count is None else int(count)
    rows, quadrature = _choose(series, rate, share, width, power, most)
    whitening = rows.whitening
    measured = np.where(np.isfinite(x), x, 0.0)
    targets = -np.stack([row @ column for row, column in zip(rows.slopes, measured.T, strict=True)], axis=1)
    # Whitened targets are of the size of the plain ones on average, so that residuals keep their units.
    plain, white = (np.linalg.norm(each, axis=0) for each in (targets, whitening @ targets))
    moved = (plain > 0) & (white > 0)
    unit = float(np.exp(np.mean(np.log(plain[moved] / white[moved])))) if moved.any() else 1.0
    rounded = [rounding_floor(column[np.isfinite(column), None])[0] for column in x.T]
    seen, place = np.unique(rows.phi.indices, return_inverse=True)
    return Samples(
        inputs[seen],
        targets,
        (*trajectories[0].names, *trajectories[0].input_names),
        trajectories[0].names,
        _windows(rows.phi, place),
        unit * whitening,
        unit * np.maximum(rounded, quadrature * size),
    )


def _check(
    trajectories: Sequence[Trajectory],
    width: float | None,
    power: int | None,
    count: int | None,
    states: Sequence[np.ndarray] | None,
) -> None:
    """Refuse what no bumps can be made for."""
    if not len(trajectories):
        raise DataError("No trajectories for the weak form: give at least one.")
    if len({(each.names, each.input_names) for each in trajectories}) > 1:
        raise DataError("The trajectories differ in their number or names of states or inputs.")
    for name, value, least in (("width", width, FEWEST_POINTS), ("power", power, 2), ("count", count, 4)):
        if value is not None and not (np.isfinite(value) and value >= least):
            raise ConfigError(f"The {name} of the bumps must be at least {least:g}, got {value!r}.")
    if states is not None:
        given, wanted = [np.shape(each) for each in states], [each.x.shape for each in trajectories]
        if given != wanted:
            raise DataError(
                f"The smoothed states have the shapes {given}, the measured ones {wanted}: give an array like "
                "x for every trajectory."
            )


def _noise(series: list[_Series]) -> np.ndarray:
    """Deviation of each channel's noise, over all trajectories."""
    weights = [len(each.t) for each in series]
    found = [[difference_noise(each.t, column) for column in each.x.T] for each in series]
    return np.sqrt(np.average(found, axis=0, weights=weights))


def _rate(series: list[_Series], sigma: np.ndarray) -> float:
    """Size of x'' over size of x', the root mean square over the channels."""
    squares = []
    for channel, deviation in enumerate(sigma):
        found = [channel_rate(each.t, each.x[:, channel], deviation**2) for each in series]
        sums = np.sum([each for each in found if each is not None], axis=0)
        if np.any(sums):
            squares.append(sums[0] / sums[1])
    if not squares:
        # Nothing moves visibly: the widest bumps lose nothing.
        return 1.0 / max(each.span for each in series)
    return float(np.sqrt(np.mean(squares)))


def _choose(
    series: list[_Series], rate: float, share: float, width: float | None, power: int | None, most: int
) -> tuple[_Rows, float]:
    """The rows of the first shape whose quadrature error is well below the noise, or the least; and the error.

    Errors are those of a state of size one, whitened; `share` is its noise.
    """
    shapes = SHAPES if power is None else ((power, 1.0),)
    if width is not None:
        shapes = [shape for shape in shapes if shape[1] == 1.0]
    t = np.concatenate([each.t for each in series])
    best = None
    for p, wider in shapes:
        rows = _rows(series, [_half_width(each, p, rate, series, width, wider) for each in series], p, rate, most)
        if len(rows) < MINIMUM_ROWS:
            # Wider bumps do not fit either.
            break
        size = np.sqrt(np.mean(rows.quadrature_errors(t) ** 2, axis=1) / np.diagonal(rows.covariance))
        rows = rows.take(size <= max(share, UNUSUAL * float(np.median(size))))
        if len(rows) < MINIMUM_ROWS:
            continue
        error = float(np.sqrt(np.mean((rows.whitening @ rows.quadrature_errors(t)) ** 2)))
        if best is None or error < best[1]:
            best = rows, error
        if error <= BELOW_NOISE * share:
            break
    if best is None:
        points = max(len(each.t) for each in series)
        raise DataError(
            f"Fewer than {MINIMUM_ROWS} bumps of the weak form fit into the data; the longest trajectory has "
            f"{points} times. Give longer trajectories or fewer gaps, or a smaller width."
        )
    return best


def _half_width(
    each: _Series, power: int, rate: float, series: list[_Series], width: float | None, wider: float
) -> float:
    """Half-width in units of time: as given in points, or by the rate and the number of points."""
    if width is not None:
        return width * each.step
    half = wider * max(np.sqrt(2.0 * power + 3.0) / (BAND * rate), WANTED_POINTS * each.step)
    return min(half, max(max(other.span for other in series) / SHARE, FEWEST_POINTS * each.step))


def _rows(series: list[_Series], halves: list[float], power: int, rate: float, most: int) -> _Rows:
    """Rows of all bumps that fit, or of stretches of them spread over the data."""
    samples, centres = sum(len(each.t) for each in series), []
    for each, half in zip(series, halves, strict=True):
        room = each.span - 2.0 * half * (1 - 1e-12)
        many = int(room / (STRIDE * half)) + 1 if room >= 0 else 0
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
    return _Rows(phi, slopes, rate)


def _spread(available: int, most: int) -> np.ndarray:
    """Numbers of at most so many bumps: all, or stretches of neighbours at even distances."""
    if available <= most:
        return np.arange(available)
    stretches = -(-most // STRETCH)
    length = most // stretches
    starts = np.linspace(0, available - length, stretches).astype(int)
    return np.unique(starts[:, None] + np.arange(length))


def _windows(phi: csr_array, place: np.ndarray) -> Windows:
    """Sparse rows as windows of one width over the samples that are seen; what is missing has value zero."""
    many = np.diff(phi.indptr)
    inside = np.arange(many.max()) < many[:, None]
    index, value = np.zeros(inside.shape, int), np.zeros(inside.shape)
    index[inside], value[inside] = place, phi.data
    # Filled up with a sample of their own, so that a window never seems to overlap a distant one.
    return Windows(np.where(inside, index, index[:, :1]), value)
