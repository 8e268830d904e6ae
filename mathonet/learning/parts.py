"""A step of many runs in parts of one size: one compiled program; runs that are left out cost nothing."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import Array


def memory() -> int | None:
    """Bytes that JAX may use on an accelerator; None on a processor."""
    return (jax.devices()[0].memory_stats() or {}).get("bytes_limit")


def in_parts(
    one: Callable, together: int, count: Array, shared: Any, runs: Any, before: Any = None, axes: Any = None
) -> Any:
    """`one(*shared, *run)` for the first so many runs, some at once.

    Args:
        one: a step of one run.
        together: how many runs are computed at once, at most.
        count: how many runs are computed.
        shared: what all runs are given.
        runs: what each run is given, arrays with one row a run.
        before: what stands for runs that are in no part; None for zeros.
        axes: None in the place of what all runs of a part have alike, else 0; None where nothing is.
    """
    size = len(jax.tree.leaves(runs)[0])
    # The last part of all begins earlier, where it would go beyond the end: some runs are then done twice.
    together = min(together, size)

    def part(first: Array) -> Any:
        some = jax.tree.map(lambda each: jax.lax.dynamic_slice_in_dim(each, first, together), runs)
        if axes is None:
            return jax.vmap(lambda run: one(*shared, *run))(some)
        some = jax.tree.map(
            lambda axis, each: each[0] if axis is None else each,
            axes,
            some,
            is_leaf=lambda axis: axis is None,
        )
        return jax.vmap(lambda run: one(*shared, *run), in_axes=(axes,))(some)

    def put(number: Array, found: Any) -> Any:
        first = number * together
        return jax.tree.map(
            lambda whole, new: jax.lax.dynamic_update_slice_in_dim(whole, new, first, 0), found, part(first)
        )

    if before is None:
        shapes = jax.eval_shape(part, count)
        before = jax.tree.map(lambda each: jnp.zeros((size, *each.shape[1:]), each.dtype), shapes)
    return jax.lax.fori_loop(0, -(-count // together), put, before)
