"""Sparse group Bayesian learning of small super-graphs; the evidence has the last word."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from mathonet.learning.projected import Rows
from mathonet.learning.pruning import Numbers, living, membership, prune, score, without_dead_paths
from mathonet.network.supergraph import NO_CALL, Shape, SuperGraph, build
from mathonet.operations import resolve

OPERATIONS = resolve(["sin", "exp", "tanh"])
SHAPE = Shape(inputs=2, calls=2, arguments=3, outputs=12)
A, B = SHAPE.call(0), SHAPE.call(1)
PLANE = np.random.default_rng(0).uniform(-2.0, 2.0, size=(120, 2))
X, Y = PLANE.T
NUMBERS = Numbers(1e-3, 0.1, 1e6, 1e-5, 1e-26, 12.0, 120.0, 1.0)


@pytest.fixture(autouse=True)
def wide():
    with jax.enable_x64(True):
        yield


def rows(targets: np.ndarray) -> Rows:
    z = np.concatenate([np.ones((1, len(PLANE))), PLANE.T])
    size = np.sqrt(np.mean(targets**2))
    parts = (z, np.full(len(PLANE), 1.0 / size), targets / size)
    return Rows(*map(jnp.asarray, parts), jnp.asarray(float(len(PLANE))))


def two_calls() -> SuperGraph:
    linear = [(), (1,), (2,)]
    output = [*linear, (1, 1), (1, 2), (2, 2), (A,), (B,), (1, A), (2, A), (1, B), (A, B)]
    graph = build(SHAPE, [0, 2], [linear, linear], output)
    assert graph is not None
    return graph


def lives(graph: SuperGraph) -> list[tuple[int, ...]]:
    return [tuple(each) for each, on in zip(graph.output.tolist(), graph.output_lives, strict=True) if on > 0]


START = np.array([[0.2, 1.3, 0.1], [0.3, 0.2, 0.5]])


def pruned(law: np.ndarray, noise: float = 0.0, **changed):
    law = law + noise * np.random.default_rng(1).normal(size=len(law))
    return prune(two_calls(), OPERATIONS, jnp.asarray(START), rows(law), NUMBERS._replace(**changed))


def test_what_the_law_has_is_left_and_nothing_else():
    found = pruned(0.5 * X * Y - 1.1 * np.sin(1.4 * X))
    assert lives(found.graph) == [(1, 2, 0), (A, 0, 0)]
    assert found.graph.operation.tolist() == [0, NO_CALL]
    assert found.graph.argument_lives[0].tolist() == [0.0, 1.0, 0.0]
    assert float(found.rss) < 1e-20
    assert float(found.w[0, 1]) == pytest.approx(1.4)


def test_with_noise_as_well():
    found = pruned(0.5 * X * Y - 1.1 * np.sin(1.4 * X), noise=0.05)
    assert set(lives(found.graph)) >= {(1, 2, 0), (A, 0, 0)}
    assert float(living(found.graph).sum()) <= 6


def test_small_terms_of_badly_scaled_columns_stay():
    """A weight of 1e-4 on a column of size 1e4 counts as much as one of 1 on a column of 1."""
    z = np.stack([np.ones_like(X), X, 1e4 * Y])
    law = X + 1e-4 * (1e4 * Y) + 0.5 * np.sin(1.4 * X)
    parts = (z, np.ones_like(X), law)
    data = Rows(*map(jnp.asarray, parts), jnp.asarray(float(len(X))))
    found = prune(two_calls(), OPERATIONS, jnp.asarray(START), data, NUMBERS)
    assert {(1, 0, 0), (2, 0, 0)} <= set(lives(found.graph))


def test_a_cut_that_costs_evidence_is_taken_back():
    """With a kappa that would cut everything, what the law needs still stands."""
    found = pruned(0.5 * X * Y - 1.1 * np.sin(1.4 * X), kappa=1e-2)
    assert {(1, 2, 0), (A, 0, 0)} <= set(lives(found.graph))


def test_the_score_prices_weights_and_bounds_what_rounding_leaves():
    data = rows(X)
    fine, finer = (score(jnp.asarray(rss), jnp.asarray(3.0), data, NUMBERS) for rss in (1e-30, 1e-40))
    assert float(fine) == float(finer)
    more = score(jnp.asarray(1.0), jnp.asarray(4.0), data, NUMBERS)
    assert float(more) > float(score(jnp.asarray(1.0), jnp.asarray(3.0), data, NUMBERS))
    assert not np.isfinite(float(score(jnp.asarray(np.inf), jnp.asarray(1.0), data, NUMBERS)))


def test_groups_are_arguments_and_what_the_output_makes_of_calls():
    member = np.asarray(membership(two_calls(), given=3))
    assert member.shape == (4, 2 * 3 + 12)
    assert member[0].nonzero()[0].tolist() == [0, 1, 2]
    assert [lives(two_calls())[k - 6] for k in member[3].nonzero()[0]] == [(B, 0, 0), (1, B, 0), (A, B, 0)]


def test_calls_without_a_varying_argument_or_a_reader_are_dead():
    graph = two_calls()
    graph.argument_lives[0, 1:] = 0.0
    left = without_dead_paths(jax.tree.map(jnp.asarray, graph), given=3)
    assert left.operation.tolist() == [NO_CALL, 2]
    assert not any(A in each for each in lives(left))
    unread = two_calls()
    unread.output_lives[[7, 10, 11]] = 0.0
    left = without_dead_paths(jax.tree.map(jnp.asarray, unread), given=3)
    assert left.operation.tolist() == [0, NO_CALL]
    assert not left.argument_lives[1].any()
