"""Clean data with errors of their own: a coarse integrator's are neither noise nor nothing.

Terms that follow such errors gain, and a search for what explains them would not end. So a short system that
leaves little is asked whether what it leaves is a function of the states at all.
"""

import math
import sys
from collections.abc import Sequence

import numpy as np

from mathonet.equation.assembly import constants
from mathonet.equation.expression import Expression, Term
from mathonet.equation.kinds import kind
from mathonet.fit.path import ANNEAL
from mathonet.search import effort
from mathonet.search.blocks import left_by_all
from mathonet.search.fit import Fit
from mathonet.search.path.fit import PathFit
from mathonet.search.path.increments import left_over
from mathonet.search.path.moves import stepwise


def settled_on_coarse_data(joint: PathFit, fits: Sequence[Fit]) -> tuple[PathFit, Fit] | None:
    """A short system of clean data that leaves what no function of the states explains; None without one.

    Returns:
        What it leaves as the floor of the score, and the system.
    """
    if not joint.clean:
        return None
    for fit in sorted(fits, key=lambda each: len(each.constants)):
        error = error_of(joint, fit)
        if joint.within_floor(fit.path.chi2) or error * joint.share > effort.LOOSE:
            continue
        if fit.longest > effort.MOST_SHORTENED:
            continue
        looser = joint.loosened(effort.DROPPED * error, error * joint.share)
        found = stepwise(looser, looser.judged(fit), tuple(() for _ in fit.forms))
        found = looser.fit(found.forms, found.path.x, ANNEAL[-1:], effort.SETTLING_STEPS) or found
        if found.longest <= effort.NO_ACCIDENT and short(found) and leaves_no_function(joint, found):
            return looser, found
    return None


def error_of(joint: PathFit, fit: Fit) -> float:
    """What a system leaves, in units of the noise that the path is fitted with."""
    return float(np.sqrt(fit.path.chi2 / joint.path.count))


def leaves_no_function(joint: PathFit, fit: Fit) -> bool:
    """Whether what a system leaves is no function of the states: no polynomial would leave far less.

    Fewer increments than the largest of these polynomials has terms cannot tell.
    """
    for equation in joint.searched:
        regression = left_over(joint, fit, equation)
        if regression is None or regression.count < effort.ROOM:
            return False
        if regression.all > effort.AT_ITS_END * fit.path.chi2:
            return False
        least = left_by_all(regression)
        if joint.within_floor(least / effort.NEXT_TO) or least * effort.FAR_BETTER < regression.all:
            return False
    return True


def short(fit: Fit) -> bool:
    """Whether no equation is so long, or of such a degree, that it may stand in for another."""
    return all(len(form.terms) <= effort.FEW_TERMS and _low(form) for form in fit.forms)


def no_stand_in(joint: PathFit, form: Expression) -> bool:
    """Whether a form that leaves nothing is no accident: few constants, and no powers as series have them."""
    return len(constants(form)) <= min(effort.SURE, most_constants(joint, form)) and _low(form)


def most_constants(joint: PathFit, form: Expression) -> int:
    """Constants up to which a form that leaves nothing is no accident, by the digits that the data have."""
    if not kind(form) or joint.share == 0.0:
        return sys.maxsize
    return max(effort.NO_ACCIDENT, round(-math.log10(joint.share)) - effort.SPARE_DIGITS)


def _low(form: Expression) -> bool:
    return all(_degree(term) <= effort.LOW_DEGREE for term in form.terms)


def _degree(term: Term) -> int:
    return sum(abs(power) for factor, power in term.factors if isinstance(factor, int))
