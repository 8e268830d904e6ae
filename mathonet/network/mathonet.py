"""MathONet: layers of PolyNets and OperNets, the super-graph of the paper's section 3.

Layer l, neuron k:  h_k = sum_i p_ik(z) s_i + b_k,   a_k = sum_o w_ok f_o(h_k),   output = sum_k v_k a_k,
with p_ik linear in z plus a constant (PolyNet) and the sum over operations the OperNet. The paper writes
f_o(w_ok h_k); here the weight stands outside, so that a pruned cos, exp or log gives 0 and not 1 or -inf.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax.flatten_util import ravel_pytree
from jaxtyping import Array, Float, PRNGKeyArray

from mathonet.errors import ConfigError
from mathonet.operations import Operation


@dataclass(frozen=True)
class Architecture:
    """What fixes the shape of a MathONet. Hashable, so that one architecture compiles once.

    Attributes:
        inputs: number of the system's inputs x.
        hidden: number of neurons of each hidden layer.
        operations: unary operations of every OperNet.
        outputs: number of outputs.
        dense: if True, later PolyNets and the output also see the outputs of all earlier layers, as factors
            and as summands. Without it a product such as sin(x) cos(y) has no short representation.
    """

    inputs: int
    hidden: tuple[int, ...]
    operations: tuple[Operation, ...]
    outputs: int = 1
    dense: bool = False

    def __post_init__(self) -> None:
        """Refuse shapes that are no network."""
        if self.inputs < 1 or self.outputs < 1:
            raise ConfigError(f"A MathONet needs inputs and outputs; got {self.inputs} and {self.outputs}.")
        if not self.hidden or any(int(k) != k or k < 1 for k in self.hidden):
            raise ConfigError(
                f"hidden={list(self.hidden)}: give the number of neurons of each hidden layer as positive "
                "whole numbers, for example hidden=[3]."
            )
        if not self.operations:
            raise ConfigError("A MathONet needs at least one operation, for example ['ident'].")

    def earlier(self, layer: int) -> int:
        """Number of neurons in the layers before `layer`."""
        return sum(self.hidden[:layer])

    def factors(self, layer: int) -> int:
        """Number of variables z that a PolyNet of this layer is linear in (its constant not counted)."""
        return self.inputs + (self.earlier(layer) if self.dense else 0)

    def sources(self, layer: int) -> int:
        """Number of values s_i that the PolyNets of this layer multiply."""
        if layer == 0 or self.dense:
            return self.factors(layer)
        return self.hidden[layer - 1]

    @property
    def readable(self) -> int:
        """Number of neurons the output is linear in."""
        return sum(self.hidden) if self.dense else self.hidden[-1]


class Layer(eqx.Module):
    """The PolyNets and OperNets of one layer."""

    poly: Float[Array, "neurons sources factors_and_one"]
    bias: Float[Array, " neurons"]
    oper: Float[Array, "neurons operations"]


class MathONet(eqx.Module):
    """Weights of a MathONet; call it with one sample of the inputs.

    The same class holds anything of the network's shape: weights, masks, group numbers.
    """

    layers: tuple[Layer, ...]
    output: Float[Array, "outputs readable"]
    architecture: Architecture = eqx.field(static=True)

    def __call__(self, x: Float[Array, " inputs"]) -> Float[Array, " outputs"]:
        """Evaluate the network at one sample."""
        shape, seen, a = self.architecture, x, x
        for number, layer in enumerate(self.layers):
            z = seen if shape.dense else x
            s = z if number == 0 or shape.dense else a
            p = layer.poly @ jnp.append(z, 1.0)
            h = p @ s + layer.bias
            a = jnp.sum(layer.oper * jnp.stack([f.evaluate(h) for f in shape.operations], axis=-1), axis=-1)
            seen = jnp.concatenate([seen, a])
        return self.output @ (seen[shape.inputs :] if shape.dense else a)


def build(architecture: Architecture, fill) -> MathONet:
    """A MathONet-shaped tree; `fill(kind, layer, shape)` gives each array."""
    layers = []
    for number, neurons in enumerate(architecture.hidden):
        s, z, o = architecture.sources(number), architecture.factors(number), len(architecture.operations)
        layers.append(
            Layer(
                fill("poly", number, (neurons, s, z + 1)),
                fill("bias", number, (neurons,)),
                fill("oper", number, (neurons, o)),
            )
        )
    output = fill("output", len(layers), (architecture.outputs, architecture.readable))
    return MathONet(tuple(layers), output, architecture)


@lru_cache(maxsize=256)
def _unravel(architecture: Architecture, dtype: jnp.dtype):
    # The cached function must hold no tracer, in whatever context it is first asked for.
    with jax.ensure_compile_time_eval():
        return ravel_pytree(build(architecture, lambda kind, layer, shape: jnp.zeros(shape, dtype)))[1]


def flatten(network: MathONet) -> Float[Array, " weights"]:
    """All arrays of a MathONet-shaped tree as one vector; NumPy arrays stay NumPy."""
    leaves = jax.tree.leaves(network)
    if all(isinstance(leaf, np.ndarray) for leaf in leaves):
        return cast(Array, np.concatenate([leaf.reshape(-1) for leaf in leaves]))
    return ravel_pytree(network)[0]


def unflatten(architecture: Architecture, flat: Float[Array, " weights"]) -> MathONet:
    """The tree that `flatten` made a vector of."""
    return _unravel(architecture, flat.dtype)(flat)


FOLLOWING = 0.2
"""Size of an OperNet's other weights beside the one that leads at the start."""


def initialise(architecture: Architecture, key: PRNGKeyArray) -> MathONet:
    """Random weights: arguments of the operations and outputs start at order one on scaled data.

    In every OperNet one operation, drawn at random, leads: starts that differ in what they try first find
    more than starts that try everything at once.
    """
    most = max(part.size for part in jax.tree.leaves(build(architecture, lambda *each: np.empty(each[-1]))))
    keys = jax.random.split(key, 4 * len(architecture.hidden) + 1)
    # All arrays are drawn at once, since each draw by itself takes half a second to compile. A layer has keys
    # for its PolyNets, biases and OperNets, and for what leads in these.
    normal = iter(jax.vmap(lambda each: jax.random.normal(each, (most,)))(keys))
    neurons, choices = max(architecture.hidden), len(architecture.operations)
    leading = iter(jax.vmap(lambda each: jax.random.randint(each, (neurons,), 0, choices))(keys[3::4]))

    def fill(kind: str, layer: int, shape: tuple[int, ...]) -> Array:
        fan = {"poly": shape[-1] * shape[-2] if kind == "poly" else 1, "bias": 4, "oper": 1, "output": 1}[
            kind
        ]
        value = next(normal)[: math.prod(shape)].reshape(shape) / jnp.sqrt(fan)
        if kind == "oper":
            next(normal)
            leads = next(leading)[: shape[0], None] == jnp.arange(shape[1])
            value = value * jnp.where(leads, 1.0, FOLLOWING)
        return value

    return build(architecture, fill)
