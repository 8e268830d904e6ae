"""Interpolation: clean samples, and errors that say what they are."""

import numpy as np
import pytest

from mathonet.data.smoothing.interpolation import interpolate, unpredicted

T = np.linspace(0.0, 20.0, 300)


def test_derivatives_of_clean_samples_are_exact_to_the_ends():
    found = interpolate(T, np.sin(T), T)
    assert found is not None
    mean, _ = found
    np.testing.assert_allclose(mean[:, 1], np.cos(T), atol=1e-9)
    np.testing.assert_allclose(mean[:, 2], -np.sin(T), atol=1e-7)


@pytest.mark.parametrize("noise", [1e-9, 1e-5])
def test_noise_is_noticed(noise):
    y = np.sin(T) + noise * np.random.default_rng(0).normal(size=len(T))
    np.testing.assert_allclose(unpredicted(T, y), noise, rtol=0.3)
    found = interpolate(T, y, T)
    assert found is not None
    mean, std = found
    spread = np.sqrt(np.mean(((mean[:, 1] - np.cos(T)) / std[:, 1]) ** 2))
    assert 0.5 < spread < 1.5


def test_few_samples_are_left_to_others():
    assert interpolate(T[:10], T[:10], T[:10]) is None
    assert unpredicted(T[:10], T[:10]) == 0.0
