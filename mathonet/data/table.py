"""Tables in files become trajectories; which column plays which part is given, or found out and told."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mathonet.data.choice import tell
from mathonet.data.files.column import Column, shown
from mathonet.data.files.experiments import Label, group_rows, order_by_time, split_at_restarts
from mathonet.data.files.names import words
from mathonet.data.files.readable import readable
from mathonet.data.files.reading import Table, read_file
from mathonet.data.files.roles import Roles, Wanted, assign
from mathonet.data.files.times.dates import natural_unit
from mathonet.data.files.times.joined_time import with_joined_times
from mathonet.data.trajectory import Trajectory, refuse_not_finite
from mathonet.data.units import TIME_UNITS, time_unit
from mathonet.errors import DataError

SLOPES, ALIKE = 10, 0.2
"""Rows from which on slopes are compared with given derivatives, and how far both must correlate."""
FAULTS = 0.1
"""Share of a state's cells that may be text among numbers; they count as not measured."""


@dataclass(frozen=True)
class Reading:
    """A file as it was understood.

    Attributes:
        trajectories: one for each experiment.
        roles: which column plays which part, and why the others play none.
        table: the columns.
    """

    trajectories: list[Trajectory]
    roles: Roles
    table: Mapping[str, Column]


def read_table(
    path: str | os.PathLike[str],
    time: str | None = None,
    states: Sequence[str] | None = None,
    derivatives: Sequence[str] | None = None,
    inputs: Sequence[str] | None = None,
    experiment: str | None = None,
    ignore: Sequence[str] | None = None,
    time_unit: str | None = None,
    sheet: str | None = None,
) -> list[Trajectory]:
    """Read a file with one row a time and named columns: one trajectory for each experiment.

    What is found out and not given is told as a warning of the kind `Choice`, and so is every column that is
    left out.

    Args:
        path: The file. `.parquet`, `.npz`, `.mat` and `.xlsx` are what they say; everything else is text.
            Separators, decimal marks, encoding, header and units are found out.
        time: The column of times. None takes the one that is called t, time, date, year, day and the like and
            increases, or else the only one that increases in even steps; where two could be it, it asks.
            Without one, rows are numbered, which is allowed only when derivatives are known. Dates become
            seconds, minutes, hours, days or years since the earliest one in the file.
        states: The columns of states. None takes all columns of numbers that have no other part. Without
            derivatives an empty cell is a missing value, NaN.
        derivatives: One column a state, in the order of the states. None looks for names such as dx/dt
            or x_dot; an empty list ignores them.
        inputs: Columns of inputs from outside; the time may be one. None takes those that move in jumps.
        experiment: The column that names the experiment of a row. None takes a column called experiment,
            run, trial, trajectory, series, replicate or id if it holds text or whole numbers that repeat, or
            one that changes where time goes back; an empty text means that all rows are one experiment.
        ignore: Columns to leave out.
        time_unit: Such as "s" or "day": what times are in, or are to be in where the file says their unit.
        sheet: Of an Excel file, where several hold tables: its name, or its number from 1 on.

    Returns:
        The trajectories in the order in which their experiments appear, their rows in the order of time.

    Raises:
        DataError: If the file or a column cannot be used.
    """
    wanted = Wanted(time, states, derivatives, inputs, experiment, ignore)
    return understand(path, wanted, time_unit, sheet).trajectories


def understand(
    path: str | os.PathLike[str],
    wanted: Wanted | None = None,
    time_unit: str | None = None,
    sheet: str | None = None,
) -> Reading:
    """Read a file, with what was understood of it; see `read_table`."""
    wanted = wanted or Wanted()
    unit = _checked_unit(time_unit)
    table = read_file(path, sheet)
    if wanted.time is None:
        # What the user gives a part of its own is no part of a date.
        parts = (wanted.states, wanted.derivatives, wanted.inputs, wanted.ignore, [wanted.experiment])
        said = {name for part in parts for name in part or () if name}
        kept = {n: column for n, column in table.items() if {n, column.label} & said}
        rest = {name: column for name, column in table.items() if name not in kept}
        joined = with_joined_times(rest)
        table = joined if not kept else {**joined, **kept}
    roles = assign(table, wanted)
    places = next(iter(table.values())).places
    x = _states(table, roles)
    x_dot = _numbers(table, roles.derivatives) if roles.derivatives else None
    if x_dot is not None:
        refuse_not_finite(x_dot, roles.states, "derivative of state", where=places.at)
    groups: dict[Label, np.ndarray] = {None: np.arange(len(x))}
    if roles.experiment is not None:
        groups = group_rows(table[roles.experiment].labels(), roles.experiment, places)
    if roles.time is None:
        t, name, unit = np.empty(len(x)), "t", ""
        for rows in groups.values():
            t[rows] = np.arange(len(rows))
    else:
        name = roles.time
        t, unit = _times(table[name], unit)
        _refuse_single_rows(groups, roles.experiment, bool(roles.derivatives))
        if roles.experiment is None and wanted.experiment is None:
            groups = split_at_restarts(t, groups[None], places)
        if roles.experiment is None:
            _refuse_long(table, roles, t)
        groups = order_by_time(t, groups, roles.experiment is not None, places)
    if x_dot is not None and wanted.derivatives is None and roles.time is not None:
        _refuse_no_slopes(t, x, x_dot, roles, groups)
    others = [t if name == roles.time else table[name].numbers() for name in roles.inputs]
    u = np.column_stack(others) if others else None
    if u is not None:
        refuse_not_finite(u, roles.inputs, "input", where=places.at)
    called = readable([*roles.states, *roles.inputs])
    trajectories = [
        Trajectory(
            t=t[rows],
            x=x[rows],
            x_dot=None if x_dot is None else x_dot[rows],
            names=tuple(called[each] for each in roles.states),
            u=None if u is None else u[rows],
            input_names=tuple(called[each] for each in roles.inputs),
            units=tuple(table[each].unit for each in roles.states),
            input_units=tuple(unit if each == roles.time else table[each].unit for each in roles.inputs),
            time_name=name,
            time_unit=unit,
        )
        for rows in map(_slice_of, groups.values())
    ]
    return Reading(trajectories, roles, table)


