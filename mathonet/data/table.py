"""CSV and TSV files become a Trajectory; which column plays which part is given or guessed from its name."""

import difflib
import math
import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from mathonet.data.delimited import Columns, read_columns
from mathonet.data.trajectory import Trajectory
from mathonet.errors import DataError

_TIME = re.compile(r"^\s*(t|time)\s*([\[(].*[\])])?\s*$", re.IGNORECASE)
_DERIVATIVE_FORMS = ("d{0}/dt", "d{0}dt", "{0}_dot", "{0}dot", "d{0}", "{0}'", "d_{0}_dt")
_MISSING = frozenset({"", "na", "n/a", "#n/a", "<na>", "nan", "-nan", "null", "none"})


def read_table(
    path: str | os.PathLike[str],
    time: str | None = None,
    states: Sequence[str] | None = None,
    derivatives: Sequence[str] | None = None,
    inputs: Sequence[str] | None = None,
) -> Trajectory:
    """Read a CSV or TSV file with one row a time and a header of column names.

    Args:
        path: The file; `.tsv` and `.tab` are separated by tabs, everything else by commas, semicolons or
            tabs, whichever cuts the header and the first row alike. Between semicolons or tabs, decimals may
            have a comma.
        time: The column of times. None takes the column called t or time; without one, rows are numbered,
            which is allowed only when derivatives are known.
        states: The columns of states. None takes all numeric columns that have no other part.
        derivatives: One column a state, in the order of the states. None looks for names such as dx/dt
            or x_dot; an empty list ignores them.
        inputs: Columns of inputs from outside. None means there are none.

    Raises:
        DataError: If the file or a column cannot be used.
    """
    table = read_columns(Path(path))
    time_column = _time_column(table, time)
    input_columns = _known_columns(table, inputs, "inputs")
    idle = [name for column in input_columns for name in _derivative_names(column) if name in table]
    # The derivative of an input has no part, unless it is a state with a derivative of its own.
    idle = [name for name in idle if not any(other in table for other in _derivative_names(name))]
    state_columns, derivative_columns = _states_and_derivatives(
        table, [*([time_column] if time_column else []), *input_columns, *idle], states, derivatives
    )
    _refuse_two_roles(
        [*([time_column] if time_column else []), *state_columns, *derivative_columns, *input_columns]
    )
    if time_column is None and not derivative_columns:
        raise DataError(
            f"No time column among {_listed(table)}. Say which one it is with time=..., or give "
            "derivatives, without which times are needed."
        )
    return Trajectory(
        t=np.arange(len(table[state_columns[0]]), dtype=np.float64)
        if time_column is None
        else _numbers(table, [time_column])[:, 0],
        x=_numbers(table, state_columns),
        x_dot=_numbers(table, derivative_columns) if derivative_columns else None,
        names=tuple(state_columns),
        u=_numbers(table, input_columns) if input_columns else None,
        input_names=tuple(input_columns),
    )


def _time_column(table: Columns, time: str | None) -> str | None:
    if time is not None:
        return _known_columns(table, [time], "time")[0]
    found = [column for column in table if _TIME.match(column)]
    if len(found) > 1:
        raise DataError(f"Several columns could be the time: {_listed(found)}. Say which one with time=...")
    return found[0] if found else None


def _states_and_derivatives(
    table: Columns, taken: list[str], states: Sequence[str] | None, derivatives: Sequence[str] | None
) -> tuple[list[str], list[str]]:
    free = [column for column in table if column not in taken]
    named = _known_columns(table, derivatives, "derivatives")
    if states is not None:
        state_columns = _known_columns(table, states, "states")
    else:
        free = [column for column in free if column not in named]
        derived = {d: c for c in free for d in _derivative_names(c) if d in free}
        # The derivative of a derivative is no part of a first-order system, so it must not vanish unseen.
        guessed = {d for d, c in derived.items() if c not in derived}
        state_columns = [c for c in free if c not in guessed and _meant_as_numbers(table, c)]
    if not state_columns:
        raise DataError(f"No states among the columns {_listed(table)}. Say which ones with states=[...]")
    if derivatives is None:
        named = _guess_derivatives(state_columns, free)
    elif named and len(named) != len(state_columns):
        raise DataError(
            f"There are {len(state_columns)} states ({_listed(state_columns)}) but {len(named)} derivatives "
            f"({_listed(named)}). Give one derivative a state, in the same order."
        )
    return state_columns, named


def _meant_as_numbers(table: Columns, name: str) -> bool:
    """Whether a column holds numbers, if need be with some text among them, which is then reported."""
    values, text = _converted(table, name)
    return bool(not text.any() or np.isfinite(values).any())


def _derivative_names(state: str) -> list[str]:
    return [form.format(state) for form in _DERIVATIVE_FORMS]


def _guess_derivatives(states: list[str], free: list[str]) -> list[str]:
    found: dict[str, str] = {}
    for state in states:
        matches = [c for c in _derivative_names(state) if c in free and c not in states]
        if len(matches) > 1:
            raise DataError(
                f"Several columns could be the derivative of {state!r}: {_listed(matches)}. "
                "Say which ones with derivatives=[...]"
            )
        if matches:
            found[state] = matches[0]
    missing = [state for state in states if state not in found]
    if found and missing:
        raise DataError(
            f"There are derivatives of {_listed(found)} but none of {_listed(missing)}. Add columns such as "
            f"{_derivative_names(missing[0])[0]!r}, pass derivatives=[] to ignore those there are, or say "
            "with states=[...] which columns are states."
        )
    return list(found.values())


def _known_columns(table: Columns, wanted: Sequence[str] | None, role: str) -> list[str]:
    if isinstance(wanted, str):
        wanted = [wanted]
    columns = list(table)
    for name in wanted or []:
        if name not in columns:
            close = difflib.get_close_matches(str(name), columns, n=1)
            hint = f" Did you mean {close[0]!r}?" if close else ""
            raise DataError(f"There is no column {name!r} for {role}.{hint} Columns: {_listed(columns)}.")
    return list(wanted or [])


def _refuse_two_roles(columns: list[str]) -> None:
    repeated = sorted({column for column in columns if columns.count(column) > 1})
    if repeated:
        raise DataError(f"Columns with more than one part: {_listed(repeated)}. Name every column once.")


def _numbers(table: Columns, columns: list[str]) -> np.ndarray:
    """Convert columns to float64; empty cells become NaN, which Trajectory reports by row."""
    arrays = []
    for name in columns:
        values, text = _converted(table, name)
        bad = np.flatnonzero(text)
        if bad.size:
            raise DataError(
                f"Column {name!r} holds text: {table[name][bad[0]]!r} at row {bad[0]} (counted "
                f"from 0, after the header). Such values in all: {bad.size}. Correct them (decimals need a "
                "point, or between semicolons a comma throughout) or leave the column out."
            )
        arrays.append(values)
    return np.column_stack(arrays)


def _converted(table: Columns, name: str) -> tuple[np.ndarray, np.ndarray]:
    """The numbers of a column, NaN where there is none, and whether text stands there instead."""
    empty = np.array([cell.lower() in _MISSING for cell in table[name]])
    values = np.array([np.nan if e else _parsed(cell) for cell, e in zip(table[name], empty, strict=True)])
    return values, np.isnan(values) & ~empty


def _parsed(cell: str) -> float:
    try:
        # Python reads 1_000 as a number, which no measuring device means.
        return math.nan if "_" in cell else float(cell)
    except ValueError:
        return math.nan


def _listed(names: Iterable[str]) -> str:
    return ", ".join(repr(str(name)) for name in names)
