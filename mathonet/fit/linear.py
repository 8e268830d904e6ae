"""Linear least squares in NumPy: the coefficients of given columns, uncompiled."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

REFINEMENTS = 2
DEPENDENT = 1e-10
"""Least eigenvalue of the scaled normal matrix below which columns count as nearly dependent."""
SAME, ALIKE = 1e-9, 1e-12
"""Largest difference of two columns of length one that are the same, and what their product lacks of one."""


def fit_linear(columns: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Least-squares coefficients of the columns.

    Normal equations of columns scaled to length one, refined with the true residuals: that reaches the
    accuracy of an orthogonal factorisation at a fraction of its cost. Nearly dependent columns get the
    factorisation itself, and the solution of least norm.
    """
    normal = columns.T @ columns
    size = np.sqrt(np.diagonal(normal))
    size = np.where(size > 0, size, 1.0)
    scaled = columns / size
    unit = normal / np.outer(size, size)
    if not np.isfinite(unit).all() or np.linalg.eigvalsh(unit)[0] < DEPENDENT:
        return np.linalg.lstsq(scaled, targets, rcond=1e-14)[0] / size
    inverse = np.linalg.inv(unit)
    found = inverse @ (scaled.T @ targets)
    for _ in range(REFINEMENTS):
        found = found + inverse @ (scaled.T @ (targets - scaled @ found))
    return found / size


RIDGE = 1e-13


def ridge_inverse(matrix: np.ndarray) -> np.ndarray:
    """Inverse of a positive semi-definite matrix with ones on its diagonal, with the least ridge that exists.

    Where columns are dependent (a conservation law), what the data do not determine gets a huge variance; a
    pseudo-inverse would give it none.
    """
    return np.linalg.inv(matrix + RIDGE * np.eye(len(matrix)))


def monomial(inputs: np.ndarray, factors: Sequence[tuple[Any, int]]) -> np.ndarray:
    """The product of powers of the inputs at every sample; factors are (input number, power)."""
    value = np.ones(len(inputs))
    for index, power in factors:
        value = value * raised(inputs[:, index], power)
    return value


def raised(column: np.ndarray, power: int) -> np.ndarray:
    """A whole power by products, many times faster than the general power of NumPy."""
    if power == 1:
        return column
    if power <= 0:
        return 1.0 / raised(column, -power) if power else np.ones_like(column)
    half = raised(column, power // 2)
    return half * half * column if power % 2 else half * half


def distinct(columns: Sequence[np.ndarray]) -> list[int]:
    """Which columns are finite and no multiple of an earlier one, as the square of a switch is of itself."""
    kept: list[int] = []
    units = np.empty((len(columns), len(columns[0]) if len(columns) else 0))
    for number, column in enumerate(columns):
        size = np.linalg.norm(column)
        if not np.isfinite(size) or not size > 0:
            continue
        unit = column / size
        along = units[: len(kept)] @ unit
        # Products round too much to tell, so that those next to one are looked at closely.
        close = np.flatnonzero(np.abs(along) > 1.0 - ALIKE)
        if not any(np.linalg.norm(unit - np.sign(along[k]) * units[k]) < SAME for k in close):
            units[len(kept)] = unit
            kept.append(number)
    return kept


def distinct_monomials(rows: np.ndarray, every: Sequence[Any]) -> list[Any]:
    """The monomials, each as its factors, that are no multiple of an earlier one on the rows."""
    with np.errstate(all="ignore"):
        kept = distinct([monomial(rows, factors) for factors in every])
    return [every[place] for place in kept]


def monomials(inputs: int, degree: int) -> list[Any]:
    """Every product of inputs up to a degree, the constant first."""
    chosen = (c for size in range(degree + 1) for c in combinations_with_replacement(range(inputs), size))
    return list(map(factors_of, chosen))


def factors_of(product: Iterable[int]) -> Any:
    """A product of inputs, each as often as it is in there, as its factors."""
    return tuple(sorted(Counter(product).items()))
