"""Measured: what was not measured is filled, bounded and without weight; units and stages in their place."""

from dataclasses import replace

import numpy as np
import pytest

from mathonet.data.trajectory import Trajectory
from mathonet.equation.parse import from_text
from mathonet.errors import ConfigError, DataError
from mathonet.fit.path import RK4, RK8, stage_times
from mathonet.search import effort
from mathonet.search.measurements.measured import Measured, filled, measure, state_names
from mathonet.search.measurements.route import route

SIGMA = np.array([0.02, 0.05])


def wave(t: np.ndarray) -> np.ndarray:
    return np.stack([np.sin(t), 2.0 * np.cos(0.7 * t)], axis=1)


def slope(t: np.ndarray) -> np.ndarray:
    return np.stack([np.cos(t), -1.4 * np.sin(0.7 * t)], axis=1)


def noisy(t: np.ndarray, seed: int = 0, **parts) -> Trajectory:
    x = wave(t) + SIGMA * np.random.default_rng(seed).normal(size=(len(t), 2))
    return Trajectory(t, x, names=("x", "y"), **parts)


T = np.linspace(0, 12, 150)


@pytest.fixture(scope="module")
def measured() -> Measured:
    """One noisy trajectory with an input."""
    return measure([noisy(T, u=np.sin(3 * T), input_names=("push",))])


@pytest.fixture(scope="module")
def oscillator() -> Measured:
    """Positions alone of a second-order system, with something known."""
    x = np.sin(T) + 0.01 * np.random.default_rng(1).normal(size=150)
    known = {"x_dot": from_text("-x + 3*x_dot", ("x", "x_dot"))}
    return measure([Trajectory(T, x, names=("x",))], 2, known)


def test_smoothed_states_derivatives_and_noise(measured):
    assert measured.states == measured.trajectories[0].names == ("x", "y")
    assert measured.input_names == ("x", "y", "push")
    assert measured.searched == (0, 1)
    assert np.sqrt(np.mean((measured.x - wave(T)) ** 2, axis=0)) == pytest.approx([0, 0], abs=0.03)
    inside = slice(10, -10)
    assert np.abs(measured.x_dot - slope(T))[inside].max() < 0.2
    assert (np.abs(measured.x_dot - slope(T)) < 5 * measured.x_dot_std)[inside].all()
    np.testing.assert_allclose(measured.noise, SIGMA, rtol=0.25)
    np.testing.assert_allclose(measured.sigma, SIGMA, rtol=0.25)
    assert not measured.clean
    np.testing.assert_array_equal(measured.inputs[:, :2], measured.x)
    np.testing.assert_array_equal(measured.inputs[:, 2], np.sin(3 * T))


def test_samples_leave_out_where_derivatives_are_uncertain(measured):
    samples = measured.samples
    assert samples.input_names == ("x", "y", "push")
    assert samples.target_names == ("x", "y")
    assert 100 < len(samples.targets) < 150
    kept = (measured.x_dot_std <= 3 * np.median(measured.x_dot_std, axis=0)).all(axis=1)
    assert not kept[[0, -1]].any()
    np.testing.assert_array_equal(samples.inputs, measured.inputs[kept])
    np.testing.assert_array_equal(samples.targets, measured.x_dot[kept])
    assert samples.floor is not None
    assert (samples.floor > 0).all()


def test_the_path_is_what_was_measured_in_its_units(measured):
    scale = np.array([0.5, 4.0, 10.0])
    path, rows = route(measured, scale)
    np.testing.assert_array_equal(rows, np.arange(150))
    np.testing.assert_allclose(path.y, measured.trajectories[0].x / scale[:2])
    np.testing.assert_allclose(path.scale, measured.sigma / scale[:2])
    np.testing.assert_allclose(path.weights * path.scale, 1.0, rtol=1e-6)
    np.testing.assert_allclose(path.h, np.diff(T))
    assert (path.joined == 1).all()
    assert path.count == 300
    assert path.drive.shape == (149, 4, 1)


@pytest.mark.parametrize("steps", [(RK4, 1), (RK4, 2), (RK8, 2)], ids=["RK4", "RK4 twice", "RK8 twice"])
def test_inputs_are_known_at_every_stage(measured, steps):
    path, _ = route(measured, np.array([1.0, 1.0, 10.0]), steps)
    at = T[:-1, None] + np.diff(T)[:, None] * stage_times(*steps)
    assert path.drive.shape[:2] == at.shape
    np.testing.assert_allclose(path.drive[:, :, 0], np.sin(3 * at) / 10, atol=2e-3)
    np.testing.assert_allclose(path.drive[:, 0, 0], np.sin(3 * T[:-1]) / 10, atol=1e-12)
    np.testing.assert_allclose(path.drive[:, -1, 0], np.sin(3 * T[1:]) / 10, atol=1e-12)


