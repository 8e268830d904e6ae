"""Networks as a proposer: MathONets, pruned by sparse group Bayesian learning, read as forms (the paper)."""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import numpy as np

from mathonet.equation.expression import Expression, TooLargeError
from mathonet.equation.reading import read
from mathonet.fit.problem import Problem
from mathonet.interruption import StoppedError, stopping
from mathonet.network.mathonet import Architecture
from mathonet.search.config import Settings
from mathonet.search.objective import Proposal
from mathonet.search.proposers.sweep import CycleReport, Sweep, sweep
from mathonet.search.samples.ladder import Rung
from mathonet.search.samples.objective import SampleObjective


class Journal(Protocol):
    """Keeps what was done, so that a search that was ended can be resumed."""

    def recall(self, rung: str, architecture: Architecture, targets: Sequence[int]) -> Sweep | None:
        """The runs of a rung for some targets, if they were done before."""
        ...

    def keep(self, rung: str, runs: Sweep) -> None:
        """Keep the finished runs of a rung."""
        ...


class Networks:
    """Many small networks of one architecture, all targets and restarts at once.

    Attributes:
        name: of the rung.
        runs: what they left; None before they learned.
        opening: seconds from the beginning to the end of the first cycle, most of it compilation.
    """

    turns = 1

    def __init__(
        self,
        rung: Rung,
        architecture: Architecture,
        settings: Settings,
        learned: Problem,
        validation: Problem,
        floor: float,
        journal: Journal | None = None,
        told: Callable[[str, CycleReport], None] | None = None,
    ) -> None:
        """Set what is learned.

        Args:
            rung: of the ladder.
            architecture: of every network.
            settings: how to learn.
            learned: what they learn from.
            validation: what they are validated on.
            floor: relative error below which residuals mean nothing.
            journal: keeps the runs, and has those that were done before.
            told: called after each cycle.
        """
        self.rung, self.architecture, self.settings = rung, architecture, settings
        self.name, self.journal, self.told = rung.name, journal, told
        self.learned, self.validation, self.floor = learned, validation, floor
        self.runs: Sweep | None = None
        self.opening = 0.0

    def could_win(self, objective: SampleObjective) -> bool:
        """Whether a form of this rung may be better than what stands."""
        return self.settings.joint or self.rung.could_win(objective.regression, objective.front)

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
        settings, began = self.settings, time.monotonic()
        if self.journal is not None:
            known = self.journal.recall(self.name, self.architecture, targets)
            if known is not None:
                return known
        opened = []

        def told(report: CycleReport) -> None:
            opened.append(time.monotonic() - began)
            if self.told is not None:
                self.told(self.name, report)

        runs = sweep(
            self.architecture,
            self.learned,
            self.validation,
            settings.lambdas,
            settings.starts(len(self.architecture.hidden)),
            settings.cycles,
            settings.seed,
            settings.learning,
            settings.schedule(self.floor**2),
            told,
            self.rung.mask,
            targets,
        )
        self.opening = opened[0]
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
