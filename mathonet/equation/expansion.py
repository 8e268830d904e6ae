"""Terms counted as the paper counts them: after every sine and cosine of a sum is expanded.

sin(a + b) = sin a cos b + cos a sin b, so a sine or cosine of n terms becomes 2^(n-1) products, those with
an odd or an even number of sines, and with a constant beside them all 2^n. It is how a computer algebra's
expansion counts, and how the paper's 1551 and 140 terms come about.
"""

import math
from collections.abc import Sequence
from itertools import product

from mathonet.equation.expression import MOST_TERMS, Call, Expression, Term, TooLargeError

Key = tuple
"""A product after expansion, without its coefficient; the empty one is the constant."""


def expanded_terms(expression: Expression) -> int:
    """Number of terms after the addition theorems, like products merged, nothing taken to cancel.

    Raises:
        TooLargeError: the expansion has more terms than anyone could count.
    """
    return len(_expand(expression))


def _expand(expression: Expression) -> set[Key]:
    found: set[Key] = set()
    for term in expression.terms:
        found |= _expand_term(term)
        if len(found) > MOST_TERMS:
            raise TooLargeError(f"The expansion has more than {MOST_TERMS} terms.")
    return found


def _expand_term(term: Term) -> set[Key]:
    plain = []
    waves: list[tuple[Expression, Sequence[tuple[int, ...]]]] = []
    for factor, power in term.factors:
        if isinstance(factor, Call) and factor.operation.name in ("sin", "cos") and power > 0:
            waves += [_wave(factor)] * power
        else:
            plain.append((factor, power))
    if math.prod(len(sines) for _, sines in waves) > 16 * MOST_TERMS:
        raise TooLargeError("A product of sines has too many products to count.")
    keys = set()
    for choice in product(*(sines for _, sines in waves)):
        # Sines and cosines of one argument merge: only how many sines each of its terms has matters.
        together: dict[Expression, tuple[int, tuple[int, ...]]] = {}
        for (argument, _), sines in zip(waves, choice, strict=True):
            degree, sofar = together.get(argument, (0, (0,) * len(sines)))
            together[argument] = (degree + 1, tuple(a + b for a, b in zip(sofar, sines, strict=True)))
        keys.add((tuple(plain), frozenset(together.items())) if plain or together else ())
    return keys


def _wave(call: Call) -> tuple[Expression, Sequence[tuple[int, ...]]]:
    """The argument's terms, and every product: for each of them 1 for its sine, 0 for its cosine."""
    parts = _expand(call.argument)
    shifted = () in parts
    count = len(parts) - shifted
    if 2**count > MOST_TERMS:
        raise TooLargeError(f"A sine of {count} terms has too many products to count.")
    odd = call.operation.name == "sin"
    varying = Expression(tuple(term for term in call.argument.terms if term.factors))
    sines = [each for each in product((0, 1), repeat=count) if shifted or sum(each) % 2 == odd]
    return varying, sines
