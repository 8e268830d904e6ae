"""Candidates taken from a search on some samples to all of them."""

from dataclasses import replace

import jax.numpy as jnp
import numpy as np
import pytest
import sympy

from mathonet.equation.parse import from_sympy
from mathonet.search.regression import Regression
from mathonet.fit.problem import Problem
from mathonet.operations import resolve
from mathonet.search.sample_objective import Candidate, SampleObjective

x, y = SYMBOLS = sympy.symbols("x y")
OPERATIONS = resolve(["ident", "sin"])
TRUTH = from_sympy(3.0 * x - 0.2 * y, SYMBOLS)


def refitter(rows: int, noise: float = 1.0) -> Regression:
    draw = np.random.default_rng(rows)
    inputs = draw.normal(size=(rows, 2))
    target = 3.0 * inputs[:, 0] - 0.2 * inputs[:, 1] + noise * draw.normal(size=rows)
    arrays = (jnp.asarray(inputs), jnp.asarray(target)[:, None], jnp.ones(rows), jnp.asarray(float(rows)))
    return Regression(Problem(*arrays), OPERATIONS, 1e-12)


def searched(*forms: sympy.Expr) -> SampleObjective:
    """A pool that a search on few samples left, the forms in this order of score."""
    few = refitter(40)
    pool = SampleObjective(0, few, few, few)
    for place, form in enumerate(forms):
        fitted = replace(few.fit(from_sympy(form, SYMBOLS)), score=float(place))
        pool.entries[fitted.expression.skeleton] = Candidate(0, fitted, "given", 1, 0.1)
    return pool


@pytest.mark.parametrize(
    "forms",
    [
        # A term that few samples could not show.
        (3.0 * x,),
        # A rival with terms too many leads on all samples; it has never been cleaned.
        (3.0 * x, 3.0 * x - 0.2 * y + 0.1 * x * y + 0.05),
        # A rival in which a sine stands in for the missing term.
        (3.0 * x, 3.0 * x + 0.2 * sympy.sin(0.3 * x - 1.1 * y)),
    ],
    ids=["a missing term", "a rival with terms too many", "a rival with a sine"],
)
def test_all_samples_show_what_few_could_not(forms):
    found = searched(*forms).moved(refitter(20_000)).best
    assert found is not None
    assert found.fitted.expression.skeleton == TRUTH.skeleton


def test_hits_stay_with_forms_that_did_not_change():
    pool = searched(3.0 * x - 0.2 * y, 3.0 * x).moved(refitter(20_000))
    assert {each.hits for each in pool.entries.values() if len(each.fitted.expression.terms) == 2} >= {1}


def test_the_closest_form_is_the_best_of_those_that_fit_about_as_well():
    """By its score a shorter form may lead that leaves much more; of two that leave the same, the better."""
    few = refitter(40, noise=0.0)
    pool = SampleObjective(0, few, few, few)
    assert pool.closest is None
    for place, form in enumerate((3.0 * x, 3.0 * x - 0.2 * y, 3.0 * x - 0.2 * y + 0.1 * x * y)):
        fitted = replace(few.fit(from_sympy(form, SYMBOLS)), score=float(place))
        pool.entries[fitted.expression.skeleton] = Candidate(0, fitted, "given", 1, 0.1)
    assert pool.best is not None
    assert pool.closest is not None
    assert len(pool.best.fitted.expression.terms) == 1
    assert pool.closest.fitted.expression.skeleton == TRUTH.skeleton
    assert pool.shortest is pool.closest
    longer = replace(pool.closest, fitted=replace(pool.closest.fitted, score=99.0))
    pool.entries[TRUTH.skeleton] = longer
    assert pool.closest is not longer
    assert pool.shortest is longer
