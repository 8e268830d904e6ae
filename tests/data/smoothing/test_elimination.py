"""Elimination: block-tridiagonal systems against dense ones."""

import numpy as np
import pytest

from mathonet.data.smoothing.elimination import eliminate


def system(blocks: int, seed: int = 0):
    rng = np.random.default_rng(seed)
    size = 3
    near = np.abs(np.subtract.outer(np.arange(blocks), np.arange(blocks))) <= 1
    full = np.kron(near, np.ones((size, size))) * rng.normal(size=(blocks * size, blocks * size))
    full = full + full.T + 20.0 * np.eye(blocks * size)
    cut = full.reshape(blocks, size, blocks, size).swapaxes(1, 2)
    places = np.arange(blocks)
    own, beside = cut[places, places], cut[places[:-1], places[1:]]
    return full, own, beside, rng.normal(size=(blocks, size))


@pytest.mark.parametrize("blocks", [1, 2, 3, 4, 7, 8, 21])
def test_solution_determinant_and_inverse_are_those_of_the_dense_matrix(blocks):
    full, own, beside, value = system(blocks)
    found = eliminate(own, beside, value)
    np.testing.assert_allclose(found.solution.ravel(), np.linalg.solve(full, value.ravel()), rtol=1e-10)
    np.testing.assert_allclose(found.log_det, np.linalg.slogdet(full)[1], rtol=1e-12)
    inverse = np.linalg.inv(full).reshape(blocks, 3, blocks, 3).swapaxes(1, 2)
    mine, next_to = found.inverse()
    places = np.arange(blocks)
    np.testing.assert_allclose(mine, inverse[places, places], atol=1e-14)
    np.testing.assert_allclose(next_to, inverse[places[:-1], places[1:]], atol=1e-14)


def test_a_batch_is_many_systems():
    parts = [system(9, seed)[1:] for seed in range(3)]
    own, beside, value = (np.stack(each) for each in zip(*parts, strict=True))
    together = eliminate(own, beside, value)
    for place, part in enumerate(parts):
        alone = eliminate(*part)
        np.testing.assert_allclose(together.solution[place], alone.solution, rtol=1e-12)
        np.testing.assert_allclose(together.inverse()[0][place], alone.inverse()[0], rtol=1e-12)


def test_a_matrix_that_is_not_positive_is_refused():
    _, own, beside, value = system(5)
    with pytest.raises(np.linalg.LinAlgError):
        eliminate(own - 40.0 * np.eye(3), beside, value)
