"""Runs of one architecture from cycle to cycle: those that go on are computed, with the weights that live."""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple, overload

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array

from mathonet.compilation import size_to_compile
from mathonet.fit.problem import Problem
from mathonet.learning.cycle import RUNNING, Record, Run, run_cycle, start
from mathonet.learning.parts import in_parts, memory
from mathonet.learning.settings import Learning, Schedule
from mathonet.network.mathonet import Architecture

PART, COPIES = 0.1, 4
"""Share of an accelerator's memory for a part of the runs, and Jacobians that a run needs the room of."""
UNREAD = 0.25
"""Share of it for what cycles left that nobody has read yet."""
LEAST_RUNS = 8
"""Runs that a program is compiled for at least, or twice, four times ... as many: shapes are few."""


class Sizing(NamedTuple):
    """What suits a processor.

    Attributes:
        together: how many runs are computed at once, at most. A part takes as long as its slowest run.
        many: runs from which on programs for fewer weights save more than their compilation costs.
        fewer: what these are compiled for: a half of the weights that a mask allows, a sixth ...
    """

    together: int
    many: int
    fewer: tuple[int, ...]

    def that_fit(self, rows: int, weights: int) -> int:
        """How many runs at once an accelerator has the memory for."""
        room = memory()
        if room is None:
            return self.together
        most = max(int(PART * room / (8 * COPIES * rows * weights)), 1)
        return min(self.together, 1 << (most.bit_length() - 1))


def sizing(backend: str) -> Sizing:
    """Small parts for a processor's cache, large ones to fill an accelerator.

    On one core a program takes 2 to 3 s to compile and saves 1.5 ms a run (57 weights, 100 samples); on an
    H200 4 s and 0.05 ms. Of the 48 weights that may live there, 16 do after the first cycle and 5 after the
    fourth.
    """
    return Sizing(8, 1500, (2,)) if backend == "cpu" else Sizing(4096, 10_000, (2, 6))


class _Programs:
    """The compiled start and cycles of an architecture; jit compiles each once a shape."""

    def __init__(self, architecture: Architecture, learning: Learning, together: int) -> None:
        self.architecture, self.learning, self.together = architecture, learning, together
        self.begin = jax.jit(jax.vmap(partial(start, architecture), in_axes=(0, None)))
        self.cycles: dict[int | None, Any] = {}

    def cycle(self, living: int | None) -> Callable:
        """The cycle of runs with at most so many living weights."""
        if living not in self.cycles:
            self.cycles[living] = jax.jit(partial(self._cycle, living))
        return self.cycles[living]

    def _cycle(
        self,
        living: int | None,
        order: Array,
        count: Array,
        shared: tuple[Problem, Problem, Schedule],
        column: Array,
        runs: Run,
        record: Record,
    ) -> tuple[Run, Record]:
        """A cycle of the first so many runs in this order; the others stay what they are."""
        column, lam, some, old = jax.tree.map(lambda each: each[order], (column, shared[2].lam, runs, record))
        new = in_parts(
            partial(self._one, living), self.together, count, shared, (lam, column, some), (some, old)
        )
        place = jnp.argsort(order)

        def merged(fresh: Array, old: Array) -> Array:
            """A part may end with runs that are not to be computed."""
            return jnp.where((place < count).reshape(-1, *(1,) * (old.ndim - 1)), fresh[place], old)

        return jax.tree.map(merged, new, (runs, record))

    def _one(
        self,
        living: int | None,
        problem: Problem,
        validation: Problem,
        numbers: Schedule,
        lam: Array,
        column: Array,
        run: Run,
    ) -> tuple[Run, Record]:
        # Only lambda differs from run to run.
        numbers = eqx.tree_at(lambda each: each.lam, numbers, lam)
        if self.architecture.outputs == 1:
            # One network a target takes its own column; a joint network takes them all.
            problem, validation = _column(problem, column), _column(validation, column)
        return run_cycle(self.architecture, self.learning, problem, validation, numbers, run, living)


def _column(problem: Problem, column: Array) -> Problem:
    targets = jax.lax.dynamic_slice_in_dim(problem.targets, column, 1, axis=1)
    return Problem(problem.inputs, targets, problem.weights, problem.count, problem.operator)


@lru_cache(maxsize=64)
def _programs(architecture: Architecture, learning: Learning, together: int) -> _Programs:
    return _Programs(architecture, learning, together)


def compilations(architecture: Architecture, learning: Learning) -> int:
    """How often cycles of this architecture have been compiled in this process."""
    programs = _programs(architecture, learning, sizing(jax.default_backend()).together)
    return sum(each._cache_size() for each in programs.cycles.values())


