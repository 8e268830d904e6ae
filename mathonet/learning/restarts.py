"""Restarts of small super-graphs in batches: drawn, advanced, pruned.

One compiled program serves graphs of every structure, since structure is data. What is asked of many (how
much a start leaves) costs a fortieth of what is asked of few (steps to the minimum).
"""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

import equinox as eqx
import jax
import numpy as np
from jaxtyping import Array

from mathonet.interruption import checkpoint
from mathonet.learning.parts import in_parts
from mathonet.learning.projected import (
    DAMPING_START,
    MapStep,
    Rows,
    left,
    minimise_projected,
    unpenalised,
)
from mathonet.learning.pruning import Numbers, Pruned, prune
from mathonet.learning.starts import draw
from mathonet.network.supergraph import SuperGraph
from mathonet.operations import Operation


class Batch(NamedTuple):
    """How restarts are put together.

    Attributes:
        size: how many a compiled program takes at most, a multiple of those at once.
        together: how many of these at once.
        alike: how many at once where those have the same operations, and no others are evaluated; None for
            never.
    """

    size: int
    together: int
    alike: int | None = None


def batch_of(backend: str) -> Batch:
    """What suits a processor's cache, or fills an accelerator.

    Batches come one after another: programs of XLA that run side by side on a processor can wait for each
    other for ever.
    """
    return Batch(1024, 32, alike=8) if backend == "cpu" else Batch(16384, 2048)


class Learner(NamedTuple):
    """The two parts of learning that others may stand in for, as `mathonet bench networks` tries.

    Attributes:
        start: draws the weights inside, see `starts.draw`.
        minimise: is the map step, see `projected.minimise_projected`.
    """

    start: Callable[..., Array] = draw
    minimise: MapStep = minimise_projected


class Reached(NamedTuple):
    """Where restarts are.

    Attributes:
        w: weights inside.
        rss: what they leave, the output weights at their best.
        damping: to go on with.
    """

    w: np.ndarray
    rss: np.ndarray
    damping: np.ndarray

    def some(self, places: np.ndarray) -> "Reached":
        """Those at some places."""
        return Reached(*(each[places] for each in self))


@lru_cache(maxsize=32)
def _compiled(operations: tuple[Operation, ...], batch: Batch, learner: Learner):
    """The batched steps for some operations; jit compiles each once a shape."""

    def over(one: Callable, alike: bool) -> Callable:
        def step(count: Array, shared: tuple, runs: tuple) -> Any:
            if not alike:
                return in_parts(one, batch.together, count, shared, runs)
            runs = (replace(runs[0], alike=True), *runs[1:])
            axes = jax.tree.map(lambda _: 0, runs)
            axes = (eqx.tree_at(lambda graph: graph.operation, axes[0], None), *axes[1:])
            return in_parts(one, batch.alike or batch.together, count, shared, runs, axes=axes)

        return jax.jit(step)

    def begin(rows: Rows, ridge: Array, least: Array, graph: SuperGraph, key: Array):
        w = learner.start(
            graph, operations, rows.z, jax.random.wrap_key_data(key, impl="threefry2x32"), least
        )
        return w, left(graph, operations, w, rows, ridge)

    def advance(rows: Rows, steps: Array, ridge: Array, graph: SuperGraph, w: Array, damping: Array):
        penalty = unpenalised(graph, ridge)
        w, there, damping = learner.minimise(graph, operations, w, damping, rows, penalty, steps)
        return w, there.rss, damping

    def thin(rows: Rows, numbers: Numbers, graph: SuperGraph, w: Array):
        return prune(graph, operations, w, rows, numbers, learner.minimise)

    alike = batch.alike is not None
    # Few restarts are pruned, and hardly two of them have the same operations.
    return over(begin, alike), over(advance, alike), over(thin, False)


def compilations(operations: tuple[Operation, ...], batch: Batch) -> int:
    """How often the steps for these operations have been compiled in this process."""
    steps: Any = _compiled(operations, batch, Learner())
    return sum(each._cache_size() for each in steps)


class Batches:
    """Restarts of small graphs on some rows. Call in double precision."""

    def __init__(
        self, rows: Rows, operations: tuple[Operation, ...], batch: Batch, learner: Learner | None = None
    ) -> None:
        """Set what is learned from.

        Args:
            rows: inputs, weights, targets.
            operations: those that graphs may call.
            batch: how many restarts at once.
            learner: how they start, and are minimised.
        """
        if batch.size % (batch.alike or 1) or batch.size % batch.together:
            raise ValueError(f"{batch}: the size must be a multiple of those at once.")
        self.rows, self.operations, self.batch = rows, operations, batch
        steps = _compiled(operations, batch, learner or Learner())
        self._begin, self._advance, self._prune = steps

    def drawn(self, graphs: SuperGraph, seed: int, ridge: float, least: float = 0.0) -> Reached:
        """A random start of every graph, and the sum of squares that it leaves; see `starts.draw`."""
        count = len(graphs.operation)
        # To split a key would be compiled for every count.
        keys = np.random.default_rng(seed).integers(2**32, size=(count, 2), dtype=np.uint32)
        w, rss = self._alike(self._begin, (ridge, least), graphs, keys)
        return Reached(w, rss, np.full(count, DAMPING_START))

    def advanced(self, graphs: SuperGraph, at: Reached, steps: int, ridge: float) -> Reached:
        """So many steps of every restart."""
        return Reached(*self._alike(self._advance, (steps, ridge), graphs, at.w, at.damping))

    def pruned(self, graphs: SuperGraph, w: np.ndarray, numbers: Numbers) -> Pruned:
        """What sparse group Bayesian learning leaves of every restart."""
        return self._each(self._prune, (numbers,), graphs, w)

    def _alike(self, step: Callable, shared: tuple, graphs: SuperGraph, *more: Any) -> Any:
        """A step of every run, side by side with others of the same operations."""
        if self.batch.alike is None:
            return self._each(step, shared, graphs, *more)
        kind = np.unique(graphs.operation, axis=0, return_inverse=True)[1].reshape(-1)
        order = np.argsort(kind, kind="stable")
        sizes = np.bincount(kind)
        # Every kind begins a part of its own, filled by repeating its last run.
        rooms = -(-sizes // self.batch.alike) * self.batch.alike
        within = np.arange(rooms.sum()) - np.repeat(np.cumsum(rooms) - rooms, rooms)
        first = np.cumsum(sizes) - sizes
        places = order[np.repeat(first, rooms) + np.minimum(within, np.repeat(sizes, rooms) - 1)]
        done = self._each(step, shared, *jax.tree.map(lambda each: each[places], (graphs, *more)))
        back = np.empty(len(kind), int)
        back[places[::-1]] = np.arange(len(places))[::-1]
        return jax.tree.map(lambda each: each[back], done)

    def _each(self, step: Callable, shared: tuple, *runs: Any) -> Any:
        """A step of every run, in batches of one size: the last is filled by repeating a run."""
        count, size, found = len(jax.tree.leaves(runs)[0]), self.batch.size, []
        for first in range(0, count, size):
            checkpoint()
            places, own = np.minimum(np.arange(first, first + size), count - 1), min(size, count - first)
            part = jax.tree.map(lambda each, at=places: each[at], runs)
            done = step(own, (self.rows, *shared), part)
            found.append(jax.tree.map(lambda each, n=own: np.asarray(each)[:n], done))
        return jax.tree.map(lambda *parts: np.concatenate(parts), *found)
