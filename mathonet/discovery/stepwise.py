"""Stepwise choice of terms in the quadratic model of a fitted path.

At a fitted path the sum of squares is, to second order, a quadratic function of the constants of all
equations, those of terms that the system does not have included: their slopes there cost one banded solution
each. So what a system would reach with any other choice among these terms is a small linear problem, with the
noise and its correlations treated as the path treats them. The choice made here is then fitted in earnest.
"""

from collections import Counter
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

    @property
    def places(self) -> tuple[int, ...]:
        """Places of all its constants, that of its coefficient first."""
        return (self.place, *self.inner)


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
        return np.fromiter(dict.fromkeys(p for k in kept for p in self.options[k].places), int)

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

    def score(self, kept: Iterable[int]) -> float:
        """The predicted score of some options."""
        kept = frozenset(kept)
        at = self._at(kept)
        return self.price(at.chi2, len(at.places), sum(self.sizes[k] for k in kept))

    def neighbours(self, kept: frozenset[int], add: bool = True) -> list[tuple[float, frozenset[int]]]:
        """Predicted scores with one option less, or (if `add`) one more."""
        others = [k for k in range(len(self.options)) if k not in kept and not self.options[k].inner]
        return self._without(kept) + (self._with(kept, others) if add else [])

    def _without(self, kept: frozenset[int]) -> list[tuple[float, frozenset[int]]]:
        """Predicted scores with one option less."""
        at = self._at(kept)
        where = {place: number for number, place in enumerate(at.places.tolist())}
        values = self.present[at.places] + at.change[at.places]
        size = sum(self.sizes[k] for k in kept)
        users = Counter(place for k in kept for place in self.options[k].places)
        found = []
        for k in kept:
            gone = [where[place] for place in self.options[k].places if users[place] == 1]
            rise = values[gone] @ _solve(at.inverse[np.ix_(gone, gone)], values[gone])
            chi2 = max(at.chi2 + float(rise), LEAST * self.chi2)
            found.append((self.price(chi2, len(values) - len(gone), size - self.sizes[k]), kept - {k}))
        return found

    def _with(self, kept: frozenset[int], others: list[int]) -> list[tuple[float, frozenset[int]]]:
        """Predicted scores with one option more, of those that have no constants inside."""
        at = self._at(kept)
        size = sum(self.sizes[k] for k in kept)
        left = np.maximum(at.chi2 - self.gains(kept, others), LEAST * self.chi2).tolist()
        return [
            (self.price(chi2, len(at.places) + 1, size + self.sizes[k]), kept | {k})
            for k, chi2 in zip(others, left, strict=True)
        ]

    def gains(self, kept: frozenset[int], others: list[int]) -> np.ndarray:
        """What each of some other options takes off the sum of squares, by all its constants."""
        at = self._at(kept)
        places = self.outer[others]
        cross = self.matrix[np.ix_(places, at.places)]
        left = self.matrix[places, places] - np.sum(cross @ at.inverse * cross, axis=1)
        found = np.where(left > DEPENDENT, at.slope[places] ** 2 / np.maximum(left, DEPENDENT), 0.0)
        for number, k in enumerate(others):
            if self.options[k].inner:
                found[number] = self._gain(at, np.array(self.options[k].places), found[number])
        return found

    def _gain(self, at: "_Optimum", places: np.ndarray, alone: float) -> float:
        """What several constants gain together, or the first alone where they are not independent."""
        cross = self.matrix[np.ix_(places, at.places)]
        left = self.matrix[np.ix_(places, places)] - cross @ at.inverse @ cross.T
        if not (np.diagonal(left) > DEPENDENT).all():
            return alone
        slope = at.slope[places]
        return float(slope @ _solve(left + DEPENDENT * np.eye(len(places)), slope))

    def exchanges(self, kept: frozenset[int]) -> list[tuple[float, frozenset[int]]]:
        """Predicted scores with one option exchanged for another of the same equation."""
        found = []
        for k in kept:
            own = self.options[k].equation
            others = [
                other
                for other, option in enumerate(self.options)
                if other not in kept and option.equation == own and not option.inner
            ]
            found += self._with(kept - {k}, others)
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
