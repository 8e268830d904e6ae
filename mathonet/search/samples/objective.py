"""SampleObjective: one equation on samples. What is proposed is cleaned up, fitted, and kept once a form."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from mathonet.equation.complexity import complexity
from mathonet.equation.expression import Expression, variable
from mathonet.fit.score import evidence
from mathonet.search import effort, ledger
from mathonet.search.fit import Fit, Structure
from mathonet.search.front import Front
from mathonet.search.objective import Proposal
from mathonet.search.samples.regression import Regression
from mathonet.search.samples.rewrites import complete, descend, misses_a_term, shorten, simplify


@dataclass(frozen=True)
class Candidate:
    """One form for one target, fitted in scaled units.

    Attributes:
        target: number of the target.
        fitted: the form with its constants.
        rung: who proposed it.
        hits: runs that led to this form; 0 for forms derived from another candidate.
        validation: root mean square error on the validation rows, of the form fitted without them, in units
            of the target's size.
    """

    target: int
    fitted: Fit
    rung: str
    hits: int
    validation: float

    @property
    def error(self) -> float:
        """Root mean square residual in units of the target's size."""
        return float(np.sqrt(self.fitted.chi2 / self.fitted.count))

    @property
    def complexity(self) -> int:
        """Nodes of the form."""
        return complexity(self.fitted.expression)

    @property
    def evidence(self) -> float:
        """Approximate log evidence in nats."""
        return evidence(self.fitted.score)


