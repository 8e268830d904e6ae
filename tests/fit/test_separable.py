"""Variable projection: inner constants searched, coefficients solved."""

import numpy as np
import pytest
from scipy.optimize import least_squares

from mathonet.fit.separable import Columns, fit_separable

T = np.linspace(0.0, 4.0, 80)


def decays(inner: np.ndarray) -> Columns:
    """Two exponentials and a constant."""
    with np.errstate(all="ignore"):
        parts = np.exp(-np.outer(T, inner))
    columns = np.concatenate([parts, np.ones((len(T), 1))], axis=1)
    return Columns(columns, lambda c: -T[:, None] * parts * c[:2])


TRUE = np.array([0.4, 2.1])
CLEAN = decays(TRUE).outer @ [3.0, -2.0, 0.5]


def test_clean_data_give_the_constants_to_rounding():
    found = fit_separable(decays, CLEAN, np.array([0.2, 3.5]), np.zeros(3), 60)
    assert found is not None
    np.testing.assert_allclose(found.inner, TRUE, rtol=1e-9)
    np.testing.assert_allclose(found.outer, [3.0, -2.0, 0.5], rtol=1e-9)
    assert found.rss < 1e-24


def test_noisy_data_give_scipys_minimum():
    noisy = CLEAN + 0.05 * np.random.default_rng(0).normal(size=len(T))
    found = fit_separable(decays, noisy, np.array([0.2, 3.5]), np.zeros(3), 60)
    theirs = least_squares(lambda p: decays(p[:2]).outer @ p[2:] - noisy, [0.4, 2.1, 3.0, -2.0, 0.5])
    assert found is not None
    assert found.rss <= 2.0 * theirs.cost * (1 + 1e-9)


def test_no_step_only_evaluates():
    found = fit_separable(decays, CLEAN, TRUE, np.array([1.0, 1.0, 1.0]), 0)
    assert found is not None
    np.testing.assert_array_equal(found.outer, 1.0)
    np.testing.assert_allclose(found.rss, np.sum((decays(TRUE).outer.sum(axis=1) - CLEAN) ** 2))


def test_jacobian_is_that_of_the_values():
    found = fit_separable(decays, CLEAN, TRUE, np.array([3.0, -2.0, 0.5]), 0)
    assert found is not None
    step = 1e-6
    for place in range(2):
        moved = TRUE.copy()
        moved[place] += step
        slope = (decays(moved).outer @ found.outer - decays(TRUE).outer @ found.outer) / step
        np.testing.assert_allclose(found.jacobian[:, 3 + place], slope, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("bad", [np.inf, np.nan])
def test_start_that_is_not_finite_is_given_up(bad):
    assert fit_separable(decays, CLEAN, np.array([bad, 1.0]), np.zeros(3), 60) is None


def test_inner_constants_that_the_data_do_not_see_do_no_harm():
    def flat(inner: np.ndarray) -> Columns:
        return Columns(np.stack([T, np.ones_like(T)], axis=1), lambda c: np.zeros((len(T), len(inner))))

    found = fit_separable(flat, 2.0 * T + 1.0, np.array([7.0]), np.zeros(2), 30)
    assert found is not None
    np.testing.assert_allclose(found.outer, [2.0, 1.0], rtol=1e-12)
    assert found.inner[0] == 7.0
