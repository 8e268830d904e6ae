"""Whole blocks: a call times all monomials of a degree, beside all monomials; elimination leaves what pays.

For constants inside the call on a grid, what a whole block leaves is one linear regression. Smooth data make
early picks of single terms wrong, and a whole block has none to make. For data with hardly any noise alone:
noise is followed by any large block.
"""

from collections.abc import Iterator

import numpy as np

from mathonet.equation.expression import Expression, Term, TooLargeError, total
from mathonet.equation.moves import joined, merges
from mathonet.fit.linear import distinct_monomials, monomial, monomials
from mathonet.interruption import checkpoint
from mathonet.search import effort
from mathonet.search.blocks import terms_model
from mathonet.search.call_columns import CallColumns
from mathonet.search.fit import Fit
from mathonet.search.projection import directions, normalised, projected_off
from mathonet.search.quotas import Block


class WholeBlocks:
    """Blocks of one size with every call of the library."""

    def __init__(self, columns: CallColumns, block: Block, starts: int) -> None:
        """Set the size.

        Args:
            columns: the library on the samples.
            block: of `Quotas`.
            starts: points of a grid that a fit begins from.
        """
        whole, above, self.kinds, self.most_inputs = block
        self.columns, self.regression, self.starts = columns, columns.regression, starts
        self.rows, self.families = columns.rows, columns.families
        inputs = columns.inputs
        self.beside = distinct_monomials(self.rows, monomials(inputs, whole))
        self.times = monomials(inputs, above if inputs <= effort.FEW_INPUTS else min(above, 2))
        self.room = min(effort.MOST_CONSTANTS, int(effort.CONSTANTS_SHARE * self.regression.count))

    def fits(self) -> Iterator[Fit]:
        """What elimination leaves of the best blocks."""
        if self.columns.inputs > self.most_inputs:
            return
        forms = [
            self._block(family, point)
            for _, family, points in self._ranked()[: self.kinds]
            for point in points
        ]
        begun = [
            self.regression.fit(form, effort.FIRST_STEPS)
            for form in forms
            if form is not None and self.regression.fits_in(form)
        ]
        # The first steps decide which blocks are fitted to their ends; those fits decide which are shortened.
        last = max(self.kinds // effort.BLOCKS_SHORTENED, 1)
        begun = sorted(begun, key=lambda each: each.score)[: effort.BLOCKS_FITTED * last]
        fits: dict[tuple, tuple[float, Fit]] = {}
        for fit in (self.regression.fit(each.expression, effort.SETTLING_STEPS) for each in begun):
            # Two points of a grid that lead to one fit are one.
            key = (fit.skeleton, f"{fit.chi2:.2e}")
            if np.isfinite(fit.chi2) and key not in fits:
                fits[key] = (self._eliminated(fit)[0], fit)
        for _, fit in sorted(fits.values(), key=lambda each: each[0])[:last]:
            yield self._shortened(fit)

    def _block(self, family: int, point: int) -> Expression | None:
        """All its terms but those that others span: x/(c + x) is 1 - c/(c + x)."""
        own = self.families[family]
        values = [own.values[point], *(each[point] for each in own.beside)]
        columns = [monomial(self.rows, m) for m in self.beside]
        columns += [value * monomial(self.rows, m) for value in values for m in self.times]
        upper = np.linalg.qr(normalised(self.columns.weigh(np.stack(columns))).T)[1]
        try:
            parts = [Expression((Term(effort.TRACE, m),)) for m in self.beside]
            parts += [
                Expression((Term(effort.TRACE, m),)) * call for call in own.calls(point) for m in self.times
            ]
            kept = np.flatnonzero(np.abs(np.diagonal(upper)) > effort.RESOLVED)
            return total(term for k in kept for term in parts[k].terms)
        except (TooLargeError, OverflowError):
            return None

    def _ranked(self) -> list[tuple[float, int, list[int]]]:
        """Families by what the best of their blocks leaves, for its size, with the best points of a grid."""
        target = self.columns.target
        basis = directions(self.columns.of_monomials(self.beside).T)
        rest = projected_off(target, basis)
        powers = np.stack([monomial(self.rows, m) for m in self.times])
        count, found = float(len(rest)), []
        for place, family in enumerate(self.families):
            checkpoint()
            values = np.stack([family.values, *family.beside], axis=1)
            size = values.shape[1] * len(self.times)
            if len(self.beside) + size + np.count_nonzero(family.grid.any(axis=0)) > self.room:
                continue
            lefts = []
            with np.errstate(all="ignore"):
                for start in range(0, len(values), effort.SOLVED_AT_ONCE):
                    part = values[start : start + effort.SOLVED_AT_ONCE]
                    raw = part[:, :, None, :] * powers
                    columns = normalised(self.columns.weigh(raw.reshape(len(part), size, -1)))
                    columns = np.nan_to_num(columns, posinf=0.0, neginf=0.0)
                    own = directions((columns - (columns @ basis) @ basis.T).transpose(0, 2, 1))
                    lefts.append(rest @ rest - np.sum((rest @ own) ** 2, axis=1))
            left = np.maximum(np.concatenate(lefts), count * self.columns.floor**2)
            order = np.argsort(left)[: self.starts].tolist()
            found.append((self.columns.cost(float(left[order[0]]), size), place, order))
        return sorted(found, key=lambda each: each[0])

    def _eliminated(self, fit: Fit) -> tuple[float, Expression]:
        """The best score that elimination predicts, and the form that is left."""
        terms = fit.expression.terms
        model = terms_model(self.regression, terms, fit.rounding)
        score, kept = model.eliminate(range(len(terms)))
        values = model.solve(kept)[1]
        return score, total(
            Term(float(values[model.outer[k]]) or effort.TRACE, terms[k].factors) for k in kept
        )

    def _shortened(self, fit: Fit) -> Fit:
        """A block without the terms that are missed least; constants inside settle in between."""
        for _ in range(effort.ELIMINATIONS):
            form = self._eliminated(fit)[1]
            shorter = self._joined(self.regression.fit(form))
            if not np.isfinite(shorter.score) or len(shorter.constants) >= len(fit.constants):
                return shorter if shorter.score < fit.score else fit
            fit = shorter
        return fit

    def _joined(self, fit: Fit) -> Fit:
        """The form with calls merged and whole terms taken into fractions, as long as that costs nothing."""
        for form in (*merges(fit.expression), *joined(fit.expression)):
            other = self.regression.fit(form, effort.JUDGING_STEPS)
            if other.score < fit.score:
                return self._joined(other)
        return fit
