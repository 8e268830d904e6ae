"""When a form is the true one, and what a system of equations is worth."""

import time

import numpy as np
import pytest

from mathonet.equation.parse import from_text
from mathonet.experiments.bench.recovery import scores as recovery_scores
from mathonet.experiments.bench.recovery.cases import Case
from mathonet.experiments.bench.recovery.known_systems import nested, odebench, own
from mathonet.experiments.bench.recovery.same_form import coefficient_errors
from mathonet.experiments.bench.recovery.scores import r_squared, scores, simulated
from mathonet.precision import double_precision

ODEBENCH, OWN = odebench(), own()
ROWS = np.random.default_rng(1).uniform(0.1, 3.0, (512, 2))


@double_precision
def errors(found, truth):
    return coefficient_errors(from_text(found, ("x", "y")), from_text(truth, ("x", "y")), ROWS)


@pytest.mark.parametrize(
    ("found", "truth"),
    [
        ("1.1*x*y - 0.3*x", "x*(y - 0.2)"),
        ("0.5*x/(2.1 + 3*x)", "x/(0.7 + x)"),
        ("1 - 1/(1 + x^2)", "x^2/(1 + x^2)"),
        ("1.1 - 0.55*x - 1.02/(1.1 + x^2)", "0.1 - 0.55*x + x^2/(1 + x^2)"),
        ("0.4*x - 0.0042*x^2 - 1 + 1/(1 + x^2)", "0.4*x*(1 - x/95) - x^2/(1 + x^2)"),
        ("x - 0.1*x/(0.1 + y)", "x*y/(0.1 + y)"),
        ("0.5*x - 0.3*x/(0.2 + y) + 0.1*x^2/(0.2001 + y)", "(0.1*x^2 + 0.5*x*y - 0.2*x)/(0.2 + y)"),
        ("sin(x + 0.3)", "0.7*sin(x) + 0.2*cos(x)"),
        ("0.7*sin(x) + 0.2*cos(x)", "sin(x + 0.3)"),
        ("0.5*sin(2*x) - 0.93*sin(x)", "sin(x)*(cos(x) - 0.93)"),
        ("2.6*sin(x) - 1.6*sin(x)*cos(2*y)", "sin(x)*(cos(y)^2 + 4.2*sin(y)^2)"),
        ("0.5*sin(x + y) - 0.5*sin(x - y)", "cos(x)*sin(y)"),
        ("cos(x)/tan(y)", "cos(y)/sin(y)*cos(x)"),
        ("sin(x - y)", "sin(x)*cos(y) - cos(x)*sin(y)"),
        ("0.48*tanh(0.5*x - 0.2)", "1/(1 + exp(0.5 - x/0.96)) - 0.5"),
        ("1/(1 + exp(-1.1*x - 0.2))", "exp(x)/(exp(x) + 1)"),
        ("0.032*x*log(x) + 0.03*x", "0.032*x*log(2.29*x)"),
        ("1.2*x*abs(x)", "x*abs(x)"),
    ],
)
def test_one_form_written_in_many_ways(found, truth):
    assert errors(found, truth) is not None
    assert max(errors(truth, truth)) < 1e-6


@pytest.mark.parametrize(
    ("found", "truth"),
    [
        ("x*y", "x*y + 0.1*x"),
        ("x*y + 0.1*x + 1e-9*y", "x*y + 0.1*x"),
        ("x - x^3/6", "sin(x)"),
        ("1.02 - 1/(1 + x^2)", "x^2/(1 + x^2)"),
        ("0.7*sin(1.01*x) + 0.2*cos(x)", "sin(x + 0.3)"),
        ("cos(x + 0.1)*sin(y)", "cos(x)*sin(y)"),
        ("0.5*tanh(0.52*x - 0.25) + 0.001", "1/(1 + exp(0.5 - x/0.96)) - 0.5"),
        ("2.6*sin(x) - 1.6*sin(x)*cos(2*y) + 0.001*x", "sin(x)*(cos(y)^2 + 4.2*sin(y)^2)"),
        ("x^2/(1 + x^2) + 0.3*x^2/(2 + x^2)", "x^2/(1 + x^2)"),
        ("x^2", "x*abs(x)"),
        ("x*abs(y)", "x*y"),
        ("0*x", "x"),
        ("x", "y"),
    ],
)
def test_another_form_is_not_the_true_one(found, truth):
    assert errors(found, truth) is None


