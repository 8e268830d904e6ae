"""Smoothing: noise, states and derivatives from noisy samples."""

import time

import numpy as np
import pytest
from scipy.signal import savgol_filter

from mathonet.data.smoothing import smooth, smooth_all
from mathonet.errors import ConfigError, DataError

T = np.linspace(0.0, 10.0, 200)
CLEAN = np.stack([np.sin(1.7 * T) + 0.3 * np.cos(4.0 * T), np.exp(-0.3 * T) * np.cos(2.0 * T)], axis=1)
SLOPE = np.stack(
    [
        1.7 * np.cos(1.7 * T) - 1.2 * np.sin(4.0 * T),
        -np.exp(-0.3 * T) * (0.3 * np.cos(2.0 * T) + 2.0 * np.sin(2.0 * T)),
    ],
    axis=1,
)
NOISE = np.array([0.05, 0.02])
NOISY = CLEAN + NOISE * np.random.default_rng(0).normal(size=CLEAN.shape)


@pytest.fixture(scope="module")
def smoothed():
    return smooth(T, NOISY)


def error(found: np.ndarray, truth: np.ndarray) -> np.ndarray:
    return np.sqrt(np.mean((found - truth) ** 2, axis=0))


def test_noise_is_estimated(smoothed):
    np.testing.assert_allclose(smoothed.noise, NOISE, rtol=0.15)


def test_states_are_nearer_to_the_truth_than_the_samples(smoothed):
    assert (error(smoothed.x, CLEAN) < 0.6 * error(NOISY, CLEAN)).all()


def test_derivative_has_half_the_error_of_a_common_savitzky_golay_filter(smoothed):
    theirs = savgol_filter(NOISY, 11, 3, deriv=1, delta=T[1] - T[0], axis=0)
    assert (error(smoothed.x_dot, SLOPE) < 0.5 * error(theirs, SLOPE)).all()


def test_deviations_are_those_of_the_errors(smoothed):
    for found, std, truth in (
        (smoothed.x, smoothed.x_std, CLEAN),
        (smoothed.x_dot, smoothed.x_dot_std, SLOPE),
    ):
        spread = np.sqrt(np.mean(((found - truth) / std) ** 2))
        assert 0.6 < spread < 1.5


def test_clean_samples_stay_as_they_are():
    found = smooth(T, CLEAN)
    np.testing.assert_allclose(found.x, CLEAN, atol=1e-12)
    assert (error(found.x_dot, SLOPE) < 1e-6 * SLOPE.std(axis=0)).all()
    assert (found.noise < 1e-9).all()


@pytest.mark.parametrize("digits", [1, 2, 4])
def test_printed_digits_are_the_noise(digits):
    t = np.linspace(0.0, 10.0, 400)
    found = smooth(t, np.round(3.0 * np.sin(t)[:, None], digits))
    np.testing.assert_allclose(found.noise, 10.0**-digits / np.sqrt(12.0), rtol=0.15)
    assert error(found.x_dot, 3.0 * np.cos(t)[:, None])[0] < 0.3 * 10.0**-digits / (t[1] - t[0])


@pytest.mark.parametrize("level", [1e-6, 0.01, 0.1])
def test_noise_of_any_size_is_found(level):
    t = np.linspace(0.0, 40.0, 600)
    noise = level * np.random.default_rng(2).normal(size=(600, 1))
    found = smooth(t, np.sin(t)[:, None] + noise)
    np.testing.assert_allclose(found.noise, level, rtol=0.3 if level < 1e-3 else 0.1)
    spread = np.sqrt(np.mean(((found.x_dot[:, 0] - np.cos(t)) / found.x_dot_std[:, 0]) ** 2))
    assert 0.5 < spread < 1.4


def test_second_derivatives_have_the_deviations_of_their_errors():
    squares = []
    for seed in range(4):
        noise = 0.02 * np.random.default_rng(seed).normal(size=(400, 1))
        t = np.linspace(0.0, 20.0, 400)
        found = smooth(t, np.sin(t)[:, None] + noise)
        squares.append(np.mean(((found.x_ddot[:, 0] + np.sin(t)) / found.x_ddot_std[:, 0]) ** 2))
        assert np.std(found.x_ddot[:, 0] + np.sin(t)) < 0.2
    assert 0.4 < np.sqrt(np.mean(squares)) < 1.3


