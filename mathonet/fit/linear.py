"""Forms that are linear in their constants: one Gauss-Newton step is exact, so it is taken in NumPy, uncompiled.

Most fits of a clean-up are of this kind, and on long series a product of columns is a hundred times cheaper
than a tape with its derivatives.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class LinearFit:
    """Coefficients of the columns, the sum of squared residuals, and J^T J."""

    coefficients: np.ndarray
    rss: float
    normal: np.ndarray


REFINEMENTS = 2


def fit_linear(
    columns: np.ndarray, targets: np.ndarray, weights: np.ndarray, coefficients: np.ndarray | None = None
) -> LinearFit:
    """Weighted least squares of the targets on the columns.

    Normal equations of columns scaled to length one, refined with the true residuals: that reaches the
    accuracy of an orthogonal factorisation. A singular system gets the solution of least norm.

    Args:
        columns: one row a sample, one column a term.
        targets: what to explain.
        weights: of the rows.
        coefficients: if given they are kept and only the sum of squares is computed.
    """
    design, wanted = columns * weights[:, None], targets * weights
    normal = design.T @ design
    if coefficients is None:
        size = np.sqrt(np.diagonal(normal))
        size = np.where(size > 0, size, 1.0)
        scaled = design / size
        try:
            inverse = np.linalg.inv(normal / np.outer(size, size))
        except np.linalg.LinAlgError:
            inverse = np.linalg.pinv(normal / np.outer(size, size), rcond=1e-14, hermitian=True)
        found = inverse @ (scaled.T @ wanted)
        for _ in range(REFINEMENTS):
            found = found + inverse @ (scaled.T @ (wanted - scaled @ found))
        coefficients = found / size
    residuals = wanted - design @ coefficients
    return LinearFit(coefficients, float(residuals @ residuals), normal)


def monomial(inputs: np.ndarray, factors: tuple[tuple[int, int], ...]) -> np.ndarray:
    """The product of powers of the inputs at every sample."""
    value = np.ones(len(inputs))
    for index, power in factors:
        value = value * inputs[:, index] ** power
    return value
