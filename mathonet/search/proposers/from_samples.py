"""FromSamples: what a search on smoothed derivatives finds, as systems to be fitted on the measured path.

Errors of smoothed derivatives are correlated, so that their own scores choose too much. They only propose.
"""

from collections.abc import Callable, Iterator, Sequence

from mathonet.equation.expression import Expression
from mathonet.search import effort
from mathonet.search.fit import Fit
from mathonet.search.objective import Proposal, Proposer
from mathonet.search.path.objective import PathObjective
from mathonet.search.samples.objective import SampleObjective
from mathonet.search.samples.search import SampleSearch


class FromSamples:
    """A proposer of the search on samples, carried to the path."""

    turns = 1

    def __init__(
        self, inner: Proposer[SampleObjective], samples: SampleSearch, unless: Callable[[PathObjective], bool]
    ) -> None:
        """Set the proposer and the search that it is a part of.

        Args:
            inner: what looks at the samples.
            samples: the search on them.
            unless: where nothing that it could find may win.
        """
        self.inner, self.samples, self.unless, self.name = inner, samples, unless, inner.name

    def could_win(self, objective: PathObjective) -> bool:
        """Whether anything it could propose may be better than what stands."""
        return not self.unless(objective)

    def propose(self, objectives: Sequence[PathObjective]) -> Iterator[tuple[PathObjective, list[Proposal]]]:
        """Systems of the best forms, then the best forms in the place of each equation."""
        self.samples.run_up_to(self.inner)
        fronts = [each.front for each in self.samples.objectives]
        for objective in objectives:
            choices = [[front.best for front in fronts]]
            if objective.joint.precise:
                choices += [[front.closest for front in fronts], [front.shortest for front in fronts]]
            yield objective, _systems(objective, choices)
            if objective.best is None:
                ranked = [front.ranked() for front in fronts]
                # Samples know no path: forms that explode between them cannot be fitted on one.
                yield objective, _systems(objective, list(zip(*ranked, strict=False)))
            for state, front in zip(objective.joint.searched, fronts, strict=True):
                if objective.sure:
                    break
                own = [each.expression for each in front.ranked() if each.origin == self.name]
                yield objective, objective.with_other(state, own[: effort.FITTED_TOGETHER])


def _systems(objective: PathObjective, choices: Sequence[Sequence[Fit | None]]) -> list[Proposal]:
    """The systems of some choices of forms, each once."""
    systems = dict.fromkeys(_system(objective, each) for each in choices)
    return [Proposal(each) for each in systems if each is not None]


def _system(objective: PathObjective, fits: Sequence[Fit | None]) -> tuple[Expression, ...] | None:
    """One form a state; what is known needs none."""
    found = [each.expression for each in fits if each is not None]
    if len(found) < len(fits):
        return None
    forms = dict(zip(objective.joint.searched, found, strict=True))
    return tuple(forms.get(state, Expression()) for state in range(len(objective.joint.rates)))
