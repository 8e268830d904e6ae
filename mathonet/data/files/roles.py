"""Roles: which column of a table plays which part, as given, or guessed from its name and values."""

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mathonet.data.choice import tell
from mathonet.data.files.column import Column
from mathonet.data.files.free_columns import COUNTER, derivatives_of, jumping_inputs, no_state
from mathonet.data.files.listed import listed, say
from mathonet.data.files.names import (
    derivative_names,
    is_experiment,
    of_error,
    time_tier,
)
from mathonet.data.files.times.time_column import find_time, run_of
from mathonet.errors import DataError

MOST_COLUMNS = 2000
"""Columns that are looked at one by one."""
MOST_STATES = 100
"""States that are guessed at most; a search for so many equations has to be asked for."""
LONG = (
    " If it names what was measured, this looks like a long table: pivot it, so that every quantity has a "
    "column of its own."
)
"""What may have to be done where one column holds values and another says of what."""


@dataclass(frozen=True)
class Roles:
    """The columns of each part, by name.

    Attributes:
        time: the times; None if rows are to be numbered.
        states: one name a state.
        derivatives: one a state, in their order, or none at all.
        inputs: from outside.
        experiment: names the experiment of a row; None if there is one only.
        left_out: every other column, with the reason.
    """

    time: str | None
    states: tuple[str, ...]
    derivatives: tuple[str, ...]
    inputs: tuple[str, ...]
    experiment: str | None
    left_out: Mapping[str, str]


@dataclass(frozen=True)
class Wanted:
    """What the user says of the columns; None asks for a guess. Names and labels of columns both do."""

    time: str | None = None
    states: Sequence[str] | None = None
    derivatives: Sequence[str] | None = None
    inputs: Sequence[str] | None = None
    experiment: str | None = None
    ignore: Sequence[str] | None = None


def assign(table: Mapping[str, Column], wanted: Wanted) -> Roles:
    """Give every part its columns.

    Raises:
        DataError: If a column does not exist, or a part cannot be filled.
    """
    if wanted.states is None and len(table) > MOST_COLUMNS:
        raise DataError(f"There are {len(table):,} columns. {say('states', 'which ones are states')}")
    left_out = dict.fromkeys(_known(table, wanted.ignore, "ignore"), "it is to be ignored")
    table = {name: column for name, column in table.items() if name not in left_out}
    inputs = _known(table, wanted.inputs, "inputs")
    states = _known(table, wanted.states, "states")
    derivatives = _known(table, wanted.derivatives, "derivatives")
    named = {*inputs, *states, *derivatives}
    time, again = _time(table, wanted, named)
    left_out |= again
    taken = {*named, *([time] if time else []), *left_out}
    experiment, numbering = _experiment(table, wanted.experiment, time, taken)
    left_out |= numbering
    taken |= {*numbering, *([experiment] if experiment else [])}
    free = [name for name in table if name not in taken]
    if wanted.states is None:
        # The derivative of an input has no part, unless it is a state with a derivative of its own.
        slopes = {name for column in inputs for name in derivative_names(column) if name in free}
        slopes = {name for name in slopes if not any(other in free for other in derivative_names(name))}
        left_out |= dict.fromkeys(slopes, "it is the derivative of an input")
        guessed = _Guess.of(table, [name for name in free if name not in slopes], wanted, time)
        states, left_out = list(guessed.states), left_out | guessed.left_out
        inputs += guessed.inputs
    if not states:
        raise DataError(_no_states(table, left_out))
    if wanted.derivatives is None:
        derivatives = derivatives_of(states, [name for name in free if name not in inputs])
    elif derivatives and len(derivatives) != len(states):
        raise DataError(
            f"There are {len(states)} states ({listed(states)}) but {len(derivatives)} derivatives "
            f"({listed(derivatives)}). Give one derivative a state, in the same order."
        )
    # The time may be an input as well: that is how a law depends on it.
    parts = [*(name for name in (time, experiment) if name), *states, *derivatives]
    _refuse_two_roles([*parts, *(name for name in inputs if name != time)])
    if time is None and not derivatives:
        raise DataError(
            f"No time column among {listed(table)}. {say('time', 'which one it is')} Only rows with "
            "derivatives need no times."
        )
    used = {time, experiment, *states, *derivatives, *inputs}
    for name in table:
        if name not in used and name not in left_out:
            left_out[name] = "it was not asked for"
    _tell(left_out)
    return Roles(time, tuple(states), tuple(derivatives), tuple(inputs), experiment, left_out)


