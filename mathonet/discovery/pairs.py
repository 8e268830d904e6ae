"""Pairs: of all pairs of columns, those that take most off a sum of squares, from products alone."""

import numpy as np

DEPENDENT = 1e-7
"""Share of a column's square that others must leave of it for its coefficient to mean something."""
AT_ONCE = 64
"""Columns whose pairs with all others are compared at once: so many stay in the cache."""


def best_pairs(
    products: np.ndarray, along: np.ndarray, target: np.ndarray, starts: np.ndarray, most: int
) -> list[tuple[float, int, int]]:
    """Of every two kinds the pair of columns that takes most off the sum of squares; the best of those.

    Args:
        products: of the columns with one another.
        along: parts of the columns along a basis that is there already.
        target: products of the columns with what the basis leaves of the target.
        starts: where the columns of every kind begin.
        most: how many.

    Returns:
        What a pair takes off, and its two columns.
    """
    square = np.diagonal(products) - np.sum(along**2, axis=1)
    inverse = np.where(square < DEPENDENT, 0.0, 1.0 / np.sqrt(np.maximum(square, DEPENDENT)))
    along, unit = along * inverse[:, None], target * inverse
    ends = np.r_[starts[1:], len(products)]

    def gains(first: slice, second: slice) -> np.ndarray:
        cosine = products[first, second] * inverse[first, None]
        cosine *= inverse[second]
        cosine -= along[first] @ along[second].T
        sine = 1.0 - cosine**2
        cosine *= -2.0 * unit[first, None]
        cosine *= unit[second]
        cosine += unit[first, None] ** 2
        cosine += unit[second] ** 2
        dependent = sine <= DEPENDENT
        sine[dependent] = np.inf
        cosine /= sine
        return cosine

    block = np.full((len(starts), len(starts)), -np.inf)
    first = 0
    while first < len(starts):
        # Whole kinds, few enough rows for the cache; the later kinds beside them.
        last = max(int(np.searchsorted(ends, starts[first] + AT_ONCE, side="right")), first + 1)
        gain = gains(slice(starts[first], ends[last - 1]), slice(starts[first], None))
        by_row = np.maximum.reduceat(gain, starts[first:last] - starts[first], axis=0)
        block[first:last, first:] = np.maximum.reduceat(by_row, starts[first:] - starts[first], axis=1)
        first = last
    found = []
    upper = np.triu_indices(len(starts))
    for place in np.argsort(-block[upper])[:most]:
        i, j = int(upper[0][place]), int(upper[1][place])
        part = gains(slice(starts[i], ends[i]), slice(starts[j], ends[j]))
        a, b = np.unravel_index(np.argmax(part), part.shape)
        found.append((float(block[i, j]), int(starts[i] + a), int(starts[j] + b)))
    return found
