"""SuperGraph: a small MathONet as data: which operations it has, and which products its PolyNets may hold.

With z = (1, x, a_1, ..., a_K), the inputs and the values of its calls,

    h_k = sum_m w_km z_i z_j,    a_k = f_k(h_k),    output = sum_n c_n z_i z_j z_l,

where the argument of a call sees the calls before it: a dense MathONet with one operation a neuron, whose
PolyNets are listed by the products that live in them. The lists are arrays, so that graphs of any structure
are evaluated, side by side, by one compiled program.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from mathonet.operations import Operation

Product = tuple[int, ...]
"""Places in z of the factors of a product, in rising order; none for the constant."""
NO_CALL = -1
"""In the place of an operation: a call that the graph does not have."""
ARGUMENT_FACTORS, OUTPUT_FACTORS = 2, 3
"""Most factors of a product in an argument, and in the output."""


@dataclass(frozen=True)
class Shape:
    """What fixes the shapes of a graph's arrays, and so what is compiled.

    Attributes:
        inputs: most inputs x.
        calls: most calls.
        arguments: most products in the argument of a call.
        outputs: most products in the output.
    """

    inputs: int
    calls: int
    arguments: int
    outputs: int

    def call(self, number: int) -> int:
        """The place of a call in z."""
        return 1 + self.inputs + number


class SuperGraph(eqx.Module):
    """The structure of a small network; a batch of them has one axis more.

    Attributes:
        operation: number of each call's operation, `NO_CALL` for none.
        argument: places in z of the factors of each product in each argument, 0 for one.
        argument_lives: 1 where there is such a product.
        output: the same of the output.
        output_lives: 1 where there is such a product.
        alike: whether all of a batch have the same operations, which are no part of the batch then.
    """

    operation: Int[Any, "*graphs calls"]
    argument: Int[Any, "*graphs calls arguments factors"]
    argument_lives: Float[Any, "*graphs calls arguments"]
    output: Int[Any, "*graphs outputs factors"]
    output_lives: Float[Any, "*graphs outputs"]
    alike: bool = eqx.field(static=True, default=False)


def build(
    shape: Shape, operations: Sequence[int], arguments: Sequence[Sequence[Product]], output: Sequence[Product]
) -> SuperGraph | None:
    """The graph with these calls and products; None where it does not fit into the shape.

    Args:
        shape: of its arrays.
        operations: number of each call's operation.
        arguments: the products in the argument of each call.
        output: the products in the output.
    """
    output = list(dict.fromkeys(tuple(sorted(each)) for each in output))
    fits = len(operations) <= shape.calls and len(output) <= shape.outputs
    if not fits or any(len(each) > shape.arguments for each in arguments):
        return None
    numbers = np.full(shape.calls, NO_CALL)
    numbers[: len(operations)] = operations
    products = np.zeros((shape.calls, shape.arguments, ARGUMENT_FACTORS), int)
    lives = np.zeros((shape.calls, shape.arguments))
    for call, listed in enumerate(arguments):
        for place, product in enumerate(listed):
            products[call, place, : len(product)] = product
            lives[call, place] = 1.0
    outputs, output_lives = np.zeros((shape.outputs, OUTPUT_FACTORS), int), np.zeros(shape.outputs)
    for place, product in enumerate(output):
        outputs[place, : len(product)] = product
        output_lives[place] = 1.0
    return SuperGraph(numbers, products, lives, outputs, output_lives)


def stack(graphs: Sequence[SuperGraph]) -> SuperGraph:
    """Several graphs of one shape as a batch."""
    return jax.tree.map(lambda *parts: np.stack(parts), *graphs)


def take(graphs: SuperGraph, places: np.ndarray) -> SuperGraph:
    """Some graphs of a batch, in any order, any number of times."""
    return jax.tree.map(lambda part: part[places], graphs)


def without(graphs: SuperGraph, places: Sequence[int]) -> SuperGraph:
    """Graphs whose products have no factor at some places of z."""
    argument, output = (~np.isin(each, places).any(axis=-1) for each in (graphs.argument, graphs.output))
    return SuperGraph(
        graphs.operation,
        graphs.argument,
        graphs.argument_lives * argument,
        graphs.output,
        graphs.output_lives * output,
    )


def columns(
    graph: SuperGraph,
    operations: tuple[Operation, ...],
    w: Float[Array, "calls arguments"],
    z: Float[Array, "places samples"],
    shift: Float[Array, "calls samples"],
) -> tuple[Float[Array, "outputs samples"], Float[Array, "calls arguments samples"]]:
    """Every product of the output, and of the arguments, at every sample.

    Args:
        graph: its structure.
        operations: those that it may call.
        w: weights of the arguments.
        z: ones, then the inputs.
        shift: added to the arguments; slopes in it are those that every weight inside needs.
    """
    inside = []
    for k in range(graph.operation.shape[0]):
        first, second = graph.argument[k].T
        products = z[first] * z[second] * graph.argument_lives[k][:, None]
        value = value_of(graph, k, operations, w[k] @ products + shift[k])
        inside.append(products)
        z = jnp.concatenate([z, value[None]])
    one, two, three = graph.output.T
    return z[one] * z[two] * z[three] * graph.output_lives[:, None], jnp.stack(inside)


def value_of(graph: SuperGraph, k: int, operations: tuple[Operation, ...], h: Array) -> Array:
    """The value of a call; of a batch of different ones all operations are evaluated for each."""
    number = graph.operation[k]
    if graph.alike:
        branches = [jnp.zeros_like, *(each.evaluate for each in operations)]
        return jax.lax.switch(number - NO_CALL, branches, h)
    values = jnp.stack([each.evaluate(h) for each in operations])
    return jnp.where(number == NO_CALL, 0.0, values[jnp.maximum(number, 0)])
