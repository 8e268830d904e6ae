"""Free constants of an expression, and the tape that evaluates it."""

import jax
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mathonet.equation.assembly import assemble, constants, tape_operations, with_constants, zero_free
from mathonet.equation.expression import Expression, apply, number, power, variable
from mathonet.equation.moves import drops
from mathonet.fit.tape import SIZES, evaluate
from mathonet.operations import get, resolve

evaluate_tape = jax.jit(
    lambda tape, operations, inputs: evaluate(tape, operations, tape.constants, inputs), static_argnums=1
)

X, Y = variable(0), variable(1)
OPERATIONS = tape_operations(resolve(None))
POINTS = np.random.default_rng(3).uniform(0.4, 1.6, size=(12, 2)) * [[1, -1]]


def f(name: str, argument: Expression) -> Expression:
    return apply(get(name), argument)


coefficients = st.sampled_from([-1.5, -0.5, 0.7, 1.3, 2.0])
leaves = st.builds(lambda v, c: v.scale(c), st.sampled_from([X, Y, number(1.0)]), coefficients)


def grow(children: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    names = st.sampled_from(["sin", "cos", "tanh", "exp", "log", "inv", "sqrt", "abs"])
    return st.one_of(
        st.builds(lambda a, b: a + b, children, children),
        st.builds(lambda a, b: a * b, children, children),
        st.builds(f, names, children.filter(lambda e: e.terms)),
    )


expressions = st.recursive(leaves, grow, max_leaves=7).filter(lambda e: e.terms)


@given(expressions)
@settings(max_examples=80)
def test_own_constants_give_the_expression_back(expression):
    assert with_constants(expression, constants(expression)) == expression


def test_new_constants_land_in_the_order_of_the_old():
    form = X.scale(2.0) + f("sin", X.scale(3.0) + Y.scale(5.0)).scale(7.0) + number(11.0)
    assert constants(form) == [2.0, 7.0, 3.0, 5.0, 11.0]
    other = X.scale(1.0) + f("sin", X.scale(4.0) + Y.scale(6.0)).scale(8.0) + number(12.0)
    assert with_constants(form, [1.0, 8.0, 4.0, 6.0, 12.0]) == other


def test_calls_in_several_places_share_their_constants():
    call = f("sin", X.scale(3.0))
    form = X * call + Y * call + power(call, 2)
    assert constants(form).count(3.0) == 1
    values = [9.0 if c == 3.0 else c for c in constants(form)]
    moved = f("sin", X.scale(9.0))
    assert with_constants(form, values) == X * moved + Y * moved + power(moved, 2)


@pytest.mark.parametrize("name", ["inv", "sqrt", "abs", "log"])
def test_leading_coefficient_inside_a_homogeneous_operation_is_not_free(name):
    form = f(name, X + Y.scale(3.0)).scale(2.0)
    assert constants(form) == [2.0, 3.0]


def test_zero_has_a_tape():
    assert constants(zero_free(Expression())) == [0.0]
    assert zero_free(X) == X


@pytest.mark.parametrize("form", [number(3.0), Expression(), X, X.scale(2.0), power(X, -1)], ids=str)
def test_smallest_forms_have_their_value_on_a_tape(form, value):
    tape = assemble(zero_free(form), 2, OPERATIONS)
    np.testing.assert_allclose(evaluate_tape(tape, OPERATIONS, POINTS), value(form, POINTS), rtol=1e-14)


@given(expressions)
@settings(max_examples=80)
def test_tape_has_the_expressions_values_and_constants(evaluate_with_error, expression):
    tape = assemble(expression, 2, OPERATIONS)
    assume(tape is not None and tape.code.shape == (SIZES[0][0],))
    expected, error = evaluate_with_error(expression, POINTS)
    sound = np.isfinite(expected) & (error < 1e-9 * (1 + np.abs(expected)))
    found = np.asarray(evaluate_tape(tape, OPERATIONS, POINTS))
    assert np.all(np.abs(found - expected)[sound] <= 100 * error[sound])
    np.testing.assert_array_equal(tape.constants[tape.active], constants(expression))


def test_expression_beyond_the_largest_tape_has_none():
    form = Expression()
    for i in range(SIZES[-1][1] + 1):
        form = form + power(X, i + 1)
    assert assemble(form, 2, OPERATIONS) is None


def test_tape_operations_hold_what_powers_and_moves_bring_in():
    names = {operation.name for operation in tape_operations(resolve(["exp"]))}
    assert {"exp", "ident", "inv", "sin", "cos"} <= names


@given(expressions)
@settings(max_examples=80)
def test_drop_is_the_form_whose_constant_at_its_place_is_zero(evaluate_with_error, expression):
    values = constants(expression)
    places = [drop.place for drop in drops(expression) if drop.place is not None]
    assert places == sorted(set(places))
    for drop in drops(expression):
        if drop.place is None:
            continue
        zeroed = [0.0 if place == drop.place else c for place, c in enumerate(values)]
        expected, error = evaluate_with_error(with_constants(expression, zeroed), POINTS)
        found, slack = evaluate_with_error(drop.form, POINTS)
        sound = np.isfinite(expected) & np.isfinite(found) & (error + slack < 1e-9 * (1 + np.abs(expected)))
        assert np.all(np.abs(found - expected)[sound] <= 100 * (error + slack)[sound] + 1e-15)
