"""Kinds: forms made of other operations, fitted beside the best system before it is called good.

Where noise hides the difference, a polynomial follows a sine as well as the sine does, and a search that pays
for every form it could have met prefers the cheaper one. That price is no measurement: where a form of
another kind fits as well with as few constants, the data do not tell the two apart.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from mathonet.equation.assembly import constants
from mathonet.equation.expression import Expression
from mathonet.equation.kinds import bent_inputs, kind, of_another_kind
from mathonet.fit.score import DECIDED
from mathonet.search.combinations import best_combinations
from mathonet.search.increments import increments
from mathonet.search.joint import Joint, JointFit
from mathonet.search.pursuit import WARM
from mathonet.search.replacements import STEPS, along, nearest

MOST_FITTED = 3
"""Forms of another kind that are fitted on the path for each equation."""
SLACK = 4.0
"""Nats by which the increments may misjudge what a form will leave."""


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


def other_kinds(joint: Joint, fit: JointFit, units: np.ndarray) -> Iterator[JointFit]:
    """Systems in which one equation is of another kind, with no more constants, and may fit as well.

    Args:
        joint: what fits them.
        fit: the best system.
        units: what the inputs were divided by.
    """
    for equation in joint.searched:
        form = fit.forms[equation]
        bent = bent_inputs(form, joint.inputs)
        refitter = increments(joint, fit, equation) if bent else None
        if refitter is None:
            continue
        own = refitter.fit(form, STEPS).rss
        forms = list(nearest(form, along(joint, fit, equation), bent))
        if kind(form):
            forms += [each for each, _ in best_combinations(refitter, units, plain=True)]
        promised: dict[tuple, tuple[float, Expression]] = {}
        for other in forms:
            few = len(constants(other)) <= len(constants(form))
            if not few or not of_another_kind(other, form, joint.inputs):
                continue
            fitted = refitter.fit(other, STEPS)
            # Half a sum of squares in units of the noise is nats.
            loss, expression = 0.5 * (fitted.rss - own), fitted.expression
            key = expression.skeleton
            if loss < DECIDED + SLACK and (key not in promised or loss < promised[key][0]):
                promised[key] = loss, expression
        for _, other in sorted(promised.values(), key=lambda each: each[0])[:MOST_FITTED]:
            system = (*fit.forms[:equation], other, *fit.forms[equation + 1 :])
            found = joint.seen.get(tuple(each.skeleton for each in system))
            found = found or joint.fit(system, fit.shot.x, WARM) or joint.fit(system)
            if found is not None:
                yield found


def compared(joint: Joint, best: JointFit, equation: int) -> Iterator[Comparison]:
    """All forms of an equation that were fitted on the path, each with its system, beside the best system.

    A system may differ in its other equations too: then all its constants count.
    """
    own = _count(best)
    for fit in joint.seen.values():
        count = _count(fit)
        # The price without sizes is that of the fit and the constants.
        nats = 0.5 * (joint.price(fit.shot.chi2, count, 0.0) - joint.price(best.shot.chi2, own, 0.0))
        yield Comparison(fit.forms[equation], count - own, nats, fit.score)


def _count(fit: JointFit) -> int:
    return sum(len(constants(form)) for form in fit.forms)
