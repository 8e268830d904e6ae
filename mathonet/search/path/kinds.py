"""Kinds: forms made of other operations, fitted beside the best system before it is called good.

Where noise hides the difference, a polynomial follows a sine as well as the sine does, and a search that pays
for every form it could have met prefers the cheaper one. That price is no measurement: where a form of
another kind fits as well with as few constants, the data do not tell the two apart.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mathonet.equation.assembly import constants
from mathonet.equation.expression import Expression
from mathonet.equation.kinds import of_another_kind
from mathonet.fit.score import DECIDED
from mathonet.search import effort
from mathonet.search.fit import Fit
from mathonet.search.path.fit import PathFit


class Comparison(NamedTuple):
    """A form beside the chosen one.

    Attributes:
        form: what it is.
        more: constants that it has more.
        nats: by which it is less likely, by its fit and its constants, without any price of forms.
        score: the one score, with all prices.
    """

    form: Expression
    more: int
    nats: float
    score: float


def other_kinds(joint: PathFit, fit: Fit, equation: int, others: Sequence[Fit]) -> Iterator[Fit]:
    """Systems in which one equation is of another kind, with no more constants, and may fit as well.

    Args:
        joint: what fits them.
        fit: the best system.
        equation: which one.
        others: its forms that were fitted on its increments along the path.
    """
    form = fit.forms[equation]
    promised: dict[tuple, Fit] = {}
    same = [each.chi2 for each in others if each.expression.skeleton == form.skeleton]
    own = same[-1] if same else None
    for other in sorted(others, key=lambda each: each.chi2):
        few = len(constants(other.expression)) <= len(constants(form))
        if few and of_another_kind(other.expression, form, joint.inputs):
            promised.setdefault(other.expression.skeleton, other)
    for other in list(promised.values())[: effort.RIVALS_FITTED]:
        # Half a sum of squares in units of the noise is nats.
        if own is not None and 0.5 * (other.chi2 - own) > DECIDED + effort.KIND_SLACK:
            return
        system = (*fit.forms[:equation], other.expression, *fit.forms[equation + 1 :])
        found = joint.front.get(system)
        found = found or joint.fit(system, fit.path.x, effort.WARM) or joint.fit(system)
        if found is not None:
            yield found


def compared(joint: PathFit, best: Fit, equation: int) -> Iterator[Comparison]:
    """All forms of an equation that were fitted on the path, each with its system, beside the best system.

    A system may differ in its other equations too: then all its constants count.
    """
    own = _count(best)
    for fit in joint.front:
        count = _count(fit)
        # The price without sizes is that of the fit and the constants.
        nats = 0.5 * (joint.price(fit.path.chi2, count, 0.0) - joint.price(best.path.chi2, own, 0.0))
        yield Comparison(fit.forms[equation], count - own, nats, fit.score)


def _count(fit: Fit) -> int:
    return sum(len(constants(form)) for form in fit.forms)
