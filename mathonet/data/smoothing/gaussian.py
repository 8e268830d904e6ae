"""Gaussian-process smoothing of a channel: grain, parameters, and the model of its noise by likelihood.

Noise is constant, or grows with the value. Where all values have one sign, their logarithm may be the
smoother of the two: spikes over decades are level there, and so is noise of some percent.
"""

from typing import NamedTuple

import numpy as np

from mathonet.data.rounding import rounding_floor
from mathonet.data.smoothing.curve import Curve, Series
from mathonet.data.smoothing.interpolation import interpolate, unpredicted
from mathonet.data.smoothing.nodes import choose_grain, gather
from mathonet.data.smoothing.noise import MARGIN, proportional_share
from mathonet.data.smoothing.posterior import Posterior
from mathonet.data.smoothing.process import MOST_TUNED, tune
from mathonet.errors import DataError

_RANGE = 1.0
"""Least range of the natural logarithm of a channel that is smoothed by it."""
_ROUNDED = 5e-14
"""What float64 does to values and their differences, relative to the largest."""
_SUMS = 2e-12
"""Rounding floors up to this are those of sums, which measured values are not."""
_COARSEST = 0.1
"""Most that rounding may be, as a share of a channel's deviation."""
_PLAIN = 2.0
"""Noise of up to so many roundings is not asked whether it grows with the value."""
_PASSES = 3
"""Times, at most, that logarithms are smoothed with noise that is constant in their values as just found."""
_THROUGH = 0.3
"""A curve whose residuals are this small a share of the noise goes through the samples."""

Curves = list[tuple[np.ndarray, np.ndarray]]


class _Smoothed(NamedTuple):
    """Curves of a channel, and what speaks for them.

    Attributes:
        curves: one a trajectory.
        likelihood: log density a value, of those that the parameters were learned from.
        mean: of the same values.
        noisy: whether more noise than rounding is seen.
        grain: samples a node.
    """

    curves: list[Curve]
    likelihood: float
    mean: float
    noisy: bool
    grain: int


def smooth_by_process(channel: Series) -> list[Curve]:
    """Smooth a channel of some trajectories with common parameters; NaN is not measured."""
    plain = _smooth(channel)
    values = np.concatenate([x[np.isfinite(x)] for _, x in channel])
    sign = float(np.sign(values[0]))
    if not plain.noisy or (np.sign(values) != sign).any() or sign == 0.0:
        return plain.curves
    if np.ptp(np.log(np.abs(values))) < _RANGE:
        return plain.curves
    try:
        level = _smooth([(t, np.log(np.abs(x))) for t, x in channel], plain.grain)
    except DataError:
        return plain.curves
    # The density of a value is that of its logarithm over the value.
    if (level.likelihood - level.mean - plain.likelihood) * len(values) < MARGIN:
        return plain.curves
    return _raised(level.curves, sign, [np.isfinite(x) for _, x in channel])


def _raised(curves: list[Curve], sign: float, seen: list[np.ndarray]) -> list[Curve]:
    """Curves of logarithms as those of the values."""
    result = []
    for each in curves:
        (m, slope, bend), (m_std, slope_std, bend_std) = each.mean.T, each.std.T
        x, bent = sign * np.exp(m), bend + slope**2
        mean = np.stack([x, x * slope, x * bent], axis=1)
        std = [m_std, np.hypot(slope_std, slope * m_std)]
        std.append(np.hypot(np.hypot(bend_std, 2.0 * slope * slope_std), bent * m_std))
        size = np.abs(x)
        result.append((mean, np.stack(std, axis=1) * size[:, None], each.sigma * size))
    noise = np.concatenate([sigma[here] for (_, _, sigma), here in zip(result, seen, strict=True)])
    noise = float(np.sqrt(np.mean(noise**2)))
    raised = []
    for (mean, std, sigma), each in zip(result, curves, strict=True):
        even = each.model != "constant"
        sigma, model = (np.full_like(sigma, noise), "constant") if even else (sigma, "proportional")
        raised.append(Curve(mean, std, sigma, noise, model, each.length))
    return raised


