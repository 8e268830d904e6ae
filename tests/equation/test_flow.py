"""Flow: the values of a system are its equations', its slopes exact in every input and every constant."""

import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mathonet.equation.assembly import constants, tape_operations
from mathonet.equation.equation import Equation
from mathonet.equation.expression import Expression, Term, apply, number, power, variable
from mathonet.equation.flow import Flow, evaluate
from mathonet.equation.parse import from_text
from mathonet.equation.program import outline
from mathonet.equation.sensitivity import sensitivity
from mathonet.fit.face import Faces
from mathonet.fit.problem import Problem
from mathonet.operations import Operation, get, resolve
from mathonet.search.samples.regression import Regression

OPERATIONS = tape_operations(resolve(None))
FACES = Faces(OPERATIONS)
NAMES = ("x", "y")
ROWS = np.random.default_rng(7).uniform(0.4, 1.8, size=(12, 2))
SHARED = "2*exp(-0.5*x)*sin(1.1*y + 0.3) + 0.7*sin(1.1*y + 0.3) - x*sin(1.1*y + 0.3)^2"
NESTED = "1.5*tanh(0.4*x + 0.3*cos(0.8*x*y))*y + 0.2/(1.3 + x^2)"


def form(text: str) -> Expression:
    return from_text(text, NAMES)


def flow_of(*forms: Expression, **options) -> Flow:
    return Flow(forms, 2, FACES, **options)


numbers = st.floats(0.2, 1.5) | st.floats(-1.5, -0.2)
monomials = st.tuples(st.integers(0, 2), st.integers(-1, 2)).map(
    lambda powers: power(variable(0), powers[0]) * power(variable(1), powers[1])
)
sums = st.lists(st.tuples(numbers, monomials), min_size=1, max_size=3).map(
    lambda parts: sum((part.scale(c) for c, part in parts), Expression())
)


def called(arguments):
    names = st.sampled_from(["sin", "cos", "exp", "tanh", "inv", "sqrt", "log", "abs"])
    return st.builds(lambda name, inner: apply(get(name), inner), names, arguments)


calls = called(sums | st.builds(lambda a, b: a + b, sums, called(sums)))
products = st.builds(lambda c, m, call: (m * call).scale(c), numbers, monomials, calls)
forms = st.builds(lambda parts, base: sum(parts, base), st.lists(products, max_size=2), sums)
shared = st.builds(
    lambda call, m, n, base: base + m * call + n * power(call, 2), calls, monomials, monomials, sums
)
"""One call in two places: its constants have one column."""


def smooth_at(expression: Expression) -> bool:
    """Whether differences can tell the slope: no value huge, no call near a kink or a pole."""
    arguments = [call.argument for call in expression.calls()]
    with np.errstate(all="ignore"):
        sizes = [evaluate(each, ROWS) for each in (expression, *arguments)]
    if not all(np.isfinite(each).all() for each in sizes):
        return False
    return np.abs(sizes[0]).max() < 1e4 and all(
        np.abs(each).min() > 0.05 and np.abs(each).max() < 20 for each in sizes[1:]
    )


def by_differences(function, at: np.ndarray) -> np.ndarray:
    """Slopes by central differences of order four, last axis the numbers of `at`."""
    step = 1e-3 * np.maximum(np.abs(at), 0.1)
    columns = []
    for place, h in enumerate(step):
        move = h * np.eye(len(at))[place]
        near, far = (function(at + k * move) - function(at - k * move) for k in (1, 2))
        columns.append((8 * near - far) / (12 * h))
    return np.stack(columns, axis=-1)


@given(forms | shared)
@settings(max_examples=150)
def test_values_are_those_of_the_expression(evaluate_with_error, expression):
    flow = flow_of(expression)
    with np.errstate(all="ignore"):
        found = flow.values(ROWS, flow.constants)[:, 0]
        (wanted, error), slopes = evaluate_with_error(expression, ROWS), flow(ROWS, flow.constants)[0][:, 0]
    finite = np.isfinite(wanted) & (np.abs(wanted) < 1e6)
    np.testing.assert_allclose(found[finite], wanted[finite], rtol=1e-9, atol=1e-9)
    # Sums in another order: to 1e-12, or to what rounding makes of a sine of a large argument.
    allowed = np.fmax(1e-12 * (1.0 + np.abs(found)), 100.0 * error)
    assert (np.abs(slopes - found) <= allowed)[finite].all()
    np.testing.assert_allclose(evaluate(expression, ROWS)[finite], found[finite], rtol=1e-14)


