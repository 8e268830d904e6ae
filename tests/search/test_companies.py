"""Companies: laws with a call in large company from exact rows; what is left out, and when they are asked."""

import jax
import numpy as np
import pytest

from mathonet import Samples
from mathonet.equation.flow import evaluate
from mathonet.equation.parse import from_text
from mathonet.equation.refit import Refitter
from mathonet.operations import resolve
from mathonet.search import combinations
from mathonet.search.combinations import best_combinations
from mathonet.search.companies import best_companies
from mathonet.search.layout import rows_of
from mathonet.search.sweep import make_problem
from mathonet.search.terms import Catalogue

NAMES = ("x", "y")
RANDOM = np.random.default_rng(11)
ROWS = np.stack([0.2 + 1.6 * RANDOM.random(120), -2.0 + 4.0 * RANDOM.random(120)], axis=1)


def refitter(target: np.ndarray, operations: list[str], floor: float = 1e-12) -> Refitter:
    samples = Samples(ROWS, target[:, None], NAMES, ("x",))
    return Refitter(make_problem(samples, None), resolve(operations), floor)


@pytest.mark.parametrize(
    ("law", "operations"),
    [
        # Several terms over one denominator.
        ("1.46*x*(1.08 - x - y)/(1 + 2.3*x^2) - 0.37*x", ["inv"]),
        ("(1.3*x - 0.4*y)/(2.9 + 0.8*x + 0.5*y)", ["inv"]),
        # One activation times a difference.
        ("0.9 - 1.1*(1 + tanh(3.2*y - 0.1))*(y - 1) - 2*x*(y + 0.7)", ["tanh"]),
        # Negative powers of one input.
        ("-1.5*y^2/x + 2.83/x^4 - 1.94/x - 0.64/x^2 - 0.31*y/x^2", ["inv"]),
        ("-0.047*y*sqrt(x^2 + y^2) - 0.38*x", ["sqrt"]),
        ("4.5*y/sqrt(y^2 + 0.81) - 3.3*y + 0.2", ["sqrt", "inv"]),
        ("1.5*log(1 + exp(2.9*x*y - 0.9)) - 1.1*x", ["exp", "log"]),
        ("(14*sin(y) - 0.4*x*cos(y))/(1 + 0.43*sin(y)^2)", ["sin", "cos", "inv"]),
        ("1.4*x*exp(-2.2*(y - 0.3)^2) - 0.5*y", ["exp"]),
        ("2.1/(1 + exp(2.7*log(x))) - 0.8*y", ["exp", "log", "inv"]),
        ("1.9*exp(-3.1/(x + 0.4)) - 0.5*y", ["exp", "inv"]),
    ],
)
def test_calls_in_company_are_found(law, operations):
    truth = from_text(law, NAMES)
    with jax.enable_x64(True):
        fitter = refitter(evaluate(truth, ROWS), operations)
        rows, chosen = rows_of(fitter)
        catalogue = Catalogue(rows, fitter.operations, np.ones(2))
        found = best_companies(fitter, catalogue, catalogue.atoms, 1e-12, chosen)
    form, square = found[0]
    assert square < 1e-24
    assert len(form.terms) <= len(truth.terms)
    everywhere = ROWS + 0.05
    np.testing.assert_allclose(evaluate(form, everywhere), evaluate(truth, everywhere), rtol=1e-6, atol=1e-9)


def companies_of(law: str, floor: float, operations: tuple[str, ...] = ("tanh",)) -> list:
    with jax.enable_x64(True):
        fitter = refitter(evaluate(from_text(law, NAMES), ROWS), list(operations), floor)
        rows, chosen = rows_of(fitter)
        catalogue = Catalogue(rows, fitter.operations, np.ones(2))
        return best_companies(fitter, catalogue, catalogue.atoms, floor, chosen)


