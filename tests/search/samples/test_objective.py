"""SampleObjective: what is kept of one equation, and taken from some samples to all of them."""

from dataclasses import replace

import jax.numpy as jnp
import numpy as np
import pytest
import sympy

from mathonet.equation.parse import from_sympy
from mathonet.fit.problem import Problem
from mathonet.operations import resolve
from mathonet.search.objective import Proposal
from mathonet.search.samples.objective import SampleObjective
from mathonet.search.samples.regression import Regression

x, y = SYMBOLS = sympy.symbols("x y")
OPERATIONS = resolve(["ident", "sin"])
TRUTH = from_sympy(3.0 * x - 0.2 * y, SYMBOLS)


def regression_on(rows: int, noise: float = 1.0) -> Regression:
    draw = np.random.default_rng(rows)
    inputs = draw.normal(size=(rows, 2))
    target = 3.0 * inputs[:, 0] - 0.2 * inputs[:, 1] + noise * draw.normal(size=rows)
    arrays = (jnp.asarray(inputs), jnp.asarray(target)[:, None], jnp.ones(rows), jnp.asarray(float(rows)))
    return Regression(Problem(*arrays), OPERATIONS, 1e-12)


def searched(*forms: sympy.Expr) -> SampleObjective:
    """What a search on few samples left, the forms in this order of score."""
    few = regression_on(40)
    objective = SampleObjective(0, few, few, few)
    for place, form in enumerate(forms):
        objective.keep(replace(few.fit(from_sympy(form, SYMBOLS)), score=float(place)), "given", 1)
    return objective


def proposal(form: sympy.Expr, **parts) -> Proposal:
    return Proposal((from_sympy(form, SYMBOLS),), **parts)


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
    found = searched(*forms).moved(regression_on(20_000)).best
    assert found is not None
    assert found.expression.skeleton == TRUTH.skeleton


def test_hits_stay_with_forms_that_did_not_change():
    found = searched(3.0 * x - 0.2 * y, 3.0 * x).moved(regression_on(20_000)).candidates()
    assert {each.hits for each in found if len(each.fitted.expression.terms) == 2} >= {1}


def test_forms_without_time_for_more_are_only_fitted():
    few = searched(3.0 * x - 0.2 * y + 0.1 * x * y, 3.0 * x)
    carried = few.carried(regression_on(2_000))
    assert {each.skeleton for each in carried.front} == {each.skeleton for each in few.front}
    assert sum(carried.hits.values()) == 2


def test_what_is_proposed_is_cleaned_and_completed():
    objective = searched()
    objective.consider([proposal(x**2 + 0.1 * x * y + 1.0), proposal(x + x * y, hits=2)], "some way")
    assert objective.best is not None
    assert objective.best.skeleton == (from_sympy(3.0 * x, SYMBOLS).skeleton,)
    assert {each.rung for each in objective.candidates()} == {"some way"}


def test_what_is_clean_already_is_fitted_and_kept_as_it_is():
    objective = searched()
    objective.consider([proposal(x + y + x * y, clean=True)], "some way")
    (found,) = objective.front
    assert len(found.expression.terms) == 3


def test_equal_forms_are_merged_and_their_hits_added():
    objective = searched()
    objective.consider([proposal(x), proposal(2.5 * x, hits=2), proposal(-x, hits=1)], "first")
    objective.consider([proposal(x, hits=4)], "later")
    found = [each for each in objective.candidates() if len(each.fitted.expression.terms) == 1]
    own = next(each for each in found if each.fitted.skeleton == (from_sympy(x, SYMBOLS).skeleton,))
    assert (own.hits, own.rung) == (7, "first")


def test_a_fitted_form_that_nothing_would_save_is_not_kept():
    """One whose constants are only a start is fitted first, and kept as it is where it cannot win."""
    exact = regression_on(40, noise=0.0)
    objective = SampleObjective(0, exact, exact, exact)
    objective.consider([proposal(3.0 * x - 0.2 * y)], "first")
    assert objective.exact
    objective.consider([proposal(sympy.sin(x), chi2=1.0)], "later")
    assert len(objective.front) == 1
    objective.consider([proposal(sympy.sin(x))], "later")
    assert len(objective.front) == 2


def test_a_form_that_could_not_be_fitted_is_not_kept():
    objective = searched()
    failed = replace(objective.regression.fit(TRUTH), score=np.inf)
    objective.keep(failed, "given")
    assert not len(objective.front)
    assert objective.best is None
    assert not objective.exact
    assert not objective.leaves_noise


def test_shorter_forms_and_rivals_stand_beside_the_best():
    objective = searched()
    objective.consider([proposal(x + y + x * y)], "some way")
    objective.widen()
    assert {len(each.expression.terms) for each in objective.front} >= {1, 2}
    assert objective.best is objective.front.ranked()[0]


def test_where_there_is_no_time_one_polynomial_is_cleaned():
    objective = searched()
    objective.glance([], "cut short")
    assert objective.best is not None
    assert objective.best.origin == "cut short"
