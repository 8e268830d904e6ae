"""Discrete clean-up moves: forms that may say the same with less (METHOD: the linearisation trap)."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count

import numpy as np

from mathonet.equation.expression import (
    HOMOGENEOUS,
    Call,
    Expression,
    Factor,
    Term,
    TooLargeError,
    apply,
    number,
    power,
    total,
    variable,
)
from mathonet.operations import get

NEARLY_WHOLE = 1e-3
SATURATED = 3.0
"""Argument of a tanh from which on it is nearly one."""


def _unchanged(call: Call) -> Expression:
    return Expression((Term(1.0, ((call, 1),)),))


def rewrite_calls(expression: Expression, rewrite: Callable[[Call], Expression | None]) -> Expression:
    """Replace calls anywhere in the expression; `rewrite` gives None to look inside a call instead."""

    def replace(call: Call) -> Expression:
        changed = rewrite(call)
        if changed is not None:
            return changed
        return apply(call.operation, rewrite_calls(call.argument, rewrite))

    return expression.rebuild(variable, replace)


@dataclass(frozen=True)
class Drop:
    """A form with one term less.

    Attributes:
        form: the smaller form.
        place: number, among the free constants, of the lost term's coefficient; None where that is fixed.
        term: the lost term if it was an outer one.
    """

    form: Expression
    place: int | None
    term: Term | None


def replaced(expression: Expression, call: Call, by: Expression) -> Expression:
    """The expression with another one in the place of a call, wherever that stands."""
    return rewrite_calls(expression, lambda other: by if other == call else None)


def drops(expression: Expression) -> Iterator[Drop]:
    """Every form with one term less, outside or inside a call, in the order of the free constants."""
    places = count()
    seen: set[Call] = set()

    def walk(part: Expression, call: Call | None) -> Iterator[Drop]:
        for position, term in enumerate(part.terms):
            fixed = call is not None and call.operation.name in HOMOGENEOUS and position == 0
            place = None if fixed else next(places)
            rest = Expression(part.terms[:position] + part.terms[position + 1 :])
            if call is None:
                yield Drop(rest, place, term)
            elif rest.terms:
                yield Drop(replaced(expression, call, apply(call.operation, rest)), place, None)
            for factor, _ in term.factors:
                if isinstance(factor, Call) and factor not in seen:
                    seen.add(factor)
                    yield from walk(factor.argument, factor)

    yield from walk(expression, None)


TAYLOR = {
    "sin": lambda m: (math.sin(m), math.cos(m), -math.sin(m) / 2, -math.cos(m) / 6),
    "cos": lambda m: (math.cos(m), -math.sin(m), -math.cos(m) / 2, math.sin(m) / 6),
    "exp": lambda m: (math.exp(m), math.exp(m), math.exp(m) / 2, math.exp(m) / 6),
    "tanh": lambda m: (
        math.tanh(m),
        1 - math.tanh(m) ** 2,
        -math.tanh(m) * (1 - math.tanh(m) ** 2),
        -(1 - math.tanh(m) ** 2) * (1 - 3 * math.tanh(m) ** 2) / 3,
    ),
    "tan": lambda m: (
        math.tan(m),
        1 + math.tan(m) ** 2,
        math.tan(m) * (1 + math.tan(m) ** 2),
        (1 + math.tan(m) ** 2) * (1 + 3 * math.tan(m) ** 2) / 3,
    ),
    "log": lambda m: (math.log(abs(m)), 1 / m, -1 / (2 * m**2), 1 / (3 * m**3)),
    "inv": lambda m: (1 / m, -1 / m**2, 1 / m**3, -1 / m**4),
    "sqrt": lambda m: (
        math.sqrt(abs(m)),
        0.5 / math.sqrt(abs(m)) * math.copysign(1, m),
        -0.125 / abs(m) ** 1.5,
        0.0625 / abs(m) ** 2.5 * math.copysign(1, m),
    ),
}
"""Taylor coefficients of the operations around m, to third order."""


def linearisations(
    expression: Expression, values: Callable[[Expression], np.ndarray | None]
) -> Iterator[Expression]:
    """Forms in which one call is replaced by its Taylor terms around its mean argument."""
    for call in dict.fromkeys(expression.calls()):
        name = call.operation.name
        if name not in TAYLOR and name != "abs":
            continue
        argument = values(call.argument)
        if argument is None:
            continue
        if name == "abs":
            if (argument > 0).all() or (argument < 0).all():
                yield replaced(expression, call, call.argument.scale(float(np.sign(argument[0]))))
            continue
        middle = float(np.mean(argument))
        if abs(middle) > 300 or (name in ("log", "inv", "sqrt") and abs(middle) < 1e-6):
            continue
        for order in (0, 1, 2, 3):
            try:
                yield replaced(expression, call, series(call, middle, order))
            except TooLargeError:
                break


def tails(expression: Expression, values: Callable[[Expression], np.ndarray | None]) -> Iterator[Expression]:
    """Forms in which a tanh that is nowhere near its middle is s - 2 s exp(-2 s h), s the sign of h."""
    for call in dict.fromkeys(expression.calls()):
        argument = values(call.argument) if call.operation.name == "tanh" else None
        if argument is None or not np.abs(argument).min() > SATURATED or len(set(np.sign(argument))) > 1:
            continue
        sign = float(np.sign(argument[0]))
        left = apply(get("exp"), call.argument.scale(-2.0 * sign)).scale(-2.0 * sign)
        yield replaced(expression, call, number(sign) + left)


def series(call: Call, middle: float, order: int = 3) -> Expression:
    """Taylor terms of a call around an argument.

    Raises:
        TooLargeError: they are too many.
    """
    shifted, found = call.argument + number(-middle), number(0.0)
    for degree, coefficient in enumerate(TAYLOR[call.operation.name](middle)[: order + 1]):
        found = found + power(shifted, degree).scale(coefficient)
    return found


def merges(expression: Expression) -> Iterator[Expression]:
    """Forms in which two calls of one structure become one."""
    calls = list(dict.fromkeys(expression.calls()))
    for i, kept in enumerate(calls):
        for other in calls[i + 1 :]:
            if other.skeleton == kept.skeleton:
                yield replaced(expression, other, _unchanged(kept))


def joined(expression: Expression) -> Iterator[Expression]:
    """Forms in which w and u/Q become one, u being w times a term of Q: 1 - c/(c + x) is x/(c + x)."""
    for call in dict.fromkeys(expression.calls()):
        if call.operation.name != "inv":
            continue
        over = _unchanged(call)
        fractions = {term.factors: term for term in expression.terms if dict(term.factors).get(call) == 1}
        for whole in expression.terms:
            parts = [
                Expression((Term(whole.coefficient, whole.factors),)) * Expression((part,)) * over
                for part in call.argument.terms
            ]
            for taken in parts:
                lost = fractions.get(taken.terms[0].factors) if len(taken.terms) == 1 else None
                if lost is None or lost is whole:
                    continue
                rest = [term for term in expression.terms if term not in (whole, lost)]
                yield from (total([*rest, *other.terms]) for other in parts if other is not taken)


def wholes(expression: Expression) -> Iterator[Expression]:
    """Forms in which fractions whose numerators make up their denominator are a whole: (c + x)/(c + x)."""
    for call in dict.fromkeys(expression.calls()):
        if call.operation.name != "inv":
            continue
        over, parts = _unchanged(call), call.argument.terms
        fractions = {term.factors: term for term in expression.terms if dict(term.factors).get(call) == 1}
        for fraction in fractions.values():
            powers = {factor: exponent for factor, exponent in fraction.factors if factor != call}
            for factor, exponent in parts[0].factors:
                powers[factor] = powers.get(factor, 0) - exponent
            by = Term(
                fraction.coefficient / parts[0].coefficient, tuple((f, p) for f, p in powers.items() if p)
            )
            made = [Expression((by,)) * Expression((part,)) * over for part in parts]
            taken = {each.terms[0].factors for each in made if len(each.terms) == 1}
            if len(taken) == len(parts) and taken <= fractions.keys():
                yield total([*(term for term in expression.terms if term.factors not in taken), by])


def within(
    move: Callable[[Expression], Iterator[Expression]],
) -> Callable[[Expression], Iterator[Expression]]:
    """A move made in the argument of a call."""

    def moved(expression: Expression) -> Iterator[Expression]:
        for call in dict.fromkeys(expression.calls()):
            for argument in move(call.argument):
                yield replaced(expression, call, apply(call.operation, argument))

    return moved


def phases(expression: Expression) -> Iterator[Expression]:
    """Forms in which a sine with a phase becomes a plain cosine, or the other way round."""
    for call in dict.fromkeys(expression.calls()):
        name, phase = call.operation.name, call.argument.constant
        if name not in ("sin", "cos") or not phase:
            continue
        plain = call.argument + number(-phase)
        quarter = phase / (math.pi / 2) if name == "sin" else phase / (math.pi / 2) + 1
        turn = round(quarter) % 4
        # sin(h + n pi/2) is sin h, cos h, -sin h, -cos h for n = 0, 1, 2, 3.
        changed = apply(get("cos" if turn % 2 else "sin"), plain).scale(-1.0 if turn >= 2 else 1.0)
        yield replaced(expression, call, changed)


def double_angles(expression: Expression) -> Iterator[Expression]:
    """The form in which squares and products of sin h and cos h are written with 2 h."""

    def rewrite(term: Term) -> Expression | None:
        powers = dict(term.factors)
        for factor, exponent in term.factors:
            if not isinstance(factor, Call) or factor.operation.name not in ("sin", "cos"):
                continue
            twice = factor.argument.scale(2.0)
            used: dict[Factor, int]
            partner = Call(get("cos" if factor.operation.name == "sin" else "sin"), factor.argument)
            if exponent >= 2:
                sign = -0.5 if factor.operation.name == "sin" else 0.5
                by = number(0.5) + apply(get("cos"), twice).scale(sign)
                used = {factor: 2}
            elif powers.get(partner, 0) >= 1:
                by = apply(get("sin"), twice).scale(0.5)
                used = {factor: 1, partner: 1}
            else:
                continue
            rest = tuple((f, p - used.get(f, 0)) for f, p in term.factors if p != used.get(f, 0))
            return Expression((Term(term.coefficient, rest),)) * by
        return None

    changed = [rewrite(term) for term in expression.terms]
    if any(changed):
        parts = zip(expression.terms, changed, strict=True)
        yield total(t for old, new in parts for t in (new.terms if new else (old,)))
