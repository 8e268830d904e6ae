"""Calls: laws with operations inside from samples alone; what noise, limits and operations change."""

import jax
import numpy as np
import pytest

from mathonet import Samples
from mathonet.data.samples import Windows
from mathonet.equation.expression import Expression
from mathonet.equation.flow import evaluate
from mathonet.equation.parse import from_text
from mathonet.operations import resolve
from mathonet.search.call_columns import CallColumns
from mathonet.search.effort import NOISY, PRECISE
from mathonet.search.fit import Fit
from mathonet.search.objective import Limit, Proposal
from mathonet.search.proposers.calls import Calls, CallSearch
from mathonet.search.proposers.sweep import make_problem
from mathonet.search.proposers.whole_blocks import WholeBlocks
from mathonet.search.samples.objective import SampleObjective
from mathonet.search.samples.regression import Regression

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


def sought(regression: Regression, precise: bool | None = None, limit: Limit | None = None) -> list[Fit]:
    with jax.enable_x64(True):
        return Calls(np.ones(regression.inputs), precise).forms(regression, limit)


def cleaned(regression: Regression) -> Fit:
    """The best form after clean-up, as a search on samples has it."""
    objective = SampleObjective(0, regression, regression, regression)
    with jax.enable_x64(True):
        objective.consider([Proposal(each.forms, chi2=each.chi2) for each in sought(regression)], Calls.name)
    assert objective.best is not None
    return objective.best


def law(text: str, rows: np.ndarray) -> tuple[Expression, np.ndarray]:
    form = from_text(text, NAMES[: rows.shape[1]])
    return form, evaluate(form, rows)


LAWS = {
    "Michaelis-Menten": ("x/(0.7 + x)", ONE, "inv"),
    "Hill": ("0.2 - 0.5*x + 1.1*x^4/(2.7 + x^4)", ONE, "inv"),
    "Haldane": ("1.2 - 0.3*x - 2.1*x/(0.6 + x + 0.5*x^2)", ONE, "inv"),
    "Gompertz": ("0.3*x - 0.4*x*log(x)", ONE, "log"),
    "a power": ("exp(1.3*log(x))", ONE, "exp log"),
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


MISSED = {"negative powers": "terms of a billion that cancel are found in their place"}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(each, marks=[pytest.mark.xfail(reason=MISSED[each])] if each in MISSED else [])
        for each in LAWS
    ],
)
def test_laws_are_found_from_exact_samples(name):
    text, rows, operations = LAWS[name]
    truth, target = law(text, rows)
    found = cleaned(regression_of(target, rows, operations))
    elsewhere = rows + 0.05
    np.testing.assert_allclose(
        evaluate(found.expression, elsewhere), evaluate(truth, elsewhere), rtol=1e-6, atol=1e-8
    )
    assert len(found.expression.terms) <= len(truth.terms)
    assert {call.operation.name for call in found.expression.calls()} <= set(operations.split())


def test_two_percent_of_noise_leave_the_law():
    rows = 3.0 * POSITIVE[:, :1]
    truth, target = law("sin(2*x) + 0.5*x", rows)
    noise = 0.02 * np.sqrt(np.mean(target**2)) * np.random.default_rng(3).normal(size=len(target))
    found = cleaned(regression_of(target + noise, rows, "sin exp inv"))
    assert found.expression.skeleton == truth.skeleton
    values = sorted(np.abs(found.constants))
    np.testing.assert_allclose(values, [0.5, 1.0, 2.0], rtol=0.05)


def test_sines_of_two_differences_are_found_among_three_angles():
    rows = np.random.default_rng(4).uniform(-1.0, 3.0, (120, 3)) * [1.0, 2.0, 1.5]
    truth, target = law("0.41 + 0.57*sin(y - x) + 0.38*sin(z - x)", rows)
    found = cleaned(regression_of(target, rows, "sin"))
    np.testing.assert_allclose(evaluate(found.expression, rows), evaluate(truth, rows), atol=1e-9)
    assert len(found.expression.terms) == 3


def test_weights_say_which_samples_count():
    _, target = law("x - 0.2*x^2 - 1.3*x*y/(0.7 + x)", POSITIVE)
    spoilt = target.copy()
    spoilt[::3] += 5.0 * np.random.default_rng(3).normal(size=len(spoilt[::3]))
    weights = np.where(np.arange(len(spoilt)) % 3 == 0, 1e-6, 1.0)
    found = cleaned(regression_of(spoilt, POSITIVE, "inv", weights=weights))
    np.testing.assert_allclose(evaluate(found.expression, POSITIVE), target, atol=1e-4)


