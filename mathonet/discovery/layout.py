"""The layout of forms as arrays: what `fit.batch` fits many of at once."""

from collections.abc import Iterator, Sequence

import numpy as np

from mathonet.discovery.terms import Atom, Inside
from mathonet.equation.expression import Factors
from mathonet.equation.refit import Refitter
from mathonet.fit.batch import SLOTS, Batch, Face, Table, fit_batch, values_of
from mathonet.fit.linear import monomial

MOST_ROWS = 200
"""Rows that forms are compared on; the best are fitted on all."""
LARGEST = 1e12

Form = tuple[Atom, ...]


class Layout:
    """Forms made of some atoms, on the rows of a refitter.

    Attributes:
        atoms: those that are finite on the rows.
        columns: their weighted columns, each of length one.
        target: the weighted target.
    """

    def __init__(self, refitter: Refitter, atoms: Sequence[Atom], rows: np.ndarray, chosen: slice) -> None:
        """Lay out the atoms on rows that were chosen with `rows_of`."""
        self.target = refitter.targets[chosen]
        names = sorted({call.name for atom in atoms for call in atom.calls})
        self.operations = {name: number for number, name in enumerate(names)}
        self.places: dict[Factors, int] = {(): 0}
        for atom in atoms:
            for factors in (atom.company, *(each for call in atom.calls for each in call.features)):
                self.places.setdefault(factors, len(self.places))
        with np.errstate(all="ignore"):
            columns = [monomial(rows, factors) for factors in self.places]
        faces = tuple(_face(refitter, name) for name in names)
        columns += [np.ones(len(rows)), np.zeros(len(rows))]
        self.table = Table(np.stack(columns), faces, _weigh(refitter, chosen), self.target)
        weighted = self.evaluate(atoms)
        size = np.linalg.norm(weighted, axis=1)
        good = np.isfinite(size) & (size > 0) & (size < LARGEST)
        self.atoms = [atom for atom, ok in zip(atoms, good, strict=True) if ok]
        self.columns = weighted[good] / size[good, None]

    def evaluate(self, atoms: Sequence[Atom]) -> np.ndarray:
        """Weighted columns of atoms, one a row."""
        with np.errstate(all="ignore"):
            fixed = self._batch([(atom,) for atom in atoms], [[] for _ in atoms])
            return values_of(fixed, self.table)[:, 0]

    def fitted(self, forms: Sequence[Form], steps: int) -> Iterator[tuple[float, Form, np.ndarray]]:
        """Sum of squares, atoms with fitted constants, and coefficients, of every form that can be fitted."""
        groups: dict[tuple[int, int], list[Form]] = {}
        for form in forms:
            groups.setdefault((len(form), len(_free(form))), []).append(form)
        for group in groups.values():
            found = fit_batch(self._batch(group, [_free(form) for form in group]), self.table, steps)
            each = zip(group, found.values, found.coefficients, found.rss, strict=True)
            for form, values, coefficients, rss in each:
                if np.isfinite(rss):
                    yield float(rss), tuple(map(_moved, form, values)), coefficients

    def _batch(self, forms: Sequence[Form], free: list[list[int]]) -> Batch:
        """Forms of as many terms and free constants each, as index arrays."""
        shape = (len(forms), len(forms[0]))
        company = np.zeros(shape, int)
        operation = np.full((*shape, 2), -1)
        features = np.full((*shape, 2, 2), len(self.places) + 1)
        values = np.zeros((*shape, 2, SLOTS))
        for b, form in enumerate(forms):
            for t, atom in enumerate(form):
                company[b, t] = self.places[atom.company]
                for c, call in enumerate(atom.calls):
                    operation[b, t, c] = self.operations[call.name]
                    values[b, t, c, _slots(call)] = call.values
                    features[b, t, c, : len(call.features)] = [self.places[each] for each in call.features]
        return Batch(company, operation, features, values, np.array(free, int).reshape(len(forms), -1))


def rows_of(refitter: Refitter) -> tuple[np.ndarray, slice]:
    """Rows to compare forms on: real ones, some of many; all where residuals are no single rows."""
    if refitter.operator is not None or refitter.weights.ndim != 1:
        return refitter.rows, slice(None)
    real = int(refitter.problem.count)
    chosen = slice(0, real, max(1, real // MOST_ROWS))
    return refitter.rows[chosen], chosen


def _slots(call: Inside) -> list[int]:
    """Places of the constants of an argument: the constant added comes last."""
    return [*range(len(call.features)), SLOTS - 1]


def _free(form: Form) -> list[int]:
    """Places of the free constants among terms x calls x slots."""
    return [
        (t * 2 + c) * SLOTS + slot
        for t, atom in enumerate(form)
        for c, call in enumerate(atom.calls)
        for slot, yes in zip(_slots(call), call.free, strict=True)
        if yes
    ]


def _moved(atom: Atom, values: np.ndarray) -> Atom:
    return atom.moved([values[c, _slots(call)].tolist() for c, call in enumerate(atom.calls)])


def _weigh(refitter: Refitter, chosen: slice):
    if chosen != slice(None):
        weights = refitter.weights[chosen]
        return lambda columns: columns * weights

    def weigh(columns: np.ndarray) -> np.ndarray:
        flat = columns.reshape(-1, columns.shape[-1]).T
        return refitter.weighed(flat).T.reshape(*columns.shape[:-1], -1)

    return weigh


def _face(refitter: Refitter, name: tuple[str, ...]) -> Face:
    """Value and slope of an operation, or of the quotient of two, at an array of any shape."""
    if len(name) == 1:
        return lambda h: refitter.faces(name[0], h)

    def quotient(h: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        (above, rise), (below, fall) = (refitter.faces(each, h) for each in name)
        return above / below, (rise * below - above * fall) / below**2

    return quotient
