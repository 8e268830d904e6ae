"""Settings for all tests: float64; property tests without deadlines, the same on every machine."""

import os
from collections.abc import Callable

import jax
import numpy as np
import pytest
from hypothesis import settings
from scipy.integrate import solve_ivp

from mathonet.data.trajectory import Trajectory
from mathonet.equation.expression import Expression, apply, number, power, variable
from mathonet.operations import get

jax.config.update("jax_enable_x64", True)

# The first example of a property pays for a compilation, which says nothing about the property.
settings.register_profile("same", deadline=None, derandomize=True, database=None)
settings.register_profile("random", deadline=None, print_blob=True)
settings.load_profile(os.environ.get("MATHONET_HYPOTHESIS", "same"))


@pytest.fixture(scope="session")
def many_forms() -> list[Expression]:
    """A hundred different forms of two inputs, of up to four terms, most with a call."""
    rng = np.random.default_rng(4)
    names = ["sin", "cos", "exp", "tanh", "inv"]
    seen = {}
    while len(seen) < 100:
        form = number(rng.normal())
        for _ in range(rng.integers(1, 4)):
            i, j = rng.integers(0, 3, size=2)
            monomial = power(variable(0), int(i)) * power(variable(1), int(j))
            if rng.random() < 0.6:
                inner = variable(int(rng.integers(2))).scale(0.5) + number(2.0)
                monomial = monomial * apply(get(str(rng.choice(names))), inner)
            form = form + monomial.scale(rng.normal())
        seen[form.skeleton] = form
    return list(seen.values())


@pytest.fixture(scope="session")
def observe() -> Callable[..., Trajectory]:
    """A trajectory of x' = f(t, x) with noise, a share of each state's size."""

    def make(f, start, t, noise: float = 0.0, seed: int = 0, **parts) -> Trajectory:
        solution = solve_ivp(f, (t[0], t[-1]), start, t_eval=t, rtol=1e-11, atol=1e-13, method="DOP853")
        x = solution.y.T
        size = np.sqrt(np.mean(x**2, axis=0))
        return Trajectory(t, x + noise * size * np.random.default_rng(seed).normal(size=x.shape), **parts)

    return make
