"""The path: steps from one node for many states are those of the path."""

import numpy as np
import pytest

from mathonet.fit.path import RK4, RK8, Path, stage_times, step, step_from

T = np.cumsum([0.0, 0.2, 0.1, 0.3, 0.2, 0.4])
RATE = np.array([1.3])


class Driven:
    """x' = c u x; the input u comes first."""

    def values(self, rows, constants):
        return constants[0] * rows[:, :1] * rows[:, 1:]

    def __call__(self, rows, constants):
        raise AssertionError("no slopes are asked for")


@pytest.fixture(params=[(RK4, 1), (RK8, 2)], ids=["RK4", "RK8 twice"])
def path(request) -> Path:
    """Two trajectories, of three nodes each, with an input cos t."""
    method, substeps = request.param
    h = np.diff(T)
    at = T[:-1, None] + h[:, None] * stage_times(method, substeps)
    y = np.exp(np.sin(T))[:, None]
    return Path(
        y,
        np.ones_like(y),
        np.ones(1),
        h,
        np.array([1.0, 1.0, 0.0, 1.0, 1.0]),
        np.cos(at)[:, :, None],
        np.array([1]),
        method,
        substeps,
    )


@pytest.mark.parametrize("starts", [1, 3, 8])
def test_steps_from_one_node_are_those_of_the_path(path, starts):
    x = np.linspace(-2.0, 5.0, starts)[:, None]
    for node in range(len(path.h)):
        found = step_from(Driven(), RATE, path, node, x)
        assert found.shape == x.shape
        for own, after in zip(x, found, strict=True):
            ahead, _ = step(Driven(), RATE, path, np.tile(own, (len(path.h), 1)), False)
            np.testing.assert_allclose(after, ahead[node], rtol=1e-14)


def test_the_input_is_that_of_the_interval(path):
    """x' = c cos(t) x has the solution x exp(c sin t)."""
    tolerance = 1e-9 if path.method is RK8 else 1e-3
    for node in range(len(path.h)):
        grown = np.exp(RATE * (np.sin(T[node + 1]) - np.sin(T[node])))
        found = step_from(Driven(), RATE, path, node, np.array([[1.0], [-2.0]]))
        np.testing.assert_allclose(found[:, 0], [grown[0], -2.0 * grown[0]], rtol=tolerance)
