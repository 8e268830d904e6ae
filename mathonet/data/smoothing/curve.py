"""Curve: what a smoothing method says about one channel of one trajectory."""

from dataclasses import dataclass

import numpy as np

Series = list[tuple[np.ndarray, np.ndarray]]
"""Times and values of a channel in some trajectories."""


@dataclass(frozen=True)
class Curve:
    """One smoothed channel.

    Attributes:
        mean: value, first and second derivative (times, 3).
        std: their deviations.
        sigma: deviation of the noise of every value.
        noise: root mean square of sigma over the measured values of all trajectories.
        model: "constant" or "proportional".
        length: time scale.
    """

    mean: np.ndarray
    std: np.ndarray
    sigma: np.ndarray
    noise: float
    model: str
    length: float
