"""Smoothing: noise, states and derivatives from noisy samples."""

import numpy as np
import pytest
from scipy.signal import savgol_filter

from mathonet.data.smoothing import smooth, smooth_all
from mathonet.errors import DataError

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
    found = smooth(T, CLEAN[:, :1])
    np.testing.assert_allclose(found.x, CLEAN[:, :1], atol=1e-4)
    assert error(found.x_dot, SLOPE[:, :1])[0] < 2e-3


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


@pytest.mark.parametrize(
    ("x", "message"),
    [
        (np.full((200, 1), 2.0), "does not vary"),
        (np.where(np.arange(200)[:, None] < 5, 1.0, np.nan), "5 measured"),
    ],
)
def test_channels_without_content_are_refused(x, message):
    with pytest.raises(DataError, match=message):
        smooth(T, x)
