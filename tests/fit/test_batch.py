"""Many small forms fitted at once."""

import numpy as np
import pytest
from scipy.optimize import least_squares

from mathonet.fit.batch import Batch, Table, fit_batch, values_of

X = np.linspace(0.2, 3.0, 60)
ONE, ZERO = 2, 3
COLUMNS = np.stack([X, X**2, np.ones_like(X), np.zeros_like(X)])
FACES = (lambda h: (np.sin(h), np.cos(h)), lambda h: (1.0 / h, -1.0 / h**2))


def table(target: np.ndarray) -> Table:
    return Table(COLUMNS, FACES, lambda columns: columns, target)


def batch(*forms: tuple) -> Batch:
    """Forms of two terms: x alone, then company, operation, feature and constants of one call."""
    count = len(forms)
    company, operation = np.zeros((count, 2), int), np.full((count, 2, 2), -1)
    features, values = np.full((count, 2, 2, 2), ZERO), np.zeros((count, 2, 2, 3))
    free = np.zeros((count, len(forms[0][4])), int)
    for b, (beside, which, feature, constants, places) in enumerate(forms):
        company[b, 1], operation[b, 1, 0], features[b, 1, 0, 0] = beside, which, feature
        values[b, 1, 0] = constants
        free[b] = [6 + place for place in places]
    return Batch(company, operation, features, values, free)


SINE = (ONE, 0, 0, (2.2, 0.0, 0.0), (0,))
QUOTIENT = (0, 1, 1, (1.0, 0.0, 2.0), (2,))


def test_different_forms_are_fitted_at_once():
    target = -0.5 * X + 1.5 * np.sin(2.0 * X)
    found = fit_batch(batch(SINE, QUOTIENT), table(target), 30)
    assert found.rss[0] < 1e-24
    np.testing.assert_allclose(found.coefficients[0], [-0.5, 1.5], rtol=1e-9)
    np.testing.assert_allclose(found.values[0, 1, 0, 0], 2.0, rtol=1e-9)
    other = fit_batch(batch(QUOTIENT), table(-0.5 * X + 3.0 * X / (X**2 + 1.3)), 30)
    np.testing.assert_allclose(other.values[0, 1, 0, 2], 1.3, rtol=1e-9)


def test_each_form_ends_where_least_squares_of_all_constants_does():
    target = np.exp(-X) + 0.01 * np.random.default_rng(0).normal(size=len(X))

    def residuals(c):
        return target - c[0] * X - c[1] * np.sin(c[2] * X)

    expected = 2.0 * least_squares(residuals, [0.1, 0.1, 2.2], xtol=1e-14, ftol=1e-14, gtol=1e-14).cost
    assert fit_batch(batch(SINE), table(target), 100).rss[0] == pytest.approx(expected, rel=1e-6)


DEPENDENT = (ONE, 0, 0, (1e-7, 0.0, 0.0), (0,))


@pytest.mark.parametrize("form", [SINE, QUOTIENT, DEPENDENT], ids=["sine", "quotient", "dependent at first"])
@pytest.mark.parametrize("others", [(SINE,), (QUOTIENT, SINE, SINE), (SINE,) * 6])
def test_the_batch_does_not_matter_to_a_form(form, others):
    target = -0.5 * X + 1.5 * np.sin(2.0 * X) + np.exp(-X)
    alone = fit_batch(batch(form), table(target), 25)
    together = fit_batch(batch(*others, form), table(target), 25)
    assert np.isfinite(alone.rss[0])
    np.testing.assert_allclose(together.rss[-1], alone.rss[0], rtol=1e-12)


def test_forms_that_have_settled_wait_for_the_others_as_they_are():
    settled = (ONE, 0, 0, (2.0, 0.0, 0.0), (0,))
    target = -0.5 * X + 1.5 * np.sin(2.0 * X)
    found = fit_batch(batch(settled, settled, QUOTIENT, SINE, settled), table(target), 60)
    np.testing.assert_allclose(found.values[[0, 1, 3, 4], 1, 0, 0], 2.0, rtol=1e-12)
    np.testing.assert_allclose(found.coefficients[[0, 1, 3, 4]], [[-0.5, 1.5]] * 4, rtol=1e-9)
    alone = fit_batch(batch(QUOTIENT), table(target), 60)
    np.testing.assert_allclose(found.rss[2], alone.rss[0], rtol=1e-9)
    assert (found.rss[[0, 1, 3, 4]] < 1e-24).all()


def test_a_form_that_is_not_finite_or_has_equal_columns_costs_nothing_but_itself():
    broken = (ONE, 1, 0, (0.0, 0.0, 0.0), (2,))
    equal = (ONE, 0, ZERO, (0.0, 0.0, 1.0), (0,))
    target = -0.5 * X + 1.5 * np.sin(2.0 * X)
    with np.errstate(all="ignore"):
        found = fit_batch(batch(broken, SINE, equal), table(target), 30)
    assert not np.isfinite(found.rss[0]) or found.rss[0] > 1.0
    assert found.rss[1] < 1e-24


def test_no_steps_solve_for_the_coefficients_alone():
    given = batch(SINE)
    found = fit_batch(given, table(np.sin(2.2 * X)), 0)
    np.testing.assert_allclose(found.coefficients[0], [0.0, 1.0], atol=1e-12)
    np.testing.assert_array_equal(found.values, given.values)
    np.testing.assert_allclose(values_of(given, table(X))[0, 1], np.sin(2.2 * X))
