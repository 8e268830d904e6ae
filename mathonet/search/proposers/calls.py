"""Calls: sums with operations of the inputs, by whole blocks and by short sums, then elimination.

With the constants inside a call on the grid of the library, what any sum of columns leaves of the target is a
linear problem. Two questions are asked of every point of the grid:

    short sums      what one term with the call leaves beside up to three monomials, all of which are tried;
    whole blocks    what the call times all monomials of a degree leaves beside all monomials: for precise data.

The best get their constants by variable projection. Then elimination and exchanges leave the terms that pay,
and one further term after another is tried beside what leads: so sums of several calls are met.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations

import numpy as np

from mathonet.equation.expression import (
    Call,
    Expression,
    Factors,
    Term,
    TooLargeError,
    number,
    total,
    variable,
)
from mathonet.equation.moves import joined, merges
from mathonet.equation.straight import STRAIGHT, bends
from mathonet.fit.linear import distinct_monomials, monomial, monomials
from mathonet.interruption import checkpoint
from mathonet.search.blocks import terms_model
from mathonet.search.effort import NOISY, PRECISE, Effort
from mathonet.search.fit import Fit
from mathonet.search.front import Front
from mathonet.search.library import Family, Library, one_sign
from mathonet.search.objective import EquationProposer, Limit
from mathonet.search.regression import Regression

DEPENDENT = 1e-7
"""Share of a column's square that others must leave of it for its coefficient to mean something."""
SPANNED = 1e-12
"""The same of whole blocks, whose columns are close to dependent by nature."""
SURE = 1e-9
"""A form that fits to a floor no higher than this is no accident, so that no longer one is looked for."""
SETTLED = 4.0
"""Share of the floor's square that a form may leave and count as leaving nothing."""
SHORT = 8
"""Constants up to which a form that fits to the floor is no accident."""
CANCELLING = 1e3
"""Size of a term, in units of the target, from which on a form lives by what its terms cancel."""
ROUNDING = 1e-12
TRACE = 1e-12
STRAIGHT_PRECISE = 1e-2
"""Range of an argument below which an operation is a straight line where there is hardly any noise."""
STEPS = 12
"""Steps of a fit that only judges a form."""
PRECISE_STEPS = 25
"""The same for precise data, where a fit that has not settled says nothing."""
PRICE = 12.0
"""What a constant or a call costs, in the units of the score, while forms are ranked; the one score decides in the end."""
ROUNDS = 4
MOST_ROWS = 200
"""Rows that columns are compared on; forms are fitted on all."""
LARGEST = 1e12
MANY_BESIDE = 3
"""Monomials beside a call from which on fewer are combined."""
AT_ONCE = 500
"""Points of a grid whose blocks are solved at once, to bound the memory."""


@dataclass(frozen=True)
class Atom:
    """A term that may come in: a call of a family at a point of its grid, times a monomial."""

    family: int
    point: int
    times: Factors


class Calls(EquationProposer):
    """Sums with calls of the library."""

    name = "sums with calls"

    def __init__(self, units: np.ndarray, precise: bool | None = None) -> None:
        """Set what is the same for all equations.

        Args:
            units: what the inputs were divided by.
            precise: whether the data have hardly any noise; None where the samples' own floor tells.
        """
        self.units, self.precise = units, precise

    def forms(self, regression: Regression, limit: Limit | None = None) -> list[Fit]:
        """The most promising forms: by score, and the closest of every number of constants."""
        precise = regression.floor <= SURE if self.precise is None else self.precise
        calls = CallSearch(regression, self.units, precise, PRECISE if precise else NOISY, limit)
        chosen = (*calls.search()[: calls.effort.handed_on], *calls.front.by_size())
        return list({id(each): each for each in chosen}.values())


