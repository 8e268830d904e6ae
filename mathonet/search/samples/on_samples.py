"""OnSamples: an equation proposer asked for every equation on samples, and once for those that are alike."""

from collections.abc import Iterator, Sequence

import numpy as np

from mathonet.equation.expression import Expression
from mathonet.interruption import checkpoint
from mathonet.search import effort
from mathonet.search.objective import EquationProposer, Proposal
from mathonet.search.samples.objective import SampleObjective
from mathonet.search.samples.simplest import could_win


class OnSamples:
    """An equation proposer on the samples of every target."""

    turns = 1

    def __init__(
        self,
        inner: EquationProposer,
        simplest: Sequence[Expression] = (),
        clean: bool = False,
        precise: bool = False,
    ) -> None:
        """Set the proposer.

        Args:
            inner: what looks at one equation.
            simplest: the shortest of its forms, which tell whether it could win; none for whenever what
                stands is not exact.
            clean: whether no term of its forms could go.
            precise: whether its forms are kept as they are, too: clean-up stops at the error of smoothing,
                and the path may tell what lies below.
        """
        self.inner, self.simplest, self.clean, self.precise = inner, simplest, clean, precise
        self.name = inner.name

    def could_win(self, objective: SampleObjective) -> bool:
        """Whether anything it could propose may be better than what stands."""
        if not self.simplest:
            return not objective.exact
        return could_win(self.simplest, objective.regression, objective.front)

    def propose(
        self, objectives: Sequence[SampleObjective]
    ) -> Iterator[tuple[SampleObjective, list[Proposal]]]:
        """The forms of every target."""
        looked_at: list[tuple[SampleObjective, list[Proposal]]] = []
        for objective in objectives:
            checkpoint()
            alike = _alike(objective, looked_at)
            if alike is None:
                fits = self.inner.fits(objective.regression)
                found = [Proposal(each.forms, 0, each.chi2, self.clean) for each in fits]
                looked_at.append((objective, found))
            else:
                other, found, factor = alike
                found = [_scaled(each, factor) for each in found]
                met = [other.front.ranked(), other.regression.front.ranked()]
                best = [each.forms for fits in met for each in fits[: effort.RIVALS_FITTED]]
                yield objective, [_scaled(Proposal(each, clean=True), factor) for each in best]
            yield objective, found
            if self.precise and not self.clean:
                yield objective, [each._replace(clean=True) for each in found]


def _alike(
    objective: SampleObjective, others: Sequence[tuple[SampleObjective, list[Proposal]]]
) -> tuple[SampleObjective, list[Proposal], float] | None:
    """Another equation whose target is this one's times a number, what was found for it, and the number.

    What leaves one state comes to another, as where two kinds of cells, or a reaction's ends, add up.
    """
    regression = objective.regression
    for other, found in others:
        theirs = other.regression.targets
        factor = float(theirs @ regression.targets / max(theirs @ theirs, np.finfo(float).tiny))
        left = np.linalg.norm(regression.targets - factor * theirs)
        if factor and left <= max(regression.floor, other.regression.floor) * np.sqrt(regression.count):
            return other, found, factor
    return None


def _scaled(proposal: Proposal, factor: float) -> Proposal:
    chi2 = None if proposal.chi2 is None else proposal.chi2 * factor**2
    return proposal._replace(forms=tuple(form.scale(factor) for form in proposal.forms), chi2=chi2)