def _checked_unit(given: str | None) -> str | None:
    found = None if given is None else time_unit(given)
    if given is not None and found is None:
        raise DataError(f"There is no unit of time {given!r}. Units: {', '.join(TIME_UNITS)}.")
    return found


def _slice_of(rows: np.ndarray) -> np.ndarray | slice:
    """Rows that follow each other as a slice, which takes no copy."""
    first, count = int(rows[0]), len(rows)
    return slice(first, first + count) if np.array_equal(rows, np.arange(first, first + count)) else rows


def _numbers(table: Table, columns: Sequence[str]) -> np.ndarray:
    return np.column_stack([table[name].numbers() for name in columns])


def _states(table: Table, roles: Roles) -> np.ndarray:
    """States as numbers. Without derivatives a few cells of text are told and count as not measured."""
    derived = bool(roles.derivatives)
    found = []
    for name in roles.states:
        column = table[name]
        bad = np.flatnonzero(column.text)
        if derived or not 0 < bad.size <= FAULTS * len(column.cells):
            found.append(column.numbers())
            continue
        cells = "1 cell" if bad.size == 1 else f"{bad.size} cells"
        tell(
            f"Of column {name!r}, {cells} with no number count{'s' * (bad.size == 1)} as not measured: "
            f"{shown(column.cells.iloc[bad[0]])} at {column.places.at(bad[0])} for one."
        )
        found.append(column.values)
    x = np.column_stack(found)
    refuse_not_finite(x, roles.states, "state", not derived, table[roles.states[0]].places.at)
    return x


def _times(column: Column, wanted: str | None) -> tuple[np.ndarray, str]:
    """Times as numbers, and their unit."""
    seconds = column.moments if not column.is_numeric or column.cells.dtype.kind in "mM" else None
    if seconds is not None:
        refuse_not_finite(seconds[:, None], (column.name,), "time", where=column.places.at)
        unit = wanted or natural_unit(seconds)
        tell(
            f"The dates or clock times in column {column.name!r} are taken in {_plural(unit)}, dates since "
            "the earliest one, a clock as hours:minutes:seconds. Another unit is the option 'time_unit'."
        )
        return seconds / TIME_UNITS[unit], unit
    t = column.numbers("or write dates as 2024-05-31T12:00:00")
    refuse_not_finite(t[:, None], (column.name,), "time", where=column.places.at)
    own = time_unit(column.unit) or _unit_in_name(column.name)
    if wanted is None or own is None or wanted == own:
        return t, wanted or own or column.unit
    return t * (TIME_UNITS[own] / TIME_UNITS[wanted]), wanted


def _unit_in_name(name: str) -> str | None:
    """The unit of times that are called after it, such as Year or day."""
    said = words(name)
    return time_unit(said[0]) if len(said) == 1 and len(said[0]) > 1 else None


def _plural(unit: str) -> str:
    return {"s": "seconds", "min": "minutes", "h": "hours"}.get(unit, f"{unit}s")


def _refuse_no_slopes(
    t: np.ndarray, x: np.ndarray, x_dot: np.ndarray, roles: Roles, groups: dict[Label, np.ndarray]
) -> None:
    """Refuse columns that are called as derivatives are, and run against what the states do: errors, say."""
    for number, (state, name) in enumerate(zip(roles.states, roles.derivatives, strict=True)):
        parts = [rows for rows in groups.values() if len(rows) >= SLOPES]
        # dx/dt and x_dot say what they are; dx may also be the error of x.
        if not parts or name != f"d{state}":
            continue
        slopes = np.concatenate([np.gradient(x[rows, number], t[rows]) for rows in parts])
        given = np.concatenate([x_dot[rows, number] for rows in parts])
        size = np.linalg.norm(slopes) * np.linalg.norm(given)
        if size > 0 and slopes @ given < ALIKE * size:
            raise DataError(
                f"Column {name!r} is called as a derivative of {state!r} would be, but does not go with how "
                "it changes. Give the option 'derivatives' empty if it is something else, such as an error, "
                "and name it there if it is the derivative."
            )


def _refuse_long(table: Table, roles: Roles, t: np.ndarray) -> None:
    """Refuse a long table: the same times again, each with another label in a column of text.

    Raises:
        DataError: That names this column.
    """
    times = len(np.unique(t))
    for name in roles.left_out if times < len(t) else ():
        labels = table[name].labels() if name in table and not table[name].is_numeric else []
        count = len(set(labels))
        if 1 < count < len(t) and len(set(zip(labels, t, strict=True))) == len(t) == count * times:
            raise DataError(
                f"Every time stands there {count} times, each with another value of column {name!r}. If that "
                "is what was measured, this is a long table: pivot it, so that every quantity has a column "
                "of its own. If it is who or what it was measured on, name it with the option 'experiment'."
            )


def _refuse_single_rows(groups: dict[Label, np.ndarray], column: str | None, derived: bool) -> None:
    if column is not None and not derived and max(map(len, groups.values())) == 1:
        raise DataError(
            f"Column {column!r} names another experiment in every row, so none has a course in time. Choose "
            "another column with the option 'experiment', or none with an empty text."
        )
