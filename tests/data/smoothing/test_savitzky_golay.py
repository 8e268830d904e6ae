"""Savitzky-Golay: window, deviations, and what it refuses."""

import numpy as np
import pytest

from mathonet.data.smoothing import smooth
from mathonet.errors import DataError

T = np.linspace(0.0, 20.0, 400)


def noisy(noise: float, seed: int = 0) -> np.ndarray:
    return (np.sin(T) + noise * np.random.default_rng(seed).normal(size=len(T)))[:, None]


def test_window_grows_with_the_noise():
    lengths = [smooth(T, noisy(noise), method="savgol").length[0] for noise in (1e-4, 1e-2, 0.2)]
    assert lengths[0] < lengths[1] < lengths[2]


def test_noise_and_deviations_are_those_of_the_errors():
    squares = []
    for seed in range(5):
        found = smooth(T, noisy(0.1, seed), method="savgol")
        np.testing.assert_allclose(found.noise, 0.1, rtol=0.15)
        squares.append(np.mean(((found.x_dot[:, 0] - np.cos(T)) / found.x_dot_std[:, 0]) ** 2))
    assert 0.7 < np.sqrt(np.mean(squares)) < 1.4


@pytest.mark.parametrize(
    ("t", "x", "message"),
    [
        (T**1.1, noisy(0.1), "even times"),
        (T, np.where(T[:, None] < 1.0, np.nan, noisy(0.1)), "20 values of a channel are missing"),
        (T[:8], noisy(0.1)[:8], "has 8 times"),
    ],
)
def test_uneven_missing_or_few_samples_are_refused(t, x, message):
    with pytest.raises(DataError, match=message):
        smooth(t, x, method="savgol")