class SampleObjective:
    """The search for one equation on samples."""

    def __init__(self, target: int, regression: Regression, training: Regression, held: Regression) -> None:
        """Set what forms are fitted and scored on, and the two parts that validate them."""
        self.target = target
        self.regression = regression
        self.training = training
        self.held = held
        self.front = Front()
        self.hits: Counter[Structure] = Counter()

    @property
    def best(self) -> Fit | None:
        """The form with the best score."""
        return self.front.best

    @property
    def exact(self) -> bool:
        """Whether the best form fits down to rounding and is short, so that nothing richer can gain."""
        return self.best is not None and self.regression.is_exact(self.best, self.front)

    @property
    def leaves_noise(self) -> bool:
        """Whether what the best form leaves looks like noise."""
        return self.best is not None and self.regression.leaves_noise(self.best)

    def keep(self, fit: Fit, origin: str, hits: int = 0) -> None:
        """Enter a fitted form, merged with its equals."""
        if not np.isfinite(fit.score):
            return
        ledger.enter(origin, self.target, fit.skeleton[0], fit.chi2, fit.score)
        known = self.front.get(fit.forms)
        self.front.keep(replace(fit, origin=origin if known is None else known.origin))
        self.hits[fit.structure] += hits

    def consider(self, proposals: Sequence[Proposal], origin: str) -> None:
        """Clean and keep what is proposed, the most promising first.

        Runs that ended in the same form are cleaned once. A form whose fit alone, with no price for its
        constants, already scores worse than the best one is kept as it is: taking terms away cannot make it
        the best. One that not even a hundredfold better fit would save is not fitted at all. With noise every
        run comes near, so clean-up ends after so many forms, or some in a row without gain.
        """
        cleaned = idle = 0
        for proposal in sorted(proposals, key=self._promise):
            form = shorten(proposal.forms[0], self.regression)
            if proposal.clean:
                self.keep(self.regression.fit(form), origin)
                continue
            known = self.front.led_to((form,))
            # A run that fits far better than what its form was cleaned to had left another minimum.
            if known is not None and (proposal.chi2 is None or proposal.chi2 > effort.ELSEWHERE * known.chi2):
                self.keep(known, origin, proposal.hits)
                continue
            known_to_fit = proposal.chi2 is not None
            if known_to_fit and self._hopeless(
                self.regression.fit(form, steps=0).chi2 / effort.HUNDREDFOLD**2
            ):
                continue
            fit = self.regression.fit(form)
            if (
                cleaned < effort.MOST_CLEANED
                and idle < effort.CLEANED_IN_VAIN
                and not self._hopeless(fit.chi2)
            ):
                fit, cleaned = simplify(form, self.regression), cleaned + 1
                gained = self.best is None or fit.score < self.best.score
                idle = 0 if gained else idle + 1
            self.keep(fit, origin, proposal.hits)
            if np.isfinite(fit.score):
                self.front.lead((form,), fit)
        if not all(each.clean for each in proposals):
            self.complete()

    def glance(self, proposals: Sequence[Proposal], origin: str) -> None:
        """Keep one form where there is no time for more: that of the most promising run, cleaned.

        Runs of the first cycles may be too large to read or to fit; then a polynomial of degree 2, cleaned.
        """
        for proposal in sorted(proposals, key=self._promise)[:1]:
            self.keep(simplify(shorten(proposal.forms[0], self.regression), self.regression), origin, 1)
        if self.best is None:
            square = variable(0) * variable(0)
            self.keep(simplify(complete(square, self.regression.inputs), self.regression), origin)

    def recall(self, origin: str) -> None:
        """Keep the best forms that were fitted, though their proposer was stopped before it gave them."""
        for fit in self.regression.front.ranked()[: effort.RIVALS_FITTED]:
            if self.best is None or fit.score < self.best.score:
                self.keep(fit, origin)

    def _promise(self, proposal: Proposal) -> float:
        """The score that a form would have with the error that its proposer saw."""
        chi2 = 0.0 if proposal.chi2 is None else proposal.chi2
        return self.regression.score(proposal.forms[0], chi2)

    def _hopeless(self, chi2: float) -> bool:
        return self.best is not None and self.regression.score(Expression(), chi2) >= self.best.score

    def complete(self) -> None:
        """Add the best form with every term up to its degree to choose from, cleaned."""
        best = self.best
        if best is not None and not self.exact:
            completed = complete(best.expression, self.regression.inputs)
            self.keep(simplify(completed, self.regression), best.origin)

    def widen(self) -> None:
        """Add what stands beside the best form: rivals that clean-up met, and shorter forms."""
        if self.best is None:
            return
        best = self.best
        self.remember()
        for shorter in descend(self.best, self.regression):
            self.keep(shorter, best.origin)

    def moved(self, regression: Regression, most: int = 4) -> "SampleObjective":
        """The best forms again on other samples: all of them, after a search on some.

        More samples can change their order, so the one that leads then is cleaned. They can also show a term
        that fewer could not: where the residuals of the best form say so, it is completed and cleaned again.
        """
        whole = SampleObjective(self.target, regression, self.training, self.held)
        cleaned: set[tuple] = set()
        for number, known in enumerate(self.front.ranked()[:most]):
            form = known.expression
            # Fitted on the search's rows already, so a rival needs few steps; on 100,000 rows they are dear.
            fit = simplify(form, regression) if number == 0 else regression.fit(form, effort.JUDGING_STEPS)
            same = fit.skeleton == known.skeleton
            whole.keep(fit, known.origin, self.hits[known.structure] if same else 0)
            if number == 0:
                cleaned.add(fit.skeleton)
        best = whole.best
        if best is not None and best.skeleton not in cleaned:
            whole.keep(simplify(best.expression, regression), best.origin)
        # A sine can stand in for a term that few samples could not show: ask the best polynomial as well.
        plain = [each for each in whole.front if not any(each.expression.calls())]
        asked = (whole.best, min(plain, key=lambda each: each.score, default=None))
        for each in {id(each): each for each in asked if each is not None}.values():
            if misses_a_term(each, regression):
                completed = complete(each.expression, regression.inputs)
                whole.keep(simplify(completed, regression), each.origin)
        whole.remember()
        return whole

    def carried(self, regression: Regression, most: int = 4) -> "SampleObjective":
        """The best forms fitted on other samples and nothing more: `moved` without time for it."""
        whole = SampleObjective(self.target, regression, self.training, self.held)
        for each in self.front.ranked()[:most]:
            whole.keep(
                regression.fit(each.expression, effort.JUDGING_STEPS), each.origin, self.hits[each.structure]
            )
        return whole

    def remember(self) -> None:
        """Keep the rivals that clean-up met and left: those within 20 nats of the best, and the nearest."""
        if self.best is None:
            return
        best = self.best
        for place, fit in enumerate(self.regression.front.ranked()[: effort.RIVALS_SHOWN]):
            if place < 3 or fit.score - best.score < 2.0 * effort.RIVAL:
                self.keep(fit, best.origin)

    def candidates(self) -> list[Candidate]:
        """Every form that was kept, best score first, with its error on rows it was not fitted on."""
        return [self._candidate(each) for each in self.front.ranked()]

    def _candidate(self, fit: Fit) -> Candidate:
        error = self.held.error(self.training.fit(fit.expression).expression)
        return Candidate(self.target, fit, fit.origin, self.hits[fit.structure], error)
