"""Smoothing splines: Reinsch's equations, cross-validation, deviations."""

import numpy as np
import pytest
from scipy.interpolate import make_smoothing_spline

from mathonet.data.smoothing import smooth, smooth_all
from mathonet.data.smoothing.spline import flattened
from mathonet.errors import DataError

T = np.linspace(0.0, 20.0, 400)
RNG = np.random.default_rng(0)
NOISY = np.sin(T) + 0.1 * RNG.normal(size=len(T))


@pytest.mark.parametrize("stiffness", [1e-3, 1.0, 100.0])
def test_spline_is_scipys_at_the_same_stiffness(stiffness):
    rng = np.random.default_rng(0)
    t, y = np.cumsum(rng.uniform(0.3, 2.0, 60)), rng.normal(size=60)
    theirs = make_smoothing_spline(t, y, lam=stiffness)(t)
    np.testing.assert_allclose(flattened(t, y[:, None], stiffness)[:, 0], theirs, atol=1e-10)


def test_cross_validation_is_as_good_as_scipys():
    found = smooth(T, NOISY[:, None], method="spline")
    theirs = make_smoothing_spline(T, NOISY)
    ours, their = (np.std(each - np.cos(T)) for each in (found.x_dot[:, 0], theirs(T, 1)))
    assert ours < 1.1 * their
    np.testing.assert_allclose(found.noise, 0.1, rtol=0.1)


def test_deviations_are_those_of_the_errors():
    squares = []
    for seed in range(5):
        noisy = np.sin(T) + 0.1 * np.random.default_rng(seed).normal(size=len(T))
        found = smooth(T, noisy[:, None], method="spline")
        squares.append(np.mean(((found.x_dot[:, 0] - np.cos(T)) / found.x_dot_std[:, 0]) ** 2))
    assert 0.7 < np.sqrt(np.mean(squares)) < 1.3


def test_uneven_times_and_missing_values():
    rng = np.random.default_rng(0)
    kept = np.sort(rng.choice(len(T), 250, replace=False))
    holes = np.where(rng.random(250) < 0.2, np.nan, NOISY[kept])
    found = smooth(T[kept], holes[:, None], method="spline")
    assert np.std(found.x_dot[:, 0] - np.cos(T[kept])) < 0.15


def test_too_short_a_trajectory_is_refused():
    with pytest.raises(DataError, match="5 measured samples"):
        smooth_all([(T, NOISY[:, None]), (T[:5], NOISY[:5, None])], method="spline")
