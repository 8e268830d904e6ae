"""Pursuit: from a fitted system to a better one, by terms added, dropped and exchanged where it pays."""

from collections.abc import Callable, Sequence

import numpy as np

from mathonet.discovery.joint import Joint, JointFit
from mathonet.discovery.stepwise import Quadratic, choose
from mathonet.equation.expression import Expression, Term
from mathonet.equation.simplify import monomials
from mathonet.fit.shooting import ANNEAL, shoot

ROUNDS = 10
SINGLE_MOVES = 4
"""Moves tried one by one where the best combination of them disappoints."""
MARGIN = 12.0
"""Predicted scores this far above the present one are still worth a fit (in the score's units)."""
MOST_OPTIONS = 140
"""Options beyond which no library is laid beside a system: the banded solutions become dear."""
WARM = (1e-2, 1e-3)
"""q of a fit that starts from the path of a neighbouring system."""

Options = Callable[[JointFit], tuple[tuple[Term, ...], ...]]
"""For a fitted system, terms that each equation might have besides its own."""


def library(joint: Joint, degree: int) -> tuple[tuple[Term, ...], ...]:
    """Every monomial of the inputs up to a degree, for every equation that is searched."""
    terms = tuple(Term(1.0, factors) for factors in monomials(joint.inputs, degree))
    return tuple(terms if e in joint.searched else () for e in range(len(joint.rates)))


def laid_beside(fit: JointFit, extra: Sequence[Sequence[Term]]) -> tuple[tuple[Expression, ...], list[int]]:
    """The system with further terms of coefficient zero; and which of all its terms are its own."""
    forms, own, count = [], [], 0
    for form, terms in zip(fit.forms, extra, strict=True):
        present = {term.factors for term in form.terms}
        added = [Term(0.0, term.factors) for term in terms if term.factors not in present]
        forms.append(Expression((*form.terms, *added)))
        own += range(count, count + len(form.terms))
        count += len(form.terms) + len(added)
    return tuple(forms), own


def quadratic(
    joint: Joint, fit: JointFit, extra: Sequence[Sequence[Term]], outer_only: bool = False
) -> tuple[Quadratic, frozenset]:
    """The quadratic model of a system with further terms, and the system's own options in it."""
    forms, own = laid_beside(fit, extra)
    flow = joint.flow(forms, outer_only)
    with np.errstate(all="ignore"):
        shot = shoot(flow, flow.constants, joint.path, fit.shot.x, ANNEAL[-1:], steps=0)
    if shot is None:
        flow = joint.flow(fit.forms)
        shot, own = fit.shot, list(range(sum(len(form.terms) for form in fit.forms)))
    return Quadratic(flow, shot, joint.price, joint.size), frozenset(own)


def pursue(joint: Joint, fit: JointFit, extra: Sequence[Sequence[Term]]) -> JointFit:
    """The best system that rounds of predicted and fitted moves lead to."""
    for _ in range(ROUNDS):
        model, own = quadratic(joint, fit, extra)
        tried = [choose(model, own)]
        if tried[0][1] == own:
            tried = []
        singles = sorted(model.neighbours(own), key=lambda each: each[0])[:SINGLE_MOVES]
        tried += [each for each in singles if each[0] < fit.score + MARGIN]
        better = _first_better(joint, fit, model, tried)
        if better is None:
            return fit
        fit = better
    return fit


def _first_better(joint: Joint, fit: JointFit, model: Quadratic, tried) -> JointFit | None:
    for _, kept in tried:
        forms = model.forms(kept, model.solve(kept)[1])
        if tuple(form.skeleton for form in forms) in joint.seen:
            known = joint.seen[tuple(form.skeleton for form in forms)]
            if known.score < fit.score - 1e-6:
                return known
            continue
        # From the present path first; where that fails, from the smoothed one.
        found = joint.fit(forms, fit.shot.x, WARM) or joint.fit(forms)
        if found is not None and found.score < fit.score - 1e-6:
            return found
    return None


def eliminate(joint: Joint, terms: Sequence[Sequence[Term]]) -> JointFit | None:
    """From all terms at once down to those that pay: the start where nothing is known yet."""
    count = sum(map(len, terms))
    if count > MOST_OPTIONS or 3 * count > joint.path.count:
        return None
    forms = tuple(Expression(tuple(each)) for each in terms)
    full = joint.fit(regress(joint, forms))
    if full is None:
        return None
    model = Quadratic(full.flow, full.shot, joint.price, joint.size)
    _, kept = choose(model, frozenset(range(len(model.options))), exchange=True)
    chosen = model.forms(kept, model.solve(kept)[1])
    return joint.fit(chosen, full.shot.x, WARM) or joint.fit(regress(joint, chosen))


def regress(joint: Joint, forms: Sequence[Expression]) -> tuple[Expression, ...]:
    """The forms with coefficients from the smoothed derivatives; constants inside calls stay."""
    flow = joint.flow(forms, outer_only=True)
    rows = joint.rows
    with np.errstate(all="ignore"):
        value, _, slopes = flow(rows, flow.constants)
    found = []
    for number, (form, place) in enumerate(zip(forms, flow.places, strict=True)):
        outer = place.start + flow.outlines[number].outer
        columns = slopes[:, number, outer] / joint.slope_std[:, number, None]
        rest = joint.slopes[:, number] - (value[:, number] - slopes[:, number, outer] @ flow.constants[outer])
        size = np.linalg.norm(columns, axis=0)
        size = np.where(size > 0, size, 1.0)
        good = np.isfinite(columns).all() and len(outer)
        solved = (
            np.linalg.lstsq(columns / size, rest / joint.slope_std[:, number], rcond=1e-9)[0] / size
            if good
            else flow.constants[outer]
        )
        terms = (Term(float(c), t.factors) for c, t in zip(solved, form.terms, strict=True))
        found.append(Expression(tuple(terms)))
    return tuple(found)
