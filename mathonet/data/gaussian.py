"""Gaussian-process smoothing of a channel: grain, parameters, and the model of its noise by likelihood."""

import numpy as np

from mathonet.data.curve import Curve, Series
from mathonet.data.interpolation import interpolate, unpredicted
from mathonet.data.nodes import choose_grain, gather
from mathonet.data.posterior import Posterior
from mathonet.data.process import tune
from mathonet.data.rounding import rounding_floor

MARGIN = 4.0
"""Nats by which proportional noise must be likelier than constant noise."""
_SHARES = (0.3, 0.1, 0.03)
"""Where a channel crosses zero, proportional noise keeps that of this share of its root mean square."""
_ROUNDED = 5e-14
"""What float64 does to values and their differences, relative to the largest."""
_SUMS = 2e-12
"""Rounding floors up to this are those of sums, which measured values are not."""
_COARSEST = 0.1
"""Most that rounding may be, as a share of a channel's deviation."""
_PLAIN = 2.0
"""Noise of up to so many roundings is not asked whether it grows with the value."""
_THROUGH = 0.3
"""A curve whose residuals are this small a share of the noise goes through the samples."""

Curves = list[tuple[np.ndarray, np.ndarray]]


def smooth_by_process(channel: Series) -> list[Curve]:
    """Smooth a channel of some trajectories with common parameters; NaN is not measured."""
    seen = [np.isfinite(x) for _, x in channel]
    values = np.concatenate([x[here] for (_, x), here in zip(channel, seen, strict=True)])
    middle, scale = float(values.mean()), float(values.std())
    series = [(t[here], (x[here] - middle) / scale) for (t, x), here in zip(channel, seen, strict=True)]
    times = [t for t, _ in channel]
    grain = choose_grain(series)
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
        level = [mean[:, 0] + middle / scale for mean, _ in curves]
        flat = np.concatenate([each[here] for each, here in zip(level, seen, strict=True)])
        root = float(np.sqrt(np.mean(flat**2)))
        share = _proportional(left, flat / root)
        if share is not None:
            relative = [np.hypot(each / root, share) for each in level]
            uneven = [each[here] for each, here in zip(relative, seen, strict=True)]
            other = gather(series, uneven, grain)
            found = tune(other, least, most, parameters)
            if found.log_likelihood > parameters.log_likelihood + MARGIN:
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
    return result


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


def _proportional(left: np.ndarray, level: np.ndarray) -> float | None:
    """The likeliest share, if residuals speak for noise that grows with the level."""
    count = len(left)

    def likelihood(relative: np.ndarray) -> float:
        return -0.5 * count * float(np.log(np.mean((left / relative) ** 2))) - float(np.sum(np.log(relative)))

    even = likelihood(np.ones(count))
    gain, share = max((likelihood(np.hypot(level, share)) - even, share) for share in _SHARES)
    return share if gain > 0 else None