def test_targets_may_be_sums_over_rows():
    """As those of weak forms, and of increments along a path are."""
    t = np.linspace(0.0, 10.0, 300)
    rows = np.column_stack([1.5 + np.sin(t), 1.0 + 0.5 * np.cos(1.7 * t)])
    truth, values = law("0.3 - 1.1*x/(0.6 + x)", rows)
    index = np.arange(len(t) - 9)[:, None] + np.arange(9)
    windows = Windows(index, np.full(index.shape, 1.0 / 9.0))
    found = cleaned(regression_of(np.mean(values[index], axis=1), rows, "inv", operator=windows))
    np.testing.assert_allclose(evaluate(found.expression, rows), evaluate(truth, rows), rtol=1e-8)


def test_only_the_operations_of_the_search_are_used():
    _, target = law("0.8*sin(1.1*x) - 0.3*sin(2.3*x)", 2.0 * ONE)
    for each in sought(regression_of(target, 2.0 * ONE, "exp tanh")):
        assert {call.operation.name for call in each.expression.calls()} <= {"exp", "tanh"}
    assert sought(regression_of(target, 2.0 * ONE, "")) == []


@pytest.fixture(scope="module")
def hyperbola() -> Regression:
    return regression_of(law("x/(0.7 + x)", POSITIVE)[1], POSITIVE, "inv exp")


def stages(monkeypatch, regression: Regression, precise: bool) -> tuple[CallSearch, list[str]]:
    """A search, and which of its stages were reached."""
    reached: list[str] = []
    for owner, name in ((WholeBlocks, "fits"), (CallSearch, "_short_sums"), (CallSearch, "_extended")):
        original = getattr(owner, name)

        def told(self, *given, _name=name, _original=original):
            reached.append(_name)
            return _original(self, *given)

        monkeypatch.setattr(owner, name, told)
    with jax.enable_x64(True):
        columns = CallColumns(regression, np.ones(2), precise)
        search = CallSearch(columns, precise, PRECISE if precise else NOISY)
        search.search()
    return search, reached


def test_the_search_ends_once_a_short_form_leaves_nothing(monkeypatch, hyperbola):
    search, reached = stages(monkeypatch, hyperbola, precise=True)
    assert search.sure
    assert len(reached) == 1


def test_noise_is_never_sure_and_has_no_large_blocks(monkeypatch):
    noise = 0.05 * np.random.default_rng(0).normal(size=len(POSITIVE))
    target = law("x/(0.7 + x)", POSITIVE)[1] + noise
    search, reached = stages(monkeypatch, regression_of(target, POSITIVE, "inv", floor=1e-3), precise=False)
    assert not search.sure
    assert set(reached) == {"_short_sums", "_extended"}
    assert not any(family.kind.precise for family in search.columns.families)


def test_a_form_that_could_not_win_is_not_fitted(hyperbola, monkeypatch):
    """Nothing that could be below the limit is left out, and all else costs no fit."""
    noisy = regression_of(hyperbola.targets[:90] + 0.01 * DRAW.normal(size=90), POSITIVE, "inv", floor=1e-3)
    truth = noisy.fit(from_text("x/(0.7 + x)", NAMES[:2]))
    fits: list[Expression] = []
    original = Regression.fit

    def counted(self, form, *given):
        fits.append(form)
        return original(self, form, *given)

    monkeypatch.setattr(Regression, "fit", counted)
    everything = sought(noisy, precise=False)
    without = len(fits)
    limit = Limit(truth.score + 4.0, 0.9 * truth.chi2)
    fits.clear()
    found = sought(noisy, precise=False, limit=limit)
    assert 0 < len(fits) < 0.7 * without
    assert min(each.score for each in found) == pytest.approx(min(each.score for each in everything), abs=1.0)
    fits.clear()
    assert sought(noisy, precise=False, limit=Limit(-1e9, 1.0)) == []
    assert fits == []


def test_calls_that_are_straight_on_the_data_are_no_calls():
    _, target = law("2*x - 0.5*y", SIGNED)
    for each in sought(regression_of(target + 1e-3 * DRAW.normal(size=90), SIGNED, "sin tanh", floor=1e-4)):
        for call in each.expression.calls():
            assert np.ptp(evaluate(call.argument, SIGNED)) > 0.05


@pytest.mark.parametrize(("inputs", "looked_at"), [(6, True), (8, True), (12, False)])
def test_of_many_inputs_nothing_takes_long(inputs, looked_at):
    """No kind of the library is meant for a dozen inputs."""
    rows = np.random.default_rng(11).random((80, inputs))
    names = tuple(f"x{k}" for k in range(inputs))
    samples = Samples(rows, np.sin(3.0 * rows[:, :1]) - rows[:, 1:2], names, names[:1])
    with jax.enable_x64(True):
        regression = Regression(make_problem(samples, None), resolve(["ident", "sin"]), 1e-12)
    if not looked_at:
        assert sought(regression) == []
        return
    found = cleaned(regression)
    assert regression.is_exact(found)
    assert len(found.expression.terms) == 2
