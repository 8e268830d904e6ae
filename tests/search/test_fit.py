"""Fit: the rounding of a form's own sums, from which no term is gained where terms nearly cancel."""

import jax.numpy as jnp
import numpy as np
import pytest

from mathonet.equation.expression import number, variable
from mathonet.fit.problem import Problem
from mathonet.operations import get
from mathonet.search.fit import rounding_error
from mathonet.search.samples.regression import Regression

X, Y = variable(0), variable(1)
TRUE = X + Y + X * Y + number(1.0)
RNG = np.random.default_rng(3)
PLAIN = RNG.uniform(0.5, 3.0, size=(200, 2))


def regression(shift: float) -> Regression:
    """Predator and prey, x (1.3 - 0.9 y), measured from another zero."""
    targets = PLAIN[:, :1] * (1.3 - 0.9 * PLAIN[:, 1:])
    arrays = (PLAIN + shift) / (1 + shift), targets, np.ones(200), 200.0
    return Regression(Problem(*map(jnp.asarray, arrays)), (get("ident"),), 1e-12)


def test_it_is_some_epsilons_of_the_largest_term():
    values, columns = np.array([3.0, -1e6]), np.array([[1.0, 2.0], [1.0, 2.0]])
    eps = np.finfo(float).eps
    assert rounding_error(values, columns.T @ columns, 2.0) == pytest.approx(16 * eps * 2e6)
    assert rounding_error(np.zeros(0), np.zeros((0, 0)), 2.0) == 0.0


def test_it_is_below_the_floor_for_ordinary_data():
    assert regression(0.0).fit(TRUE).rounding < 1e-13


@pytest.mark.parametrize("shift", [1e2, 1e3, 1e4, 1e5])
@pytest.mark.parametrize("extra", [X * X, Y * Y, X * X + Y * Y])
def test_a_spurious_term_gains_nothing_far_from_zero(shift, extra):
    fits = regression(shift)
    true, spurious = fits.fit(TRUE), fits.fit(TRUE + extra)
    assert np.sqrt(true.chi2 / true.count) < true.rounding
    assert true.score < spurious.score
