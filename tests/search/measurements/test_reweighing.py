"""Reweighing: the noise that a right system leaves, where smoothing saw another; a wrong one is not asked."""

from dataclasses import replace

import jax
import numpy as np
import pytest

from mathonet.data.trajectory import Trajectory
from mathonet.equation.parse import from_text
from mathonet.search.config import Settings
from mathonet.search.fit import Fit
from mathonet.search.measurements.measured import Measured, measure
from mathonet.search.measurements.reweighing import reweighed
from mathonet.search.measurements.route import make_joint
from mathonet.search.path.fit import PathFit
from mathonet.search.samples.search import SampleSearch

T = np.linspace(0.0, 20.0, 200)
NAMES = ("x", "y")
TRUE = ("x - x*y", "-y + x*y")


def predators(_, x):
    return [1.1 * x[0] - 0.4 * x[0] * x[1], -0.4 * x[1] + 0.1 * x[0] * x[1]]


@pytest.fixture(scope="module")
def clean(observe) -> Trajectory:
    return observe(predators, [10.0, 5.0], T, names=NAMES)


def noisy(clean: Trajectory, level, seed: int = 0) -> Trajectory:
    return replace(clean, x=clean.x + level * np.random.default_rng(seed).normal(size=clean.x.shape))


def fitted(measured: Measured, forms=TRUE, most: int | None = None) -> tuple[PathFit, Fit, np.ndarray]:
    with jax.enable_x64(True):
        search = SampleSearch(measured.samples, Settings())
        joint = make_joint(measured, search, most)
        fit = joint.fit([from_text(form, measured.states) for form in forms])
    assert fit is not None
    return joint, fit, search.scaling.inputs


def misjudged(measured: Measured, factor: float) -> Measured:
    """The same with so many times the noise."""
    for state, level in enumerate(factor * measured.noise):
        measured = measured.weighed(state, np.full(len(measured.x), level), "constant")
    return measured


@pytest.mark.parametrize("factor", [0.3, 3.0])
def test_noise_that_smoothing_misjudged_is_taken_from_the_fit(clean, factor):
    wrong = misjudged(measure([noisy(clean, [0.3, 0.1])]), factor)
    joint, fit, units = fitted(wrong)
    found = reweighed(joint, fit, wrong, units)
    assert found is not None
    np.testing.assert_allclose(found.noise, [0.3, 0.1], rtol=0.2)
    assert {each.model for each in found.smoothed} == {("constant", "constant")}


def test_noise_that_smoothing_saw_right_stays(clean):
    measured = measure([noisy(clean, [0.3, 0.1])])
    joint, fit, units = fitted(measured)
    assert reweighed(joint, fit, measured, units) is None


@pytest.mark.parametrize("factor", [0.1, 1.0])
def test_what_a_wrong_system_leaves_is_no_noise(clean, factor):
    measured = misjudged(measure([noisy(clean, [0.3, 0.1])]), factor)
    joint, fit, units = fitted(measured, ("x - x*y", "-y"))
    assert reweighed(joint, fit, measured, units) is None


def test_noise_that_grows_with_the_value_is_told_and_said(clean):
    """At every time as large as the value that the system has there."""
    even = misjudged(measure([noisy(clean, 0.05 * clean.x)]), 1.0)
    assert even.describe().count("constant") == 2
    joint, fit, units = fitted(even)
    found = reweighed(joint, fit, even, units)
    assert found is not None
    assert found.describe().count("proportional") == 2
    large = clean.x > 0.5 * np.sqrt(np.mean(clean.x**2, axis=0))
    np.testing.assert_allclose(found.smoothed[0].sigma[large], 0.05 * clean.x[large], rtol=0.3)
    again = fitted(found)
    assert reweighed(again[0], again[1], found, again[2]) is None


def test_a_thinned_path_tells_the_noise_of_every_value(observe):
    t = np.linspace(0.0, 60.0, 3000)
    long = observe(predators, [10.0, 5.0], t, names=NAMES)
    even = misjudged(
        measure([noisy(long, 0.05 * long.x), noisy(replace(long, t=t + 100.0), 0.05 * long.x, 1)]), 1
    )
    joint, fit, units = fitted(even, most=600)
    assert len(fit.path.x) < 1000
    found = reweighed(joint, fit, even, units)
    assert found is not None
    large = long.x > 0.5 * np.sqrt(np.mean(long.x**2, axis=0))
    for each in found.smoothed:
        np.testing.assert_allclose(each.sigma[large], 0.05 * long.x[large], rtol=0.3)


def test_short_trajectories_and_missing_values(clean):
    whole = noisy(clean, [0.3, 0.1])
    x = whole.x.copy()
    x[50:60, 0] = np.nan
    x[::3, 1] = np.nan
    parts = [Trajectory(T[:120], x[:120], names=NAMES), Trajectory(T[120:126], x[120:126], names=NAMES)]
    parts.append(Trajectory(T[126:], x[126:], names=NAMES))
    wrong = misjudged(measure(parts), 4.0)
    joint, fit, units = fitted(wrong)
    found = reweighed(joint, fit, wrong, units)
    assert found is not None
    np.testing.assert_allclose(found.noise, [0.3, 0.1], rtol=0.25)
    assert all(np.isfinite(each.sigma).all() for each in found.smoothed)


def test_velocities_that_were_not_measured_have_no_noise(observe):
    swing = observe(lambda _, x: [x[1], -x[0]], [1.0, 0.0], T)
    x = swing.x[:, :1] + 0.02 * np.random.default_rng(0).normal(size=(len(T), 1))
    wrong = misjudged(measure([Trajectory(T, x, names=("x",))], 2), 5.0)
    joint, fit, units = fitted(wrong, ("0", "-x"))
    found = reweighed(joint, fit, wrong, units)
    assert found is not None
    np.testing.assert_allclose(found.noise, [0.02], rtol=0.2)
    assert found.states == ("x", "x_dot")


def test_weights_of_the_user_stay(clean):
    given = replace(noisy(clean, [0.3, 0.1]), weights=np.ones_like(clean.x))
    wrong = misjudged(measure([given]), 3.0)
    joint, fit, units = fitted(wrong)
    assert reweighed(joint, fit, wrong, units) is None


def test_clean_states_have_no_noise_to_tell(clean):
    measured = measure([clean])
    joint, fit, units = fitted(measured)
    assert joint.clean
    assert reweighed(joint, fit, measured, units) is None


def test_a_state_taken_as_exact_does_not_keep_another_from_being_told_anew(clean):
    """Sharp bends of one state can look like noise to smoothing; beside it the others then count as exact."""
    wrong = misjudged(measure([clean]), 1.0).weighed(0, np.full(len(T), 0.3), "constant")
    assert wrong.exact == (1,)
    joint, fit, units = fitted(wrong)
    found = reweighed(joint, fit, wrong, units)
    assert found is not None
    assert found.noise[0] < 1e-3
