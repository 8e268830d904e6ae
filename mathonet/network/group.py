"""Groups of weights: every PolyNet is one group and every OperNet is one group."""

from functools import lru_cache

import numpy as np

from mathonet.network.mathonet import Architecture, MathONet, build, flatten

SINGLE = -1
"""Group number of biases and output weights, which belong to no PolyNet or OperNet."""


def groups(architecture: Architecture) -> MathONet:
    """The group number of each weight, `SINGLE` for none."""
    count = 0

    def fill(kind: str, layer: int, shape: tuple[int, ...]) -> np.ndarray:
        nonlocal count
        if kind not in ("poly", "oper"):
            return np.full(shape, SINGLE)
        number = count + np.arange(int(np.prod(shape[:-1]))).reshape(shape[:-1])
        count += number.size
        return np.broadcast_to(number[..., None], shape).copy()

    return build(architecture, fill)


@lru_cache(maxsize=256)
def membership(architecture: Architecture) -> np.ndarray:
    """Matrix (groups, weights) of zeros and ones: which weight belongs to which group."""
    number = np.asarray(flatten(groups(architecture)))
    return (np.arange(number.max() + 1)[:, None] == number[None, :]).astype(float)
