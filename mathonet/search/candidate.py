"""Candidates: forms read from the runs, cleaned, refitted, equal ones merged."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from mathonet.equation.complexity import complexity
from mathonet.equation.expression import Expression, TooLargeError, variable
from mathonet.equation.reading import read
from mathonet.equation.refit import Fitted, Refitter
from mathonet.equation.simplify import TRIAL_STEPS, complete, descend, misses_a_term, shorten, simplify
from mathonet.fit.residuals import leaves_noise
from mathonet.fit.score import evidence
from mathonet.search import ledger
from mathonet.search.sweep import Sweep

ROUNDING = 1e-12
RIVAL, MOST_RIVALS = 20.0, 15
HUNDREDFOLD = 100.0
TENFOLD = 10.0
FAR = 0.5
MOST_CLEANED, PATIENCE = 30, 8
SURE = 8
"""Constants up to which a form that fits to rounding is no accident."""


@dataclass(frozen=True)
class Candidate:
    """One form for one target, fitted in scaled units.

    Attributes:
        target: number of the target.
        fitted: the form with its constants.
        rung: where it was found.
        hits: runs that led to this form; 0 for forms derived from another candidate.
        validation: root mean square error on the validation rows, of the form fitted without them, in units
            of the target's size.
    """

    target: int
    fitted: Fitted
    rung: str
    hits: int
    validation: float

    @property
    def error(self) -> float:
        """Root mean square residual in units of the target's size."""
        return float(np.sqrt(self.fitted.rss / self.fitted.count))

    @property
    def complexity(self) -> int:
        """Nodes of the form."""
        return complexity(self.fitted.expression)

    @property
    def evidence(self) -> float:
        """Approximate log evidence in nats."""
        return evidence(self.fitted.score)


@dataclass(frozen=True)
class Reading:
    """The form of one run, and the run's training energy."""

    expression: Expression
    energy: float


