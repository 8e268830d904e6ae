"""The least-squares engine against exact and SciPy's solutions."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.optimize

from mathonet.fit.least_squares import Minimum, minimise, quadratic

ROWS, WEIGHTS = 30, 5


@jax.jit
def solve_linear(A, b, start, active, steps=100) -> Minimum:
    return minimise(lambda w: quadratic(A @ w - b, A), start, active, jnp.asarray(float(ROWS)), steps)


@pytest.fixture(scope="module")
def linear() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    return rng.normal(size=(ROWS, WEIGHTS)), rng.normal(size=ROWS)


EVERY = np.ones(WEIGHTS, bool)


def test_quadratic_holds_the_sum_of_squares_its_slope_and_curvature(linear):
    A, b = linear
    w = np.arange(1.0, WEIGHTS + 1)
    around = quadratic(jnp.asarray(A @ w - b), jnp.asarray(A))
    np.testing.assert_allclose(around.rss, np.sum((A @ w - b) ** 2))
    slope = jax.grad(lambda v: 0.5 * jnp.sum((A @ v - b) ** 2))(jnp.asarray(w))
    np.testing.assert_allclose(around.gradient, slope)
    np.testing.assert_allclose(around.normal, A.T @ A)


def test_linear_problem_reaches_its_exact_solution(linear):
    A, b = linear
    best = solve_linear(A, b, np.full(WEIGHTS, 3.0), EVERY)
    expected, rss, *_ = np.linalg.lstsq(A, b)
    np.testing.assert_allclose(best.w, expected, rtol=1e-10)
    np.testing.assert_allclose(best.around.rss, rss[0], rtol=1e-12)
    assert best.finite
    assert best.steps < 20


def test_inactive_weights_stay_exactly_zero_and_the_rest_is_solved_without_them(linear):
    A, b = linear
    active = np.array([True, False, True, True, False])
    best = solve_linear(A, b, np.full(WEIGHTS, 3.0), active)
    assert np.all(np.asarray(best.w)[~active] == 0.0)
    np.testing.assert_allclose(best.w[active], np.linalg.lstsq(A[:, active], b)[0], rtol=1e-10)


@pytest.mark.parametrize("largest", [0, 2, 4])
def test_columns_of_scales_from_1e_minus_11_to_1e_11_are_solved(linear, largest):
    A, b = linear
    scale = np.roll(np.array([1e11, 1e5, 1.0, 1e-6, 1e-11]), largest)
    best = solve_linear(A * scale, b, np.zeros(WEIGHTS), EVERY)
    np.testing.assert_allclose(np.asarray(best.w) * scale, np.linalg.lstsq(A, b)[0], rtol=1e-8)


def test_column_without_any_curvature_stays_where_it_is(linear):
    A, b = linear
    A = A * np.array([1, 1, 0, 1, 1])
    best = solve_linear(A, b, np.full(WEIGHTS, 3.0), EVERY)
    np.testing.assert_allclose(best.w[2], 3.0)
    np.testing.assert_allclose(A @ best.w, A @ np.linalg.lstsq(A, b)[0], rtol=1e-9)


def test_redundant_columns_still_reach_the_least_sum_of_squares(linear):
    A, b = linear
    A = A.copy()
    A[:, 1] = A[:, 0]
    best = solve_linear(A, b, np.zeros(WEIGHTS), EVERY)
    np.testing.assert_allclose(best.around.rss, np.linalg.lstsq(A[:, 1:], b)[1][0], rtol=1e-10)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_start_that_is_not_finite_is_given_up_at_once(linear, bad):
    best = solve_linear(*linear, np.array([0.0, bad, 0.0, 0.0, 0.0]), EVERY)
    assert not best.finite
    assert best.steps == 0


def test_start_that_is_not_finite_harms_no_other_of_its_batch(linear):
    A, b = linear
    starts = np.full((3, WEIGHTS), 2.0)
    starts[1, 0] = np.nan
    batch = jax.vmap(solve_linear, in_axes=(None, None, 0, None))(A, b, starts, EVERY)
    alone = solve_linear(A, b, starts[0], EVERY)
    np.testing.assert_array_equal(batch.finite, [True, False, True])
    # Batched products may add up in another order, and the last steps with them.
    np.testing.assert_allclose(batch.w[::2], np.stack([alone.w] * 2), rtol=1e-8)


def test_no_step_only_evaluates(linear):
    A, b = linear
    best = solve_linear(A, b, np.full(WEIGHTS, 3.0), EVERY, 0)
    np.testing.assert_array_equal(best.w, 3.0)
    np.testing.assert_allclose(best.around.rss, np.sum((A @ best.w - b) ** 2))


def decays(w, t):
    return w[0] * jnp.exp(-w[1] * t) + w[2] * jnp.cos(w[3] * t)


@jax.jit
def solve_decays(t, b, start) -> Minimum:
    def evaluate(w):
        return quadratic(decays(w, t) - b, jax.jacobian(decays)(w, t))

    return minimise(evaluate, start, jnp.ones(4, bool), jnp.asarray(float(t.size)), 200)


@pytest.mark.parametrize("noise", [0.0, 0.05])
def test_nonlinear_problem_agrees_with_scipy(noise):
    t = np.linspace(0, 4, 60)
    truth, start = np.array([2.0, 0.7, -1.0, 2.1]), np.array([1.0, 0.3, -0.5, 1.8])
    b = np.asarray(decays(truth, t)) + noise * np.random.default_rng(1).normal(size=t.size)
    best = solve_decays(jnp.asarray(t), jnp.asarray(b), jnp.asarray(start))
    peer = scipy.optimize.least_squares(
        lambda w: np.asarray(decays(w, t)) - b, start, xtol=1e-14, ftol=1e-14, gtol=1e-14
    )
    np.testing.assert_allclose(best.w, peer.x, rtol=1e-6)
    assert best.around.rss <= 2 * peer.cost * (1 + 1e-9) + 1e-25


def test_steps_to_values_that_are_not_finite_are_refused():
    def evaluate(w):
        return quadratic(jnp.log(w) - 5.0, jnp.diag(1 / w))

    best = jax.jit(lambda w: minimise(evaluate, w, jnp.ones(1, bool), jnp.asarray(1.0), 200))(
        jnp.ones(1) * 1e4
    )
    np.testing.assert_allclose(best.w, np.exp(5.0), rtol=1e-8)


def test_penalty_with_quadratic_value_is_ridge_regression(linear):
    A, b = linear
    strength = 0.3

    def ridge(w, step):
        return 0.5 * strength * jnp.sum(w**2), jnp.full_like(w, strength)

    best = jax.jit(
        lambda w: minimise(
            lambda v: quadratic(A @ v - b, jnp.asarray(A)), w, EVERY, jnp.asarray(float(ROWS)), 100, ridge
        )
    )(jnp.zeros(WEIGHTS))
    expected = np.linalg.solve(A.T @ A / ROWS + strength * np.eye(WEIGHTS), A.T @ b / ROWS)
    np.testing.assert_allclose(best.w, expected, rtol=1e-6)
