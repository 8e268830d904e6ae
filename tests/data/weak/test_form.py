"""The weak form: exact on clean data, honest about noise, for any grids, small in memory."""

import tracemalloc

import numpy as np
import pytest

from mathonet import systems
from mathonet.data.samples import Samples
from mathonet.data.trajectory import Trajectory
from mathonet.data.weak import weak_samples
from mathonet.data.weak.bump import Bumps, interpolation
from mathonet.data.weak.rate import channel_rate, difference_noise
from mathonet.errors import ConfigError, DataError

T = 0.01 * np.arange(1000)


def states(
    name: str = "lorenz", t: np.ndarray = T, noise: float = 0.0, seed: int = 0, **options
) -> Trajectory:
    made = systems.get(name).simulate(t=t, noise=noise, seed=seed, **options)
    return Trajectory(made.t, made.x, names=made.names)


CLEAN = states()
LORENZ = (
    (lambda x: np.stack([x[:, 0], x[:, 1]], 1), [-10, 10]),
    (lambda x: np.stack([x[:, 0], x[:, 1], x[:, 0] * x[:, 2]], 1), [28, -1, -1]),
    (lambda x: np.stack([x[:, 2], x[:, 0] * x[:, 1]], 1), [-8 / 3, 1]),
)
LOTKA_VOLTERRA = (
    (lambda x: np.stack([x[:, 0], x[:, 0] * x[:, 1]], 1), [1.3, -0.9]),
    (lambda x: np.stack([x[:, 1], x[:, 0] * x[:, 1]], 1), [-1.8, 0.8]),
)


def fitted(samples: Samples, terms, target: int, whiten: bool = True) -> tuple[np.ndarray, np.ndarray]:
    """Coefficients of the true terms and their deviations, by linear least squares."""
    assert samples.operator is not None
    columns = np.einsum("rw,rwk->rk", samples.operator.value, terms(samples.inputs)[samples.operator.index])
    wanted = samples.targets[:, target]
    if whiten:
        columns, wanted = samples.weights @ columns, samples.weights @ wanted
    inverse = np.linalg.inv(columns.T @ columns)
    found = np.linalg.lstsq(columns, wanted, rcond=None)[0]
    left = wanted - columns @ found
    return found, np.sqrt(np.diagonal(inverse) * (left @ left) / (len(left) - len(found)))


def worst(samples: Samples, equations=LORENZ) -> float:
    """Largest relative error of a coefficient."""
    errors = [
        np.abs(fitted(samples, terms, target)[0] / values - 1)
        for target, (terms, values) in enumerate(equations)
    ]
    return float(np.concatenate(errors).max())


def test_interpolation_is_exact_for_cubics_and_amplifies_nothing():
    t = np.sort(np.random.default_rng(0).uniform(0.0, 1.0, 60))
    nodes, weights, matrix = interpolation(t)
    inside = (nodes > t[6]) & (nodes < t[-7])
    np.testing.assert_allclose((matrix @ (t**3 - t))[inside], (nodes**3 - nodes)[inside], atol=1e-13)
    assert weights.sum() == pytest.approx(t[-1] - t[0])
    assert np.abs(matrix.toarray()).sum(axis=1).max() < 2.0


@pytest.mark.parametrize("power", [3, 8])
@pytest.mark.parametrize(
    "t", [T, np.sort(np.random.default_rng(1).uniform(0, 10, 3000))], ids=["even", "random"]
)
def test_bumps_have_area_one_and_their_slopes_integrate_by_parts(power, t):
    bumps = Bumps(np.arange(len(t)), t, np.array([0.5, 5.0]), 0.2, power)
    value, slope, second = (bumps.rows(order, len(t)) for order in range(3))
    tolerance = {3: 1e-5, 8: 1e-9}[power] if t is T else 1e-6
    np.testing.assert_allclose(value @ np.ones(len(t)), 1.0, atol=tolerance)
    np.testing.assert_allclose(value @ np.cos(t), -(slope @ np.sin(t)), atol=30 * tolerance)
    if power == 8:
        np.testing.assert_allclose(value @ np.sin(t), -(second @ np.sin(t)), atol=1e3 * tolerance)


def test_steps_under_a_bump_end_where_the_samples_do():
    t = np.array([0.0, 1.0, 2.0, 4.0, 5.0, 6.0])
    least, most = Bumps(np.arange(6), t, np.array([1.0, 3.0, 5.0, 5.5]), 1.0, 3).steps
    np.testing.assert_array_equal(least, [1, 2, 1, np.inf])
    np.testing.assert_array_equal(most, [1, 2, 1, np.inf])


