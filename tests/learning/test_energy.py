"""Energy, residuals and their Jacobian."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from mathonet.fit.problem import Problem, Windows
from mathonet.learning.energy import energy, linearise, predict
from mathonet.network.mathonet import Architecture, flatten, initialise, unflatten


@pytest.fixture(scope="module")
def case(architecture):
    two = Architecture(architecture.inputs, architecture.hidden, architecture.operations, outputs=2)
    rng = np.random.default_rng(1)
    problem = Problem(
        jnp.asarray(rng.normal(size=(12, 2))),
        jnp.asarray(rng.normal(size=(5, 2))),
        jnp.asarray(rng.normal(size=(5, 5))),
        jnp.asarray(5.0),
        Windows(jnp.asarray(rng.integers(0, 12, size=(5, 3))), jnp.asarray(rng.normal(size=(5, 3)))),
    )
    return two, flatten(initialise(two, jax.random.key(1))), problem


def test_predictions_are_the_network_at_each_sample(case):
    architecture, w, problem = case
    network = unflatten(architecture, w)
    expected = [network(x) for x in problem.inputs]
    np.testing.assert_allclose(predict(architecture, w, problem.inputs), expected, rtol=1e-12)


def test_energy_is_half_the_mean_square_of_the_residuals(case):
    architecture, w, problem = case
    r = problem.residuals(predict(architecture, w, problem.inputs))
    np.testing.assert_allclose(energy(architecture, w, problem), 0.5 * np.mean(r**2), rtol=1e-12)


def test_linearise_gives_residuals_and_their_derivative(case):
    architecture, w, problem = case
    r, J = jax.jit(lambda v: linearise(architecture, v, problem))(w)

    def residuals(v):
        return problem.residuals(predict(architecture, v, problem.inputs))

    np.testing.assert_allclose(r, residuals(w), rtol=1e-12)
    np.testing.assert_allclose(J, jax.jit(jax.jacfwd(residuals))(w), rtol=1e-10, atol=1e-12)
