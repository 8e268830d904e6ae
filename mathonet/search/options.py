"""Options of a local model: terms by the places of their constants, their price, and an optimum of some."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mathonet.fit.score import scores


@dataclass(frozen=True)
class Option:
    """A term that an equation may have, by the places of its constants: of its coefficient, and inside."""

    equation: int
    place: int
    inner: tuple[int, ...] = ()

    @property
    def places(self) -> tuple[int, ...]:
        """All of them, that of the coefficient first."""
        return (self.place, *self.inner)


@dataclass(frozen=True)
class Price:
    """The one score of a sum of squares.

    Attributes:
        count: N.
        floor: error below which residuals mean nothing.
        sizes: of every option, the log of the size of the rung that holds its term.
        rest: sum of squares of what else is fitted.
        coefficients: what coefficients cost by themselves, in the units of the score; None for nothing.
    """

    count: float
    floor: float
    sizes: np.ndarray
    rest: float = 0.0
    coefficients: Callable[[np.ndarray], np.ndarray] | None = None

    def __call__(
        self, chi2: np.ndarray, constants: np.ndarray | int, sizes: np.ndarray | float
    ) -> np.ndarray:
        """Scores of some sums of squares, with so many constants and these summed logs."""
        return scores(chi2 + self.rest, self.count, self.floor, constants, sizes)


@dataclass(frozen=True)
class Optimum:
    """Where the sum of squares is least for some options.

    Attributes:
        kept: the options.
        places: of their constants.
        basis: orthonormal columns that span theirs.
        inverse: of the triangle of theirs.
        values: the constants, in units of the scaled columns.
        left: what is left of the right-hand side.
        chi2: the sum of squares.
    """

    kept: tuple[int, ...]
    places: np.ndarray
    basis: np.ndarray
    inverse: np.ndarray
    values: np.ndarray
    left: np.ndarray
    chi2: float

    def where(self, places: Sequence[int] | np.ndarray) -> np.ndarray:
        """Which of its constants some places are."""
        order = np.argsort(self.places)
        return order[np.searchsorted(self.places[order], np.asarray(places, int))]

    @cached_property
    def variance(self) -> np.ndarray:
        """Diagonal of the inverse normal matrix."""
        return np.sum(self.inverse**2, axis=1)

    @cached_property
    def rise(self) -> np.ndarray:
        """What the sum of squares rises by without each of the constants."""
        return self.values**2 / self.variance

    @cached_property
    def own(self) -> np.ndarray:
        """Of every column, the direction that only it has, of length one."""
        return (self.basis @ self.inverse.T) / np.sqrt(self.variance)
