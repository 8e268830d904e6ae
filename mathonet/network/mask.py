"""Masks over the super-graph: where weights may live, and which paths are dead."""

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool

from mathonet.network.mathonet import Architecture, Layer, MathONet, build


def initial_mask(architecture: Architecture) -> MathONet:
    """The full super-graph, less what would stand in it twice.

    Where a PolyNet's factors are its layer's sources as well, the product of two of them occurs both in p_ij
    and in p_ji; the lower half starts masked.
    """

    def fill(kind: str, layer: int, shape: tuple[int, ...]) -> np.ndarray:
        mask = np.ones(shape, bool)
        if kind == "poly" and (layer == 0 or architecture.dense):
            mask[:, :, :-1] = np.triu(np.ones(shape[-2:], bool)[:, :-1])
        return mask

    return build(architecture, fill)


def cut_dead_paths(mask: MathONet) -> MathONet:
    """Mask every weight that no longer lies on a path from an input (or a bias) to an output.

    An operation whose argument is pruned away is dead although cos(0) = exp(0) = 1: an argument that is
    identically zero says nothing about the data. A neuron that nothing reads is dead as well.
    """
    shape = mask.architecture
    layers = list(mask.layers)

    # Forwards: a neuron lives if its argument has a living source or a bias, and some operation is left.
    alive: Bool[Array, " seen"] = jnp.ones(shape.inputs, bool)
    previous = alive
    for number, layer in enumerate(layers):
        z = alive if shape.dense else jnp.ones(shape.inputs, bool)
        s = alive if number == 0 or shape.dense else previous
        poly = layer.poly & s[None, :, None] & jnp.append(z, True)[None, None, :]
        lives = (poly.any((1, 2)) | layer.bias) & layer.oper.any(1)
        layers[number] = Layer(poly & lives[:, None, None], layer.bias & lives, layer.oper & lives[:, None])
        previous = lives
        alive = jnp.concatenate([alive, lives])
    output = mask.output & (alive[shape.inputs :] if shape.dense else previous)[None, :]

    # Backwards: a neuron is needed if the output or a living neuron of a later layer reads it.
    needed = output.any(0)
    for number in reversed(range(len(layers))):
        start, stop = shape.earlier(number), shape.earlier(number + 1)
        mine = needed[start:stop] if shape.dense else needed
        layer = layers[number]
        layers[number] = layer = Layer(
            layer.poly & mine[:, None, None], layer.bias & mine, layer.oper & mine[:, None]
        )
        read_as_source = layer.poly.any((0, 2))
        if shape.dense:
            read = read_as_source | layer.poly.any((0, 1))[:-1]
            needed = needed.at[:start].set(needed[:start] | read[shape.inputs :])
        else:
            needed = read_as_source
    return MathONet(tuple(layers), output, shape)
