"""Pairs: of all pairs of columns, those that take most off a sum of squares, from products alone."""

from collections.abc import Sequence

import numpy as np

DEPENDENT = 1e-7
"""Share of a column's square that others must leave of it for its coefficient to mean something."""
AT_ONCE = 64
"""Columns whose pairs with all others are compared at once: so many stay in the cache."""
FIRST = 2
"""Columns of a kind that are compared in any case: of waves, those with angles in radians."""


def thinned(columns: Sequence[int], kind: np.ndarray, most: int) -> list[int]:
    """Columns ordered by kind; of too many, every so many of each kind, and its first ones."""
    kinds: dict[int, list[int]] = {}
    for k in columns:
        kinds.setdefault(int(kind[k]), []).append(k)
    step, every = 1, [kinds[each] for each in sorted(kinds)]
    while True:
        found = [k for own in every for n, k in enumerate(own) if n % step == 0 or n < FIRST]
        if len(found) <= most or step >= max(map(len, every)):
            return found
        step += 1


def best_pairs(
    products: np.ndarray, starts: np.ndarray, beside: Sequence["Beside"], most: int
) -> list[tuple[float, int, int, int]]:
    """Of every two kinds the pair of columns that leaves the least sum of squares; the best of those.

    Args:
        products: of the columns with one another.
        starts: where the columns of every kind begin.
        beside: what is there already: several, of which each is tried.
        most: how many.

    Returns:
        What is left, the number of what the pair stands beside, and its two columns.
    """
    upper = np.triu_indices(len(starts))
    ends = np.r_[starts[1:], len(products)]
    best: list[tuple[float, int, int]] = []
    for number, each in enumerate(beside):
        left = each.left - _best_of_kinds(products, starts, each)[upper]
        first = np.argpartition(left, most)[:most] if len(left) > most else np.arange(len(left))
        best += [(float(left[pair]), number, int(pair)) for pair in first]
    found = []
    for left, number, pair in sorted(best)[:most]:
        i, j = upper[0][pair], upper[1][pair]
        part = beside[number].gains(products, slice(starts[i], ends[i]), slice(starts[j], ends[j]))
        a, b = np.unravel_index(np.argmax(part), part.shape)
        found.append((left, number, int(starts[i] + a), int(starts[j] + b)))
    return found


class Beside:
    """Columns beside a basis that is there already."""

    def __init__(self, columns: np.ndarray, basis: np.ndarray, target: np.ndarray) -> None:
        """Set them.

        Args:
            columns: of length one, in rows.
            basis: orthonormal columns, or none.
            target: what is to be explained.
        """
        rest = target - basis @ (basis.T @ target)
        along = columns @ basis
        square = 1.0 - np.sum(along**2, axis=1)
        self.left = float(rest @ rest)
        self.inverse = np.where(square < DEPENDENT, 0.0, 1.0 / np.sqrt(np.maximum(square, DEPENDENT)))
        self.along = along * self.inverse[:, None]
        self.unit = (columns @ rest) * self.inverse

    def gains(self, products: np.ndarray, first: slice, second: slice) -> np.ndarray:
        """What every pair of some columns takes off."""
        cosine = products[first, second] * self.inverse[first, None]
        cosine *= self.inverse[second]
        cosine -= self.along[first] @ self.along[second].T
        sine = 1.0 - cosine**2
        cosine *= -2.0 * self.unit[first, None]
        cosine *= self.unit[second]
        cosine += self.unit[first, None] ** 2
        cosine += self.unit[second] ** 2
        sine[sine <= DEPENDENT] = np.inf
        cosine /= sine
        return cosine


def _best_of_kinds(products: np.ndarray, starts: np.ndarray, beside: Beside) -> np.ndarray:
    """What the best pair of every two kinds takes off; only the upper half is looked at."""
    ends = np.r_[starts[1:], len(products)]
    block = np.full((len(starts), len(starts)), -np.inf)
    first = 0
    while first < len(starts):
        # Whole kinds, few enough rows for the cache; the later kinds beside them.
        last = max(int(np.searchsorted(ends, starts[first] + AT_ONCE, side="right")), first + 1)
        gain = beside.gains(products, slice(starts[first], ends[last - 1]), slice(starts[first], None))
        for kind in range(first, last):
            own = gain[starts[kind] - starts[first] : ends[kind] - starts[first]].max(axis=0)
            block[kind, first:] = np.maximum.reduceat(own, starts[first:] - starts[first])
        first = last
    return block
