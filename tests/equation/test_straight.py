"""Straight calls: those that do not bend on the data become their series, all others stay."""

import numpy as np
import pytest

from mathonet.equation.flow import evaluate
from mathonet.equation.parse import from_text
from mathonet.equation.straight import STRAIGHT, bends, straightened

NAMES = ("x", "y")
ROWS = np.random.default_rng(0).uniform(-2.0, 2.0, (200, 2))


def test_calls_that_are_nearly_straight_become_their_series():
    flat = from_text("2e6*cos(0.001*x)*cos(0.001*y) - 2e6 + 3*x*y", NAMES)
    found = straightened(flat, ROWS)
    wanted = from_text("-x**2 - y**2 + 3*x*y", NAMES)
    assert not any(found.calls())
    np.testing.assert_allclose(evaluate(found, ROWS), evaluate(wanted, ROWS), atol=1e-4)


def test_a_series_may_end_with_the_straight_line():
    form = from_text("500*sin(0.002*x) + y", NAMES)
    assert straightened(form, ROWS, order=1).skeleton == from_text("x + y", NAMES).skeleton
    assert straightened(form, ROWS).skeleton == from_text("x + y + x**3", NAMES).skeleton


@pytest.mark.parametrize("text", ["sin(x) + y", "x/(3 + y)", "exp(x*y) - y"])
def test_calls_that_bend_stay(text):
    form = from_text(text, NAMES)
    assert straightened(form, ROWS) is form
    assert all(bends(call, ROWS, STRAIGHT) for call in form.calls())


@pytest.mark.parametrize("text", ["tan(1.5708 + 0.001*x) + y", "y/cos(0.001*x)", "1/x + sin(0.01*y)"])
def test_a_series_that_is_no_help_is_not_taken(text):
    rows = ROWS.copy()
    rows[0, 0] = 0.0
    form = from_text(text, NAMES)
    assert straightened(form, rows) is form


def test_a_straight_call_is_told_from_one_that_bends():
    (straight,) = from_text("sin(0.001*x)", NAMES).calls()
    assert not bends(straight, ROWS, STRAIGHT)
