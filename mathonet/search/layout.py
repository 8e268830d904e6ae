"""The layout of forms as arrays: what `fit.batch` fits many of at once."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from scipy.sparse import csr_array

from mathonet.equation.expression import Expression, Factors, Term
from mathonet.equation.flow import evaluate
from mathonet.equation.refit import Refitter
from mathonet.fit.batch import SLOTS, Batch, Face, Table, fit_batch, values_of
from mathonet.interruption import checkpoint
from mathonet.search.terms import Atom, Inside

MOST_ROWS = 200
"""Rows that forms are compared on; the best are fitted on all."""
AT_ONCE = 1000
"""Atoms that are evaluated at once, to bound the memory."""
MOST_VALUES = 500_000
"""Values of terms that are fitted at once, which takes some 130 bytes each."""
LARGEST = 1e12

Form = tuple[Atom, ...]


class Layout:
    """Forms made of some atoms, on the rows of a refitter.

    Attributes:
        atoms: those that are finite on the rows.
        columns: their weighted columns, each of length one.
        target: the weighted target.
        by_rows: whether every residual is that of one row.
    """

    def __init__(
        self, refitter: Refitter, atoms: Sequence[Atom], rows: np.ndarray, chosen: np.ndarray
    ) -> None:
        """Lay out the atoms on rows and residuals that were chosen with `rows_of`."""
        self.target, self.by_rows = refitter.targets[chosen], _by_rows(refitter)
        names = sorted({call.name for atom in atoms for call in atom.calls})
        self.operations = {name: number for number, name in enumerate(names)}
        self.places: dict[Factors, int] = {(): 0}
        for atom in atoms:
            for factors in (atom.company, *(each for call in atom.calls for each in call.features)):
                self.places.setdefault(factors, len(self.places))
        with np.errstate(all="ignore"):
            columns = [evaluate(Expression((Term(1.0, factors),)), rows) for factors in self.places]
        faces = tuple(_face(refitter, name) for name in names)
        columns += [np.ones(len(rows)), np.zeros(len(rows))]
        self.table = Table(np.stack(columns), faces, _weigh(refitter, chosen), self.target)
        weighted = self.evaluate(atoms)
        with np.errstate(all="ignore"):
            size = np.linalg.norm(weighted, axis=1)
        good = np.isfinite(size) & (size > 0) & (size < LARGEST)
        self.atoms = [atom for atom, ok in zip(atoms, good, strict=True) if ok]
        self.columns = weighted[good] / size[good, None]

    def evaluate(self, atoms: Sequence[Atom]) -> np.ndarray:
        """Weighted columns of atoms, one a row."""
        found = []
        with np.errstate(all="ignore"):
            for start in range(0, len(atoms), AT_ONCE):
                part = [(atom,) for atom in atoms[start : start + AT_ONCE]]
                found.append(values_of(self._batch(part, [[] for _ in part]), self.table)[:, 0])
        return np.concatenate(found)

    def fitted(self, forms: Sequence[Form], steps: int) -> Iterator[tuple[float, Form, np.ndarray]]:
        """Sum of squares, atoms with fitted constants, and coefficients, of every form that can be fitted."""
        groups: dict[tuple[int, int], list[Form]] = {}
        for form in forms:
            groups.setdefault((len(form), len(_free(form))), []).append(form)
        parts = []
        for (terms, _), group in groups.items():
            most = max(MOST_VALUES // (terms * self.table.columns.shape[1]), 1)
            parts += [group[start : start + most] for start in range(0, len(group), most)]
        for group in parts:
            checkpoint()
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


def rows_of(refitter: Refitter) -> tuple[np.ndarray, np.ndarray]:
    """Rows to compare forms on, and the residuals that count: of many, some at random.

    Where residuals are sums over rows, as in the weak form, all rows are needed.
    """
    real = int(refitter.problem.count)
    chosen = np.arange(real)
    if real > MOST_ROWS:
        chosen = np.sort(np.random.default_rng(0).choice(real, MOST_ROWS, replace=False))
    return (refitter.rows[chosen] if _by_rows(refitter) else refitter.rows), chosen


def _by_rows(refitter: Refitter) -> bool:
    """Whether every residual is that of one row."""
    return refitter.operator is None and refitter.weights.ndim == 1


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


def _weigh(refitter: Refitter, chosen: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """From columns over the rows to weighted columns over the chosen residuals."""
    if _by_rows(refitter):
        weights = refitter.weights[chosen]
        return lambda columns: columns * weights
    operator = csr_array(np.eye(len(refitter.rows))) if refitter.operator is None else refitter.operator
    if refitter.weights.ndim == 1:
        matrix = (operator[chosen] * refitter.weights[chosen, None]).toarray()
    else:
        matrix = refitter.weights[chosen] @ operator
    return lambda columns: columns @ matrix.T


def _face(refitter: Refitter, name: tuple[str, ...]) -> Face:
    """Value and slope of an operation, or of the quotient of two, at an array of any shape."""
    if len(name) == 1:
        return lambda h: refitter.faces(name[0], h)

    def quotient(h: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        (above, rise), (below, fall) = (refitter.faces(each, h) for each in name)
        return above / below, (rise * below - above * fall) / below**2

    return quotient
