"""The search: sweeps over the rungs of the ladder, and a pool of cleaned forms for every target."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from mathonet.data.samples import Samples
from mathonet.equation.expression import Expression
from mathonet.equation.reading import unscale
from mathonet.equation.refit import Refitter
from mathonet.equation.symbolic import text
from mathonet.interruption import StoppedError, checkpoint, stopping
from mathonet.network.mathonet import Architecture
from mathonet.search.blocks import DEGREES, could_win, polynomial_forms
from mathonet.search.calls import SURE, call_forms
from mathonet.search.candidate import Pool, Reading, readings
from mathonet.search.config import Settings
from mathonet.search.effort import Effort
from mathonet.search.ladder import POLYNOMIALS, Rung, rungs
from mathonet.search.sweep import CycleReport, Sweep, make_problem, sweep

SHOWN_DIGITS = 4
GROWTH = 3.0
"""What a rung takes until the end of its first cycle, at most, in units of the rung before it."""


@dataclass(frozen=True)
class Stage:
    """What a search does between cycles, in words, and the best equations so far."""

    doing: str
    equations: tuple[str, ...] = ()


Progress = Callable[[str, CycleReport | Stage], None]
"""Called with the rung's name and each cycle's report, or the stage that the search has come to."""


class Journal(Protocol):
    """Keeps what was done, so that a search that was ended goes on where it stopped."""

    def recall(self, rung: str, architecture: Architecture, targets: Sequence[int]) -> Sweep | None:
        """The runs of a rung for some targets, if they were done before."""
        ...

    def keep(self, rung: str, runs: Sweep) -> None:
        """Keep the finished runs of a rung."""
        ...


class Search:
    """A search under way. Call in double precision.

    Attributes:
        floor: of every target, the relative error below which residuals mean nothing.
        pools: one a target: the forms found so far.
        sweeps: the runs of each rung that was climbed, by name.
        opening: seconds from the beginning of the latest rung to the end of its first cycle.
    """

    def __init__(
        self,
        samples: Samples,
        settings: Settings,
        progress: Progress | None = None,
        journal: Journal | None = None,
        precise: bool = False,
    ) -> None:
        """Set what is learned from; the search itself sees at most `settings.rows` of the samples.

        Args:
            samples: inputs and targets.
            settings: how to search.
            progress: called after each cycle, and when it comes to another stage.
            journal: keeps the runs of every rung, and has those that were done before.
            precise: whether the samples are from data with hardly any noise, as their floor may not tell.
        """
        self.journal, self.opening, self.precise = journal, 0.0, precise
        self.samples, self.settings, self.progress = samples, settings, progress
        self.operations, self.scaling = settings.resolved(), samples.scaling
        self.floor = samples.resolution / self.scaling.targets
        self.thinned = _thin(samples, settings)
        training, held = self.thinned.split(settings.validation, settings.seed)
        # All parts of the search are padded to one shape, so that everything compiles once.
        self.rows = len(self.thinned.targets)
        self.learned, self.validation = (
            make_problem(part, self.scaling, self.rows) for part in (training, held)
        )
        parts = (self.thinned, training, held)
        targets = range(samples.targets.shape[1])
        self.pools = [Pool(t, *(self.refitter(part, t) for part in parts)) for t in targets]
        self.sweeps: dict[str, Sweep] = {}

    @property
    def choices(self) -> int:
        """Operations on the smallest rung: the ladder starts with polynomials, a given network has all."""
        given = self.settings.hidden is not None or self.settings.stencil > 0
        return len(self.operations) if given else 1

    def refitter(self, part: Samples, target: int) -> Refitter:
        """What fits and scores forms of a target on some samples."""
        problem = make_problem(part, self.scaling, min(self.rows, self.settings.rows), target)
        return Refitter(problem, self.operations, float(self.floor[target]), self.choices)

    def rungs(self) -> list[Rung]:
        """The rungs to climb."""
        settings = self.settings
        outputs = len(self.pools) if settings.joint else 1
        return rungs(
            self.samples.inputs.shape[1],
            outputs,
            self.operations,
            settings.hidden,
            settings.dense,
            settings.stencil,
        )

    def climb(self, rung: Rung, wanted: Sequence[Pool]) -> None:
        """Run a rung for the targets of some pools, and enter what it finds there; nothing without pools.

        Raises:
            StoppedError: the search is to end. The first rung has one cycle at least, and its runs are kept.
        """
        if not wanted:
            return
        if any(pool.best is not None for pool in self.pools):
            # What has to be compiled first cannot be interrupted.
            checkpoint(GROWTH * self.opening)
        if rung.architecture is None:
            self._look(rung, wanted)
            return
        runs = self.sweeps[rung.name] = self._runs(rung, rung.architecture, [pool.target for pool in wanted])
        why = stopping()
        if why is not None:
            raise StoppedError(why)
        self.tell(rung.name, "reading, cleaning and refitting the equations", self.equations())
        for pool in self.pools if self.settings.joint else wanted:
            pool.take(self._readings(pool, runs), rung.name)
            pool.complete()

    def _look(self, rung: Rung, wanted: Sequence[Pool]) -> None:
        """Enter the best polynomials, or the best sums of few terms."""
        for pool in wanted:
            if not rung.calls:
                self.tell(rung.name, "choosing among all monomials", self.equations())
                self._choose_monomials(pool, rung.name)
                continue
            self.tell(rung.name, "comparing all sums of few terms", self.equations())
            if pool.exact:
                continue
            exact = pool.refitter.floor <= SURE
            found = call_forms(pool.refitter, self.scaling.inputs, self.precise or exact, Effort())
            count = pool.refitter.count
            pool.take([Reading(each.expression, 0.5 * each.rss / count) for each in found], rung.name, hits=0)
            if self.precise:
                # Clean-up stops at the error of smoothing; the path may tell what lies below.
                for each in found:
                    pool.add(pool.refitter.fit(each.expression), rung.name, 0)
            pool.complete()

    def _choose_monomials(self, pool: Pool, rung: str) -> None:
        """Enter the best polynomials, up to the degree from which on none could win."""
        for degree in DEGREES:
            checkpoint()
            best = pool.best
            if best is not None and (
                pool.exact or (pool.leaves_noise and not could_win(pool.refitter, degree, best.fitted))
            ):
                return
            forms = polynomial_forms(pool.refitter, degree)
            # Of many inputs, straight lines may be all that the samples can tell.
            for form in forms or (polynomial_forms(pool.refitter, 1) if best is None else ()):
                pool.add(pool.refitter.fit(form), rung, 0)
            if not forms:
                return

    def _runs(self, rung: Rung, architecture: Architecture, targets: list[int]) -> Sweep:
        """The runs of a rung, from the journal if they were done before."""
        settings, progress, began = self.settings, self.progress, time.monotonic()
        if self.journal is not None:
            known = self.journal.recall(rung.name, architecture, targets)
            if known is not None:
                return known
        opened = []

        def told(report: CycleReport) -> None:
            opened.append(time.monotonic() - began)
            if progress is not None:
                progress(rung.name, replace(report, equations=self.equations(report)))

        runs = sweep(
            architecture,
            self.learned,
            self.validation,
            settings.lambdas,
            settings.starts(len(architecture.hidden)),
            settings.cycles,
            settings.seed,
            settings.learning,
            settings.schedule(float(np.min(self.floor)) ** 2),
            told,
            rung.mask,
            targets,
        )
        self.opening = opened[0]
        if self.journal is not None and (runs.ended or len(runs.history) == settings.cycles):
            self.journal.keep(rung.name, runs)
        return runs

    def _readings(self, pool: Pool, runs: Sweep) -> list[Reading]:
        joint = self.settings.joint
        return readings(runs, 0 if joint else pool.target, pool.target if joint else 0)

    def tell(self, rung: str, doing: str, equations: tuple[str, ...]) -> None:
        """Say what is being done."""
        if self.progress is not None:
            self.progress(rung, Stage(doing, equations))

    def equations(self, report: CycleReport | None = None) -> tuple[str, ...]:
        """The best form of every target so far, in words: of its pool, else of the run that leads."""
        found = []
        for pool in self.pools:
            form = None if pool.best is None else pool.best.fitted.expression
            if form is None and report is not None and report.forms:
                form = self._led(report, pool.target)
            name = self.samples.target_names[pool.target]
            found.append(f"{name}' = {'...' if form is None else self.words(form, pool.target)}")
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

    def finish(self) -> list[Pool]:
        """The pools with what stands beside their best forms, on all samples."""
        for pool in self.pools:
            pool.widen()
        if self.thinned is self.samples:
            return self.pools
        return [pool.moved(self.refitter(self.samples, pool.target)) for pool in self.pools]

    def cut_short(self) -> list[Pool]:
        """The pools as they are, on all samples; a target without any form takes that of its leading run."""
        rung, runs = next(reversed(self.sweeps.items()), (POLYNOMIALS, None))
        for pool in self.pools:
            if pool.best is None:
                pool.glance([] if runs is None else self._readings(pool, runs), rung)
        if self.thinned is self.samples:
            return self.pools
        return [pool.carried(self.refitter(self.samples, pool.target)) for pool in self.pools]


def _thin(samples: Samples, settings: Settings) -> Samples:
    """At most `rows` samples for the search, at random."""
    if len(samples.targets) <= settings.rows or samples.operator is not None:
        return samples
    chosen = np.random.default_rng(settings.seed).choice(len(samples.targets), settings.rows, replace=False)
    return samples.take(np.sort(chosen))
