"""Calls that are straight lines on some data, and the series that say the same."""

import numpy as np

from mathonet.equation.expression import HOMOGENEOUS, Call, Expression, TooLargeError
from mathonet.equation.flow import evaluate
from mathonet.equation.moves import TAYLOR, replaced, series

STRAIGHT = 0.1
"""Range of an argument below which an operation is a straight line to the eye of any noise."""
COUNTS, CLOSE = 1e-6, 0.1
"""Shares of an equation's size: that a term of a series must have, and that the series may be off by."""


def bends(call: Call, rows: np.ndarray, straight: float = STRAIGHT) -> bool:
    """Whether a call is more than a straight line on the data, as A sin(x / A) is not for a large A.

    Args:
        call: which one.
        rows: of inputs.
        straight: range of the argument, in its own size where a factor may be taken outside, that is no bend.
    """
    with np.errstate(all="ignore"):
        argument = evaluate(call.argument, rows)
    size = np.abs(np.mean(argument)) if call.operation.name in HOMOGENEOUS else 1.0
    return bool(np.ptp(argument) > straight * size)


def straightened(form: Expression, rows: np.ndarray, order: int = 3) -> Expression:
    """The form with the series of every call that is nearly straight, where that is of any use.

    A fit that makes a call ever straighter, and its coefficient ever larger, is after a polynomial.
    """
    found = form
    with np.errstate(all="ignore"):
        for call in dict.fromkeys(form.calls()):
            if call.operation.name in TAYLOR and not bends(call, rows):
                try:
                    found = replaced(
                        found, call, series(call, float(np.mean(evaluate(call.argument, rows))), order)
                    )
                except (TooLargeError, OverflowError, ValueError, ZeroDivisionError):
                    return form
        if found is form or len({*found.calls()}) >= len({*form.calls()}):
            return form
        values, given = evaluate(found, rows), evaluate(form, rows)
        least = COUNTS * np.sqrt(np.mean(given**2))
        if not np.sqrt(np.mean((values - given) ** 2)) <= CLOSE * np.sqrt(np.mean(given**2)):
            return form
        before = {term.factors for term in form.terms}
        sizes = [np.sqrt(np.mean(evaluate(Expression((term,)), rows) ** 2)) for term in found.terms]
    pairs = zip(found.terms, sizes, strict=True)
    return Expression(tuple(term for term, size in pairs if size > least or term.factors in before))
