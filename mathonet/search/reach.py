"""Reach: what all monomials make of the smoothed derivatives, and whether polynomials can do at all."""

import numpy as np

from mathonet.equation.expression import Expression
from mathonet.equation.flow import Flow
from mathonet.search.joint import Joint
from mathonet.search.pursuit import MOST_OPTIONS, Terms, library, regress

FAR = 3.0
"""What a right form may leave of most smoothed derivatives, in units of their deviations."""


def cubic_library(joint: Joint) -> Terms:
    """All monomials of degree 3, or of degree 2 where those are too many."""
    cubic = library(joint, 3)
    return cubic if _affordable(cubic) else library(joint, 2)


def all_terms(joint: Joint) -> Flow:
    """All monomials, with coefficients from the smoothed derivatives."""
    return joint.flow(regress(joint, [Expression(tuple(each)) for each in cubic_library(joint)]))


def beyond(joint: Joint, flow: Flow) -> bool:
    """Whether all monomials of degree 3 together do not even follow some smoothed derivative."""
    if not _affordable(library(joint, 3)):
        return False
    with np.errstate(all="ignore"):
        left = np.abs(flow.values(joint.rows, flow.constants) - joint.slopes) / joint.slope_std
    return bool((np.median(left[:, list(joint.searched)], axis=0) > FAR).any())


def _affordable(terms: Terms) -> bool:
    return sum(map(len, terms)) <= MOST_OPTIONS
