"""What an expression costs: its number of terms and constants, and the size of the search that held it."""

import math
from functools import lru_cache

from mathonet.equation.assembly import constants
from mathonet.equation.expression import Call, Expression, Factor, Term

LEAST_DEGREE = 2
"""A PolyNet multiplies inputs, so no rung is smaller than all monomials up to degree 2."""


def log_size(expression: Expression, inputs: int, operations: int, choices: int = 1) -> float:
    """Sum over terms of log(size of the smallest rung holding the term).

    A monomial of degree d belongs to the rung of all monomials up to d, C(n + d, d) of them, and none is
    smaller than the quadratic one. A call chooses one operation (its price counts as that many), every term
    of its argument, and the monomial it is multiplied by; a negative power is a call of inv. Where the
    smallest rung already has several operations (an architecture given by hand), a monomial was one of so
    many `choices` more, inside a call as well as outside: else A sin(h/A) would cost less than h, and win
    where the noise happens to favour it.
    """
    return sum(_term(term, inputs, operations, choices) for term in expression.terms)


def _term(term: Term, inputs: int, operations: int, choices: int) -> float:
    company = sum(abs(power) for factor, power in term.factors if not isinstance(factor, Call))
    if not any(isinstance(factor, Call) for factor, _ in term.factors):
        size = _monomials(inputs, max(LEAST_DEGREE, company)) + math.log(max(choices, 1))
    else:
        # The company that a call keeps is one more choice: else x cos(b x) would cost no more than sin(b x).
        size = _monomials(inputs, LEAST_DEGREE) + _monomials(inputs, company)
    for factor, power in term.factors:
        size += _factor(factor, inputs, operations, choices)
        if power < 0:
            size += math.log(max(operations, 1))
    return size


def _monomials(inputs: int, degree: int) -> float:
    """Log of the number of monomials up to a degree."""
    return math.log(math.comb(inputs + degree, degree))


@lru_cache(maxsize=4096)
def _factor(factor: Factor, inputs: int, operations: int, choices: int) -> float:
    if not isinstance(factor, Call):
        return 0.0
    choice = math.log(max(operations, 1) * factor.operation.price)
    return choice + log_size(factor.argument, inputs, operations, choices)


def complexity(expression: Expression) -> int:
    """Nodes of the expression: constants, factors (counted by power) and calls. Shown in the Pareto table."""
    return len(constants(expression)) + sum(_nodes(term) for term in expression.terms)


def _nodes(term: Term) -> int:
    return sum(
        abs(power) + (sum(map(_nodes, factor.argument.terms)) if isinstance(factor, Call) else 0)
        for factor, power in term.factors
    )
