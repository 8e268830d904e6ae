"""An evaluation of expressions that shares nothing with the package, and one problem for all fits."""

import jax.numpy as jnp
import numpy as np
import pytest

from mathonet.equation.expression import Call, Expression
from mathonet.search.regression import Regression
from mathonet.fit.problem import Problem
from mathonet.operations import resolve

ROUNDING = np.finfo(float).eps
FUNCTIONS = {
    "sin": (np.sin, np.cos),
    "cos": (np.cos, np.sin),
    "tan": (np.tan, lambda h: 1 + np.tan(h) ** 2),
    "exp": (np.exp, np.exp),
    "tanh": (np.tanh, lambda h: 1 - np.tanh(h) ** 2),
    "log": (lambda h: np.log(np.abs(h)), lambda h: 1 / h),
    "sqrt": (lambda h: np.sqrt(np.abs(h)), lambda h: 0.5 / np.sqrt(np.abs(h))),
    "inv": (lambda h: 1 / h, lambda h: 1 / h**2),
    "abs": (np.abs, np.ones_like),
}


def evaluate(expression: Expression, inputs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Value at every sample, and a bound on its rounding error."""
    value, error = np.zeros(len(inputs)), np.zeros(len(inputs))
    for term in expression.terms:
        part, relative = np.full(len(inputs), term.coefficient), np.full(len(inputs), ROUNDING)
        for factor, power in term.factors:
            base, slack = _factor(factor, inputs)
            part = part * base ** float(power)
            relative = relative + abs(power) * (slack / np.abs(base) + ROUNDING)
        value, error = value + part, error + np.abs(part) * (relative + ROUNDING)
    return value, error


def _factor(factor: int | Call, inputs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    if isinstance(factor, int):
        return inputs[:, factor], np.zeros(len(inputs))
    argument, slack = evaluate(factor.argument, inputs)
    function, slope = FUNCTIONS[factor.operation.name]
    value = function(argument)
    return value, np.abs(slope(argument)) * slack + ROUNDING * np.abs(value)


def _quiet(expression: Expression, inputs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    with np.errstate(all="ignore"):
        return evaluate(expression, inputs)


@pytest.fixture(scope="session")
def evaluate_with_error():
    return _quiet


@pytest.fixture(scope="session")
def value():
    return lambda expression, inputs: _quiet(expression, inputs)[0]


@pytest.fixture(scope="session")
def same(value):
    """Assert that two expressions have the same values on two inputs."""
    points = np.random.default_rng(0).uniform(0.3, 1.9, size=(25, 2)) * [[1, -1]]

    def check(a: Expression, b: Expression, rtol: float = 1e-11) -> None:
        left, right = value(a, points), value(b, points)
        finite = np.isfinite(left) & np.isfinite(right)
        scale = np.max(np.abs(left[finite]), initial=1.0)
        assert finite.any()
        np.testing.assert_allclose(left[finite], right[finite], rtol=rtol, atol=rtol * scale)

    return check


ROWS = 60


@pytest.fixture(scope="session")
def inputs() -> np.ndarray:
    return np.random.default_rng(1).uniform(-3, 3, size=(ROWS, 2))


@pytest.fixture(scope="session")
def refit_on(inputs):
    """A refitter for a target over the shared inputs; all of them share one compilation."""
    operations = resolve(["ident", "sin", "cos", "exp"])

    def make(target: np.ndarray, floor: float = 1e-12, points: np.ndarray = inputs) -> Regression:
        problem = Problem(
            jnp.asarray(points), jnp.asarray(target)[:, None], jnp.ones(ROWS), jnp.asarray(float(ROWS))
        )
        return Regression(problem, operations, floor)

    return make
