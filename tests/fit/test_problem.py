"""The regression problem: r = W (A f(X) - b)."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from mathonet.fit.problem import Problem, Windows

SAMPLES, ROWS, WIDTH, OUTPUTS = 12, 5, 4, 2


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(3)


@pytest.fixture
def windows(rng) -> tuple[Windows, np.ndarray]:
    index = np.stack([np.arange(start, start + WIDTH) for start in (0, 2, 4, 6, 8)])
    value = rng.normal(size=(ROWS, WIDTH))
    matrix = np.zeros((ROWS, SAMPLES))
    for row in range(ROWS):
        matrix[row, index[row]] = value[row]
    return Windows(jnp.asarray(index), jnp.asarray(value)), matrix


def problem(rng, rows: int, weights: np.ndarray, operator: Windows | None = None) -> Problem:
    inputs, targets = rng.normal(size=(SAMPLES, 3)), rng.normal(size=(rows, OUTPUTS))
    return Problem(
        jnp.asarray(inputs), jnp.asarray(targets), jnp.asarray(weights), jnp.asarray(float(rows)), operator
    )


@pytest.mark.parametrize("extra", [(), (3,), (2, 4)])
def test_windows_equal_a_dense_matrix(rng, windows, extra):
    operator, matrix = windows
    predictions = rng.normal(size=(SAMPLES, *extra))
    expected = np.tensordot(matrix, predictions, 1)
    np.testing.assert_allclose(operator(jnp.asarray(predictions)), expected, rtol=1e-13)


def test_window_that_sees_a_sample_twice_counts_it_twice():
    operator = Windows(jnp.array([[0, 0]]), jnp.array([[2.0, 3.0]]))
    assert operator(jnp.array([7.0]))[0] == 35.0


def test_residuals_are_weighted_row_by_row(rng):
    weights = rng.uniform(0.5, 2.0, SAMPLES)
    p, predictions = problem(rng, SAMPLES, weights), rng.normal(size=(SAMPLES, OUTPUTS))
    expected = weights[:, None] * (predictions - p.targets)
    np.testing.assert_allclose(p.residuals(predictions).reshape(SAMPLES, OUTPUTS), expected, rtol=1e-13)


def test_whitening_matrix_mixes_rows_and_not_outputs(rng, windows):
    operator, matrix = windows
    whitening = rng.normal(size=(ROWS, ROWS))
    p, predictions = problem(rng, ROWS, whitening, operator), rng.normal(size=(SAMPLES, OUTPUTS))
    expected = whitening @ (matrix @ predictions - p.targets)
    np.testing.assert_allclose(p.residuals(predictions).reshape(ROWS, OUTPUTS), expected, rtol=1e-12)


def test_diagonal_whitening_matrix_equals_weights(rng):
    weights = rng.uniform(0.5, 2.0, SAMPLES)
    p = problem(rng, SAMPLES, weights)
    q = Problem(p.inputs, p.targets, jnp.diag(p.weights), p.count)
    predictions = rng.normal(size=(SAMPLES, OUTPUTS))
    np.testing.assert_allclose(q.residuals(predictions), p.residuals(predictions), rtol=1e-13)


@pytest.mark.parametrize("whiten", [False, True])
def test_jacobian_is_the_derivative_of_the_residuals(rng, windows, whiten):
    operator, _ = windows
    weights = rng.normal(size=(ROWS, ROWS)) if whiten else rng.uniform(0.5, 2.0, ROWS)
    p = problem(rng, ROWS, weights, operator)
    slopes = rng.normal(size=(SAMPLES, OUTPUTS, 3))
    expected = jax.jacobian(lambda w: p.residuals(jnp.asarray(slopes) @ w))(jnp.zeros(3))
    np.testing.assert_allclose(p.jacobian(jnp.asarray(slopes)), expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("whiten", [False, True])
def test_rows_of_weight_zero_change_neither_sums_nor_counts(rng, whiten):
    weights = rng.normal(size=(SAMPLES, SAMPLES)) if whiten else rng.uniform(0.5, 2.0, SAMPLES)
    p = problem(rng, SAMPLES, weights)
    padded = Problem(
        jnp.concatenate([p.inputs, p.inputs[:4]]),
        jnp.concatenate([p.targets, jnp.full((4, OUTPUTS), 9.0)]),
        jnp.pad(p.weights, [(0, 4)] * p.weights.ndim),
        p.count,
    )

    def predict(inputs):
        return jnp.sin(inputs[:, :OUTPUTS])

    r, s = p.residuals(predict(p.inputs)), padded.residuals(predict(padded.inputs))
    np.testing.assert_allclose(s @ s, r @ r, rtol=1e-13)
    np.testing.assert_array_equal(s[r.size :], 0.0)
    assert padded.observations == p.observations == SAMPLES * OUTPUTS


def test_one_column_of_a_problem_has_the_residuals_of_that_target(rng):
    p, predictions = (
        problem(rng, SAMPLES, rng.uniform(0.5, 2.0, SAMPLES)),
        rng.normal(size=(SAMPLES, OUTPUTS)),
    )
    alone = p.column(1).residuals(predictions[:, 1:])
    np.testing.assert_array_equal(alone, p.residuals(predictions).reshape(SAMPLES, OUTPUTS)[:, 1])
