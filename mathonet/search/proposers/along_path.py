"""AlongPath: equation proposers on the increments of each equation along the path of the best system."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from mathonet.equation.expression import Expression
from mathonet.interruption import checkpoint
from mathonet.search import effort
from mathonet.search.effort import NORMAL
from mathonet.search.fit import Fit
from mathonet.search.objective import EquationProposer, Limit, Proposal
from mathonet.search.path.coarse_data import no_stand_in
from mathonet.search.path.objective import PathObjective


class AlongPath:
    """An equation proposer, carried to the path: a fitted path says more than smoothing did."""

    def __init__(
        self,
        inner: EquationProposer,
        unless: Callable[[PathObjective], bool] = lambda objective: False,
        turns: int = NORMAL.turns,
    ) -> None:
        """Set the proposer.

        Args:
            inner: what looks at one equation.
            unless: where it need not be asked.
            turns: times that all equations are looked at, as long as that helps.
        """
        self.inner, self.unless, self.turns, self.name = inner, unless, turns, inner.name

    def could_win(self, objective: PathObjective) -> bool:
        """Whether there is a path, and something left to be explained on it."""
        if objective.best is None or objective.sure or self.unless(objective):
            return False
        return objective.asked.get(self.inner) != objective.structure

    def propose(self, objectives: Sequence[PathObjective]) -> Iterator[tuple[PathObjective, list[Proposal]]]:
        """For each equation, systems with a form that its increments prefer."""
        for objective in objectives:
            objective.converge()
            objective.asked[self.inner] = objective.structure
            for equation in objective.joint.searched:
                checkpoint()
                if objective.best is None or objective.sure:
                    return
                if objective.exact and no_stand_in(objective.joint, objective.best.forms[equation]):
                    continue
                yield objective, objective.with_other(equation, self._promising(objective, equation))

    def _promising(self, objective: PathObjective, equation: int) -> list[Expression]:
        """Forms of an equation that may win, the best first."""
        fit = objective.best
        assert fit is not None
        regression = objective.increments(equation)
        if regression is None:
            return []
        own = regression.fit(fit.forms[equation], effort.JUDGING_STEPS)
        if not np.isfinite(own.chi2):
            return []
        noise = objective.settled and not objective.joint.clean
        least = max(own.chi2 - effort.NOISE_GAIN, 0.0) if noise else 0.0
        if objective.exact:
            # A long form that leaves nothing is only bettered by a cheaper one.
            least = max(objective.joint.least - regression.pricing.rest, 0.0)
        found: list[Fit] = self.inner.fits(regression, Limit(own.score + effort.PROMISE, least))
        objective.looked.setdefault(equation, []).extend([own, *found])
        promising = [each for each in found if each.score < own.score + effort.PROMISE]
        return [each.expression for each in sorted(promising, key=lambda each: each.score)]