class Pool:
    """The candidates of one target, one entry a form."""

    def __init__(self, target: int, refitter: Refitter, training: Refitter, held: Refitter) -> None:
        """Set what forms are fitted and scored on, and the two parts that validate them."""
        self.target = target
        self.refitter = refitter
        self.training = training
        self.held = held
        self.entries: dict[tuple, Candidate] = {}
        self.cleaned: dict[tuple, tuple] = {}

    @property
    def best(self) -> Candidate | None:
        """The candidate with the best score."""
        return _first(self.entries.values())

    @property
    def closest(self) -> Candidate | None:
        """The best of the candidates that leave next to the least sum of squares."""
        return _first(self._close())

    @property
    def shortest(self) -> Candidate | None:
        """Of these, the one with the fewest constants."""
        return min(self._close(), key=lambda each: (len(each.fitted.values), each.fitted.rss), default=None)

    def _close(self) -> list[Candidate]:
        least = min((each.fitted.rss for each in self.entries.values()), default=0.0)
        return [each for each in self.entries.values() if each.fitted.rss <= TENFOLD * least]

    @property
    def exact(self) -> bool:
        """Whether the best form fits down to rounding and is short, so that no richer rung can gain.

        A long one may be an accident: smooth functions of few inputs have polynomials that follow them.
        """
        best = self.best
        return best is not None and len(best.fitted.values) <= SURE and self.fits_to_rounding(best)

    @property
    def leaves_noise(self) -> bool:
        """Whether what the best form leaves looks like noise."""
        return self.best is not None and leaves_noise(*self.refitter.left_over(self.best.fitted.expression))

    def fits_to_rounding(self, candidate: Candidate) -> bool:
        """Whether a form fits down to the rounding of float64, and no other fits far better.

        Large terms that nearly cancel have a large rounding error; that alone does not make a form exact.
        """
        fitted = candidate.fitted
        if fitted.rss <= 4.0 * fitted.count * ROUNDING**2:
            return True
        least = min(each.fitted.rss for each in self.entries.values())
        return fitted.rss <= min(4.0 * fitted.count * fitted.rounding**2, HUNDREDFOLD**2 * least)

    def add(self, fitted: Fitted, rung: str, hits: int) -> None:
        """Enter a fitted form, merged with its equals."""
        if not np.isfinite(fitted.score):
            return
        key = fitted.expression.skeleton
        ledger.enter(rung, self.target, key, fitted.rss, fitted.score)
        old = self.entries.get(key)
        if old is None or fitted.score < old.fitted.score:
            error = self.held.error(self.training.fit(fitted.expression).expression)
            new = Candidate(self.target, fitted, rung if old is None else old.rung, hits, error)
            self.entries[key] = new if old is None else replace(new, hits=old.hits + hits)
        else:
            self.entries[key] = replace(old, hits=old.hits + hits)

    def take(self, readings: Iterable[Reading], rung: str, hits: int = 1) -> None:
        """Clean and enter the forms that the runs of a rung were read as, the most promising first.

        Runs that ended in the same form are cleaned once. A form whose fit alone, with no price for its
        constants, already scores worse than the best candidate is entered as it is: taking terms away
        cannot make it the best. One that not even a hundredfold better fit would save is not fitted at all.
        With noise every run comes near, so clean-up ends after so many forms, or some in a row without gain.

        Args:
            readings: the forms.
            rung: where they are from.
            hits: runs that each stands for; 0 where no network was trained.
        """
        cleaned = idle = 0
        for reading in sorted(readings, key=self._promise):
            form = shorten(reading.expression, self.refitter)
            key = form.skeleton
            known = self.entries.get(self.cleaned.get(key, ()))
            # A run that fits far better than what its form was cleaned to had left another minimum.
            if known is not None and 2.0 * reading.energy * self.refitter.count > FAR * known.fitted.rss:
                self.add(known.fitted, rung, hits)
                continue
            if self._hopeless(self.refitter.fit(form, steps=0).rss / HUNDREDFOLD**2):
                continue
            fitted = self.refitter.fit(form)
            if cleaned < MOST_CLEANED and idle < PATIENCE and not self._hopeless(fitted.rss):
                fitted, cleaned = simplify(form, self.refitter), cleaned + 1
                gained = self.best is None or fitted.score < self.best.fitted.score
                idle = 0 if gained else idle + 1
            self.add(fitted, rung, hits)
            if fitted.expression.skeleton in self.entries:
                self.cleaned[key] = fitted.expression.skeleton

    def glance(self, readings: Sequence[Reading], rung: str) -> None:
        """Enter one form where there is no time for more: that of the most promising run, cleaned.

        Runs of the first cycles may be too large to read or to fit; then a polynomial of degree 2, cleaned.
        """
        for reading in sorted(readings, key=self._promise)[:1]:
            self.add(simplify(shorten(reading.expression, self.refitter), self.refitter), rung, 1)
        if self.best is None:
            square = variable(0) * variable(0)
            self.add(simplify(complete(square, self.refitter.inputs), self.refitter), rung, 0)

    def _promise(self, reading: Reading) -> float:
        """The score a run's form would have with the run's own error."""
        return self.refitter.score(reading.expression, 2.0 * reading.energy * self.refitter.count)

    def _hopeless(self, rss: float) -> bool:
        return self.best is not None and self.refitter.score(Expression(), rss) >= self.best.fitted.score

    def complete(self) -> None:
        """Add the best form with every term up to its degree to choose from, cleaned."""
        best = self.best
        if best is not None and not self.exact:
            completed = complete(best.fitted.expression, self.refitter.inputs)
            self.add(simplify(completed, self.refitter), best.rung, 0)

    def widen(self) -> None:
        """Add what stands beside the best form: rivals that clean-up met, and shorter forms."""
        if self.best is None:
            return
        best = self.best
        self.remember()
        for shorter in descend(self.best.fitted, self.refitter):
            self.add(shorter, best.rung, 0)

    def moved(self, refitter: Refitter, most: int = 4) -> "Pool":
        """The best candidates again on other samples: all of them, after a search on some.

        More samples can change their order, so the one that leads then is cleaned. They can also show a term
        that fewer could not: where the residuals of the best form say so, it is completed and cleaned again.
        """
        pool = Pool(self.target, refitter, self.training, self.held)
        ranked = sorted(self.entries.values(), key=lambda each: each.fitted.score)[:most]
        cleaned: set[tuple] = set()
        for number, candidate in enumerate(ranked):
            form = candidate.fitted.expression
            # Fitted on the search's rows already, so a rival needs few steps; on 100,000 rows they are dear.
            fitted = simplify(form, refitter) if number == 0 else refitter.fit(form, TRIAL_STEPS)
            same = fitted.expression.skeleton == form.skeleton
            pool.add(fitted, candidate.rung, candidate.hits if same else 0)
            if number == 0:
                cleaned.add(fitted.expression.skeleton)
        best = pool.best
        if best is not None and best.fitted.expression.skeleton not in cleaned:
            pool.add(simplify(best.fitted.expression, refitter), best.rung, 0)
        # A sine can stand in for a term that few samples could not show: ask the best polynomial as well.
        plain = [each for each in pool.entries.values() if not any(each.fitted.expression.calls())]
        for asked in {id(each): each for each in (pool.best, _first(plain)) if each is not None}.values():
            if misses_a_term(asked.fitted, refitter):
                completed = complete(asked.fitted.expression, refitter.inputs)
                pool.add(simplify(completed, refitter), asked.rung, 0)
        pool.remember()
        return pool

    def carried(self, refitter: Refitter, most: int = 4) -> "Pool":
        """The best candidates fitted on other samples and nothing more: `moved` without time for it."""
        pool = Pool(self.target, refitter, self.training, self.held)
        for each in sorted(self.entries.values(), key=lambda each: each.fitted.score)[:most]:
            pool.add(refitter.fit(each.fitted.expression, TRIAL_STEPS), each.rung, each.hits)
        return pool

    def remember(self) -> None:
        """Enter the rivals that clean-up met and left: those within 20 nats of the best, and the nearest."""
        if self.best is None:
            return
        best = self.best
        ranked = sorted(self.refitter.seen.values(), key=lambda each: each.score)
        for place, fitted in enumerate(ranked[:MOST_RIVALS]):
            if place < 3 or fitted.score - best.fitted.score < 2.0 * RIVAL:
                self.add(fitted, best.rung, 0)


def _first(candidates: Iterable[Candidate]) -> Candidate | None:
    return min(candidates, key=lambda each: each.fitted.score, default=None)


def readings(sweep: Sweep, target: int, output: int) -> list[Reading]:
    """What the runs of a target were read as; unreadable ones are left out."""
    ours = np.flatnonzero(sweep.target == target).tolist()
    runs = [run for run in ours if np.isfinite(sweep.history[-1].energy[run])]
    found = []
    for run in runs:
        try:
            found.append(Reading(read(sweep.network(run))[output], float(sweep.history[-1].energy[run])))
        except (TooLargeError, OverflowError):
            continue
    return found
