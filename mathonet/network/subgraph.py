"""Sub-graphs: random sparse parts of super-graphs, listed in few places.

A restart that has all products of its graph ends in one of the many long forms that follow smooth data; one
that has few of them, its law's among these, goes down to the law itself, and every step of it costs less.
"""

import numpy as np

from mathonet.network.supergraph import NO_CALL, Shape, SuperGraph

COUNTS = (1, 2, 3, 5)
"""How many products live in an argument or the output, on average, beside those that must: one of these."""


def sparse(graphs: SuperGraph, shape: Shape, rng: np.random.Generator) -> SuperGraph:
    """A random sparse part of every graph of a batch.

    In every argument the constant lives and some other product, one with an earlier call where there is any;
    every call is read.

    Args:
        graphs: of a batch.
        shape: of the parts; what has no room in it is left out.
        rng: of the random choices.
    """
    first_call = shape.call(0)
    lives = graphs.argument_lives > 0
    nested = lives & (graphs.argument >= first_call).any(axis=-1)
    other = lives.copy()
    other[..., 0] = False
    wanted = np.where(nested.any(axis=-1, keepdims=True), nested, other)
    chosen = _some(lives, wanted[..., None, :], rng, constant=True)
    argument, argument_lives = _listed(graphs.argument, chosen, shape.arguments, rng)

    lives, calls = graphs.output_lives > 0, first_call + np.arange(graphs.operation.shape[-1])
    reads = (graphs.output[:, None] == calls[None, :, None, None]).any(axis=-1) & lives[:, None]
    # What a later call reads need not be read by the output.
    later = (argument[:, None] == calls[None, :, None, None, None]).any(axis=-1) & (argument_lives > 0)[
        :, None
    ]
    unread = (graphs.operation != NO_CALL) & ~later.any(axis=(-1, -2))
    chosen = _some(lives, reads & unread[..., None], rng)
    places, output_lives = _listed(graphs.output, chosen, shape.outputs, rng)
    return SuperGraph(graphs.operation, argument, argument_lives, places, output_lives)


def _some(
    lives: np.ndarray, wanted: np.ndarray, rng: np.random.Generator, constant: bool = False
) -> np.ndarray:
    """How much each product is to live: 0 for not at all, 1, and more for what must.

    Args:
        lives: products that may.
        wanted: of each of these sets one lives in any case.
        rng: of the random choices.
        constant: whether the first product lives in any case.
    """
    count = rng.choice(COUNTS, size=(*lives.shape[:-1], 1))
    share = count / np.maximum(lives.sum(axis=-1, keepdims=True), 1)
    chosen = (lives & (rng.random(lives.shape) < share)).astype(float)
    # One of those that live already, if there is any.
    preferred = chosen[..., None, :] + rng.random(wanted.shape)
    one = np.argmax(np.where(wanted, preferred, -1.0), axis=-1)
    forced = np.zeros(wanted.shape)
    np.put_along_axis(forced, one[..., None], wanted.any(axis=-1, keepdims=True), axis=-1)
    chosen = np.maximum(chosen, 2.0 * forced.max(axis=-2))
    if constant:
        chosen[..., 0] = 3.0 * lives[..., 0]
    return chosen


def _listed(
    products: np.ndarray, chosen: np.ndarray, room: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """The chosen products in so many places, those that must live first, and which places are taken."""
    order = np.argsort(-(chosen + 0.5 * rng.random(chosen.shape)), axis=-1)[..., :room]
    lives = np.take_along_axis(chosen, order, axis=-1) > 0
    listed = np.take_along_axis(products, order[..., None], axis=-2)
    return np.where(lives[..., None], listed, 0), lives.astype(float)
