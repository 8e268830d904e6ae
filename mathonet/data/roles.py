"""Roles: which column of a table plays which part, as given or guessed from its name."""

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mathonet.data.choice import tell
from mathonet.data.column import Column
from mathonet.errors import DataError

DERIVATIVE_FORMS = ("d{0}/dt", "d{0}dt", "{0}_dot", "{0}dot", "d{0}", "{0}'", "d_{0}_dt")
_UNIT = r"\s*([\[(].*[\])])?\s*"
_TIME = re.compile(rf"\s*(t|time){_UNIT}", re.IGNORECASE)
_DATE = re.compile(rf"\s*(date|datetime|date[ _]?time|timestamp){_UNIT}", re.IGNORECASE)
_EXPERIMENT = re.compile(
    r"\s*(experiment|run|trial|trajectory|series|replicate|id)([ _.-]*(id|no|nr|num|number|name|#)\.?)?\s*",
    re.IGNORECASE,
)
_INPUT = re.compile(
    rf"\s*(u[0-9]*|inputs?|controls?|forcing|force|action|actuation|drive|excitation)[0-9]*{_UNIT}",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Roles:
    """The columns of each part, by name.

    Attributes:
        time: the times; None if rows are to be numbered.
        states: one name a state.
        derivatives: one a state, in their order, or none at all.
        inputs: from outside.
        experiment: names the experiment of a row; None if there is one only.
    """

    time: str | None
    states: tuple[str, ...]
    derivatives: tuple[str, ...]
    inputs: tuple[str, ...]
    experiment: str | None


def is_time(name: str) -> bool:
    """Whether a name is that of times."""
    return _TIME.fullmatch(name) is not None


def assign(
    table: Mapping[str, Column],
    time: str | None,
    states: Sequence[str] | None,
    derivatives: Sequence[str] | None,
    inputs: Sequence[str] | None,
    experiment: str | None,
) -> Roles:
    """Give every part its columns; None asks for a guess.

    Raises:
        DataError: If a column does not exist, or a part cannot be filled.
    """
    time_column = _time_column(table, time)
    input_columns = _known(table, inputs, "inputs")
    state_columns = _known(table, states, "states")
    named = _known(table, derivatives, "derivatives")
    taken = [*([time_column] if time_column else []), *input_columns]
    experiment_column, idle = _experiment(table, experiment, [*taken, *state_columns, *named])
    taken += [experiment_column] if experiment_column else []
    # The derivative of an input has no part, unless it is a state with a derivative of its own.
    slopes = [name for column in input_columns for name in _derivative_names(column) if name in table]
    idle += [name for name in slopes if not any(other in table for other in _derivative_names(name))]
    free = [column for column in table if column not in (*taken, *idle, *named)]
    if states is None:
        state_columns = _guess_states(table, free)
        for name in [name for name in state_columns if inputs is None and _INPUT.fullmatch(name)]:
            tell(
                f"Column {name!r} is taken for a state. If it acts on the system from outside, name it with "
                "the option 'inputs': then no equation is looked for behind it."
            )
    if not state_columns:
        raise DataError(f"No states among the columns {_listed(table)}. {_say('states', 'which ones')}")
    if derivatives is None:
        named = _guess_derivatives(state_columns, free)
    elif named and len(named) != len(state_columns):
        raise DataError(
            f"There are {len(state_columns)} states ({_listed(state_columns)}) but {len(named)} derivatives "
            f"({_listed(named)}). Give one derivative a state, in the same order."
        )
    _refuse_two_roles([*taken, *state_columns, *named])
    if time_column is None and not named:
        raise DataError(
            f"No time column among {_listed(table)}. {_say('time', 'which one it is')} Only rows with "
            "derivatives need no times."
        )
    return Roles(time_column, tuple(state_columns), tuple(named), tuple(input_columns), experiment_column)


def _say(option: str, what: str) -> str:
    """Where to say something, in words that fit Python's argument and the command line's option alike."""
    return f"Say {what} with the option '{option}'."


def _time_column(table: Mapping[str, Column], time: str | None) -> str | None:
    if time is not None:
        return _known(table, [time], "time")[0]
    for pattern in (_TIME, _DATE):
        found = [column for column in table if pattern.fullmatch(column)]
        if len(found) > 1:
            raise DataError(
                f"Several columns could be the time: {_listed(found)}. {_say('time', 'which one')}"
            )
        if found:
            return found[0]
    return None


def _experiment(
    table: Mapping[str, Column], given: str | None, taken: list[str]
) -> tuple[str | None, list[str]]:
    """The column that names the experiments, and those that only number the rows and so have no part."""
    if given is not None:
        return (_known(table, [given], "experiment")[0], []) if given else (None, [])
    counts: dict[str, int] = {}
    for name, column in table.items():
        if _EXPERIMENT.fullmatch(name) and name not in taken and _is_label(column):
            counts[name] = len(set(column.labels()))
    rows = {name: len(table[name].cells) for name in counts}
    numbering = [name for name in counts if counts[name] == rows[name] > 1]
    found = [name for name in counts if name not in numbering]
    found = [name for name in found if counts[name] > 1] or found
    if len(found) > 1:
        raise DataError(
            f"Several columns could name the experiment: {_listed(found)}. {_say('experiment', 'which one')}"
        )
    for name in numbering:
        tell(f"Column {name!r} is left out: it has another value in every row, so it is taken for a number.")
    if not found:
        return None, numbering
    tell(
        f"Column {found[0]!r} is taken to name the experiment, {counts[found[0]]} in all. Name another one "
        "with the option 'experiment', or none with an empty text."
    )
    return found[0], numbering


def _is_label(column: Column) -> bool:
    """Whether a column holds text or whole numbers."""
    if not column.is_numeric:
        return True
    values = column.values[~column.empty]
    return bool(values.size and np.all(np.mod(values, 1.0) == 0))


def _guess_states(table: Mapping[str, Column], free: list[str]) -> list[str]:
    """Columns of numbers that are nobody's derivative."""
    derived = {d: c for c in free for d in _derivative_names(c) if d in free}
    # The derivative of a derivative is no part of a first-order system, so it must not vanish unseen.
    guessed = {d for d, c in derived.items() if c not in derived}
    found = [c for c in free if c not in guessed and table[c].is_numeric]
    for name in [name for name in found if table[name].empty.all()]:
        tell(f"Column {name!r} is left out: it is empty.")
        found.remove(name)
    return found


def _derivative_names(state: str) -> list[str]:
    return [form.format(state) for form in DERIVATIVE_FORMS]


def _guess_derivatives(states: list[str], free: list[str]) -> list[str]:
    found: dict[str, str] = {}
    for state in states:
        matches = [c for c in _derivative_names(state) if c in free and c not in states]
        if len(matches) > 1:
            raise DataError(
                f"Several columns could be the derivative of {state!r}: {_listed(matches)}. "
                f"{_say('derivatives', 'which ones')}"
            )
        if matches:
            found[state] = matches[0]
    missing = [state for state in states if state not in found]
    if found and missing:
        raise DataError(
            f"There are derivatives of {_listed(found)} but none of {_listed(missing)}. Add columns such as "
            f"{_derivative_names(missing[0])[0]!r}, give the option 'derivatives' empty to ignore those "
            "there are, or say with the option 'states' which columns are states."
        )
    return list(found.values())


def _known(table: Mapping[str, Column], wanted: Sequence[str] | None, role: str) -> list[str]:
    if isinstance(wanted, str):
        wanted = [wanted]
    for name in wanted or []:
        if name not in table:
            close = difflib.get_close_matches(str(name), list(table), n=1)
            hint = f" Did you mean {close[0]!r}?" if close else ""
            raise DataError(f"There is no column {name!r} for {role}.{hint} Columns: {_listed(table)}.")
    return list(wanted or [])


def _refuse_two_roles(columns: list[str]) -> None:
    repeated = sorted({column for column in columns if columns.count(column) > 1})
    if repeated:
        raise DataError(f"Columns with more than one part: {_listed(repeated)}. Name every column once.")


def _listed(names: Iterable[str]) -> str:
    return ", ".join(repr(str(name)) for name in names)