@given(forms | shared)
@settings(max_examples=100)
def test_slopes_are_exact(expression):
    """In the constants as those of the refit, which share no line; in both as differences have them."""
    assume(expression.terms and smooth_at(expression))
    flow = flow_of(expression)
    at = flow.constants
    np.testing.assert_array_equal(at, constants(expression))
    _, by_input, by_constant = flow(ROWS, at)
    size = np.abs(by_constant).max() + np.abs(by_input).max()
    wanted = sensitivity(expression, ROWS, OPERATIONS)
    np.testing.assert_allclose(by_constant[:, 0], wanted, rtol=1e-10, atol=1e-12 * size)
    # Small steps inside: what differences cannot resolve says nothing.
    near = by_differences(lambda c: flow.values(ROWS, c)[:, 0], at)
    np.testing.assert_allclose(by_constant[:, 0], near, rtol=1e-3, atol=1e-3 * size)
    shift = by_differences(lambda d: flow.values(ROWS + d, at)[:, 0], np.zeros(2))
    np.testing.assert_allclose(by_input[:, 0], shift, rtol=1e-3, atol=1e-3 * size)


@pytest.mark.parametrize(
    "text", [SHARED, NESTED, "3*x - 2*x*y + 7", "x^2/y - y^3", "5", "sqrt(x + y) - abs(x - 3)"]
)
def test_slopes_of_known_forms_to_many_digits(text):
    flow = flow_of(form(text))
    _, by_input, by_constant = flow(ROWS, flow.constants)
    near = by_differences(lambda c: flow.values(ROWS, c)[:, 0], flow.constants)
    np.testing.assert_allclose(by_constant[:, 0], near, rtol=1e-7, atol=1e-8)
    shift = by_differences(lambda d: flow.values(ROWS + d, flow.constants)[:, 0], np.zeros(2))
    np.testing.assert_allclose(by_input[:, 0], shift, rtol=1e-7, atol=1e-8)


def test_a_refitter_and_an_equation_see_the_same_function():
    expression = form(SHARED)
    flow = flow_of(expression)
    found = flow.values(ROWS, flow.constants)[:, 0]
    problem = Problem(
        jnp.asarray(ROWS), jnp.asarray(found)[:, None], jnp.ones(len(ROWS)), jnp.asarray(float(len(ROWS)))
    )
    np.testing.assert_allclose(Regression(problem, resolve(None), 0.0).values(expression), found, rtol=1e-13)
    count = len(flow.constants)
    equation = Equation("x", NAMES, expression, np.zeros((count, count)), 1.0, 0.0)
    np.testing.assert_allclose(equation(ROWS), found, rtol=1e-13)


def test_a_call_in_several_places_is_computed_once():
    found = outline(form(SHARED))
    assert sorted(name for name, _ in found.calls) == ["exp", "sin"]
    assert len(found.values) == 6
    assert len(found.outer) == 3
    counted = []

    class Counting(Faces):
        def __call__(self, name, h):
            counted.append(name)
            return super().__call__(name, h)

    flow = Flow([form(SHARED)], 2, Counting(OPERATIONS))
    flow(ROWS, flow.constants)
    assert sorted(counted) == ["exp", "sin"]


def test_equations_have_their_own_places():
    first, second = form(NESTED), form("2*x - y")
    flow = flow_of(first, second)
    assert len(flow) == 2
    assert flow.places == [slice(0, len(constants(first))), slice(len(constants(first)), len(flow.constants))]
    _, by_input, by_constant = flow(ROWS, flow.constants)
    assert by_input.shape == (12, 2, 2)
    assert (by_constant[:, 0, flow.places[1]] == 0).all()
    assert (by_constant[:, 1, flow.places[0]] == 0).all()
    np.testing.assert_array_equal(by_constant[:, 1, flow.places[1]], ROWS)
    changed = flow.with_constants(2 * flow.constants)
    assert changed[1] == form("4*x - 2*y")
    assert changed[0].skeleton == first.skeleton


def test_rates_multiply_everything():
    forms_, rates = (form(SHARED), form("x*y - 3")), np.array([2.5, 1e-11])
    plain, rated = flow_of(*forms_), flow_of(*forms_, rates=rates)
    at = plain.constants
    for found, wanted in zip(rated(ROWS, at), plain(ROWS, at), strict=True):
        factor = rates.reshape(1, 2, *[1] * (wanted.ndim - 2))
        np.testing.assert_allclose(found, factor * wanted, rtol=1e-14)
    np.testing.assert_allclose(rated.values(ROWS, at), rates * plain.values(ROWS, at), rtol=1e-14)


