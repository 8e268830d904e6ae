"""Curvature: a whole positive semi-definite matrix, J^T J / (N lambda)."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from mathonet.fit.problem import Problem
from mathonet.learning.curvature import exact, gauss_newton
from mathonet.learning.energy import energy, linearise, predict
from mathonet.network.mathonet import flatten, initialise

LAM = 1e-3


@pytest.fixture(scope="module")
def weights(architecture):
    return flatten(initialise(architecture, jax.random.key(3)))


@pytest.fixture(scope="module")
def solved(architecture, weights, make_problem) -> Problem:
    """A problem whose residuals are zero at `weights`."""
    p = make_problem()
    return Problem(p.inputs, predict(architecture, weights, p.inputs), p.weights, p.count)


@pytest.fixture(scope="module")
def hessian(architecture):
    return jax.jit(jax.hessian(lambda w, problem: energy(architecture, w, problem)))


@pytest.fixture(scope="module")
def exact_curvature(architecture):
    return jax.jit(lambda w, problem: exact(architecture, w, problem, jnp.asarray(LAM)))


@pytest.fixture(scope="module")
def jacobian(architecture):
    return jax.jit(lambda w, problem: linearise(architecture, w, problem)[1])


def test_gauss_newton_is_a_matrix_and_not_its_row_sums(weights, make_problem, jacobian):
    problem = make_problem()
    J = np.asarray(jacobian(weights, problem))
    n = len(problem.targets)
    H = np.asarray(gauss_newton(J.T @ J, problem.observations, jnp.asarray(LAM)))
    for i in range(3):
        for j in range(3):
            np.testing.assert_allclose(H[i, j], J[:, i] @ J[:, j] / (n * LAM), rtol=1e-12)
    assert H.shape == (weights.size, weights.size)
    assert np.max(np.abs(np.diagonal(H) - H.sum(1))) > 1.0
    assert np.linalg.eigvalsh(H).min() > -1e-9 * np.abs(H).max()


def test_exact_equals_hessian_and_gauss_newton_where_residuals_vanish(
    weights, solved, jacobian, hessian, exact_curvature
):
    J = jacobian(weights, solved)
    H = np.asarray(exact_curvature(weights, solved))
    scale = np.abs(H).max()
    np.testing.assert_allclose(H, hessian(weights, solved) / LAM, atol=1e-11 * scale)
    expected = gauss_newton(J.T @ J, solved.observations, jnp.asarray(LAM))
    np.testing.assert_allclose(H, expected, atol=1e-11 * scale)


def test_exact_stays_positive_semi_definite_where_the_hessian_is_not(
    weights, make_problem, hessian, exact_curvature
):
    problem = make_problem()
    raw = np.asarray(hessian(weights, problem)) / LAM
    H = np.asarray(exact_curvature(weights, problem))
    scale = np.abs(raw).max()
    assert np.linalg.eigvalsh(raw).min() < -1e-3 * scale
    assert np.linalg.eigvalsh(H).min() > -1e-12 * scale
    size, axes = np.linalg.eigh(raw)
    np.testing.assert_allclose(H, (axes * np.maximum(size, 0)) @ axes.T, atol=1e-10 * scale)


def test_exact_of_weights_that_are_not_finite_is_finite(weights, make_problem, exact_curvature):
    assert np.isfinite(exact_curvature(weights.at[0].set(jnp.nan), make_problem())).all()
