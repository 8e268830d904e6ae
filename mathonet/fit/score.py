"""The one score that every choice is made by: clean-up moves, candidates, the final equation.

    score = N log max(RSS, N floor^2) + k log N + 2 gamma sum over terms log(size of the smallest rung)

The last sum is the extended-BIC price of having searched: a term from a large rung (many monomials, many
operations) must gain more than one from a small rung. Plain BIC over a quadratic library admits a spurious
term in 5 to 13 % of equations at 1 % noise, gamma = 2 in none of 400.
"""

import math
from dataclasses import dataclass

import numpy as np

GAMMA = 2.0
DECIDED = 3.0
"""Nats of evidence from which on a form counts as decided; 3 are odds of 20 to 1."""


def score(
    rss: float, count: float, floor: float, constants: int, log_sizes: float, gamma: float = GAMMA
) -> float:
    """The score, smaller is better; `evidence` is the same in nats.

    Args:
        rss: sum of squared residuals.
        count: N, number of residuals.
        floor: standard error below which residuals are rounding; without it a spurious term gains hundreds
            on clean data.
        constants: k, number of free constants.
        log_sizes: sum over terms of the log of the rung's size.
        gamma: weight of the search's price.
    """
    if not math.isfinite(rss):
        return math.inf
    bounded = max(rss, count * floor**2, 1e-300)
    return count * math.log(bounded) + constants * math.log(count) + 2.0 * gamma * log_sizes


def scores(
    rss: np.ndarray, count: float, floor: float, constants: np.ndarray | int, log_sizes: np.ndarray | float
) -> np.ndarray:
    """The scores of several sums of squares at once."""
    bounded = np.maximum(rss, max(count * floor**2, 1e-300))
    found = count * np.log(bounded) + constants * math.log(count) + 2.0 * GAMMA * log_sizes
    return np.where(np.isfinite(rss), found, np.inf)


def evidence(score_value: float) -> float:
    """Approximate log evidence in nats."""
    return -0.5 * score_value


@dataclass(frozen=True)
class Pricing:
    """The one score of forms that are a part of what is fitted.

    Attributes:
        count: N of all that is fitted.
        floor: standard error below which residuals mean nothing.
        rest: sum of squares of the other parts.
        constants: k of the other parts.
        log_sizes: of the other parts.
    """

    count: float
    floor: float
    rest: float = 0.0
    constants: int = 0
    log_sizes: float = 0.0

    def __call__(self, rss: float, constants: int, log_sizes: float, rounding: float = 0.0) -> float:
        """The score of a part that leaves this sum of squares; `rounding` is the error of its own sums."""
        floor = max(self.floor, rounding)
        return score(
            rss + self.rest, self.count, floor, constants + self.constants, log_sizes + self.log_sizes
        )
