"""GivenNetwork: one MathONet that was asked for, pruned by sparse group Bayesian learning (the paper)."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple, Protocol

import numpy as np

from mathonet.equation.expression import Expression, TooLargeError
from mathonet.equation.reading import read
from mathonet.fit.problem import Problem
from mathonet.interruption import StoppedError, stopping
from mathonet.network.mathonet import Architecture, MathONet
from mathonet.network.stencil import stencil_architecture, stencil_mask
from mathonet.search.config import Settings
from mathonet.search.objective import Proposal
from mathonet.search.proposers.sweep import CycleReport, Sweep, sweep
from mathonet.search.samples.objective import SampleObjective


class Journal(Protocol):
    """Keeps what was done, so that a search that was ended can be resumed."""

    def recall(self, rung: str, architecture: Architecture, targets: Sequence[int]) -> Sweep | None:
        """The runs of a network for some targets, if they were done before."""
        ...

    def keep(self, rung: str, runs: Sweep) -> None:
        """Keep the finished runs of a network."""
        ...


class Given(NamedTuple):
    """An architecture that was given by hand.

    Attributes:
        name: what to call it.
        architecture: of every network.
        mask: where weights may live from the start; None for everywhere.
    """

    name: str
    architecture: Architecture
    mask: MathONet | None = None


def given_network(settings: Settings, inputs: int, outputs: int) -> Given | None:
    """The network that the settings ask for; None for the search's own."""
    operations = settings.resolved()
    if settings.stencil:
        radius, hidden = settings.stencil, settings.hidden or (3,)
        fields = inputs // (2 * radius + 1)
        architecture = stencil_architecture(fields, radius, hidden[0], operations, outputs)
        return Given("stencil", architecture, stencil_mask(architecture, fields, radius))
    if settings.hidden is None:
        return None
    return Given("given", Architecture(inputs, settings.hidden, operations, outputs, settings.dense))


class GivenNetwork:
    """A network that was asked for: all targets and restarts at once.

    Attributes:
        name: of the network.
        runs: what they left; None before they learned.
    """

    turns = 1

    def __init__(
        self,
        given: Given,
        settings: Settings,
        learned: Problem,
        validation: Problem,
        floor: float,
        journal: Journal | None = None,
        told: Callable[[str, CycleReport], None] | None = None,
    ) -> None:
        """Set what is learned.

        Args:
            given: the network.
            settings: how to learn.
            learned: what it learns from.
            validation: what it is validated on.
            floor: relative error below which residuals mean nothing.
            journal: keeps the runs, and has those that were done before.
            told: called after each cycle.
        """
        self.given, self.settings, self.name = given, settings, given.name
        self.journal, self.told = journal, told
        self.learned, self.validation, self.floor = learned, validation, floor
        self.runs: Sweep | None = None

    def could_win(self, objective: SampleObjective) -> bool:
        """A network that was asked for learns in any case."""
        return True

    def propose(
        self, objectives: Sequence[SampleObjective]
    ) -> Iterator[tuple[SampleObjective, list[Proposal]]]:
        """What the networks of all targets were read as.

        Raises:
            StoppedError: the search is to end. There is one cycle at least, and its runs are kept.
        """
        self.runs = self._learn([each.target for each in objectives])
        why = stopping()
        if why is not None:
            raise StoppedError(why)
        for objective in objectives:
            yield objective, self.readings(objective)

    def readings(self, objective: SampleObjective) -> list[Proposal]:
        """What the runs of a target were read as; unreadable ones are left out."""
        if self.runs is None:
            return []
        joint = self.settings.joint
        target, output = (0, objective.target) if joint else (objective.target, 0)
        return [
            Proposal((form,), 1, 2.0 * energy * objective.regression.count)
            for form, energy in readings(self.runs, target, output)
        ]

    def _learn(self, targets: list[int]) -> Sweep:
        """The runs, from the journal if they were done before."""
        settings, architecture = self.settings, self.given.architecture
        if self.journal is not None:
            known = self.journal.recall(self.name, architecture, targets)
            if known is not None:
                return known

        runs = sweep(
            architecture,
            self.learned,
            self.validation,
            settings.lambdas,
            settings.starts(len(architecture.hidden)),
            settings.cycles,
            settings.seed,
            settings.learning,
            settings.schedule(self.floor**2),
            None if self.told is None else partial(self.told, self.name),
            self.given.mask,
            targets,
        )
        if self.journal is not None and (runs.ended or len(runs.history) == settings.cycles):
            self.journal.keep(self.name, runs)
        return runs


def readings(runs: Sweep, target: int, output: int) -> Iterator[tuple[Expression, float]]:
    """What the runs of a target were read as, and their training energy; unreadable ones are left out."""
    for run in np.flatnonzero(runs.target == target).tolist():
        energy = float(runs.history[-1].energy[run])
        if not np.isfinite(energy):
            continue
        try:
            yield read(runs.network(run))[output], energy
        except (TooLargeError, OverflowError):
            continue
