"""Replacements: an equation, or what it does with one input, written otherwise.

Polynomials, and calls of one kind, can stand in for a call of another kind, and no single term leads from one
to the other. But a system that follows its data, whatever it is made of, has a path that says far more than
smoothing did. So sums of few terms are compared on the increments of a state along it (see `increments`); or
all terms that depend on an input in the same company are taken out, and every operation of that input is
fitted to the equation's values there in their place. The few that promise most are fitted in earnest.
"""

from collections.abc import Iterator, Sequence

import jax.numpy as jnp
import numpy as np

from mathonet.equation.expression import (
    HOMOGENEOUS,
    Call,
    Expression,
    Factors,
    Term,
    TooLargeError,
    depends,
    total,
    variable,
)
from mathonet.equation.flow import evaluate
from mathonet.equation.moves import TAYLOR, replaced, series
from mathonet.equation.refit import Fitted, Refitter
from mathonet.fit.problem import Problem
from mathonet.search.combinations import best_combinations
from mathonet.search.increments import increments
from mathonet.search.joint import Joint, JointFit, price_of_size
from mathonet.search.probes import calls_of
from mathonet.search.pursuit import WARM

STEPS = 12
NEAR = 1e-7
"""Share of an equation's size that its values along a path are known to at best."""
STRAIGHT = 0.1
"""Range of an argument below which an operation is a straight line to the eye of any noise."""
COUNTS, CLOSE = 1e-6, 0.1
"""Shares of an equation's size: that a term of a series must have, and that the series may be off by."""
MOST_TRIED = 3
"""Operations that are fitted on the path in one place of an equation."""
PROMISE, MOST_FITTED = 4.0, 6
"""How much worse than the present score a predicted one may be and still be fitted, and how many are."""
MOST_COMPANIES = 3
"""Factors beside an input that are looked at, those with most terms first."""


def replacements(joint: Joint, fit: JointFit, gain: float) -> Iterator[JointFit]:
    """Fitted systems in which one call stands for all that an equation does with an input.

    Args:
        joint: what fits them.
        fit: the present system.
        gain: what another system may at most gain in the score by fitting better; one that costs more than
            that is not tried.
    """
    for equation in joint.searched:
        for forms in nearest(fit.forms[equation], along(joint, fit, equation)):
            system = (*fit.forms[:equation], forms, *fit.forms[equation + 1 :])
            known = tuple(each.skeleton for each in system) in joint.seen
            if not known and joint.score(system, fit.shot.chi2) < fit.score + gain:
                found = joint.fit(system, fit.shot.x) or joint.fit(system)
                if found is not None:
                    yield found


def recombined(
    joint: Joint, fit: JointFit, equation: int, units: np.ndarray, plain: bool = False, precise: bool = False
) -> JointFit | None:
    """The best system in which an equation is another sum of few terms.

    Args:
        joint: what fits them.
        fit: the present system.
        equation: which one is looked at.
        units: what the inputs were divided by.
        plain: whether only monomials are looked at.
        precise: whether rarer terms and companies are looked at too.
    """
    refitter = increments(joint, fit, equation)
    if refitter is None:
        return None
    own = refitter.fit(fit.forms[equation], STEPS).rss
    if not np.isfinite(own):
        return None
    promised = []
    for form, square in best_combinations(refitter, units, plain, precise):
        system = (*fit.forms[:equation], form, *fit.forms[equation + 1 :])
        chi2 = max(fit.shot.chi2 + square * refitter.count - own, 0.0)
        score = joint.score(system, chi2) + price_of_size(system)
        if score < fit.score + PROMISE and tuple(each.skeleton for each in system) not in joint.seen:
            promised.append((score, system))
    promised.sort(key=lambda each: each[0])
    fitted = [joint.fit(system, fit.shot.x, WARM) for _, system in promised[:MOST_FITTED]]
    return min((each for each in fitted if each is not None), key=lambda each: each.score, default=None)


