"""Rarer terms: which there are, and that noise never meets them."""

import jax
import numpy as np
import pytest

from mathonet import Samples
from mathonet.discovery import combinations
from mathonet.discovery.combinations import best_combinations
from mathonet.discovery.rarer import is_rare, rarer_terms
from mathonet.discovery.sweep import make_problem
from mathonet.discovery.terms import Catalogue
from mathonet.equation.flow import evaluate
from mathonet.equation.refit import Refitter
from mathonet.operations import resolve

RANDOM = np.random.default_rng(5)


def catalogue(inputs: int, operations=None, rows=None) -> Catalogue:
    rows = 1.0 + RANDOM.random((50, inputs)) if rows is None else rows
    return Catalogue(rows, resolve(operations), np.ones(inputs))


@pytest.mark.parametrize("inputs", [1, 2, 3])
def test_they_are_few_and_none_is_in_the_catalogue(inputs):
    listed = catalogue(inputs)
    found = rarer_terms(listed)
    assert 10 < len(found) < 5_000
    assert not {atom.kind for atom in found} & {atom.kind for atom in listed.atoms}


def test_there_are_none_of_many_inputs():
    assert rarer_terms(catalogue(4)) == []


@pytest.mark.parametrize("operations", [["sin"], ["exp"], ["inv"], ["exp", "log"]])
def test_only_operations_that_are_allowed_are_called(operations):
    for atom in rarer_terms(catalogue(2, operations)):
        names = {call.operation.name for call in atom.expression(1.0).calls()}
        assert names <= set(operations)


def test_inputs_that_change_sign_are_neither_raised_nor_divided_by():
    rows = np.linspace(-1.0, 1.0, 50)[:, None]
    for atom in rarer_terms(catalogue(1, rows=rows)):
        values = evaluate(atom.expression(1.0), rows)
        assert np.isfinite(values).all()
        assert "log" not in {call.operation.name for call in atom.expression(1.0).calls()}


@pytest.mark.parametrize(
    ("factors", "rare"),
    [((), False), (((0, 4),), False), (((0, 1), (1, 2)), False), (((0, 3), (1, 1)), True)],
)
def test_rare_products_are_those_of_several_inputs(factors, rare):
    assert is_rare(factors) is rare


@pytest.mark.parametrize(("floor", "clean", "asked"), [(1e-6, False, 0), (1e-6, True, 1), (1e-12, False, 1)])
def test_they_are_listed_for_data_without_noise_alone(monkeypatch, floor, clean, asked):
    listed = []
    monkeypatch.setattr(combinations, "rarer_terms", lambda each: listed.append(each) or [])
    x = 1.0 + RANDOM.random((60, 1))
    samples = Samples(x, 0.5 * x + 0.1 * RANDOM.normal(size=x.shape), ("x",), ("x",))
    with jax.enable_x64(True):
        fitter = Refitter(make_problem(samples, None), resolve(["inv"]), floor)
        best_combinations(fitter, np.ones(1), clean=clean)
    assert len(listed) == asked
