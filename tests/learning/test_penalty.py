"""The sparse group penalty: it has a gradient, and its quadratic majorises it."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.linear_model import Lasso

from mathonet.fit.least_squares import minimise, quadratic
from mathonet.learning.cycle import map_step, start
from mathonet.learning.penalty import Strength, sparse_group
from mathonet.learning.settings import Learning

MEMBER = jnp.array([[1.0, 1, 1, 0, 0, 0], [0, 0, 0, 1, 1, 0]])
STRENGTH = Strength(jnp.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6]), jnp.array([0.7, 0.8]))
SMOOTH = 1e-3

weights = arrays(float, 6, elements=st.floats(-3, 3))
evaluate = jax.jit(lambda w: sparse_group(w, STRENGTH, MEMBER, SMOOTH))
slope = jax.jit(jax.grad(lambda w: sparse_group(w, STRENGTH, MEMBER, SMOOTH)[0]))


def test_value_is_weighted_l1_plus_weighted_group_norms():
    w = np.array([1.0, -2.0, 2.0, 3.0, -4.0, 5.0])
    value, _ = sparse_group(jnp.asarray(w), STRENGTH, MEMBER, 1e-12)
    expected = np.sum(STRENGTH.single * np.abs(w)) + 0.7 * 3.0 + 0.8 * 5.0
    np.testing.assert_allclose(value, expected, rtol=1e-10)


def test_penalty_of_zero_weights_is_zero():
    assert evaluate(jnp.zeros(6))[0] == 0.0


def test_gradient_is_not_zero_and_equals_finite_differences():
    w = np.array([0.5, -1.0, 0.2, 2.0, -0.7, 1.0])
    step = 1e-6
    moved = [
        (evaluate(jnp.asarray(w + step * e))[0] - evaluate(jnp.asarray(w - step * e))[0]) / (2 * step)
        for e in np.eye(6)
    ]
    gradient = np.asarray(slope(jnp.asarray(w)))
    np.testing.assert_allclose(gradient, moved, rtol=1e-7)
    assert np.all(np.abs(gradient) > 0.05)
    np.testing.assert_array_equal(np.sign(gradient), np.sign(w))


@given(weights)
def test_curvature_times_weight_is_the_gradient(w):
    _, q = evaluate(w)
    np.testing.assert_allclose(q * w, slope(w), rtol=1e-10, atol=1e-14)


@given(weights, weights)
def test_quadratic_majorises_the_penalty_and_touches_it(w, v):
    here, q = evaluate(w)
    there, _ = evaluate(v)
    assert there <= here + 0.5 * np.sum(q * (v**2 - w**2)) + 1e-9


def test_least_squares_with_this_penalty_is_the_lasso():
    rng = np.random.default_rng(0)
    A = rng.normal(size=(40, 6))
    b = A @ np.array([2.0, 0, 0, -1.0, 0, 0.5]) + 0.1 * rng.normal(size=40)
    lam = 0.15
    strength = Strength(jnp.full(6, lam), jnp.zeros(2))

    def annealed(w, step):
        return sparse_group(w, strength, MEMBER, 10.0 ** -(1 + 7 * jnp.minimum(step / 60, 1.0)))

    best = jax.jit(
        lambda w: minimise(
            lambda v: quadratic(A @ v - b, jnp.asarray(A)),
            w,
            jnp.ones(6, bool),
            jnp.asarray(40.0),
            200,
            annealed,
            least_steps=60,
        )
    )(jnp.ones(6))
    peer = Lasso(alpha=lam, fit_intercept=False, tol=1e-12, max_iter=100_000).fit(A, b)
    np.testing.assert_allclose(best.w, peer.coef_, atol=1e-5)
    assert np.sum(peer.coef_ == 0) >= 2


@pytest.mark.parametrize("kind", ["newton", "adam"])
def test_map_step_is_changed_by_the_penalty(kind, architecture, make_problem, keys):
    problem, run = make_problem(), start(architecture, keys[0])
    learning = Learning(map_step=kind)
    step = jax.jit(lambda lam: map_step(architecture, learning, problem, run, lam, jnp.asarray(30)))
    free, penalised = step(jnp.asarray(0.0)), step(jnp.asarray(0.05))
    assert np.max(np.abs(free.w - penalised.w)) > 1e-2
    assert np.abs(penalised.w).sum() < np.abs(free.w).sum()
    assert penalised.around.rss > free.around.rss


@settings(max_examples=20)
@given(st.floats(0.01, 1.0))
def test_group_of_zeros_stays_penalised_evenly(size):
    """Members of one group with equal sizes and strengths have equal curvature."""
    w = jnp.array([size, -size, size, 0.0, 0.0, 0.0])
    even = Strength(jnp.full(6, 0.1), STRENGTH.group)
    _, q = sparse_group(w, even, MEMBER, SMOOTH)
    np.testing.assert_allclose(q[:3], q[0], rtol=1e-12)
    np.testing.assert_allclose(q[0], 0.1 / np.hypot(size, SMOOTH) + 0.7 / np.sqrt(3 * size**2 + SMOOTH**2))
