"""Calls: laws with operations inside from samples alone; what noise, limits and the user's operations change."""

import jax
import numpy as np
import pytest

from mathonet import Samples
from mathonet.data.samples import Windows
from mathonet.equation.expression import Expression
from mathonet.equation.flow import evaluate
from mathonet.equation.parse import from_text
from mathonet.operations import resolve
from mathonet.search.effort import Effort
from mathonet.search.fit import Fit
from mathonet.search.objective import Limit
from mathonet.search.proposers.calls import Calls, CallSearch
from mathonet.search.proposers.sweep import make_problem
from mathonet.search.regression import Regression

NAMES = ("x", "y", "z")
DRAW = np.random.default_rng(11)
POSITIVE = 0.2 + 1.6 * DRAW.random((90, 2))
SIGNED = np.column_stack([POSITIVE[:, 0], 4.0 * DRAW.random(90) - 2.0])
"""The second input has both signs."""
ONE = POSITIVE[:, :1]


def regression_of(target: np.ndarray, rows: np.ndarray, operations: str, floor=1e-12, **parts) -> Regression:
    names = NAMES[: rows.shape[1]]
    samples = Samples(rows, target[:, None], names, names[:1], **parts)
    with jax.enable_x64(True):
        return Regression(make_problem(samples, None), resolve(["ident", *operations.split()]), floor)


def sought(regression: Regression, precise: bool = False, limit=None, effort=None) -> list[Fit]:
    with jax.enable_x64(True):
        calls = Calls(np.ones(regression.inputs), precise, effort or Effort())
        return calls.forms(regression, limit)


def best(regression: Regression, **options) -> Fit:
    return min(sought(regression, **options), key=lambda each: each.score)


def law(text: str, rows: np.ndarray) -> tuple[Expression, np.ndarray]:
    form = from_text(text, NAMES[: rows.shape[1]])
    return form, evaluate(form, rows)


LAWS = {
    "Michaelis-Menten": ("x/(0.7 + x)", ONE, "inv"),
    "Hill": ("0.2 - 0.5*x + 1.1*x^4/(2.7 + x^4)", ONE, "inv"),
    "Haldane": ("1.2 - 0.3*x - 2.1*x/(0.6 + x + 0.5*x^2)", ONE, "inv"),
    "Gompertz": ("0.3*x - 0.4*x*log(x)", ONE, "log"),
    "a power": ("x^1.3", ONE, "exp log"),
    "Kleiber": ("0.61*exp(0.75*log(x)) - 0.33*x", ONE, "exp log"),
    "logistic": ("1 - x + 2/(1 + exp(3 - 2.2*x))", ONE, "tanh"),
    "a root of a sum": ("sqrt(1 + x^2)", ONE, "sqrt"),
    "two waves": ("0.8*sin(1.1*x) - 0.3*sin(2.3*x)", 2.0 * ONE, "sin"),
    "two calls": ("0.3*sin(x - y) - sin(x)", SIGNED, "sin"),
    "cotangent": ("1.4*cos(x)/sin(x)", ONE, "sin cos inv"),
    "Holling": ("x - 0.2*x^2 - 1.3*x*y/(0.7 + x)", POSITIVE, "inv"),
    "several terms over one": ("1.46*x*(1.08 - x - y)/(1 + 2.3*x^2) - 0.37*x", SIGNED, "inv"),
    "two inputs below": ("(1.3*x - 0.4*y)/(2.9 + 0.8*x + 0.5*y)", SIGNED, "inv"),
    "two denominators": ("0.5*y - 0.9*x/(0.4 + x) - 1.2*x*y/(2 + y)", POSITIVE, "inv"),
    "two limits": ("0.3*y - 0.9*x*y/((0.7 + x)*(0.4 + y))", POSITIVE, "inv"),
    "magnet": ("0.9/(3.4 - x)^2 - 1.8*x - 0.15*y", POSITIVE, "inv"),
    "negative powers": ("-1.5*y^2/x + 2.83/x^4 - 1.94/x - 0.64/x^2 - 0.31*y/x^2", SIGNED, "inv"),
    "activation": ("0.9 - 1.1*(1 + tanh(3.2*y - 0.1))*(y - 1) - 2*x*(y + 0.7)", SIGNED, "tanh"),
    "drag": ("0.4 - 0.8*sin(x) - 0.3*y*abs(y)", SIGNED, "sin abs"),
    "drag of a body": ("-0.047*y*sqrt(x^2 + y^2) - 0.38*x", SIGNED, "sqrt"),
    "Arrhenius": ("0.4 - 0.5*x - 30*x*exp(-4.7/y)", 1.0 + POSITIVE, "exp inv"),
    "drag in air": ("0.1 - 1.7*y^2*exp(-0.8*x)", POSITIVE, "exp"),
    "a bell": ("1.4*x*exp(-2.2*(y - 0.3)^2) - 0.5*y", SIGNED, "exp"),
    "softplus": ("1.5*log(1 + exp(2.9*x*y - 0.9)) - 1.1*x", SIGNED, "exp log"),
    "a pole on a cart": ("(14*sin(y) - 0.4*x*cos(y))/(1 + 0.43*sin(y)^2)", SIGNED, "sin cos inv"),
}


@pytest.mark.parametrize("name", LAWS)
def test_laws_are_found_from_exact_samples(name):
    text, rows, operations = LAWS[name]
    if name == "a power":
        text = "exp(1.3*log(x))"
    truth, target = law(text, rows)
    found = best(regression_of(target, rows, operations))
    elsewhere = rows + 0.05
    np.testing.assert_allclose(
        evaluate(found.expression, elsewhere), evaluate(truth, elsewhere), rtol=1e-6, atol=1e-8
    )
    assert len(found.expression.terms) <= len(truth.terms) + 1
    assert {call.operation.name for call in found.expression.calls()} <= set(operations.split())
