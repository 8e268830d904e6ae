"""Gaussian-process smoothing of a channel: grain, parameters, and the model of its noise by likelihood."""

from dataclasses import replace

import numpy as np

from mathonet.data.curve import Curve
from mathonet.data.nodes import choose_grain, gather
from mathonet.data.process import Posterior, tune
from mathonet.data.rounding import rounding_floor

MARGIN = 4.0
"""Nats by which proportional noise must be likelier than constant noise."""
_SHARES = (0.3, 0.1, 0.03)
"""Where a channel crosses zero, proportional noise keeps that of this share of its root mean square."""
_ROUNDED = 1e-15
"""Rounding of float64, relative to a channel's largest value."""

Series = list[tuple[np.ndarray, np.ndarray]]


def smooth_channel(channel: Series) -> list[Curve]:
    """Smooth a channel of some trajectories with common parameters; NaN is not measured."""
    seen = [np.isfinite(x) for _, x in channel]
    values = np.concatenate([x[here] for (_, x), here in zip(channel, seen, strict=True)])
    middle, scale = float(values.mean()), float(values.std())
    series = [(t[here], (x[here] - middle) / scale) for (t, x), here in zip(channel, seen, strict=True)]
    grain = choose_grain(series)
    least = _least_noise(values) / scale
    weights = [np.ones(len(t)) for t, _ in series]
    nodes = gather(series, weights, grain)
    parameters = tune(nodes, least)
    curves = _evaluate(channel, series, Posterior.of(nodes, parameters))
    model, sigma = "constant", [np.full(len(t), parameters.noise) for t, _ in channel]
    shape = _proportional(series, seen, curves, middle / scale)
    if shape is not None:
        root = float(np.sqrt(np.mean(values**2))) / scale
        ahead = [np.hypot(mean[:, 0] + middle / scale, shape * root) for mean, _ in curves]
        uneven = [each[here] for each, here in zip(ahead, seen, strict=True)]
        other = gather(series, uneven, grain)
        start = replace(parameters, noise=parameters.noise / root)
        found = tune(other, least / root, start)
        if found.log_likelihood > parameters.log_likelihood + MARGIN:
            model, nodes, parameters = "proportional", other, found
            curves = _evaluate(channel, series, Posterior.of(nodes, parameters))
            sigma = [each * parameters.noise for each in ahead]
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
    # The floor's own share for sums is not an error of values as measured.
    return floor if floor > 2e-12 * size else _ROUNDED * float(np.abs(values).max())


def _evaluate(channel: Series, series: Series, posterior: Posterior):
    """Means and deviations of f and its derivatives at all times, in the data's time unit."""
    unit = posterior.nodes.unit
    power = unit ** -np.arange(4.0)
    starts = np.append(np.flatnonzero(posterior.nodes.first), len(posterior.nodes.t))
    result, number = [], 0
    for (t, _), (own, _) in zip(channel, series, strict=True):
        begin, end = (starts[number], starts[number + 1]) if len(own) else (0, 0)
        number += bool(len(own))
        origin = own[0] if len(own) else t[0]
        mean, std = posterior.at((t - origin) / unit, int(begin), int(end))
        result.append((mean * power, std * power))
    return result


def _proportional(series: Series, seen: list[np.ndarray], curves, offset: float) -> float | None:
    """The likeliest share, if residuals speak for noise that grows with the value."""
    left = np.concatenate(
        [y - mean[here, 0] for (_, y), (mean, _), here in zip(series, curves, seen, strict=True)]
    )
    value = np.concatenate([mean[here, 0] + offset for (mean, _), here in zip(curves, seen, strict=True)])
    root = np.sqrt(np.mean(value**2))
    count = len(left)

    def likelihood(h: np.ndarray) -> float:
        return -0.5 * count * np.log(np.mean((left / h) ** 2)) - float(np.sum(np.log(h)))

    even = likelihood(np.ones(count))
    gains = [(likelihood(np.hypot(value, share * root)) - even, share) for share in _SHARES]
    gain, share = max(gains)
    return share if gain > 0 else None
