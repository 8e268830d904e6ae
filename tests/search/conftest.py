"""What fits forms on samples, and systems on trajectories, without a search."""

from collections.abc import Callable

import jax.numpy as jnp
import numpy as np
import pytest

from mathonet.data.trajectory import Trajectory
from mathonet.fit.problem import Problem
from mathonet.operations import resolve
from mathonet.search.config import Settings
from mathonet.search.measurements.measured import measure
from mathonet.search.measurements.route import make_joint
from mathonet.search.path.fit import PathFit
from mathonet.search.samples.regression import Regression
from mathonet.search.samples.search import SampleSearch


@pytest.fixture(scope="session")
def joint_of() -> Callable[..., PathFit]:
    """The joint fit of trajectories, in scaled units; nothing is compiled for it."""

    def make(*trajectories: Trajectory, operations=None, **options) -> PathFit:
        measured = measure(trajectories, **options)
        return make_joint(measured, SampleSearch(measured.samples, Settings(operations=operations)), None)

    return make


ROWS = 60


@pytest.fixture(scope="session")
def inputs() -> np.ndarray:
    return np.random.default_rng(1).uniform(-3, 3, size=(ROWS, 2))


@pytest.fixture(scope="session")
def refit_on(inputs):
    """The regression of a target over the shared inputs."""
    operations = resolve(["ident", "sin", "cos", "exp"])

    def make(target: np.ndarray, floor: float = 1e-12, points: np.ndarray = inputs) -> Regression:
        problem = Problem(
            jnp.asarray(points), jnp.asarray(target)[:, None], jnp.ones(ROWS), jnp.asarray(float(ROWS))
        )
        return Regression(problem, operations, floor)

    return make
