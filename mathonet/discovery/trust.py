"""How far to trust an equation: does it explain the data, is what it leaves noise, has it a rival."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from scipy.spatial import KDTree

Level = Literal["exact", "good", "undecided", "doubtful", "poor"]

DECIDED = 3.0
"""Nats of evidence from which on a form counts as decided; 3 are odds of 20 to 1."""
EXPLAINED = 0.5
LEAST_ROWS = 20
MOST_ROWS = 5000
DEVIATIONS = 4.0
BENT = 0.05
"""Share of the joints in the sum of squares of a path from which on the path is bent to fit.

Where noise goes with the value, joints are loose beside the least values: a true system may have 0.02."""
MISFIT = 25.0
"""Mean square of the residuals, in units of the noise, from which on they are more than noise.

So large, since the noise is an estimate too: where residuals look like noise, it is the one to be doubted."""
CANCELLING = 3e2
"""Size of a term, in units of the target's, from which on an equation lives by cancellation."""


@dataclass(frozen=True)
class Trust:
    """A judgement of one equation, and what it rests on.

    Attributes:
        level: "exact" (fits to rounding), "good" (explains the data up to noise, ahead of every rival),
            "undecided" (a rival is as likely, the samples are few, or the search was cut short), "doubtful"
            (what is left over is not noise, or huge terms cancel), "poor" (explains less than half of the
            target).
        explained: share of the target's sum of squares that the equation explains.
        correlation: of the residuals of neighbouring samples; 0 for noise, 1 for something smooth that the
            equation lacks. None where it cannot be told.
        gap: nats by which it leads the best rival form, None without a rival.
        words: the judgement in sentences.
    """

    level: Level
    explained: float
    correlation: float | None
    gap: float | None
    words: tuple[str, ...]


def doubted(trust: Trust, why: str) -> Trust:
    """The judgement of an equation whose search ended early: rivals were not looked for to the end."""
    words = f"the search was cut short ({why}): a form that it did not come to may be better"
    return replace(
        trust, level="undecided" if trust.level == "good" else trust.level, words=(*trust.words, words)
    )


def resting_on(trust: Trust, state: str) -> Trust:
    """The judgement of an equation with a state whose own is poor, and which may serve as a hidden force."""
    words = (
        f"it has {state}, whose own equation explains next to nothing: leave {state} out, or name it as an "
        "input if it drives the others"
    )
    level = trust.level if trust.level == "poor" else "doubtful"
    return replace(trust, level=level, words=(*trust.words, words))


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
    """Whether what an equation leaves over looks like noise; too few rows cannot say otherwise."""
    return _within_noise(neighbour_correlation(residuals, inputs))


def _within_noise(found: tuple[float, float] | None) -> bool:
    return found is None or found[0] < DEVIATIONS * found[1]


def judge(
    residuals: np.ndarray,
    targets: np.ndarray,
    inputs: np.ndarray | None,
    exact: bool,
    gap: float | None,
    rival: str | None,
    cancelling: float = 1.0,
    misfit: float = 1.0,
    bent: float = 0.0,
) -> Trust:
    """The judgement of one equation.

    Args:
        residuals: what it leaves over, weighted.
        targets: what it was to explain, weighted alike.
        inputs: of the same rows, None where rows are not samples.
        exact: whether it fits down to rounding.
        gap: nats ahead of the best rival.
        rival: the best rival in words.
        cancelling: size of its largest term in units of the target's size.
        misfit: mean square of the residuals in units of the noise, where that is known beforehand.
        bent: share of a fitted path that does not follow the equations.
    """
    # About zero, not about the mean: a constant can be a law.
    size = float(targets @ targets)
    explained = max(1.0 - float(residuals @ residuals) / size, 0.0) if size > 0 else 0.0
    found = None if exact else neighbour_correlation(residuals, inputs)
    correlation = None if found is None else found[0]
    noise = _within_noise(found)
    poor = not exact and explained < EXPLAINED
    cancels = not exact and cancelling > CANCELLING
    few = len(residuals) < LEAST_ROWS
    close = gap is not None and gap < DECIDED
    words = []
    if exact:
        words.append("fits to rounding")
    elif poor:
        words.append(f"explains only {explained:.0%} of the target: do not rely on it")
    if not noise:
        words.append(
            f"what it leaves over is not noise (neighbouring residuals correlate by {correlation:.2f}): a "
            "term is missing, or the derivatives have smooth errors"
        )
    elif found is not None:
        words.append("what it leaves over looks like noise")
    if cancels:
        words.append(
            f"its terms are up to {cancelling:.0e} times as large as their sum: trust neither its constants "
            "nor a simulation"
        )
    if misfit > MISFIT:
        words.append(
            f"it leaves {np.sqrt(misfit):.2g} times the noise that the data show: a term is missing, or the "
            "noise is not what it seems"
        )
    if bent > BENT:
        words.append(
            "the fitted path does not follow the equations: a state that is mostly noise, or a hidden force, "
            "may be behind it; leave that state out"
        )
    if few:
        words.append(f"{len(residuals)} samples are few: another equation may fit them as well")
    if gap is None:
        words.append("no rival form was met")
    elif gap < 0:
        words.append(f"another form has {-gap:.3g} nats more evidence: {rival}")
    elif close:
        words.append(f"undecided: only {gap:.2g} nats ahead of {rival}")
    else:
        words.append(f"leads the best rival by {gap:.3g} nats")
    level: Level = "exact" if exact else "good"
    if close or few:
        level = "undecided"
    if not noise or cancels or misfit > MISFIT or bent > BENT:
        level = "doubtful"
    if poor:
        level = "poor"
    return Trust(level, explained, correlation, gap, tuple(words))
