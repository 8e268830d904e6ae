"""Stepwise choice of terms in the quadratic model of a fitted path.

At a fitted path the sum of squares is, to second order, a quadratic function of the constants of all
equations, those of terms that the system does not have included: their slopes there cost one banded solution
each. So what a system would reach with any other choice among these terms is a small linear problem, with the
noise and its correlations treated as the path treats them. The choice made here is then fitted in earnest.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from mathonet.equation.assembly import constants, with_constants
from mathonet.equation.expression import Expression, Term
from mathonet.equation.flow import Flow
from mathonet.fit.shooting import Shot

RIDGE = 1e-12
DEPENDENT = 1e-9
"""What an option must have of its own, beside those that are there, to be worth anything."""
TRACE = 1e-12
FAR = 0.5
"""Largest step of a constant inside a call, as a share of it: the model is good nearby only."""
LEAST = 1e-3
"""Least share of the present sum of squares that a prediction may promise."""


@dataclass(frozen=True)
class Option:
    """A term that an equation may have.

    Attributes:
        equation: whose term it is.
        term: the term.
        place: of its coefficient among all constants.
        inner: places of the constants inside its calls.
    """

    equation: int
    term: Term
    place: int
    inner: tuple[int, ...]


Price = Callable[[float, int, float], float]
"""The one score from a sum of squares, the number of constants and the summed logs of the terms' rungs."""


@dataclass(frozen=True)
class _Optimum:
    """Where the sum of squares is least for some options, in scaled constants."""

    places: np.ndarray
    inverse: np.ndarray
    change: np.ndarray
    slope: np.ndarray
    chi2: float


class Quadratic:
    """The sum of squares as a quadratic function of the constants of all options."""

    def __init__(self, flow: Flow, shot: Shot, price: Price, size: Callable[[Term], float]) -> None:
        """Set the model.

        Args:
            flow: the system with all options as terms.
            shot: fitted path with information and gradient in the constants of `flow`.
            price: the one score.
            size: log of the size of the rung that holds a term.
        """
        self.options = _options(flow)
        self.equations = len(flow)
        self.price = price
        self.sizes = [size(option.term) for option in self.options]
        self._last: tuple[frozenset[int], _Optimum] | None = None
        diagonal = np.diagonal(shot.information)
        # What the path does not feel, or feels beyond all numbers, stays where it is.
        felt = np.isfinite(shot.information).all(axis=0) & np.isfinite(shot.gradient) & (diagonal > 0)
        self.scale = np.sqrt(np.where(felt, diagonal, 1.0))
        information = np.where(felt[:, None] & felt, shot.information, 0.0)
        self.matrix = information / self.scale[:, None] / self.scale + RIDGE * np.eye(len(felt))
        self.matrix[~felt, ~felt] = 1.0
        self.gradient = np.where(felt, shot.gradient, 0.0) / self.scale
        self.chi2 = shot.chi2
        # Coefficients are measured from zero, constants inside calls from where they are.
        self.outer = np.array([option.place for option in self.options], int)
        self.present = np.zeros(len(felt))
        self.present[self.outer] = shot.constants[self.outer] * self.scale[self.outer]

    def active(self, kept: Iterable[int]) -> np.ndarray:
        """Places of the constants of some options, without repetition."""
        places = (p for k in kept for p in (self.options[k].place, *self.options[k].inner))
        return np.fromiter(dict.fromkeys(places), int)

    def forms(self, kept: Iterable[int], values: np.ndarray | None = None) -> tuple[Expression, ...]:
        """The system of some options; with values, their constants take those."""
        terms: list[list[Term]] = [[] for _ in range(self.equations)]
        for k in kept:
            option = self.options[k]
            terms[option.equation].append(option.term if values is None else self._moved(option, values))
        return tuple(Expression(tuple(sorted(each, key=lambda term: term.order))) for each in terms)

    def _moved(self, option: Option, values: np.ndarray) -> Term:
        """A term with the constants that were solved for; those inside calls take limited steps."""
        coefficient = float(values[option.place]) or TRACE
        term = Term(coefficient, option.term.factors)
        if not option.inner:
            return term
        # Of a term that was not there, what is solved for is the coefficient times the step.
        step = values[list(option.inner)] / (1.0 if option.term.coefficient else coefficient)
        inside = np.asarray(constants(Expression((term,))))[1:]
        step = np.clip(step, -FAR * np.abs(inside), FAR * np.abs(inside))
        moved = with_constants(Expression((term,)), [coefficient, *(inside + step).tolist()])
        return moved.terms[0] if len(moved.terms) == 1 else term

    def solve(self, kept: Iterable[int]) -> tuple[float, np.ndarray]:
        """The predicted sum of squares of some options, and the constants there."""
        at = self._at(frozenset(kept))
        values = np.zeros(len(self.scale))
        values[at.places] = (self.present[at.places] + at.change[at.places]) / self.scale[at.places]
        return at.chi2, values

    def _at(self, kept: frozenset[int]) -> "_Optimum":
        """The optimum of some options, all others gone.

        In changes from the present constants: from zero, large numbers would cancel in the sum of squares.
        """
        if self._last is None or self._last[0] != kept:
            places = self.active(kept)
            gone = np.setdiff1d(self.outer, places)
            change = np.zeros(len(self.scale))
            change[gone] = -self.present[gone]
            slope = self.gradient + self.matrix[:, gone] @ change[gone]
            inverse = _inverse(self.matrix[np.ix_(places, places)])
            change[places] = -inverse @ slope[places]
            chi2 = self.chi2 + float((self.gradient[gone] + slope[gone]) @ change[gone])
            chi2 += float(slope[places] @ change[places])
            slope = slope + self.matrix[:, places] @ change[places]
            self._last = (kept, _Optimum(places, inverse, change, slope, max(chi2, LEAST * self.chi2)))
        return self._last[1]

    def score(self, kept: Iterable[int], chi2: float | None = None) -> float:
        """The predicted score of some options."""
        kept = tuple(kept)
        chi2 = self.solve(kept)[0] if chi2 is None else chi2
        return self.price(chi2, len(self.active(kept)), sum(self.sizes[k] for k in kept))

    def neighbours(self, kept: frozenset[int], add: bool = True) -> list[tuple[float, frozenset[int]]]:
        """Predicted scores with one option less, or (if `add`) one more."""
        at = self._at(kept)
        where = {place: number for number, place in enumerate(at.places)}
        values = self.present[at.places] + at.change[at.places]
        least = LEAST * self.chi2
        found = []
        for k in kept:
            rest = kept - {k}
            gone = [where[p] for p in set(self.active([k]).tolist()) - set(self.active(rest).tolist())]
            rise = values[gone] @ _solve(at.inverse[np.ix_(gone, gone)], values[gone])
            found.append((max(at.chi2 + float(rise), least), rest))
        others = [k for k in range(len(self.options)) if k not in kept and not self.options[k].inner]
        if others and add:
            gains = self.gains(kept, others)
            found += [
                (max(at.chi2 - float(gain), least), kept | {k}) for k, gain in zip(others, gains, strict=True)
            ]
        return [(self.score(new, value), new) for value, new in found]

    def gains(self, kept: frozenset[int], others: list[int]) -> np.ndarray:
        """What each of some other options takes off the sum of squares, by all its constants."""
        at = self._at(kept)
        found = []
        for k in others:
            places = np.array([self.options[k].place, *self.options[k].inner])
            cross = self.matrix[np.ix_(places, at.places)]
            left = self.matrix[np.ix_(places, places)] - cross @ at.inverse @ cross.T
            own = np.diagonal(left) > DEPENDENT
            slope = at.slope[places]
            if len(places) > 1 and own.all():
                found.append(float(slope @ _solve(left + DEPENDENT * np.eye(len(places)), slope)))
            else:
                found.append(float(slope[0] ** 2 / left[0, 0]) if own[0] else 0.0)
        return np.array(found)

    def exchanges(self, kept: frozenset[int]) -> list[tuple[float, frozenset[int]]]:
        """Predicted scores with one option exchanged for another of the same equation."""
        found = []
        for k in kept:
            rest = kept - {k}
            own = self.options[k].equation
            for score, new in self.neighbours(rest):
                extra = new - rest
                if extra and self.options[next(iter(extra))].equation == own and new != kept:
                    found.append((score, new))
        return found