@pytest.mark.parametrize(
    "t", [T, np.sort(np.random.default_rng(1).uniform(0, 10, 1000))], ids=["even", "random"]
)
def test_noise_and_rate_are_seen(t):
    x = np.sin(7.0 * t)
    noisy = x + 0.05 * np.random.default_rng(2).normal(size=len(t))
    assert difference_noise(t, noisy) ** 0.5 == pytest.approx(0.05, rel=0.15)
    second, first = channel_rate(t, noisy, 0.05**2)
    assert np.sqrt(second / first) == pytest.approx(7.0, rel=0.2)


@pytest.mark.parametrize(
    ("trajectory", "equations", "bound"),
    [
        (CLEAN, LORENZ, 1e-9),
        (
            states("lotka-volterra", np.linspace(0, 30, 300)),
            LOTKA_VOLTERRA,
            1e-6,
        ),
    ],
    ids=["lorenz", "lotka-volterra"],
)
def test_true_terms_are_exact_on_clean_states(trajectory, equations, bound):
    samples = weak_samples([trajectory])
    assert worst(samples, equations) < bound
    for target, (terms, values) in enumerate(equations):
        predicted = samples.weights @ np.einsum(
            "rw,rw->r", samples.operator.value, (terms(samples.inputs) @ values)[samples.operator.index]
        )
        left = samples.weights @ samples.targets[:, target] - predicted
        # What quadrature leaves is about what the floor says.
        assert np.sqrt(np.mean(left**2)) < 50.0 * samples.resolution[target]


@pytest.mark.parametrize(("power", "least", "most"), [(3, 1e-6, 1e-2), (8, 0.0, 1e-7)])
def test_higher_powers_have_smaller_quadrature_errors(power, least, most):
    assert least < worst(weak_samples([CLEAN], width=15, power=power)) < most


def test_noise_asks_for_whitening():
    """Standardised errors are of about one deviation with whitening and far more without, over 120 draws."""
    t = np.linspace(0.0, 15.0, 200)
    clean = states("lotka-volterra", t)
    rng, sigma = np.random.default_rng(5), 0.01 * np.sqrt(np.mean(clean.x**2, axis=0))
    terms, values = LOTKA_VOLTERRA[0]
    standard = {True: [], False: []}
    for _ in range(120):
        noisy = Trajectory(t, clean.x + sigma * rng.normal(size=clean.x.shape))
        samples = weak_samples([noisy], width=12, power=5, noise=sigma)
        for whiten in standard:
            found, deviation = fitted(samples, terms, 0, whiten)
            standard[whiten].append((found - values) / deviation)
    white, plain = (float(np.sqrt(np.mean(np.square(standard[whiten])))) for whiten in (True, False))
    assert 0.8 < white < 1.4
    assert plain > 1.25 * white


@pytest.mark.parametrize("noise", [0.01, 0.05])
def test_coefficients_of_noisy_lorenz(noise):
    errors = [worst(weak_samples([states(noise=noise, seed=seed)])) for seed in range(4)]
    assert np.median(errors) < 5 * noise


def test_smoothed_states_enter_f_and_raw_ones_b():
    noisy = states(noise=0.05)
    raw, smooth = weak_samples([noisy]), weak_samples([noisy], states=[CLEAN.x])
    np.testing.assert_array_equal(raw.targets, smooth.targets)
    assert worst(smooth) < worst(raw)


def test_several_trajectories_of_different_grids_share_no_rows():
    other = states(t=np.arange(0.0, 6.0, 0.015), start=(3.0, -4.0, 20.0))
    both = weak_samples([CLEAN, other])
    assert worst(both) < 1e-7
    first = np.isin(both.inputs[:, 0], CLEAN.x[:, 0])[both.operator.index]
    assert not np.any(first.any(axis=1) & ~first.all(axis=1))
    ours = np.flatnonzero(first.all(axis=1))
    assert 0 < len(ours) < len(both.targets)
    assert np.abs(both.weights[np.ix_(np.setdiff1d(np.arange(len(both.targets)), ours), ours)]).max() == 0.0


def test_a_trajectory_shorter_than_a_bump_is_passed_over():
    short = Trajectory(T[:9], CLEAN.x[:9], names=CLEAN.names)
    alone, both = weak_samples([CLEAN]), weak_samples([CLEAN, short])
    np.testing.assert_allclose(both.targets, alone.targets)


@pytest.mark.parametrize("kind", ["jitter", "half", "random"])
def test_irregular_times(kind):
    rng = np.random.default_rng(0)
    t = {
        "jitter": T + 0.004 * rng.uniform(-1, 1, 1000),
        "half": T[np.sort(rng.choice(1000, 500, replace=False))],
        "random": np.sort(rng.uniform(0, 10, 1000)),
    }[kind]
    assert worst(weak_samples([states(t=t)])) < (1e-3 if kind == "jitter" else 0.06)
    assert worst(weak_samples([states(t=t, noise=0.01)])) < 0.1


