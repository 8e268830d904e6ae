"""Known terms: parsed safely, taken off what is searched, and back in the result without a deviation."""

from fractions import Fraction

import numpy as np
import pytest
import sympy

from mathonet.data.samples import Samples
from mathonet.equation.equation import Equation, EquationSystem
from mathonet.equation.expression import Expression, number
from mathonet.equation.parse import from_text
from mathonet.errors import ConfigError
from mathonet.search.known import parse_known, with_known, without_known

NAMES = ("x", "v", "u")


def form(text: str) -> Expression:
    return from_text(text, NAMES)


def system(text: str, covariance) -> EquationSystem:
    """v' = text with a covariance, beside x' = v."""
    position = Equation("x", NAMES, form("v"), np.eye(1), 10.0, 0.1)
    return EquationSystem(
        (position, Equation("v", NAMES, form(text), np.asarray(covariance, float), 10.0, 0.1))
    )


def table(found: EquationSystem) -> dict[str, tuple[float, float]]:
    rows = found.equations[1].coefficients()
    return {
        term: (value, std) for term, value, std in zip(rows["term"], rows["value"], rows["std"], strict=True)
    }


@pytest.mark.parametrize(
    "formula",
    ["-9.81 + 0.5*u", sympy.sympify("-9.81 + 0.5*u"), -9.81 + 0.5 * sympy.Symbol("u")],
    ids=["text", "SymPy", "SymPy made of symbols"],
)
def test_formulas_of_every_kind(formula):
    assert parse_known({"v": formula}, ("x", "v"), NAMES) == {"v": form("-9.81 + 0.5*u")}


@pytest.mark.parametrize("value", [-3, -3.0, np.float64(-3), np.int64(-3), Fraction(-3)], ids=repr)
def test_numbers_of_every_kind(value):
    assert parse_known({"v": value}, ("v",), NAMES) == {"v": number(-3.0)}


def test_nothing_known():
    assert parse_known(None, ("x",), NAMES) == {}
    assert parse_known({}, ("x",), NAMES) == {}


@pytest.mark.parametrize(
    ("known", "message"),
    [
        ({"w": "1"}, r"names 'w', but the equations are those of \['x', 'v'\]"),
        ({"u": "1"}, "names 'u'"),
        ({"v": "-9.81 * q"}, "Unknown name 'q'"),
        ({"v": "__import__('os')"}, "Unknown operation"),
        ({"v": sympy.Symbol("q")}, "Unknown symbol q"),
        ({"v": None}, "formula such as '-9.81'"),
        ({"v": [1.0]}, "formula such as '-9.81'"),
        ({"v": np.nan}, "formula such as '-9.81'"),
        ({"v": np.inf}, "formula such as '-9.81'"),
        ({"v": 2j}, "formula such as '-9.81'"),
        ({"v": True}, "formula such as '-9.81'"),
        ({"v": lambda x: x}, "formula such as '-9.81'"),
        ("-9.81", "dictionary"),
        ([("v", "1")], "dictionary"),
    ],
)
def test_what_cannot_be_read_is_refused(known, message):
    with pytest.raises(ConfigError, match=message):
        parse_known(known, ("x", "v"), NAMES)


def test_known_terms_are_taken_off_their_targets():
    rng = np.random.default_rng(0)
    inputs, targets = rng.normal(size=(20, 3)), rng.normal(size=(20, 2))
    samples = Samples(inputs, targets, NAMES, ("x", "v"))
    found = without_known(samples, {"v": form("2*sin(x) - u*v")})
    np.testing.assert_array_equal(found.targets[:, 0], targets[:, 0])
    wanted = targets[:, 1] - (2 * np.sin(inputs[:, 0]) - inputs[:, 2] * inputs[:, 1])
    np.testing.assert_allclose(found.targets[:, 1], wanted, rtol=1e-12)
    np.testing.assert_array_equal(samples.targets, targets)


def test_known_terms_are_back_without_a_deviation():
    found = with_known(system("2*x - 3*v", [[4.0, 1.0], [1.0, 9.0]]), {"v": form("-9.81 + u")})
    assert found.equations[1].expression == form("2*x - 3*v + u - 9.81")
    assert table(found) == {"x": (2.0, 2.0), "v": (-3.0, 3.0), "u": (1.0, 0.0), "1": (-9.81, 0.0)}
    covariance = found.equations[1].covariance
    assert covariance[0, 1] == covariance[1, 0] == 1.0
    assert found.equations[0].expression == form("v")
    assert found.equations[0].covariance.tolist() == [[1.0]]


def test_a_known_part_of_a_fitted_term_keeps_the_deviation():
    """-3 v fitted beside 1 v known is -2 v with the deviation of the fit."""
    found = with_known(system("2*x - 3*v", [[4.0, 1.0], [1.0, 9.0]]), {"v": form("v")})
    assert table(found) == {"x": (2.0, 2.0), "v": (-2.0, 3.0)}


def test_equal_numbers_are_not_mixed_up():
    """The fitted 2 v has the deviation, the known 2 x has none, although both are 2."""
    found = with_known(system("2*v", [[0.25]]), {"v": form("2*x + 2*u")})
    assert table(found) == {"x": (2.0, 0.0), "v": (2.0, 0.5), "u": (2.0, 0.0)}


def test_constants_inside_calls_keep_their_deviations():
    fitted = system("2*v + 3*sin(0.5*x)", np.diag([1.0, 4.0, 9.0]))
    found = with_known(fitted, {"v": form("-sin(0.7*v) + 0.5*u")}).equations[1].coefficients()
    pairs = sorted(found[["value", "std"]].itertuples(index=False, name=None))
    assert pairs == [(-1.0, 0.0), (0.5, 0.0), (0.5, 3.0), (0.7, 0.0), (2.0, 1.0), (3.0, 2.0)]


def test_a_call_whose_leading_constant_is_fixed():
    """Inside of a log only the second constant is free."""
    fitted = system("2*log(v + 5)", np.diag([1.0, 4.0]))
    found = with_known(fitted, {"v": form("3*log(x + 5)")}).equations[1].coefficients()
    pairs = sorted(found[["value", "std"]].itertuples(index=False, name=None))
    assert pairs == [(2.0, 1.0), (3.0, 0.0), (5.0, 0.0), (5.0, 2.0)]


def test_an_equation_that_is_known_whole():
    found = with_known(system("0*x", np.zeros((1, 1))), {"v": form("-9.81")})
    assert table(found) == {"1": (-9.81, 0.0)}
    nothing = with_known(system("0*x", np.zeros((1, 1))), {"v": Expression()})
    assert table(nothing) == {"1": (0.0, 0.0)}
    cancelled = with_known(system("2*x", np.eye(1)), {"v": form("-2*x")})
    assert list(table(cancelled)) == ["1"]
