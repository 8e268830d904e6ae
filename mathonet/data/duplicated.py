"""Duplicated: inputs that are multiples of one another, which no equation can tell apart."""

import warnings
from itertools import combinations

import numpy as np

from mathonet.data.samples import Samples

ALIKE = 1e-9
"""Share of a column up to which another, times a number, may differ from it: the same in other units."""


def duplicated(samples: Samples) -> list[tuple[str, str, float]]:
    """Pairs of inputs of which the second is the first times a number, with that number."""
    named = list(zip(samples.input_names, samples.inputs.T, strict=True))
    found = []
    for (one, first), (other, second) in combinations(named, 2):
        size = float(first @ first)
        factor = float(first @ second) / size if size > 0 else 0.0
        if factor and np.linalg.norm(second - factor * first) <= ALIKE * np.linalg.norm(second):
            found.append((one, other, factor))
    return found


def warn_duplicated(samples: Samples) -> None:
    """Say which inputs are the same as others, and what to do."""
    found = duplicated(samples)
    if found:
        one, other, _ = found[0]
        listed = ", ".join(f"{b} = {'' if factor == 1.0 else f'{factor:.6g} '}{a}" for a, b, factor in found)
        warnings.warn(
            f"Inputs say the same ({listed}): an equation may name either, and the data cannot tell which. "
            f"Leave {other} out, or {one}.",
            stacklevel=4,
        )