def test_inputs_never_overshoot():
    """A switch stays between its two positions at all stages."""
    u = (T > 5).astype(float)
    path, _ = route(measure([noisy(T, u=u, input_names=("switch",))]), np.ones(3), (RK8, 1))
    assert path.drive.min() == 0.0
    assert path.drive.max() == 1.0


def test_gaps_are_filled_with_what_was_not_measured():
    t = np.delete(np.arange(40) * 0.5, slice(10, 17))
    given = Trajectory(t, wave(t), u=3 * t, weights=np.full((len(t), 2), 3.0))
    full = filled(given)
    assert np.diff(full.t).max() <= 1.5 * 0.5
    new = ~np.isin(full.t, t)
    assert 4 <= new.sum() <= 7
    assert (full.t[new] > t[9]).all()
    assert (full.t[new] < t[10]).all()
    assert np.isnan(full.x[new]).all()
    np.testing.assert_array_equal(full.x[~new], given.x)
    assert full.weights is not None
    assert (full.weights[new] == 0).all()
    assert (full.weights[~new] == 3).all()
    assert full.u is not None
    np.testing.assert_allclose(full.u[:, 0], 3 * full.t, rtol=1e-12)
    path, _ = route(measure([given]), np.ones(3))
    assert path.count == given.x.size
    assert (path.weights[new] == 0).all()
    assert np.isfinite(path.y).all()


def test_derivatives_are_not_looked_at():
    t = np.delete(T, slice(30, 40))
    given = Trajectory(t, wave(t), x_dot=np.zeros((140, 2)))
    np.testing.assert_array_equal(measure([given]).x, measure([replace(given, x_dot=None)]).x)


def test_even_times_are_left_alone():
    given = noisy(T)
    assert filled(given) is given
    jittered = noisy(np.sort(T + np.random.default_rng(0).uniform(-0.01, 0.01, 150)))
    assert filled(jittered) is jittered


@pytest.mark.parametrize("gap", [5.0, 1e6, 1e9])
def test_samples_in_bursts_keep_their_gaps(gap):
    """However long the gaps beside the steps, filling them costs 4/3 as many times at most."""
    t = np.concatenate([k * gap + np.arange(10) * 1e-3 for k in range(6)])
    full = filled(Trajectory(t, np.arange(60.0)))
    assert 60 <= len(full) <= 60 + 80
    assert (np.diff(full.t) > 0).all()
    assert np.isfinite(full.x).sum() == 60


@pytest.mark.parametrize("length", [1, 2, 3])
def test_short_trajectories_are_left_alone(length):
    given = Trajectory(np.arange(float(length)), np.arange(float(length)))
    assert filled(given) is given


def test_weights_are_relative_precision():
    """Twice as certain where the weight is twice as large; no other unit comes in."""
    weights = np.where(T < 6, 2.0, 1.0)[:, None] * [[7.0, 1e-9]]
    plain, weighted = (
        route(measure([replace(noisy(T), weights=each)]), np.ones(2))[0] for each in (None, weights)
    )
    ratio = weighted.weights / plain.weights
    np.testing.assert_allclose(ratio[T < 6] / ratio[T >= 6][0], 2.0, rtol=1e-12)
    np.testing.assert_allclose(np.mean(ratio**2, axis=0), 1.0, rtol=1e-12)


def test_weights_compare_trajectories_as_well():
    pair = [replace(noisy(T, k), weights=np.full(150, weight)) for k, weight in enumerate((3.0, 1.0))]
    path, _ = route(measure(pair), np.ones(2))
    np.testing.assert_allclose(path.weights[:150], 3 * path.weights[150:], rtol=1e-9)


def test_values_of_weight_zero_do_not_count():
    """Not in the path, and not in the smoothed states: an outlier that is told to be one is harmless."""
    x, weights = noisy(T).x.copy(), np.ones((150, 2))
    x[70:74, 0] += 5.0
    weights[70:74, 0] = 0.0
    found = measure([Trajectory(T, x, names=("x", "y"), weights=weights)])
    path, _ = route(found, np.ones(2))
    assert path.count == 296
    assert (path.weights[70:74] == [0, path.weights[0, 1]]).all()
    np.testing.assert_allclose(found.x, measure([noisy(T)]).x, atol=0.05)
    np.testing.assert_allclose(found.noise, SIGMA, rtol=0.25)


