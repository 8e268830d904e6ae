"""Networks: laws beyond the library, from small super-graphs alone."""

import jax
import numpy as np
import pytest

from mathonet import Discoverer, Samples
from mathonet.data.samples import Windows
from mathonet.equation.expression import Expression
from mathonet.equation.flow import evaluate
from mathonet.equation.parse import from_text
from mathonet.learning.restarts import batch_of, compilations
from mathonet.operations import resolve
from mathonet.search.fit import Fit
from mathonet.search.objective import Limit
from mathonet.search.proposers.networks import Networks, known_calls
from mathonet.search.proposers.sweep import make_problem
from mathonet.search.quotas import Restarts
from mathonet.search.samples.regression import Regression

NAMES = ("x", "y")
DRAW = np.random.default_rng(5)
PLANE = DRAW.uniform(0.2, 3.0, size=(120, 2))
OPERATIONS = resolve(["ident", "exp", "inv", "tanh"])
FEW = Restarts(drawn=6_000, starts=128, pruned=32, read=6)


def regression_of(target: np.ndarray, rows: np.ndarray = PLANE, floor: float = 1e-12, **parts) -> Regression:
    names = NAMES[: rows.shape[1]]
    samples = Samples(rows, target[:, None], names, names[:1], **parts)
    with jax.enable_x64(True):
        return Regression(make_problem(samples, None), OPERATIONS, floor)


def proposed(regression: Regression, limit: Limit | None = None) -> list[Fit]:
    with jax.enable_x64(True):
        return Networks(OPERATIONS, FEW).fits(regression, limit)


def best(regression: Regression) -> Fit:
    return min(proposed(regression), key=lambda each: each.score)


def law(text: str, rows: np.ndarray = PLANE) -> tuple[Expression, np.ndarray]:
    form = from_text(text, NAMES[: rows.shape[1]])
    return form, evaluate(form, rows)


@pytest.mark.parametrize(
    "text",
    ["1.2*x - 0.7*x*y + 0.3*y^3", "0.8*tanh(1.3*x - 0.9*y + 0.4) - 0.5*x", "1.5*x/(1.1 + y + 0.6*x) - 0.4*y"],
)
def test_laws_are_found_from_random_starts(text):
    form, values = law(text)
    found = best(regression_of(values))
    assert found.expression.skeleton == form.skeleton
    assert found.chi2 < 1e-20


def test_noise_leaves_the_law_among_the_first():
    form, values = law("0.8*tanh(1.3*x - 0.9*y + 0.4) - 0.5*x")
    noisy = values + 0.01 * DRAW.normal(size=len(values))
    found = sorted(proposed(regression_of(noisy)), key=lambda each: each.score)
    assert form.skeleton in [each.expression.skeleton for each in found[:8]]


def test_residuals_that_mix_samples_serve_as_well():
    """As whitened increments along a path do: each is a sum over its neighbours."""
    t = np.linspace(0.0, 6.0, 400)
    rows = np.column_stack([1.5 + np.sin(t), 1.6 + np.cos(0.7 * t)])
    form, values = law("1.5*x/(1.1 + y + 0.6*x) - 0.4*y", rows)
    index = np.arange(398)[:, None] + np.arange(3)
    operator = Windows(np.minimum(np.vstack([index, index[-2:]]), 399), np.full((400, 3), 1.0 / 3.0))
    target = values[operator.index].mean(axis=1)
    found = best(regression_of(target, rows, operator=operator))
    assert found.expression.skeleton == form.skeleton


def test_a_form_that_could_not_win_is_not_learned():
    regression = regression_of(law("1.2*x - 0.7*x*y")[1])
    assert proposed(regression, Limit(score=-1e9, chi2=0.0)) == []


def test_calls_of_the_best_forms_are_known():
    form, values = law("0.5*x*exp(-0.7*y) + 0.3*x")
    regression = regression_of(values)
    assert known_calls(regression) == []
    with jax.enable_x64(True):
        regression.fit(form)
    (known,) = known_calls(regression)
    assert known.skeleton == from_text("exp(-0.7*y)", NAMES).skeleton


def test_the_same_seed_gives_the_same_forms_and_compiles_nothing_more():
    _, values = law("0.8*tanh(1.3*x - 0.9*y + 0.4) - 0.5*x")
    first = proposed(regression_of(values))
    batch = batch_of(jax.default_backend())
    compiled = compilations(OPERATIONS, batch)
    assert compiled > 0
    again = proposed(regression_of(values))
    assert [each.expression for each in again] == [each.expression for each in first]
    proposed(regression_of(law("1.5*x/(1.1 + y + 0.6*x) - 0.4*y")[1]))
    assert compilations(OPERATIONS, batch) == compiled


def test_networks_alone_can_be_asked_for():
    _, values = law("0.8*tanh(1.3*x - 0.9*y + 0.4) - 0.5*x")
    model = Discoverer([each.name for each in OPERATIONS], proposers=["networks"])
    model.fit(PLANE, x_dot=np.column_stack([values, PLANE[:, 0]]), names=list(NAMES))
    assert {each.rung for each in model.discovery_.chosen} == {"networks"}
    assert [each.level for each in model.discovery_.trust] == ["exact", "exact"]
