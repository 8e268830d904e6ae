"""Other ways to learn small super-graphs, in the place of ours: what each part of learning is worth."""

from typing import Any

import jax
import jax.numpy as jnp
import optax
from jaxtyping import Array, Float

from mathonet.learning.projected import (
    DAMPING_LEAST,
    DAMPING_MOST,
    GROW,
    JITTER,
    SHRINK,
    Around,
    Penalty,
    Rows,
    around,
)
from mathonet.network.supergraph import NO_CALL, SuperGraph, columns
from mathonet.operations import Operation

RATE, EPOCHS = 1e-2, 10
"""Learning rate of Adam, and its steps for every one of Levenberg and Marquardt."""
DEVIATION, KEPT = 2.0, 0.6
"""Of starts that know nothing of the data: deviation of a weight, and the share of them that live."""


def minimise_adam(
    graph: SuperGraph,
    operations: tuple[Operation, ...],
    w: Float[Array, "calls arguments"],
    damping: Array,
    rows: Rows,
    penalty: Penalty,
    steps: int | Array,
) -> tuple[Array, Around, Array]:
    """Variable projection with first-order steps; arguments as of `learning.projected.minimise_projected`."""
    free, optimiser = _free(graph), optax.adam(RATE)

    def advance(_, state: Any) -> Any:
        here, moments, best, least = state
        there = around(graph, operations, here, rows, penalty)
        better = there.finite & (there.cost < least)
        best, least = jnp.where(better, here, best), jnp.where(better, there.cost, least)
        slope = jnp.where(jnp.isfinite(there.gradient), there.gradient, 0.0).reshape(w.shape)
        change, moments = optimiser.update(free * slope, moments)
        return here + change, moments, best, least

    first = (w, optimiser.init(w), w, jnp.asarray(jnp.inf))
    best = jax.lax.fori_loop(0, EPOCHS * steps + 1, advance, first)[2]
    return best, around(graph, operations, best, rows, penalty), damping


def minimise_together(
    graph: SuperGraph,
    operations: tuple[Operation, ...],
    w: Float[Array, "calls arguments"],
    damping: Array,
    rows: Rows,
    penalty: Penalty,
    steps: int | Array,
) -> tuple[Array, Around, Array]:
    """Levenberg-Marquardt steps of all weights at once, those of the output solved for between them.

    Arguments as of `learning.projected.minimise_projected`.
    """
    none = jnp.zeros((w.shape[0], rows.z.shape[1]))
    free = jnp.concatenate([_free(graph).reshape(-1), graph.output_lives])

    def linearised(w: Array, output: Array) -> tuple[Array, Array, Array]:
        plain, inside = columns(graph, operations, w, rows.z, none)
        products = rows.weighed(plain)
        residuals = output @ products - rows.targets
        slopes = jax.grad(lambda shift: jnp.sum(output @ columns(graph, operations, w, rows.z, shift)[0]))(
            none
        )
        jacobian = rows.weighed((slopes[:, None, :] * inside).reshape(w.size, -1))
        on_output = penalty.output + penalty.ridge * jnp.sum(products**2, axis=1)
        on_weights = jnp.concatenate([penalty.inside.reshape(-1), on_output])
        every = free[:, None] * jnp.concatenate([jacobian, products])
        weights = jnp.concatenate([w.reshape(-1), output])
        cost = residuals @ residuals + on_weights @ weights**2
        return cost, every @ residuals + on_weights * weights, every @ every.T + jnp.diag(on_weights)

    def advance(_, state: Any) -> Any:
        w, output, damping, cost, gradient, normal = state
        diagonal = jnp.maximum(jnp.diagonal(normal), 0.0)
        largest = jnp.max(diagonal)
        matrix = normal + jnp.diag(damping * (diagonal + 1e-9 * largest) + JITTER * largest + (diagonal <= 0))
        change = -free * jnp.linalg.solve(matrix, gradient)
        trial = w + change[: w.size].reshape(w.shape), output + change[w.size :]
        there = linearised(*trial)
        accept = (there[0] <= cost) & jnp.isfinite(there[0]) & jnp.all(jnp.isfinite(there[2]))
        damping = jnp.clip(jnp.where(accept, SHRINK, GROW) * damping, DAMPING_LEAST, DAMPING_MOST)
        new, old = (*trial, damping, *there), (w, output, damping, cost, gradient, normal)
        return jax.tree.map(lambda n, o: jnp.where(accept, n, o), new, (*old[:2], damping, *old[3:]))

    solved = around(graph, operations, w, rows, penalty).output
    first = (w, solved, jnp.asarray(damping), *linearised(w, solved))
    w, _, damping, *_ = jax.lax.fori_loop(0, steps, advance, first)
    return w, around(graph, operations, w, rows, penalty), damping


def start_anywhere(
    graph: SuperGraph,
    operations: tuple[Operation, ...],
    z: Float[Array, "places samples"],
    key: Array,
    least: Array | float = 0.0,
) -> Float[Array, "calls arguments"]:
    """Weights that know nothing of the data; arguments as of `learning.starts.draw`."""
    lives, size = jax.random.split(key)
    kept = jax.random.bernoulli(lives, jnp.maximum(KEPT, least), graph.argument_lives.shape)
    drawn = DEVIATION * jax.random.normal(size, graph.argument_lives.shape)
    return jnp.where(kept & (graph.argument_lives > 0), drawn, 0.0)


def _free(graph: SuperGraph) -> Array:
    """1 for the weights inside that may move."""
    return graph.argument_lives * (graph.operation != NO_CALL)[:, None]
