"""Probes and replacements: a call that no polynomial step leads to is found from a polynomial."""

from dataclasses import replace

import numpy as np
import pytest

from mathonet.equation.expression import Call, Expression, Term, variable
from mathonet.equation.flow import evaluate
from mathonet.equation.parse import from_text
from mathonet.operations import get
from mathonet.search.joint import Joint, JointFit
from mathonet.search.probes import calls_of, probe_terms, probed
from mathonet.search.pursuit import eliminate, library, pursue, regress
from mathonet.search.replacements import replacements

T = np.linspace(0, 12, 150)


@pytest.fixture(scope="module")
def measured_pendulum(observe, joint_of) -> Joint:
    """A damped pendulum let go at 2.6 rad."""
    return joint_of(
        observe(lambda _, x: [x[1], -2.0 * np.sin(x[0]) - 0.2 * x[1]], [2.6, 0.0], T, 0.02),
        operations=["ident", "sin", "exp", "inv"],
    )


def test_calls_of_an_operation_fit_the_size_of_its_argument(pendulum):
    rows = pendulum.rows
    assert list(calls_of(get("ident"), variable(0), rows)) == []
    for name, count in (("sin", 3), ("exp", 6), ("inv", 7)):
        found = list(calls_of(get(name), variable(0), rows))
        assert len(found) == len(set(found)) == count
    big = [
        call.argument.terms[0].coefficient
        for f in calls_of(get("sin"), variable(0), 100 * rows)
        for call in f.calls()
    ]
    small = [
        call.argument.terms[0].coefficient
        for f in calls_of(get("sin"), variable(0), rows)
        for call in f.calls()
    ]
    np.testing.assert_allclose(np.multiply(big, 100), small, rtol=1e-9)


def test_probes_are_different_finite_calls(pendulum):
    terms = probe_terms(pendulum)
    assert len({term.factors for term in terms}) == len(terms) > 30
    for term in terms:
        assert term.coefficient == 0.0
        assert any(isinstance(f, Call) or p < 0 for f, p in term.factors)
        values = evaluate(Expression((Term(1.0, term.factors),)), pendulum.rows)
        assert np.isfinite(values).all()
    names = {f.operation.name for term in terms for f, _ in term.factors if isinstance(f, Call)}
    assert names == {"sin", "exp", "inv"}


@pytest.fixture
def pendulum(measured_pendulum) -> Joint:
    """The pendulum, with no memory of what another test has fitted."""
    return replace(measured_pendulum, seen={}, tried=set())


@pytest.fixture(scope="module")
def polynomial(measured_pendulum) -> JointFit:
    """The best cubic system for the pendulum."""
    cubic = library(measured_pendulum, 3)
    start = eliminate(measured_pendulum, cubic)
    assert start is not None
    found = pursue(measured_pendulum, start, cubic)
    assert not any(any(form.calls()) for form in found.forms)
    return found


def test_probes_bring_calls_in_and_polynomials_out(pendulum, polynomial):
    found = list(probed(pendulum, polynomial))
    assert 1 <= len(found) <= 6
    assert len({each.skeleton for each in found}) == len(found)
    for each in found:
        assert sum(len(list(form.calls())) for form in each.forms) == 1
    assert min(each.score for each in found) < polynomial.score - 20


def test_replacements_put_one_call_for_all_that_an_input_does(pendulum, polynomial):
    found = list(replacements(pendulum, polynomial, np.inf))
    assert any(each.score < polynomial.score - 40 for each in found)
    for each in found:
        assert any(any(form.calls()) for form in each.forms)
        assert sum(a != b for a, b in zip(each.skeleton, polynomial.skeleton, strict=True)) == 1
    assert list(replacements(pendulum, polynomial, -np.inf)) == []


def test_the_sine_of_a_pendulum_is_found_from_a_polynomial(pendulum, polynomial):
    cubic = library(pendulum, 3)
    tried = [*probed(pendulum, polynomial), *replacements(pendulum, polynomial, np.inf)]
    best = min((pursue(pendulum, each, cubic) for each in tried), key=lambda each: each.score)
    wanted = tuple(from_text(text, "xy").skeleton for text in ("y", "y + sin(x)"))
    assert best.skeleton == wanted
    assert best.score < polynomial.score - 60
    # In scaled units the factor inside is the divisor of the angle.
    (call,) = best.forms[1].calls()
    assert call.argument.terms[0].coefficient == pytest.approx(1.1, abs=0.1)


def test_a_system_that_leaves_nothing_is_not_probed_far(observe, joint_of):
    """Where no call can promise anything, few are tried and none is better."""
    joint = joint_of(
        observe(lambda _, x: [x[1], -x[0] - 0.1 * x[1]], [2.0, 0.0], T, 0.02), operations=["ident", "sin"]
    )
    fit = joint.fit(regress(joint, [from_text(text, "xy") for text in ("y", "x + y")]))
    assert fit is not None
    found = list(probed(joint, fit))
    assert len(found) <= 6
    assert all(each.score > fit.score for each in found)
