"""Least squares of forms that are linear in some constants: variable projection (Golub and Pereyra; Kaufman).

A form is  sum_t c_t phi_t(x; theta).  For given inner constants theta the outer coefficients c are an exact
linear fit, so only theta is searched, by Levenberg-Marquardt on the residuals that no c can remove. The
gradient of that reduced problem is exact; its Jacobian is Kaufman's, B - Q Q^T B, where Q spans the columns
phi and B = d/dtheta sum c_t phi_t.

Everything is NumPy on whole columns. A clean-up fits one small form after another, each of another structure;
compiled tapes spend most of their time on padding there.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mathonet.fit.linear import fit_linear

DAMPING_START, DAMPING_LEAST, DAMPING_MOST = 1e-3, 1e-14, 1e10
GAIN = 1e-10
PATIENCE = 2
"""A fit ends after so many steps in a row whose relative gain is below `GAIN`."""


@dataclass(frozen=True)
class Columns:
    """A form at some inner constants, weighted like the targets.

    Attributes:
        outer: phi, one column a coefficient.
        slopes: gives B for coefficients c: one column an inner constant.
    """

    outer: np.ndarray
    slopes: Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class SeparableFit:
    """Coefficients, inner constants, sum of squares, and the Jacobian in both, (coefficients, inner)."""

    outer: np.ndarray
    inner: np.ndarray
    rss: float
    jacobian: np.ndarray


def fit_separable(
    columns: Callable[[np.ndarray], Columns],
    targets: np.ndarray,
    inner: np.ndarray,
    outer: np.ndarray,
    steps: int,
) -> SeparableFit | None:
    """Fit from the given inner constants; None if the form is not finite there.

    Args:
        columns: the form's columns at some inner constants.
        targets: weighted targets.
        inner: first inner constants.
        outer: the coefficients, used as they are if `steps` is 0.
        steps: most steps of the inner constants; 0 only evaluates.
    """
    if steps == 0:
        at = columns(inner)
        if not np.isfinite(at.outer).all():
            return None
        return _Point(at, inner, outer, targets - at.outer @ outer).fit()
    best = _solved(columns, targets, inner)
    damping, quiet = DAMPING_START, 0
    largest = np.zeros(len(inner))
    for _ in range(steps if len(inner) else 0):
        if best is None or quiet >= PATIENCE or damping > DAMPING_MOST:
            break
        slopes = best.slopes
        if not np.isfinite(slopes).all():
            break
        reduced = best.reduced
        size = np.linalg.norm(reduced, axis=0)
        largest = np.maximum(largest, size)
        # A direction that has lost its slope keeps some of its largest, so that it takes no unbounded step.
        scale = np.where(largest > 0, np.maximum(size, 1e-7 * largest), 1.0)
        unit = reduced / scale
        normal = unit.T @ unit + damping * np.eye(len(inner))
        change = np.linalg.solve(normal, unit.T @ best.residuals) / scale
        trial = _solved(columns, targets, best.inner + change)
        if trial is not None and trial.rss <= best.rss:
            quiet = quiet + 1 if best.rss - trial.rss <= GAIN * best.rss else 0
            best, damping = trial, max(damping * 0.1, DAMPING_LEAST)
        else:
            damping *= 6.0
    return None if best is None else best.fit()


@dataclass(frozen=True)
class _Point:
    """A form with all its constants, and what it leaves of the targets."""

    at: Columns
    inner: np.ndarray
    outer: np.ndarray
    residuals: np.ndarray

    @cached_property
    def rss(self) -> float:
        return float(self.residuals @ self.residuals)

    @cached_property
    def slopes(self) -> np.ndarray:
        return self.at.slopes(self.outer)

    @cached_property
    def reduced(self) -> np.ndarray:
        """The slopes without what the columns span: the same for every step that is tried from here."""
        basis = np.linalg.qr(self.at.outer)[0]
        return self.slopes - basis @ (basis.T @ self.slopes)

    def fit(self) -> SeparableFit:
        jacobian = np.concatenate([self.at.outer, self.slopes], axis=1)
        return SeparableFit(self.outer, self.inner, self.rss, jacobian)


def _solved(
    columns: Callable[[np.ndarray], Columns], targets: np.ndarray, inner: np.ndarray
) -> _Point | None:
    """The best coefficients for some inner constants, None if the form is not finite there."""
    at = columns(inner)
    if not np.isfinite(at.outer).all():
        return None
    outer = fit_linear(at.outer, targets)
    if not np.isfinite(outer).all():
        return None
    return _Point(at, inner, outer, targets - at.outer @ outer)