def test_missing_values_are_left_out_of_their_channel():
    x = np.array(states(noise=0.01).x)
    x[300:360, 1] = np.nan
    x[np.random.default_rng(3).random(x.shape) < 0.02] = np.nan
    samples = weak_samples([Trajectory(T, x, names=CLEAN.names)])
    assert np.isfinite(samples.inputs).all()
    assert worst(samples) < 0.1
    # With smoothed states f is known everywhere; the gap of y costs the rows over it all the same.
    filled = weak_samples([Trajectory(T, x, names=CLEAN.names)], states=[CLEAN.x])
    assert worst(filled) < 0.05


def test_known_inputs_are_inputs_of_f():
    t = np.linspace(0, 20, 400)
    u = np.cos(1.3 * t)
    x = (np.cos(1.3 * t) + 1.3 * np.sin(1.3 * t)) / (1 + 1.3**2)
    samples = weak_samples([Trajectory(t, x, u=u)])
    assert samples.input_names == ("x", "u")
    assert samples.target_names == ("x",)
    found, _ = fitted(samples, lambda values: values, 0)
    np.testing.assert_allclose(found, [-1.0, 1.0], atol=1e-5)


def test_more_noise_makes_wider_bumps_and_units_change_nothing():
    slow, fast = (weak_samples([states(noise=noise)]) for noise in (0.02, 0.4))
    assert fast.operator.index.shape[1] >= slow.operator.index.shape[1]
    noisy = states(noise=0.02)
    units = np.array([1e-8, 1.0, 1e14])
    scaled = weak_samples([Trajectory(noisy.t * 1e3, noisy.x * units, names=noisy.names)])
    np.testing.assert_allclose(scaled.targets / units * 1e3, slow.targets, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("points", [3, 12])
def test_fewer_points_than_a_bump_are_refused(points):
    with pytest.raises(DataError, match=f"Fewer than 4 bumps.*longest trajectory has {points} times"):
        weak_samples([Trajectory(T[:points], CLEAN.x[:points])], width=10)


def test_state_that_was_never_measured_is_refused():
    x = np.array(CLEAN.x)
    x[:, 1] = np.nan
    with pytest.raises(DataError, match="'y' was never measured"):
        weak_samples([Trajectory(T, x)])


def test_values_of_weight_zero_are_missing():
    weights = np.ones(CLEAN.x.shape)
    weights[300:320] = 0.0
    x = np.array(CLEAN.x)
    x[300:320] = 1e3
    assert worst(weak_samples([Trajectory(T, x, names=CLEAN.names, weights=weights)])) < 1e-3


def test_everything_missing_at_some_time_is_refused():
    x = np.array(CLEAN.x)
    x[::2, 0], x[1::2, 1] = np.nan, np.nan
    with pytest.raises(DataError, match="no time at which all states"):
        weak_samples([Trajectory(T, x)])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"width": 2}, "width of the bumps must be at least 4"),
        ({"power": 1}, "power of the bumps must be at least 2"),
        ({"count": 0}, "count of the bumps must be at least 4"),
        ({"noise": np.array([-1.0, 1.0, 1.0])}, "noise must be"),
        ({"noise": np.ones(2)}, "noise must be"),
    ],
)
def test_numbers_out_of_range_are_refused(options, message):
    with pytest.raises(ConfigError, match=message):
        weak_samples([CLEAN], **options)


def test_trajectories_that_do_not_belong_together_are_refused():
    with pytest.raises(DataError, match="at least one"):
        weak_samples([])
    with pytest.raises(DataError, match="differ in their"):
        weak_samples([CLEAN, Trajectory(T, CLEAN.x[:, :2])])
    with pytest.raises(DataError, match="smoothed states have the shapes"):
        weak_samples([CLEAN], states=[CLEAN.x[:-1]])


def test_hundred_thousand_points_need_little_memory():
    t = np.linspace(0.0, 2000.0, 100_000)
    x = np.stack([np.cos(t), -np.sin(t)], axis=1)
    tracemalloc.start()
    samples = weak_samples([Trajectory(t, x)])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 300e6
    assert len(samples.targets) <= 1000
    assert sum(getattr(samples, part).nbytes for part in ("inputs", "targets", "weights")) < 20e6
    # Stretches from all over the data.
    assert len(np.unique(np.round(np.arctan2(-samples.inputs[:, 1], samples.inputs[:, 0]), 1))) > 50
    found, _ = fitted(samples, lambda values: values, 0)
    np.testing.assert_allclose(found, [0.0, 1.0], atol=1e-7)
    assert len(weak_samples([Trajectory(t, x)], count=250).targets) <= 250
