"""Clean-up moves: exact, or as close as their order says."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathonet.equation.expression import Expression, apply, number, power, variable
from mathonet.equation.flow import evaluate
from mathonet.equation.moves import (
    TAYLOR,
    double_angles,
    drops,
    joined,
    linearisations,
    merges,
    phases,
    replaced,
    rewrite_calls,
    tails,
    wholes,
    within,
)
from mathonet.equation.parse import from_text
from mathonet.operations import get

X, Y = variable(0), variable(1)
ONE = number(1.0)


def f(name: str, argument: Expression) -> Expression:
    return apply(get(name), argument)


def call_of(form: Expression):
    return form.terms[0].factors[0][0]


def test_replacing_a_call_reaches_every_place_it_stands():
    inner = f("sin", X)
    form = inner * Y + f("exp", inner.scale(2.0))
    assert replaced(form, call_of(inner), X) == X * Y + f("exp", X.scale(2.0))


def test_rewriting_nothing_changes_nothing():
    form = f("sin", f("cos", X) + Y) * X + f("inv", X + ONE)
    assert rewrite_calls(form, lambda call: None) == form


def test_drops_leave_out_each_outer_and_inner_term_once():
    form = X.scale(2.0) + f("sin", X + Y)
    found = {drop.form.skeleton for drop in drops(form)}
    expected = [f("sin", X + Y), X, X + f("sin", X), X + f("sin", Y)]
    assert found == {each.skeleton for each in expected}
    assert [drop.place for drop in drops(form)] == [0, 1, 2, 3]
    assert [drop.term is None for drop in drops(form)] == [False, False, True, True]


def test_last_term_inside_a_call_is_not_dropped():
    assert [drop.form for drop in drops(f("sin", X))] == [Expression()]


def test_fixed_leading_coefficient_has_no_place():
    form = f("inv", X + Y.scale(3.0) + ONE)
    places = [drop.place for drop in drops(form)]
    assert places == [0, None, 1, 2]


@pytest.mark.parametrize("name", TAYLOR)
def test_taylor_coefficients_are_derivatives(name):
    for middle in (0.7, -1.1):
        coefficients = TAYLOR[name](middle)
        d = 1e-3
        h = middle + d * np.array([-2, -1, 0, 1, 2])
        u = np.asarray(get(name).evaluate(h))
        first = (u[0] - 8 * u[1] + 8 * u[3] - u[4]) / (12 * d)
        second = (-u[0] + 16 * u[1] - 30 * u[2] + 16 * u[3] - u[4]) / (12 * d**2)
        third = (u[4] - 2 * u[3] + 2 * u[1] - u[0]) / (2 * d**3)
        np.testing.assert_allclose(coefficients, [u[2], first, second / 2, third / 6], rtol=2e-4)


@pytest.mark.parametrize("name", TAYLOR)
def test_linearisations_are_as_close_as_their_order(name, value):
    points = np.random.default_rng(0).uniform(-1, 1, size=(30, 2))

    def worst(spread: float) -> list[float]:
        form = f(name, X.scale(spread) + number(1.2)) * Y
        exact = value(form, points)
        forms = list(linearisations(form, lambda e: value(e, points)))
        return [float(np.max(np.abs(value(each, points) - exact))) for each in forms]

    wide, narrow = worst(0.2), worst(0.02)
    assert len(wide) == 4
    for order, (a, b) in enumerate(zip(wide, narrow, strict=True)):
        assert b < a * 10 ** -(order + 0.7)


def test_linearised_forms_have_no_call_left(value):
    points = np.random.default_rng(0).uniform(-1, 1, size=(30, 2))
    for form in linearisations(f("sin", X) + Y, lambda e: value(e, points)):
        assert not list(form.calls())


def test_absolute_value_opens_only_where_its_argument_keeps_its_sign(value):
    form = f("abs", X + ONE) * Y

    def opened(shift: float) -> list[Expression]:
        points = np.random.default_rng(0).uniform(-0.5, 0.5, size=(30, 2)) + np.array([shift, 0.0])
        return list(linearisations(form, lambda e: value(e, points)))

    assert opened(0.0) == [(X + ONE) * Y]
    assert opened(-2.0) == [(X + ONE).scale(-1.0) * Y]
    assert opened(-1.0) == []


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_tanh_far_from_its_middle_is_an_exponential(value, side):
    points = np.random.default_rng(0).uniform(-1.0, 1.0, size=(30, 2))
    form = f("tanh", X.scale(0.4) + number(8.0 * side)) * Y
    (changed,) = tails(form, lambda each: value(each, points))
    assert {call.operation.name for call in changed.calls()} == {"exp"}
    np.testing.assert_allclose(value(changed, points), value(form, points), rtol=1e-12)


@pytest.mark.parametrize("slope", [0.4, 80.0], ids=["bent", "a step"])
def test_a_tanh_of_both_signs_has_no_tail(value, slope):
    points = np.linspace(-1.0, 1.0, 30)[:, None]
    assert list(tails(f("tanh", X.scale(slope)), lambda each: value(each, points))) == []


@pytest.mark.parametrize("name", ["sin", "exp", "inv"])
def test_merging_calls_with_equal_constants_keeps_the_values(name, same):
    form = f(name, X.scale(2.0) + Y) * X + f(name, X.scale(2.0 + 1e-13) + Y) * Y
    (merged,) = merges(form)
    assert len(set(merged.calls())) == 1
    same(merged, form)


def test_calls_of_different_structure_are_not_merged():
    assert list(merges(f("sin", X) + f("sin", X + Y) + f("cos", X))) == []


@given(below=st.floats(0.3, 3.0), slope=st.floats(0.2, 2.0), above=st.floats(0.5, 2.0))
@settings(max_examples=30)
def test_a_whole_term_and_its_fraction_become_one(same, below, slope, above):
    """a y - a (c + b x) y/(c + b x + y^2) is a y y^2/(...), and one of the forms proposed."""
    quotient = f("inv", power(Y, 2) + X.scale(slope) + number(below))
    together = (power(Y, 3) * quotient).scale(above)
    apart = Y.scale(above) + (Y * quotient).scale(-above * below) + (X * Y * quotient).scale(-above * slope)
    same(apart, together)
    left = {(power(Y, 3) * quotient).terms[0].factors, (X * Y * quotient).terms[0].factors}
    assert left in [{term.factors for term in form.terms} for form in joined(apart)]


@pytest.mark.parametrize("form", [X + Y, X + f("sin", X), X * f("inv", X + ONE), X + Y * f("inv", X + Y)])
def test_without_a_fraction_of_a_whole_term_nothing_is_joined(form):
    assert list(joined(form)) == []


@given(turn=st.integers(-6, 6), name=st.sampled_from(["sin", "cos"]), slope=st.floats(0.5, 3))
@settings(max_examples=40)
def test_whole_quarter_turns_are_taken_out_exactly(same, turn, name, slope):
    form = f(name, X.scale(slope) + Y + number(turn * math.pi / 2)).scale(1.7)
    changed = list(phases(form))
    if turn == 0:
        assert changed == []
        return
    (plain,) = changed
    assert all(call.argument.constant == 0.0 for call in plain.calls())
    same(plain, form)


def test_shifted_sine_becomes_a_cosine():
    assert list(phases(f("sin", X + number(math.pi / 2)))) == [f("cos", X)]


H = X.scale(1.3) + Y


@pytest.mark.parametrize(
    "form",
    [
        power(f("sin", H), 2),
        power(f("cos", H), 2) * X,
        power(f("sin", H), 3).scale(2.0),
        f("sin", H) * f("cos", H),
        f("sin", H) * f("cos", H) * Y + power(f("cos", H), 2) + X,
        f("cos", H) * power(f("sin", H), -1),
    ],
    ids=["sin^2", "cos^2", "sin^3", "sin cos", "mixed", "cot"],
)
def test_double_angles_are_exact(form, same):
    (changed,) = double_angles(form)
    assert changed.skeleton != form.skeleton
    same(changed, form)


def test_one_minus_two_squared_sines_is_a_cosine_of_twice():
    (changed,) = double_angles(ONE + power(f("sin", X), 2).scale(-2.0))
    assert changed == f("cos", X.scale(2.0))


def test_forms_without_squares_have_no_double_angle():
    assert list(double_angles(f("sin", X) + f("cos", X) * Y)) == []


def test_fractions_that_make_up_their_denominator_are_a_whole():
    over = f("inv", X.scale(2.0) + ONE.scale(3.0))
    apart = over.scale(6.0) + (X * over).scale(4.0) + Y
    assert next(wholes(apart)).skeleton == (ONE + Y).skeleton
    points = np.random.default_rng(0).uniform(0.5, 2.0, (20, 2))
    for form in wholes(apart):
        np.testing.assert_allclose(evaluate(form, points), evaluate(apart, points), rtol=1e-12)
    assert list(wholes(over + Y)) == []


def test_a_move_reaches_the_argument_of_a_call():
    form = from_text("0.4*x - 2*exp(1.52/(x + 0.38) - 1.46*y/(x + 0.38) + 4*x/(x + 0.38))", ("x", "y"))
    (shorter,) = within(wholes)(form)
    assert shorter.skeleton == from_text("0.4*x - 2*exp(-1.46*y/(x + 0.38))", ("x", "y")).skeleton
    inputs = np.random.default_rng(0).uniform(0.5, 2.0, size=(20, 2))
    assert evaluate(shorter, inputs) == pytest.approx(evaluate(form, inputs))
