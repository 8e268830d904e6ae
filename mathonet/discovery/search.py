"""The search: sweeps over the rungs of the ladder, and a pool of cleaned forms for every target."""

from collections.abc import Callable, Sequence

import numpy as np

from mathonet.data.samples import Samples
from mathonet.discovery.candidate import Pool, readings
from mathonet.discovery.config import Settings
from mathonet.discovery.ladder import Rung, rungs
from mathonet.discovery.sweep import CycleReport, Sweep, make_problem, sweep
from mathonet.equation.refit import Refitter

Progress = Callable[[str, CycleReport | None], None]
"""Called with the rung's name and each cycle's report; with None when a rung's forms are being cleaned."""


class Search:
    """A search under way. Call in double precision.

    Attributes:
        floor: of every target, the relative error below which residuals mean nothing.
        pools: one a target: the forms found so far.
        sweeps: the runs of each rung that was climbed, by name.
    """

    def __init__(self, samples: Samples, settings: Settings, progress: Progress | None = None) -> None:
        """Set what is learned from; the search itself sees at most `settings.rows` of the samples."""
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
        """Run a rung for the targets of some pools, and enter what it finds there; nothing without pools."""
        if not wanted:
            return
        settings, progress = self.settings, self.progress
        runs = self.sweeps[rung.name] = sweep(
            rung.architecture,
            self.learned,
            self.validation,
            settings.lambdas,
            settings.starts(len(rung.architecture.hidden)),
            settings.cycles,
            settings.seed,
            settings.learning,
            settings.schedule(float(np.min(self.floor)) ** 2),
            None if progress is None else lambda report, name=rung.name: progress(name, report),
            rung.mask,
            [pool.target for pool in wanted],
        )
        if progress is not None:
            progress(rung.name, None)
        for pool in self.pools if settings.joint else wanted:
            where = (0, pool.target) if settings.joint else (pool.target, 0)
            pool.take(readings(runs, *where), rung.name)
            pool.complete()

    def finish(self) -> list[Pool]:
        """The pools with what stands beside their best forms, on all samples."""
        for pool in self.pools:
            pool.widen()
        if self.thinned is self.samples:
            return self.pools
        return [pool.moved(self.refitter(self.samples, pool.target)) for pool in self.pools]


def _thin(samples: Samples, settings: Settings) -> Samples:
    """At most `rows` samples for the search, at random."""
    if len(samples.targets) <= settings.rows or samples.operator is not None:
        return samples
    chosen = np.random.default_rng(settings.seed).choice(len(samples.targets), settings.rows, replace=False)
    return samples.take(np.sort(chosen))
