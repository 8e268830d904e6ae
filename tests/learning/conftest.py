"""One small architecture and problem, so that every test of learning shares its compilations."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from mathonet.fit.problem import Problem
from mathonet.network.mathonet import Architecture
from mathonet.operations import resolve

ROWS = 40


@pytest.fixture(scope="session")
def architecture() -> Architecture:
    return Architecture(2, (2,), resolve(["ident", "sin", "cos"]))


@pytest.fixture(scope="session")
def make_problem():
    def make(noise: float = 0.0, seed: int = 0) -> Problem:
        rng = np.random.default_rng(seed)
        x = rng.uniform(-1.7, 1.7, size=(ROWS, 2))
        b = 1.3 * x[:, :1] - 0.8 * x[:, :1] * x[:, 1:] + noise * rng.normal(size=(ROWS, 1))
        return Problem(jnp.asarray(x), jnp.asarray(b), jnp.ones(ROWS), jnp.asarray(float(ROWS)))

    return make


@pytest.fixture(scope="session")
def keys():
    return jax.random.split(jax.random.key(0), 4)
