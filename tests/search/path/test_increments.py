"""Increments: an equation as a regression along the fitted path says what the fit of the path would say."""

from dataclasses import replace

import jax
import numpy as np
import pytest

from mathonet.data.trajectory import Trajectory
from mathonet.equation.assembly import constants
from mathonet.equation.expression import Expression
from mathonet.equation.parse import from_text
from mathonet.equation.reading import unscale
from mathonet.fit.path import ANNEAL
from mathonet.fit.shooting import known_increments, shoot, tangent_of
from mathonet.search import effort
from mathonet.search.blocks import left_by_all
from mathonet.search.config import Settings
from mathonet.search.fit import Fit
from mathonet.search.measurements.measured import measure
from mathonet.search.measurements.route import make_joint
from mathonet.search.path.fit import PathFit
from mathonet.search.path.increments import increments, left_over
from mathonet.search.path.moves import regress
from mathonet.search.samples.search import SampleSearch

T = np.linspace(0.0, 10.0, 150)
NAMES = ("x", "y")
OSCILLATOR = ("y", "y - x - y*x**2")
PUSHED = ("y", "u - x - y")
TRUE = [-1.0, 0.5, -0.8]
"""Constants of the oscillator's second equation, in the order of its form."""


def oscillator(_, x):
    return [x[1], -x[0] + 0.5 * x[1] - 0.8 * x[1] * x[0] ** 2]


def pushed(t, x):
    return [x[1], -x[0] - 0.2 * x[1] + np.cos(1.7 * t)]


@pytest.fixture(scope="module")
def runs(observe) -> dict[str, list[Trajectory]]:
    first = observe(oscillator, [1.0, 0.5], T, 0.02, names=NAMES)
    second = observe(oscillator, [-2.0, 0.1], T[:80], 0.02, 1, names=NAMES)
    push = np.cos(1.7 * T)[:, None]
    driven = observe(pushed, [1.0, 0.0], T, 0.02, names=NAMES, u=push, input_names=("u",))
    alone = Trajectory(T, first.x[:, :1], names=("x",))
    return {"one": [first], "two": [first, second], "hidden": [alone], "driven": [driven]}


def fitted(trajectories, forms, names=NAMES, order: int = 1, known=None) -> tuple[SampleSearch, PathFit, Fit]:
    """A system fitted on the path to the end, with what it was fitted by."""
    measured = measure(trajectories, order, known)
    with jax.enable_x64(True):
        search = SampleSearch(measured.samples, Settings(operations=["ident"]))
        joint = make_joint(measured, search, None)
        written = [from_text(form, names) if form else Expression() for form in forms]
        fit = joint.fit(regress(joint, written), steps=60)
    assert fit is not None
    return search, joint, fit


def regression(joint: PathFit, fit: Fit, equation: int = 1):
    with jax.enable_x64(True):
        found = increments(joint, fit, equation)
    assert found is not None
    return found


def with_form(fit: Fit, form: Expression) -> tuple[Expression, ...]:
    return (fit.forms[0], form, *fit.forms[2:])


CASES = {
    "one": (OSCILLATOR, NAMES, 1, 0.05),
    "two": (OSCILLATOR, NAMES, 1, 0.05),
    "hidden": (("", "x_dot - x - x_dot*x**2"), ("x", "x_dot"), 2, 0.05),
    "driven": (PUSHED, (*NAMES, "u"), 1, 0.1),
}


@pytest.mark.parametrize("name", CASES)
def test_the_sum_of_squares_of_another_form_is_that_of_a_path_fitted_with_it(name, runs, monkeypatch):
    """To second order; by Simpson's rule, so that hardly any error of the integrals is left."""
    monkeypatch.setattr(effort, "COARSE_INTEGRAL", 0.0)
    forms, names, order, close = CASES[name]
    _, joint, fit = fitted(runs[name], forms, names, order)
    refitter = regression(joint, fit)
    own = refitter.fit(fit.forms[1], 0).chi2
    for coefficient in (0.003, -0.003):
        form = fit.forms[1] + from_text("x**3", names).scale(coefficient)
        flow = joint.flow(with_form(fit, form))
        held = np.arange(0)
        shot = shoot(flow, flow.constants, joint.path, fit.path.x, ANNEAL[-1:], held, steps=60)
        assert shot is not None
        change = shot.chi2 - fit.path.chi2
        assert change > 10.0
        assert refitter.fit(form, 0).chi2 - own == pytest.approx(change, rel=close)