def test_errors_are_those_of_the_constants_as_written():
    assert errors("1.1*x - 0.4*y", "x - 0.5*y") == pytest.approx([0.1, 0.2])
    # 0.5 tanh(u/2) with u = x/0.96 - 0.5 is the truth.
    found = errors("0.6*tanh(0.52083333333*x - 0.25)", "1/(1 + exp(0.5 - x/0.96)) - 0.5")
    assert found == pytest.approx([0.2, 0.0, 0.0], abs=1e-8)


@pytest.mark.parametrize("number", [1, 4, 7, 10, 22, 30, 33, 35, 44, 46, 53, 56, 62])
def test_the_truth_has_every_score(number):
    case = Case(ODEBENCH[number - 1], 150)
    found = scores(case, case.dynamics.truth)
    assert found["exact"]
    assert found["same_function"]
    assert found["difference"] == 0.0
    assert set(found["errors"]) == {0.0}
    assert min(found["r2"]) > 1.0 - 1e-6


@pytest.mark.slow
def test_every_truth_has_every_score():
    for dynamics in ODEBENCH:
        found = scores(Case(dynamics, 150), dynamics.truth)
        assert found["exact"], dynamics.name
        assert found["same_function"], dynamics.name
        assert min(found["r2"]) > 1.0 - 1e-6, dynamics.name


def test_a_power_is_compared_on_the_side_of_zero_that_the_data_are_on():
    case = Case(next(each for each in OWN if each.name == "theta-logistic"), 150)
    assert (case.box() < 0).any()
    assert scores(case, [from_text("1.26*n - 0.64*exp(1.37*log(n))", ("n",))])["exact"]


def test_a_long_form_that_follows_the_truth_to_nine_digits_is_another():
    case = Case(next(each for each in nested() if each.name == "limited-electrode"), 150)
    found = (
        "0.57344 + 0.052780*v - 0.020796*v^2 - 0.0012597*v^3 - 2.4645*tanh(0.42644*v + 0.43210)"
        " - 1.1101*tanh(0.71475*v - 0.63379) - 0.049358*v*tanh(0.42644*v + 0.43210)"
        " + 0.22821*v*tanh(0.71475*v - 0.63379)"
        " - 1.2155*tanh(0.42644*v + 0.43210)*tanh(0.71475*v - 0.63379)"
    )
    assert not scores(case, [from_text(found, ("v",))])["exact"]


def test_scores_tell_apart_what_is_right():
    case = Case(ODEBENCH[26], 150)
    rates, others = case.dynamics.truth
    found = scores(case, [rates.scale(1.2), others])
    assert (found["exact"], found["right"], found["same_function"]) == (True, [True, True], False)
    assert found["difference"] == pytest.approx(0.2)
    assert max(found["errors"]) == pytest.approx(0.2)
    found = scores(case, [rates, from_text("-2.5*x1", case.names)])
    assert (found["exact"], found["right"]) == (False, [True, False])
    assert not found["reconstruction"]


def test_r2_is_weighted_by_the_variances():
    case = Case(ODEBENCH[23], 150)
    still = [from_text("0*x0", case.names)] * 2
    clean = case.dynamics.trajectory(1, 150).x
    left = np.sum((clean - clean[0]) ** 2) / np.sum((clean - clean.mean(axis=0)) ** 2)
    assert r_squared(case, still, 1) == pytest.approx(1.0 - left, abs=1e-9)


@pytest.mark.parametrize("formula", ["x^2", "exp(x)", "1/(x - 2)^2 + x^3", "sqrt(1 - x)"])
def test_a_simulation_that_blows_up_or_leaves_its_domain_ends(formula):
    t = np.linspace(0.0, 100.0, 150)
    began = time.perf_counter()
    found = simulated([from_text(formula, ("x",))], ("x",), np.array([1.5]), t, np.array([2.0]))
    assert found is None or np.isfinite(found).all()
    assert time.perf_counter() - began < 5.0


def test_a_simulation_that_takes_too_long_ends(monkeypatch):
    monkeypatch.setattr(recovery_scores, "MOST_CALLS", 500)
    forms = [from_text(f, ("x", "y")) for f in ("900*y", "-900*x")]
    t = np.linspace(0.0, 100.0, 150)
    assert simulated(forms, ("x", "y"), np.array([1.0, 0.0]), t, np.ones(2)) is None
