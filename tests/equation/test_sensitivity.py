"""Derivatives of forms in their constants: exact."""

import numpy as np
import pytest
import sympy

from mathonet.equation import symbolic
from mathonet.equation.assembly import constants, tape_operations
from mathonet.equation.expression import Expression
from mathonet.equation.parse import from_sympy
from mathonet.equation.sensitivity import sensitivity
from mathonet.operations import resolve

SYMBOLS = sympy.symbols("x y")
OPERATIONS = tape_operations(resolve(None))
ROWS_SEEN = np.random.default_rng(0).uniform(0.5, 2.0, (40, 2))


def form(source: str) -> Expression:
    return from_sympy(sympy.sympify(source), SYMBOLS)


def by_sympy(expression: Expression, rows: np.ndarray) -> np.ndarray:
    """The same derivatives, taken by SymPy."""
    values = constants(expression)
    real = sympy.symbols("x y", real=True)
    places = [sympy.Dummy(f"c{i}", real=True) for i in range(len(values))]
    remaining = iter(places)
    body = symbolic.to_sympy(expression, real, lambda _: next(remaining))
    columns = []
    for place in places:
        slope = sympy.lambdify([*real, *places], sympy.diff(body, place), "numpy")
        columns.append(np.broadcast_to(slope(*rows.T, *values), len(rows)))
    return np.stack(columns, axis=1)


@pytest.mark.parametrize(
    "source",
    [
        "3*x - 2*x*y + 7",
        "2*x**2/y - y**3",
        "-4.9*sin(0.9*x) - 0.2*y",
        "1.5*x*log(2*x + y) + y",
        "2*exp(-0.5*x)*sin(1.1*y + 0.3) + 0.7*sin(1.1*y + 0.3)",
        "0.5*tanh(0.52*x - 0.25) + x/(1.3 + x**2)",
        "5",
    ],
)
def test_derivatives_are_sympys(source):
    expression = form(source)
    found = sensitivity(expression, ROWS_SEEN, OPERATIONS)
    assert found.shape == (len(ROWS_SEEN), len(constants(expression)))
    np.testing.assert_allclose(found, by_sympy(expression, ROWS_SEEN), rtol=1e-11, atol=1e-12)


def test_zero_has_the_derivative_of_a_constant():
    np.testing.assert_array_equal(sensitivity(Expression(), ROWS_SEEN, OPERATIONS), np.ones((40, 1)))
