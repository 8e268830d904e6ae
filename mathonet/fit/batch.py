"""Many small forms fitted at once: variable projection over a batch, structure as index arrays.

Each form is  sum_t c_t m_t(x) f_t1(h_t1) f_t2(h_t2)  with  h = a p(x) + b q(x) + c,  where m, p, q are
columns of a common table and f is chosen by number. So hundreds of different forms are a few arrays, and one
step of Levenberg-Marquardt on the constants inside (the c_t are solved for exactly, see `separable`) is a
handful of whole-array operations for all of them.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields

import numpy as np

SLOTS = 3
"""Constants of an argument: two coefficients and what is added."""
DAMPING, DAMPING_LEAST, DAMPING_MOST = 1e-2, 1e-10, 1e8
TINY = 1e-12
SETTLED = 1e-10
"""Share of the sum of squares that a step must promise for a form to be fitted on."""
CROWDED = 0.75
"""Share of forms still fitted at which the others are put aside: those that stay are evaluated anew."""

Face = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True)
class Batch:
    """Forms of one shape: as many terms and as many free constants inside, each.

    Attributes:
        company: (forms, terms) row of the table that a term is multiplied by.
        operation: (forms, terms, calls) number of the operation, -1 for none.
        features: (forms, terms, calls, 2) rows of the table in the argument; the last row is zero.
        values: (forms, terms, calls, SLOTS) constants inside.
        free: (forms, P) places of the free ones among terms x calls x SLOTS.
    """

    company: np.ndarray
    operation: np.ndarray
    features: np.ndarray
    values: np.ndarray
    free: np.ndarray

    def only(self, chosen: np.ndarray) -> "Batch":
        """Some of the forms."""
        return Batch(*(getattr(self, each.name)[chosen] for each in fields(self)))


@dataclass(frozen=True)
class Table:
    """What forms are made of, on some rows.

    Attributes:
        columns: (entries, rows); the last entry is zero, the one before is one.
        faces: operations by number: value and slope.
        weigh: from columns (..., rows) to weighted residual columns (..., residuals).
        target: weighted target.
    """

    columns: np.ndarray
    faces: tuple[Face, ...]
    weigh: Callable[[np.ndarray], np.ndarray]
    target: np.ndarray


@dataclass(frozen=True)
class BatchFit:
    """Constants inside (like `Batch.values`), coefficients (forms, terms), sums of squares (forms)."""

    values: np.ndarray
    coefficients: np.ndarray
    rss: np.ndarray

    def put(self, places: np.ndarray, point: "_Point") -> None:
        """Enter some forms as they are at a point."""
        self.values[places], self.coefficients[places] = point.values, point.coefficients
        self.rss[places] = point.rss


def fit_batch(batch: Batch, table: Table, steps: int) -> BatchFit:
    """Fit every form from the constants it has; a form that is not finite has an infinite sum of squares."""
    forms, free = batch.free.shape
    with np.errstate(all="ignore"):
        point = _Point(batch, table, batch.values.copy())
        found = BatchFit(point.values.copy(), point.coefficients.copy(), point.rss.copy())
        places, damping = np.arange(forms), np.full(forms, DAMPING)
        for _ in range(steps if free else 0):
            change, promised = _step(point, damping)
            moving = ~np.isfinite(point.rss) | (promised > SETTLED * point.rss)
            if not moving.any():
                break
            change[~moving] = 0.0
            if moving.sum() < CROWDED * len(places):
                found.put(places, point)
                places, damping, change = places[moving], damping[moving], change[moving]
                point = _Point(point.batch.only(moving), table, point.values[moving])
            values = point.values.reshape(len(places), -1).copy()
            there = np.take_along_axis(values, point.batch.free, 1)
            np.put_along_axis(values, point.batch.free, there + change, axis=1)
            trial = _Point(point.batch, table, values.reshape(point.values.shape))
            better = trial.rss < point.rss
            point.take(better, trial)
            damping = np.clip(np.where(better, damping * 0.2, damping * 5.0), DAMPING_LEAST, DAMPING_MOST)
        found.put(places, point)
    return found


def _step(point: "_Point", damping: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Changes (forms, P) of the free constants, and what they promise to take off the sums of squares."""
    slopes = point.slopes()
    size = np.sqrt(np.einsum("bpn,bpn->bp", slopes, slopes))
    size = np.where(np.isfinite(size) & (size > 0), size, 1.0)
    unit = np.nan_to_num(slopes / size[:, :, None], posinf=0.0, neginf=0.0)
    normal = np.einsum("bpn,bqn->bpq", unit, unit)
    normal += damping[:, None, None] * np.eye(unit.shape[1])
    gradient = np.einsum("bpn,bn->bp", unit, np.nan_to_num(point.residuals))
    change = np.linalg.solve(normal, gradient[:, :, None])[:, :, 0]
    return change / size, np.einsum("bp,bp->b", gradient, change)


