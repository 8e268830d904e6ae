"""Outlying values of trajectories: named by their rows, left out by every smoothing, told from events."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from mathonet.data.trajectory import Trajectory
from mathonet.search.measurements.measured import measure
from mathonet.search.measurements.outlying import MOST_NAMED, screened

T = np.linspace(0.0, 20.0, 200)
ROWS = (40, 90, 141)


def wave(seed: int = 0, **parts) -> Trajectory:
    noise = 0.02 * np.random.default_rng(seed).normal(size=(200, 2))
    return Trajectory(T, np.stack([np.sin(T), np.cos(T)], axis=1) + noise, names=("x", "y"), **parts)


def spoilt(rows=ROWS, **parts) -> Trajectory:
    x = wave().x.copy()
    x[list(rows), np.arange(len(rows)) % 2] += 1.5
    return Trajectory(T, x, names=("x", "y"), **parts)


@pytest.mark.parametrize("smoothing", ["gp", "spline", "savgol"])
def test_noise_is_kept_and_rows_are_named(smoothing):
    plain, found = (measure([data], smoothing=smoothing) for data in (wave(), spoilt()))
    assert plain.outliers == ()
    assert "Outliers" not in plain.describe()
    assert [(each.row, each.name) for each in found.outliers] == [(40, "x"), (90, "y"), (141, "x")]
    np.testing.assert_allclose(found.noise, plain.noise, rtol=0.1)
    first = found.outliers[0]
    assert first.value == spoilt().x[40, 0]
    assert first.t == T[40]
    assert first.expected == pytest.approx(np.sin(T[40]), abs=0.05)
    assert first.deviations > 50
    assert "Outliers: 3 values" in found.describe()
    assert f"x = {first.value:.4g} at t = 4.0201 (row 40" in found.describe()
    assert np.isnan(found.trajectories[0].x[40, 0])


def test_rows_are_those_that_were_given():
    kept = np.r_[0:60, 80:200]
    whole = spoilt()
    found = measure([Trajectory(T[kept], whole.x[kept], names=("x", "y"))])
    assert len(found.trajectories[0]) > len(kept)
    assert [each.row for each in found.outliers] == [40, 70, 121]


def test_of_many_some_are_named_in_the_sentence():
    found = measure([spoilt(range(15, 190, 17)), wave(1)])
    assert len(found.outliers) > MOST_NAMED
    assert f"and {len(found.outliers) - MOST_NAMED} more" in found.describe()
    assert "of trajectory 1" in found.describe()


def test_weights_of_the_user_stay():
    assert not screened([spoilt(weights=np.ones(200))])[0].any()


def test_spikes_between_coarse_samples_are_seen_by_the_other_state():
    times = np.linspace(0.0, 40.0, 200)
    found = solve_ivp(
        lambda _, s: [s[1], 10.0 * (1.0 - s[0] ** 2) * s[1] - s[0]],
        (0.0, 40.0),
        [2.0, 0.0],
        t_eval=times,
        method="LSODA",
        rtol=1e-9,
        atol=1e-11,
    )
    assert not screened([Trajectory(times, found.y.T)])[0].any()


def test_noise_of_many_samples_is_that_of_single_values():
    t = np.linspace(0.0, 40.0, 20_000)
    x = np.stack([np.sin(t), np.cos(t)], axis=1) + [0.02, 0.3] * np.random.default_rng(0).normal(
        size=(20_000, 2)
    )
    found = measure([Trajectory(t, x, names=("x", "y"))])
    np.testing.assert_allclose(found.noise, [0.02, 0.3], rtol=0.03)
    assert found.outliers == ()


def test_spikes_of_a_state_that_else_stands_still_are_no_outliers():
    x = np.zeros(100)
    x[[20, 60]] = 1.0
    (mask,) = screened([Trajectory(np.arange(100.0), x)])
    assert not mask.any()
