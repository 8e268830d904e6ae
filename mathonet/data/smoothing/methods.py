"""Smoothing: states, derivatives and noise, with deviations, from samples at any times, some missing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from mathonet.data.samples import refuse_size
from mathonet.data.smoothing.curve import Curve, Series
from mathonet.data.smoothing.gaussian import smooth_by_process
from mathonet.data.smoothing.savitzky_golay import smooth_by_savitzky_golay
from mathonet.data.smoothing.spline import smooth_by_spline
from mathonet.errors import ConfigError, DataError

METHODS: dict[str, Callable[[Series], list[Curve]]] = {
    "gp": smooth_by_process,
    "spline": smooth_by_spline,
    "savgol": smooth_by_savitzky_golay,
}
FEWEST = 8
"""Measured samples that a channel must have, in all trajectories together."""
LARGEST = 1e100
"""Size of a channel's values and, inverted, the smallest."""


@dataclass(frozen=True)
class Smooth:
    """Smoothed channels of one trajectory; arrays are (times, channels), or (channels) where it says so.

    Attributes:
        x: states.
        x_dot: their derivatives.
        x_ddot: their second derivatives.
        x_std: deviations of the states.
        x_dot_std: deviations of the derivatives.
        x_ddot_std: deviations of the second derivatives.
        sigma: deviation of the measurement noise of every value.
        noise: root mean square of sigma over what was measured (channels).
        model: "constant" or "proportional" to the value, for each channel.
        length: time scale of each channel (channels): of the kernel, of the spline, or the filter's window.
    """

    x: np.ndarray
    x_dot: np.ndarray
    x_ddot: np.ndarray
    x_std: np.ndarray
    x_dot_std: np.ndarray
    x_ddot_std: np.ndarray
    sigma: np.ndarray
    noise: np.ndarray
    model: tuple[str, ...]
    length: np.ndarray


def smooth(t: np.ndarray, x: np.ndarray, method: str = "gp") -> Smooth:
    """Smooth every channel of a trajectory; see `smooth_all`."""
    return smooth_all([(t, x)], method)[0]


def smooth_all(trajectories: Sequence[tuple[np.ndarray, np.ndarray]], method: str = "gp") -> list[Smooth]:
    """Smooth every channel of some trajectories, which share a channel's noise and kernel.

    Args:
        trajectories: increasing times, at any distance, and samples (times, channels) of each; NaN where a
            channel was not measured.
        method: "gp", a Gaussian process; "spline", smoothing splines; or "savgol", Savitzky-Golay's filter,
            for even times without gaps.

    Raises:
        DataError: a channel has fewer than 8 samples or does not vary, or the arrays do not fit together.
        ConfigError: the method is not known.
    """
    if method not in METHODS:
        raise ConfigError(f"Smoothing has no method {method!r}. Use one of {', '.join(map(repr, METHODS))}.")
    if not len(trajectories):
        raise DataError("There is no trajectory to smooth. Give at least one pair of times and states.")
    series = [_checked(t, x, number) for number, (t, x) in enumerate(trajectories)]
    widths = {x.shape[1] for _, x in series}
    if len(widths) != 1:
        raise DataError(f"Trajectories must have the same channels; found {sorted(widths)} columns.")
    channels = []
    for number in range(widths.pop()):
        channel = [(t, x[:, number]) for t, x in series]
        _check_channel(channel, number)
        channels.append(METHODS[method](channel))
    smoothed = []
    for place in range(len(series)):
        parts = [channel[place] for channel in channels]
        mean = np.stack([part.mean for part in parts], axis=2)
        std = np.stack([part.std for part in parts], axis=2)
        smoothed.append(
            Smooth(
                *(mean[:, order] for order in range(3)),
                *(std[:, order] for order in range(3)),
                sigma=np.stack([part.sigma for part in parts], axis=1),
                noise=np.array([part.noise for part in parts]),
                model=tuple(part.model for part in parts),
                length=np.array([part.length for part in parts]),
            )
        )
    return smoothed


def _checked(t: np.ndarray, x: np.ndarray, number: int) -> tuple[np.ndarray, np.ndarray]:
    t, x = np.asarray(t, float), np.asarray(x, float)
    if t.ndim != 1 or x.ndim != 2 or len(t) != len(x) or not len(t):
        raise DataError(
            f"Trajectory {number}: times must be (times) and states (times, channels); found {t.shape} "
            f"and {x.shape}."
        )
    if not (np.isfinite(t).all() and (np.diff(t) > 0).all()):
        raise DataError(
            f"Trajectory {number}: times must be finite and increase. Sort them and drop repeats."
        )
    return t, x


def _check_channel(channel: Series, number: int) -> None:
    values = np.concatenate([x for _, x in channel])
    values = values[np.isfinite(values)]
    if len(values) < FEWEST:
        raise DataError(
            f"Channel {number} has {len(values)} measured samples; smoothing needs at least {FEWEST}. "
            "Measure more, or give derivatives."
        )
    if not np.ptp(values) > 0:
        raise DataError(f"Channel {number} does not vary, so there is nothing to smooth. Leave it out.")
    refuse_size(f"Channel {number}", float(np.abs(values).max()), LARGEST, "squares")
