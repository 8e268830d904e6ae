"""Trajectory: the measured states of one run over time, checked once so that later rooms can trust it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mathonet.errors import DataError
from mathonet.printable import shortened


@dataclass(frozen=True, eq=False)
class Trajectory:
    """States measured at increasing times, with derivatives and inputs where they are known.

    Anything array-like is accepted and kept as a read-only float64 copy; one state may be one-dimensional.
    Without derivatives, states may be missing at some times: NaN, None or masked.

    Attributes:
        t: Times, shape (times,), strictly increasing.
        x: States, shape (times, states); NaN where one was not measured, which only states alone may be.
        x_dot: Time derivatives of the states, same shape as `x`, or None.
        names: One name a state; x, y, z for up to three states, else x0, x1, ...
        u: Inputs from outside, shape (times, inputs), or None.
        input_names: One name an input; u for one input, else u0, u1, ...; empty without inputs
        weights: Relative precision (1/deviation) of every value of `x`, same shape, zero where one is
            missing, or None for equal ones; weights (times,) hold for all states.
        units: One unit a state as it is written, "" where it is not known.
        input_units: One unit an input, likewise.
        time_name: What time is called.
        time_unit: Its unit, "" where it is not known.
    """

    t: np.ndarray
    x: np.ndarray
    x_dot: np.ndarray | None = None
    # None asks for the default names; after construction both are tuples, which is what readers may rely on.
    names: tuple[str, ...] = None  # pyright: ignore[reportAssignmentType]
    u: np.ndarray | None = None
    input_names: tuple[str, ...] = None  # pyright: ignore[reportAssignmentType]
    weights: np.ndarray | None = None
    units: tuple[str, ...] = ()
    input_units: tuple[str, ...] = ()
    time_name: str = "t"
    time_unit: str = ""

    def __post_init__(self) -> None:
        """Convert and check every part.

        Raises:
            DataError: If the measurements cannot be used; the message says where and what to do.
        """
        x = _columns(self.x, "the states x")
        t = _times(self.t)
        _refuse_other_length(x, t, "the times t")
        names = _names(self.names, x.shape[1], "state", "xyz" if x.shape[1] <= 3 else "x")
        refuse_not_finite(t[:, None], ("t",), "time")
        refuse_not_finite(x, names, "state", missing_allowed=self.x_dot is None)
        _refuse_unordered(t)
        x_dot, u, input_names = None, None, ()
        if self.x_dot is not None:
            x_dot = _columns(self.x_dot, "the derivatives x_dot")
            if x_dot.shape != x.shape:
                raise DataError(
                    f"The derivatives x_dot have shape {x_dot.shape}, the states x {x.shape}. "
                    "Give one derivative for every state at every time."
                )
            refuse_not_finite(x_dot, names, "derivative of state")
        if self.u is not None:
            u = _columns(self.u, "the inputs u")
            _refuse_other_length(x, u, "the inputs u")
            input_names = _names(self.input_names, u.shape[1], "input", "u")
            refuse_not_finite(u, input_names, "input")
            shared = sorted(set(names) & set(input_names))
            if shared:
                raise DataError(
                    f"A state and an input have the same name: {', '.join(shared)}. Rename one of them."
                )
        elif self.input_names:
            raise DataError(
                f"Input names {shortened(repr(tuple(self.input_names)))} without inputs. Give u as well, or "
                "leave them out."
            )
        weights = None if self.weights is None else _weights(self.weights, x, names)
        checked = {
            "t": t,
            "x": x,
            "x_dot": x_dot,
            "names": names,
            "u": u,
            "input_names": input_names,
            "weights": weights,
            "units": _units(self.units, names, "state"),
            "input_units": _units(self.input_units, input_names, "input"),
        }
        for field, value in checked.items():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
            object.__setattr__(self, field, value)

    def __len__(self) -> int:
        """The number of times."""
        return self.t.shape[0]

    @property
    def measured(self) -> np.ndarray:
        """Which values of `x` say something: neither missing nor of weight zero."""
        seen = np.isfinite(self.x)
        return seen if self.weights is None else seen & (self.weights > 0)


def _units(given: Sequence[str], names: tuple[str, ...], role: str) -> tuple[str, ...]:
    """One unit a name; none at all are as many that are not known."""
    units = tuple(given) or ("",) * len(names)
    if isinstance(given, str) or len(units) != len(names) or not all(isinstance(each, str) for each in units):
        raise DataError(
            f"The {role} units are {given!r}. Give a list with one text for each of {', '.join(names)}."
        )
    return units


def _numbers(values: ArrayLike, what: str) -> np.ndarray:
    try:
        array = np.asarray(_unmasked(values))
    except (TypeError, ValueError) as error:
        raise DataError(
            f"Rows of {what} have different lengths ({error}). Give a rectangular array of numbers."
        ) from error
    if np.iscomplexobj(array):
        raise DataError(
            f"Complex numbers in {what} (dtype {array.dtype}). Give real and imaginary parts as two columns."
        )
    if array.dtype.kind in "mM":
        raise DataError(
            f"Dates or durations in {what} (dtype {array.dtype}). Convert them to numbers first, "
            "such as seconds since the start."
        )
    if array.dtype.kind not in "fiubO":
        raise DataError(f"No numbers in {what} (dtype {array.dtype}). Convert to float64 first.")
    if array.dtype.kind == "O":
        # pandas writes a missing value of its nullable columns as NA, which is no number to NumPy.
        array = array.copy()
        array[np.vectorize(lambda entry: type(entry).__name__ == "NAType", otypes=[bool])(array)] = None
    try:
        return np.array(array, dtype=np.float64, order="C")
    except (TypeError, ValueError) as error:
        raise DataError(
            f"Not all entries of {what} are numbers ({error}). Convert to float64 first."
        ) from error


def _unmasked(values: ArrayLike) -> ArrayLike:
    """The values with NaN for masked ones: a masked value is a missing one; its filler is no measurement."""
    if isinstance(values, (list, tuple)) and any(np.ma.isMaskedArray(each) for each in values):
        values = [_unmasked(each) for each in values]  # pyright: ignore[reportAssignmentType, reportArgumentType]
    if not np.ma.isMaskedArray(values):
        return values
    masked = np.ma.asarray(values)
    return np.ma.filled(masked.astype(float) if masked.dtype.kind in "iub" else masked, np.nan)


def _columns(values: ArrayLike, what: str) -> np.ndarray:
    array = _numbers(values, what)
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim != 2:
        raise DataError(
            f"Shape {array.shape} of {what} is not (times, columns). Give a table with a row a time."
        )
    if array.size == 0:
        raise DataError(f"Nothing in {what}: the shape is {array.shape}. Give a row a time.")
    return array


def _times(values: ArrayLike) -> np.ndarray:
    t = _numbers(values, "the times t")
    if t.ndim == 2 and t.shape[1] == 1:
        t = t[:, 0]
    if t.ndim == 0:
        raise DataError(
            f"The times t are the number {t:g}. Give one time for every row of x, for example "
            f"{t:g} * numpy.arange(len(x)) if this is the time step."
        )
    if t.ndim != 1:
        raise DataError(f"Shape {t.shape} of the times t is not (times,). Give one time for every row of x.")
    return t


def _refuse_other_length(x: np.ndarray, other: np.ndarray, what: str) -> None:
    if other.shape[0] != x.shape[0]:
        hint = " x looks transposed: give x.T." if other.shape[0] == x.shape[1] else ""
        raise DataError(
            f"The states x have {x.shape[0]} rows but {what} have {other.shape[0]}. "
            f"Both need one entry for every time.{hint}"
        )


def refuse_not_finite(
    values: np.ndarray,
    names: Sequence[str],
    role: str,
    missing_allowed: bool = False,
    where: Callable[[int], str] = "row {} (counted from 0)".format,
) -> None:
    """Refuse values that are infinite or, unless they may be missing, NaN; the first one is named by its row.

    Args:
        values: one column for each name.
        names: of the columns.
        role: what they are.
        missing_allowed: whether NaN may stand there.
        where: says in words where a row is.

    Raises:
        DataError: If there are such values.
    """
    bad = np.isinf(values) if missing_allowed else ~np.isfinite(values)
    if bad.any():
        rows, columns = np.nonzero(bad)
        first = int(np.argmin(rows))
        column = columns[first]
        kind = "NaN" if np.isnan(values[rows[first], column]) else "infinite"
        raise DataError(
            f"The {role} {names[column]!r} is {kind} at {where(int(rows[first]))}. "
            f"Such values in all: {rows.size}. {_remedy(role, kind)}"
        )


def _remedy(role: str, kind: str) -> str:
    if role == "input" and kind == "NaN":
        return (
            "Inputs must be known at every time: fill them in, for example with numpy.interp from the times "
            "at which they were recorded, or remove these rows."
        )
    if role == "state" and kind == "infinite":
        return "Remove these rows, or set such values to NaN, which means not measured (without derivatives)."
    return "Remove these rows, fill them in, or split the data there into separate trajectories."


def _weights(values: ArrayLike, x: np.ndarray, names: Sequence[str]) -> np.ndarray:
    """Weights of the shape of x, zero where a state is missing."""
    weights = _numbers(values, "the weights")
    if weights.ndim == 1:
        weights = weights[:, None]
    if weights.ndim != 2 or weights.shape[0] != x.shape[0] or weights.shape[1] not in (1, x.shape[1]):
        raise DataError(
            f"The weights have shape {np.shape(values)}, the states x {x.shape}. Give one weight a time, or "
            "one for every state at every time."
        )
    weights = np.where(np.isnan(x), 0.0, weights)
    rows, columns = np.nonzero(~(np.isfinite(weights) & (weights >= 0)))
    if rows.size:
        raise DataError(
            f"The weight of state {names[columns[0]]!r} is {weights[rows[0], columns[0]]:g} at row {rows[0]} "
            f"(counted from 0). Such weights in all: {rows.size}. Weights are 1/deviation: finite, and zero "
            "for a value that does not count."
        )
    if not weights.any() and not np.isnan(x).all():
        raise DataError("All weights are zero, so no value counts. Give 1/deviation for each measured value.")
    return weights


def _refuse_unordered(t: np.ndarray) -> None:
    bad = np.flatnonzero(np.diff(t) <= 0)
    if bad.size:
        row = int(bad[0]) + 1
        found = "repeats" if t[row] == t[row - 1] else "goes back"
        raise DataError(
            f"Time {found} at row {row} (counted from 0): {t[row - 1]:g} is followed by {t[row]:g}. "
            f"Such places in all: {bad.size}. Sort the rows by time and drop repeats, or, if several "
            "runs follow each other, split them into a list of trajectories."
        )


def _names(given: Sequence[str] | None, count: int, role: str, default: str) -> tuple[str, ...]:
    if given is None:
        if count <= len(default):
            return tuple(default[:count])
        return tuple(f"{default[0]}{k}" for k in range(count))
    if isinstance(given, str) or not np.iterable(given):
        what = "the text" if isinstance(given, str) else "no list but"
        raise DataError(f"The {role} names are {what} {given!r}. Give a list with one name a {role}.")
    names = tuple(given)
    bad = [name for name in names if not isinstance(name, str) or not name.strip()]
    if bad:
        raise DataError(f"A {role} name must be a text that is not empty, got {bad[0]!r}.")
    if len(names) != count:
        raise DataError(
            f"There are {count} {role} columns but {len(names)} {role} names ({', '.join(names)}). "
            "Give one a column."
        )
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise DataError(f"The {role} names repeat: {', '.join(repeated)}. Give every {role} its own name.")
    return names
