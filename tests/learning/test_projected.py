"""Variable projection: output weights exactly, the weights inside by Levenberg-Marquardt."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from mathonet.learning.projected import (
    DAMPING_START,
    Penalty,
    Rows,
    around,
    left,
    minimise_projected,
    unpenalised,
)
from mathonet.network.supergraph import Shape, build
from mathonet.operations import resolve

OPERATIONS = resolve(["sin", "exp"])
SHAPE = Shape(inputs=1, calls=1, arguments=3, outputs=4)
X = np.linspace(0.2, 3.0, 40)


@pytest.fixture(autouse=True)
def wide():
    with jax.enable_x64(True):
        yield


def rows(targets: np.ndarray, mix: np.ndarray | None = None) -> Rows:
    mix = np.ones(len(X)) if mix is None else mix
    z = np.stack([np.ones_like(X), X])
    weighed = mix * targets if mix.ndim == 1 else mix @ targets
    return Rows(*map(jnp.asarray, (z, mix, weighed)), jnp.asarray(float(len(weighed))))


def graph(operation: int = 0):
    made = build(SHAPE, [operation], [[(), (1,)]], [(), (1,), (2,), (1, 2)])
    assert made is not None
    return made


LAW = 0.4 - 1.2 * X + 0.8 * np.sin(1.7 * X + 0.3)


def test_output_weights_are_those_of_least_squares():
    w = jnp.asarray([[0.3, 1.7, 0.0]])
    there = around(graph(), OPERATIONS, w, rows(LAW), unpenalised(graph(), 0.0))
    assert np.asarray(there.output) == pytest.approx([0.4, -1.2, 0.8, 0.0], abs=1e-6)
    assert float(there.rss) < 1e-20


@pytest.mark.parametrize("mixed", [False, True])
def test_the_gradient_is_that_of_the_sum_of_squares(mixed):
    draw = np.random.default_rng(0)
    mix = draw.normal(size=(25, len(X))) if mixed else draw.uniform(0.5, 2.0, len(X))
    data, at = rows(LAW, mix), jnp.asarray([[0.5, 1.4, 0.0]])
    there = around(graph(), OPERATIONS, at, data, unpenalised(graph(), 0.0))
    slope = jax.grad(lambda w: left(graph(), OPERATIONS, w, data, 0.0))(at)
    assert 2.0 * np.asarray(there.gradient) == pytest.approx(np.asarray(slope).reshape(-1), rel=1e-6)


def test_steps_lead_to_the_minimum():
    start = jnp.asarray([[0.2, 1.6, 0.0]])
    w, there, _ = minimise_projected(
        graph(), OPERATIONS, start, jnp.asarray(DAMPING_START), rows(LAW), unpenalised(graph(), 1e-15), 30
    )
    assert np.asarray(w[0, :2]) == pytest.approx([0.3, 1.7], abs=1e-6)
    assert float(there.rss) < 1e-16


def test_a_penalty_on_output_weights_shrinks_them():
    none, w = unpenalised(graph(), 0.0), jnp.asarray([[0.3, 1.7, 0.0]])
    heavy = Penalty(none.ridge, none.inside, jnp.full(4, 10.0))
    free, shrunk = (around(graph(), OPERATIONS, w, rows(LAW), each) for each in (none, heavy))
    assert np.linalg.norm(shrunk.output) < np.linalg.norm(free.output)
    assert float(shrunk.rss) > float(free.rss)


def test_a_start_that_is_not_finite_stays_and_harms_nothing():
    start = jnp.asarray([[jnp.inf, 1.0, 0.0]])
    w, there, _ = minimise_projected(
        graph(1), OPERATIONS, start, jnp.asarray(DAMPING_START), rows(LAW), unpenalised(graph(1), 1e-15), 5
    )
    assert np.asarray(w[0, 0]) == np.inf
    assert not np.isfinite(float(there.rss))


def test_masked_weights_do_not_move():
    start = jnp.asarray([[0.0, 1.4, 0.25]])
    w, _, _ = minimise_projected(
        graph(), OPERATIONS, start, jnp.asarray(DAMPING_START), rows(LAW), unpenalised(graph(), 1e-15), 10
    )
    assert float(w[0, 2]) == 0.25
