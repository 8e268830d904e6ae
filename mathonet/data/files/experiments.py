"""Experiments: the rows of a table, one group for each experiment, in the order of time."""

import warnings
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from mathonet.data.choice import tell
from mathonet.data.files.places import UNKNOWN, Places
from mathonet.errors import DataError

STRAY = 2
"""Rows in a row that may come late in one experiment; more of them look like the next one's start."""

Label = str | int | float | None


def group_rows(labels: Sequence[Label], column: str, places: Places = UNKNOWN) -> dict[Label, np.ndarray]:
    """The rows of each experiment, in the order in which experiments first appear.

    Raises:
        DataError: If a row belongs to none.
    """
    rows: dict[Label, list[int]] = {}
    for row, label in enumerate(labels):
        rows.setdefault(label, []).append(row)
    if None in rows:
        raise DataError(
            f"Column {column!r} names no experiment at {places.at(rows[None][0])}. Such rows in all: "
            f"{len(rows[None])}. Fill them in or remove these rows."
        )
    return {label: np.array(found) for label, found in rows.items()}


def split_at_restarts(t: np.ndarray, rows: np.ndarray, places: Places = UNKNOWN) -> dict[Label, np.ndarray]:
    """The rows of experiments that follow each other without a name: each begins where time goes back.

    One or two late rows among many are no experiment, and neither are blocks that sorting puts in order.

    Raises:
        DataError: If time goes back so often that rows seem to be in no order.
    """
    times = t[rows]
    back = np.flatnonzero(np.diff(times) < 0) + 1
    if not back.size or _sorts(times, back):
        return {None: rows}
    parts = np.split(rows, back)
    shortest = min(map(len, parts))
    if shortest <= STRAY:
        row = int(back[0])
        raise DataError(
            f"Time goes back at {places.at(row)}: {times[row - 1]:g} is followed by {times[row]:g}. Such "
            f"places in all: {back.size}, some of them {shortest} row{'s' * (shortest > 1)} apart. If "
            "several experiments follow each other, add a column that names the experiment of each row, such "
            "as 'run' (option 'experiment'), or split the file; if it is one, sort its rows by time."
        )
    tell(
        f"Time goes back at {places.of_many(back)}, so {len(parts)} experiments are taken to follow each "
        "other. If there is one only, sort its rows by time."
    )
    return dict(enumerate(parts, start=1))


def _sorts(t: np.ndarray, back: np.ndarray) -> bool:
    """Whether rows of one experiment are merely not in order: whole blocks, or single late rows."""
    bounds = sorted((part[0], part[-1]) for part in np.split(t, back))
    apart = all(end < start for (_, end), (start, _) in pairwise(bounds))
    late = t < np.maximum.accumulate(t)
    changes = np.flatnonzero(np.diff(np.concatenate([[0], late, [0]])))
    return apart or max(changes[1::2] - changes[::2]) <= STRAY


def order_by_time(
    t: np.ndarray, groups: dict[Label, np.ndarray], named: bool, places: Places = UNKNOWN
) -> dict[Label, np.ndarray]:
    """The rows of each experiment in the order of time; a warning says where they were not.

    Args:
        t: time of every row.
        groups: rows of each experiment.
        named: whether a column names the experiments.
        places: where in the file the rows stand.

    Raises:
        DataError: If times repeat within an experiment.
    """
    ordered, unsorted = {}, []
    for label, rows in groups.items():
        times = t[rows]
        ordered[label] = rows
        if np.any(np.diff(times) < 0):
            unsorted.append(label)
            ordered[label] = rows[np.argsort(times, kind="stable")]
        where = "" if label is None else f" in experiment {label!r}"
        _refuse_repeats(t, ordered[label], where, named, places)
    if unsorted:
        where = f" of {len(unsorted)} of {len(groups)} experiments" if len(groups) > 1 else ""
        warnings.warn(
            f"The rows{where} were not in the order of time and have been sorted. Check that they belong "
            "together.",
            stacklevel=2,
        )
    return ordered


def _refuse_repeats(t: np.ndarray, rows: np.ndarray, where: str, named: bool, places: Places) -> None:
    again = np.flatnonzero(np.diff(t[rows]) == 0)
    if again.size:
        first, second = int(rows[again[0]]), int(rows[again[0] + 1])
        remedy = (
            ""
            if named
            else " If several experiments were measured at the same times, add a column that names the "
            "experiment of each row, such as 'run' (option 'experiment')."
        )
        raise DataError(
            f"Time repeats{where}: {t[first]:g} stands at {places.at(first, second)}. Such places in all: "
            f"{again.size}. Average these rows or keep one of them.{remedy}"
        )
