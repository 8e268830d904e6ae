"""Simple numbers: which constants of an equation the data allow to be 10, 0.2, 8/3 and such.

A constant is taken for a simple number if that lies within its error, and if hardly any arbitrary constant
would come as near to one as simple: among numbers a step apart, one lies within d by a chance of 2 d / step,
and the chances of all simpler kinds are added. What is simple is counted in digits, since units may make a
constant as large or small as they like; whole numbers and thirds are simple only where they are small. Each
constant that is taken moves the others and narrows their errors, as their covariance says (a normal
distribution, conditioned), so the surest goes first.
"""

import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

CHANCE = 0.05
"""Most chance that an arbitrary constant comes as near to a number as simple."""
WITHIN = 2.0
"""Deviations that a constant may be moved by, unless told."""
ROUNDED = 1e-9
"""Error that no constant is below, as a share of it: rounding."""
MOST_WHOLE, MOST_THIRD = 100.0, 10.0
"""Sizes that whole numbers and thirds are below; beyond, only digits make a number simple."""


@dataclass(frozen=True)
class Kind:
    """Numbers that are simple in one way.

    Attributes:
        nearest: the nearest of them to a size.
        step: how far apart they lie there; infinite where there are none.
    """

    nearest: Callable[[float], float]
    step: Callable[[float], float]


def _digits(digits: int) -> Kind:
    return Kind(
        lambda size: float(f"{size:.{digits}g}"),
        lambda size: 10.0 ** (math.floor(math.log10(size)) - digits + 1),
    )


KINDS = (
    Kind(lambda size: float(round(size)), lambda size: 1.0 if size < MOST_WHOLE else math.inf),
    _digits(1),
    Kind(lambda size: round(3 * size) / 3, lambda size: 1 / 3 if size < MOST_THIRD else math.inf),
    _digits(2),
    _digits(3),
)
"""The simplest first."""


@dataclass(frozen=True)
class Snapped:
    """Constants of which some are simple numbers.

    Attributes:
        values: all constants.
        covariance: of those that are left free; zero for the others.
        simple: which are simple numbers now.
    """

    values: np.ndarray
    covariance: np.ndarray
    simple: np.ndarray


def snap(values: np.ndarray, covariance: np.ndarray, within: float = WITHIN) -> Snapped:
    """Constants with simple numbers wherever their errors allow it.

    One without any error, such as one that was known, is left as it is. None becomes zero.

    Args:
        values: fitted constants.
        covariance: of them.
        within: deviations that a constant may be moved by, in all and by the last that was taken.
    """
    fitted, covariance = np.array(values, float), np.array(covariance, float)
    values, errors = fitted.copy(), np.sqrt(np.maximum(np.diagonal(covariance), 0.0))
    if not (np.isfinite(values).all() and np.isfinite(covariance).all()):
        return Snapped(values, covariance, np.zeros(len(values), bool))
    simple = (errors == 0) & np.array([is_simple(value) for value in values], bool)
    while True:
        left = np.sqrt(np.maximum(np.diagonal(covariance), 0.0))
        found = [
            (chance, place, target)
            for place in np.flatnonzero(left > 0)
            for chance, target in _near(values[place], left[place], within)
            if abs(target - fitted[place]) <= within * max(errors[place], ROUNDED * abs(target))
        ]
        if not found:
            return Snapped(values, covariance, simple)
        _, place, target = min(found)
        column = covariance[:, place] / covariance[place, place]
        values = values + column * (target - values[place])
        covariance = covariance - np.outer(column, column) * covariance[place, place]
        values[place], simple[place] = target, True
        covariance[place, :] = covariance[:, place] = 0.0


def _near(value: float, deviation: float, within: float) -> Iterator[tuple[float, float]]:
    """Simple numbers within a constant's error, each with the chance that one as simple lies as near."""
    size = abs(value)
    error, density = max(deviation, ROUNDED * size), 0.0
    for kind, step in _kinds(size):
        target, density = kind.nearest(size), density + 1.0 / step
        off = abs(size - target)
        chance = 2.0 * max(off, error) * density
        if target > 0 and off <= within * error and chance <= CHANCE:
            yield chance, math.copysign(target, value)


def _kinds(size: float) -> list[tuple[Kind, float]]:
    """The kinds that have numbers of a size, with their steps; none for zero and next to it."""
    steps = [kind.step(size) if size > sys.float_info.min else math.inf for kind in KINDS]
    return [(kind, step) for kind, step in zip(KINDS, steps, strict=True) if 0 < step < math.inf]


def is_simple(value: float) -> bool:
    """Whether a number is one of them."""
    return any(kind.nearest(abs(value)) == abs(value) for kind, _ in _kinds(abs(value)))


def written(value: float) -> str:
    """A simple number without trailing zeros: `10`, `0.2`, `8/3`, `3.2e-07`."""
    thirds = Fraction(value).limit_denominator(3)
    if thirds.denominator == 3 and float(thirds) == value:
        return str(thirds)
    return f"{value:.6g}"
