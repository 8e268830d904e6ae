"""Stepwise moves: terms come, go and are exchanged until the fitted system is the true one."""

import numpy as np
import pytest

from mathonet.equation.assembly import constants
from mathonet.equation.expression import Expression, Term
from mathonet.equation.parse import from_text
from mathonet.search.fit import Fit
from mathonet.search.path.fit import PathFit
from mathonet.search.path.moves import eliminate, laid_beside, library, regress, rivals, stepwise

T = np.linspace(0, 12, 150)
NAMES = ("x", "y")
TRUTH = ("x + x*y + x^2", "y + x*y")
"""The terms of Lotka-Volterra with competition among the prey; constants do not matter here."""


def form(text: str) -> Expression:
    return from_text(text, NAMES)


def structure(*texts: str) -> tuple:
    return tuple(form(text).skeleton for text in texts)


@pytest.fixture(scope="module")
def joint(observe, joint_of) -> PathFit:
    def field(_, state):
        x, y = state
        return [x - 0.5 * x * y - 0.1 * x**2, 0.4 * x * y - 0.8 * y]

    return joint_of(observe(field, [2.0, 1.0], T, 0.03))


def fitted(joint: PathFit, *texts: str) -> Fit:
    found = joint.fit(regress(joint, [form(text) for text in texts]))
    assert found is not None
    return found


def known(joint: PathFit, fit: Fit) -> Fit:
    found = joint.front.get(fit.forms)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def truth(joint) -> Fit:
    return fitted(joint, *TRUTH)


def test_a_library_has_every_monomial_for_what_is_searched(joint):
    for degree, count in ((1, 3), (2, 6), (3, 10)):
        for terms in library(joint, degree):
            assert len({term.factors for term in terms}) == len(terms) == count
    half = PathFit(**{**vars_of(joint), "searched": (1,)})
    assert [len(terms) for terms in library(half, 2)] == [0, 6]


def test_a_library_has_no_term_twice_that_is_the_same_on_the_data(joint):
    rows = joint.rows.copy()
    rows[:, 1] = np.arange(len(rows)) % 2
    switched = PathFit(**{**vars_of(joint), "rows": rows})
    # 1, x, u, x^2, x u: the square of a switch is the switch.
    assert [len(terms) for terms in library(switched, 2)] == [5, 5]


def vars_of(joint: PathFit) -> dict:
    return {name: getattr(joint, name) for name in joint.__dataclass_fields__}


def test_terms_laid_beside_add_nothing(joint, truth):
    forms, own = laid_beside(truth, library(joint, 2))
    assert [len(each.terms) for each in forms] == [6, 6]
    assert own == [0, 1, 2, 6, 7]
    for form_, fit in zip(forms, truth.forms, strict=True):
        own_terms = len(fit.terms)
        assert form_.terms[:own_terms] == fit.terms
        assert all(term.coefficient == 0.0 for term in form_.terms[own_terms:])


def test_coefficients_from_smoothed_derivatives_are_near(joint, truth):
    found = regress(joint, [form(text) for text in TRUTH])
    for got, wanted in zip(found, truth.forms, strict=True):
        np.testing.assert_allclose(constants(got), constants(wanted), rtol=0.3)


def test_regression_leaves_constants_inside_calls_and_survives_what_is_not_finite(joint):
    start = (form("2*sin(0.7*x)"), Expression((Term(3.0, ((0, 1000),)), Term(1.0, ((1, 1),)))))
    first, second = regress(joint, start)
    assert constants(first)[1] == 0.7
    assert constants(first)[0] != 2.0
    assert np.isfinite(constants(first)).all()
    assert second.terms[0].factors == ((0, 1000),)
    assert regress(joint, (Expression(), form("y")))[0] == Expression()


@pytest.mark.parametrize(
    "start",
    [
        TRUTH,
        ("x + x*y", "y + x*y"),
        ("x + x*y + x^2", "y + x*y + x^2 + y^2"),
        ("x + x*y + 1 + x^2 + y^2", "y + x*y + 1 + x + x^2"),
        ("x + x*y + 1", "y + x*y"),
        ("x + x*y + 1 + y", "y + x*y + y^2"),
    ],
    ids=["the truth", "one missing", "two too many", "many too many", "one exchanged", "others"],
)
def test_pursuit_leads_to_the_truth(joint, truth, start):
    found = stepwise(joint, fitted(joint, *start), library(joint, 2))
    assert found.skeleton == structure(*TRUTH)
    assert found.score == pytest.approx(truth.score, abs=0.1)


def test_pursuit_never_gets_worse_and_repeats_no_fit(joint, monkeypatch):
    start = fitted(joint, "x + x*y", "y + x*y")
    first = stepwise(joint, start, library(joint, 2))
    assert first.score <= start.score
    fits = []
    plain = PathFit.fit
    monkeypatch.setattr(
        PathFit,
        "fit",
        lambda self, forms, *rest, **more: fits.append(forms) or plain(self, forms, *rest, **more),
    )
    again = stepwise(joint, start, library(joint, 2))
    assert again.skeleton == first.skeleton
    assert fits == []


def test_elimination_needs_no_start(joint, truth):
    found = eliminate(joint, library(joint, 2))
    fits = [joint.fit(each.forms, each.start) for each in found]
    found = min((each for each in fits if each is not None), key=lambda each: each.score)
    assert set(truth.skeleton[0]) <= set(found.skeleton[0])
    assert set(truth.skeleton[1]) <= set(found.skeleton[1])
    assert len(found.skeleton[0]) + len(found.skeleton[1]) <= 7
    assert stepwise(joint, found, library(joint, 2)).skeleton == truth.skeleton


def test_elimination_declines_what_the_data_cannot_tell(joint, observe, joint_of):
    assert eliminate(joint, library(joint, 14)) == []
    few = joint_of(observe(lambda _, x: [-x[0], -2 * x[1]], [1.0, 1.0], T[:16], 0.01))
    assert eliminate(few, library(few, 3)) == []


def test_rivals_are_other_systems_fitted(joint, truth):
    found = list(rivals(joint, truth, library(joint, 2)))
    assert len(found) >= 4
    for each in found:
        assert each.skeleton != truth.skeleton
        assert each.score > truth.score
        changed = [a != b for a, b in zip(each.skeleton, truth.skeleton, strict=True)]
        assert sum(changed) == 1
        assert known(joint, each).score <= each.score
    assert {
        [a != b for a, b in zip(each.skeleton, truth.skeleton, strict=True)].index(True) for each in found
    } == {0, 1}


def test_a_fit_needs_two_values_a_constant(observe, joint_of):
    few = joint_of(observe(lambda _, x: [-x[0], -2 * x[1]], [1.0, 1.0], T[:12], 0.01))
    forms = [Expression(tuple(terms)) for terms in library(few, 3)]
    assert not few.affords(forms)
    assert few.fit(forms) is None


def test_a_system_that_blows_up_is_no_fit(joint):
    assert joint.fit([form("1e300*x^9"), form("exp(400*x)")]) is None


def test_the_best_fit_of_a_structure_is_remembered(joint, truth):
    bad = joint.fit([term.scale(5.0) for term in truth.forms], anneal=(1e-3,), steps=1)
    assert bad is None or bad.score >= truth.score
    assert known(joint, truth).score <= truth.score