class CallSearch:
    """The search for forms with calls on the samples of one equation."""

    def __init__(
        self,
        regression: Regression,
        units: np.ndarray,
        precise: bool,
        effort: Effort,
        limit: Limit | None = None,
    ) -> None:
        """Lay out the library on the samples.

        Args:
            regression: has the samples and the operations.
            units: what the inputs were divided by.
            precise: whether the data have hardly any noise.
            effort: quotas.
            limit: what a form must reach to be of use; None for anything.
        """
        self.limit = limit
        self.regression, self.precise, self.effort = regression, precise, effort
        self.floor = max(regression.floor, ROUNDING)
        self.steps = PRECISE_STEPS if precise else STEPS
        self.rows, self.weigh, self.target = _compared(regression)
        self.families = list(Library(self.rows, regression.operations, units, precise).families())
        self.inputs = regression.inputs
        self.front = Front()
        self.heads: list[tuple[float, Expression, np.ndarray]] = []
        self.plain = self._monomials()
        self.atoms, self.columns = self._atoms()
        kinds: dict[tuple, int] = {}
        self.kind = np.array([kinds.setdefault((a.family, a.times), len(kinds)) for a in self.atoms], int)

    # ------------------------------------------------------------------ what is laid out

    def _monomials(self) -> list[Factors]:
        """Monomials that stand beside calls: the constant and the inputs first, then what explains most."""
        cubes = self.inputs <= 3
        every = monomials(self.inputs, 3 if cubes else 2)
        every += [((i, p),) for i in range(self.inputs) for p in range(4 if cubes else 3, 6)]
        if "inv" in {each.name for each in self.regression.operations}:
            signed = [i for i in range(self.inputs) if one_sign(self.rows[:, i])]
            every += [((i, -p),) for i in signed for p in (1, 2)]
        every = distinct_monomials(self.rows, every)
        units = _normalised(self.weigh(np.stack([monomial(self.rows, each) for each in every])))
        gain = (units @ self.target) ** 2

        def order(k: int) -> tuple[int, float]:
            simple = all(p > 0 for _, p in every[k])
            return min(sum(p for _, p in every[k]), 2) if simple else 2, -float(gain[k])

        return [every[k] for k in sorted(range(len(every)), key=order)]

    def _times(self, family: Family) -> list[Factors]:
        """Monomials that a call is taken times in short sums."""
        degree = family.kind.times
        if self.inputs > 8:
            degree = 0
        elif self.inputs > 3 and not (self.inputs <= 5 and family.kind.form.startswith("1/")):
            degree = min(degree, 1)
        found = monomials(self.inputs, degree)
        if degree and self.inputs <= 3:
            found += [each for each in self.plain if len(each) == 1 and each[0][1] == -1]
        return found

    def _atoms(self) -> tuple[list[Atom], np.ndarray]:
        """Every term, and its weighted column of length one."""
        atoms: list[Atom] = []
        columns: list[np.ndarray] = []
        cache: dict[Factors, np.ndarray] = {}
        with np.errstate(all="ignore"):
            for place, family in enumerate(self.families):
                for times in self._times(family):
                    if times not in cache:
                        cache[times] = monomial(self.rows, times)
                    weighed = self.weigh(family.values * cache[times])
                    size = np.linalg.norm(weighed, axis=1)
                    good = np.flatnonzero(np.isfinite(size) & (size > 0) & (size < LARGEST))
                    atoms += [Atom(place, int(point), times) for point in good]
                    columns.append(weighed[good] / size[good, None])
        return atoms, np.concatenate(columns) if columns else np.zeros((0, len(self.target)))

    # ------------------------------------------------------------------ the search

    def search(self) -> list[Fit]:
        """Forms with calls, fitted, the best first. It ends early once a short one fits to rounding."""
        if not self.atoms:
            return []
        blocks = [partial(self._blocks, *each) for each in self.effort.blocks]
        short = [partial(self._short_sums, size) for size in range(self.effort.most_beside + 1)]
        short += [self._extended] * self.effort.extensions
        # Short sums come between small blocks and large ones, as what they cost does.
        for stage in (*blocks[:2], *short, *blocks[2:]):
            self._enter(stage())
            if self.sure:
                break
        return self.best()

    def best(self) -> list[Fit]:
        """All forms that were fitted, the best first."""
        return self.front.ranked()

    @property
    def sure(self) -> bool:
        """Whether a short form was found that leaves nothing."""
        least = SETTLED * self.regression.count * self.floor**2
        return self.precise and any(
            each.chi2 <= least and len(each.constants) <= SHORT and each.cancelling < CANCELLING
            for each in self.front
        )

    def _enter(self, fits: Iterable[Fit]) -> None:
        for fit in fits:
            if np.isfinite(fit.score) and self._bent(fit.expression):
                self.front.keep(fit)

    def _bent(self, form: Expression) -> bool:
        straight = STRAIGHT_PRECISE if self.precise else STRAIGHT
        return all(bends(call, self.rows, straight) for call in dict.fromkeys(form.calls()))

    def _worth(self, form: Expression) -> bool:
        """Whether a form could win if it left as little as can be."""
        return self.limit is None or self.regression.score(form, self.limit.chi2) < self.limit.score

    def _term(self, atom: Atom, coefficient: float = TRACE) -> Expression:
        call = self.families[atom.family].calls(atom.point)[0]
        return Expression((Term(coefficient, atom.times),)) * call

    # ------------------------------------------------------------------ short sums

    def _short_sums(self, size: int) -> Iterator[Fit]:
        """So many monomials and one term with a call: the best of every kind, fitted and completed."""
        few = self.plain[: self.effort.beside if size < MANY_BESIDE else self.effort.few_beside]
        cheapest = total([*(Term(TRACE, each) for each in few[:size]), *self._cheapest.terms])
        if len(few) < size or not self._worth(cheapest):
            return
        beside = _normalised(self.weigh(np.stack([monomial(self.rows, each) for each in few])))
        alone, along, place = self.columns @ self.target, beside @ self.columns.T, beside @ self.target
        among = beside @ beside.T
        square = float(self.target @ self.target)
        listed: list[tuple[float, tuple[int, ...], int]] = []
        for chosen in combinations(range(len(few)), size):
            checkpoint()
            left, gain = _gains(list(chosen), among, along, place, alone, square)
            best = self._best_of_kinds(gain, self.effort.starts, self.effort.kinds)
            listed += [(left - float(gain[k]), chosen, k) for k in best]
        kinds: dict[tuple[int, bool], int] = {}
        simple = {k for k, each in enumerate(few) if not each or (len(each) == 1 and each[0][1] == 1)}
        fits: list[Fit] = []
        for left, chosen, k in sorted(listed):
            # On a coarse grid others may do better than the constant and the inputs, which laws have most.
            kind = (int(self.kind[k]), simple.issuperset(chosen))
            kinds[kind] = kinds.get(kind, 0) + 1
            enough = len(fits) >= self.effort.short_sums
            if kinds[kind] > self.effort.starts or (enough and size > 1):
                continue
            form = total([*(Term(TRACE, few[c]) for c in chosen), *self._term(self.atoms[k]).terms])
            if size <= 1:
                columns = np.vstack([beside[list(chosen)], self.columns[k]])
                self.heads.append((self._cost(left, size + self._constants(k)), form, columns))
            if not enough and self._worth(form):
                fits.append(self.regression.fit(form, self.steps))
        yield from self._polished(fits)

    @cached_property
    def _cheapest(self) -> Expression:
        """The call with the least price."""
        calls = (family.calls(0)[0] for family in self.families)
        return min(calls, key=lambda form: self.regression.score(form, 1.0))

    def _best_of_kinds(self, gain: np.ndarray, starts_each: int, most: int) -> Iterator[int]:
        """The best columns of the kinds that gain most: where a kind has a peak along its grid."""
        starts = np.flatnonzero(np.r_[True, np.diff(self.kind) != 0])
        best = np.maximum.reduceat(gain, starts)
        ends = np.r_[starts[1:], len(gain)]
        for kind in np.argsort(-best)[:most]:
            own = gain[starts[kind] : ends[kind]]
            peaks = np.flatnonzero((own >= np.r_[-np.inf, own[:-1]]) & (own >= np.r_[own[1:], -np.inf]))
            order = peaks[np.argsort(-own[peaks])][:starts_each]
            yield from (starts[kind] + order).tolist()

    def _completed(self, fitted: Fit) -> Fit:
        """A form after drops, additions and exchanges among monomials, and its calls times monomials."""
        degree = 2 if self.inputs > 3 else 3
        calls = [
            factor for t in fitted.expression.terms for factor in t.factors if isinstance(factor[0], Call)
        ]
        terms = [Term(1.0, each) for each in monomials(self.inputs, degree)]
        for call in dict.fromkeys(calls):
            for each in monomials(self.inputs, 1 if self.inputs > 3 else 2):
                terms += (Expression((Term(1.0, each),)) * Expression((Term(1.0, (call,)),))).terms
        own = {term.factors for term in fitted.expression.terms}
        terms = [*fitted.expression.terms, *(each for each in terms if each.factors not in own)]
        if 2 * len(terms) > self.regression.count:
            return fitted
        model = terms_model(self.regression, terms, fitted.rounding)
        _, kept = model.step(range(len(fitted.expression.terms)))
        if kept == frozenset(range(len(fitted.expression.terms))) or not kept:
            return fitted
        values = model.solve(kept)[1]
        form = total(Term(float(values[model.outer[k]]) or TRACE, terms[k].factors) for k in kept)
        found = self.regression.fit(form, STEPS)
        return found if found.score < fitted.score else fitted

    # ------------------------------------------------------------------ whole blocks

    def _blocks(self, whole: int, above: int, kinds: int, most_inputs: int) -> Iterator[Fit]:
        """A call times all monomials up to a degree, beside all monomials; then what is worth keeping."""
        if self.inputs > most_inputs:
            return
        beside = distinct_monomials(self.rows, monomials(self.inputs, whole))
        times = monomials(self.inputs, above if self.inputs <= 3 else min(above, 2))
        room = min(40, int(self.regression.count) // 2)
        ranked = self._ranked_blocks(beside, times, room)[:kinds]
        fits: dict[tuple, tuple[float, Fit]] = {}
        for _, place, points in ranked:
            checkpoint()
            for point in points:
                form = self._block(place, point, beside, times)
                if form is None or not self.regression.fits_in(form):
                    continue
                fitted = self.regression.fit(form, self.steps)
                key = (fitted.expression.skeleton, f"{fitted.chi2:.2e}")
                if np.isfinite(fitted.chi2) and key not in fits:
                    fits[key] = (self._eliminated(fitted)[0], fitted)
        first = sorted(fits.values(), key=lambda each: each[0])[: max(kinds // 6, 1)]
        for _, fitted in first:
            yield self._shortened(fitted)

    def _block(
        self, number: int, point: int, beside: list[Factors], times: list[Factors]
    ) -> Expression | None:
        try:
            calls = self.families[number].calls(point)
            parts = [(Expression((Term(TRACE, m),)) * call).terms for call in calls for m in times]
            return total(
                [*(Term(TRACE, each) for each in beside), *(term for part in parts for term in part)]
            )
        except (TooLargeError, OverflowError):
            return None

    def _independent(self, number: int, point: int, beside: list[Factors], times: list[Factors]) -> list[int]:
        """Columns of a block that those before them do not span: x/(c + x) is 1 - c/(c + x)."""
        family = self.families[number]
        values = [family.values[point], *(each[point] for each in family.beside)]
        columns = [monomial(self.rows, m) for m in beside]
        columns += [value * monomial(self.rows, m) for value in values for m in times]
        upper = np.linalg.qr(_normalised(self.weigh(np.stack(columns))).T)[1]
        return np.flatnonzero(np.abs(np.diagonal(upper)) > SPANNED).tolist()

    def _ranked_blocks(
        self, beside: list[Factors], times: list[Factors], room: int
    ) -> list[tuple[float, int, list[int]]]:
        """Families by what the best of their blocks leaves, for its size, with the best points of the grid."""
        basis = _directions(_normalised(self.weigh(np.stack([monomial(self.rows, m) for m in beside]))).T)
        rest = self.target - basis @ (basis.T @ self.target)
        powers = np.stack([monomial(self.rows, m) for m in times])
        count, found = float(len(rest)), []
        for place, family in enumerate(self.families):
            checkpoint()
            values = np.stack([family.values, *family.beside], axis=1)
            size = values.shape[1] * len(times)
            if len(beside) + size + np.count_nonzero(family.grid.any(axis=0)) > room:
                continue
            lefts = []
            with np.errstate(all="ignore"):
                for start in range(0, len(values), AT_ONCE):
                    part = values[start : start + AT_ONCE]
                    raw = part[:, :, None, :] * powers
                    columns = _normalised(self.weigh(raw.reshape(len(part), size, -1)))
                    columns = np.nan_to_num(columns, posinf=0.0, neginf=0.0)
                    own = _directions((columns - (columns @ basis) @ basis.T).transpose(0, 2, 1))
                    lefts.append(rest @ rest - np.sum((rest @ own) ** 2, axis=1))
            left = np.maximum(np.concatenate(lefts), count * self.floor**2)
            order = np.argsort(left)[: self.effort.starts].tolist()
            found.append((self._cost(float(left[order[0]]), size), place, order))
        return sorted(found, key=lambda each: each[0])

    def _eliminated(self, fitted: Fit) -> tuple[float, Expression]:
        """The best score that elimination predicts, and the form that is left."""
        terms = fitted.expression.terms
        model = terms_model(self.regression, terms, fitted.rounding)
        score, kept = model.eliminate(range(len(terms)))
        values = model.solve(kept)[1]
        return score, total(Term(float(values[model.outer[k]]) or TRACE, terms[k].factors) for k in kept)

    def _shortened(self, fitted: Fit) -> Fit:
        """A block without the terms that are missed least; constants inside settle in between."""
        for _ in range(ROUNDS):
            form = self._eliminated(fitted)[1]
            shorter = self._joined(self.regression.fit(form))
            if not np.isfinite(shorter.score) or len(shorter.constants) >= len(fitted.constants):
                return shorter if shorter.score < fitted.score else fitted
            fitted = shorter
        return fitted

    def _joined(self, fitted: Fit) -> Fit:
        """The form with calls merged and whole terms taken into fractions, as long as that costs nothing."""
        for form in (*merges(fitted.expression), *joined(fitted.expression)):
            other = self.regression.fit(form, STEPS)
            if other.score < fitted.score:
                return self._joined(other)
        return fitted

    # ------------------------------------------------------------------ further terms

    def _extended(self) -> Iterator[Fit]:
        """What leads with one more term of any kind, those that promise most, completed where it pays."""
        promised: list[tuple[float, int, Expression, int]] = []
        if not self._worth(self._cheapest + number(1.0) + variable(0)):
            return
        for rank, (form, columns) in enumerate(self._heads()):
            checkpoint()
            left, gain = self._gain_beside(columns)
            for k in self._best_of_kinds(gain, 1, self.effort.added):
                cost = self._cost(left - float(gain[k]), len(columns) + self._constants(k))
                promised.append((cost, rank, form, k))
        fits = []
        for _, _, form, k in sorted(promised, key=lambda each: each[:2])[: self.effort.extended]:
            try:
                longer = form + self._term(self.atoms[k])
            except (TooLargeError, OverflowError):
                continue
            if self._worth(longer):
                fits.append(self.regression.fit(longer, self.steps))
        yield from self._polished(fits)

    def _cost(self, left: float, constants: int) -> float:
        """What forms are ranked by before they are fitted."""
        count = float(len(self.target))
        return count * float(np.log(max(left, count * self.floor**2))) + PRICE * constants

    def _constants(self, k: int) -> int:
        """Constants of a term with a call, and one for the call."""
        return 2 + len(self.families[self.atoms[k].family].kind.grid)

    def _polished(self, fits: list[Fit]) -> Iterator[Fit]:
        """The fits, and the best of every number of constants to their ends and with what they lack."""
        sizes: dict[int, list[Fit]] = {}
        for each in sorted(fits, key=lambda each: each.score):
            sizes.setdefault(len(each.constants), []).append(each)
        yield from fits
        for own in sizes.values():
            for each in own[: self.effort.completed]:
                if np.isfinite(each.score):
                    yield self._completed(self.regression.fit(each.expression) if self.precise else each)

    def _heads(self) -> Iterator[tuple[Expression, np.ndarray]]:
        """The best forms of every number of terms, with their columns and the slopes of constants inside.

        Of a sum of two calls, either alone explains little, and its constants mislead: so calls at the
        points of the grid count as well.
        """
        sizes: dict[int, list[Fit]] = {}
        for each in self.best():
            if len(each.constants) <= SHORT:
                sizes.setdefault(len(each.expression.terms), []).append(each)
        for own in sizes.values():
            for each in own[: self.effort.heads]:
                columns = self.regression.slopes_of(each.expression, self.rows)
                yield each.expression, _normalised(self.weigh(columns.T))
        self.heads.sort(key=lambda each: each[0])
        for _, form, columns in self.heads[: self.effort.grid_heads]:
            yield form, columns
        self.heads = []

    def _gain_beside(self, columns: np.ndarray) -> tuple[float, np.ndarray]:
        """What columns leave, and what every further term takes off."""
        basis = _directions(columns.T)
        rest = self.target - basis @ (basis.T @ self.target)
        along = self.columns @ basis
        length = 1.0 - np.einsum("kt,kt->k", along, along)
        gain = (self.columns @ rest) ** 2 / np.where(length > DEPENDENT, length, np.inf)
        return float(rest @ rest), gain


def _compared(regression: Regression):
    """Rows that columns are compared on, how these are weighed, and the weighed target."""
    real = int(regression.problem.count)
    chosen = np.arange(real)
    if real > MOST_ROWS:
        chosen = np.sort(np.random.default_rng(0).choice(real, MOST_ROWS, replace=False))
    target = regression.targets[chosen]
    if regression.operator is None and regression.weights.ndim == 1:
        weights = regression.weights[chosen]
        return regression.rows[chosen], lambda columns: columns * weights, target
    matrix = regression.weighed(np.eye(len(regression.rows)))[chosen].T
    return regression.rows, lambda columns: columns @ matrix, target


def _normalised(columns: np.ndarray) -> np.ndarray:
    size = np.linalg.norm(columns, axis=-1, keepdims=True)
    return columns / np.where(size > 0, size, 1.0)


def _directions(columns: np.ndarray) -> np.ndarray:
    """Orthonormal directions of columns, zero for columns that depend on those before them."""
    basis, upper = np.linalg.qr(columns)
    own = np.abs(np.diagonal(upper, axis1=-2, axis2=-1))
    return basis * (own > SPANNED)[..., None, :]


def _gains(
    chosen: list[int],
    among: np.ndarray,
    along: np.ndarray,
    place: np.ndarray,
    alone: np.ndarray,
    square: float,
) -> tuple[float, np.ndarray]:
    """The sum of squares that some monomials leave, and what each other column would take off."""
    nothing = square, np.zeros(len(alone))
    if not chosen:
        return square, alone**2
    try:
        factor = np.linalg.cholesky(among[np.ix_(chosen, chosen)])
    except np.linalg.LinAlgError:
        return nothing
    if (np.diagonal(factor) ** 2 < DEPENDENT).any():
        return nothing
    back = np.linalg.inv(factor)
    turned = back @ along[chosen]
    explained = back @ place[chosen]
    length = 1.0 - np.einsum("tk,tk->k", turned, turned)
    rest = alone - explained @ turned
    gain = rest**2 / np.where(length > DEPENDENT, length, np.inf)
    return square - float(explained @ explained), gain
