"""Noisy trajectories of small systems, and what fits systems on them without a search."""

from collections.abc import Callable

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from mathonet.data.trajectory import Trajectory
from mathonet.discovery.config import Settings
from mathonet.discovery.joint import Joint
from mathonet.discovery.measured import measure
from mathonet.discovery.route import make_joint
from mathonet.discovery.search import Search


@pytest.fixture(scope="session")
def observe() -> Callable[..., Trajectory]:
    """A trajectory of x' = f(t, x) with noise, a share of each state's size."""

    def make(f, start, t, noise: float = 0.0, seed: int = 0, **parts) -> Trajectory:
        solution = solve_ivp(f, (t[0], t[-1]), start, t_eval=t, rtol=1e-11, atol=1e-13, method="DOP853")
        x = solution.y.T
        size = np.sqrt(np.mean(x**2, axis=0))
        return Trajectory(t, x + noise * size * np.random.default_rng(seed).normal(size=x.shape), **parts)

    return make


@pytest.fixture(scope="session")
def joint_of() -> Callable[..., Joint]:
    """The joint fit of trajectories, in scaled units; nothing is compiled for it."""

    def make(*trajectories: Trajectory, operations=None, **options) -> Joint:
        measured = measure(trajectories, **options)
        return make_joint(measured, Search(measured.samples, Settings(operations=operations)), None)

    return make
