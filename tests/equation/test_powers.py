"""Powers written with logarithms become plain where they may, and mean the same."""

import numpy as np
import pytest

from mathonet.equation.expression import apply, number, variable
from mathonet.equation.flow import evaluate
from mathonet.equation.powers import plain_powers, whole_powers
from mathonet.operations import get

X = variable(0)
LOG = apply(get("log"), X)


@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize(
    ("exponent", "calls"), [(1.5, ["sqrt"]), (-1.5, ["sqrt"]), (0.5, ["sqrt"]), (3.0, []), (-2.0, [])]
)
def test_powers_that_are_half_or_whole_become_plain_on_either_side_of_zero(side, exponent, calls):
    rows = side * np.linspace(0.3, 2.0, 20)[:, None]
    given = variable(0) + apply(get("exp"), apply(get("log"), variable(0)).scale(exponent + 1e-5)).scale(1.7)
    found = plain_powers(given, get("sqrt"), lambda part: evaluate(part, rows))
    assert [call.operation.name for call in found.calls()] == calls
    np.testing.assert_allclose(evaluate(found, rows), evaluate(given, rows), rtol=1e-3)


def test_other_powers_and_inputs_of_both_signs_stay_as_they_are():
    real = apply(get("exp"), apply(get("log"), variable(0)).scale(0.75))
    half = apply(get("exp"), apply(get("log"), variable(0)).scale(0.5))
    positive, both = np.linspace(0.1, 1.0, 9)[:, None], np.linspace(-1.0, 1.0, 8)[:, None]
    for form, rows in ((real, positive), (half, both)):
        assert plain_powers(form, get("sqrt"), lambda part, rows=rows: evaluate(part, rows)) == form


@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize("slope", [2.5, -2.5, 1.0])
def test_a_tanh_of_a_logarithm_is_a_quotient_of_powers(side, slope):
    rows = side * np.linspace(0.3, 2.0, 20)[:, None]
    given = X + apply(get("tanh"), LOG.scale(slope + 1e-6) + number(-0.4)).scale(0.2)
    (found,) = whole_powers(given, lambda part: evaluate(part, rows))
    assert [call.operation.name for call in found.calls()] == ["inv"]
    np.testing.assert_allclose(evaluate(found, rows), evaluate(given, rows), rtol=1e-5)


def test_a_tanh_of_other_slopes_or_of_both_signs_stays():
    positive, both = np.linspace(0.1, 1.0, 9)[:, None], np.linspace(-1.0, 1.0, 8)[:, None]
    for slope, rows in ((0.8, positive), (1.5, both)):
        given = apply(get("tanh"), LOG.scale(slope) + number(0.1))
        assert list(whole_powers(given, lambda part, rows=rows: evaluate(part, rows))) == []


@pytest.mark.parametrize("operation", ["exp", "tanh"])
def test_slopes_that_run_away_become_no_powers(operation):
    base = np.linspace(1.0, 2.0, 20)[:, None]
    form = apply(get(operation), apply(get("log"), variable(0)).scale(1e9))
    assert plain_powers(form, get("sqrt"), lambda each: evaluate(each, base)) == form
    assert not list(whole_powers(form, lambda each: evaluate(each, base)))
