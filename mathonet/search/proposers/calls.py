"""Calls: sums with operations of the inputs, by whole blocks and by short sums, then elimination.

With the constants inside a call on the grid of the library, what any sum of columns leaves of the target is a
linear problem. Two questions are asked of every point of the grid:

    short sums      what one term with the call leaves beside up to three monomials, all of them tried;
    whole blocks    what the call times all monomials leaves beside all monomials, for precise data.

The best get their constants by variable projection. Then elimination and exchanges leave the terms that pay,
and one further term after another is tried beside what leads: so sums of several calls are met.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import combinations

import numpy as np

from mathonet.equation.expression import Call, Expression, Term, TooLargeError, number, total, variable
from mathonet.equation.straight import STRAIGHT, bends
from mathonet.fit.linear import monomials
from mathonet.interruption import checkpoint
from mathonet.search import effort
from mathonet.search.blocks import terms_model
from mathonet.search.call_columns import CallColumns
from mathonet.search.effort import NORMAL, Effort, Quotas
from mathonet.search.fit import Fit
from mathonet.search.front import Front
from mathonet.search.objective import EquationProposer, Limit
from mathonet.search.projection import gains_by_products, normalised
from mathonet.search.proposers.whole_blocks import WholeBlocks
from mathonet.search.samples.regression import Regression


class Calls(EquationProposer):
    """Sums with calls of the library."""

    name = "sums with calls"

    def __init__(self, units: np.ndarray, precise: bool | None = None, effort: Effort = NORMAL) -> None:
        """Set what is the same for all equations.

        Args:
            units: what the inputs were divided by.
            precise: whether the data have hardly any noise; None where the samples' own floor tells.
            effort: quotas for either.
        """
        self.units, self.precise, self.effort = units, precise, effort
        self._laid: dict[bool, CallColumns] = {}

    def forms(self, regression: Regression, limit: Limit | None = None) -> list[Fit]:
        """The most promising forms: by score, and the closest of every number of constants."""
        precise = regression.floor <= effort.PRECISE_FLOOR if self.precise is None else self.precise
        quotas = self.effort.quotas(precise)
        columns = CallColumns(regression, self.units, precise, self._laid.get(precise))
        self._laid[precise] = columns
        calls = CallSearch(columns, precise, quotas, limit)
        chosen = (*calls.search()[: quotas.handed_on], *calls.front.by_size())
        return list({id(each): each for each in chosen}.values())


class CallSearch:
    """The search for forms with calls on the samples of one equation."""

    def __init__(
        self, columns: CallColumns, precise: bool, quotas: Quotas, limit: Limit | None = None
    ) -> None:
        """Set what is searched.

        Args:
            columns: the library on the samples.
            precise: whether the data have hardly any noise.
            quotas: how far it goes.
            limit: what a form must reach to be of use; None for anything.
        """
        self.columns, self.regression = columns, columns.regression
        self.precise, self.quotas, self.limit = precise, quotas, limit
        self.steps = effort.SETTLING_STEPS if precise else effort.JUDGING_STEPS
        self.front = Front()
        self.heads: list[tuple[float, Expression, np.ndarray]] = []

    def search(self) -> list[Fit]:
        """Forms with calls, fit, the best first. It ends early once a short one fits to rounding."""
        if not self.columns.atoms:
            return []
        blocks = [WholeBlocks(self.columns, each, self.quotas.starts).fits for each in self.quotas.blocks]
        short = [partial(self._short_sums, size) for size in range(self.quotas.most_beside + 1)]
        short += [self._extended] * self.quotas.extensions
        # Short sums come between small blocks and large ones, as what they cost does.
        for stage in (*blocks[:2], *short, *blocks[2:]):
            self._enter(stage())
            if self.sure:
                break
        return self.best()

    def best(self) -> list[Fit]:
        """All forms that were fit, the best first."""
        return self.front.ranked()

    @property
    def sure(self) -> bool:
        """Whether a form was found that leaves nothing, the shorter the less precise the data are."""
        least = effort.NEXT_TO * self.regression.count * self.columns.floor**2
        most = effort.SURE if self.columns.floor <= effort.PRECISE_FLOOR else effort.NO_ACCIDENT
        return self.precise and any(
            each.chi2 <= least and len(each.constants) <= most and each.cancelling < effort.CANCELLING
            for each in self.front
        )

    def _enter(self, fits: Iterable[Fit]) -> None:
        for fit in fits:
            if np.isfinite(fit.score) and self._bent(fit.expression):
                self.front.keep(fit)

    def _bent(self, form: Expression) -> bool:
        straight = effort.STRAIGHT_PRECISE if self.precise else STRAIGHT
        return all(bends(call, self.columns.rows, straight) for call in dict.fromkeys(form.calls()))

    def _worth(self, form: Expression, left: float) -> bool:
        """Whether a form could win that leaves so much at a point of the grid."""
        if self.limit is None:
            return True
        # Of precise data the right constants may leave next to nothing, whatever their neighbours do.
        nearest = 0.0 if self.precise else left * self.columns.share / effort.FAR_BETTER
        least = max(self.limit.chi2, nearest)
        return self.regression.score(form, least) < self.limit.score

    def _worth_beside(self, form: Expression) -> np.ndarray:
        """Which terms with calls could win beside a form that leaves as little as can be."""
        if self.limit is None:
            return np.ones(len(self.columns.atoms), bool)
        return self.regression.score(form, self.limit.chi2) + self.columns.prices < self.limit.score

    def _short_sums(self, size: int) -> Iterator[Fit]:
        """So many monomials and one term with a call: the best of every kind, fit and completed."""
        laid = self.columns
        few = laid.plain[: self.quotas.beside if size < effort.MANY_BESIDE else self.quotas.few_beside]
        worth = self._worth_beside(total(Term(effort.TRACE, each) for each in few[:size]))
        if len(few) < size or not worth.any():
            return
        beside, columns, target = laid.of_monomials(few), laid.columns, laid.target
        alone, along, place = columns @ target, beside @ columns.T, beside @ target
        among, square = beside @ beside.T, float(target @ target)
        listed: list[tuple[float, tuple[int, ...], int]] = []
        for chosen in combinations(range(len(few)), size):
            checkpoint()
            left, gain = gains_by_products(list(chosen), among, along, place, alone, square)
            gain = np.where(worth, gain, 0.0)
            best = laid.best_of_kinds(gain, self.quotas.starts, self.quotas.kinds)
            listed += [(left - float(gain[k]), chosen, k) for k in best if worth[k]]
        kinds: dict[tuple[int, bool], int] = {}
        simple = {k for k, each in enumerate(few) if not each or (len(each) == 1 and each[0][1] == 1)}
        fits: list[Fit] = []
        for left, chosen, k in sorted(listed):
            # On a coarse grid others may do better than the constant and the inputs, which laws have most.
            kind = (int(laid.kind[k]), simple.issuperset(chosen))
            kinds[kind] = kinds.get(kind, 0) + 1
            enough = len(fits) >= self.quotas.short_sums
            if kinds[kind] > self.quotas.starts or (enough and size > 1):
                continue
            form = total([*(Term(effort.TRACE, few[c]) for c in chosen), *laid.term(k).terms])
            if size <= 1:
                own = np.vstack([beside[list(chosen)], columns[k]])
                self.heads.append((laid.cost(left, size + laid.constants(k)), form, own))
            if not enough and self._worth(form, left):
                fits.append(self.regression.fit(form, self.steps))
        yield from self._polished(fits)

    def _completed(self, fit: Fit) -> Fit:
        """A form after drops, additions and exchanges among monomials, and its calls times monomials."""
        inputs = self.regression.inputs
        degree = 2 if inputs > effort.FEW_INPUTS else 3
        calls = [factor for t in fit.expression.terms for factor in t.factors if isinstance(factor[0], Call)]
        terms = [Term(1.0, each) for each in monomials(inputs, degree)]
        for call in dict.fromkeys(calls):
            for each in monomials(inputs, 1 if inputs > effort.FEW_INPUTS else 2):
                terms += (Expression((Term(1.0, each),)) * Expression((Term(1.0, (call,)),))).terms
        own = {term.factors for term in fit.expression.terms}
        terms = [*fit.expression.terms, *(each for each in terms if each.factors not in own)]
        if 2 * len(terms) > self.regression.count:
            return fit
        model = terms_model(self.regression, terms, fit.rounding)
        _, kept = model.step(range(len(fit.expression.terms)))
        if kept == frozenset(range(len(fit.expression.terms))) or not kept:
            return fit
        values = model.solve(kept)[1]
        form = total(Term(float(values[model.outer[k]]) or effort.TRACE, terms[k].factors) for k in kept)
        found = self.regression.fit(form, effort.JUDGING_STEPS)
        return found if found.score < fit.score else fit

    def _extended(self) -> Iterator[Fit]:
        """What leads with one more term of any kind, those that promise most, completed where it pays."""
        laid = self.columns
        promised: list[tuple[float, int, Expression, int, float]] = []
        if not self._worth_beside(number(1.0) + variable(0)).any():
            return
        for rank, (form, columns) in enumerate(self._heads()):
            checkpoint()
            left, gain = laid.gain_beside(columns)
            for k in laid.best_of_kinds(gain, 1, self.quotas.added):
                cost = laid.cost(left - float(gain[k]), len(columns) + laid.constants(k))
                promised.append((cost, rank, form, k, left - float(gain[k])))
        fits = []
        for _, _, form, k, rest in sorted(promised, key=lambda each: each[:2])[: self.quotas.extended]:
            try:
                longer = form + laid.term(k)
            except (TooLargeError, OverflowError):
                continue
            if self._worth(longer, rest):
                fits.append(self.regression.fit(longer, self.steps))
        yield from self._polished(fits)

    def _polished(self, fits: list[Fit]) -> Iterator[Fit]:
        """The fits, and the best of every number of constants to their ends and with what they lack."""
        sizes: dict[int, list[Fit]] = {}
        for each in sorted(fits, key=lambda each: each.score):
            sizes.setdefault(len(each.constants), []).append(each)
        yield from fits
        for own in sizes.values():
            for each in own[: self.quotas.completed]:
                if np.isfinite(each.score):
                    yield self._completed(self.regression.fit(each.expression) if self.precise else each)

    def _heads(self) -> Iterator[tuple[Expression, np.ndarray]]:
        """The best forms of every number of terms, with their columns and the slopes of constants inside.

        Of a sum of two calls, either alone explains little, and its constants mislead: so calls at the
        points of the grid count as well.
        """
        sizes: dict[int, list[Fit]] = {}
        for each in self.best():
            if len(each.constants) <= effort.SURE:
                sizes.setdefault(len(each.expression.terms), []).append(each)
        for own in sizes.values():
            for each in own[: self.quotas.heads]:
                slopes = self.regression.slopes_of(each.expression, self.columns.rows)
                yield each.expression, normalised(self.columns.weigh(slopes.T))
        self.heads.sort(key=lambda each: each[0])
        for _, form, columns in self.heads[: self.quotas.grid_heads]:
            yield form, columns
        self.heads = []
