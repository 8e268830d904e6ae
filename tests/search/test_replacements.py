"""Replacements: other sums of few terms, fitted only where the increments of the path promise something."""

import jax
import numpy as np
import pytest

from mathonet.equation.flow import evaluate
from mathonet.equation.parse import from_text
from mathonet.fit.path import ANNEAL
from mathonet.search import replacements as room
from mathonet.search.joint import LARGE, Joint, JointFit
from mathonet.search.pursuit import regress
from mathonet.search.replacements import MOST_FITTED, recombined, straightened

T = np.linspace(0.0, 12.0, 150)
NAMES = ("x", "y")
TRUTH = ("x + x*y", "y + x*y")


@pytest.fixture
def joint(observe, joint_of) -> Joint:
    def predators(_, x):
        return [1.1 * x[0] - 0.4 * x[0] * x[1], -0.8 * x[1] + 0.3 * x[0] * x[1]]

    return joint_of(observe(predators, [3.0, 1.5], T, 0.03), operations=["ident"])


def fitted(joint: Joint, *texts: str) -> JointFit:
    with jax.enable_x64(True):
        found = joint.fit(regress(joint, [from_text(text, NAMES) for text in texts]), steps=40)
    assert found is not None
    return found


def other(joint: Joint, fit: JointFit, equation: int) -> JointFit | None:
    with jax.enable_x64(True):
        return recombined(joint, fit, equation, np.ones(2), plain=True)


def test_a_wrong_sum_of_monomials_is_left_in_one_step(joint):
    """No single term added, dropped or exchanged leads from one to the other."""
    wrong = fitted(joint, "1 + y + y**2 + x**2 + x**3", TRUTH[1])
    before = len(joint.seen)
    found = other(joint, wrong, 0)
    assert found is not None
    assert found.skeleton == tuple(from_text(text, NAMES).skeleton for text in TRUTH)
    assert found.score < wrong.score - 100.0
    assert 0 < len(joint.seen) - before <= MOST_FITTED


def test_what_is_not_predicted_to_pay_is_not_fitted(joint, monkeypatch):
    fit = fitted(joint, *TRUTH)
    before = len(joint.seen)
    monkeypatch.setattr(room, "PROMISE", -1e6)
    assert other(joint, fit, 0) is None
    assert len(joint.seen) == before


def test_where_the_increments_say_nothing_nothing_is_tried(joint, monkeypatch):
    fit = fitted(joint, *TRUTH)
    monkeypatch.setattr(room, "increments", lambda *given: None)
    assert other(joint, fit, 0) is None


@pytest.mark.parametrize(("factor", "cheap"), [(1.0, True), (20.0, False)])
def test_large_coefficients_have_a_price(joint, factor, cheap):
    """Cauchy's law for every coefficient: nothing for those near one, and the same under another floor."""
    truth = fitted(joint, *TRUTH)
    joint.seen.clear()
    forms = [form.scale(factor) for form in truth.forms]
    fit = joint.fit(forms, truth.shot.x, ANNEAL[-1:], steps=0)
    assert fit is not None
    coefficients = np.array([term.coefficient for form in fit.forms for term in form.terms])
    price = fit.score - joint.score(fit.flow.forms, fit.shot.chi2)
    assert price == pytest.approx(2.0 * np.log1p((coefficients / LARGE) ** 2).sum())
    assert (price < 1.0) == cheap
    assert joint.loosened(0.5).seen[fit.skeleton].score == pytest.approx(fit.score)


def test_calls_that_are_nearly_straight_become_their_series():
    rows = np.random.default_rng(0).uniform(-2.0, 2.0, (200, 2))
    flat = from_text("2e6*cos(0.001*x)*cos(0.001*y) - 2e6 + 3*x*y", NAMES)
    found = straightened(flat, rows)
    wanted = from_text("-x**2 - y**2 + 3*x*y", NAMES)
    assert not any(found.calls())
    np.testing.assert_allclose(evaluate(found, rows), evaluate(wanted, rows), atol=1e-4)


def test_a_series_may_end_with_the_straight_line():
    rows = np.random.default_rng(0).uniform(-2.0, 2.0, (200, 2))
    form = from_text("500*sin(0.002*x) + y", NAMES)
    assert straightened(form, rows, order=1).skeleton == from_text("x + y", NAMES).skeleton
    assert straightened(form, rows).skeleton == from_text("x + y + x**3", NAMES).skeleton


def test_calls_that_bend_stay():
    rows = np.random.default_rng(0).uniform(-2.0, 2.0, (200, 2))
    for text in ("sin(x) + y", "x/(3 + y)", "exp(x*y) - y"):
        form = from_text(text, NAMES)
        assert straightened(form, rows) is form


@pytest.mark.parametrize("text", ["tan(1.5708 + 0.001*x) + y", "y/cos(0.001*x)", "1/x + sin(0.01*y)"])
def test_a_series_that_is_no_help_is_not_taken(text):
    rows = np.random.default_rng(0).uniform(-2.0, 2.0, (200, 2))
    rows[0, 0] = 0.0
    form = from_text(text, NAMES)
    assert straightened(form, rows) is form
