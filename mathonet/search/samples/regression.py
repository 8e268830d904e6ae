"""Regression: forms of one equation fitted on samples by unpenalised least squares, with the one score."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from mathonet.equation.assembly import constants, tape_operations, with_constants, zero_free
from mathonet.equation.complexity import log_size
from mathonet.equation.expression import Expression
from mathonet.equation.program import compile_form
from mathonet.fit.face import Faces
from mathonet.fit.problem import Problem
from mathonet.fit.residuals import leaves_noise
from mathonet.fit.score import Pricing
from mathonet.fit.separable import Columns, fit_separable
from mathonet.interruption import checkpoint
from mathonet.operations import Operation
from mathonet.search import effort
from mathonet.search.fit import Fit, rounding_error
from mathonet.search.front import Front


class Regression:
    """Fits forms on one problem with one target; structure is data, so none is compiled.

    It remembers the best fit of every form it has seen, so that rivals that lost are still there to be shown.
    """

    def __init__(
        self,
        problem: Problem,
        operations: tuple[Operation, ...],
        floor: float,
        choices: int = 1,
        pricing: Pricing | None = None,
    ) -> None:
        """Set the problem.

        Args:
            problem: one target; in the units the expressions are written in.
            operations: the operations of the search (their number is part of the price).
            floor: standard error of the residuals from rounding.
            choices: number of operations that the simplest forms of the search choose from.
            pricing: the score, where the target is a part of what is fitted; None where it is all of it.
        """
        self.problem = problem
        self.inputs = problem.inputs.shape[1]
        self.operations = operations
        self.tape_operations = tape_operations(operations)
        self.floor = floor
        self.choices = choices
        self.count = float(problem.observations)
        self.pricing = pricing or Pricing(self.count, floor)
        self.front = Front()
        self.rows = np.asarray(problem.inputs)
        self.faces = Faces(self.tape_operations)
        self.weights = np.asarray(problem.weights)
        self.wanted = np.asarray(problem.targets)[:, 0]
        self.operator = _sparse(problem)
        self.targets = self._weigh(self.wanted[:, None])[:, 0]

    def fit(self, form: Expression, steps: int | None = None) -> Fit:
        """Fit the constants of a form, starting from those it has. A chance to end a search."""
        checkpoint()
        steps = effort.FULL_STEPS if steps is None else steps
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
        fit = Fit((expression,), (form,), found.values, found.rss, normal, score, self.count)
        self.front.keep(fit)
        return fit

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

    @property
    def all(self) -> float:
        """The sum of squares of the weighted targets: what is left where nothing is explained."""
        return float(self.targets @ self.targets)

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
        return count <= effort.CONSTANTS_SHARE * self.count

    def fits_in(self, form: Expression) -> bool:
        """Whether the form is small enough to be fitted."""
        count = len(constants(form))
        return self._affords(count) and (count <= effort.MOST_CONSTANTS or not any(form.calls()))

    def score(self, form: Expression, rss: float, rounding: float = 0.0) -> float:
        """The one score of a form with this sum of squares; `rounding` is the error of its own sums."""
        size = log_size(form, self.inputs, len(self.operations), self.choices)
        return self.pricing(rss, len(constants(form)), size, rounding)

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

    def leaves_noise(self, fit: Fit) -> bool:
        """Whether what a form leaves looks like noise."""
        return leaves_noise(*self.left_over(fit.expression))

    def within_floor(self, fit: Fit) -> bool:
        """Whether what a form leaves is below what the samples can tell."""
        return fit.chi2 <= effort.NEXT_TO * self.count * self.floor**2

    def is_exact(self, fit: Fit, among: Iterable[Fit] = ()) -> bool:
        """Whether a form fits down to rounding, is short, and has constants that the samples tell.

        A long one may be an accident: smooth functions of few inputs have polynomials that follow them. A
        vague one may be the limit of another: tanh of a thousand times something is its sign.

        Args:
            fit: which one.
            among: other fits, of which none may be far better.
        """
        short = len(fit.constants) <= effort.SURE
        return short and self.fits_to_rounding(fit, among) and not self.is_vague(fit)

    def is_vague(self, fit: Fit) -> bool:
        """Whether a form has a constant inside a call that cannot be told from zero, to rounding."""
        inner = compile_form(zero_free(fit.as_fitted[0]), self.rows).inner
        if not len(inner):
            return False
        # What residuals would have without each: all others at their best, or as they are if that is less.
        alone = np.diagonal(fit.information)
        profiled = 1.0 / np.maximum(np.diagonal(fit.inverse), effort.RESOLVED)
        effect = np.abs(fit.constants) * np.sqrt(np.minimum(alone, profiled) / fit.count)
        return bool(np.any(effect[inner] < max(self.floor, fit.rounding)))

    def fits_to_rounding(self, fit: Fit, among: Iterable[Fit] = ()) -> bool:
        """Whether a form fits down to the rounding of float64, and no other fits far better.

        Large terms that nearly cancel have a large rounding error; that alone does not make a form exact.
        """
        if fit.chi2 <= effort.NEXT_TO * fit.count * effort.RESOLVED**2:
            return True
        least = min((each.chi2 for each in among), default=fit.chi2)
        return fit.chi2 <= min(effort.NEXT_TO * fit.count * fit.rounding**2, effort.HUNDREDFOLD**2 * least)

    def sizes(self, expression: Expression) -> np.ndarray:
        """Root mean square of every outer term as it is."""
        with np.errstate(over="ignore"):
            return np.sqrt(np.mean(self.terms(expression) ** 2, axis=0))

    def error(self, expression: Expression) -> float:
        """Root mean square residual of an expression as it is."""
        fit = self.fit(expression, steps=0)
        return float(np.sqrt(fit.chi2 / fit.count))

    def _failed(self, form: Expression, values: np.ndarray) -> Fit:
        k = len(values)
        return Fit((form,), (form,), values, np.inf, np.zeros((k, k)), np.inf, self.count)


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
