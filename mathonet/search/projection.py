"""What columns have of their own beside others, and what each would take off a target: projections, once.

`LocalModel` asks this of the terms of a fit, where rounding must not hide which are needless, and takes what
is left of each column. For thousands of calls beside many choices of monomials, their products will do.
"""

import numpy as np

from mathonet.search import effort


def projected_off(columns: np.ndarray, basis: np.ndarray) -> np.ndarray:
    """What columns have beside an orthonormal basis."""
    return columns - basis @ (basis.T @ columns)


def taken_off(slope: np.ndarray, length: np.ndarray, least: float | None = None) -> np.ndarray:
    """What columns take off the sum of squares of a rest.

    Args:
        slope: their products with it.
        length: their squared lengths beside what is there.
        least: below which they count as dependent; None for columns that were projected off one by one.
    """
    own = length > (effort.DEPENDENT if least is None else least)
    return np.where(own, slope**2 / np.where(own, length, 1.0), 0.0)


def normalised(columns: np.ndarray) -> np.ndarray:
    """Columns of length one, along the last axis."""
    size = np.linalg.norm(columns, axis=-1, keepdims=True)
    return columns / np.where(size > 0, size, 1.0)


def directions(columns: np.ndarray) -> np.ndarray:
    """Orthonormal directions of columns, zero for columns that depend on those before them."""
    basis, upper = np.linalg.qr(columns)
    own = np.abs(np.diagonal(upper, axis1=-2, axis2=-1))
    return basis * (own > effort.RESOLVED)[..., None, :]


def gains_beside(basis: np.ndarray, columns: np.ndarray, target: np.ndarray) -> tuple[float, np.ndarray]:
    """What a basis leaves of a target, and what each of some columns of length one takes off; in rows."""
    rest = projected_off(target, basis)
    along = columns @ basis
    length = 1.0 - np.einsum("kt,kt->k", along, along)
    return float(rest @ rest), taken_off(columns @ rest, length, effort.OWN_SHARE)


def gains_by_products(
    chosen: list[int],
    among: np.ndarray,
    along: np.ndarray,
    place: np.ndarray,
    alone: np.ndarray,
    square: float,
) -> tuple[float, np.ndarray]:
    """What some monomials leave of a target's square, and what each of many columns of length one takes off.

    Args:
        chosen: which monomials.
        among: products of all monomials with one another.
        along: products of monomials with columns.
        place: products of monomials with the target.
        alone: products of columns with the target.
        square: of the target.
    """
    nothing = square, np.zeros(len(alone))
    if not chosen:
        return square, alone**2
    try:
        factor = np.linalg.cholesky(among[np.ix_(chosen, chosen)])
    except np.linalg.LinAlgError:
        return nothing
    if (np.diagonal(factor) ** 2 < effort.OWN_SHARE).any():
        return nothing
    back = np.linalg.inv(factor)
    turned = back @ along[chosen]
    explained = back @ place[chosen]
    length = 1.0 - np.einsum("tk,tk->k", turned, turned)
    rest = alone - explained @ turned
    return square - float(explained @ explained), taken_off(rest, length, effort.OWN_SHARE)
