"""Tables in files become trajectories; which column plays which part is given or guessed from its name."""

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from mathonet.data.choice import tell
from mathonet.data.column import Column
from mathonet.data.experiments import Label, group_rows, order_by_time
from mathonet.data.files import Table, read_file
from mathonet.data.roles import assign
from mathonet.data.trajectory import Trajectory, refuse_not_finite
from mathonet.errors import DataError


def read_table(
    path: str | os.PathLike[str],
    time: str | None = None,
    states: Sequence[str] | None = None,
    derivatives: Sequence[str] | None = None,
    inputs: Sequence[str] | None = None,
    experiment: str | None = None,
) -> list[Trajectory]:
    """Read a file with one row a time and named columns: one trajectory for each experiment.

    What is guessed is told as a warning of the kind `Choice`, and so is that dates became seconds.

    Args:
        path: The file. `.parquet`, `.npz`, `.mat` and `.xlsx` are what they say; everything else is text,
            `.tsv` and `.tab` separated by tabs, the rest by commas, semicolons or tabs, whichever cuts the
            header and the first row alike. Between semicolons or tabs, decimals may have a comma.
        time: The column of times. None takes the column called t or time, or else date, datetime or
            timestamp; without one, rows are numbered, which is allowed only when derivatives are known.
            Dates become seconds since the earliest one in the file.
        states: The columns of states. None takes all numeric columns that have no other part. Without
            derivatives an empty cell is a missing value, NaN.
        derivatives: One column a state, in the order of the states. None looks for names such as dx/dt
            or x_dot; an empty list ignores them.
        inputs: Columns of inputs from outside. None means there are none.
        experiment: The column that names the experiment of a row. None takes a column called experiment,
            run, trial, trajectory, series, replicate or id if it holds text or whole numbers that repeat; an
            empty text means that all rows are one experiment.

    Returns:
        The trajectories in the order in which their experiments appear, their rows in the order of time.

    Raises:
        DataError: If the file or a column cannot be used.
    """
    table = read_file(Path(path))
    roles = assign(table, time, states, derivatives, inputs, experiment)
    x = _numbers(table, roles.states)
    refuse_not_finite(x, roles.states, "state", missing_allowed=not roles.derivatives)
    x_dot = _numbers(table, roles.derivatives) if roles.derivatives else None
    if x_dot is not None:
        refuse_not_finite(x_dot, roles.states, "derivative of state")
    u = _numbers(table, roles.inputs) if roles.inputs else None
    if u is not None:
        refuse_not_finite(u, roles.inputs, "input")
    groups: dict[Label, np.ndarray] = {None: np.arange(len(x))}
    if roles.experiment is not None:
        groups = group_rows(table[roles.experiment].labels(), roles.experiment)
    if roles.time is None:
        t = np.empty(len(x))
        for rows in groups.values():
            t[rows] = np.arange(len(rows))
    else:
        t = _times(table[roles.time])
        _refuse_single_rows(groups, roles.experiment, bool(roles.derivatives))
        groups = order_by_time(t, groups, roles.experiment is not None)
    return [
        Trajectory(
            t=t[rows],
            x=x[rows],
            x_dot=None if x_dot is None else x_dot[rows],
            names=roles.states,
            u=None if u is None else u[rows],
            input_names=roles.inputs,
        )
        for rows in groups.values()
    ]


def _numbers(table: Table, columns: Sequence[str]) -> np.ndarray:
    return np.column_stack([table[name].numbers() for name in columns])


def _times(column: Column) -> np.ndarray:
    t = column.seconds()
    if t is None:
        t = column.numbers("or write dates as 2024-05-31T12:00:00")
    else:
        tell(f"The dates in column {column.name!r} are taken as seconds since the earliest one.")
    refuse_not_finite(t[:, None], (column.name,), "time")
    return t


def _refuse_single_rows(groups: dict[Label, np.ndarray], column: str | None, derived: bool) -> None:
    if column is not None and not derived and max(map(len, groups.values())) == 1:
        raise DataError(
            f"Column {column!r} names another experiment in every row, so none has a course in time. Choose "
            "another column with the option 'experiment', or none with an empty text."
        )
