"""The choice among candidates: by the one score, or by validation with Occam's razor."""

import numpy as np
import pytest
import sympy

from mathonet.equation.expression import Expression
from mathonet.equation.kinds import bent_inputs, kind
from mathonet.equation.parse import from_sympy
from mathonet.errors import ConfigError
from mathonet.fit.score import DECIDED
from mathonet.result.selection import CLOSE, as_good, rival, select
from mathonet.search.fit import Fit
from mathonet.search.path.kinds import Comparison
from mathonet.search.samples.objective import Candidate

FLOOR = 1e-12


def candidate(form: str, score: float, validation: float, rss: float = 1.0) -> Candidate:
    expression = from_sympy(sympy.sympify(form), sympy.symbols("x y"))
    k = len(expression.terms)
    fitted = Fit((expression,), (expression,), np.ones(k), rss, np.eye(k), score, 100.0)
    return Candidate(0, fitted, "given", 1, validation)


SHORT = candidate("x", score=-50.0, validation=1.00)
MIDDLE = candidate("x + y", score=-120.0, validation=0.50)
LONG = candidate("x + y + x*y", score=-110.0, validation=0.49)
ALL = [LONG, SHORT, MIDDLE]
ROWS = np.array([[0.5, -1.0], [2.0, 3.0]])


def test_score_takes_the_best_score():
    assert select(ALL, "score", FLOOR) is MIDDLE


def test_validation_takes_the_simplest_of_the_nearly_equal():
    assert MIDDLE.validation <= CLOSE * LONG.validation
    assert select(ALL, "validation", FLOOR) is MIDDLE


def test_validation_takes_the_longer_form_where_it_is_clearly_better():
    better = candidate("x + y + x**2", score=0.0, validation=0.40)
    assert select([*ALL, better], "validation", FLOOR) is better


def test_errors_below_rounding_are_equal():
    exact = [
        candidate("x + y + x*y", 0.0, validation=1e-15),
        candidate("x + y", 0.0, validation=8e-12),
        candidate("x", 0.0, validation=2e-11),
    ]
    assert select(exact, "validation", FLOOR) is exact[1]


def test_of_two_equally_simple_forms_the_more_accurate_wins():
    pair = [candidate("x", 0.0, validation=1.02), candidate("y", 0.0, validation=1.0)]
    assert select(pair, "validation", FLOOR) is pair[1]


@pytest.mark.parametrize("selection", ["score", "validation"])
def test_order_of_the_candidates_does_not_matter(selection):
    assert select(ALL, selection, FLOOR) is select(ALL[::-1], selection, FLOOR)


@pytest.mark.parametrize("selection", ["score", "validation"])
def test_a_single_candidate_is_the_choice(selection):
    assert select([SHORT], selection, FLOOR) is SHORT


@pytest.mark.parametrize("selection", ["score", "validation"])
def test_no_candidate_is_told_with_a_way_out(selection):
    with pytest.raises(ConfigError, match="fewer neurons"):
        select([], selection, FLOOR)


def test_rival_is_the_best_form_that_does_not_contain_the_chosen_one():
    assert rival(ALL, MIDDLE, ROWS) is SHORT
    assert rival(ALL, LONG, ROWS) is MIDDLE
    assert rival(ALL, SHORT, ROWS) is MIDDLE
    assert rival([MIDDLE, LONG], MIDDLE, ROWS) is None
    assert rival([SHORT], SHORT, ROWS) is None


def test_the_same_function_written_otherwise_is_no_rival():
    one = candidate("1 - 0.5/(x + 0.5)", score=-120.0, validation=0.5)
    same = candidate("x/(x + 0.5)", score=-119.0, validation=0.5)
    other = candidate("x/(x + 0.6)", score=-118.0, validation=0.5)
    assert rival([one, same, other], one, ROWS) is other
    assert rival([one, same], one, ROWS) is None


def test_forms_that_saturate_alike_are_told_apart_among_the_samples():
    one = candidate("tanh(2*x)", score=-120.0, validation=0.5)
    other = candidate("tanh(1.6*x + 0.3*x**3)", score=-119.0, validation=0.5)
    rows = np.random.default_rng(0).uniform(0.0, 3.0, size=(100, 2))
    assert rival([one, other], one, rows) is other


def form(text: str) -> Expression:
    return from_sympy(sympy.sympify(text), sympy.symbols("x y"))


CUBIC = form("-9.8*x + 1.5*x**3")


def test_kinds_are_told_by_operations_and_quotients():
    assert kind(CUBIC) == frozenset()
    assert kind(form("x*sin(y) + cos(x)")) == {"sin", "cos"}
    assert kind(form("x/y")) == {"quotient"}
    assert bent_inputs(form("x*y + x"), 2) == []
    assert bent_inputs(form("x**2 + x*sin(y)"), 2) == [0, 1]
    assert bent_inputs(form("x/y"), 2) == [1]


def test_the_best_form_of_another_kind_that_fits_as_well_is_named():
    sine, tanh = form("9.7*sin(1.01*x)"), form("12.6*tanh(0.79*x)")
    others = [
        Comparison(CUBIC, 0, 0.0, 10.0),
        Comparison(tanh, 0, -0.5, 18.0),
        Comparison(sine, 0, 0.4, 17.0),
    ]
    assert as_good(CUBIC, others, ROWS) is sine


@pytest.mark.parametrize(
    ("text", "more", "nats"),
    [
        ("9.7*sin(1.01*x)", 1, -0.5),
        ("9.7*sin(1.01*x)", 0, DECIDED + 0.1),
        ("-9.8*x + 1.5*x**5", 0, -0.5),
        ("-9.8*x + sin(y)", 0, -0.5),
    ],
    ids=["one constant more", "fits worse", "of the same kind", "bends where the data show no bend"],
)
def test_other_forms_are_not_as_good(text: str, more: int, nats: float):
    assert as_good(CUBIC, [Comparison(form(text), more, nats, 0.0)], ROWS) is None


def test_a_series_is_another_function_than_what_it_follows_on_the_samples():
    rows = np.linspace(0.175, 0.2, 200)[:, None]
    x = rows[:, 0]
    law = 0.9 * x**2 / (0.25 + x**2) - 0.3 * x
    powers = np.stack([x, x**2, x**4, x**5], axis=1)
    near = np.linalg.lstsq(powers, law)[0]
    assert np.linalg.norm(powers @ near - law) < 1e-8 * np.linalg.norm(law)
    quintic = " + ".join(f"({c})*x**{n}" for c, n in zip(near, (1, 2, 4, 5), strict=True))
    chosen = candidate(quintic, -50.0, 1.0)
    other = candidate("0.9*x**2/(0.25 + x**2) - 0.3*x", -45.0, 1.0)
    assert rival([chosen, other], chosen, np.column_stack([rows, rows])) is other


def test_one_function_written_in_two_ways_is_no_rival():
    rows = np.random.default_rng(0).uniform(0.1, 2.0, (50, 2))
    one, other = candidate("x/(x + 0.3)", -50.0, 1.0), candidate("1 - 0.3/(x + 0.3)", -45.0, 1.0)
    assert rival([one, other], one, rows) is None