def test_a_sparse_polynomial_of_high_degree_needs_no_call(monkeypatch):
    monkeypatch.setattr("mathonet.search.companies._companies", None)
    law = "0.65 + 0.95*x - x^2*y - 0.3*y^4 + 0.1*x^3*y^2 + 0.2*y"
    form, square = companies_of(law, 1e-12)[0]
    assert square < 1e-24
    assert form.skeleton == from_text(law, NAMES).skeleton


def test_a_polynomial_that_fits_to_a_coarse_floor_is_not_the_end():
    """A tanh of small arguments: five terms of a polynomial come within a thousandth of it."""
    law = "0.9 - 1.1*(1 + tanh(0.4*y - 0.1))*(y - 1) - 2*x*(y + 0.7)"
    found = companies_of(law, 1e-3)
    assert min(square for _, square in found) < 1e-20
    assert any(not any(form.calls()) for form, square in found if square < 1e-6)


def test_a_polynomial_with_most_of_its_terms_is_none():
    law = "tanh(2*x + y)*(1 + x)"
    assert all(any(form.calls()) for form, _ in companies_of(law, 1e-3))


@pytest.mark.parametrize("inputs", [6, 12])
def test_of_many_inputs_nothing_takes_long(inputs):
    """Polynomials of degree 5 in 12 inputs have 6188 terms."""
    rng = np.random.default_rng(11)
    names = tuple(f"x{k}" for k in range(inputs))
    rows = rng.random((100, inputs))
    with jax.enable_x64(True):
        samples = Samples(rows, np.sin(rows.sum(axis=1))[:, None], names, names[:1])
        fitter = Refitter(make_problem(samples, None), resolve(["sin"]), 1e-12)
        listed = Catalogue(rows, fitter.operations, np.ones(inputs))
        assert best_companies(fitter, listed, listed.atoms, 1e-12, rows_of(fitter)[1]) == []


@pytest.mark.parametrize("third", [0.0, 1.0])
def test_an_input_that_says_nothing_is_no_hindrance(third):
    truth = from_text("1.46*x*(1.08 - x - y)/(1 + 2.3*x^2) - 0.37*x", NAMES)
    rows = np.column_stack([ROWS, np.full(len(ROWS), third)])
    with jax.enable_x64(True):
        samples = Samples(rows, evaluate(truth, ROWS)[:, None], (*NAMES, "u"), ("x",))
        fitter = Refitter(make_problem(samples, None), resolve(["inv"]), 1e-12)
        listed = Catalogue(rows, fitter.operations, np.ones(3))
        (form, square), *_ = best_companies(fitter, listed, listed.atoms, 1e-12, rows_of(fitter)[1])
    assert square < 1e-24
    assert len(form.terms) == len(truth.terms)


@pytest.mark.parametrize(
    ("noise", "floor", "precise", "asked"),
    [
        (0.0, 1e-12, False, True),
        (0.02, 1e-12, False, False),
        (0.02, 1e-2, False, False),
        (0.0, 1e-9, True, True),
    ],
)
def test_they_are_asked_where_data_are_precise_and_nothing_shorter_fits(
    monkeypatch, noise, floor, precise, asked
):
    rng = np.random.default_rng(11)
    calls = []
    monkeypatch.setattr(combinations, "best_companies", lambda *given: calls.append(given) or [])
    law = from_text("0.9 - 1.1*(1 + 1/(2 + x))*(y - 1)*(1 + 0.02*y) + 0.02*y*x^2", NAMES)
    target = evaluate(law, ROWS) + noise * rng.normal(size=len(ROWS))
    with jax.enable_x64(True):
        best_combinations(refitter(target, ["inv"], floor), np.ones(2), precise=precise)
    assert bool(calls) == asked


def test_they_are_not_asked_where_a_short_sum_fits(monkeypatch):
    monkeypatch.setattr(combinations, "best_companies", lambda *_: pytest.fail("asked"))
    with jax.enable_x64(True):
        best_combinations(refitter(ROWS[:, 0] / (0.7 + ROWS[:, 0]), ["inv"]), np.ones(2), precise=True)