def test_proportional_noise_is_told_from_constant_noise():
    rng = np.random.default_rng(3)
    t = np.linspace(0.0, 30.0, 500)
    clean = np.stack([1.0 + 0.9 * np.sin(t), np.sin(t)], axis=1)
    even = smooth(t, clean + 0.05 * rng.normal(size=clean.shape))
    assert even.model == ("constant", "constant")
    np.testing.assert_allclose(even.sigma, 0.05, rtol=0.1)
    uneven = smooth(t, clean * (1.0 + 0.05 * rng.normal(size=clean.shape)))
    assert uneven.model == ("proportional", "proportional")
    large = np.abs(clean) > 0.5
    np.testing.assert_allclose(uneven.sigma[large], 0.05 * np.abs(clean)[large], rtol=0.25)
    assert (uneven.sigma.min(axis=0) > 5e-4).all()


def test_uneven_times_and_missing_values():
    rng = np.random.default_rng(1)
    kept = np.sort(rng.choice(len(T), 120, replace=False))
    holes = NOISY[kept].copy()
    holes[rng.random(holes.shape) < 0.2] = np.nan
    found = smooth(T[kept], holes)
    assert np.isfinite(found.x).all()
    assert (error(found.x, CLEAN[kept]) < NOISE).all()
    assert (error(found.x_dot, SLOPE[kept]) < 0.35 * SLOPE.std(axis=0)).all()


def test_units_of_time_and_states_do_not_matter():
    plain = smooth(T, NOISY[:, :1])
    scaled = smooth(1e-6 * T, 1e9 * NOISY[:, :1] + 3e9)
    np.testing.assert_allclose(scaled.x_dot * 1e-6 / 1e9, plain.x_dot, rtol=1e-3, atol=1e-3)


def test_trajectories_of_any_length_and_grid_share_noise_and_kernel():
    parts = [(T[:120], NOISY[:120]), (T[120:190:2], NOISY[120:190:2]), (T[190:193], NOISY[190:193])]
    found = smooth_all(parts)
    assert [each.x.shape for each in found] == [(120, 2), (35, 2), (3, 2)]
    np.testing.assert_allclose(found[0].noise, NOISE, rtol=0.15)
    assert all(np.array_equal(each.noise, found[0].noise) for each in found)
    assert np.isfinite(found[2].x_dot_std).all()


def test_a_trajectory_where_a_channel_was_not_measured_keeps_the_prior():
    found = smooth_all([(T, NOISY), (T[:20], np.full((20, 2), np.nan))])[1]
    np.testing.assert_allclose(found.x, NOISY.mean(axis=0) * np.ones((20, 1)), atol=1e-9)
    assert (found.x_std > 0.5 * NOISY.std(axis=0)).all()


def test_close_samples_and_long_gaps_do_no_harm():
    rng = np.random.default_rng(5)
    t = np.sort(np.concatenate([rng.uniform(0.0, 20.0, 300), rng.uniform(80.0, 100.0, 300)]))
    t[100] = np.nextafter(t[99], np.inf)
    found = smooth(t, np.sin(t)[:, None] + 0.05 * rng.normal(size=(600, 1)))
    np.testing.assert_allclose(found.noise, 0.05, rtol=0.1)
    assert error(found.x_dot, np.cos(t)[:, None])[0] < 0.12


def test_cost_is_linear_in_the_samples():
    t = np.arange(60_000) * 0.01
    noisy = np.sin(3.0 * t)[:, None] + 0.05 * np.random.default_rng(0).normal(size=(60_000, 1))
    began = time.process_time()
    found = smooth(t, noisy)
    assert time.process_time() - began < 5.0
    assert error(found.x_dot, 3.0 * np.cos(3.0 * t)[:, None])[0] < 0.15


@pytest.mark.parametrize(
    ("trajectories", "message"),
    [
        ([], "no trajectory"),
        ([(T, NOISY[:10])], "found"),
        ([(T[::-1], NOISY)], "increase"),
        ([(T, NOISY), (T, NOISY[:, :1])], "same channels"),
    ],
)
def test_trajectories_that_do_not_fit_together_are_refused(trajectories, message):
    with pytest.raises(DataError, match=message):
        smooth_all(trajectories)


def test_an_unknown_method_is_refused():
    with pytest.raises(ConfigError, match="'gp', 'spline', 'savgol'"):
        smooth(T, NOISY, method="lowess")


@pytest.mark.parametrize(
    ("x", "message"),
    [
        (np.full((200, 1), 2.0), "does not vary"),
        (np.where(np.arange(200)[:, None] < 5, 1.0, np.nan), "5 measured"),
        (1e-170 * (2.0 + np.sin(T))[:, None], "size 3e-170.*Rescale"),
        (1e200 * (2.0 + np.sin(T))[:, None], "size 3e\\+200.*Rescale"),
    ],
)
def test_channels_without_content_are_refused(x, message):
    with pytest.raises(DataError, match=message):
        smooth(T, x)