def test_known_terms_are_added_with_fixed_constants(value):
    known = (form("-9.81 + 0.5*sin(0.7*x)"), Expression())
    free, rates = (form("2*x"), form("y")), np.array([3.0, 1.0])
    flow = flow_of(*free, rates=rates, known=known)
    assert len(flow.constants) == 2
    found, by_input, by_constant = flow(ROWS, flow.constants)
    np.testing.assert_allclose(found[:, 0], 3 * value(free[0] + known[0], ROWS), rtol=1e-13)
    np.testing.assert_allclose(found, flow.values(ROWS, flow.constants), rtol=1e-14)
    np.testing.assert_allclose(by_input[:, 0, 0], 3 * (2 + 0.35 * np.cos(0.7 * ROWS[:, 0])), rtol=1e-13)
    np.testing.assert_allclose(by_constant[:, 0], 3 * ROWS[:, :1] * [[1, 0]], rtol=1e-14)


def test_empty_equations_are_zero_and_have_no_constants():
    flow = flow_of(Expression(), form("x"), Expression(), known=(Expression(), Expression(), form("x*y")))
    assert len(flow.constants) == 1
    value, by_input, by_constant = flow(ROWS, flow.constants)
    np.testing.assert_allclose(value, np.stack([0 * ROWS[:, 0], ROWS[:, 0], ROWS.prod(axis=1)], axis=1))
    assert (by_input[:, 0] == 0).all()
    assert (by_constant[:, [0, 2]] == 0).all()
    np.testing.assert_array_equal(by_input[:, 2], ROWS[:, ::-1])
    assert flow.with_constants(np.array([4.0])) == (Expression(), form("4*x"), Expression())
    nothing = flow_of(Expression())
    assert nothing.constants.shape == (0,)
    assert (nothing.values(ROWS, nothing.constants) == 0).all()
    assert (evaluate(Expression(), ROWS) == 0).all()


def test_a_term_of_coefficient_zero_has_the_slope_of_its_column():
    """As a library is laid beside a system."""
    flow = flow_of(Expression((Term(2.0, ((0, 1),)), Term(0.0, ((0, 1), (1, 2))))))
    value, _, by_constant = flow(ROWS, flow.constants)
    np.testing.assert_allclose(value[:, 0], 2 * ROWS[:, 0])
    np.testing.assert_allclose(by_constant[:, 0, 1], ROWS[:, 0] * ROWS[:, 1] ** 2, rtol=1e-14)


def test_terms_that_might_come_in_have_their_calls_to_themselves():
    """Their slopes inside are those of one unit of them, whatever stands beside; they add no value."""
    call = form("sin(0.8*x + 0.1)").terms[0].factors
    beside = (Term(2.0, call), Term(0.0, ((1, 1), *call)), Term(0.0, ((0, 1), *call)))
    flow = flow_of(Expression(beside))
    assert len(flow.constants) == 3 * 3
    value, by_input, by_constant = flow(ROWS, flow.constants)
    x, y = ROWS.T
    h = 0.8 * x + 0.1
    np.testing.assert_allclose(value[:, 0], 2 * np.sin(h), rtol=1e-14)
    np.testing.assert_allclose(by_input[:, 0, 0], 1.6 * np.cos(h), rtol=1e-14)
    assert (by_input[:, 0, 1] == 0).all()
    columns = [
        column
        for factor, size in ((1.0, 2.0), (y, 1.0), (x, 1.0))
        for column in (factor * np.sin(h), size * factor * x * np.cos(h), size * factor * np.cos(h))
    ]
    np.testing.assert_allclose(by_constant[:, 0], np.stack(columns, axis=1), rtol=1e-13)


def test_a_users_operation_has_its_slope():
    own = Operation("soft", lambda h: jnp.log1p(jnp.exp(h)), lambda h: h)
    flow = Flow([apply(own, variable(0).scale(0.5) + number(0.1))], 2, Faces(tape_operations((own,))))
    _, by_input, by_constant = flow(ROWS, flow.constants)
    shift = by_differences(lambda d: flow.values(ROWS + d, flow.constants)[:, 0], np.zeros(2))
    np.testing.assert_allclose(by_input[:, 0], shift, rtol=1e-8, atol=1e-10)
    near = by_differences(lambda c: flow.values(ROWS, c)[:, 0], flow.constants)
    np.testing.assert_allclose(by_constant[:, 0], near, rtol=1e-8, atol=1e-10)
