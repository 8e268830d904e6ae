"""Fractions of polynomials of one input: a root that both parts share is no part of the law."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

import numpy as np

from mathonet.equation.expression import Call, Expression, Factors, Term, apply, power, total, variable

SHARED = 1e-6
"""What a numerator may be at a root of the denominator, as a share of its terms there."""


def cancelled(expression: Expression) -> Iterator[Expression]:
    """Forms in which a denominator and all that stands over it have lost a root that they share."""
    for call in dict.fromkeys(expression.calls()):
        found = _polynomial(call.argument) if call.operation.name == "inv" else None
        if found is None:
            continue
        x, denominator = found
        over = [term for term in expression.terms if dict(term.factors).get(call)]
        if not over or any(dict(term.factors)[call] != 1 for term in over) or _has_inverse_powers(over, x):
            continue
        numerators = _numerators(over, call, x)
        for root in np.roots(denominator):
            if root.imag or not all(_has(each, root.real) for each in numerators.values()):
                continue
            lower = apply(call.operation, _of(_without(denominator, root.real), x))
            rest = [term for term in expression.terms if term not in over]
            for others, each in numerators.items():
                rest += (_of(_without(each, root.real), x) * Expression((Term(1.0, others),)) * lower).terms
            yield total(rest)


def _polynomial(argument: Expression) -> tuple[int, np.ndarray] | None:
    """The one input of a polynomial of degree two or more, and its coefficients; None for anything else."""
    inputs = {factor for term in argument.terms for factor, _ in term.factors}
    if len(inputs) != 1 or isinstance(x := inputs.pop(), Call) or _has_inverse_powers(argument.terms, x):
        return None
    coefficients = _coefficients(
        [(dict(term.factors).get(x, 0), term.coefficient) for term in argument.terms]
    )
    return (x, coefficients) if len(coefficients) > 2 else None


def _has_inverse_powers(terms: Iterable[Term], x: int) -> bool:
    return any(dict(term.factors).get(x, 0) < 0 for term in terms)


def _numerators(over: list[Term], call: Call, x: int) -> dict[Factors, np.ndarray]:
    """Coefficients of powers of x over a call, for whatever else they are times."""
    powers = defaultdict(list)
    for term in over:
        others = tuple((factor, exponent) for factor, exponent in term.factors if factor not in (call, x))
        powers[others].append((dict(term.factors).get(x, 0), term.coefficient))
    return {others: _coefficients(each) for others, each in powers.items()}


def _coefficients(powers: list[tuple[int, float]]) -> np.ndarray:
    """By falling powers."""
    coefficients = np.zeros(max(power for power, _ in powers) + 1)
    for exponent, coefficient in powers:
        coefficients[-1 - exponent] = coefficient
    return coefficients


def _has(numerator: np.ndarray, root: float) -> bool:
    sizes = np.polyval(np.abs(numerator), abs(root))
    return bool(abs(np.polyval(numerator, root)) <= SHARED * sizes)


def _without(coefficients: np.ndarray, root: float) -> np.ndarray:
    return np.polydiv(coefficients, [1.0, -root])[0]


def _of(coefficients: np.ndarray, x: int) -> Expression:
    powers = [power(variable(x), n).scale(float(c)) for n, c in enumerate(coefficients[::-1]) if c]
    return total(term for each in powers for term in each.terms)
