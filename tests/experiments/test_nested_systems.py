"""Nested laws: what makes them so, that two files are alike, and that their trajectories show it."""

import tomllib
from collections import Counter
from importlib.resources import files
from itertools import combinations_with_replacement, permutations

import numpy as np
import pytest

from mathonet.equation.expression import Call, Expression
from mathonet.equation.flow import evaluate
from mathonet.experiments.bench.recovery.cases import Case, Dynamics
from mathonet.experiments.bench.recovery.known_systems import nested, odebench, own
from mathonet.experiments.bench.recovery.scores import scores
from mathonet.precision import double_precision

NESTED = nested()
FOLDER = files("mathonet.experiments.bench.recovery").joinpath("systems")
OPERATIONS = {"inv", "sin", "cos", "exp", "log", "sqrt", "tanh", "abs"}
KINDS = {
    "sigmoid of a sum": 4,
    "call of a quotient": 3,
    "current": 2,
    "product of calls": 2,
    "call inside a call": 4,
    "power of a sum": 3,
    "rectifier": 2,
}
each_system = pytest.mark.parametrize("system", NESTED, ids=lambda system: system.name)


def plain(call):
    """Whether nothing but one product, and a constant, is inside of a call."""
    inside = [term for term in call.argument.terms if term.factors]
    return len(inside) < 2 and not any(call.argument.calls())


def is_nested(term):
    calls = [factor for factor, _ in term.factors if isinstance(factor, Call)]
    return len(calls) > 2 or not all(map(plain, calls))


def kinked(form):
    return any(call.operation.name == "abs" for call in form.calls())


def skeletons(system):
    """Those of a system with its states in every order."""
    for order in permutations(range(len(system.states))):
        states, equations = (
            tuple(each[place] for place in order) for each in (system.states, system.equations)
        )
        turned = Dynamics(system.name, states, equations, system.starts, system.end)
        yield tuple(form.skeleton for form in turned.truth)


def cubics(x):
    """Every monomial up to degree 3, of states in units of their sizes."""
    x = x / np.abs(x).max(axis=0)
    products = (
        x[:, list(places)].prod(axis=1)
        for degree in range(4)
        for places in combinations_with_replacement(range(x.shape[1]), degree)
    )
    return np.stack(list(products), axis=1)


@pytest.mark.parametrize("name", ["nested-tuning.toml", "nested-held-out.toml"])
def test_both_files_have_as_many_of_every_kind(name):
    tables = tomllib.loads(FOLDER.joinpath(name).read_text(encoding="utf-8"))["system"]
    assert Counter(table["kind"] for table in tables) == KINDS
    assert Counter(len(table["states"]) for table in tables) == {1: 9, 2: 9, 3: 2}
    assert len({table["science"] for table in tables}) > 5


def test_no_nested_law_has_the_form_of_another_system():
    known = {next(skeletons(system)) for system in (*odebench(), *own())}
    for system in NESTED:
        assert not known & set(skeletons(system)), system.name
        known.add(next(skeletons(system)))


@each_system
def test_a_law_is_nested_and_made_of_the_standard_operations(system):
    terms = [term for form in system.truth for term in form.terms]
    assert any(is_nested(term) or kinked(Expression((term,))) for term in terms)
    assert {call.operation.name for form in system.truth for call in form.calls()} <= OPERATIONS


@each_system
def test_trajectories_move_on_and_are_resolved(system):
    for start in (0, 1):
        data = system.trajectory(start, 150)
        spread, size = np.ptp(data.x, axis=0), np.abs(data.x).max(axis=0)
        assert np.isfinite(data.x).all()
        assert ((spread > 0.1 * size) & (size > 0.05) & (size < 150.0)).all()
        assert (np.abs(np.diff(data.x, axis=0)).max(axis=0) < 0.35 * spread).all()
        # Half of the time some state still moves, and no two states are one.
        rates = np.abs(data.x_dot) / np.abs(data.x_dot).max(axis=0)
        assert np.mean(rates.max(axis=1) > 0.03) > 0.5
        others = np.corrcoef(data.x.T).reshape(len(spread), -1) - np.eye(len(spread))
        assert np.abs(others).max() < 0.99


@each_system
@double_precision
def test_no_cubic_is_what_is_nested_on_the_measured_trajectory(system):
    x = system.trajectory(0, 150).x
    columns = cubics(x)
    for term in (term for form in system.truth for term in form.terms if is_nested(term)):
        values = evaluate(Expression((term,)), x)
        left = values - columns @ np.linalg.lstsq(columns, values, rcond=1e-14)[0]
        assert np.sqrt(np.mean(left**2) / np.mean(values**2)) > 1e-4


@each_system
@double_precision
def test_arguments_stay_away_from_where_an_operation_ends(system):
    for start in (0, 1):
        x = system.trajectory(start, 150).x
        for call in (call for form in system.truth for call in form.calls()):
            if call.operation.name in ("inv", "log", "sqrt"):
                inside = evaluate(call.argument, x)
                assert np.abs(inside).min() > 0.01
                assert len(set(np.sign(inside))) == 1


@each_system
def test_the_truth_has_every_score(system):
    found = scores(Case(system, 150), system.truth)
    assert found["exact"]
    assert found["same_function"]
    assert min(found["r2"]) > 1.0 - 1e-6
