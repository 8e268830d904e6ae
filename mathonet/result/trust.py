"""How far to trust an equation: does it explain the data, is what it leaves noise, has it a rival."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from mathonet.equation.expression import Expression
from mathonet.equation.kinds import kind
from mathonet.fit.residuals import LEAST_ROWS, MISFIT, leaves_noise, neighbour_correlation
from mathonet.fit.score import DECIDED

Level = Literal["exact", "good", "undecided", "doubtful", "poor"]
TRUSTED: tuple[Level, ...] = ("exact", "good")
"""Levels of an equation that a user may rely on."""

EXPLAINED = 0.5
UNRESOLVED = 1e-3
"""Share of what varies from which on rounding is too coarse to call anything exact."""
NOTHING = 1e-20
"""Share of a target that float64 alone leaves."""
ROUNDED = 3.0
"""Largest residual of rounding, in units of their root mean square."""
BENT = 0.05
"""Share of the joints in the sum of squares of a path from which on the path is bent to fit.

Where noise goes with the value, joints are loose beside the least values: a true system may have 0.02."""
MOST_CONSTANTS = 10
"""Constants from which on a form follows smooth data, whatever their law: of those on known systems that were
exact with more, none was right."""
LIVES_BY_CANCELLING = 3e2
"""Size of a term, in units of the target's, from which on an equation lives by cancellation. A search ends
with somewhat larger ones already (`effort.CANCELLING`): to go on takes long, and hardly leads elsewhere."""


@dataclass(frozen=True)
class Trust:
    """A judgement of one equation, and what it rests on.

    Attributes:
        level: "exact" (fits to rounding), "good" (explains the data up to noise, ahead of every rival),
            "undecided" (a rival is as likely or fits as well, only the mean is explained, the samples are
            few, its constants many, or the search was cut short), "doubtful" (what is left over is not noise,
            huge terms cancel, or the samples do not resolve the state), "poor" (explains less than half of
            what varies).
        explained: share that it explains of how the target, or the measured state, varies.
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
    """The judgement of an equation whose search ended early: rivals were not looked for to the end.

    A search that found an exact equation had no more to look for.
    """
    if trust.level == "exact":
        return trust
    words = f"the search was cut short ({why}): a form that it did not come to may be better"
    return replace(
        trust, level="undecided" if trust.level == "good" else trust.level, words=(*trust.words, words)
    )


def resting_on(trust: Trust, state: str, why: str = "whose own equation explains next to nothing") -> Trust:
    """The judgement of an equation with a state that has no law, and may serve as a hidden force."""
    words = f"it has {state}, {why}: leave {state} out, or name it as an input if it drives the others"
    level = trust.level if trust.level == "poor" else "doubtful"
    return replace(trust, level=level, words=(*trust.words, words))


def driven_by(trust: Trust, states: tuple[str, ...]) -> Trust:
    """The judgement of an equation with states whose own equations were not found."""
    if not states:
        return trust
    words = f"takes {', '.join(states)} as measured, for which no equation was found"
    return replace(trust, words=(*trust.words, words))


