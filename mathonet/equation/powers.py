"""Powers written with logarithms: exp(p log x), and tanh(p log x + q), which is a quotient of them."""

import math
from collections.abc import Callable, Iterator

import numpy as np

from mathonet.equation.expression import Call, Expression, apply, number, power
from mathonet.equation.moves import NEARLY_WHOLE, replaced
from mathonet.operations import Operation, get

LARGEST, HIGHEST = 300.0, 12.0
"""Constant beside a logarithm whose exponential is still a number, and exponent that a law may have."""


def plain_powers(
    expression: Expression, root: Operation, values: Callable[[Expression], np.ndarray]
) -> Expression:
    """The form with x^n sqrt(x) or x^n in place of exp(p log x) wherever 2 p is nearly a whole number.

    Args:
        expression: the form.
        root: the square root.
        values: of an expression on the data; log and sqrt take the size of an argument, powers do not.
    """
    for call in dict.fromkeys(expression.calls()):
        base, exponent, rest = _of_log(call)
        if base is None or rest or call.operation.name != "exp":
            continue
        twice, sign = round(2.0 * exponent), _sign(values(base))
        if sign and abs(2.0 * exponent - twice) < NEARLY_WHOLE:
            whole = power(base.scale(sign), twice // 2) if twice // 2 else number(1.0)
            expression = replaced(expression, call, whole * apply(root, base) if twice % 2 else whole)
    return expression


def whole_powers(
    expression: Expression, values: Callable[[Expression], np.ndarray | None]
) -> Iterator[Expression]:
    """Forms in which a tanh of p log x + q is 1 - 2/(1 + c x^n), where n = 2 p is nearly a whole number."""
    for call in dict.fromkeys(expression.calls()):
        base, exponent, rest = _of_log(call)
        if base is None or call.operation.name != "tanh" or abs(rest) > LARGEST:
            continue
        whole, sign = round(2.0 * exponent), _sign(values(base))
        if not (sign and whole and abs(2.0 * exponent - whole) < NEARLY_WHOLE):
            continue
        side = math.copysign(1.0, whole)
        raised = power(base.scale(sign), abs(whole)).scale(math.exp(2.0 * side * rest))
        quotient = apply(get("inv"), number(1.0) + raised)
        yield replaced(expression, call, number(side) + quotient.scale(-2.0 * side))


def _sign(values: np.ndarray | None) -> float:
    """The sign that all values have; zero if they have none in common."""
    if values is None or not len(values):
        return 0.0
    sign = float(np.sign(values[0]))
    return sign if np.all(sign * values > 0) else 0.0


def _of_log(call: Call) -> tuple[Expression | None, float, float]:
    """An input x, p and q of a call of p log x + q; None for any other call, and for powers of no law."""
    terms = [term for term in call.argument.terms if term.factors]
    if len(terms) == 1 and len(terms[0].factors) == 1 and abs(terms[0].coefficient) <= HIGHEST:
        ((inner, power_of_it),) = terms[0].factors
        if isinstance(inner, Call) and inner.operation.name == "log" and power_of_it == 1:
            base = inner.argument
            if len(base.terms) == 1 and isinstance(base.terms[0].factors[0][0], int):
                return base, terms[0].coefficient, call.argument.constant
    return None, 0.0, 0.0
