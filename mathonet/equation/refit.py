"""Refit: the constants of a found form by unpenalised least squares, with the one score and covariance."""

from dataclasses import dataclass
from functools import cached_property

import jax.numpy as jnp
import numpy as np

from mathonet.equation.assembly import assemble, constants, tape_operations, with_constants, zero_free
from mathonet.equation.complexity import log_size
from mathonet.equation.expression import Expression
from mathonet.fit.problem import Problem
from mathonet.fit.score import score
from mathonet.fit.tape import evaluate_tape, fit_tape
from mathonet.operations import Operation

STEPS = 60


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
        """(J^T J)^-1, computed after scaling to a unit diagonal; a pseudo-inverse where it is singular."""
        size = np.sqrt(np.diagonal(self.normal))
        size = np.where(size > 0, size, 1.0)
        return np.linalg.pinv(self.normal / np.outer(size, size), rcond=1e-14, hermitian=True) / np.outer(
            size, size
        )

    @property
    def sigma(self) -> float:
        """Estimated standard deviation of the residuals."""
        return float(np.sqrt(self.rss / max(self.count - len(self.values), 1.0)))

    @property
    def covariance(self) -> np.ndarray:
        """Covariance of the free constants."""
        return self.sigma**2 * self.inverse


class Refitter:
    """Fits forms on one problem with one target; every form runs through the same compiled engine."""

    def __init__(self, problem: Problem, operations: tuple[Operation, ...], floor: float) -> None:
        """Set the problem.

        Args:
            problem: one target; in the units the expressions are written in.
            operations: the operations of the search (their number is part of the price).
            floor: standard error of the residuals from rounding.
        """
        self.problem = problem
        self.inputs = problem.inputs.shape[1]
        self.operations = operations
        self.tape_operations = tape_operations(operations)
        self.floor = floor
        self.count = float(problem.observations)
        self.fits = 0

    def fit(self, form: Expression, steps: int = STEPS) -> Fitted:
        """Fit the constants of a form, starting from those it has."""
        form = zero_free(form)
        values = np.asarray(constants(form))
        tape = assemble(form, self.inputs, self.tape_operations)
        if tape is None or not np.isfinite(values).all():
            return self._failed(form, values)
        self.fits += 1
        result = fit_tape(tape, self.tape_operations, self.problem, steps)
        k = len(values)
        values = np.asarray(result.constants)[:k]
        rss = float(result.rss)
        if not np.isfinite(rss):
            return self._failed(form, values)
        return Fitted(
            with_constants(form, values.tolist()),
            values,
            rss,
            np.asarray(result.normal)[:k, :k],
            self.score(form, rss),
            form,
            self.count,
        )

    def score(self, form: Expression, rss: float) -> float:
        """The one score of a form with this sum of squares."""
        size = log_size(form, self.inputs, len(self.operations))
        return score(rss, self.count, self.floor, len(constants(form)), size)

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
