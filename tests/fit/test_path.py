"""The path: steps from one node for many states are those of the path; slopes are those of the steps."""

from dataclasses import replace

import numpy as np
import pytest

from mathonet.fit import path as paths
from mathonet.fit.path import RK4, RK8, Path, march, slopes_along, stage_times, step_from

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
            ahead, _ = march(Driven(), RATE, path, np.tile(own, (len(path.h), 1)))
            np.testing.assert_allclose(after, ahead[node], rtol=1e-14)


def test_the_input_is_that_of_the_interval(path):
    """x' = c cos(t) x has the solution x exp(c sin t)."""
    tolerance = 1e-9 if path.method is RK8 else 1e-3
    for node in range(len(path.h)):
        grown = np.exp(RATE * (np.sin(T[node + 1]) - np.sin(T[node])))
        found = step_from(Driven(), RATE, path, node, np.array([[1.0], [-2.0]]))
        np.testing.assert_allclose(found[:, 0], [grown[0], -2.0 * grown[0]], rtol=tolerance)


class Bent:
    """x' = c u y - x^2, y' = sin(d x) + u; the input u comes between the states x and y."""

    places = (slice(0, 1), slice(1, 2))

    def values(self, rows, constants):
        (c, d), (x, u, y) = constants, rows.T
        return np.stack([c * u * y - x**2, np.sin(d * x) + u], axis=1)

    def __call__(self, rows, constants):
        (c, d), (x, u, y) = constants, rows.T
        none = np.zeros_like(x)
        by_input = np.array([[-2 * x, c * y, c * u], [d * np.cos(d * x), none + 1, none]])
        by_constant = np.array([[u * y, none], [none, x * np.cos(d * x)]])
        return self.values(rows, constants), by_input.transpose(2, 0, 1), by_constant.transpose(2, 0, 1)


@pytest.mark.parametrize("held", [1, paths.MOST_VALUES], ids=["a node at a time", "all at once"])
def test_slopes_are_those_of_the_steps(path, held, monkeypatch):
    """Beside central differences, with the slopes carried back through every stage of all substeps."""
    monkeypatch.setattr(paths, "MOST_VALUES", held)
    path = replace(path, states=np.array([0, 2]), y=np.tile(path.y, 2))
    x = np.random.default_rng(0).normal(size=(len(path.h), 2))
    constants = np.array([0.8, 1.7])
    ahead, rows = march(Bent(), constants, path, x)
    np.testing.assert_array_equal(rows[:, 0], np.stack([x[:, 0], path.drive[:, 0, 0], x[:, 1]], axis=1))
    found = slopes_along(Bent(), constants, path, rows)
    for number, push in enumerate(1e-6 * np.eye(4)):
        up, down = (march(Bent(), constants + s * push[2:], path, x + s * push[:2])[0] for s in (1, -1))
        np.testing.assert_allclose(found[:, :, number], (up - down) / 2e-6, atol=1e-8)
    assert np.isfinite(ahead).all()
