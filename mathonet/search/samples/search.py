"""SampleSearch: the search on samples, an objective for every target and the proposers in their order."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from mathonet.data.samples import Samples
from mathonet.equation.expression import Expression
from mathonet.equation.reading import unscale
from mathonet.equation.symbolic import text
from mathonet.errors import ConfigError
from mathonet.interruption import checkpoint
from mathonet.search.config import Settings
from mathonet.search.effort import effort_of
from mathonet.search.graphs import MANY
from mathonet.search.loop import search
from mathonet.search.objective import EquationProposer, Proposer
from mathonet.search.proposers.calls import Calls
from mathonet.search.proposers.given_network import GivenNetwork, Journal, given_network
from mathonet.search.proposers.networks import Networks
from mathonet.search.proposers.polynomials import Polynomials
from mathonet.search.proposers.sweep import CycleReport, Sweep, make_problem
from mathonet.search.samples.objective import SampleObjective
from mathonet.search.samples.on_samples import OnSamples
from mathonet.search.samples.regression import Regression
from mathonet.search.samples.simplest import simplest_calls

SHOWN_DIGITS = 4


@dataclass(frozen=True)
class Stage:
    """What a search does between cycles, in words, and the best equations so far."""

    doing: str
    equations: tuple[str, ...] = ()


Progress = Callable[[str, CycleReport | Stage], None]
"""Called with a proposer's name and each cycle's report, or the stage that the search has come to."""


class SampleSearch:
    """A search under way. Call in double precision.

    Attributes:
        floor: of every target, the relative error below which residuals mean nothing.
        effort: how far it goes.
        objectives: one a target.
        given: the network that was asked for; None for the search's own.
    """

    def __init__(
        self,
        samples: Samples,
        settings: Settings,
        progress: Progress | None = None,
        journal: Journal | None = None,
        precise: bool = False,
        own: Sequence[EquationProposer] = (),
    ) -> None:
        """Set what is learned from; the search itself sees at most `settings.rows` of the samples.

        Args:
            samples: inputs and targets.
            settings: how to search.
            progress: called after each cycle, and when it comes to another stage.
            journal: keeps the runs of the network that was asked for, and has those that were done before.
            precise: whether the samples are from data with hardly any noise, as their floor may not tell.
            own: proposers of the user's, asked right after polynomials.
        """
        self.journal, self.precise, self.own = journal, precise, tuple(own)
        self.samples, self.settings, self.progress = samples, settings, progress
        self.operations, self.scaling = settings.resolved(), samples.scaling
        self.effort = effort_of(settings.effort).of(settings.proposers)
        self.floor = samples.resolution / self.scaling.targets
        self.thinned = _thin(samples, settings)
        training, held = self.thinned.split(settings.validation, settings.seed)
        # All parts of the search are padded to one shape, so that everything compiles once.
        self.rows = len(self.thinned.targets)
        self.learned, self.validation = (
            make_problem(part, self.scaling, self.rows) for part in (training, held)
        )
        self.given: GivenNetwork | None = self._given()
        parts = (self.thinned, training, held)
        targets = range(samples.targets.shape[1])
        self.objectives = [SampleObjective(t, *(self.regression(part, t) for part in parts)) for t in targets]
        self.proposers = self._proposers()
        self.ended: list[Proposer[SampleObjective]] = []

    @property
    def choices(self) -> int:
        """Operations that the simplest forms choose from: polynomials need one, a given network has all."""
        return 1 if self.given is None else len(self.operations)

    @property
    def sweeps(self) -> dict[str, Sweep]:
        """The runs of the network that was asked for, by its name."""
        return {} if self.given is None or self.given.runs is None else {self.given.name: self.given.runs}

    def regression(self, part: Samples, target: int) -> Regression:
        """What fits and scores forms of a target on some samples."""
        problem = make_problem(part, self.scaling, min(self.rows, self.settings.rows), target)
        return Regression(problem, self.operations, float(self.floor[target]), self.choices)

    def _given(self) -> GivenNetwork | None:
        """The network that was asked for."""
        outputs = self.samples.targets.shape[1] if self.settings.joint else 1
        given = given_network(self.settings, self.samples.inputs.shape[1], outputs)
        if given is None:
            return None
        floor = float(np.min(self.floor))
        return GivenNetwork(
            given, self.settings, self.learned, self.validation, floor, self.journal, self._told
        )

    def _proposers(self) -> list[Proposer[SampleObjective]]:
        """Polynomials, sums with calls, networks; or the one network that was asked for."""
        own = [OnSamples(each, precise=self.precise) for each in self.own]
        if self.given is not None:
            return [*own, self.given]
        found: list[Proposer[SampleObjective]] = [
            OnSamples(Polynomials(self.effort.degrees), clean=True),
            *own,
        ]
        simplest = simplest_calls(self.samples.inputs.shape[1], self.operations)
        if simplest:
            calls = Calls(self.scaling.inputs, True if self.precise else None, self.effort)
            found.append(OnSamples(calls, simplest, precise=self.precise))
            if self.effort.networks is not None and self.samples.inputs.shape[1] <= MANY:
                precise = True if self.precise else None
                networks = Networks(self.operations, self.effort.networks, precise, self.settings.seed)
                found.append(OnSamples(networks, simplest, precise=self.precise))
        return found

    def run(self, proposers: Sequence[Proposer[SampleObjective]] | None = None) -> None:
        """Let some proposers propose, or all of them.

        Raises:
            StoppedError: the search is to end.
        """
        for each in self.proposers if proposers is None else proposers:
            if each.name not in self.effort.without:
                search(self.objectives, [each], self._begun)
            self.ended.append(each)

    def check_proposers(self) -> None:
        """Refuse names of proposers that leave nothing to search with.

        Raises:
            ConfigError: none is left.
        """
        if all(each.name in self.effort.without for each in self.proposers):
            named = list(self.settings.proposers or ())
            networks = f"; {Networks.name} need an operation besides 'ident', at most {MANY} inputs, and an "
            raise ConfigError(
                f"proposers={named} leaves nothing to search these samples with. There are "
                f"{[each.name for each in self.proposers]}"
                f"{networks + 'effort other than quick' if Networks.name in named else ''}."
            )

    def run_up_to(self, proposer: Proposer[SampleObjective]) -> None:
        """Let a proposer propose, after those before it whose turn did not come yet.

        Raises:
            StoppedError: the search is to end.
        """
        place = self.proposers.index(proposer)
        self.run([each for each in self.proposers[: place + 1] if each not in self.ended])

    def not_begun(self) -> tuple[str, ...]:
        """Names of the proposers whose turn did not come, or did not end."""
        return tuple(each.name for each in self.proposers if each not in self.ended)

    def _begun(self, proposer: Proposer[SampleObjective]) -> None:
        if any(each.best is not None for each in self.objectives):
            checkpoint()
        self.tell(proposer.name, "looking at all equations", self.equations())

    def _told(self, name: str, report: CycleReport) -> None:
        if self.progress is not None:
            self.progress(name, replace(report, equations=self.equations(report)))

    def tell(self, name: str, doing: str, equations: tuple[str, ...]) -> None:
        """Say what is being done."""
        if self.progress is not None:
            self.progress(name, Stage(doing, equations))

    def equations(self, report: CycleReport | None = None) -> tuple[str, ...]:
        """The best form of every target so far, in words; without one, that of the run that leads."""
        found = []
        for each in self.objectives:
            form = None if each.best is None else each.best.expression
            if form is None and report is not None and report.forms:
                form = self._led(report, each.target)
            name = self.samples.target_names[each.target]
            found.append(f"{name}' = {'...' if form is None else self.words(form, each.target)}")
        return tuple(found)

    def _led(self, report: CycleReport, target: int) -> Expression | None:
        """What the leading run of a target was read as."""
        if self.settings.joint:
            forms = report.forms[0]
            return None if forms is None else forms[target]
        forms = report.forms[report.targets.index(target)] if target in report.targets else None
        return None if forms is None else forms[0]

    def words(self, form: Expression, target: int) -> str:
        """A form in the data's units."""
        return text(unscale(form, self.scaling, target), self.samples.input_names, SHOWN_DIGITS)

    def finish(self) -> list[SampleObjective]:
        """The objectives with what stands beside their best forms, on all samples."""
        for each in self.objectives:
            each.widen()
        if self.thinned is self.samples:
            return self.objectives
        return [each.moved(self.regression(self.samples, each.target)) for each in self.objectives]

    def cut_short(self) -> list[SampleObjective]:
        """The objectives as they are, on all samples; one without any form takes that of its leading run."""
        for each in self.objectives:
            each.recall("cut short")
            if each.best is None:
                each.glance([] if self.given is None else self.given.readings(each), "cut short")
        if self.thinned is self.samples:
            return self.objectives
        return [each.carried(self.regression(self.samples, each.target)) for each in self.objectives]


def _thin(samples: Samples, settings: Settings) -> Samples:
    """At most `rows` samples for the search, at random."""
    if len(samples.targets) <= settings.rows or samples.operator is not None:
        return samples
    chosen = np.random.default_rng(settings.seed).choice(len(samples.targets), settings.rows, replace=False)
    return samples.take(np.sort(chosen))
