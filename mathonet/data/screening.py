"""Screening: which of many inputs the targets depend on, so that a search need not see them all."""

import numpy as np
from scipy.stats import rankdata
from sklearn.ensemble import ExtraTreesRegressor

TREES, LEAF, SHARE = 100, 2, 0.5
MOST_ROWS = 2000


def informative(
    inputs: np.ndarray, targets: np.ndarray, most: int, seed: int, weights: np.ndarray | None = None
) -> np.ndarray:
    """A mask of the inputs to keep: those that vary, and of these the `most` important ones to trees.

    Trees see curved and crossed dependences that a correlation does not. An input that never varies says no
    more than the constant term; if none varies, the first is kept.

    Args:
        inputs: (rows, inputs).
        targets: (rows, targets); all count alike, whatever their size.
        most: inputs to keep at most.
        seed: of the trees, and of the rows they see where there are many.
        weights: one a row; None for ones.
    """
    varies = inputs.max(axis=0) > inputs.min(axis=0)
    if not varies.any():
        return np.arange(inputs.shape[1]) == 0
    if varies.sum() <= most:
        return varies
    rows = np.arange(len(inputs))
    if len(rows) > MOST_ROWS:
        rows = np.sort(np.random.default_rng(seed).choice(len(rows), MOST_ROWS, replace=False))
    # Divided by the largest first: squares of very large or small columns leave the range.
    largest = np.abs(targets).max(axis=0)
    scaled = targets / np.where(largest > 0, largest, 1.0)
    spread = scaled.std(axis=0)
    scaled = scaled / np.where(spread > 0, spread, 1.0)
    trees = ExtraTreesRegressor(TREES, min_samples_leaf=LEAF, max_features=SHARE, random_state=seed % 2**32)
    # Trees compute in float32, where large numbers are infinite; only the order of an input matters to them.
    wanted = scaled[rows, 0] if scaled.shape[1] == 1 else scaled[rows]
    trees.fit(rankdata(inputs[rows], axis=0), wanted, None if weights is None else weights[rows])
    importance = np.where(varies, trees.feature_importances_, -1.0)
    keep = np.zeros(len(varies), bool)
    keep[np.argsort(-importance, kind="stable")[:most]] = True
    return keep