def along(joint: Joint, fit: JointFit, equation: int) -> Refitter:
    """What fits forms to the values of an equation along the fitted path."""
    rows = joint.along(fit)
    with np.errstate(all="ignore"):
        values = evaluate(fit.forms[equation], rows)
    size = np.sqrt(np.mean(values**2)) or 1.0
    problem = Problem(
        jnp.asarray(rows), jnp.asarray(values[:, None]), jnp.ones(len(rows)), jnp.asarray(float(len(rows)))
    )
    return Refitter(problem, joint.operations, NEAR * size, joint.choices)


def nearest(
    form: Expression, refitter: Refitter, places: Sequence[int] | None = None
) -> Iterator[Expression]:
    """Forms with a call in the place of an input's terms, those that fit best.

    Args:
        form: what is written otherwise.
        refitter: what the others are fitted by.
        places: the inputs that are looked at; None for all.
    """
    rows = refitter.rows
    for place in range(refitter.inputs) if places is None else places:
        companies: dict[Factors, list[Term]] = {}
        for term in form.terms:
            company = tuple((f, p) for f, p in term.factors if not depends(f, place))
            if len(company) < len(term.factors):
                companies.setdefault(company, []).append(term)
        ranked = sorted(companies.items(), key=lambda item: -len(item[1]))[:MOST_COMPANIES]
        for company, taken in ranked:
            rest = total(term for term in form.terms if term not in taken)
            beside = Expression((Term(1.0, company),))
            found: dict[tuple, Fitted] = {}
            for operation in refitter.operations:
                for call in calls_of(operation, variable(place), rows):
                    for extra in (Expression(), beside):
                        trial = rest + beside * call + extra.scale(1e-3)
                        if not any(trial.calls()):
                            continue
                        fitted = refitter.fit(trial, STEPS)
                        known = found.get(fitted.expression.skeleton)
                        if not np.isfinite(fitted.score) or not all(
                            _bends(each, rows) for each in fitted.expression.calls()
                        ):
                            continue
                        if known is None or fitted.score < known.score:
                            found[fitted.expression.skeleton] = fitted
            best = sorted(found.values(), key=lambda each: each.score)[:MOST_TRIED]
            yield from (each.expression for each in best)


def straightened(form: Expression, rows: np.ndarray, order: int = 3) -> Expression:
    """The form with the series of every call that is nearly straight, where that is of any use.

    A fit that makes a call ever straighter, and its coefficient ever larger, is after a polynomial.
    """
    found = form
    with np.errstate(all="ignore"):
        for call in dict.fromkeys(form.calls()):
            if call.operation.name in TAYLOR and not _bends(call, rows):
                try:
                    found = replaced(
                        found, call, series(call, float(np.mean(evaluate(call.argument, rows))), order)
                    )
                except (TooLargeError, OverflowError, ValueError, ZeroDivisionError):
                    return form
        if found is form or len(list(found.calls())) >= len(list(form.calls())):
            return form
        values, given = evaluate(found, rows), evaluate(form, rows)
        least = COUNTS * np.sqrt(np.mean(given**2))
        if not np.sqrt(np.mean((values - given) ** 2)) <= CLOSE * np.sqrt(np.mean(given**2)):
            return form
        before = {term.factors for term in form.terms}
        sizes = [np.sqrt(np.mean(evaluate(Expression((term,)), rows) ** 2)) for term in found.terms]
    pairs = zip(found.terms, sizes, strict=True)
    return Expression(tuple(term for term, size in pairs if size > least or term.factors in before))


def _bends(call: Call, rows: np.ndarray) -> bool:
    """Whether a call is more than a straight line on the data, as A sin(x / A) is not for a large A."""
    with np.errstate(all="ignore"):
        argument = evaluate(call.argument, rows)
    size = np.abs(np.mean(argument)) if call.operation.name in HOMOGENEOUS else 1.0
    return bool(np.ptp(argument) > STRAIGHT * size)
