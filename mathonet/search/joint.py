"""The joint fit: all equations of a system at once on the measured path, with the one score."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from mathonet.equation.assembly import constants, tape_operations
from mathonet.equation.complexity import log_size
from mathonet.equation.expression import Expression, Term
from mathonet.equation.flow import Flow
from mathonet.fit.face import Faces
from mathonet.fit.path import ANNEAL, Path
from mathonet.fit.score import score
from mathonet.fit.shooting import Shot, shoot
from mathonet.operations import Operation
from mathonet.search import ledger
from mathonet.search.options import Price

LARGE = 10.0
"""Size of a coefficient, in the units of the search, from which on it has a price of its own."""
PATH = "path"
"""The stage of fits on the path, in a ledger."""
TRIAL_STEPS = 12
"""Steps of a fit that only judges a form."""


@dataclass(frozen=True)
class JointFit:
    """A system fitted on the path.

    Attributes:
        forms: the equations with their fitted constants, in normal form.
        flow: the system as it was fitted; the shot's constants are in its order.
        shot: the fitted path and constants.
        score: the one score of the whole system, with the price of large coefficients; smaller is better.
    """

    forms: tuple[Expression, ...]
    flow: Flow
    shot: Shot
    score: float

    @property
    def skeleton(self) -> tuple:
        """The structure of all equations."""
        return tuple(form.skeleton for form in self.forms)


@dataclass
class Joint:
    """Fits systems on one path, and remembers the best fit of each structure.

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
        choices: number of operations on the smallest rung of the search.
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
    seen: dict[tuple, JointFit] = field(default_factory=dict)
    tried: set[tuple] = field(default_factory=set)

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

    def prices(self, sizes: np.ndarray) -> Price:
        """The one score for a local model, from the logs of the rungs of its options."""
        return Price(self.path.count, self.floor, sizes, costs_of_size)

    def size(self, term: Term) -> float:
        """Log of the size of the smallest rung that holds a term."""
        return log_size(Expression((term,)), self.inputs, len(self.operations), self.choices)

    def along(self, fit: JointFit) -> np.ndarray:
        """States of a fitted path and inputs, at its nodes."""
        return np.hstack([fit.shot.x, self.rows[:, fit.shot.x.shape[1] :]])

    def within_floor(self, chi2: float) -> bool:
        """Whether a sum of squares is below what can be told."""
        return self.floor > 0 and chi2 <= self.path.count * self.floor**2

    @property
    def hidden(self) -> tuple[int, ...]:
        """States that were not measured at all."""
        return tuple(np.flatnonzero(~(self.path.weights > 0).any(axis=0)).tolist())

    def misfit(self, fit: JointFit, state: int) -> float:
        """Mean square of what a system leaves of a state, in units of its noise; 1 if all is well.

        A state that is taken as exact, or whose data are clean, has none to speak of.
        """
        weights = self.path.weights[:, state]
        if not self.path.told[state] or self.clean:
            return 1.0
        residuals = weights * (self.path.y[:, state] - fit.shot.x[:, state])
        return float(np.sum(residuals**2) / np.count_nonzero(weights))

    def bent(self, fit: JointFit) -> float:
        """Share that the joints have in the sum of squares, a value; next to nothing for a true system.

        A state that hardly matters to itself, noise for one, could else serve others as a hidden force: large
        constants make much of the little that its joints may give.
        """
        return (fit.shot.chi2 - fit.shot.data) / self.path.count

    def loosened(self, floor: float) -> "Joint":
        """The same with another floor: every system that was fitted is judged anew."""
        joint = replace(self, floor=floor)
        joint.seen = {
            skeleton: replace(
                fit, score=joint.score(fit.flow.forms, fit.shot.chi2) + price_of_size(fit.forms)
            )
            for skeleton, fit in self.seen.items()
        }
        return joint

    def cheapest(self) -> JointFit:
        """The system with the best score of all that were fitted."""
        return min(self.seen.values(), key=lambda each: each.score)

    def affords(self, forms: Sequence[Expression]) -> bool:
        """Whether there are values enough: at least two a constant."""
        return 2 * sum(len(constants(form)) for form in forms) <= self.path.freedom

    def fit(
        self,
        forms: Sequence[Expression],
        start: np.ndarray | None = None,
        anneal: tuple[float, ...] = ANNEAL,
        steps: int = TRIAL_STEPS,
    ) -> JointFit | None:
        """Fit a system from the constants it has and a path; None if that fails.

        Args:
            forms: one expression an equation.
            start: first states at the nodes; None for the smoothed ones.
            anneal: of `shoot`.
            steps: of `shoot`.
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
                steps=steps,
            )
        if shot is None or not np.isfinite(shot.chi2):
            return None
        fitted = flow.with_constants(shot.constants)
        found = JointFit(fitted, flow, shot, self.score(flow.forms, shot.chi2) + price_of_size(fitted))
        ledger.enter(PATH, None, found.skeleton, shot.chi2, found.score)
        known = self.seen.get(found.skeleton)
        if known is None or found.score < known.score:
            self.seen[found.skeleton] = found
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
    return 2.0 * np.log1p((coefficients / LARGE) ** 2)
