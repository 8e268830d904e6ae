"""CallColumns: every term with a call of the library as a column, and what each would take off a target."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mathonet.equation.assembly import constants
from mathonet.equation.complexity import log_size
from mathonet.equation.expression import Expression, Factors, Term
from mathonet.fit.linear import distinct_monomials, monomial, monomials
from mathonet.search import effort
from mathonet.search.library import Family, Library, one_sign
from mathonet.search.projection import directions, gains_beside, normalised
from mathonet.search.rows import mixing
from mathonet.search.samples.regression import Regression


@dataclass(frozen=True)
class Atom:
    """A term that may come in: a call of a family at a point of its grid, times a monomial."""

    family: int
    point: int
    times: Factors


class CallColumns:
    """The library on the samples of one equation.

    Attributes:
        rows: of inputs that columns are compared on.
        target: what is to be explained, weighed.
        families: calls of the library.
        plain: monomials that stand beside calls, in the order in which they are tried.
        atoms: terms with calls.
        columns: their weighed columns, of length one.
        kind: numbers of what the terms are, whatever their constants; those of a kind come one after another.
    """

    def __init__(
        self, regression: Regression, units: np.ndarray, precise: bool, laid: "CallColumns | None" = None
    ) -> None:
        """Lay out the library.

        Args:
            regression: has the samples and the operations.
            units: what the inputs were divided by.
            precise: whether the data have hardly any noise.
            laid: of another equation, whose calls are the same where its rows are.
        """
        self.regression = regression
        self.floor = max(regression.floor, effort.RESOLVED)
        self.rows, self.weigh, self.target = _compared(regression)
        self._priced: dict[tuple[int, Factors], tuple[int, float]] = {}
        if laid is not None and np.array_equal(self.rows, laid.rows):
            self.families, self._priced = laid.families, laid._priced
        else:
            self.families = list(Library(self.rows, regression.operations, units, precise).families())
        self.inputs = regression.inputs
        self.plain = self._monomials()
        self.atoms, self.columns = self._atoms()
        kinds: dict[tuple, int] = {}
        self.kind = np.array([kinds.setdefault((a.family, a.times), len(kinds)) for a in self.atoms], int)

    @property
    def share(self) -> float:
        """How many residuals there are for each row that is compared."""
        return self.regression.count / max(len(self.target), 1)

    def of_monomials(self, every: list[Factors]) -> np.ndarray:
        """Weighed columns of monomials, of length one, in rows."""
        return normalised(self.weigh(np.stack([monomial(self.rows, each) for each in every])))

    def _monomials(self) -> list[Factors]:
        """Monomials that stand beside calls: the constant and the inputs first, then what explains most."""
        cubes = self.inputs <= effort.FEW_INPUTS
        every = monomials(self.inputs, 3 if cubes else 2)
        every += [((i, p),) for i in range(self.inputs) for p in range(4 if cubes else 3, 6)]
        if "inv" in {each.name for each in self.regression.operations}:
            signed = [i for i in range(self.inputs) if one_sign(self.rows[:, i])]
            every += [((i, -p),) for i in signed for p in (1, 2)]
        every = distinct_monomials(self.rows, every)
        gain = (self.of_monomials(every) @ self.target) ** 2

        def order(k: int) -> tuple[int, float]:
            simple = all(p > 0 for _, p in every[k])
            return min(sum(p for _, p in every[k]), 2) if simple else 2, -float(gain[k])

        return [every[k] for k in sorted(range(len(every)), key=order)]

    def _times(self, family: Family) -> list[Factors]:
        """Monomials that a call is taken times in short sums."""
        degree = family.kind.times
        if self.inputs > effort.MANY_INPUTS:
            degree = 0
        elif self.inputs > (effort.SOME_INPUTS if family.kind.form.startswith("1/") else effort.FEW_INPUTS):
            degree = min(degree, 1)
        found = monomials(self.inputs, degree)
        if degree and self.inputs <= effort.FEW_INPUTS:
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
                    good = np.flatnonzero(np.isfinite(size) & (size > 0) & (size < effort.LARGEST_COLUMN))
                    atoms += [Atom(place, int(point), times) for point in good]
                    columns.append(weighed[good] / size[good, None])
        return atoms, np.concatenate(columns) if columns else np.zeros((0, len(self.target)))

    def term(self, k: int) -> Expression:
        """A term with a call, before it is fitted."""
        atom = self.atoms[k]
        return Expression((Term(effort.TRACE, atom.times),)) * self.families[atom.family].calls(atom.point)[0]

    @cached_property
    def prices(self) -> np.ndarray:
        """What every term adds to the score of a form beside what it explains."""
        regression, nothing = self.regression, self.regression.pricing(1.0, 0, 0.0)
        found = np.zeros(len(self.atoms))
        for first in np.flatnonzero(np.r_[True, np.diff(self.kind) != 0]) if self.atoms else ():
            key = (self.atoms[first].family, self.atoms[first].times)
            if key not in self._priced:
                term = self.term(int(first))
                size = log_size(term, self.inputs, len(regression.operations), regression.choices)
                self._priced[key] = (len(constants(term)), size)
            found[self.kind == self.kind[first]] = regression.pricing(1.0, *self._priced[key]) - nothing
        return found

    def cost(self, left: float, constants: int) -> float:
        """What forms are ranked by before they are fitted."""
        count = float(len(self.target))
        return count * float(np.log(max(left, count * self.floor**2))) + effort.RANKING_PRICE * constants

    def constants(self, k: int) -> int:
        """Constants of a term with a call, and one for the call."""
        return 2 + len(self.families[self.atoms[k].family].kind.grid)

    def best_of_kinds(self, gain: np.ndarray, starts_each: int, most: int) -> Iterator[int]:
        """The best columns of the kinds that gain most: where a kind has a peak along its grid."""
        starts = np.flatnonzero(np.r_[True, np.diff(self.kind) != 0])
        best = np.maximum.reduceat(gain, starts)
        ends = np.r_[starts[1:], len(gain)]
        for kind in np.argsort(-best)[:most]:
            own = gain[starts[kind] : ends[kind]]
            peaks = np.flatnonzero((own >= np.r_[-np.inf, own[:-1]]) & (own >= np.r_[own[1:], -np.inf]))
            order = peaks[np.argsort(-own[peaks])][:starts_each]
            yield from (starts[kind] + order).tolist()

    def gain_beside(self, columns: np.ndarray) -> tuple[float, np.ndarray]:
        """What columns leave, and what every further term takes off."""
        return gains_beside(directions(columns.T), self.columns, self.target)


def _compared(regression: Regression):
    """Rows that columns are compared on, how these are weighed, and the weighed target."""
    real = int(regression.problem.count)
    chosen = np.arange(real)
    if real > effort.COMPARED_ROWS:
        chosen = np.sort(np.random.default_rng(0).choice(real, effort.COMPARED_ROWS, replace=False))
    target = regression.targets[chosen]
    if regression.operator is None and regression.weights.ndim == 1:
        weights = regression.weights[chosen]
        return regression.rows[chosen], lambda columns: columns * weights, target
    matrix = mixing(regression, chosen).T
    return regression.rows, lambda columns: columns @ matrix, target