def may_stand_in(form: Expression, constants: int) -> bool:
    """Whether an equation is to be compared with polynomials: it is none, and not doubted for its length."""
    return constants <= MOST_CONSTANTS and bool(kind(form))


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
    still: float | None = None,
    equal: str | None = None,
    jumps: bool = False,
    grain: float = 0.0,
    constants: int = 0,
    most: int = MOST_CONSTANTS,
    told: int | None = None,
    vague: bool = False,
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
        still: sum of squares that the best constant leaves of the targets; None if they are about their mean.
        equal: a form of another kind that fits as well with no more constants, in words.
        jumps: whether the state moves in jumps that its samples do not resolve.
        grain: error that data without noise have themselves, as a share of a state's size; zero if none.
        constants: number of them in the equation.
        most: from how many more on it may be an accident.
        told: terms of a polynomial that follows the target as closely as an equation that is none; None where
            none does.
        vague: whether it fits to rounding with a constant inside a call that the data do not tell from zero.
    """
    # Added to zero, for -0.0 would be written with its sign.
    gap = None if gap is None else gap + 0.0
    size, left = float(targets @ targets), float(residuals @ residuals)
    moved = size if still is None else min(still, size)
    held_against = misfit > MISFIT or bent > BENT or jumps
    exact = exact and not held_against
    if exact and still is not None and _is_rounding(residuals, size):
        # A constant can be the law of a derivative, though it explains nothing that varies: nothing does.
        explained = 1.0
    else:
        explained = max(1.0 - left / moved, 0.0) if moved > 0 else 0.0
        exact = exact and left <= UNRESOLVED * moved
    found = None if exact or grain else neighbour_correlation(residuals, inputs)
    correlation = None if found is None else found[0]
    noise = found is None or leaves_noise(residuals, inputs)
    poor = not exact and explained < EXPLAINED
    mean = poor and still is not None and left < (1.0 - EXPLAINED) * size
    poor = poor and not mean
    cancels = cancelling > LIVES_BY_CANCELLING
    few, long = len(residuals) < LEAST_ROWS, constants > most
    # What approximates smooth functions best needs half as many constants as a polynomial does.
    accident = not long and told is not None and 2 * constants >= told
    close = gap is not None and gap < DECIDED
    words = []
    if exact:
        words.append("fits to rounding")
    elif grain and not poor:
        words.append(
            f"fits to {grain:.0e} of its size, and no function of the states explains what is left: the data "
            "have errors of that size, as a coarse integrator makes them"
        )
    elif poor:
        words.append(f"explains only {explained:.0%} of what varies: do not rely on it")
    elif mean:
        words.append(
            f"explains the mean of the target and only {explained:.0%} of how it varies: right only if all "
            "the rest is noise"
        )
    if jumps:
        words.append("moves in jumps that the samples do not resolve: measure faster, or name it as an input")
    if not noise:
        cause = "a coarse solver made the data" if inputs is None else "the derivatives have smooth errors"
        words.append(
            f"what it leaves over is not noise (neighbouring residuals correlate by {correlation:.2f}): a "
            f"term is missing, or {cause}"
        )
    elif found is not None and not (poor or mean or held_against):
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
    if long:
        words.append(f"with {constants} constants it may follow the data in the place of another law")
    if accident:
        words.append(
            f"a polynomial of {told} terms follows the data as closely: its {constants} constants may do so "
            "in the place of another law; measure a wider range"
        )
    if vague:
        words.append("the data do not tell all its constants: it may be the limit of another form")
    if equal is not None:
        words.append(f"{equal} fits as well with as few constants: the data do not tell them apart")
    if gap is None:
        words += [] if equal is not None else ["no rival form was met"]
    elif gap < 0:
        words.append(f"another form has {-gap:.3g} nats more evidence: {rival}")
    elif close and (equal is None or equal != rival):
        words.append(f"undecided: only {gap:.2g} nats ahead of {rival}")
    elif equal is None:
        words.append(f"leads the best rival by {gap:.3g} nats")
    level: Level = "exact" if exact else "good"
    if close or few or long or accident or vague or mean or equal is not None:
        level = "undecided"
    if not noise or cancels or held_against:
        level = "doubtful"
    if poor:
        level = "poor"
    return Trust(level, explained, correlation, gap, tuple(words))


def _is_rounding(residuals: np.ndarray, size: float) -> bool:
    """Whether residuals that are below the last digit look so: a rare spike is below it on average only."""
    square = float(residuals @ residuals)
    largest = float(np.abs(residuals).max(initial=0.0))
    if square > UNRESOLVED * size:
        return False
    return square <= NOTHING * size or largest <= ROUNDED * np.sqrt(square / len(residuals))
