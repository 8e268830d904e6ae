"""Rows: few residuals, of few samples, that networks learn from; forms are fitted and judged on all.

Where residuals mix samples (weak rows, increments along a path), values at all samples are interpolated from
those at some: for smooth functions b_1 ... b_r of the inputs, orthonormal on the samples,

    f = B c,    c = B_S^-1 f_S,    S by pivoted QR of B',

so that residuals are a small matrix times the values at S (discrete empirical interpolation).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import jax.numpy as jnp
import numpy as np
from scipy.linalg import qr

from mathonet.equation.expression import Expression
from mathonet.fit.linear import monomial, monomials
from mathonet.learning.projected import Rows
from mathonet.search import effort
from mathonet.search.samples.regression import Regression

DEGREE, WAVES, FASTEST = 4, 100, 3.0
"""What functions of the inputs are interpolated by: monomials, and sines of sums of inputs, this fast."""
LEAST_SHARE = 1e-9
"""Singular value of these, in units of the largest, from which on a direction counts."""


@dataclass(frozen=True)
class ChosenRows:
    """Some of the residuals, in units of their targets' root mean square.

    Attributes:
        samples: where values are needed.
        mix: from these to residuals.
        targets: of the residuals.
        count: number of residuals that are no padding.
        size: the unit.
    """

    samples: np.ndarray
    mix: np.ndarray
    targets: np.ndarray
    count: int
    size: float

    def given(self, regression: Regression, given: Sequence[Expression]) -> Rows:
        """What networks learn from.

        Args:
            regression: has the samples.
            given: what networks are given: the constant, inputs, known calls; nothing where a place is empty.
        """
        none = np.zeros(len(self.samples))
        z = np.stack([regression.values(each)[self.samples] if each.terms else none for each in given])
        z, mix, targets = (jnp.asarray(each) for each in (z, self.mix, self.targets))
        return Rows(z, mix, targets, jnp.asarray(float(self.count)))


def choose_rows(regression: Regression) -> ChosenRows:
    """Some of the residuals, padded to one size: a sample that is repeated counts nothing.

    Drawn, since every n-th row of a grid, or of many short trajectories, may be a line in it.
    """
    weights, operator = regression.weights, regression.operator
    real = np.flatnonzero(np.any(weights != 0, axis=1) if weights.ndim == 2 else weights)
    few = min(len(real), effort.NETWORK_ROWS)
    chosen = np.sort(np.random.default_rng(0).choice(real, few, replace=False))
    targets, more = regression.targets[chosen], effort.NETWORK_ROWS - len(chosen)
    size = float(np.sqrt(np.mean(targets**2))) or 1.0
    if weights.ndim == 1 and operator is None:
        samples, mix = chosen, np.pad(weights[chosen], (0, more))
    else:
        samples, mix = _interpolated(mixing(regression, chosen), regression.rows)
        mix = _padded(mix, more)
    samples = np.concatenate([samples, np.full(mix.shape[-1] - len(samples), samples[0])])
    return ChosenRows(samples, mix / size, np.pad(targets, (0, more)) / size, len(chosen), size)


def mixing(regression: Regression, chosen: np.ndarray) -> np.ndarray:
    """From predictions at all samples to some of the weighted residuals."""
    weights, operator = regression.weights[chosen], regression.operator
    if operator is None:
        return weights
    if weights.ndim == 1:
        return weights[:, None] * operator[chosen].toarray()
    return np.asarray((operator.T @ weights.T).T)


def _padded(mix: np.ndarray, more: int) -> np.ndarray:
    return np.pad(mix, [(0, more), (0, effort.NETWORK_SAMPLES - mix.shape[1])])


def _interpolated(mixing: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Some samples, and the matrix from values there to residuals."""
    used = np.flatnonzero(np.any(mixing != 0, axis=0))
    if len(used) <= effort.NETWORK_SAMPLES:
        return used, mixing[:, used]
    rows, mixing = rows[used], mixing[:, used]
    low, high = rows.min(axis=0), rows.max(axis=0)
    unit = 2.0 * (rows - low) / np.where(high > low, high - low, 1.0) - 1.0
    draw = np.random.default_rng(0)
    waves = unit @ draw.normal(size=(rows.shape[1], WAVES)) * FASTEST + draw.uniform(0.0, 2.0 * np.pi, WAVES)
    powers = [monomial(unit, each) for each in monomials(rows.shape[1], DEGREE)]
    functions = np.column_stack([*powers, np.sin(waves)])
    basis, shares, _ = np.linalg.svd(functions, full_matrices=False)
    basis = basis[:, : min(int(np.sum(shares > LEAST_SHARE * shares[0])), effort.NETWORK_SAMPLES)]
    order = np.asarray(qr(basis.T, mode="r", pivoting=True)[-1])
    samples = order[: basis.shape[1]]
    return used[samples], np.linalg.solve(basis[samples].T, (mixing @ basis).T).T
