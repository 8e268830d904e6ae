"""CSV and TSV files become a Trajectory; which column plays which part is given or guessed from its name."""

import csv
import difflib
import math
import os
import re
import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from mathonet.data.trajectory import Trajectory
from mathonet.errors import DataError

_TIME = re.compile(r"^\s*(t|time)\s*([\[(].*[\])])?\s*$", re.IGNORECASE)
_DERIVATIVE_FORMS = ("d{0}/dt", "d{0}dt", "{0}_dot", "{0}dot", "d{0}", "{0}'", "d_{0}_dt")
_MOST_DECIMALS = 12


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
            tabs, whichever the header uses.
        time: The column of times. None takes the column called t or time; without one, rows are numbered,
            which is allowed only when derivatives are known.
        states: The columns of states. None takes all numeric columns that have no other part.
        derivatives: One column a state, in the order of the states. None looks for names such as dx/dt
            or x_dot; an empty list ignores them.
        inputs: Columns of inputs from outside. None means there are none.

    Raises:
        DataError: If the file or a column cannot be used.
    """
    table = _read(Path(path))
    time_column = _time_column(table, time)
    input_columns = _known_columns(table, inputs, "inputs")
    state_columns, derivative_columns = _states_and_derivatives(
        table, [*([time_column] if time_column else []), *input_columns], states, derivatives
    )
    _refuse_two_roles(
        [*([time_column] if time_column else []), *state_columns, *derivative_columns, *input_columns]
    )
    if time_column is None and not derivative_columns:
        raise DataError(
            f"No time column among {_listed(table.columns)}. Say which one it is with time=..., or give "
            "derivatives, without which times are needed."
        )
    return Trajectory(
        t=np.arange(len(table), dtype=np.float64)
        if time_column is None
        else _numbers(table, [time_column])[:, 0],
        x=_numbers(table, state_columns),
        x_dot=_numbers(table, derivative_columns) if derivative_columns else None,
        names=tuple(state_columns),
        u=_numbers(table, input_columns) if input_columns else None,
        input_names=tuple(input_columns),
    )


def decimals(values: np.ndarray) -> int | None:
    """The number of printed decimals (at most 12) that all values have, or None if they have more.

    Data printed with few decimals cannot show smaller differences: their resolution is 10^-decimals.
    """
    values = np.asarray(values, dtype=np.float64).ravel()
    values = values[np.isfinite(values)]
    if not values.size:
        return None
    for count in range(_MOST_DECIMALS + 1):
        # Past the last exact integer of float64 every value would seem to round to itself.
        if np.max(np.abs(values)) * 10.0**count > 2.0**53:
            return None
        if np.array_equal(np.round(values, count), values):
            return count
    return None


def _read(path: Path) -> pd.DataFrame:
    if not path.exists():
        near = difflib.get_close_matches(path.name, _siblings(path), n=1)
        hint = f" Did you mean {str(path.with_name(near[0]))!r}?" if near else " Check the path."
        raise DataError(f"There is no file {str(path)!r}.{hint}")
    if path.is_dir():
        raise DataError(f"{str(path)!r} is a folder. Give the path of one CSV or TSV file.")
    try:
        with path.open(encoding="utf-8-sig") as file:
            header = file.readline()
        if not header.strip():
            raise DataError(f"{str(path)!r} is empty. Give a file with a header and one row a time.")
        separator = _separator(path, header)
        _check_header(path, [label.strip() for label in next(csv.reader([header], delimiter=separator))])
        with warnings.catch_warnings():
            # pandas only warns when it cuts off values that have no column.
            warnings.simplefilter("error", pd.errors.ParserWarning)
            table = pd.read_csv(
                path,
                sep=separator,
                encoding="utf-8-sig",
                skipinitialspace=True,
                index_col=False,
                # Read as text and convert below: pandas' own fast conversion may miss the last bit.
                dtype=str,
            )
    except UnicodeDecodeError as error:
        raise DataError(f"{str(path)!r} is not text in UTF-8 ({error}). Save it as CSV in UTF-8.") from error
    except (pd.errors.ParserError, pd.errors.ParserWarning, pd.errors.EmptyDataError) as error:
        raise DataError(
            f"{str(path)!r} is not a table ({error}). Every row needs one value for each column."
        ) from error
    table.columns = [str(label).strip() for label in table.columns]
    if table.empty:
        raise DataError(f"{str(path)!r} has a header but no rows. Give one row a time.")
    return table


def _siblings(path: Path) -> list[str]:
    try:
        return [entry.name for entry in path.parent.iterdir()]
    except OSError:
        return []


def _separator(path: Path, header: str) -> str:
    if path.suffix.lower() in {".tsv", ".tab"}:
        return "\t"
    return max(",;\t", key=header.count) if any(mark in header for mark in ",;\t") else ","


def _check_header(path: Path, labels: list[str]) -> None:
    if any(_is_number(label) for label in labels):
        raise DataError(
            f"{str(path)!r} has no header: its first row is {', '.join(labels[:6])}. Put a first row with "
            "one name for every column, such as t,x,y."
        )
    empty = [number for number, label in enumerate(labels, start=1) if not label]
    if empty:
        raise DataError(
            f"Column {empty[0]} of {str(path)!r} has no name in the header. Name it or remove it."
        )
    repeated = sorted({label for label in labels if labels.count(label) > 1})
    if repeated:
        raise DataError(
            f"Column names repeat in {str(path)!r}: {_listed(repeated)}. Give every column its own."
        )


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _time_column(table: pd.DataFrame, time: str | None) -> str | None:
    if time is not None:
        return _known_columns(table, [time], "time")[0]
    found = [column for column in table.columns if _TIME.match(column)]
    if len(found) > 1:
        raise DataError(f"Several columns could be the time: {_listed(found)}. Say which one with time=...")
    return found[0] if found else None


def _states_and_derivatives(
    table: pd.DataFrame, taken: list[str], states: Sequence[str] | None, derivatives: Sequence[str] | None
) -> tuple[list[str], list[str]]:
    free = [column for column in table.columns if column not in taken]
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
        raise DataError(
            f"No states among the columns {_listed(table.columns)}. Say which ones with states=[...]"
        )
    if derivatives is None:
        named = _guess_derivatives(state_columns, free)
    elif named and len(named) != len(state_columns):
        raise DataError(
            f"There are {len(state_columns)} states ({_listed(state_columns)}) but {len(named)} derivatives "
            f"({_listed(named)}). Give one derivative a state, in the same order."
        )
    return state_columns, named


def _meant_as_numbers(table: pd.DataFrame, name: str) -> bool:
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


def _known_columns(table: pd.DataFrame, wanted: Sequence[str] | None, role: str) -> list[str]:
    if isinstance(wanted, str):
        wanted = [wanted]
    columns = list(table.columns)
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


def _numbers(table: pd.DataFrame, columns: list[str]) -> np.ndarray:
    """Convert columns to float64; empty cells become NaN, which Trajectory reports by row."""
    arrays = []
    for name in columns:
        values, text = _converted(table, name)
        bad = np.flatnonzero(text)
        if bad.size:
            raise DataError(
                f"Column {name!r} holds text: {str(table[name].iloc[bad[0]])!r} at row {bad[0]} (counted "
                f"from 0, after the header). Such values in all: {bad.size}. Correct them (decimals need a "
                "point, not a comma) or leave the column out."
            )
        arrays.append(values)
    return np.column_stack(arrays)


def _converted(table: pd.DataFrame, name: str) -> tuple[np.ndarray, np.ndarray]:
    """The numbers of a column, NaN where there is none, and whether text stands there instead."""
    empty = np.asarray(table[name].isna())
    values = np.array([np.nan if e else _parsed(cell) for cell, e in zip(table[name], empty, strict=True)])
    return values, np.isnan(values) & ~empty


def _parsed(cell: str) -> float:
    try:
        # Python reads 1_000 as a number, which no measuring device means.
        return math.nan if "_" in cell else float(cell)
    except ValueError:
        return math.nan


def _listed(names: Sequence[str] | pd.Index | dict[str, str]) -> str:
    return ", ".join(repr(str(name)) for name in names)
