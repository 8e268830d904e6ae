"""Rarer terms: long products and quotients of inputs, half and real powers, products of quotients.

They are listed beside the catalogue where data are precise: those tell a law from its rivals. With noise,
every further kind of term is one more that may follow it.
"""

from collections.abc import Iterator
from itertools import combinations, product

from mathonet.equation.expression import Call, Factors, variable
from mathonet.equation.simplify import monomials
from mathonet.fit.linear import monomial
from mathonet.operations import get
from mathonet.search.terms import BELOW, FEW, OFFSETS, SOME, Atom, Catalogue, Inside, one_sign

EXPONENTS = (-1.5, -0.75, -0.25, 0.25, 0.75, 1.25, 1.75, 2.5, 3.5)
"""Powers of an input; a fit finds the right one from the nearest."""


def rarer_terms(catalogue: Catalogue) -> list[Atom]:
    """Atoms of these kinds, of few inputs; of some more, products of three inputs."""
    if catalogue.count > FEW:
        cubes = monomials(catalogue.count, 3) if catalogue.count <= SOME else []
        return [Atom(each) for each in cubes if len(each) > 1 and sum(power for _, power in each) == 3]
    companies: list[Factors] = [(), *catalogue.single, *catalogue.products]
    found = [
        Atom(factors) for factors in (*monomials(catalogue.count, 4), *_below(catalogue)) if is_rare(factors)
    ]
    found += _half_powers(catalogue)
    found += [Atom(company, (call,)) for call in _powers(catalogue) for company in companies]
    if "inv" in catalogue.operations:
        found += [Atom(company, (call,)) for call in _squared(catalogue) for company in companies]
        found += _two_quotients(catalogue)
    return found


def is_rare(factors: Factors) -> bool:
    """Whether a monomial has a power below -2, or several inputs and degree 4 or a negative power."""
    powers = [power for _, power in factors]
    return min(powers, default=0) < -2 or (len(powers) > 1 and (min(powers) < 0 or sum(powers) > 3))


def _below(catalogue: Catalogue) -> Iterator[Factors]:
    """Monomials over powers of an input that keeps its sign."""
    for ((place, _),) in catalogue.inverse:
        yield from (((place, -power),) for power in (3, 4))
        for other in range(catalogue.count):
            if other != place:
                for above, below in product((1, 2), (-1, -2)):
                    yield tuple(sorted({place: below, other: above}.items()))


def _half_powers(catalogue: Catalogue) -> Iterator[Atom]:
    """Terms sqrt(x)/x^2 and sqrt(x)/x^3."""
    if "sqrt" in catalogue.operations:
        for ((place, _),) in catalogue.inverse:
            root = Inside((catalogue.operations["sqrt"],), (((place, 1),),), (1.0, 0.0), (False, False))
            yield from (Atom(((place, -power),), (root,)) for power in (2, 3))


def _powers(catalogue: Catalogue) -> Iterator[Inside]:
    """x^p as exp(p log x)."""
    if not {"exp", "log"} <= catalogue.operations.keys():
        return
    for place in range(catalogue.count):
        if one_sign(catalogue.rows[:, place]):
            logarithm: Factors = ((Call(catalogue.operations["log"], variable(place)), 1),)
            for exponent in EXPONENTS:
                yield Inside((catalogue.operations["exp"],), (logarithm,), (exponent, 0.0), (True, False))


def _squared(catalogue: Catalogue) -> Iterator[Inside]:
    """1/(c + x)^2, as the quotient of 1/h and h."""
    operations = (catalogue.operations["inv"], get("ident"))
    for factors in catalogue.single:
        for offset in _offsets(catalogue, factors, BELOW):
            yield Inside(operations, (factors,), (1.0, offset), (False, True))


def _two_quotients(catalogue: Catalogue) -> Iterator[Atom]:
    """Terms x y/((a + x)(b + y)), alone and times an input."""
    inverse = (catalogue.operations["inv"],)
    for (i, first), (j, second) in combinations(enumerate(catalogue.single), 2):
        companies: list[Factors] = [((i, 1), (j, 1))]
        for k in range(catalogue.count):
            powers = {i: 1, j: 1}
            powers[k] = powers.get(k, 0) + 1
            companies.append(tuple(sorted(powers.items())))
        grids = (_offsets(catalogue, each, OFFSETS) for each in (first, second))
        for a, b in product(*grids):
            calls = tuple(
                Inside(inverse, (each,), (1.0, offset), (False, True))
                for each, offset in ((first, a), (second, b))
            )
            yield from (Atom(company, calls) for company in companies)


def _offsets(catalogue: Catalogue, factors: Factors, grid: tuple[float, ...]) -> list[float]:
    """What may be added to an input so that it keeps its sign."""
    column = monomial(catalogue.rows, factors)
    return [value for value in catalogue.offsets(factors, grid) if one_sign(column + value)]
