"""SymPy -> Expression: known mathematics in, everything else refused by name."""

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from mathonet import systems
from mathonet.equation.parse import FUNCTIONS, from_sympy
from mathonet.equation.symbolic import to_sympy
from mathonet.errors import ConfigError

X, Y = SYMBOLS = sympy.symbols("x y")
POINTS = np.random.default_rng(3).uniform(0.3, 1.9, size=(20, 2))


def numbers(expression: sympy.Expr) -> np.ndarray:
    return np.broadcast_to(sympy.lambdify(SYMBOLS, expression, "numpy")(*POINTS.T), len(POINTS))


coefficients = st.floats(0.1, 3.0) | st.floats(-3.0, -0.1)
leaves = st.sampled_from([X, Y]) | coefficients.map(sympy.Float)
functions = st.sampled_from([sympy.sin, sympy.cos, sympy.tanh, lambda h: 1 / (sympy.Float(7.3) + h**2)])


def grow(children):
    return st.one_of(
        st.builds(lambda a, b: a + b, children, children),
        st.builds(lambda a, b: a * b, children, children),
        st.builds(lambda f, a: f(a), functions, children),
        st.builds(lambda a, n: a**n, children, st.integers(2, 3)),
    )


@given(st.recursive(leaves, grow, max_leaves=5))
@settings(max_examples=60)
def test_round_trip_keeps_value_and_form(expression):
    found = from_sympy(expression, SYMBOLS)
    written = to_sympy(found, SYMBOLS)
    np.testing.assert_allclose(numbers(written), numbers(expression), rtol=1e-8, atol=1e-8)
    assert from_sympy(written, SYMBOLS).skeleton == found.skeleton


@pytest.mark.parametrize("function", FUNCTIONS, ids=FUNCTIONS.values())
def test_every_function_has_a_normal_form(function):
    found = from_sympy(2 * function(0.5 * X + 1), SYMBOLS)
    np.testing.assert_allclose(
        numbers(to_sympy(found, SYMBOLS)), numbers(2 * function(0.5 * X + 1)), rtol=1e-13
    )


@pytest.mark.parametrize(
    "expression",
    [sympy.sqrt(X), X ** sympy.Rational(3, 2), X ** sympy.Rational(-1, 2), X**-2, 1 / (X + Y) ** 2],
    ids=str,
)
def test_whole_and_half_powers(expression):
    found = to_sympy(from_sympy(expression, SYMBOLS), SYMBOLS)
    np.testing.assert_allclose(numbers(found), numbers(expression), rtol=1e-13)


def test_numbers_of_every_kind():
    expression = sympy.pi * X + sympy.Rational(8, 3) * Y - sympy.E + sympy.Integer(2)
    by_factors = {term.factors: term.coefficient for term in from_sympy(expression, SYMBOLS).terms}
    assert by_factors == {((0, 1),): np.pi, ((1, 1),): 8 / 3, (): pytest.approx(2 - np.e, rel=1e-15)}


@pytest.mark.parametrize("name", systems.names())
def test_every_built_in_system_has_a_normal_form(name):
    system = systems.get(name)
    point = np.linspace(0.3, 0.7, len(system.symbols))
    for equation in system.equations:
        found = to_sympy(from_sympy(equation, system.symbols), system.symbols)
        values = [float(e.subs(dict(zip(system.symbols, point, strict=True)))) for e in (found, equation)]
        assert values[0] == pytest.approx(values[1], rel=1e-13)


def test_unknown_symbol_is_named_with_the_known_ones():
    with pytest.raises(ConfigError, match=r"Unknown symbol z.*\['x', 'y'\]"):
        from_sympy(X + sympy.Symbol("z"), SYMBOLS)


def test_a_symbol_with_assumptions_is_another_symbol():
    with pytest.raises(ConfigError, match="Unknown symbol x"):
        from_sympy(sympy.Symbol("x", positive=True), SYMBOLS)


@pytest.mark.parametrize(
    "expression",
    [
        sympy.sinh(X),
        sympy.erf(X),
        sympy.Function("f")(X),
        sympy.Derivative(sympy.Function("f")(X), X),
        sympy.Integral(X, (X, 0, 1)),
        sympy.Piecewise((X, X > 0), (Y, True)),
        sympy.Max(X, Y),
        sympy.atan2(X, Y),
    ],
    ids=str,
)
def test_unknown_functions_are_refused(expression):
    with pytest.raises(ConfigError):
        from_sympy(expression, SYMBOLS)


@pytest.mark.parametrize("expression", [X**0.3, X**Y, 2**X, X ** sympy.Rational(1, 3)], ids=str)
def test_other_powers_are_refused_with_a_way_out(expression):
    with pytest.raises(ConfigError, match="whole or half powers"):
        from_sympy(expression, SYMBOLS)


@pytest.mark.parametrize("expression", [sympy.I * X, sympy.oo, sympy.nan, sympy.zoo, X + sympy.I], ids=str)
def test_numbers_that_are_not_real_are_refused(expression):
    with pytest.raises(ConfigError):
        from_sympy(expression, SYMBOLS)
