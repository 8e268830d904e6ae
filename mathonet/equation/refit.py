"""Refit: the constants of a found form by unpenalised least squares, with the one score and covariance."""

from dataclasses import dataclass
from functools import cached_property

import jax.numpy as jnp
import numpy as np

from mathonet.equation.assembly import assemble, constants, tape_operations, with_constants, zero_free
from mathonet.equation.complexity import log_size
from mathonet.equation.expression import Expression
from mathonet.fit.linear import fit_linear, monomial, ridge_inverse
from mathonet.fit.problem import Problem
from mathonet.fit.score import score
from mathonet.fit.tape import evaluate_tape, fit_tape
from mathonet.operations import Operation

STEPS = 60
SUM_EPSILONS = 16

Found = tuple[np.ndarray, float, np.ndarray]
"""Constants, sum of squares, J^T J."""


@dataclass(frozen=True)
class Fitted:
    """A form with fitted constants.

    Attributes:
        expression: the fitted form.
        values: its free constants, in the order of `constants(form)`.
        rss: sum of squared residuals.
        normal: J^T J of the residuals in those constants.
        score: the one score; smaller is better, infinite if the form could not be fitted.
        form: the form as it was fitted; `values` belong to its constants.
    """

    expression: Expression
    values: np.ndarray
    rss: float
    normal: np.ndarray
    score: float
    form: Expression
    count: float

    @cached_property
    def inverse(self) -> np.ndarray:
        """(J^T J)^-1, computed after scaling to a unit diagonal; huge where constants are not determined."""
        size = np.sqrt(np.diagonal(self.normal))
        size = np.where(size > 0, size, 1.0)
        return ridge_inverse(self.normal / np.outer(size, size)) / np.outer(size, size)

    @property
    def sigma(self) -> float:
        """Estimated standard deviation of the residuals."""
        return float(np.sqrt(self.rss / max(self.count - len(self.values), 1.0)))

    @property
    def rounding(self) -> float:
        """Standard error that float64 makes in the sums of this form."""
        return rounding_error(self.values, self.normal, self.count)

    @property
    def covariance(self) -> np.ndarray:
        """Covariance of the free constants."""
        return self.sigma**2 * self.inverse


def rounding_error(values: np.ndarray, normal: np.ndarray, count: float) -> float:
    """Standard error that float64 makes in the sums of a form: some epsilons of its largest term.

    Terms that nearly cancel, as they do for states far from zero, leave rounding that is large beside the
    target. Without this, a spurious term gains from it.
    """
    terms = np.abs(values) * np.sqrt(np.diagonal(normal) / count)
    return SUM_EPSILONS * float(np.finfo(np.float64).eps * terms.max(initial=0.0))


class Refitter:
    """Fits forms on one problem with one target; every form runs through the same compiled engine.

    It remembers the best fit of every form it has seen, so that rivals that lost are still there to be shown.
    """

    def __init__(
        self, problem: Problem, operations: tuple[Operation, ...], floor: float, choices: int = 1
    ) -> None:
        """Set the problem.

        Args:
            problem: one target; in the units the expressions are written in.
            operations: the operations of the search (their number is part of the price).
            floor: standard error of the residuals from rounding.
            choices: number of operations on the smallest rung of the search.
        """
        self.problem = problem
        self.inputs = problem.inputs.shape[1]
        self.operations = operations
        self.tape_operations = tape_operations(operations)
        self.floor = floor
        self.choices = choices
        self.count = float(problem.observations)
        self.seen: dict[tuple, Fitted] = {}
        self.rows, self.weights = np.asarray(problem.inputs), np.asarray(problem.weights)
        self.wanted = np.asarray(problem.targets)[:, 0]

    def fit(self, form: Expression, steps: int = STEPS) -> Fitted:
        """Fit the constants of a form, starting from those it has."""
        form = zero_free(form)
        values = np.asarray(constants(form))
        if not self.affords(form):
            return self._failed(form, values)
        found = self._linear(form, values, steps) or self._tape(form, values, steps)
        if found is None or not np.isfinite(found[1]):
            return self._failed(form, values)
        values, rss, normal = found
        score = self.score(form, rss, rounding_error(values, normal, self.count))
        fitted = Fitted(with_constants(form, values.tolist()), values, rss, normal, score, form, self.count)
        key = fitted.expression.skeleton
        if key not in self.seen or score < self.seen[key].score:
            self.seen[key] = fitted
        return fitted

    def _linear(self, form: Expression, values: np.ndarray, steps: int) -> Found | None:
        """The fit of a sum of monomials, None if the form is not one."""
        problem = self.problem
        if problem.operator is not None or problem.weights.ndim == 2 or any(form.calls()):
            return None
        with np.errstate(all="ignore"):
            columns = np.stack([monomial(self.rows, term.factors) for term in form.terms], axis=1)
        if not np.isfinite(columns).all():
            return None
        found = fit_linear(columns, self.wanted, self.weights, values if steps == 0 else None)
        return found.coefficients, found.rss, found.normal

    def _tape(self, form: Expression, values: np.ndarray, steps: int) -> Found | None:
        """The fit of any form, None if it is too large."""
        tape = assemble(form, self.inputs, self.tape_operations)
        if tape is None or not np.isfinite(values).all():
            return None
        result = fit_tape(tape, self.tape_operations, self.problem, steps)
        k = len(values)
        return np.asarray(result.constants)[:k], float(result.rss), np.asarray(result.normal)[:k, :k]

    def affords(self, form: Expression) -> bool:
        """Whether there are rows enough: with as many constants as residuals any form fits anything."""
        return 2 * len(constants(form)) <= self.count

    def fits_in(self, form: Expression) -> bool:
        """Whether the form is small enough to be fitted; sums of monomials need no tape."""
        if not self.affords(form):
            return False
        return not any(form.calls()) or assemble(form, self.inputs, self.tape_operations) is not None

    def score(self, form: Expression, rss: float, rounding: float = 0.0) -> float:
        """The one score of a form with this sum of squares; `rounding` is the error of its own sums."""
        size = log_size(form, self.inputs, len(self.operations), self.choices)
        return score(rss, self.count, max(self.floor, rounding), len(constants(form)), size)

    def values(self, expression: Expression) -> np.ndarray | None:
        """The expression at every sample of the problem, None if it is too large to evaluate."""
        tape = assemble(zero_free(expression), self.inputs, self.tape_operations)
        if tape is None:
            return None
        return np.asarray(evaluate_tape(tape, self.tape_operations, jnp.asarray(self.problem.inputs)))

    def error(self, expression: Expression) -> float:
        """Root mean square residual of an expression as it is."""
        fitted = self.fit(expression, steps=0)
        return float(np.sqrt(fitted.rss / fitted.count))

    def _failed(self, form: Expression, values: np.ndarray) -> Fitted:
        k = len(values)
        return Fitted(form, values, np.inf, np.zeros((k, k)), np.inf, form, self.count)