def test_a_stretch_of_weight_zero_is_no_path_of_nan():
    t = np.linspace(0, 240, 3000)
    weights = np.where(t < 200, 1.0, 0.0)
    path, _ = route(measure([replace(noisy(t), weights=weights)]), np.ones(2), most=1000)
    assert np.isfinite(path.weights).all()
    assert 0 < path.count < path.y.size


def test_missing_values_have_no_weight_and_channels_may_have_other_times():
    x = noisy(T).x.copy()
    x[::2, 0] = np.nan
    x[1::3, 1] = np.nan
    found = measure([Trajectory(T, x, names=("x", "y"))])
    path, _ = route(found, np.ones(2))
    np.testing.assert_array_equal(path.weights > 0, np.isfinite(x))
    assert np.isfinite(path.y).all()
    np.testing.assert_allclose(found.x, wave(T), atol=0.15)
    np.testing.assert_allclose(found.noise, SIGMA, rtol=0.35)
    assert np.isfinite(found.samples.inputs).all()


def test_a_channel_may_be_missing_in_one_trajectory():
    """Of a state that one trajectory did not measure, the path knows nothing there, and samples have none."""
    first, second = noisy(T), noisy(T + 3.0, 1)
    x = second.x.copy()
    x[:, 1] = np.nan
    found = measure([first, replace(second, x=x)])
    path, _ = route(found, np.ones(2))
    assert path.count == 450
    assert (path.weights[150:, 1] == 0).all()
    assert np.isfinite(found.x).all()
    assert len(found.samples.targets) <= 150 + 20


def test_a_channel_that_was_hardly_measured_is_refused():
    x = noisy(T).x.copy()
    x[7:, 1] = np.nan
    with pytest.raises(DataError, match="7 measured samples"):
        measure([Trajectory(T, x)])


def test_trajectories_are_one_path_with_open_joints():
    first, second = noisy(T), noisy(np.linspace(40, 45, 60), 1)
    path, rows = route(measure([first, second]), np.ones(2))
    assert len(path.y) == 210
    np.testing.assert_array_equal(rows, np.arange(210))
    assert np.flatnonzero(path.joined == 0).tolist() == [149]
    np.testing.assert_allclose(path.h[150:], 5 / 59)


def test_a_long_series_is_thinned_and_cut_into_stretches():
    """About so many nodes at most, over all of the series, as far apart as its time scale allows."""
    t = np.linspace(0, 1000, 20_000)
    found = measure([noisy(t), noisy(t[:2000], 1)])
    path, rows = route(found, np.ones(2), most=1000)
    assert 500 <= len(rows) <= 1100
    assert len(path.y) == len(rows)
    assert (np.diff(rows) > 0).all()
    assert rows[0] == 0
    assert rows[-1] > 20_000
    ends = np.flatnonzero(path.joined == 0)
    steps = np.delete(np.diff(rows), ends)
    assert 1 < np.max(steps) <= 40
    assert (np.delete(path.h, ends) < 2.0).all()
    assert 1 <= len(ends) <= 6
    np.testing.assert_allclose(path.y, np.concatenate([each.x for each in found.trajectories])[rows])
    whole, every = route(found, np.ones(2))
    assert len(every) == len(whole.y) == 22_000


def test_short_trajectories_keep_some_nodes_beside_a_long_one():
    t = np.linspace(0, 250, 5000)
    path, rows = route(measure([noisy(t), noisy(t[:30], 1)]), np.ones(2), most=500)
    assert np.count_nonzero(rows >= 5000) >= effort.LEAST_NODES
    assert path.joined[np.flatnonzero(rows >= 5000)[0] - 1] == 0


def test_second_order_has_velocities_that_were_not_measured(oscillator):
    assert oscillator.states == state_names(("x",), 2) == ("x", "x_dot")
    assert oscillator.searched == (1,)
    assert oscillator.positions == 1
    inside = slice(15, -15)
    np.testing.assert_allclose(oscillator.x[inside, 1], np.cos(T)[inside], atol=0.1)
    np.testing.assert_allclose(oscillator.x_dot[inside, 1], -np.sin(T)[inside], atol=0.3)
    np.testing.assert_array_equal(oscillator.x_dot[:, 0], oscillator.x[:, 1])
    path, _ = route(oscillator, np.array([2.0, 3.0]))
    assert path.count == 150
    assert (path.weights[:, 1] == 0).all()
    assert (path.scale > 0).all()
    assert oscillator.samples.target_names == ("x_dot",)
    assert oscillator.samples.input_names == ("x", "x_dot")


