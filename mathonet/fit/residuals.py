"""Whether what a fit leaves over looks like noise: neighbouring residuals of noise do not correlate."""

import numpy as np
from scipy.spatial import KDTree

LEAST_ROWS = 20
MOST_ROWS = 5000
DEVIATIONS = 4.0
HIGHEST = 0.85
"""Correlation that noise does not have, however few its rows are: of twenty, once in thousands."""
MISFIT = 25.0
"""Mean square of the residuals, in units of the noise, from which on they are more than noise.

So large, since the noise is an estimate too: where residuals look like noise, it is the one to be doubted."""


def neighbour_correlation(residuals: np.ndarray, inputs: np.ndarray | None) -> tuple[float, float] | None:
    """Correlation of the residuals of neighbours, and its deviation if they were noise.

    Neighbours are nearest in the space of the inputs, so the order of the rows does not matter; without
    inputs (rows of a weak form) they are successive rows. None for too few rows.
    """
    rows = len(residuals)
    if rows < LEAST_ROWS or not np.any(residuals):
        return None
    if inputs is None:
        return _correlation(residuals[1:], residuals[:-1], 0.0)
    if rows > MOST_ROWS:
        # A stretch, not a thinned set: thinning would move neighbours apart.
        residuals, inputs, rows = residuals[:MOST_ROWS], inputs[:MOST_ROWS], MOST_ROWS
    spread = inputs.std(axis=0)
    scaled = inputs / np.where(spread > 0, spread, 1.0)
    nearest = np.asarray(KDTree(scaled).query(scaled, k=2)[1])
    # Of equal rows the tree may name a row as its own neighbour second.
    other = np.where(nearest[:, 0] == np.arange(rows), nearest[:, 1], nearest[:, 0])
    # Two rows that are each other's neighbour count twice, which widens the deviation.
    return _correlation(residuals, residuals[other], float(np.mean(other[other] == np.arange(rows))))


def _correlation(left: np.ndarray, right: np.ndarray, mutual: float) -> tuple[float, float]:
    """Correlation of pairs and its deviation for noise of any, even changing, size."""
    size = np.linalg.norm(left) * np.linalg.norm(right)
    if not size > 0:
        return 0.0, 1.0
    return float(left @ right / size), float(np.sqrt((1.0 + mutual) * np.sum((left * right) ** 2)) / size)


def leaves_noise(residuals: np.ndarray, inputs: np.ndarray | None) -> bool:
    """Whether what an equation leaves over looks like noise; too few rows cannot say otherwise.

    A few large residuals hide how all others run, so their signs are asked as well.
    """
    signs = np.sign(residuals)
    return all(within_noise(neighbour_correlation(each, inputs)) for each in (residuals, signs))


def within_noise(found: tuple[float, float] | None) -> bool:
    """Whether a correlation and its deviation are those of noise; too few rows cannot say otherwise."""
    return found is None or found[0] < min(DEVIATIONS * found[1], HIGHEST)
