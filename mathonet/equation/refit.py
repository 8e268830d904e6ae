"""Refit: the constants of a found form by unpenalised least squares, with the one score and covariance."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from mathonet.equation.assembly import constants, tape_operations, with_constants, zero_free
from mathonet.equation.complexity import log_size
from mathonet.equation.expression import Expression
from mathonet.equation.program import compile_form
from mathonet.fit.face import Faces
from mathonet.fit.linear import ridge_inverse
from mathonet.fit.problem import Problem
from mathonet.fit.score import score
from mathonet.fit.separable import Columns, fit_separable
from mathonet.interruption import checkpoint
from mathonet.operations import Operation

STEPS = 60
SUM_EPSILONS = 16
MOST_CONSTANTS = 40
"""Forms with more constants inside and outside of calls are not fitted; sums of monomials may be longer."""


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
        with np.errstate(all="ignore"):
            return ridge_inverse(self.normal / size[:, None] / size) / size[:, None] / size

    @property
    def sigma(self) -> float:
        """Estimated standard deviation of the residuals."""
        return float(np.sqrt(self.rss / max(self.count - len(self.values), 1.0)))

    @property
    def cancelling(self) -> float:
        """Size of the largest term in units of the target's size: what sums of smaller ones must cancel."""
        return self.rounding / (SUM_EPSILONS * float(np.finfo(np.float64).eps))

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


def sharing(form: Expression) -> tuple:
    """What a form is: its structure, and how many constants are left where equal calls share theirs."""
    return (form.skeleton, len(constants(form)))


class Refitter:
    """Fits forms on one problem with one target; structure is data, so none is compiled.

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
        self.rows = np.asarray(problem.inputs)
        self.faces = Faces(self.tape_operations)
        self.weights = np.asarray(problem.weights)
        self.wanted = np.asarray(problem.targets)[:, 0]
        self.operator = _sparse(problem)
        self.targets = self._weigh(self.wanted[:, None])[:, 0]

    def fit(self, form: Expression, steps: int = STEPS) -> Fitted:
        """Fit the constants of a form, starting from those it has. A chance to end a search."""
        checkpoint()
        form = zero_free(form)
        values = np.asarray(constants(form))
        if steps and not self.affords(form):
            return self._failed(form, values)
        found = self._fit(form, values, steps)
        if found is None or not np.isfinite(found.rss):
            return self._failed(form, values)
        with np.errstate(all="ignore"):
            normal = found.jacobian.T @ found.jacobian
        if not np.isfinite(normal).all():
            return self._failed(form, values)
        score = self.score(form, found.rss, rounding_error(found.values, normal, self.count))
        expression = with_constants(form, found.values.tolist())
        fitted = Fitted(expression, found.values, found.rss, normal, score, form, self.count)
        key = sharing(fitted.expression)
        if key not in self.seen or score < self.seen[key].score:
            self.seen[key] = fitted
        return fitted

    def _fit(self, form: Expression, values: np.ndarray, steps: int) -> "Found | None":
        """Constants, sum of squares and Jacobian in the order of `constants(form)`; None if not finite."""
        program = compile_form(form, self.rows)
        outer, inner = program.outer, program.inner
        everything = values.copy()

        def columns(at: np.ndarray) -> Columns:
            everything[inner] = at
            ran = program.run(everything, self.faces)
            stacked = self._weigh(self._operate(np.stack(ran.columns, axis=1)))
            return Columns(stacked, lambda c: self._weigh(self._operate(ran.inner(c, inner))))

        with np.errstate(all="ignore"):
            found = fit_separable(columns, self.targets, values[inner], values[outer], steps)
        if found is None:
            return None
        order = np.argsort(np.concatenate([outer, inner]))
        fitted = np.concatenate([found.outer, found.inner])[order]
        return Found(fitted, found.rss, found.jacobian[:, order])

    def weighed(self, columns: np.ndarray) -> np.ndarray:
        """Columns of predictions (samples, k) as columns of weighted residuals."""
        return self._weigh(self._operate(columns))

    def _operate(self, columns: np.ndarray) -> np.ndarray:
        return columns if self.operator is None else self.operator @ columns

    def _weigh(self, columns: np.ndarray) -> np.ndarray:
        return self.weights @ columns if self.weights.ndim == 2 else columns * self.weights[:, None]

    def affords(self, form: Expression) -> bool:
        """Whether there are rows enough: with as many constants as residuals any form fits anything."""
        return self._affords(len(constants(form)))

    def _affords(self, count: int) -> bool:
        return 2 * count <= self.count

    def fits_in(self, form: Expression) -> bool:
        """Whether the form is small enough to be fitted."""
        count = len(constants(form))
        return self._affords(count) and (count <= MOST_CONSTANTS or not any(form.calls()))

    def score(self, form: Expression, rss: float, rounding: float = 0.0) -> float:
        """The one score of a form with this sum of squares; `rounding` is the error of its own sums."""
        size = log_size(form, self.inputs, len(self.operations), self.choices)
        return score(rss, self.count, max(self.floor, rounding), len(constants(form)), size)

    def values(self, expression: Expression) -> np.ndarray:
        """The expression at every sample of the problem."""
        return self.terms(expression).sum(axis=1)

    def terms(self, expression: Expression) -> np.ndarray:
        """Every outer term at every sample (samples, terms)."""
        program = compile_form(zero_free(expression), self.rows)
        with np.errstate(all="ignore"):
            columns = np.stack(program.columns(program.values, self.faces), axis=1)
            return columns * program.values[program.outer]

    def slopes_of(self, expression: Expression, rows: np.ndarray) -> np.ndarray:
        """Slopes of an expression in all its constants at some rows, one column each."""
        program = compile_form(zero_free(expression), rows)
        with np.errstate(all="ignore"):
            return program.jacobian(program.values, self.faces)

    def left_over(self, expression: Expression) -> tuple[np.ndarray, np.ndarray | None]:
        """Weighted residuals of an expression over the real rows, and the inputs of the same rows.

        With an operator rows are no samples, and have no inputs.
        """
        values = self._weigh(self._operate(self.values(expression)[:, None]))[:, 0]
        real = int(self.problem.count)
        return (self.targets - values)[:real], self.rows[:real] if self.operator is None else None

    def sizes(self, expression: Expression) -> np.ndarray:
        """Root mean square of every outer term as it is."""
        with np.errstate(over="ignore"):
            return np.sqrt(np.mean(self.terms(expression) ** 2, axis=0))

    def error(self, expression: Expression) -> float:
        """Root mean square residual of an expression as it is."""
        fitted = self.fit(expression, steps=0)
        return float(np.sqrt(fitted.rss / fitted.count))

    def _failed(self, form: Expression, values: np.ndarray) -> Fitted:
        k = len(values)
        return Fitted(form, values, np.inf, np.zeros((k, k)), np.inf, form, self.count)


@dataclass(frozen=True)
class Found:
    """Fitted constants, the sum of squares and the Jacobian in them."""

    values: np.ndarray
    rss: float
    jacobian: np.ndarray


def _sparse(problem: Problem) -> csr_array | None:
    """The linear operator between predictions and targets as a sparse matrix, None for the identity."""
    if problem.operator is None:
        return None
    index, value = np.asarray(problem.operator.index), np.asarray(problem.operator.value)
    start = np.arange(len(index) + 1) * index.shape[1]
    shape = (len(index), len(problem.inputs))
    return csr_array((value.ravel(), index.ravel(), start), shape=shape)
