"""Exact reading: the pruned network as an expression, weight by weight, with the data's scaling undone."""

from collections.abc import Sequence
from functools import reduce
from operator import mul

import numpy as np

from mathonet.data.samples import Scaling
from mathonet.equation.expression import Expression, apply, number, total, variable
from mathonet.network.mathonet import MathONet
from mathonet.network.supergraph import NO_CALL, SuperGraph
from mathonet.operations import Operation


def read(network: MathONet) -> list[Expression]:
    """One expression an output, equal to the network wherever no operation's guard is active.

    Args:
        network: weights, exactly zero where pruned. Arrays may be NumPy or JAX.
    """
    shape = network.architecture
    inputs = [variable(i) for i in range(shape.inputs)]
    seen, previous = list(inputs), list(inputs)
    for number_, layer in enumerate(network.layers):
        poly, bias, oper = (np.asarray(part) for part in (layer.poly, layer.bias, layer.oper))
        z = seen if shape.dense else inputs
        s = seen if number_ == 0 or shape.dense else previous
        neurons = []
        for k in range(len(bias)):
            if not oper[k].any():
                neurons.append(Expression())
                continue
            h = number(bias[k])
            for i, source in enumerate(s):
                if poly[k, i].any():
                    h = h + _combine(poly[k, i], [*z, number(1.0)]) * source
            neurons.append(
                _combine(
                    oper[k],
                    [apply(f, h) if w else None for f, w in zip(shape.operations, oper[k], strict=True)],
                )
            )
        previous = neurons
        seen = seen + neurons
    readable = seen[shape.inputs :] if shape.dense else previous
    return [_combine(row, readable) for row in np.asarray(network.output)]


def read_graph(
    graph: SuperGraph,
    w: np.ndarray,
    output: np.ndarray,
    operations: tuple[Operation, ...],
    given: Sequence[Expression],
) -> Expression:
    """A small super-graph as an expression.

    Args:
        graph: its structure; its arrays are NumPy's.
        w: weights inside.
        output: output weights.
        operations: those that it may call.
        given: what stands at each place of z before its calls, the constant first.
    """
    z = list(given)

    def summed(weights: np.ndarray, products: np.ndarray, lives: np.ndarray) -> Expression:
        found = Expression()
        for k in np.flatnonzero((lives > 0) & (weights != 0)):
            factors = (z[place] for place in products[k] if place)
            found = found + reduce(mul, factors, number(1.0)).scale(float(weights[k]))
        return found

    for call, operation in enumerate(graph.operation.tolist()):
        if operation == NO_CALL:
            z.append(Expression())
            continue
        argument = summed(w[call], graph.argument[call], graph.argument_lives[call])
        z.append(apply(operations[operation], argument))
    return summed(output, graph.output, graph.output_lives)


def _combine(weights: np.ndarray, parts: list) -> Expression:
    terms = [term for w, part in zip(weights, parts, strict=True) if w for term in part.scale(float(w)).terms]
    return total(terms)


def unscale(expression: Expression, scaling: Scaling, target: int) -> Expression:
    """The expression in the data's own units, from one in scaled inputs and for a scaled target."""
    original = expression.substitute(lambda i: variable(i).scale(1.0 / float(scaling.inputs[i])))
    return original.scale(float(scaling.targets[target]))
