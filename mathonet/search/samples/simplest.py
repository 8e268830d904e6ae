"""Simplest: whether forms with calls could win beside what stands, asked of the shortest of them."""

from collections.abc import Iterable
from functools import reduce
from itertools import combinations_with_replacement
from operator import mul

from mathonet.equation.expression import Expression, apply, number, variable
from mathonet.operations import Operation
from mathonet.search import effort
from mathonet.search.fit import Fit
from mathonet.search.samples.regression import Regression


def simplest_calls(inputs: int, operations: tuple[Operation, ...]) -> tuple[Expression, ...]:
    """Every form of one term with one call of one term: all others with calls cost at least one term more."""
    arguments = [
        reduce(mul, map(variable, chosen))
        for degree in (1, 2)
        for chosen in combinations_with_replacement(range(inputs), degree)
    ]
    called = [operation for operation in operations if operation.name != "ident"]
    return tuple(apply(operation, argument) for operation in called for argument in arguments)


def could_win(simplest: Iterable[Expression], regression: Regression, front: Iterable[Fit]) -> bool:
    """Whether a form with calls may be better than what was found.

    It cannot beside a form that fits to rounding. Beside one that leaves nothing but noise, another form can
    only win by being cheaper: the simplest are tried, and all others cost one term more at least.
    """
    front, simplest = list(front), list(simplest)
    best = min(front, key=lambda each: each.score, default=None)
    if best is None:
        return True
    if regression.is_exact(best, front):
        return False
    longer = min(regression.score(form + number(1.0), best.chi2) for form in simplest)
    if longer < best.score or not regression.leaves_noise(best):
        return True
    return any(regression.fit(form, effort.JUDGING_STEPS).score < best.score for form in simplest)
