"""The normal form: identities that hold exactly, and structure that tells forms apart."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mathonet.equation.expression import (
    MOST_TERMS,
    Call,
    Expression,
    Term,
    TooLargeError,
    apply,
    number,
    power,
    total,
    variable,
)
from mathonet.equation.parse import from_text
from mathonet.operations import get

X, Y = variable(0), variable(1)
ONE = number(1.0)


def f(name: str, argument: Expression) -> Expression:
    return apply(get(name), argument)


def test_like_terms_merge_and_zeros_vanish():
    assert X.scale(2.0) == X + X
    assert X + X.scale(-1.0) == Expression()
    assert number(0.0) == Expression()
    assert X * Y == Y * X


def test_products_are_expanded():
    assert (X + Y) * (X + Y.scale(-1.0)) == power(X, 2) + power(Y, 2).scale(-1.0)


def test_opposite_powers_cancel():
    assert X * f("inv", X) == ONE
    assert power(X, -2) * power(X, 3) == X


@pytest.mark.parametrize("exponent", [0, 1, 3])
def test_power_is_repeated_multiplication(exponent):
    expected = ONE
    for _ in range(exponent):
        expected = expected * (X + ONE)
    assert power(X + ONE, exponent) == expected


def test_constant_in_an_exponential_becomes_a_coefficient():
    shifted = f("exp", X.scale(2.0) + number(0.7))
    assert shifted.skeleton == f("exp", X).skeleton
    assert shifted.terms[0].coefficient == math.exp(0.7)


def test_products_and_powers_of_exponentials_merge():
    assert f("exp", X) * f("exp", Y.scale(2.0)) == f("exp", X + Y.scale(2.0))
    assert power(f("exp", X), 3) == f("exp", X.scale(3.0))
    assert f("inv", f("exp", X)) == f("exp", X.scale(-1.0))
    assert f("exp", X) * f("exp", X.scale(-1.0)) == ONE


@pytest.mark.parametrize("name", ["sin", "tan", "tanh"])
def test_odd_operations_take_the_sign_outside(name):
    assert f(name, X.scale(-2.0)) == f(name, X.scale(2.0)).scale(-1.0)


def test_cosine_forgets_the_sign_of_its_argument():
    assert f("cos", X.scale(-2.0) + Y) == f("cos", X.scale(2.0) + Y.scale(-1.0))


def test_factor_in_a_logarithm_becomes_a_summand():
    assert f("log", X.scale(-3.0)) == f("log", X) + number(math.log(3.0))


def test_inverse_of_a_product_is_a_product_of_inverses():
    inverse = f("inv", (X * power(Y, 2)).scale(4.0))
    assert inverse == Expression((Term(0.25, ((0, -1), (1, -2))),))


@pytest.mark.parametrize(
    ("argument", "root"),
    [
        (power(X, 2), f("abs", X)),
        (power(X, 2).scale(-9.0), f("abs", X).scale(3.0)),
        (power(Y, 4), power(Y, 2)),
        (power(X, 6), power(X, 2) * f("abs", X)),
    ],
)
def test_root_of_an_even_power_needs_no_root(argument, root):
    assert f("sqrt", argument) == root


@pytest.mark.parametrize("argument", [X, power(X, 3), power(X, 2) * Y, power(X, 2) + Y, power(X, -2)])
def test_other_roots_stay(argument):
    assert {call.operation.name for call in f("sqrt", argument).calls()} == {"sqrt"}


@pytest.mark.parametrize(
    ("name", "outside"), [("inv", 0.25), ("sqrt", 2.0), ("abs", 4.0)], ids=["inv", "sqrt", "abs"]
)
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_homogeneous_operations_have_a_leading_coefficient_of_one_inside(name, outside, sign):
    (term,) = f(name, X.scale(4.0 * sign) + Y).terms
    (call, exponent), *others = term.factors
    assert exponent == 1
    assert not others
    assert call.argument.terms[0] == Term(1.0, ((0, 1),))
    assert term.coefficient == outside * (sign if name == "inv" else 1.0)


def test_identity_square_and_cube_leave_no_call():
    assert f("ident", X + Y) == X + Y
    assert f("square", X + ONE) == power(X + ONE, 2)
    assert f("cube", X) == power(X, 3)


@pytest.mark.parametrize("name", ["sin", "exp", "log", "inv", "sqrt", "tanh", "abs"])
def test_operation_of_a_constant_is_a_constant(name):
    (term,) = f(name, number(2.0)).terms
    assert term.factors == ()
    np.testing.assert_allclose(term.coefficient, float(get(name).evaluate(2.0)), rtol=1e-15)


def test_constant_folding_is_in_double_precision_from_a_thread():
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:
        folded = pool.submit(f, "sin", number(0.3)).result()
    assert folded.constant == pytest.approx(math.sin(0.3), rel=1e-15)


def test_skeleton_forgets_constants_and_nothing_else():
    form = f("sin", X.scale(2.0) + Y).scale(3.0) + ONE
    assert form.skeleton == (f("sin", X.scale(-5.0) + Y.scale(0.1)).scale(7.0) + number(-4.0)).skeleton
    others = [f("cos", X + Y) + ONE, f("sin", X) + ONE, f("sin", X + Y), f("sin", X + Y) * X + ONE]
    assert form.skeleton not in {other.skeleton for other in others}


def test_simple_terms_come_first_and_the_constant_last():
    form = number(5.0) + f("sin", X) + power(X, 2) + Y
    assert [len(term.factors) and term.factors[0][0] for term in form.terms[:2]] == [1, 0]
    assert isinstance(form.terms[2].factors[0][0], Call)
    assert form.terms[3].factors == ()


def test_calls_are_listed_outermost_first():
    inner = f("cos", X)
    outer = f("sin", inner + Y)
    assert [call.operation.name for call in outer.calls()] == ["sin", "cos"]


def test_expansions_beyond_reading_are_refused():
    wide = total(Term(1.0, ((i, 1),)) for i in range(70))
    with pytest.raises(TooLargeError):
        wide * wide
    with pytest.raises(TooLargeError):
        total(Term(1.0, ((i, 1),)) for i in range(MOST_TERMS + 1))


coefficients = st.integers(-3, 3).map(float)
leaves = st.one_of(st.just(X), st.just(Y), coefficients.map(number))


def grow(children: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    names = st.sampled_from(["sin", "cos", "tanh", "exp", "log", "inv", "sqrt", "abs"])
    return st.one_of(
        st.builds(lambda a, b: a + b, children, children),
        st.builds(lambda a, b: a * b, children, children),
        st.builds(lambda a, c: a.scale(c), children, coefficients),
        st.builds(f, names, children.filter(lambda e: e.terms)),
    )


expressions = st.recursive(leaves, grow, max_leaves=8)
POINTS = np.random.default_rng(3).uniform(0.4, 1.6, size=(12, 2)) * [[1, -1]]


def agree(left: tuple[np.ndarray, np.ndarray], right: tuple[np.ndarray, np.ndarray]) -> None:
    (a, slack), (b, other) = left, right
    well = np.isfinite(a) & np.isfinite(b) & (slack + other < 1e-9 * (1 + np.abs(a)))
    assume(well.any())
    assert np.all(np.abs(a - b)[well] <= 100 * (slack + other)[well] + 1e-300)


@given(expressions, expressions)
@settings(max_examples=60)
def test_sums_and_products_have_the_values_of_sums_and_products(evaluate_with_error, a, b):
    (u, du), (v, dv) = evaluate_with_error(a, POINTS), evaluate_with_error(b, POINTS)
    with np.errstate(all="ignore"):
        agree(evaluate_with_error(a + b, POINTS), (u + v, du + dv))
        agree(evaluate_with_error(a * b, POINTS), (u * v, np.abs(u) * dv + np.abs(v) * du))


@pytest.mark.parametrize("name", ["sin", "cos", "tan", "tanh", "exp", "log", "inv", "sqrt", "abs"])
@given(argument=expressions.filter(lambda e: e.terms))
@settings(max_examples=40)
def test_normal_form_of_an_operation_has_the_operations_values(evaluate_with_error, name, argument):
    h, _ = evaluate_with_error(argument, POINTS)
    assume(np.isfinite(h).all() and np.all(np.abs(h) > 1e-3) and np.all(np.abs(h) < 50))
    raw = Expression((Term(1.0, ((Call(get(name), argument), 1),)),))
    agree(evaluate_with_error(f(name, argument), POINTS), evaluate_with_error(raw, POINTS))


@given(expressions)
@settings(max_examples=60)
def test_normal_form_is_a_fixed_point(expression):
    assert expression.substitute(variable) == expression


@given(expressions, st.floats(0.2, 3.0))
@settings(max_examples=40)
def test_substitution_is_evaluation_elsewhere(evaluate_with_error, expression, factor):
    moved = expression.substitute(lambda i: variable(i).scale(factor))
    agree(evaluate_with_error(moved, POINTS), evaluate_with_error(expression, POINTS * factor))


def test_inputs_that_all_terms_below_share_are_taken_out():
    names = ("x", "y")
    assert from_text("x**2/(x + 2*x**2)", names) == from_text("x/(1 + 2*x)", names)
    assert from_text("1/(x*y + 3*x)", names) == from_text("1/(x*(y + 3))", names)


def test_like_terms_that_cancel_but_for_rounding_leave_nothing():
    log = apply(get("log"), variable(0) + number(0.7))
    left = log.scale(1.3) + log.scale(-1.3 * (1 + 4e-16)) + variable(0)
    assert left == variable(0)
    assert log.scale(1.3) + log.scale(-1.3 * (1 + 1e-12)) != number(0.0)


@pytest.mark.parametrize("coefficients", [(np.inf, np.inf), (1.0, np.inf), (np.nan, 1.0), (1.0, np.nan)])
def test_what_is_no_number_does_not_vanish(coefficients):
    (term,) = total(variable(0).scale(each).terms[0] for each in coefficients).terms
    assert not np.isfinite(term.coefficient)
