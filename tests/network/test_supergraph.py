"""SuperGraph: structure is data."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from mathonet.equation.expression import number, variable
from mathonet.equation.flow import evaluate
from mathonet.equation.reading import read_graph
from mathonet.network.supergraph import NO_CALL, Shape, SuperGraph, build, columns, stack, take, without
from mathonet.operations import resolve

OPERATIONS = resolve(["sin", "exp", "inv"])
SHAPE = Shape(inputs=2, calls=2, arguments=4, outputs=6)
A, B = SHAPE.call(0), SHAPE.call(1)
X = np.random.default_rng(0).uniform(0.5, 2.0, size=(20, 2))


def made(operations, arguments, output) -> SuperGraph:
    graph = build(SHAPE, operations, arguments, output)
    assert graph is not None
    return graph


NESTED = made([0, 1], [[(), (1,), (1, 2)], [(), (1, A)]], [(), (1,), (1, B), (A, B, 2)])


def values(graph: SuperGraph, w: np.ndarray, output: np.ndarray) -> np.ndarray:
    with jax.enable_x64(True):
        z = jnp.asarray(np.concatenate([np.ones((1, len(X))), X.T]))
        products = columns(graph, OPERATIONS, jnp.asarray(w), z, jnp.zeros((2, len(X))))[0]
        return np.asarray(output @ products)


def test_a_graph_is_evaluated_as_it_is_written():
    w = np.array([[0.3, -0.5, 0.2, 9.0], [0.1, 0.4, 9.0, 9.0]])
    output = np.array([1.5, -2.0, 0.7, 0.3, 9.0, 9.0])
    x, y = X.T
    a = np.sin(0.3 - 0.5 * x + 0.2 * x * y)
    b = np.exp(0.1 + 0.4 * x * a)
    assert values(NESTED, w, output) == pytest.approx(1.5 - 2.0 * x + 0.7 * x * b + 0.3 * a * b * y)


def test_reading_says_what_the_graph_computes():
    w = np.array([[0.3, -0.5, 0.2, 9.0], [0.1, 0.4, 9.0, 9.0]])
    output = np.array([1.5, -2.0, 0.7, 0.3, 9.0, 9.0])
    form = read_graph(NESTED, w, output, OPERATIONS, [number(1.0), variable(0), variable(1)])
    assert evaluate(form, X) == pytest.approx(values(NESTED, w, output), rel=1e-12)


def test_a_call_that_is_not_there_is_zero():
    plain = made([], [], [(), (1, 2), (A,)])
    assert plain.operation.tolist() == [NO_CALL, NO_CALL]
    found = values(plain, np.zeros((2, 4)), np.array([1.0, 2.0, 5.0, 0.0, 0.0, 0.0]))
    assert found == pytest.approx(1.0 + 2.0 * X[:, 0] * X[:, 1])


def test_a_graph_that_does_not_fit_is_none():
    assert build(SHAPE, [0, 1, 2], [[()]] * 3, [()]) is None
    assert build(SHAPE, [0], [[(1,)] * 5], [()]) is None
    assert build(SHAPE, [], [], [(1,) * n for n in range(4)] + [(2,), (2, 2), (1, 2)]) is None


def test_products_that_are_the_same_stand_once():
    graph = made([], [], [(1, 2), (2, 1), (1,)])
    assert graph.output_lives.sum() == 2


def test_graphs_of_a_batch_are_taken_in_any_order():
    other = made([], [], [()])
    both = stack([NESTED, other])
    assert take(both, np.array([1, 0, 1])).operation.tolist() == [
        other.operation.tolist(),
        NESTED.operation.tolist(),
        other.operation.tolist(),
    ]


def test_products_with_an_empty_place_are_left_out():
    shape = Shape(inputs=3, calls=1, arguments=4, outputs=6)
    graph = build(shape, [1], [[(), (1,), (2,), (1, 3)]], [(), (1,), (3,), (2, 4), (3, 4), (4,)])
    assert graph is not None
    left = without(stack([graph]), [3])
    assert left.argument_lives.tolist() == [[[1.0, 1.0, 1.0, 0.0]]]
    assert left.output_lives.tolist() == [[1.0, 1.0, 0.0, 1.0, 0.0, 1.0]]
