"""The weak form: derivatives moved onto bumps, so that noisy states are never differentiated (METHOD 1).

For a bump phi that vanishes at its ends, integration by parts turns x' = f(x) into

    integral phi f(x) dt = - integral phi' x dt,    phi = (1 - s^2)^p,  s = (t - centre) / width.

With quadrature weights q this is A f(X) = b with A = [phi_m(t_k) q_k] and b = -[phi_m'(t_k) q_k] x: the
problem of `Samples` with an operator. Bumps have the integral one, so b is the local mean of a derivative.

Rows of overlapping bumps share noise. Noise e of the states enters b as phi' e and f(x) as phi J e with the
Jacobian J of f, so their covariance is

    C = Phi' Phi'^T + n rate^2 Phi Phi^T,    rate = size of x'' / size of x',

since x'' = J x' makes the rate the gain of J in one of its n directions. Rows are whitened by C's Cholesky
factor. Without the second part slow combinations of bumps, whose noise is nearly all from f(x), count too
much: on Lorenz's system with 1 % noise the coefficients are then four times as wrong.
"""

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array

from mathonet.data.rounding import rounding_floor
from mathonet.data.samples import MINIMUM_ROWS, Samples, Windows
from mathonet.data.trajectory import Trajectory
from mathonet.data.weak.rate import channel_rate, difference_noise
from mathonet.data.weak.rows import FEWEST_POINTS, Series, choose_rows
from mathonet.errors import ConfigError, DataError

MOST = 1000
"""Most bumps, since whitening is a matrix over them."""
MOST_SEEN = 10_000
"""Samples of a trajectory that tell the noise."""


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
    the smallest of 3, 5, 8, 12 whose quadrature error, measured on a sine of twice that rate at the data's
    own times, is a hundredth of the noise or less; where even the largest misses it, bumps get wider.

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
        noise: deviation of the measurement noise of each state; None estimates it from differences.

    Raises:
        DataError: The data are too short, or have too many gaps, for bumps of this width.
        ConfigError: A number is out of range.
    """
    _check(trajectories, width, power, count, states)
    series, first = [], 0
    for number, each in enumerate(trajectories):
        x = np.where(each.measured, each.x, np.nan)
        inside = x if states is None else np.asarray(states[number], float)
        series.append(Series(each.t, inside if each.u is None else np.hstack([inside, each.u]), x, first))
        first += len(each)
    inputs, x = (np.concatenate([getattr(each, part) for each in series]) for part in ("inputs", "x"))
    size = np.sqrt(np.nanmean(np.square(x), axis=0))
    size = np.where(size > 0, size, 1.0)
    sigma = _noise(series) if noise is None else _given(noise, size)
    rate = _rate(series, sigma)
    share, most = float(np.max(sigma / size)), MOST if count is None else int(count)
    rows, quadrature = choose_rows(series, rate, share, width, power, most)
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
    for name, value, least in (
        ("width", width, FEWEST_POINTS),
        ("power", power, 2),
        ("count", count, MINIMUM_ROWS),
    ):
        if value is not None and not (np.isfinite(value) and value >= least):
            raise ConfigError(f"The {name} of the bumps must be at least {least:g}, got {value!r}.")
    for name, *seen in zip(
        trajectories[0].names, *(each.measured.any(axis=0) for each in trajectories), strict=True
    ):
        if not any(seen):
            raise DataError(f"The state {name!r} was never measured. Leave this column out.")
    if states is not None:
        given, wanted = [np.shape(each) for each in states], [each.x.shape for each in trajectories]
        if given != wanted:
            raise DataError(
                f"The smoothed states have the shapes {given}, the measured ones {wanted}: give an array "
                "like x for every trajectory."
            )


def _given(noise: np.ndarray, size: np.ndarray) -> np.ndarray:
    """The noise of each state as it was given, checked."""
    sigma = np.asarray(noise, float)
    if sigma.shape not in ((), size.shape) or not np.isfinite(sigma).all() or (sigma < 0).any():
        raise ConfigError(
            f"noise must be a deviation of 0 or more for each of {len(size)} states, got {noise!r}."
        )
    return np.broadcast_to(sigma, size.shape)


def _noise(series: list[Series]) -> np.ndarray:
    """Deviation of each channel's noise, over all trajectories; long ones tell it by their beginning."""
    weights = [min(len(each.t), MOST_SEEN) for each in series]
    found = [
        [difference_noise(each.t[:MOST_SEEN], column) for column in each.x[:MOST_SEEN].T] for each in series
    ]
    return np.sqrt(np.average(found, axis=0, weights=weights))


def _rate(series: list[Series], sigma: np.ndarray) -> float:
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


def _windows(phi: csr_array, place: np.ndarray) -> Windows:
    """Sparse rows as windows of one width over the samples that are seen; what is missing has value zero."""
    many = np.diff(phi.indptr)
    inside = np.arange(many.max()) < many[:, None]
    index, value = np.zeros(inside.shape, int), np.zeros(inside.shape)
    index[inside], value[inside] = place, phi.data
    # Filled up with a sample of their own, so that a window never seems to overlap a distant one.
    return Windows(np.where(inside, index, index[:, :1]), value)
