"""For all tests: float64, properties without deadlines, and an evaluation that shares no line with ours."""

import atexit
import os
import shutil
import tempfile
from collections.abc import Callable

# Workers of one run, and the processes they start, share what they compile: most of what networks take.
if "JAX_COMPILATION_CACHE_DIR" not in os.environ:
    os.environ["JAX_COMPILATION_CACHE_DIR"] = tempfile.mkdtemp(prefix="mathonet-tests-")
    os.environ["JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS"] = "0.2"
    atexit.register(shutil.rmtree, os.environ["JAX_COMPILATION_CACHE_DIR"], ignore_errors=True)

import jax
import numpy as np
import pytest
from hypothesis import settings
from scipy.integrate import solve_ivp

from mathonet.data.trajectory import Trajectory
from mathonet.equation.expression import Call, Expression, apply, number, power, variable
from mathonet.operations import get

jax.config.update("jax_enable_x64", True)
# The first example of a property pays for a compilation, which says nothing about the property.
settings.register_profile("same", deadline=None, derandomize=True, database=None)
settings.register_profile("random", deadline=None, print_blob=True)
settings.load_profile(os.environ.get("MATHONET_HYPOTHESIS", "same"))


@pytest.fixture(scope="session")
def many_forms() -> list[Expression]:
    """A hundred different forms of two inputs, of up to four terms, most with a call."""
    rng = np.random.default_rng(4)
    names = ["sin", "cos", "exp", "tanh", "inv"]
    seen = {}
    while len(seen) < 100:
        form = number(rng.normal())
        for _ in range(rng.integers(1, 4)):
            i, j = rng.integers(0, 3, size=2)
            monomial = power(variable(0), int(i)) * power(variable(1), int(j))
            if rng.random() < 0.6:
                inner = variable(int(rng.integers(2))).scale(0.5) + number(2.0)
                monomial = monomial * apply(get(str(rng.choice(names))), inner)
            form = form + monomial.scale(rng.normal())
        seen[form.skeleton] = form
    return list(seen.values())


@pytest.fixture(scope="session")
def observe() -> Callable[..., Trajectory]:
    """A trajectory of x' = f(t, x) with noise, a share of each state's size."""

    def make(f, start, t, noise: float = 0.0, seed: int = 0, **parts) -> Trajectory:
        solution = solve_ivp(f, (t[0], t[-1]), start, t_eval=t, rtol=1e-11, atol=1e-13, method="DOP853")
        x = solution.y.T
        size = np.sqrt(np.mean(x**2, axis=0))
        return Trajectory(t, x + noise * size * np.random.default_rng(seed).normal(size=x.shape), **parts)

    return make


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
        for factor, exponent in term.factors:
            base, slack = _factor(factor, inputs)
            part = part * base ** float(exponent)
            relative = relative + abs(exponent) * (slack / np.abs(base) + ROUNDING)
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
