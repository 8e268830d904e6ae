"""Sub-graphs: random sparse parts that still read all their calls."""

import numpy as np
import pytest

from mathonet.network.subgraph import MORE, sparse
from mathonet.network.supergraph import NO_CALL, Shape, SuperGraph, build, stack, take

SHAPE = Shape(inputs=3, calls=2, arguments=8, outputs=16)
PARTS = Shape(inputs=3, calls=2, arguments=4, outputs=6)
A, B = SHAPE.call(0), SHAPE.call(1)
LINEAR = [(), (1,), (2,), (3,)]
NESTED = build(
    SHAPE, [0, 1], [LINEAR, [*LINEAR, (A,), (1, A), (2, A)]], [*LINEAR, (B,), (1, B), (2, B), (3, B), (A, B)]
)
BESIDE = build(SHAPE, [1, 1], [LINEAR, LINEAR], [*LINEAR, (A,), (B,), (A, B), (1, A), (1, B)])
ALONE = build(SHAPE, [1], [LINEAR], [*LINEAR, (A,), (1, A)])


@pytest.fixture(scope="module")
def parts() -> SuperGraph:
    graphs = stack([each for each in (NESTED, BESIDE, ALONE) if each is not None])
    return sparse(take(graphs, np.repeat(np.arange(3), 400)), PARTS, np.random.default_rng(0))


def products(places: np.ndarray, lives: np.ndarray) -> set[tuple]:
    return {tuple(sorted(p for p in place if p)) for place, alive in zip(places, lives, strict=True) if alive}


def test_parts_hold_products_of_their_graph_alone(parts):
    for number in range(1200):
        whole = (NESTED, BESIDE, ALONE)[number // 400]
        assert whole is not None
        output = products(parts.output[number], parts.output_lives[number])
        assert output <= products(whole.output, whole.output_lives)
        for call in range(2):
            argument = products(parts.argument[number, call], parts.argument_lives[number, call])
            assert argument <= products(whole.argument[call], whole.argument_lives[call])


def test_every_argument_has_its_constant_first_and_something_besides(parts):
    called = parts.operation != NO_CALL
    assert not parts.argument[..., 0, :].any()
    assert (parts.argument_lives[..., 0] == called).all()
    assert (parts.argument_lives[..., 1:].sum(axis=-1)[called] >= 1).all()
    assert not parts.argument_lives[~called].any()


def test_every_call_is_read(parts):
    for number in range(1200):
        read = set().union(
            *products(parts.output[number], parts.output_lives[number]),
            *products(parts.argument[number, 1], parts.argument_lives[number, 1]),
        )
        assert {A, B} - read <= (set() if number < 800 else {B})


def test_an_outer_call_reads_the_one_inside_it(parts):
    inside = (parts.argument[:400, 1] == A).any(axis=-1) & (parts.argument_lives[:400, 1] > 0)
    assert inside.any(axis=-1).all()


def test_arguments_are_sparse_and_parts_differ(parts):
    sizes = parts.argument_lives.sum(axis=-1)[parts.operation != NO_CALL]
    assert sizes.max() <= min(2 + max(MORE), PARTS.arguments)
    assert sizes.mean() < 2.2 + np.mean(MORE)
    assert parts.output_lives.sum(axis=-1).max() <= PARTS.outputs
    assert len({each.tobytes() for each in parts.output[:400]}) > 50
    assert len({each.tobytes() for each in parts.argument[:400]}) > 50


def test_the_output_has_a_straight_line_where_that_leaves_room_for_calls(parts):
    alone = parts.output[800:], parts.output_lives[800:]
    # Four products and those of the call fit into six places.
    for places, lives in zip(*alone, strict=True):
        assert {(), (1,), (2,), (3,)} <= products(places, lives)


def test_of_many_inputs_the_line_is_thinned():
    many = Shape(inputs=8, calls=1, arguments=10, outputs=28)
    line = [(), *((i,) for i in range(1, 9))]
    call = many.call(0)
    graph = build(many, [1], [line], [*line, (call,), *((i, call) for i in range(1, 9))])
    assert graph is not None
    room = Shape(inputs=8, calls=1, arguments=4, outputs=8)
    found = sparse(take(stack([graph]), np.zeros(300, int)), room, np.random.default_rng(0))
    with_call = (found.output == call).any(axis=-1) & (found.output_lives > 0)
    assert with_call.any(axis=-1).all()
    assert 1.5 < with_call.sum(axis=-1).mean() < 6.5


def test_the_same_numbers_give_the_same_parts(parts):
    graphs = stack([each for each in (NESTED, BESIDE, ALONE) if each is not None])
    again = sparse(take(graphs, np.repeat(np.arange(3), 400)), PARTS, np.random.default_rng(0))
    assert np.array_equal(again.output, parts.output)
    assert np.array_equal(again.argument, parts.argument)


def test_some_parts_have_products_of_inputs_beside_their_calls():
    graph = build(SHAPE, [1], [LINEAR], [*LINEAR, (1, 1), (1, 2), (A,)])
    assert graph is not None
    room = Shape(inputs=3, calls=2, arguments=4, outputs=9)
    found = sparse(take(stack([graph]), np.zeros(300, int)), room, np.random.default_rng(0))
    squares = [(1, 2) in products(*each) for each in zip(found.output, found.output_lives, strict=True)]
    assert 0.2 < np.mean(squares) < 0.5
