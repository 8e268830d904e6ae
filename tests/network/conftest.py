"""Architectures and random weights that the network's tests share."""

import jax.numpy as jnp
import numpy as np
import pytest

from mathonet.network.mathonet import Architecture, MathONet, build
from mathonet.operations import resolve

OPERATIONS = resolve(["ident", "sin", "cos", "exp"])


@pytest.fixture(scope="session")
def plain() -> Architecture:
    return Architecture(2, (3,), OPERATIONS)


@pytest.fixture(scope="session")
def deep() -> Architecture:
    return Architecture(2, (3, 2), OPERATIONS, outputs=2)


@pytest.fixture(scope="session")
def dense() -> Architecture:
    return Architecture(2, (2, 2), OPERATIONS, outputs=2, dense=True)


@pytest.fixture(scope="session", params=["plain", "deep", "dense"])
def architecture(request: pytest.FixtureRequest) -> Architecture:
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="session")
def random_network():
    def make(architecture: Architecture, seed: int = 0) -> MathONet:
        rng = np.random.default_rng(seed)
        return build(architecture, lambda kind, layer, shape: jnp.asarray(rng.normal(size=shape)))

    return make
