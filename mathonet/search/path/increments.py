"""Increments: one equation of a fitted system as a regression, with all that the data say about it.

Along the fitted path the equation of a state must give the increments of that state from node to node. Let u
be what another form gives more of them. All states left free, the sum of squares of the whole path is, to
second order,

    chi2(u) = chi2 + 2 g' u + u' K u,        K = E' (I - A (A' A)^-1 A') E,

with A the slopes of all residuals in the states, E those in u and g = E' r. So forms of any kind are compared
by ordinary least squares on whitened increments, rather than on the derivatives of a smoothed curve, whose
errors are correlated, or on the values of the present equation, which may be a wrong one.
"""

import math
from dataclasses import dataclass

import jax.numpy as jnp
import numpy as np
from scipy.linalg import LinAlgError, cho_solve, cholesky, eigh

from mathonet.equation.expression import Expression
from mathonet.equation.flow import evaluate
from mathonet.fit.path import ANNEAL
from mathonet.fit.problem import Problem, Windows
from mathonet.fit.score import Pricing
from mathonet.fit.shooting import known_increments, tangent_of
from mathonet.interruption import checkpoint
from mathonet.search import effort
from mathonet.search.fit import Fit
from mathonet.search.path.fit import PathFit
from mathonet.search.samples.regression import Regression

TRAPEZOID, SIMPSON = np.array([0.5, 0.5]), np.array([1.0, 4.0, 1.0]) / 6.0

Integral = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Rows of inputs, and which of them the integral over every interval takes, with their shares."""


@dataclass(frozen=True)
class _Known:
    """What the data say about the increments of one state.

    Attributes:
        joined: intervals that have one.
        now: what the equations give.
        more: what the data would rather have besides.
        whiten: makes their errors independent, of deviation one.
    """

    joined: np.ndarray
    now: np.ndarray
    more: np.ndarray
    whiten: np.ndarray

    def regression(
        self, joint: PathFit, rate: float, wanted: np.ndarray, integral: Integral, pricing: Pricing | None
    ) -> Regression | None:
        """What fits forms to increments; None where these are not finite."""
        rows, index, share = integral
        problem = Problem(
            jnp.asarray(rows),
            jnp.asarray(wanted[:, None]),
            jnp.asarray(self.whiten),
            jnp.asarray(float(len(self.whiten))),
            Windows(jnp.asarray(index), jnp.asarray(joint.path.h[self.joined, None] * share * rate)),
        )
        parts = (problem.inputs, problem.targets, problem.weights)
        if not all(bool(jnp.isfinite(each).all()) for each in parts):
            return None
        return Regression(problem, joint.operations, effort.INCREMENT_FLOOR, joint.choices, pricing)


def increments(joint: PathFit, fit: Fit, equation: int) -> Regression | None:
    """What fits forms of an equation to the increments of its state; None where rounding defeats it.

    Args:
        joint: what fits systems on the path.
        fit: the present system.
        equation: which one.
    """
    told = _known(joint, fit, equation)
    if told is None:
        return None
    integral = _nodes(joint, fit, told.joined)
    rate = joint.rates[equation]

    def gained(form: Expression) -> np.ndarray:
        """What a form gives in every interval."""
        rows, index, share = integral
        return np.sum(evaluate(form, rows)[index] * share, axis=1) * joint.path.h[told.joined] * rate

    trapezoid = gained(fit.forms[equation]) + gained(joint.known[equation])
    if not np.sqrt(np.mean((told.whiten @ (trapezoid - told.now)) ** 2)) < effort.COARSE_INTEGRAL:
        integral = _with_middles(joint, fit, told.joined)
    # From the integrals of the present form: errors of theirs are those of any form that comes near.
    wanted = gained(fit.forms[equation]) + told.more
    alone = told.regression(joint, rate, wanted, integral, None)
    if alone is None:
        return None
    own = alone.fit(fit.forms[equation], steps=0).chi2
    others = [form for place, form in enumerate(fit.forms) if place != equation]
    return told.regression(joint, rate, wanted, integral, joint.pricing(others, fit.path.chi2 - own))


def left_over(joint: PathFit, fit: Fit, equation: int) -> Regression | None:
    """What fits forms to that which the data would rather have besides; None where rounding defeats it.

    Integrals of further terms need not be exact, where those of the equation itself would have to be as exact
    as the data.
    """
    told = _known(joint, fit, equation, every=True)
    if told is None:
        return None
    integral = _with_middles(joint, fit, told.joined)
    return told.regression(joint, joint.rates[equation], told.more, integral, None)


def _known(joint: PathFit, fit: Fit, equation: int, every: bool = False) -> _Known | None:
    """What the data say about increments: those that they say most about, or every one."""
    path, x = joint.path, fit.path.x
    q = min(ANNEAL[-1], path.tight) * path.scale
    joined = np.flatnonzero(path.joined)
    most = max(
        effort.MOST_INCREMENTS if joint.precise else effort.FEW_INCREMENTS,
        effort.INCREMENTS_PER_TERM * math.comb(joint.inputs + 2, 2),
    )
    try:
        with np.errstate(all="ignore"):
            tangent = tangent_of(joint.flow(fit.as_fitted), fit.constants, path, x, q)
            gradient, known = known_increments(path, tangent, q, equation)
            checkpoint()
            now = x[joined + 1, equation] - x[joined, equation]
            now = now + tangent.defect[joined, equation] * q[equation]
            if every:
                least = effort.RESOLVED * np.max(np.diagonal(known))
                root = cholesky(known + least * np.eye(len(known)), lower=True)
                return _Known(joined, now, -cho_solve((root, True), gradient), root.T)
            # Those of long paths take a second, so only the largest are computed.
            last = len(known) - 1
            size, turned = eigh(known, subset_by_index=(max(last + 1 - most, 0), last))
    except (LinAlgError, ValueError):
        return None
    kept = np.argsort(-size)
    kept = kept[size[kept] > effort.RESOLVED * max(size[kept[0]], 0.0)]
    if not len(kept):
        return None
    size, turned = size[kept], turned[:, kept]
    more = -turned @ ((turned.T @ gradient) / size)
    return _Known(joined, now, more, turned.T * np.sqrt(size)[:, None])


def _nodes(joint: PathFit, fit: Fit, joined: np.ndarray) -> Integral:
    """States and inputs at the nodes, and the rows and shares of every interval's integral by trapezoids.

    With inputs, every interval has ends of its own: one that switches there has its old value until then.
    """
    x, drive = fit.path.x, joint.path.drive
    if not drive.shape[2]:
        return joint.along(fit), np.stack([joined, joined + 1], axis=1), TRAPEZOID
    begins, ends = np.hstack([x[joined], drive[joined, 0]]), np.hstack([x[joined + 1], drive[joined, -1]])
    each = np.arange(len(joined))
    return np.concatenate([begins, ends]), np.stack([each, len(joined) + each], axis=1), TRAPEZOID


def _with_middles(joint: PathFit, fit: Fit, joined: np.ndarray) -> Integral:
    """The same with rows half way through every interval, by Simpson's rule."""
    rows, ends, _ = _nodes(joint, fit, joined)
    states = fit.path.x.shape[1]
    with np.errstate(all="ignore"):
        slope = joint.flow(fit.as_fitted).values(rows, fit.constants)
    here, ahead = ends.T
    middle = 0.5 * (rows[here] + rows[ahead])
    middle[:, :states] += joint.path.h[joined, None] / 8.0 * (slope[here] - slope[ahead])
    index = np.stack([here, len(rows) + np.arange(len(joined)), ahead], axis=1)
    return np.concatenate([rows, middle]), index, SIMPSON