def _smooth(channel: Series, grain: int | None = None) -> _Smoothed:
    """Smooth a channel as it is, or logarithms in nodes of the grain that was chosen for their values.

    Only so are both learned from the same values. The noise of logarithms cannot grow with them, since their
    zero is a matter of units; it falls with them where that of their values is constant.
    """
    seen = [np.isfinite(x) for _, x in channel]
    values = np.concatenate([x[here] for (_, x), here in zip(channel, seen, strict=True)])
    middle, scale = float(values.mean()), float(values.std())
    series = [(t[here], (x[here] - middle) / scale) for (t, x), here in zip(channel, seen, strict=True)]
    times = [t for t, _ in channel]
    logarithms, grain = grain is not None, grain or choose_grain(series)
    # Steps or spikes in whole numbers are no rounding.
    least = min(_least_noise(values) / scale, _COARSEST)
    most = max(least, *(unpredicted(t, y) for t, y in series))
    nodes = gather(series, [np.ones(len(t)) for t, _ in series], grain)
    parameters = tune(nodes, least, most)
    curves = _evaluate(times, series, Posterior.of(nodes, parameters))
    model, sigma = "constant", [np.full(len(t), parameters.noise) for t in times]
    left = _residuals(series, seen, curves)
    if np.sqrt(np.mean(left**2)) < _THROUGH * parameters.noise:
        # The likelihood then only bounds the noise; neighbours bound it too.
        sigma = [np.full(len(t), min(parameters.noise, most)) for t in times]
        curves = [_sharper(t, own, curve) for t, own, curve in zip(times, series, curves, strict=True)]
    elif parameters.noise > _PLAIN * least:
        for _ in range(_PASSES if logarithms else 1):
            level = [mean[:, 0] * scale + middle for mean, _ in curves]
            relative = _of_values(level) if logarithms else _growing(left, level, seen)
            if relative is None:
                break
            other = gather(series, [each[here] for each, here in zip(relative, seen, strict=True)], grain)
            # Noise that hides all that happens at large values leaves parameters from which none are found.
            starts = (parameters, None) if logarithms else (parameters,)
            found = max((tune(other, least, most, each) for each in starts), key=lambda one: one.likelihood)
            if (found.likelihood - parameters.likelihood) * len(values) <= MARGIN:
                break
            model, nodes, parameters = "proportional", other, found
            curves = _evaluate(times, series, Posterior.of(nodes, parameters))
            sigma = [each * parameters.noise for each in relative]
    noise = np.concatenate([each[here] for each, here in zip(sigma, seen, strict=True)])
    noise = float(np.sqrt(np.mean(noise**2))) * scale
    length = float(np.sqrt(7.0) / parameters.rate * nodes.unit)
    result = []
    for (mean, std), each in zip(curves, sigma, strict=True):
        mean = mean[:, :3] * scale
        mean[:, 0] += middle
        result.append(Curve(mean, std[:, :3] * scale, each * scale, noise, model, length))
    learned = nodes.stretches(MOST_TUNED)
    average = middle + scale * float(np.average(learned.best[:, 0], weights=learned.count))
    likelihood = parameters.likelihood - float(np.log(scale))
    return _Smoothed(result, likelihood, average, parameters.noise > _PLAIN * least, grain)


def _growing(left: np.ndarray, level: list[np.ndarray], seen: list[np.ndarray]) -> list[np.ndarray] | None:
    """Relative deviations of noise that grows with the values, if what constant noise leaves hints at it."""
    flat = np.concatenate([each[here] for each, here in zip(level, seen, strict=True)])
    root = float(np.sqrt(np.mean(flat**2)))
    share = proportional_share(left, flat / root, 0.0)
    return None if share is None else [np.hypot(each / root, share) for each in level]


def _of_values(level: list[np.ndarray]) -> list[np.ndarray]:
    """The same of logarithms, for noise that is constant in the values themselves."""
    about = float(np.mean(np.concatenate(level)))
    return [np.exp(about - each) for each in level]


def _least_noise(values: np.ndarray) -> float:
    """What rounding, in the file or in float64, does to the values."""
    floor = float(rounding_floor(values[:, None])[0])
    size = float(np.sqrt(np.mean(values**2)))
    return floor if floor > _SUMS * size else _ROUNDED * float(np.abs(values).max())


def _evaluate(times: list[np.ndarray], series: Series, posterior: Posterior) -> Curves:
    """Means and deviations of f and its derivatives at all times, in the data's time unit."""
    unit = posterior.nodes.unit
    power = unit ** -np.arange(4.0)
    starts = np.append(np.flatnonzero(posterior.nodes.first), len(posterior.nodes.t))
    result, number = [], 0
    for t, (own, _) in zip(times, series, strict=True):
        begin, end = (starts[number], starts[number + 1]) if len(own) else (0, 0)
        number += bool(len(own))
        origin = own[0] if len(own) else t[0]
        mean, std = posterior.at((t - origin) / unit, int(begin), int(end))
        result.append((mean * power, std * power))
    return result


def _residuals(series: Series, seen: list[np.ndarray], curves: Curves) -> np.ndarray:
    return np.concatenate(
        [y - mean[here, 0] for (_, y), (mean, _), here in zip(series, curves, seen, strict=True)]
    )


def _sharper(t: np.ndarray, own: tuple[np.ndarray, np.ndarray], curve: tuple[np.ndarray, np.ndarray]):
    """The curve through clean samples, by splines where these are surer of it."""
    mean, std = curve
    times, y = own
    if not len(times):
        return curve
    inside = (t >= times[0]) & (t <= times[-1])
    found = interpolate(times, y, t[inside])
    if found is None or np.sum(found[1][:, 1] ** 2) > np.sum(std[inside, 1] ** 2):
        return curve
    mean, std = mean.copy(), std.copy()
    mean[inside, :3] = found[0]
    std[inside, :3] = found[1]
    return mean, std
