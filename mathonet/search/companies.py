"""Companies: a call beside every monomial and times every monomial, and what is then left out again.

Sums of few terms say at most a few things about one call. Laws with several terms over one denominator, or
with one activation times several differences, have a call in larger company: P(x) + g(x) R(x), with
polynomials P and R of which most terms are missing. For constants inside g on a grid, what full polynomials
leave follows from one linear regression. The best grid points get their constants by variable projection;
then the terms that are missed least go, one after another. Polynomials without any call come first.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import comb
from operator import itemgetter

import numpy as np

from mathonet.equation.expression import Expression, Factor, Factors, Term, TooLargeError, total
from mathonet.equation.refit import MOST_CONSTANTS, Fitted, Refitter
from mathonet.equation.simplify import monomials
from mathonet.fit.linear import distinct_monomials
from mathonet.search.layout import Layout
from mathonet.search.nested import Calls, angle_below, nested_calls, times_waves, waves
from mathonet.search.shortening import DEPENDENT, STEPS, SURE, Shortener, price
from mathonet.search.terms import FEW, SOME, WAVES, Atom, Catalogue

WITHOUT, MOST_TERMS = (3, 4, 5), 75
"""Degrees of polynomials without any call, and terms that these have at most."""
DEGREES = ((1, 1, 300), (2, 1, 150), (1, 3, 60), (3, 2, 60))
"""Degree of P, that of R, and kinds of calls that are fitted; the next where those before leave too much."""
ALONG = ((1, 1, 50), (2, 1, 25))
"""The same along a path, where every residual is a sum over rows and fits take longer, of fewer inputs."""
CUBIC = 3
STARTS = 2
"""Grid points of a kind that are fitted."""
SHORTENED = 6
"""For so many kinds that may be fitted, one form is shortened, which takes longer."""
AT_ONCE = 500
"""Grid points whose regressions are solved at once."""
ENOUGH = 6
"""Forms that are handed on."""
TRACE = 1e-12

Company = tuple[Atom, ...]
"""A call, or several that belong together, times every monomial."""


def best_companies(
    refitter: Refitter, catalogue: Catalogue, atoms: Sequence[Atom], floor: float, chosen: np.ndarray
) -> list[tuple[Expression, float]]:
    """Forms with a call in large company, and the mean squares that they leave, the best first.

    Args:
        refitter: has the samples and the operations.
        catalogue: of terms, on the rows that forms are compared on.
        atoms: whose calls are looked at, beside those of `nested`.
        floor: relative error below which residuals mean nothing.
        chosen: the residuals that count.
    """
    shortener = Shortener(refitter, floor)
    plain = _polynomials(shortener, catalogue)
    if floor <= SURE and any(map(shortener.is_sure, plain)):
        return _listed(shortener, plain)
    calls = list(dict.fromkeys([*(atom.calls for atom in atoms if atom.calls), *nested_calls(catalogue)]))
    along = refitter.operator is not None
    for whole, above, kinds in ALONG if along else DEGREES:
        most = FEW - 1 if along else SOME if whole < CUBIC else FEW
        if shortener.sure or catalogue.count > most:
            break
        beside = [
            Atom(each) for each in distinct_monomials(catalogue.rows, monomials(catalogue.count, whole))
        ]
        companies = _companies(catalogue, calls, above if catalogue.count <= FEW else min(above, CUBIC - 1))
        listed = list(dict.fromkeys(atom for each in companies.values() for one in each for atom in one))
        layout = Layout(refitter, [*beside, *listed], catalogue.rows, chosen)
        for fitted in _fitted(layout, beside, companies, kinds, shortener):
            shortener.enter(shortener.shortened(fitted))
    return _listed(shortener, plain)


def _listed(shortener: Shortener, plain: list[Fitted]) -> list[tuple[Expression, float]]:
    for each in plain:
        shortener.enter(each)
    return [(each.expression, each.rss / shortener.refitter.count) for each in shortener.best(ENOUGH)]


def _polynomials(shortener: Shortener, catalogue: Catalogue) -> list[Fitted]:
    """Polynomials of which most terms are missing: with most of them there, any law can be followed."""
    found = []
    for degree in WITHOUT:
        if comb(catalogue.count + degree, degree) > MOST_TERMS:
            break
        every = distinct_monomials(catalogue.rows, monomials(catalogue.count, degree))
        fitted = shortener.refitter.fit(total(Term(TRACE, each) for each in every))
        if np.isfinite(fitted.rss):
            shorter = shortener.shortened(fitted)
            found += [shorter] if 2 * len(shorter.values) <= len(every) else []
    return found


def _companies(catalogue: Catalogue, calls: Sequence[Calls], degree: int) -> dict[tuple, list[Company]]:
    """For every kind of call the companies of its grid points."""
    found: dict[tuple, list[Company]] = {}
    every = monomials(catalogue.count, degree)
    for each in calls:
        if each[0].name == ("cos",) and len(each) == 1 and "sin" in catalogue.operations:
            # It comes with the sine.
            continue
        kind = Atom((), each).kind
        angle = angle_below(each)
        above = (
            every if angle is None else [m for m in every if Atom(m).degree < CUBIC and not _has(m, angle)]
        )
        parts = _together(catalogue, each) if angle is None else times_waves(catalogue, each, angle)
        company = [Atom(m, part) for part in parts for m in above if _above(m, part)]
        found.setdefault(kind, []).append(tuple(company))
    for ((place, _),) in catalogue.inverse:
        powers = [((place, -below), *m) for m in every if not _has(m, place) for below in (1, 2, 3, 4)]
        found["powers", place] = [tuple(Atom(tuple(sorted(each))) for each in powers)]
        products = [m for m in monomials(catalogue.count, 2) if not _has(m, place)]
        over: list[Atom] = [Atom(tuple(sorted([(place, -1), *m]))) for m in products]
        for other in (i for i in range(catalogue.count) if i != place):
            over += [Atom(((place, -1),), (wave,)) for wave in waves(catalogue, other)]
        found["over", place] = [tuple(over)]
    return found


def _has(factors: Factors, place: Factor) -> bool:
    return any(each == place for each, _ in factors)


def _together(catalogue: Catalogue, calls: Calls) -> Iterator[Calls]:
    """Calls that belong together: sines and cosines, and both quotients of a product beside it."""
    yield calls
    if len(calls) == 1 and calls[0].name[0] in WAVES and len(calls[0].name) == 1:
        for name in WAVES:
            if name != calls[0].name[0] and name in catalogue.operations:
                yield (replace(calls[0], operations=(catalogue.operations[name],)),)
    if len(calls) == 2 and all(call.name == ("inv",) for call in calls):
        yield from ((call,) for call in calls)


def _above(factors: Factors, calls: Calls) -> bool:
    """Whether a monomial above quotients cannot be divided by what is below: x/(c + x) is 1 - c/(c + x)."""
    powers = dict(factors)
    return not any(
        all(powers.get(place, 0) >= exponent > 0 for place, exponent in call.features[0])
        for call in calls
        if call.name == ("inv",)
    )


def _most_promising(
    layout: Layout,
    beside: list[Atom],
    companies: dict[tuple, list[Company]],
    most: int,
    fits: int,
    floor: float,
) -> list[Company]:
    """Companies that leave least for their size, the best grid points of each kind; none too large to fit."""
    place = {atom: k for k, atom in enumerate(layout.atoms)}
    basis = _directions(layout.columns[[place[atom] for atom in beside if atom in place]].T)
    rest = layout.target - basis @ (basis.T @ layout.target)
    sizes: dict[int, list[tuple[tuple, Company, list[int]]]] = {}
    for kind, each in companies.items():
        room = fits - len(beside) - _inner(each[0])
        for company in each:
            # Of an input that is zero throughout, or beyond all numbers, nothing is to be had.
            places = [place.get(atom, -1) for atom in company]
            usable = tuple(atom for atom, at in zip(company, places, strict=True) if at >= 0)
            if 0 < len(usable) <= room:
                sizes.setdefault(len(usable), []).append((kind, usable, [at for at in places if at >= 0]))
    kinds: dict[tuple, list[tuple[float, Company]]] = {}
    for group in sizes.values():
        for start in range(0, len(group), AT_ONCE):
            part = group[start : start + AT_ONCE]
            columns = layout.columns[[places for _, _, places in part]]
            own = _directions((columns - (columns @ basis) @ basis.T).transpose(0, 2, 1))
            left = rest @ rest - np.sum((rest @ own) ** 2, axis=1)
            for (kind, company, _), each in zip(part, left.tolist(), strict=True):
                cost = price(max(each, 0.0), len(rest), floor, len(company))
                kinds.setdefault(kind, []).append((cost, company))
    starts = [sorted(each, key=itemgetter(0))[:STARTS] for each in kinds.values()]
    ranked = sorted(starts, key=lambda each: each[0][0])
    return [company for each in ranked[:most] for _, company in each]


def _inner(company: Company) -> int:
    """Constants inside the calls of a company, at least."""
    return sum(sum(call.free) for call in dict.fromkeys(call for atom in company for call in atom.calls))


def _directions(columns: np.ndarray) -> np.ndarray:
    """Orthonormal directions of columns, zero for columns that depend on those before them."""
    basis, upper = np.linalg.qr(columns)
    own = np.abs(np.diagonal(upper, axis1=-2, axis2=-1))
    return basis * (own > DEPENDENT)[..., None, :]


def _fitted(
    layout: Layout,
    beside: list[Atom],
    companies: dict[tuple, list[Company]],
    most: int,
    shortener: Shortener,
) -> list[Fitted]:
    """The most promising companies with their constants; of these, the ones that are best when shortened."""
    refitter = shortener.refitter
    room = min(MOST_CONSTANTS, int(refitter.count) // 2)
    # Two grid points of a kind that lead to one fit are one.
    ranked: dict[tuple, tuple[float, Fitted]] = {}
    for company in _most_promising(layout, beside, companies, most, room, shortener.floor):
        try:
            form = total(term for atom in (*beside, *company) for term in atom.expression(TRACE).terms)
        except (TooLargeError, OverflowError):
            continue
        if refitter.fits_in(form):
            fitted = refitter.fit(form, STEPS)
            if np.isfinite(fitted.rss):
                key = (fitted.expression.skeleton, f"{fitted.rss:.2e}")
                if key not in ranked:
                    ranked[key] = (shortener.price_when_cut(fitted), fitted)
    first = sorted(ranked.values(), key=itemgetter(0))[: most // SHORTENED]
    return [fitted for _, fitted in first]
