"""Outliers: gross ones are named, and nothing else: no sharp turn, jump, spike or noise."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathonet import systems
from mathonet.data.outliers import bent, outlying, threshold

T = np.linspace(0.0, 20.0, 200)


def named(t: np.ndarray, x: np.ndarray) -> list[int]:
    return np.flatnonzero(outlying([(t, x)])[0]).tolist()


def noisy(sigma: float = 0.02, seed: int = 0) -> np.ndarray:
    return np.sin(T) + sigma * np.random.default_rng(seed).normal(size=len(T))


@pytest.mark.parametrize("sigma", [0.0, 0.01, 0.1])
def test_gross_outliers_are_named_and_no_others(sigma):
    x = noisy(sigma)
    for row, off in ((3, 2.0), (60, -1.5), (61, 2.5), (120, 8.0), (196, 1e6)):
        x[row] += off
    assert named(T, x) == [3, 60, 61, 120, 196]


def test_missing_values_and_uneven_times():
    rng = np.random.default_rng(1)
    t = np.sort(rng.uniform(0.0, 20.0, 300))
    x = np.sin(t) + 0.02 * rng.normal(size=300)
    x[50:60] = np.nan
    x[[48, 150]] += 1.0
    assert named(t, x) == [48, 150]


def test_trajectories_share_the_noise():
    masks = outlying([(T, noisy(seed=1)), (T[:40], np.where(np.arange(40) == 20, 3.0, noisy(seed=2)[:40]))])
    assert [np.flatnonzero(mask).tolist() for mask in masks] == [[], [20]]


@pytest.mark.parametrize("points", [60, 100, 200, 400])
@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("lorenz", 10.0),
        ("sir", 100.0),
        ("van-der-pol", 35.0),
        ("fitzhugh-nagumo", 200.0),
        ("lotka-volterra", 27.0),
        ("duffing", 20.0),
    ],
)
def test_nothing_is_named_on_clean_curves_with_sharp_turns(name, end, points):
    data = systems.get(name).simulate(t=np.linspace(0.0, end, points))
    for channel in data.x.T:
        assert named(data.t, channel) == []
        assert named(data.t, np.round(channel, 2)) == []


def test_nothing_is_named_in_noise_and_hardly_anything_where_it_grows_with_the_value():
    plain, growing = 0, 0
    for seed in range(40):
        noise = np.random.default_rng(seed).normal(size=200)
        plain += sum(len(named(T, x)) for x in (noise, np.cumsum(noise), np.sin(T) + 0.05 * noise))
        growing += len(named(T, np.exp(np.sin(T)) * (1.0 + 0.05 * noise)))
    assert plain == 0
    assert growing <= 2


def test_jumps_steps_and_spikes_belong_to_the_curve():
    rng = np.random.default_rng(0)
    assert named(T, np.repeat(rng.normal(size=10), 20)) == []
    assert named(T, (rng.uniform(size=200) < 0.05).astype(float)) == []
    spikes = noisy(0.01)
    spikes[10::33] += 5.0 + rng.uniform(size=6)
    assert named(T, spikes) == []


def test_a_failing_sensor_shows_the_same_value_again_and_again():
    x = noisy(0.01)
    x[[20, 70, 110, 160]] = -999.0
    assert named(T, x) == [20, 70, 110, 160]


def test_many_are_no_outliers():
    x = noisy(0.01)
    x[::7] += np.random.default_rng(0).normal(size=len(x[::7])) * 3.0
    assert named(T, x) == []


def test_few_and_constant_values_have_none():
    assert named(T[:10], np.where(np.arange(10) == 5, 9.0, np.sin(T[:10]))) == []
    assert named(T, np.ones(200)) == []
    assert named(T, np.full(200, np.nan)) == []


@given(
    st.floats(-8, 8).map(lambda power: 10.0**power),
    st.floats(-1e3, 1e3),
    st.integers(0, 50),
)
def test_units_and_offsets_change_nothing(scale, shift, seed):
    rng = np.random.default_rng(seed)
    x = noisy(0.03, seed)
    rows = rng.choice(np.arange(1, 199), 3, replace=False)
    x[rows] += rng.choice([-1.0, 1.0], 3) * rng.uniform(0.2, 4.0, 3)
    assert named(T * scale, scale * (x + shift)) == named(T, x)


def test_more_values_and_more_room_ask_for_more():
    assert threshold(200, 100.0, 1.0) < threshold(20000, 100.0, 1.0) < threshold(20000, 1e6, 1.0)


def test_a_channel_bends_where_it_jumps():
    x = np.where(T < 7.0, 1.0, -1.0) + 0.01 * noisy(1.0)
    row = int(np.searchsorted(T, 7.0))
    assert bent([(T, x)], [np.array([row, 20, 150])])[0].tolist() == [True, False, False]