def test_what_is_known_is_taken_off_the_targets(oscillator):
    x, v = oscillator.x.T
    np.testing.assert_allclose(oscillator.targets[:, 0], oscillator.x_dot[:, 1] - (-x + 3 * v), atol=1e-12)


def test_what_is_known_in_the_units_of_a_fit(oscillator):
    """x' = v always; the user's terms with states divided by their scales and values by scale and rate."""
    scale, rates = np.array([2.0, 5.0]), np.array([1.0, 10.0])
    position, velocity = oscillator.known_flow(scale, rates)
    assert position == from_text("2.5*y", ("x", "y"))
    assert [term.coefficient for term in velocity.terms] == pytest.approx([-2 / 50, 3 * 5 / 50])


@pytest.mark.parametrize("smoothing", ["gp", "spline", "savgol"])
def test_the_description_says_how_and_how_noisy(smoothing):
    words = measure([noisy(T)], smoothing=smoothing).describe()
    way = {"gp": "Gaussian process", "spline": "smoothing spline", "savgol": "Savitzky-Golay"}[smoothing]
    assert way in words
    assert "x 0.0" in words
    assert "y 0.0" in words


def test_another_noise_of_a_state_changes_all_that_follows_from_it_and_no_other_state():
    """Of several trajectories, with values that were not measured."""
    x = noisy(T).x.copy()
    x[40:50, 1] = np.nan
    found = measure([Trajectory(T, x, names=("x", "y")), noisy(T[:30], 1)])
    assert "y 0.0" in found.describe()
    assert found.describe().count("constant") == 2
    sigma = 0.2 * np.abs(found.x[:, 1]) + 0.01
    other = found.weighed(1, sigma, "proportional")
    np.testing.assert_array_equal(np.concatenate([each.sigma[:, 1] for each in other.smoothed]), sigma)
    seen = np.isfinite(np.concatenate([each.x[:, 1] for each in found.trajectories]))
    assert other.noise[1] == pytest.approx(np.sqrt(np.mean(sigma[seen] ** 2)))
    assert other.noise[0] == found.noise[0]
    for each, before in zip(other.smoothed, found.smoothed, strict=True):
        assert each.model == ("constant", "proportional")
        np.testing.assert_allclose(each.noise, other.noise)
        np.testing.assert_array_equal(each.x, before.x)
        np.testing.assert_array_equal(each.sigma[:, 0], before.sigma[:, 0])
        for name in ("x_std", "x_dot_std", "x_ddot_std"):
            grown = getattr(each, name) / getattr(before, name)
            np.testing.assert_allclose(grown, np.ones((len(before.x), 1)) * other.noise / found.noise)
    assert f"y {other.noise[1]:.3g}" in other.describe()
    assert "proportional" in other.describe()
    assert found.describe().count("constant") == 2


def test_clean_states_are_told_to_be_clean():
    found = measure([Trajectory(T, wave(T), names=("x", "y"))])
    assert found.clean
    assert found.precise
    assert "x no noise, y no noise" in found.describe()
    size = np.std(wave(T), axis=0)
    np.testing.assert_allclose(found.sigma / size, effort.TIGHT, rtol=0.01)
    path, _ = route(found, np.ones(2))
    np.testing.assert_allclose(path.weights * path.scale, 1.0, rtol=1e-6)


@pytest.mark.parametrize(("noise", "precise"), [(1e-5, True), (1e-3, False)])
def test_states_with_hardly_any_noise_are_precise_and_not_clean(noise, precise):
    x = wave(T) + noise * np.std(wave(T)) * np.random.default_rng(2).normal(size=wave(T).shape)
    found = measure([Trajectory(T, x, names=("x", "y"))])
    assert not found.clean
    assert found.precise == precise


def test_units_of_columns_do_not_matter():
    unit = np.array([1e-11, 1e11])
    one, other = measure([noisy(T)]), measure([Trajectory(T, noisy(T).x * unit, names=("x", "y"))])
    np.testing.assert_allclose(other.x / unit, one.x, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(other.sigma / unit, one.sigma, rtol=1e-3)
    paths = [route(each, scale)[0] for each, scale in ((one, np.ones(2)), (other, unit))]
    np.testing.assert_allclose(paths[0].weights, paths[1].weights, rtol=1e-3)


def test_an_unknown_smoothing_is_refused():
    with pytest.raises(ConfigError, match="'gp', 'spline', 'savgol'"):
        measure([noisy(T)], smoothing="lowess")  # pyright: ignore[reportArgumentType]
