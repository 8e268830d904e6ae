"""Sub-graphs: random sparse parts of super-graphs, listed in few places.

A restart that has all products of its graph ends in one of the many long forms that follow smooth data; one
that has few of them inside its calls, its law's among these, goes down to the law itself, and every step of
it costs less. Of the output a part may have more than its law: its weights are solved for exactly.
"""

import numpy as np

from mathonet.network.supergraph import NO_CALL, Shape, SuperGraph

MORE = (0, 0, 0, 1, 1, 2)
"""How many products live in an argument beside those that must: one of these."""
SHARES = (0.4, 1.0, 1.0)
"""Of the output's products with calls, as far as there is room, so large a share lives: one of these."""
PLAIN = (False, False, True)
"""Whether its products of inputs live beside them: one of these."""


def sparse(graphs: SuperGraph, shape: Shape, rng: np.random.Generator) -> SuperGraph:
    """A random sparse part of every graph of a batch.

    In every argument the constant lives and some other product, one with an earlier call where there is any;
    in the output a straight line, products with calls, and in some parts products of inputs: every call is
    read.

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
    must = _one_of_each(wanted[..., None, :], rng)
    more = _some(other & ~must, rng.choice(MORE, size=(*lives.shape[:-1], 1)), rng)
    constant = np.zeros_like(lives)
    constant[..., 0] = lives[..., 0]
    argument, argument_lives = _listed(graphs.argument, (constant, must, more), shape.arguments, rng)

    lives, calls = graphs.output_lives > 0, first_call + np.arange(graphs.operation.shape[-1])
    reads = (graphs.output[:, None] == calls[None, :, None, None]).any(axis=-1) & lives[:, None]
    # What a later call reads need not be read by the output.
    later = (argument[:, None] == calls[None, :, None, None, None]).any(axis=-1) & (argument_lives > 0)[
        :, None
    ]
    unread = (graphs.operation != NO_CALL) & ~later.any(axis=(-1, -2))
    must = _one_of_each(reads & unread[..., None], rng)
    called = lives & (graphs.output >= first_call).any(axis=-1)
    line = lives & ~called & ((graphs.output > 0).sum(axis=-1) <= 1)
    share = rng.choice(SHARES, size=(*lives.shape[:-1], 1))
    plain = lives & ~called & ~line & rng.choice(PLAIN, size=share.shape)
    rest = plain | (called & (rng.random(lives.shape) < share))
    # Of many inputs a line takes so much room that it has to be thinned like the rest.
    short = line.sum(axis=-1, keepdims=True) <= shape.outputs / 2
    places, output_lives = _listed(
        graphs.output, (must, line & short, rest | (line & ~short)), shape.outputs, rng
    )
    return SuperGraph(graphs.operation, argument, argument_lives, places, output_lives)


def _one_of_each(wanted: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """One product of each of some sets, each set a row."""
    one = np.argmax(np.where(wanted, rng.random(wanted.shape), -1.0), axis=-1)
    chosen = np.zeros(wanted.shape, bool)
    np.put_along_axis(chosen, one[..., None], wanted.any(axis=-1, keepdims=True), axis=-1)
    return np.any(chosen, axis=-2)


def _some(lives: np.ndarray, count: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """So many of some products, at random."""
    order = np.argsort(np.where(lives, rng.random(lives.shape), 1.0), axis=-1)
    return lives & (np.argsort(order, axis=-1) < count)


def _listed(
    products: np.ndarray, chosen: tuple[np.ndarray, ...], room: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Chosen products in so many places, those of the first set first, and which places are taken."""
    rank = np.select(chosen, np.arange(len(chosen)), len(chosen))
    # As many places whatever there is to choose from: one shape is compiled once.
    missing = [(0, 0)] * (rank.ndim - 1) + [(0, max(room - rank.shape[-1], 0))]
    rank = np.pad(rank, missing, constant_values=len(chosen))
    products = np.pad(products, [*missing, (0, 0)])
    order = np.argsort(rank + rng.random(rank.shape), axis=-1)[..., :room]
    lives = np.take_along_axis(rank, order, axis=-1) < len(chosen)
    listed = np.take_along_axis(products, order[..., None], axis=-2)
    return np.where(lives[..., None], listed, 0), lives.astype(float)