class History(Sequence[Record]):
    """What every cycle left of all runs, as NumPy arrays.

    An accelerator keeps its arrays until they are read: of many runs, to fetch a cycle takes longer than to
    make it, and hardly one of them is looked at.
    """

    def __init__(self, count: int) -> None:
        """Begin without a cycle; after so many runs come those that only fill a shape."""
        self._count, self._records = count, []

    def add(self, record: Record) -> None:
        """Keep what one more cycle left; fetch what waits where the accelerator has little room for more."""
        self._records.append(record)
        room = memory()
        waiting = [place for place, each in enumerate(self._records) if not isinstance(each.w, np.ndarray)]
        size = sum(each.nbytes for each in jax.tree.leaves(record))
        if room is not None and size * len(waiting) > UNREAD * room:
            for place in waiting:
                self[place]

    def __len__(self) -> int:
        """Cycles so far."""
        return len(self._records)

    @overload
    def __getitem__(self, place: int) -> Record: ...

    @overload
    def __getitem__(self, place: slice) -> list[Record]: ...

    def __getitem__(self, place: int | slice) -> Record | list[Record]:
        """The record of one cycle, or of some."""
        if isinstance(place, slice):
            return [self[each] for each in range(len(self))[place]]
        if not isinstance(self._records[place].w, np.ndarray):
            record = self._records[place]
            self._records[place] = jax.tree.map(lambda each: np.asarray(each)[: self._count], record)
        return self._records[place]


class Batch:
    """Runs that learn cycle by cycle. Call in double precision.

    Attributes:
        count: how many there are.
        history: what every cycle left of them.
    """

    def __init__(
        self,
        architecture: Architecture,
        learning: Learning,
        problems: tuple[Problem, Problem],
        numbers: Schedule,
        column: np.ndarray,
        keys: Array,
        allowed: np.ndarray,
    ) -> None:
        """Set what is learned, and draw the starts.

        Args:
            architecture: of every network.
            learning: how.
            problems: what is learned from, and what it is validated on.
            numbers: lambda has one number a run.
            column: which target each run learns.
            keys: of the random starts, one a run.
            allowed: mask of every run before its first cycle.
        """
        fits = sizing(jax.default_backend())
        most = int(allowed.sum())
        together = fits.that_fit(problems[0].inputs.shape[0], max(most, 1))
        self._programs = _programs(architecture, learning, together)
        # Runs that only fill a shape are those of the last one, and have no turn.
        self.count = len(column)
        room = np.arange(size_to_compile(self.count, LEAST_RUNS))
        places, self._real = np.minimum(room, self.count - 1), room < self.count
        numbers = eqx.tree_at(lambda each: each.lam, numbers, np.asarray(numbers.lam)[places])
        self._shared, self._column = (*problems, numbers), np.asarray(column)[places]
        self._runs: Run = self._programs.begin(keys[places], jnp.asarray(allowed))
        self._record, self.history = _unrecorded(self._runs), History(self.count)
        shrinks = learning.map_step == "newton" and self.count >= fits.many
        self._sizes = (most, *(most // part for part in fits.fewer if shrinks and most >= 2 * part))
        self._living = np.full(len(room), most)
        self._turn, self._status = self._real, np.full(len(room), RUNNING)

    def cycle(self) -> None:
        """One cycle of the runs that go on.

        A run that has ended passes once more, so that its record tells of the pruned weights.
        """
        passing = self._status != RUNNING
        rest, together = np.flatnonzero(self._turn), self._programs.together
        rest = rest[np.argsort(-self._living[rest], kind="stable")]
        for size, smaller in zip(self._sizes, (*self._sizes[1:], 0), strict=True):
            needed = int(np.sum(self._living[rest] > smaller))
            # A part takes as long however few runs it has, so runs of fewer weights fill the last one.
            mine, rest = np.split(rest, [-(-needed // together) * together])
            if len(mine):
                # Those that only pass come last: a part of them takes no steps.
                mine = mine[np.argsort(passing[mine], kind="stable")]
                others = np.ones(len(passing), bool)
                others[mine] = False
                order = np.concatenate([mine, np.flatnonzero(others)])
                self._runs, self._record = self._programs.cycle(size)(
                    order, np.asarray(len(mine)), self._shared, self._column, self._runs, self._record
                )
        self._turn, self._status = ~passing & self._real, np.asarray(self._record.status)
        self._living = np.asarray(self._record.active).sum(1)
        self.history.add(self._record)

    @property
    def status(self) -> np.ndarray:
        """Of every run after the last cycle, see `cycle.STATUS`."""
        return self._status[: self.count]


def _unrecorded(runs: Run) -> Record:
    """What stands for the record of runs before their first cycle."""
    prior, none = runs.prior, jnp.zeros_like(runs.noise)
    return Record(
        runs.w, runs.active, prior.alpha, prior.alpha_group, prior.zeta, none, none, none, runs.status
    )
