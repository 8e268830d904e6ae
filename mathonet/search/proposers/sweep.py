"""The sweep: restarts x lambdas x targets of one architecture, compiled once and run in parts."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np

from mathonet.data.samples import Samples, Scaling
from mathonet.equation.expression import MOST_TERMS, Expression, TooLargeError
from mathonet.equation.reading import read
from mathonet.fit.problem import Problem, Windows
from mathonet.interruption import stopping
from mathonet.learning.batch import Batch
from mathonet.learning.cycle import RUNNING, STATUS, Record
from mathonet.learning.settings import Learning, Schedule, schedule
from mathonet.network.mask import initial_mask
from mathonet.network.mathonet import Architecture, MathONet, flatten, unflatten

Progress = Callable[["CycleReport"], None]


@dataclass(frozen=True)
class CycleReport:
    """What is told after each cycle: for every target the least error, and weights and terms of that run.

    A joint network has one best run for all targets, and names none. `forms` are what those runs were read
    as, in scaled units, None where that is too large; `equations` the best of every target so far, in words,
    where a search knows them.
    """

    targets: tuple[int, ...]
    cycle: int
    cycles: int
    running: int
    runs: int
    error: tuple[float, ...]
    weights: tuple[int, ...]
    terms: tuple[int, ...]
    forms: tuple[tuple[Expression, ...] | None, ...] = ()
    equations: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sweep:
    """Everything a sweep leaves, as NumPy arrays with one row a run.

    Attributes:
        architecture: of every run.
        target: which target each run learns; 0 for a network of several outputs.
        lam: lambda of each run's first cycle.
        restart: number of each run's random start.
        history: one record a cycle, each field with the runs as its first axis. The first one is the sparse
            group Lasso, the baseline.
        start: mask of every run before its first cycle.
    """

    architecture: Architecture
    target: np.ndarray
    lam: np.ndarray
    restart: np.ndarray
    history: Sequence[Record]
    start: np.ndarray

    def network(self, run: int, cycle: int = -1) -> MathONet:
        """The network of a run after a cycle."""
        return unflatten(self.architecture, self.history[cycle].w[run])

    @property
    def ended(self) -> bool:
        """Whether every run has ended; else the cycles were at their end, or the sweep was cut short."""
        return not (self.history[-1].status == RUNNING).any()

    def status(self, run: int) -> str:
        """How a run ended, in words."""
        return STATUS[int(self.history[-1].status[run])]


ROWS = (64, 128, 256, 512)
"""Numbers of rows that problems are padded to; beyond, the next multiple of 512."""


def _padded(rows: int) -> int:
    return next((size for size in ROWS if rows <= size), -(-rows // ROWS[-1]) * ROWS[-1])


def make_problem(
    samples: Samples, scaling: Scaling | None, least_rows: int = 0, target: int | None = None
) -> Problem:
    """The problem of some samples, scaled unless `scaling` is None, padded to at least `least_rows`.

    With the number of a target, the problem of that target alone. Call in double precision.
    """
    chosen = slice(None) if target is None else slice(target, target + 1)
    inputs, targets = samples.inputs, samples.targets[:, chosen]
    if scaling is not None:
        inputs, targets = inputs / scaling.inputs, targets / scaling.targets[chosen]
    rows = len(targets)
    weights = np.ones(rows) if samples.weights is None else samples.weights
    if weights.ndim == 1:
        # Only their ratios mean something: energy, noise and floor keep the target's units.
        weights = weights / np.sqrt(np.mean(weights**2))
    extra = _padded(max(rows, least_rows)) - rows
    # Padding repeats a real sample, so that no operation meets an argument that the data never had.
    if samples.operator is None:
        inputs, operator = np.concatenate([inputs, np.repeat(inputs[:1], extra, 0)]), None
    else:
        index, value = samples.operator.index, samples.operator.value
        pads = [(0, extra), (0, 0)]
        operator = Windows(jnp.asarray(np.pad(index, pads)), jnp.asarray(np.pad(value, pads)))
    return Problem(
        jnp.asarray(inputs),
        jnp.asarray(np.pad(targets, [(0, extra), (0, 0)])),
        jnp.asarray(np.pad(weights, [(0, extra)] * weights.ndim)),
        jnp.asarray(float(rows)),
        operator,
    )


def sweep(
    architecture: Architecture,
    problem: Problem,
    validation: Problem,
    lambdas: tuple[float, ...] = (1e-3,),
    restarts: int = 20,
    cycles: int = 14,
    seed: int = 0,
    learning: Learning | None = None,
    numbers: Schedule | None = None,
    progress: Progress | None = None,
    mask: MathONet | None = None,
    targets: Sequence[int] | None = None,
) -> Sweep:
    """Run every combination of target, lambda and restart at once. Call in double precision.

    A network of several outputs learns all targets jointly; otherwise there is one run a target, of those
    given or all. The mask says where weights may live from the start; None is the full super-graph.
    A search that is to stop ends the sweep after a cycle, the first one at least.
    """
    learning, numbers = learning or Learning(), numbers or schedule()
    allowed = np.asarray(flatten(mask or initial_mask(architecture)), bool)
    joint = architecture.outputs > 1
    targets = [0] if joint else targets or range(problem.targets.shape[1])
    grid = np.stack(np.meshgrid(np.asarray(targets), lambdas, np.arange(restarts), indexing="ij"), -1)
    grid = grid.reshape(-1, 3)
    target, lam, restart = grid[:, 0].astype(int), grid[:, 1], grid[:, 2].astype(int)
    # A restart has the same start for every target and lambda, so that these can be compared.
    keys = jax.random.split(jax.random.key(seed), restarts)[restart]
    numbers = Schedule(
        jnp.asarray(lam),
        numbers.decay,
        numbers.kappa,
        numbers.zero,
        numbers.floor,
        numbers.first,
        numbers.later,
    )
    batch = Batch(architecture, learning, (problem, validation), numbers, target, keys, allowed)
    for cycle in range(cycles):
        began = time.monotonic()
        batch.cycle()
        running = int(np.sum(batch.status == RUNNING))
        if progress is not None:
            progress(_report(architecture, cycle, cycles, running, target, batch.history[-1]))
        if running == 0 or stopping(0.0 if cycle == 0 else time.monotonic() - began):
            break
    return Sweep(architecture, target, lam, restart, batch.history, allowed)


def _forms(network: MathONet) -> tuple[Expression, ...] | None:
    try:
        return tuple(read(network))
    except (TooLargeError, OverflowError):
        return None


def _terms(forms: tuple[Expression, ...] | None) -> int:
    return MOST_TERMS + 1 if forms is None else sum(len(form.terms) for form in forms)


def _report(
    architecture: Architecture, cycle: int, cycles: int, running: int, target: np.ndarray, record: Record
) -> CycleReport:
    energies = np.where(np.isfinite(record.energy), record.energy, np.inf)
    best = [min(np.flatnonzero(target == t), key=lambda run: energies[run]) for t in np.unique(target)]
    forms = tuple(_forms(unflatten(architecture, record.w[run])) for run in best)
    return CycleReport(
        () if architecture.outputs > 1 else tuple(map(int, np.unique(target))),
        cycle + 1,
        cycles,
        running,
        len(target),
        tuple(float(np.sqrt(2 * energies[run])) for run in best),
        tuple(int(record.active[run].sum()) for run in best),
        tuple(map(_terms, forms)),
        forms,
    )
