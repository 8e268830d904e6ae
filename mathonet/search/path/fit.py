"""PathFit: all equations of a system fitted at once on the measured path, with the one score."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from mathonet.equation.assembly import constants, tape_operations
from mathonet.equation.complexity import log_size
from mathonet.equation.expression import Expression, Term
from mathonet.equation.flow import Flow
from mathonet.fit.face import Faces
from mathonet.fit.path import ANNEAL, Path
from mathonet.fit.score import Pricing, score
from mathonet.fit.shooting import shoot
from mathonet.operations import Operation
from mathonet.search import effort, ledger
from mathonet.search.fit import Fit
from mathonet.search.front import Front
from mathonet.search.options import Price

PATH = "path"
"""The stage of fits on the path, in a ledger."""


@dataclass
class PathFit:
    """Fits systems on one path, and keeps them in a front.

    Attributes:
        path: what was measured, in scaled units.
        smoothed: states at its nodes that a fit may start from.
        inputs: number of inputs of every equation.
        operations: the operations of the search (their number is part of the price).
        rates: from the units of an equation's value to those of its state.
        known: terms with fixed constants, one expression an equation.
        searched: which equations are to be found; the others are known.
        rows: smoothed states and inputs at the nodes.
        slopes: derivatives of the smoothed states there.
        slope_std: their deviations.
        smoothed_std: deviations of the smoothed states.
        floor: deviation, in units of the noise, below which residuals mean nothing.
        clean: whether no noise is seen in any state.
        precise: whether hardly any is.
        choices: number of operations that the simplest forms of the search choose from.
        share: largest noise that a state is fitted with, as a share of its size.
        grain: error of clean data themselves, as a share of a state's size, where they were found to have
            some: a coarse integrator's. Zero where none was found.
    """

    path: Path
    smoothed: np.ndarray
    inputs: int
    operations: tuple[Operation, ...]
    rates: np.ndarray
    known: tuple[Expression, ...]
    searched: tuple[int, ...]
    rows: np.ndarray
    slopes: np.ndarray
    slope_std: np.ndarray
    smoothed_std: np.ndarray
    floor: float = 0.0
    clean: bool = False
    precise: bool = False
    choices: int = 1
    share: float = 0.0
    grain: float = 0.0
    front: Front = field(default_factory=Front)

    def __post_init__(self) -> None:
        """Make the faces of the operations once."""
        self.faces = Faces(tape_operations(self.operations))

    def flow(self, forms: Sequence[Expression]) -> Flow:
        """A system as a right-hand side."""
        return Flow(forms, self.inputs, self.faces, self.rates, self.known)

    def score(self, forms: Sequence[Expression], chi2: float) -> float:
        """The one score of a system whose sum of squares is chi2, before its coefficients are known."""
        sizes = sum(self.size(term) for form in forms for term in form.terms)
        return self.price(chi2, sum(len(constants(form)) for form in forms), sizes)

    def price(self, chi2: float, count: int, sizes: float) -> float:
        """The one score from a sum of squares, the number of constants and the summed logs of the rungs."""
        return score(chi2, self.path.count, self.floor, count, sizes)

    def pricing(self, others: Sequence[Expression], rest: float) -> Pricing:
        """The one score of one equation's form beside those of the others and what these leave."""
        sizes = sum(self.size(term) for form in others for term in form.terms)
        count = sum(len(constants(form)) for form in others)
        return Pricing(self.path.count, self.floor, rest, count, sizes)

    def prices(self, sizes: np.ndarray) -> Price:
        """The one score for a local model, from the logs of the rungs of its options."""
        return Price(self.path.count, self.floor, sizes, coefficients=costs_of_size)

    def size(self, term: Term) -> float:
        """Log of the size of the smallest rung that holds a term."""
        return log_size(Expression((term,)), self.inputs, len(self.operations), self.choices)

    def along(self, fit: Fit) -> np.ndarray:
        """States of a fitted path and inputs, at its nodes."""
        return np.hstack([fit.path.x, self.rows[:, fit.path.x.shape[1] :]])

    @property
    def least(self) -> float:
        """The sum of squares below which nothing can be told."""
        return self.path.count * self.floor**2

    def within_floor(self, chi2: float) -> bool:
        """Whether a sum of squares is below what can be told."""
        return self.floor > 0 and chi2 <= self.least

    @property
    def hidden(self) -> tuple[int, ...]:
        """States that were not measured at all."""
        return tuple(np.flatnonzero(~(self.path.weights > 0).any(axis=0)).tolist())

    def misfit(self, fit: Fit, state: int) -> float:
        """Mean square of what a system leaves of a state, in units of its noise; 1 if all is well.

        A state that is taken as exact, or whose data are clean, has none to speak of.
        """
        weights = self.path.weights[:, state]
        if not self.path.told[state] or self.clean:
            return 1.0
        residuals = weights * (self.path.y[:, state] - fit.path.x[:, state])
        return float(np.sum(residuals**2) / np.count_nonzero(weights))

    def bent(self, fit: Fit) -> float:
        """Share that the joints have in the sum of squares, a value; next to nothing for a true system.

        A state that hardly matters to itself, noise for one, could else serve others as a hidden force: large
        constants make much of the little that its joints may give.
        Clean data have no noise to compare it with.
        """
        return 0.0 if self.clean else (fit.path.chi2 - fit.path.data) / self.path.count

    def loosened(self, floor: float, grain: float = 0.0) -> "PathFit":
        """The same with another floor: every system that was fitted is judged anew."""
        looser = replace(self, floor=floor, grain=grain)
        looser.front = Front()
        for fit in self.front:
            looser.front.keep(looser.judged(fit))
        return looser

    def judged(self, fit: Fit) -> Fit:
        """A fit with the score that it has here."""
        return replace(fit, score=self.score(fit.as_fitted, fit.chi2) + price_of_size(fit.forms))

    def affords(self, forms: Sequence[Expression]) -> bool:
        """Whether there are values enough: at least two a constant."""
        return sum(len(constants(form)) for form in forms) <= effort.CONSTANTS_SHARE * self.path.freedom

    def fit(
        self,
        forms: Sequence[Expression],
        start: np.ndarray | None = None,
        anneal: tuple[float, ...] = ANNEAL,
        steps: int | None = None,
    ) -> Fit | None:
        """Fit a system from the constants it has and a path; None if that fails.

        Args:
            forms: one expression an equation.
            start: first states at the nodes; None for the smoothed ones.
            anneal: of `shoot`.
            steps: of `shoot`; None for those that judge a form.
        """
        if not self.affords(forms):
            return None
        flow = self.flow(forms)
        with np.errstate(all="ignore"):
            shot = shoot(
                flow,
                flow.constants,
                self.path,
                self.smoothed if start is None else start,
                anneal,
                steps=effort.JUDGING_STEPS if steps is None else steps,
            )
        if shot is None or not np.isfinite(shot.chi2):
            return None
        fitted = flow.with_constants(shot.constants)
        score = self.score(flow.forms, shot.chi2) + price_of_size(fitted)
        information, count = shot.information, float(self.path.count)
        found = Fit(fitted, flow.forms, shot.constants, shot.chi2, information, score, count, PATH, shot)
        ledger.enter(PATH, None, found.skeleton, shot.chi2, score)
        self.front.keep(found)
        return found


def price_of_size(forms: Sequence[Expression]) -> float:
    """What large coefficients cost, in the units of the score: Cauchy's law says how unlikely they are.

    Where states are bound to one another, by a conservation law for one, huge terms that cancel follow the
    data, and their noise, from one start alone.
    """
    coefficients = np.array([term.coefficient for form in forms for term in form.terms])
    return float(np.sum(costs_of_size(coefficients)))


def costs_of_size(coefficients: np.ndarray) -> np.ndarray:
    """What each of some coefficients costs."""
    return 2.0 * np.log1p((coefficients / effort.LARGE) ** 2)