class _Point:
    """All forms at some constants inside, with the best coefficients for these."""

    def __init__(self, batch: Batch, table: Table, values: np.ndarray) -> None:
        self.batch, self.table, self.values = batch, table, values
        self.value, self.slope = _called(batch, table, values)
        self.base = table.columns[batch.company]
        phi = table.weigh(self.base * self.value.prod(axis=2))
        size = np.linalg.norm(phi, axis=2)
        good = (np.isfinite(size) & (size > 0)).all(axis=1)
        size = np.where(good[:, None], size, 1.0)
        unit = np.where(good[:, None, None], phi / size[:, :, None], 0.0)
        self.basis, upper = np.linalg.qr(np.swapaxes(unit, 1, 2))
        good &= np.abs(np.diagonal(upper, axis1=1, axis2=2)).min(axis=1) > TINY
        upper = np.where(good[:, None, None], upper, np.eye(upper.shape[1]))
        along = np.einsum("bnt,n->bt", self.basis, table.target)
        self.coefficients = np.linalg.solve(upper, along[:, :, None])[:, :, 0] / size
        self.residuals = table.target - np.einsum("bnt,bt->bn", self.basis, along)
        self.rss = np.where(good, np.einsum("bn,bn->b", self.residuals, self.residuals), np.inf)

    def slopes(self) -> np.ndarray:
        """Slopes (forms, P, residuals) of what no coefficients can remove, in the free constants."""
        batch, columns = self.batch, self.table.columns
        calls = batch.operation.shape[2]
        term, rest = np.divmod(batch.free, calls * SLOTS)
        call, slot = np.divmod(rest, SLOTS)
        form = np.arange(len(batch.free))[:, None]
        inside = batch.features[form, term, call, np.minimum(slot, SLOTS - 2)]
        feature = np.where(slot < SLOTS - 1, inside, len(columns) - 2)
        others = self.value[form, term, 1 - call]
        column = self.base[form, term] * self.slope[form, term, call] * others * columns[feature]
        weighed = self.table.weigh(column * self.coefficients[form, term][:, :, None])
        along = np.einsum("bnt,bpn->bpt", self.basis, weighed)
        return weighed - np.einsum("bnt,bpt->bpn", self.basis, along)

    def take(self, chosen: np.ndarray, other: "_Point") -> None:
        """Some forms as they are at another point."""
        for name in ("values", "value", "slope", "coefficients", "residuals", "rss", "basis"):
            getattr(self, name)[chosen] = getattr(other, name)[chosen]


def values_of(batch: Batch, table: Table) -> np.ndarray:
    """Weighted terms (forms, terms, residuals) without their coefficients."""
    return table.weigh(table.columns[batch.company] * _called(batch, table, batch.values)[0].prod(axis=2))


def _called(batch: Batch, table: Table, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Values and slopes (forms, terms, calls, rows) of the calls; 1 and 0 where there is none."""
    there = np.nonzero(batch.operation >= 0)
    operation, inside = batch.operation[there], values[there]
    argument = np.einsum("ck,ckn->cn", inside[:, :-1], table.columns[batch.features[there]])
    argument += inside[:, -1:]
    called, sloped = np.empty_like(argument), np.empty_like(argument)
    for number, face in enumerate(table.faces):
        where = operation == number
        if where.any():
            called[where], sloped[where] = face(argument[where])
    shape = (*batch.operation.shape, argument.shape[1])
    value, slope = np.ones(shape), np.zeros(shape)
    value[there], slope[there] = called, sloped
    return value, slope
