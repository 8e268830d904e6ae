"""What columns without a part of their own may be: states, inputs, derivatives of states, or nothing."""

from collections.abc import Mapping

import numpy as np

from mathonet.data.choice import tell
from mathonet.data.files.column import Column
from mathonet.data.files.listed import listed, say
from mathonet.data.files.names import derivative_names, is_calendar, is_counter, is_input
from mathonet.data.files.times.dates import looks_like_date
from mathonet.data.files.times.time_column import run_of
from mathonet.data.jumps import moves_in_jumps
from mathonet.errors import DataError

COUNTER = "it numbers the rows"
_MANY = 10
"""Rows from which on whole numbers, one after the other, are no coincidence."""


def no_state(column: Column, name: str, time: str | None) -> str | None:
    """Why a column is no state; None if it may be one."""
    if column.empty.all():
        return "it is empty"
    if not column.is_numeric:
        return _of_no_numbers(column)
    values = column.values[np.isfinite(column.values)]
    if values.size and np.all(values == values[0]) and len(values) > 1:
        return f"it is {values[0]:g} in every row"
    run = run_of(column) if time is not None and column.is_whole else None
    if run is not None and run.counts and (is_counter(name) or len(column.cells) >= _MANY):
        return COUNTER
    if is_calendar(name) and time is not None:
        return "it tells the date, and the time is in another column"
    return None


def _of_no_numbers(column: Column) -> str:
    """What a column holds in place of numbers."""
    if column.cells.dtype.kind == "c":
        return "it holds complex numbers"
    first = column.cells.iloc[int(np.argmin(column.empty))]
    dated = isinstance(first, str) and looks_like_date(first) and bool(column.dates.all())
    if column.cells.dtype.kind in "mM" or dated:
        return "it holds dates or clock times"
    return "it holds text"


def jumping_inputs(table: Mapping[str, Column], states: list[str]) -> list[str]:
    """Columns that somebody sets: they move in jumps. Those that are only called so are told."""
    jumping = [name for name in states if moves_in_jumps(table[name].values)]
    if len(jumping) == len(states):
        jumping = []
    rest = [name for name in states if name not in jumping]
    for name in jumping:
        tell(
            f"Column {name!r} moves in jumps, as what is set from outside does, and is taken as an input: no "
            f"equation is looked for behind it. If it is a state, name all states with the option 'states'."
        )
    for name in [name for name in rest if is_input(name)]:
        tell(
            f"Column {name!r} is taken for a state. If it acts on the system from outside, name it with "
            "the option 'inputs': then no equation is looked for behind it."
        )
    return jumping


def derivatives_of(states: list[str], free: list[str]) -> list[str]:
    """The columns that are called as derivatives of states, one a state in their order, or none.

    Raises:
        DataError: If a state has several, or some states have one and others none.
    """
    found: dict[str, str] = {}
    others = set(free) - set(states)
    for state in states:
        matches = [name for name in derivative_names(state) if name in others]
        if len(matches) > 1:
            raise DataError(
                f"Several columns could be the derivative of {state!r}: {listed(matches)}. "
                f"{say('derivatives', 'which ones')}"
            )
        if matches:
            found[state] = matches[0]
    missing = [state for state in states if state not in found]
    if found and missing:
        raise DataError(
            f"There are derivatives of {listed(found)} but none of {listed(missing)}. Add columns such as "
            f"{derivative_names(missing[0])[0]!r}, give the option 'derivatives' empty to ignore those "
            "there are, or say with the option 'states' which columns are states."
        )
    return list(found.values())