@dataclass(frozen=True)
class _Guess:
    """States and inputs among columns that have no other part, and why the others are none."""

    states: list[str]
    inputs: list[str]
    left_out: dict[str, str]

    @classmethod
    def of(cls, table: Mapping[str, Column], free: list[str], wanted: Wanted, time: str | None) -> "_Guess":
        free_set = set(free)
        derived = {d: c for c in free for d in derivative_names(c) if d in free_set}
        # The derivative of a derivative is no part of a first-order system, so it must not vanish unseen.
        slopes = {d for d, c in derived.items() if c not in derived}
        left_out: dict[str, str] = {}
        states: list[str] = []
        for name in free:
            if name in slopes:
                continue
            base = of_error(name, table)
            why = None if base is None else f"it is called after the error of {base!r}"
            why = why or no_state(table[name], name, time)
            if why is None:
                states.append(name)
            else:
                left_out[name] = why
        left_out |= {d: f"{c!r} is left out" for d, c in derived.items() if c in left_out and d in slopes}
        counters = [name for name, why in left_out.items() if why == COUNTER]
        if not states and counters:
            states, left_out = counters, {n: why for n, why in left_out.items() if why != COUNTER}
        if len(states) > MOST_STATES:
            raise DataError(
                f"There are {len(states):,} columns of numbers, {listed(states[:3])} and so on, and an "
                f"equation would be looked for behind each. {say('states', 'which ones are states')}"
            )
        inputs = [] if wanted.inputs is not None or slopes else jumping_inputs(table, states)
        return cls([name for name in states if name not in inputs], inputs, left_out)


def _time(table: Mapping[str, Column], wanted: Wanted, named: set[str]) -> tuple[str | None, dict[str, str]]:
    if wanted.time is not None:
        return _known(table, [wanted.time], "time")[0], {}
    # What is named as an input may be the time as well, but only by its name: inputs run as they like.
    said = {name for name in wanted.inputs or () if time_tier(name) is not None}
    free = {name: column for name, column in table.items() if name not in named or name in said}
    slopes = {d for name in table for d in derivative_names(name) if d in table}
    return find_time(free, by_behaviour=not slopes and not wanted.derivatives)


def _experiment(
    table: Mapping[str, Column], given: str | None, time: str | None, taken: set[str]
) -> tuple[str | None, dict[str, str]]:
    """The column that names the experiments; and those that only number the rows, with the reason."""
    if given is not None:
        return (_known(table, [given], "experiment")[0], {}) if given else (None, {})
    counts: dict[str, int] = {}
    for name, column in table.items():
        if name not in taken and is_experiment(name) and (not column.is_numeric or column.is_whole):
            counts[name] = len(set(column.labels()))
    rows = {name: len(table[name].cells) for name in counts}
    numbering = [name for name in counts if counts[name] == rows[name] > 1]
    found = [name for name in counts if name not in numbering]
    found = [name for name in found if counts[name] > 1] or found
    if not found and time is not None:
        found = _changing_with_time(table, time, taken)
        counts |= {name: len(set(table[name].labels())) for name in found}
    if len(found) > 1:
        raise DataError(
            f"Several columns could name the experiment: {listed(found)}. {say('experiment', 'which one')}"
        )
    left_out = dict.fromkeys(numbering, "it has another value in every row, so it is taken for a number")
    if not found:
        return None, left_out
    long = "" if is_experiment(found[0]) or table[found[0]].is_numeric else LONG
    tell(
        f"Column {found[0]!r} is taken to name the experiment, {counts[found[0]]} in all. Name another one "
        f"with the option 'experiment', or none with an empty text.{long}"
    )
    return found[0], left_out


def _changing_with_time(table: Mapping[str, Column], time: str, taken: set[str]) -> list[str]:
    """Columns of text or whole numbers that change just where time goes back."""
    run = run_of(table[time])
    if run is None or not run.restarts:
        return []
    back = np.flatnonzero(np.diff(run.values) <= 0)
    found = []
    for name, column in table.items():
        if name in taken or (column.is_numeric and not column.is_whole) or column.empty.any():
            continue
        codes = column.cells.astype(str).factorize()[0]
        if np.array_equal(np.flatnonzero(np.diff(codes)), back):
            found.append(name)
    return found


def _known(table: Mapping[str, Column], wanted: Sequence[str] | None, role: str) -> list[str]:
    """Names of columns that were asked for, by name or by label."""
    if isinstance(wanted, str):
        wanted = [wanted]
    labels = {column.label: name for name, column in table.items()} if wanted else {}
    found = []
    for name in wanted or []:
        key = name if name in table else labels.get(str(name).strip())
        if key is None:
            close = difflib.get_close_matches(str(name)[:100], list(table)[:1000], n=1)
            hint = f" Did you mean {close[0]!r}?" if close else ""
            raise DataError(f"There is no column {name!r} for {role}.{hint} Columns: {listed(table)}.")
        found.append(key)
    return found


def _no_states(table: Mapping[str, Column], left_out: Mapping[str, str]) -> str:
    reasons = "; ".join(f"{name!r}: {why}" for name, why in list(left_out.items())[:5])
    return (
        f"No states among the columns {listed(table)}{f' ({reasons})' if reasons else ''}. "
        f"{say('states', 'which ones')}"
    )


def _refuse_two_roles(columns: list[str]) -> None:
    repeated = sorted({column for column in columns if columns.count(column) > 1})
    if repeated:
        raise DataError(f"Columns with more than one part: {listed(repeated)}. Name every column once.")


def _tell(left_out: Mapping[str, str]) -> None:
    """Name every column that is left out, those with the same reason together."""
    reasons: dict[str, list[str]] = {}
    for name, why in left_out.items():
        reasons.setdefault(why, []).append(name)
    for why, names in reasons.items():
        if why in ("it is to be ignored", "it was not asked for"):
            continue
        if len(names) > 1:
            tell(f"Columns {listed(names)} are left out: {re.sub('^it ', 'each ', why)}.")
        else:
            tell(f"Column {listed(names)} is left out: {why}.")
