"""Combinations: sums of few terms of the catalogue, all ranked at once, the best fitted in batches.

With the constants inside calls on a grid, the sum of squares that any few terms leave follows from the
products of their columns alone. So up to three monomials are combined with every term, and up to two with
every pair of terms that have calls (of too many, with grids thinned kind by kind). The best of every size get
their constants by batched variable projection, and are then extended by one term after another.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations

import numpy as np

from mathonet.equation.expression import Expression, TooLargeError, total
from mathonet.equation.refit import Refitter
from mathonet.interruption import checkpoint
from mathonet.search.candidate import TENFOLD
from mathonet.search.companies import best_companies
from mathonet.search.layout import Form, Layout, rows_of
from mathonet.search.pairs import DEPENDENT, Beside, best_pairs, thinned
from mathonet.search.rarer import is_rare, rarer_terms
from mathonet.search.shortening import SURE, price
from mathonet.search.terms import Atom, Catalogue

MOST_PAIRED, MOST_QUOTIENTS = 2200, 1400
"""Terms with calls that are combined in pairs, and quotients that are combined beside two monomials."""
BESIDE, PAIRED_WITH = 16, 10
"""Monomials that stand beside one term more, and beside pairs."""
MOST_BESIDE = 3
FEW_KINDS = 40
"""Kinds of the one term more that are looked at beside several monomials."""
MANY_KINDS = 500
"""Kinds up to which, for data without noise, each is fitted in the company that it does best with."""
KEPT = 150
"""Combinations of every size that are fitted."""
COMPANIES = 2
"""Monomials that each kind of term is fitted beside in any case."""
HIGHEST = 5
"""Power of an input below two quotients that stand beside more monomials, for data with hardly any noise."""
STARTS = 2
"""Grid points of one combination that are fitted."""
EXTENDED, EXTENSIONS, ROUNDS = 25, 6, 2
STEPS = 25
ROUNDING = 1e-12
ENOUGH, ENOUGH_EXACT, ENOUGH_CLOSE = 16, 6, 3
"""Forms that are handed on, of those that fit to the floor, and of those that leave next to the least."""
NEARLY_NOTHING = 1e-3
"""Share of the target below which what is left is hardly noise."""

Fit = tuple[float, Form, np.ndarray]
"""Sum of squares, atoms, coefficients."""


def best_combinations(
    refitter: Refitter, units: np.ndarray, plain: bool = False, precise: bool = False
) -> list[tuple[Expression, float]]:
    """The most promising sums of few terms, with the mean squares that they leave.

    Args:
        refitter: has the samples and the operations.
        units: what the inputs were divided by.
        plain: whether only monomials are looked at.
        precise: whether the data are known to have hardly any noise, whatever the refitter's floor.
    """
    rows, chosen = rows_of(refitter)
    floor = max(refitter.floor, ROUNDING)
    catalogue = Catalogue(rows, () if plain else refitter.operations, units)
    rarer = rarer_terms(catalogue) if precise or floor <= SURE else []

    def search(atoms: list[Atom]) -> _Combinations:
        return _Combinations(Layout(refitter, atoms, rows, chosen), floor, precise)

    # Where a fit to rounding is told, the rarer terms wait until the others leave neither nothing nor noise.
    done = search([*catalogue.atoms, *(rarer if floor > SURE else [])])
    ranked = done.ranked()
    little = precise or (floor <= SURE and done.nearly_exact)
    if rarer and floor <= SURE and little and not done.exact:
        done = search([*catalogue.atoms, *rarer])
        ranked = done.ranked()
    found = []
    for rss, form, coefficients in ranked:
        try:
            pairs = zip(form, coefficients, strict=True)
            terms = [term for atom, c in pairs for term in atom.expression(float(c)).terms]
            found.append((total(terms), rss / len(done.target)))
        except (TooLargeError, OverflowError):
            continue
    if little and not plain and not done.exact:
        found += best_companies(refitter, catalogue, [*catalogue.atoms, *rarer], floor, chosen)
    return found


class _Combinations:
    """A search under way: fitted forms by what they are made of."""

    def __init__(self, layout: Layout, floor: float, precise: bool = False) -> None:
        self.layout, self.floor, self.precise = layout, floor, precise
        self.atoms, self.columns, self.target = layout.atoms, layout.columns, layout.target
        kinds: dict[tuple, int] = {}
        self.kind = np.array([kinds.setdefault(atom.kind, len(kinds)) for atom in self.atoms])
        order = np.argsort(self.kind, kind="stable")
        self.by_kind = order, np.flatnonzero(np.r_[True, np.diff(self.kind[order]) > 0])
        self.pool: dict[frozenset, Fit] = {}
        self.alone = self.columns @ self.target
        self.simple = self._companions()
        self.plain = {k for k in self.simple if sum(p if p > 0 else 2 for _, p in self.atoms[k].company) <= 1}
        self.place = {k: number for number, k in enumerate(self.simple[:BESIDE])}
        self.along = self.columns[self.simple[:BESIDE]] @ self.columns.T

    def _companions(self) -> list[int]:
        """Monomials in the order in which they stand beside other terms.

        The constant and the inputs come first, then those that explain most alone: whatever the order of the
        inputs, the same ones.
        """

        def order(k: int) -> tuple[int, float]:
            company = self.atoms[k].company
            first = min(self.atoms[k].degree, 2) if all(p > 0 for _, p in company) else 2
            return first + is_rare(company), -float(self.alone[k] ** 2)

        return sorted((k for k, atom in enumerate(self.atoms) if not atom.calls), key=order)

    def ranked(self) -> list[Fit]:
        """What is worth a closer look, the best first. It ends early once something fits to rounding."""
        for forms in (
            (self.singles(), self.pairs()) if len(self.simple) < len(self.atoms) else (self.singles(),)
        ):
            self._enter(forms)
            if self.floor <= SURE and self.exact:
                return self.exact
        for _ in range(ROUNDS):
            self._enter(self._extended(self._best_first()[:EXTENDED]))
        return self.exact or self._best_first()[:ENOUGH]

    def _enter(self, forms: Iterable[Form]) -> None:
        for found in self.layout.fitted(list(forms), STEPS):
            key = frozenset(Counter(atom.kind for atom in found[1]).items())
            if key not in self.pool or found[0] < self.pool[key][0]:
                self.pool[key] = found

    @property
    def nearly_exact(self) -> bool:
        """Whether so little is left that there can hardly be noise."""
        least = min((found[0] for found in self.pool.values()), default=np.inf)
        return bool(least <= NEARLY_NOTHING**2 * (self.target @ self.target))

    @property
    def exact(self) -> list[Fit]:
        """The shortest forms that fit to the floor; without noise, also those next to the best fit."""
        ranked, least = self._best_first(), len(self.target) * self.floor**2
        exact = [found for found in ranked if found[0] <= least][:ENOUGH_EXACT]
        if exact and self.precise:
            next_to = TENFOLD * min(found[0] for found in ranked)
            known = {id(found) for found in exact}
            exact += [f for f in ranked if f[0] <= next_to and id(f) not in known][:ENOUGH_CLOSE]
        return exact

    def _best_first(self) -> list[Fit]:
        rows = float(len(self.target))

        def cost(found: Fit) -> float:
            return price(found[0], rows, self.floor, sum(atom.size for atom in found[1]))

        return sorted(self.pool.values(), key=cost)

    def _left(self, chosen: list[int]) -> tuple[float, np.ndarray]:
        """The sum of squares some of the companions leave, and what each other column would take off."""
        if self.floor <= SURE:
            return self._beside(np.linalg.qr(self.columns[chosen].T)[0])
        # From products alone: a thirtieth of the time, and half the digits, which noise does not ask for.
        along = self.along[[self.place[k] for k in chosen]]
        try:
            factor = np.linalg.cholesky(along[:, chosen])
        except np.linalg.LinAlgError:
            return self._nothing()
        if (np.diagonal(factor) ** 2 < DEPENDENT).any():
            return self._nothing()
        back = np.linalg.inv(factor)
        turned = back @ along
        explained = back @ self.alone[chosen]
        length = 1.0 - np.einsum("tk,tk->k", turned, turned)
        rest = self.alone - explained @ turned
        gain = rest**2 / np.where(length > DEPENDENT, length, np.inf)
        return float(self.target @ self.target - explained @ explained), gain

    def _nothing(self) -> tuple[float, np.ndarray]:
        """What is said of companions that depend on one another: fewer of them do as much."""
        return float(self.target @ self.target), np.zeros(len(self.columns))

    def _beside(self, basis: np.ndarray) -> tuple[float, np.ndarray]:
        along = self.columns @ basis
        rest = self.target - basis @ (basis.T @ self.target)
        length = 1.0 - np.einsum("kt,kt->k", along, along)
        gain = (self.columns @ rest) ** 2 / np.where(length > DEPENDENT, length, np.inf)
        return float(rest @ rest), gain

    def singles(self) -> Iterator[Form]:
        """Up to three monomials and one more term; the best of every size."""
        for size in range(MOST_BESIDE + 1):
            # Exact data will tell: there, no law as short as this is to be missed because a grid was coarse.
            every = self.precise and self.layout.by_rows and len(self.by_kind[1]) <= MANY_KINDS
            short = every or (size <= 1 and self.floor <= SURE)
            found: list[tuple[float, tuple[int, ...]]] = []
            for chosen in combinations(self.simple[:BESIDE], size):
                checkpoint()
                left, gain = self._left(list(chosen))
                most = len(gain) if short else FEW_KINDS
                found += [
                    (left - float(gain[k]), (*chosen, k))
                    for k in self._best_of_kinds(gain, most)
                    if k not in chosen
                ]
            yield from self._first_of_each(self._with_best_company(found) if short else found, short)

    def _with_best_company(
        self, found: list[tuple[float, tuple[int, ...]]]
    ) -> list[tuple[float, tuple[int, ...]]]:
        """Of every kind of term, those beside the monomials that it leaves least with, and beside plain ones.

        On a coarse grid others may do better than the constant and the inputs, which laws have most.
        """
        kinds: dict[int, set[tuple[int, ...]]] = {}
        chosen = []
        for left, places in sorted(found):
            companies = kinds.setdefault(int(self.kind[places[-1]]), set())
            if self.plain.issuperset(places[:-1]) or len(companies) < COMPANIES or places[:-1] in companies:
                companies.add(places[:-1])
                chosen.append((left, places))
        return chosen

    def _best_of_kinds(self, gain: np.ndarray, most: int) -> Iterator[int]:
        """The best columns of those kinds that gain most; a fine grid does not crowd out a coarse one."""
        order, starts = self.by_kind
        here = gain[order]
        # Starts that lead to different minima: where a kind has a peak, in the order of its list.
        before, after = np.r_[-np.inf, here[:-1]], np.r_[here[1:], -np.inf]
        before[starts], after[starts[1:] - 1] = -np.inf, -np.inf
        peaks = np.where((here >= before) & (here >= after), here, -1.0)
        best = np.maximum.reduceat(here, starts)
        for kind in np.argsort(-best)[:most]:
            own = slice(starts[kind], starts[kind + 1] if kind + 1 < len(starts) else None)
            ranked = np.argsort(-peaks[own])[:STARTS]
            yield from order[own][ranked[peaks[own][ranked] >= 0.0]].tolist()

    def _first_of_each(
        self, found: list[tuple[float, tuple[int, ...]]], every: bool = False
    ) -> Iterator[Form]:
        """The best combinations (or every one), each from a few points of the grid."""
        starts: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
        for _, places in sorted(found):
            key = tuple(sorted(int(self.kind[k]) for k in places))
            if key in starts or every or len(starts) < KEPT:
                starts.setdefault(key, []).append(places)
        for each in starts.values():
            yield from (tuple(self.atoms[k] for k in places) for places in each[:STARTS])

    def pairs(self) -> Iterator[Form]:
        """Two terms with calls, beside up to two monomials; two quotients beside more of these."""
        calls = [k for k, atom in enumerate(self.atoms) if atom.calls and not atom.stands_alone]
        few = self.simple[:PAIRED_WITH]
        linear = [(few[0], k) for k in few[1:] if self.atoms[k].degree == 1]
        beside: list[list[tuple[int, ...]]] = [[()], [(k,) for k in few], linear]
        yield from self._pairs_of(thinned(calls, self.kind, MOST_PAIRED), beside)
        highest = HIGHEST if self.precise else 1
        quotients = [k for k in calls if 1 <= self.atoms[k].power_below <= highest]
        companies = list(combinations(self.simple[:BESIDE], 2))
        yield from self._pairs_of(thinned(quotients, self.kind, MOST_QUOTIENTS), [companies])

    def _pairs_of(self, calls: list[int], groups: list[list[tuple[int, ...]]]) -> Iterator[Form]:
        columns, kind = self.columns[calls], self.kind[calls]
        starts = np.flatnonzero(np.r_[True, kind[1:] != kind[:-1]][: len(kind)])
        if len(starts) < 2:
            return
        products = columns @ columns.T
        for group in groups:
            beside = []
            for chosen in group:
                checkpoint()
                beside.append(Beside(columns, np.linalg.qr(self.columns[list(chosen)].T)[0], self.target))
            best = best_pairs(products, starts, beside, KEPT)
            yield from self._first_of_each(
                [(left, (*group[number], calls[i], calls[j])) for left, number, i, j in best]
            )

    def _extended(self, found: list[Fit]) -> Iterator[Form]:
        """Forms with one more term, the few that gain most."""
        for _, form, _ in found:
            columns = self.layout.evaluate(form)
            gain = self._beside(np.linalg.qr((columns / np.linalg.norm(columns, axis=1)[:, None]).T)[0])[1]
            kinds: dict[int, int] = {}
            for k in np.argsort(-gain)[:200]:
                kinds.setdefault(int(self.kind[k]), int(k))
            yield from ((*form, self.atoms[k]) for k in list(kinds.values())[:EXTENSIONS])
