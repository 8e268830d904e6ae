"""Polynomials by blocks: the true monomials, from clean and from noisy derivatives."""

import numpy as np
import pytest

from mathonet.data.samples import Samples
from mathonet.equation.parse import from_text
from mathonet.operations import resolve
from mathonet.precision import double_precision
from mathonet.search.blocks import could_win, polynomial_forms
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
