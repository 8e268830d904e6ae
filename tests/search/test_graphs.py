"""Graphs: the small super-graphs that networks learn from."""

import pytest

from mathonet.network.supergraph import NO_CALL
from mathonet.operations import resolve
from mathonet.search.graphs import MANY, SAME, rounds

OPERATIONS = resolve(None)
NAMES = [each.name for each in OPERATIONS]


def called(graph) -> list[str]:
    return [NAMES[k] for k in graph.operation.tolist() if k != NO_CALL]


@pytest.mark.parametrize("inputs", [1, 2, 3, 5, MANY])
def test_graphs_of_a_round_have_one_shape(inputs):
    for _, shape, graphs, _ in rounds(inputs, OPERATIONS):
        assert graphs
        for graph in graphs:
            assert graph.argument_lives.shape == (shape.calls, shape.arguments)
            assert graph.output_lives.shape == (shape.outputs,)


def test_few_shapes_are_compiled():
    every = [each for inputs in range(1, MANY + 1) for each in rounds(inputs, OPERATIONS)]
    assert len({each.parts or each.shape for each in every}) == 6


def test_rounds_go_from_polynomials_to_three_calls():
    calls = [max(len(called(graph)) for graph in graphs) for _, _, graphs, _ in rounds(2, OPERATIONS)]
    assert calls == [1, 1, 2, 2, 1, 3]


def test_the_first_product_of_an_argument_is_the_constant():
    for _, _, graphs, _ in rounds(2, OPERATIONS):
        for graph in graphs:
            for argument, operation in zip(graph.argument, graph.operation, strict=True):
                assert operation == NO_CALL or not argument[0].any()


def test_a_cosine_is_a_shifted_sine():
    assert not any("cos" in called(graph) for _, _, graphs, _ in rounds(1, OPERATIONS) for graph in graphs)
    alone = resolve(["ident", "cos"])
    assert any(graph.operation[0] == 1 for _, _, graphs, _ in rounds(1, alone) for graph in graphs)


def test_of_too_many_inputs_there_are_none():
    assert not list(rounds(MANY + 1, OPERATIONS))


def test_arguments_read_earlier_calls_alone():
    for _, shape, graphs, _ in rounds(3, OPERATIONS):
        for graph in graphs:
            for call in range(shape.calls):
                assert graph.argument[call].max() < shape.call(call)


@pytest.mark.parametrize("name", ["inv", "abs", "exp", "sin"])
def test_one_operation_alone_has_rounds_with_graphs(name):
    for operations in (resolve(["ident", name]), resolve([name])):
        made = list(rounds(2, operations))
        assert made
        assert all(each.graphs for each in made)


@pytest.mark.parametrize("inputs", [1, 3, 4, MANY])
def test_sparse_rounds_have_all_their_graphs_whatever_the_inputs(inputs):
    made = {each.name: each for each in rounds(inputs, OPERATIONS)}
    assert len(made["two calls"].graphs) == 56
    assert made["two calls"].parts is not None
    assert len(made["call of a call"].graphs) == 2 * (7 * 7 - len(SAME))
