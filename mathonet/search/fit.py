"""Fit: forms with fitted constants, of one equation on samples or of a whole system on a path."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mathonet.equation.assembly import constants
from mathonet.equation.expression import Expression
from mathonet.fit.linear import ridge_inverse
from mathonet.fit.shooting import Shot
from mathonet.search import effort

Structure = tuple[tuple, int]
"""What forms are without their constants: skeletons, and how many constants there are, shared ones once."""


def structure(forms: Sequence[Expression]) -> Structure:
    """What forms are without their constants."""
    return tuple(form.skeleton for form in forms), sum(len(constants(form)) for form in forms)


@dataclass(frozen=True)
class Fit:
    """A form, or the forms of a system, with fitted constants.

    Attributes:
        forms: with their constants, in normal form.
        as_fitted: the forms as they were fitted, whose order the constants have.
        constants: the free ones.
        chi2: sum of squared weighted residuals.
        information: J^T J of the residuals in the constants, a path left free.
        score: the one score; smaller is better, infinite if the forms could not be fitted.
        count: number of residuals.
        origin: who proposed it.
        shot: the fitted path, where it was fitted on one.
    """

    forms: tuple[Expression, ...]
    as_fitted: tuple[Expression, ...]
    constants: np.ndarray
    chi2: float
    information: np.ndarray
    score: float
    count: float
    origin: str = ""
    shot: Shot | None = None

    @property
    def expression(self) -> Expression:
        """The form of one equation."""
        (form,) = self.forms
        return form

    @cached_property
    def structure(self) -> Structure:
        """What the forms are without their constants."""
        return structure(self.forms)

    @property
    def longest(self) -> int:
        """Constants of the equation that has most."""
        return max((len(constants(form)) for form in self.forms), default=0)

    @property
    def skeleton(self) -> tuple:
        """The structure of all equations, whatever their calls share."""
        return self.structure[0]

    @property
    def path(self) -> Shot:
        """The fitted path of a system."""
        assert self.shot is not None, "only what was fitted on a path has one"
        return self.shot

    @cached_property
    def inverse(self) -> np.ndarray:
        """(J^T J)^-1, computed after scaling to a unit diagonal; huge where constants are not determined."""
        size = np.sqrt(np.diagonal(self.information))
        size = np.where(size > 0, size, 1.0)
        with np.errstate(all="ignore"):
            return ridge_inverse(self.information / size[:, None] / size) / size[:, None] / size

    @property
    def sigma(self) -> float:
        """Estimated standard deviation of the residuals."""
        return float(np.sqrt(self.chi2 / max(self.count - len(self.constants), 1.0)))

    @property
    def cancelling(self) -> float:
        """Size of the largest term in units of the target's size: what sums of smaller ones must cancel."""
        return self.rounding / (effort.SUM_EPSILONS * float(np.finfo(np.float64).eps))

    @property
    def rounding(self) -> float:
        """Standard error that float64 makes in the sums of this form."""
        return rounding_error(self.constants, self.information, self.count)

    @property
    def covariance(self) -> np.ndarray:
        """Covariance of the free constants."""
        return self.sigma**2 * self.inverse


def rounding_error(values: np.ndarray, information: np.ndarray, count: float) -> float:
    """Standard error that float64 makes in the sums of a form: some epsilons of its largest term.

    Terms that nearly cancel, as they do for states far from zero, leave rounding that is large beside the
    target. Without this, a spurious term gains from it.
    """
    terms = np.abs(values) * np.sqrt(np.diagonal(information) / count)
    return effort.SUM_EPSILONS * float(np.finfo(np.float64).eps * terms.max(initial=0.0))
