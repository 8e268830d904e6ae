"""Polynomials by blocks: the true monomials, from clean and from noisy derivatives."""

import numpy as np
import pytest

from mathonet.data.samples import Samples
from mathonet.equation.flow import evaluate
from mathonet.equation.parse import from_text
from mathonet.operations import resolve
from mathonet.precision import double_precision
from mathonet.search.blocks import could_win, forms_with_calls, polynomial_forms, polynomial_terms
from mathonet.search.proposers.sweep import make_problem
from mathonet.search.samples.regression import Regression

RNG = np.random.default_rng(5)
X = RNG.uniform(-2.0, 2.0, (200, 2))
LAWS = {
    "2*x - 0.5*x*y": ([2.0 * X[:, 0] - 0.5 * X[:, 0] * X[:, 1]], 2),
    "x^3 - y + 1": ([X[:, 0] ** 3 - X[:, 1] + 1.0], 3),
    "0.3*x^5 - y": ([0.3 * X[:, 0] ** 5 - X[:, 1]], 5),
}


@double_precision
def found(target: np.ndarray, degree: int, inputs: np.ndarray = X):
    names = tuple(f"x{k}" for k in range(inputs.shape[1]))
    samples = Samples(inputs, target[:, None], names, ("x0",))
    regression = Regression(make_problem(samples, None), resolve(None), 1e-12)
    return regression, polynomial_forms(regression, degree)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("noise", [0.0, 0.05])
def test_the_block_of_its_degree_holds_the_law(law, noise):
    (values,), degree = LAWS[law]
    regression, forms = found(values + noise * RNG.normal(size=200), degree)
    best = min(map(regression.fit, forms), key=lambda fitted: fitted.score)
    assert len(best.constants) == law.count("-") + law.count("+") + 1
    assert best.chi2 <= 200 * max(1.5 * noise, 1e-10) ** 2


def test_blocks_end_where_they_have_more_terms_than_data_can_tell():
    inputs = RNG.uniform(-1.0, 1.0, (60, 6))
    target = inputs[:, 0] * inputs[:, 1]
    assert len(found(target, 2, inputs)[1][0].terms) == 1
    assert found(target, 3, inputs)[1] == []


def test_a_higher_degree_is_looked_at_where_it_could_be_shorter():
    regression, _ = found(X[:, 0], 2)
    long, short = (
        regression.fit(from_text(text, ("x0", "x1"))) for text in ("x0 + x1 + x0*x1 + x0^2 + 1", "x0")
    )
    assert could_win(regression, 3, long)
    assert not could_win(regression, 3, short)


def test_of_many_inputs_blocks_are_counted_before_they_are_listed():
    inputs = RNG.uniform(-1.0, 1.0, (90, 40))
    target = 2.0 * inputs[:, 3] - inputs[:, 7]
    assert found(target, 5, inputs)[1] == []
    assert len(found(target, 1, inputs)[1][0].terms) == 2


def test_a_law_on_a_narrow_range_is_followed_by_a_short_polynomial(refit_on, inputs):
    x = inputs[:, 0]
    narrow = np.column_stack([0.19 + 0.0004 * x, inputs[:, 1]])
    wide, near = refit_on(1.0 / (4.0 + x)), refit_on(1.0 / (4.0 + narrow[:, 0]), points=narrow)
    assert (polynomial_terms(near, 1e-24 * near.all, 20) or 99) <= 15
    assert polynomial_terms(wide, 1e-24 * wide.all, 20) is None


def test_of_many_forms_that_a_conservation_law_makes_equal_the_shortest_is_met():
    t = np.linspace(0.0, 2.0, 120)
    rows = np.column_stack([0.5 + t, np.sin(t), 1.0 - np.sin(t)])
    law = from_text("0.1 - 0.4*x0*x1/(0.3 + x0) - 0.05*x0", ("x0", "x1", "x2"))
    samples = Samples(rows, evaluate(law, rows)[:, None], ("x0", "x1", "x2"), ("x0",))
    regression = Regression(make_problem(samples, None), resolve(["ident", "inv"]), 1e-12)
    text = "0.1*x2 - 0.3*x1 - 0.05*x0 + 0.12*x1/(0.3 + x0)"
    long = regression.fit(from_text(text, ("x0", "x1", "x2")))
    assert long.chi2 < 1e-20
    best = min(map(regression.fit, forms_with_calls(regression, long)), key=lambda each: each.score)
    assert len(best.constants) <= len(long.constants)
    assert best.chi2 < 1e-20


def test_inputs_that_stand_still_add_no_terms_and_no_time(refit_on, inputs):
    x = inputs[:, 0]
    rows = np.column_stack([x, *(np.full(len(x), float(k)) for k in range(9))])
    assert polynomial_terms(refit_on(np.sin(3.0 * x) + 1.0 / (4.0 + x), points=rows), 0.0, 18) is None


def test_a_polynomial_is_followed_by_itself(refit_on, inputs):
    x, y = inputs.T
    assert polynomial_terms(refit_on(1.0 + x - 2.0 * x * y), 1e-18, 8) == 5
