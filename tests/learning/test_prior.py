"""The prior update: closed forms, numerical range, and automatic relevance determination as fixed point."""

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.linear_model import ARDRegression

from mathonet.fit.least_squares import minimise, quadratic
from mathonet.learning.curvature import gauss_newton
from mathonet.learning.penalty import Strength, sparse_group
from mathonet.learning.prior import LEAST, Prior, degrees_of_freedom, lasso_prior, posterior, update

NO_GROUPS = np.zeros((0, 4))
ALL = np.ones(4, bool)
fast_posterior = jax.jit(posterior)
fast_update = jax.jit(update, static_argnums=5)

etas = arrays(float, 4, elements=st.floats(1e-12, 1e6))
curvatures = arrays(float, 4, elements=st.floats(1e-3, 1e16))


def naive(eta: np.ndarray, H: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    zeta = np.diagonal(np.linalg.inv(np.diag(1 / eta) + H))
    return 1 / eta - zeta / eta**2, zeta


def precise(eta: np.ndarray, H: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The naive formula in 80 digits."""
    with mpmath.workdps(80):
        inverse = (mpmath.diag([1 / mpmath.mpf(float(e)) for e in eta]) + mpmath.matrix(H.tolist())) ** -1
        zeta = [inverse[i, i] for i in range(len(eta))]
        alpha = [
            1 / mpmath.mpf(float(e)) - z / mpmath.mpf(float(e)) ** 2 for e, z in zip(eta, zeta, strict=True)
        ]
        return np.array(alpha, float), np.array(zeta, float)


def random_curvature(seed: int, scale: float = 1.0) -> np.ndarray:
    J = np.random.default_rng(seed).normal(size=(10, 4))
    return scale * J.T @ J


@given(etas, curvatures)
def test_diagonal_curvature_has_the_closed_form_and_alpha_never_exceeds_it(eta, h):
    expected = 1 / (eta + 1 / h)
    alpha, zeta = fast_posterior(eta, jnp.diag(h))
    np.testing.assert_allclose(alpha, expected, rtol=1e-9)
    np.testing.assert_allclose(zeta, 1 / (1 / eta + h), rtol=1e-9)
    assert np.all(np.asarray(alpha) <= h * (1 + 1e-12))


@pytest.mark.parametrize("full", [False, True])
@given(size=etas, h=curvatures)
def test_update_with_diagonal_curvature_has_the_closed_form(full, size, h):
    prior = lasso_prior(4, 0)
    new = fast_update(prior, size, jnp.diag(h), ALL, NO_GROUPS, full)
    np.testing.assert_allclose(new.alpha, np.maximum(1 / (size + 1 / h), LEAST), rtol=1e-9)
    np.testing.assert_allclose(new.eta, size)


@pytest.mark.parametrize("seed", range(5))
def test_posterior_equals_the_naive_formula_where_that_is_accurate(seed):
    eta = 10 ** np.random.default_rng(seed).uniform(-1, 1, 4)
    H = random_curvature(seed)
    for ours, theirs in zip(fast_posterior(eta, H), naive(eta, H), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-8)


@pytest.mark.parametrize("scale", [1e-8, 1.0, 1e8, 1e16])
@pytest.mark.parametrize("least", [1e-30, 1e-16, 1e-4])
def test_posterior_is_accurate_from_vanishing_to_large_eta(scale, least):
    H = random_curvature(7, scale)
    eta = np.array([least, 1.0, least**0.5, 1e3])
    for ours, theirs in zip(fast_posterior(eta, H), precise(eta, H), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-6)


def test_weight_of_exactly_zero_variance_has_a_finite_alpha_and_leaves_the_others_alone():
    H = random_curvature(7)
    eta = np.array([0.0, 1.0, 2.0, 3.0])
    alpha, zeta = fast_posterior(eta, H)
    others, _ = fast_posterior(eta[1:], H[1:, 1:])
    np.testing.assert_allclose(alpha[1:], others, rtol=1e-10)
    np.testing.assert_allclose(alpha[0], precise(np.array([1e-40, 1, 2, 3]), H)[0][0], rtol=1e-8)
    assert zeta[0] == 0.0


def test_redundant_weights_of_huge_curvature_stay_finite():
    J = np.random.default_rng(0).normal(size=(10, 4))
    J[:, 1] = J[:, 0]
    alpha, zeta = fast_posterior(np.ones(4), 1e16 * J.T @ J)
    assert np.isfinite(alpha).all()
    assert np.isfinite(zeta).all()
    assert np.all(np.asarray(alpha) >= 0)
    assert np.all((np.asarray(zeta) >= 0) & (np.asarray(zeta) <= 1))


@pytest.mark.parametrize("full", [False, True])
def test_masked_weights_take_no_part_in_the_update(full):
    H, w = random_curvature(1), np.array([1.0, -2.0, 0.5, 3.0])
    active = np.array([True, False, True, True])
    masked = fast_update(lasso_prior(4, 0), w * active, H, active, NO_GROUPS, full)
    alone = update(
        lasso_prior(3, 0), w[active], H[np.ix_(active, active)], np.ones(3, bool), np.zeros((0, 3)), full
    )
    np.testing.assert_allclose(masked.alpha[active], alone.alpha, rtol=1e-10)
    np.testing.assert_allclose(masked.zeta[active], alone.zeta, rtol=1e-10)


MEMBER = np.array([[1.0, 1, 1, 0], [0, 0, 0, 1]])


def test_alpha_of_a_group_is_the_sum_over_its_living_members():
    h, w = np.array([2.0, 5.0, 7.0, 1.0]), np.array([1.0, 2.0, 0.0, 3.0])
    active = np.array([True, True, False, True])
    prior = Prior(jnp.ones(4), jnp.array([4.0, 1.0]), jnp.ones(4), jnp.zeros(4))
    new = fast_update(prior, w, jnp.diag(h), active, MEMBER, False)
    eta = np.sqrt(5.0) / 2.0
    np.testing.assert_allclose(new.alpha_group[0], 1 / (eta + 1 / 2.0) + 1 / (eta + 1 / 5.0), rtol=1e-12)
    np.testing.assert_allclose(new.alpha_group[1], 1 / (3.0 + 1.0), rtol=1e-12)


def test_well_determined_weights_and_groups_settle_at_inverse_squares():
    w = np.array([0.5, -1.0, 2.0, 0.25])
    prior = lasso_prior(4, 2)
    for _ in range(60):
        prior = fast_update(prior, w, 1e12 * jnp.eye(4), ALL, MEMBER, False)
    np.testing.assert_allclose(prior.alpha, 1 / w**2, rtol=1e-6)
    np.testing.assert_allclose(prior.alpha_group, [9 / np.sum(w[:3] ** 2), 1 / w[3] ** 2], rtol=1e-6)


def test_degrees_of_freedom_count_the_well_determined_living_weights():
    w = np.ones(4)
    active = np.array([True, True, True, False])
    prior = update(lasso_prior(4, 0), w, jnp.diag(jnp.array([1e12, 1.0, 0.0, 1e12])), active, NO_GROUPS)
    np.testing.assert_allclose(degrees_of_freedom(prior, active), 1.0 + 0.5 + 0.0, rtol=1e-10)


@jax.jit
def linear_cycle(A, b, lam, w, prior: Prior) -> tuple[jax.Array, Prior]:
    """A cycle of a linear model: map step, then the prior update with the whole curvature."""
    n, k = A.shape
    member, every, count = jnp.zeros((0, k)), jnp.ones(k, bool), jnp.asarray(float(n))

    def penalty(v, step):
        smooth = 10.0 ** -(1 + 11 * jnp.minimum(step / 80, 1.0))
        return sparse_group(v, Strength(lam * prior.beta, jnp.zeros(0)), member, smooth)

    best = minimise(
        lambda v: quadratic(A @ v - b, A), w, every, count, 400, penalty, tolerance=1e-15, least_steps=80
    )
    return best.w, update(prior, best.w, gauss_newton(best.around.normal, count, lam), every, member, True)


def learn(A: np.ndarray, b: np.ndarray, sigma2: float, cycles: int = 40) -> tuple[np.ndarray, Prior]:
    n, k = A.shape
    w, prior = jnp.ones(k), lasso_prior(k, 0)
    for _ in range(cycles):
        w, prior = linear_cycle(jnp.asarray(A), jnp.asarray(b), jnp.asarray(sigma2 / n), w, prior)
    return np.asarray(w), prior


def linear_problem(seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(60, 8))
    A[:, 1] += 0.5 * A[:, 0]
    truth = np.array([2.0, -1.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0])
    return A, A @ truth + 0.2 * rng.normal(size=60)


@pytest.mark.parametrize("seed", [0, 1])
def test_fixed_point_is_prior_variance_equals_square_plus_posterior_variance(seed):
    A, b = linear_problem(seed)
    w, prior = learn(A, b, 0.04)
    kept = np.abs(w) > 1e-6
    assert kept[[0, 1, 4]].all()
    np.testing.assert_allclose(prior.eta[kept], w[kept] ** 2 + np.asarray(prior.zeta)[kept], rtol=1e-4)


@pytest.mark.parametrize("seed", range(6))
def test_linear_problems_agree_with_ard_regression(seed):
    A, b = linear_problem(seed)
    exact = {"alpha_1": 0, "alpha_2": 0, "lambda_1": 0, "lambda_2": 0, "threshold_lambda": 1e8, "tol": 1e-12}
    peer = ARDRegression(fit_intercept=False, max_iter=3000, **exact).fit(A, b)
    w, _ = learn(A, b, 1 / peer.alpha_)
    np.testing.assert_array_equal(np.abs(w) > 1e-4, peer.coef_ != 0)
    kept = peer.coef_ != 0
    np.testing.assert_allclose(w[kept], peer.coef_[kept], rtol=1e-3)
    assert kept.sum() < len(kept)
