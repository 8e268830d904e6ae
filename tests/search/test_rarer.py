"""Rarer terms: which there are, and that noise never meets them."""

import jax
import numpy as np
import pytest

from mathonet import Samples
from mathonet.equation.flow import evaluate
from mathonet.equation.refit import Refitter
from mathonet.operations import resolve
from mathonet.search import combinations
from mathonet.search.combinations import best_combinations
from mathonet.search.rarer import is_rare, rarer_terms
from mathonet.search.sweep import make_problem
from mathonet.search.terms import Catalogue


def catalogue(inputs: int, operations=None, rows=None) -> Catalogue:
    rng = np.random.default_rng(5)
    rows = 1.0 + rng.random((50, inputs)) if rows is None else rows
    return Catalogue(rows, resolve(operations), np.ones(inputs))


@pytest.mark.parametrize("inputs", [1, 2, 3, 4, 5])
def test_they_are_few_and_none_is_in_the_catalogue(inputs):
    listed = catalogue(inputs)
    found = rarer_terms(listed)
    assert 10 < len(found) < 5_000
    assert not {atom.kind for atom in found} & {atom.kind for atom in listed.atoms}


def test_of_some_more_inputs_there_are_products_of_three_and_of_many_none():
    found = rarer_terms(catalogue(4))
    assert len(found) == 16
    assert all(not atom.calls and atom.degree == 3 for atom in found)
    assert rarer_terms(catalogue(6)) == []


@pytest.mark.parametrize(
    ("operations", "called"),
    [
        (["sin"], set()),
        (["exp"], set()),
        (["inv"], {"inv"}),
        (["inv", "sqrt"], {"inv", "sqrt"}),
        (["exp", "log"], {"exp", "log"}),
    ],
)
def test_only_operations_that_are_allowed_are_called(operations, called):
    atoms = rarer_terms(catalogue(2, operations))
    assert {call.operation.name for atom in atoms for call in atom.expression(1.0).calls()} == called
    below = any(power < 0 for atom in atoms for _, power in atom.company)
    assert below == ("inv" in operations)


def test_inputs_that_change_sign_are_neither_raised_nor_divided_by():
    rows = np.linspace(-1.0, 1.0, 50)[:, None]
    for atom in rarer_terms(catalogue(1, rows=rows)):
        values = evaluate(atom.expression(1.0), rows)
        assert np.isfinite(values).all()
        assert all(power > 0 for _, power in atom.company)
        assert "log" not in {call.operation.name for call in atom.expression(1.0).calls()}


@pytest.mark.parametrize(
    ("factors", "rare"),
    [
        ((), False),
        (((0, 4),), False),
        (((0, -2),), False),
        (((0, -3),), True),
        (((0, 1), (1, 2)), False),
        (((0, 3), (1, 1)), True),
        (((0, 1), (1, -1)), True),
    ],
)
def test_rare_products_are_those_of_several_inputs(factors, rare):
    assert is_rare(factors) is rare


def searches(monkeypatch, target: np.ndarray, x: np.ndarray, floor: float, clean: bool) -> list[bool]:
    """For every search of combinations, whether it had rarer terms."""
    rare = []
    layout = combinations.Layout

    def watched(fitter, atoms, *rest):
        listed = {call.name for atom in atoms for call in atom.calls}
        rare.append(("inv", "ident") in listed)
        return layout(fitter, atoms, *rest)

    monkeypatch.setattr(combinations, "Layout", watched)
    names = tuple(f"x{i}" for i in range(x.shape[1]))
    samples = Samples(x, target, names, ("x0",))
    with jax.enable_x64(True):
        fitter = Refitter(make_problem(samples, None), resolve(["inv", "exp"]), floor)
        best_combinations(fitter, np.ones(x.shape[1]), precise=clean)
    return rare


@pytest.mark.parametrize(("floor", "clean", "listed"), [(1e-6, False, False), (1e-6, True, True)])
def test_from_states_they_are_listed_if_these_are_clean(monkeypatch, floor, clean, listed):
    rng = np.random.default_rng(5)
    x = 1.0 + rng.random((60, 1))
    assert searches(monkeypatch, 0.5 * x, x, floor, clean) == [listed]


def test_with_a_floor_of_rounding_they_wait_for_the_others(monkeypatch):
    rng = np.random.default_rng(5)
    x = 1.0 + rng.random((60, 2))
    limited = np.prod(x / (0.7 + x), axis=1, keepdims=True)
    for target, expected in ((0.5 * x[:, :1], [False]), (limited, [False, True])):
        with monkeypatch.context() as patch:
            assert searches(patch, target, x, 1e-12, False) == expected


def test_noise_never_meets_them_though_its_floor_is_that_of_rounding(monkeypatch):
    rng = np.random.default_rng(5)
    x = 1.0 + rng.random((60, 1))
    target = 0.5 * x + 0.02 * rng.normal(size=x.shape)
    assert searches(monkeypatch, target, x, 1e-12, False) == [False]


def test_of_many_inputs_nothing_is_searched_twice(monkeypatch):
    rng = np.random.default_rng(5)
    x = 1.0 + rng.random((80, 6))
    target = (np.tanh(x).sum(axis=1) ** 2)[:, None]
    assert searches(monkeypatch, target, x, 1e-12, False) == [False]
