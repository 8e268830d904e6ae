"""Matern-7/2 process: transitions that keep it stationary and have the kernel's covariance."""

import numpy as np
import pytest
from scipy.linalg import expm

from mathonet.data.smoothing.matern import STATIONARY, transition

COMPANION = np.array([[0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [-1, -4, -6, -4]], dtype=float)


def covariance(moves) -> np.ndarray:
    factor = np.linalg.inv(moves.whiten)
    return factor @ np.swapaxes(factor, -1, -2)


@pytest.mark.parametrize("s", [1e-4, 0.1, 1.9, 2.1, 8.0, np.inf])
def test_transition_keeps_the_process_stationary(s):
    moves = transition(np.array(s), np.array(1.0))
    added = covariance(moves)
    np.testing.assert_allclose(moves.step @ STATIONARY @ moves.step.T + added, STATIONARY, atol=1e-12)
    np.testing.assert_allclose(moves.log_det, np.linalg.slogdet(added)[1], atol=1e-6)


@pytest.mark.parametrize("s", [0.01, 0.5, 3.0])
def test_step_is_the_exponential_and_gives_the_kernel(s):
    moves = transition(np.array(s), np.array(1.0))
    np.testing.assert_allclose(moves.step, expm(COMPANION * s), atol=1e-12)
    kernel = np.exp(-s) * (1.0 + s + 0.4 * s**2 + s**3 / 15.0)
    np.testing.assert_allclose((moves.step @ STATIONARY)[0, 0], kernel, rtol=1e-12)


def test_noise_of_a_short_step_has_all_its_digits():
    s = 1e-5
    unit = covariance(transition(np.array(s), np.array(1.0)))
    # Integrated white noise: s^7 / 252 times the density, 32/5.
    np.testing.assert_allclose(unit[0, 0], 6.4 * s**7 / 252.0, rtol=1e-4)


def test_a_rate_only_changes_the_unit_of_time():
    slow, fast = transition(np.array(0.3), np.array(1.0)), transition(np.array(0.1), np.array(3.0))
    powers = 3.0 ** np.arange(4)
    np.testing.assert_allclose(fast.step, slow.step * powers[:, None] / powers, rtol=1e-12)
    np.testing.assert_allclose(covariance(fast), covariance(slow) * powers[:, None] * powers, rtol=1e-9)