@pytest.mark.parametrize("starts", [[(1.0, 0.5)], [(1.0, 0.5), (-2.0, 0.1)]], ids=["one", "two"])
def test_a_term_that_is_missing_is_found_with_its_constants(starts, observe):
    """From the path of a system without it to the constants of the true one, and to its sum of squares."""

    def stiff(t, x):
        velocity, force = oscillator(t, x)
        return [velocity, force - 0.1 * x[0] ** 3]

    data = [observe(stiff, list(start), T, 0.02, seed, names=NAMES) for seed, start in enumerate(starts)]
    full = ("y", "y - x - x**3 - y*x**2")
    search, joint, fit = fitted(data, OSCILLATOR)
    _, other, truth = fitted(data, full)
    assert fit.path.chi2 > 1.5 * truth.path.chi2
    refitter = regression(joint, fit)
    found, own = (refitter.fit(form) for form in (from_text(full[1], NAMES), fit.forms[1]))
    gain = fit.path.chi2 - truth.path.chi2
    assert own.chi2 - found.chi2 == pytest.approx(gain, rel=0.1)
    own_places = other.flow(truth.as_fitted).places[1]
    deviations = np.sqrt(np.diagonal(np.linalg.inv(truth.path.information)))[own_places]
    assert np.abs((found.constants - constants(truth.forms[1])) / deviations).max() < 1.5
    there = constants(unscale(found.expression, search.scaling, 1))
    np.testing.assert_allclose(there, [-1.0, 0.5, -0.8, -0.1], atol=0.03)


def test_known_terms_are_no_part_of_what_a_form_has_to_give(runs):
    known = {"y": from_text("-x", NAMES)}
    _, joint, fit = fitted(runs["one"], ("y", "y - y*x**2"), known=known)
    left = regression(joint, fit).fit(fit.forms[1], 0).chi2
    assert left < 2.0 * joint.path.count


def test_an_input_that_switches_keeps_its_value_until_then(observe):
    push = np.sign(np.sin(1.1 * T))[:, None]

    def switched(t, x):
        # The value at the node before: the step after a switch begins with the new one.
        return [x[1], -x[0] - 0.2 * x[1] + push[np.searchsorted(T, t + 1e-9, side="right") - 1, 0]]

    data = observe(switched, [1.0, 0.0], T, 0.02, names=NAMES, u=push, input_names=("u",))
    _, joint, fit = fitted([data], PUSHED, (*NAMES, "u"))
    assert regression(joint, fit).fit(fit.forms[1], 0).chi2 < 2.0 * joint.path.count


def test_nothing_is_known_across_trajectories(runs):
    _, joint, fit = fitted(runs["two"], OSCILLATOR)
    q = joint.path.tight * joint.path.scale
    tangent = tangent_of(joint.flow(fit.as_fitted), fit.constants, joint.path, fit.path.x, q)
    _, known = known_increments(joint.path, tangent, q, 1)
    first = len(T) - 1
    assert known.shape == (first + 79, first + 79)
    size = np.abs(known).max()
    assert np.abs(known[:first, first:]).max() < 1e-9 * size
    assert np.abs(known[:first, :first]).max() > 0.1 * size


def test_rows_between_nodes_where_samples_are_far_apart(observe):
    """Trapezoids would be wrong by far more than the noise."""
    far = observe(oscillator, [1.0, 0.5], np.linspace(0.0, 20.0, 60), 0.002, names=NAMES)
    search, joint, fit = fitted([far], OSCILLATOR)
    refitter = regression(joint, fit)
    assert len(refitter.rows) == 60 + 59
    found = refitter.fit(fit.forms[1]).expression
    np.testing.assert_allclose(constants(unscale(found, search.scaling, 1)), TRUE, rtol=0.02)


def test_a_path_that_is_not_finite_says_nothing(runs):
    _, joint, fit = fitted(runs["one"], OSCILLATOR)
    x = fit.path.x.copy()
    x[3] = np.inf
    with jax.enable_x64(True):
        assert increments(joint, replace(fit, shot=replace(fit.path, x=x)), 1) is None


def test_what_the_present_form_leaves_is_that_of_the_path_on_clean_data():
    # Integrals by nodes and middles are far less exact than clean data: only differences may hang on them.
    x = np.column_stack([np.cos(T), -np.sin(T)]) + 1e-7 * np.sin(40 * T)[:, None]
    measured = measure([Trajectory(T, x, names=NAMES)])
    assert measured.clean
    joint = make_joint(measured, SampleSearch(measured.samples, Settings()), None)
    fit = joint.fit(regress(joint, [from_text(each, NAMES) for each in ("y", "x")]), steps=25)
    assert fit is not None
    for equation in (0, 1):
        along = increments(joint, fit, equation)
        assert along.fit(fit.forms[equation], steps=0).chi2 <= 1.05 * fit.path.chi2
        left = left_over(joint, fit, equation)
        assert left.all <= 1.05 * fit.path.chi2


def test_what_is_left_is_told_from_what_a_function_of_the_states_explains():
    x = np.column_stack([np.cos(T), -np.sin(T)])
    bent = measure([Trajectory(T, x + 1e-6 * x**3, names=NAMES)])
    rough = measure([Trajectory(T, x + 1e-7 * np.sin(40 * T)[:, None], names=NAMES)])
    shares = []
    for measured in (bent, rough):
        joint = make_joint(measured, SampleSearch(measured.samples, Settings()), None)
        fit = joint.fit(regress(joint, [from_text(each, NAMES) for each in ("y", "x")]), steps=25)
        left = left_over(joint, fit, 1)
        shares.append(left_by_all(left) / left.all)
    assert shares[0] < 1e-3 < 0.1 < shares[1]
