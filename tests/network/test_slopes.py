"""The written-out backpropagation gives what automatic differentiation gives."""

import jax
import numpy as np
import pytest

from mathonet.network.mathonet import Architecture, flatten, initialise, unflatten
from mathonet.network.slopes import value_and_slopes
from mathonet.operations import resolve


@pytest.mark.parametrize(
    ("hidden", "outputs", "dense"),
    [((3,), 1, False), ((2, 3), 1, False), ((2, 1, 2), 2, False), ((2, 3), 2, True), ((1, 2, 2), 1, True)],
)
def test_slopes_equal_automatic_differentiation(hidden, outputs, dense):
    architecture = Architecture(2, hidden, resolve(["ident", "sin", "exp", "log", "inv"]), outputs, dense)
    w = 0.5 * flatten(initialise(architecture, jax.random.key(1)))
    x = np.random.default_rng(0).uniform(0.5, 1.5, (7, 2))
    values, slopes = jax.jit(lambda v: value_and_slopes(unflatten(architecture, v), x))(w)
    places = np.random.default_rng(1).permutation(w.size)[: w.size // 2]
    _, some = jax.jit(lambda v, at: value_and_slopes(unflatten(architecture, v), x, at))(w, places)
    each = jax.vmap(lambda v, row: unflatten(architecture, v)(row), in_axes=(None, 0))
    jacobian = jax.vmap(jax.jacrev(lambda v, row: unflatten(architecture, v)(row)), in_axes=(None, 0))
    wanted, jacobian = jax.jit(lambda v: (each(v, x), jacobian(v, x)))(w)
    np.testing.assert_allclose(values, wanted, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(slopes, jacobian, rtol=1e-9, atol=1e-9 * np.abs(jacobian).max())
    np.testing.assert_array_equal(some, slopes[..., places])