def _solve(matrix: np.ndarray, right: np.ndarray) -> np.ndarray:
    try:
        return np.linalg.solve(matrix, right)
    except np.linalg.LinAlgError:
        return np.linalg.lstsq(matrix, right, rcond=RIDGE)[0]


def _inverse(matrix: np.ndarray) -> np.ndarray:
    try:
        return np.linalg.inv(matrix)
    except np.linalg.LinAlgError:
        return np.linalg.pinv(matrix, rcond=RIDGE)


def choose(model: Quadratic, kept: frozenset[int], exchange: bool = True) -> tuple[float, frozenset[int]]:
    """The options that single additions, drops and exchanges lead to, and their predicted score."""
    best = model.score(kept)
    while True:
        score, new = min(model.neighbours(kept), key=lambda each: each[0], default=(np.inf, kept))
        if score >= best - 1e-9 and exchange:
            score, new = min(model.exchanges(kept), key=lambda each: each[0], default=(np.inf, kept))
        if score >= best - 1e-9:
            return best, kept
        best, kept = score, new


def _options(flow: Flow) -> list[Option]:
    """Every outer term of every equation with the places of its constants."""
    found = []
    for equation, (form, outline, place) in enumerate(
        zip(flow.forms, flow.outlines, flow.places, strict=True)
    ):
        inside: list[tuple[int, ...]] = []
        for _, argument in outline.calls:
            found_in: list[int] = []
            for product in argument:  # in the order of `constants`: what is nested follows its coefficient
                found_in += [] if product.constant is None else [product.constant]
                found_in += [c for call, _ in product.calls for c in inside[call]]
            inside.append(tuple(dict.fromkeys(found_in)))
        for term, product in zip(form.terms, outline.terms, strict=True):
            assert product.constant is not None
            inner = dict.fromkeys(c for call, _ in product.calls for c in inside[call])
            found.append(
                Option(
                    equation,
                    term,
                    place.start + product.constant,
                    tuple(place.start + c for c in inner),
                )
            )
    return found
