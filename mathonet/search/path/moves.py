"""Moves: from a fitted system to a better one, by terms added, dropped and exchanged where it pays."""

from collections.abc import Iterator, Sequence

import numpy as np

from mathonet.equation.expression import Expression, Term
from mathonet.equation.moves import drops
from mathonet.fit.linear import distinct_monomials, monomials
from mathonet.fit.path import ANNEAL
from mathonet.fit.shooting import shoot
from mathonet.search import effort
from mathonet.search.fit import Fit
from mathonet.search.objective import Proposal
from mathonet.search.path.fit import PathFit
from mathonet.search.path.model import PathModel

Terms = Sequence[Sequence[Term]]
"""For every equation, terms that it might have besides its own."""


def library(joint: PathFit, degree: int) -> Terms:
    """Every monomial of the inputs up to a degree, for every equation that is searched.

    Of those that are the same on the data, as the powers of a switch, the first.
    """
    every = distinct_monomials(joint.rows, monomials(joint.inputs, degree))
    terms = tuple(Term(1.0, factors) for factors in every)
    return tuple(terms if e in joint.searched else () for e in range(len(joint.rates)))


def laid_beside(fit: Fit, extra: Terms) -> tuple[tuple[Expression, ...], list[int]]:
    """The system with further terms of coefficient zero; and which of all its terms are its own."""
    forms, own, count = [], [], 0
    for form, terms in zip(fit.forms, extra, strict=True):
        present = {term.factors for term in form.terms}
        added = [Term(0.0, term.factors) for term in terms if term.factors not in present]
        forms.append(Expression((*form.terms, *added)))
        own += range(count, count + len(form.terms))
        count += len(form.terms) + len(added)
    return tuple(forms), own


def path_model(joint: PathFit, fit: Fit, extra: Terms) -> tuple[PathModel, frozenset[int]]:
    """The local model of a system with further terms, and the system's own options in it."""
    forms, own = laid_beside(fit, extra)
    flow = joint.flow(forms)
    with np.errstate(all="ignore"):
        shot = shoot(flow, flow.constants, joint.path, fit.path.x, ANNEAL[-1:], steps=0)
    if shot is None:
        flow = joint.flow(fit.forms)
        shot, own = fit.path, list(range(sum(len(form.terms) for form in fit.forms)))
    return PathModel(flow, shot, joint.prices, joint.size), frozenset(own)


def stepwise(joint: PathFit, fit: Fit, extra: Terms) -> Fit:
    """The best system that rounds of predicted and fitted moves lead to."""
    for _ in range(effort.MOVE_ROUNDS):
        systems = neighbours(joint, fit, extra)
        better = _first_better(joint, fit, [*systems, *((-np.inf, forms) for forms in _inner_drops(fit))])
        if better is None:
            return fit
        fit = better
    return fit


def neighbours(joint: PathFit, fit: Fit, extra: Terms) -> list[tuple[float, tuple[Expression, ...]]]:
    """What steps in the local model lead to, and its best single moves, with their predicted scores."""
    model, own = path_model(joint, fit, extra)
    moves = [model.local.step(own), *model.local.moves(own)[: effort.FITTED_TOGETHER]]
    near = [(score, kept) for score, kept in moves if kept != own and score < fit.score + effort.MARGIN]
    return [(score, model.solved(kept)) for score, kept in near]


def rivals(joint: PathFit, fit: Fit, extra: Terms) -> Iterator[Fit]:
    """The systems that come nearest with a term dropped or exchanged, fitted."""
    model, own = path_model(joint, fit, extra)
    others = [each for each in model.local.moves(own, add=False, exchange=True) if each[0] < np.inf]
    most = max(min(effort.RIVALS_IN_ALL, effort.RIVAL_CONSTANTS // max(len(fit.constants), 1)), 1)
    each_has = max(1, min(effort.RIVALS_FITTED, most // max(len(joint.searched), 1)))
    for equation in joint.searched[:most]:
        changed = [
            each for each in others if any(model.options[k].equation == equation for k in own ^ each[1])
        ]
        for score, kept in changed[:each_has]:
            found = _fitted(joint, fit, score, model.solved(kept))
            if found is not None:
                yield found


def _inner_drops(fit: Fit) -> Iterator[tuple[Expression, ...]]:
    """Systems without one of the terms inside a call."""
    for number, form in enumerate(fit.forms):
        for drop in drops(form) if any(form.calls()) else ():
            if drop.term is None:
                yield (*fit.forms[:number], drop.form, *fit.forms[number + 1 :])


def _fitted(joint: PathFit, fit: Fit, predicted: float, forms: tuple[Expression, ...]) -> Fit | None:
    """A neighbouring system: as remembered if that is as good as predicted, else fitted once more.

    A fit that began elsewhere may have ended in another minimum, or before its end.
    """
    known = joint.front.get(forms)
    if known is not None and (known.score <= predicted + effort.PROMISE or not joint.front.first_time(forms)):
        return known
    # What could not be fitted from elsewhere may be from here.
    joint.front.first_time(forms)
    found = joint.fit(forms, fit.path.x, effort.WARM) or joint.fit(forms)
    return joint.front.get(forms) or found


def _first_better(
    joint: PathFit, fit: Fit, systems: Sequence[tuple[float, tuple[Expression, ...]]]
) -> Fit | None:
    for predicted, forms in systems:
        found = _fitted(joint, fit, predicted, forms)
        if found is not None and found.score < fit.score - 1e-6:
            return found
    return None


def eliminate(joint: PathFit, terms: Terms) -> list[Proposal]:
    """From all terms at once down to those that pay: the start where nothing is known yet."""
    count = sum(map(len, terms))
    if count > effort.MOST_OPTIONS or 3 * count > joint.path.count:
        return []
    forms = tuple(Expression(tuple(each)) for each in terms)
    full = joint.fit(regress(joint, forms))
    if full is None:
        return []
    model = PathModel(joint.flow(full.as_fitted), full.path, joint.prices, joint.size)
    return [Proposal(model.solved(kept), start=full.path.x) for _, kept in model.local.choices()]


def regress(joint: PathFit, forms: Sequence[Expression]) -> tuple[Expression, ...]:
    """The forms with coefficients from the smoothed derivatives; constants inside calls stay."""
    flow = joint.flow(forms)
    rows = joint.rows
    with np.errstate(all="ignore"):
        value, _, slopes = flow(rows, flow.constants)
    found = []
    for number, (form, place) in enumerate(zip(forms, flow.places, strict=True)):
        outer = place.start + flow.outlines[number].outer
        columns = slopes[:, number, outer] / joint.slope_std[:, number, None]
        rest = joint.slopes[:, number] - (value[:, number] - slopes[:, number, outer] @ flow.constants[outer])
        with np.errstate(all="ignore"):
            size = np.linalg.norm(columns, axis=0)
        good = np.isfinite(size).all() and len(outer)
        size = np.where(size > 0, size, 1.0)
        solved = (
            np.linalg.lstsq(columns / size, rest / joint.slope_std[:, number], rcond=1e-9)[0] / size
            if good
            else flow.constants[outer]
        )
        terms = (Term(float(c), t.factors) for c, t in zip(solved, form.terms, strict=True))
        found.append(Expression(tuple(terms)))
    return tuple(found)
