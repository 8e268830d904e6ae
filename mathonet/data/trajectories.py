"""What a user gives as states, times, derivatives and inputs becomes trajectories that belong together."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mathonet.data.samples import Samples, refuse_few
from mathonet.data.trajectory import Trajectory
from mathonet.errors import DataError

MINIMUM_MEASURED = 8
"""Values of a state from which its course, and so its derivative, can be told from noise."""


def as_trajectories(
    x: Any,
    t: Any = None,
    x_dot: Any = None,
    u: Any = None,
    names: Sequence[str] | None = None,
    input_names: Sequence[str] | None = None,
) -> list[Trajectory]:
    """One trajectory or a list of them, checked one by one and together.

    Lengths and times may differ from one to the next.

    Args:
        x: States (times, states), or a list of such tables; of one state also one-dimensional. Without
            derivatives, NaN marks what was not measured. Or a `Trajectory`, or a list of them, with nothing
            beside it.
        t: Times, or a list of them; None numbers the rows, which only derivatives allow.
        x_dot: Derivatives, like x, for all trajectories or for none; None for states alone.
        u: Inputs from outside, like x.
        names: Of the states; None takes the columns of a data frame, else x, y, z or x0, x1, ...
        input_names: Of the inputs; None takes the columns of a data frame, else u or u0, u1, ...

    Raises:
        DataError: If something cannot be used; the message says where and what to do.
    """
    if isinstance(x, Trajectory) or (
        isinstance(x, (list, tuple)) and x and all(isinstance(each, Trajectory) for each in x)
    ):
        beside = {"t": t, "x_dot": x_dot, "u": u, "names": names, "input_names": input_names}
        told = [name for name, value in beside.items() if value is not None]
        if told:
            raise DataError(f"A Trajectory has its own {told[0]}. Leave that of fit out.")
        given = [x] if isinstance(x, Trajectory) else list(x)
        check_together(given)
        return given
    if not _are_several(x, t):
        x, t, x_dot, u = [x], [t], [x_dot], [u]
    count = len(x)
    t, x_dot, u = ([None] * count if part is None else part for part in (t, x_dot, u))
    for what, values in (("t", t), ("x_dot", x_dot), ("u", u)):
        if _length(values) != count:
            raise DataError(
                f"{count} trajectories in x but {_length(values)} in {what}: give a list with one for each."
            )
    _refuse_lack(t, x_dot)
    columns, input_columns = _common_names(x, "x"), _common_names(u, "u")
    for slopes in x_dot:
        refuse_permuted(slopes, columns, "x_dot")
    names = columns if names is None else names
    input_names = input_columns if input_names is None else input_names
    made = [
        Trajectory(
            np.arange(_length(states), dtype=float) if times is None else times,
            states,
            x_dot=slopes,
            names=names,  # pyright: ignore[reportArgumentType]
            u=drive,
            input_names=input_names,  # pyright: ignore[reportArgumentType]
        )
        for states, times, slopes, drive in zip(x, t, x_dot, u, strict=True)
    ]
    check_together(made)
    return made


def check_together(trajectories: Sequence[Trajectory]) -> None:
    """Refuse what only shows over all trajectories: other columns, too few values, a state that never moves.

    Raises:
        DataError: If they cannot be learned from together.
    """
    if len({(each.names, each.input_names) for each in trajectories}) > 1:
        raise DataError("The trajectories differ in their number of states or inputs.")
    if len({each.x_dot is None for each in trajectories}) > 1:
        raise DataError("Some trajectories have derivatives and some do not. Give them for all or for none.")
    x = np.concatenate([each.x for each in trajectories])
    refuse_few(len(x), " If x holds one state a row, transpose it." if x.shape[1] > len(x) else "")
    derived = trajectories[0].x_dot is not None
    measured = np.concatenate([each.measured for each in trajectories])
    for column, seen, name in zip(x.T, measured.T, trajectories[0].names, strict=True):
        found = column if derived else column[seen]
        if not derived and found.size < MINIMUM_MEASURED:
            raise DataError(
                f"The state {name!r} has {found.size} measured value{'' if found.size == 1 else 's'} in all; "
                f"at least {MINIMUM_MEASURED} are needed, and some 50 to find an equation. Measure more, or "
                "leave this column out."
            )
        if np.all(found == found[:1]):
            raise DataError(
                f"The state {name!r} is {found[0]:g} at all {found.size} times, so it carries no "
                "information. Leave this column out."
            )


def summary(trajectories: Sequence[Trajectory]) -> str:
    """What was measured, in a line: samples, states, inputs, experiments, missing values."""

    def counted(number: int, what: str) -> str:
        return f"{number} {what}{'' if number == 1 else 's'}"

    first = trajectories[0]
    states = f"{counted(len(first.names), 'state')} ({', '.join(first.names)})"
    parts = [f"{counted(sum(map(len, trajectories)), 'sample')} of {states}"]
    if first.input_names:
        parts.append(f"{counted(len(first.input_names), 'input')} ({', '.join(first.input_names)})")
    parts.append(counted(len(trajectories), "experiment"))
    missing = sum(int(np.isnan(each.x).sum()) for each in trajectories)
    parts.append(f"{counted(missing, 'value') if missing else 'no value'} missing")
    return ", ".join(parts)


def as_samples(trajectories: Sequence[Trajectory]) -> Samples:
    """The regression problem of trajectories with derivatives: states and inputs in, derivatives out.

    Raises:
        DataError: If there are no derivatives, or weights, which belong to measured states.
    """
    if any(each.x_dot is None for each in trajectories):
        raise DataError(
            "These trajectories have no derivatives, which samples need: give x_dot, an array of the shape "
            "of x, or smooth the states first. Discoverer takes states alone."
        )
    if any(each.weights is not None for each in trajectories):
        raise DataError(
            "Weights are the precision of measured states, and beside derivatives the states count as exact. "
            "Leave the weights out, or the derivatives."
        )
    inputs = [each.x if each.u is None else np.hstack([each.x, each.u]) for each in trajectories]
    targets = [each.x_dot for each in trajectories if each.x_dot is not None]
    first = trajectories[0]
    return Samples(
        np.concatenate(inputs), np.concatenate(targets), (*first.names, *first.input_names), first.names
    )


def column_names(values: Any) -> tuple[str, ...] | None:
    """The names that a data frame or a series brings along; None where there are none."""
    columns = getattr(values, "columns", None)
    if columns is None and getattr(values, "ndim", 0) == 1:
        columns = [getattr(values, "name", None)]
    if columns is None or not np.iterable(columns):
        return None
    found = tuple(columns)
    return found if found and all(isinstance(name, str) and name.strip() for name in found) else None


def refuse_permuted(table: Any, wanted: Sequence[str] | None, what: str) -> None:
    """Refuse a data frame with the expected columns in another order: taken as they stand they would lie.

    Raises:
        DataError: If the order is another one.
    """
    found = column_names(table)
    if found and wanted and found != tuple(wanted) and set(found) == set(wanted):
        raise DataError(
            f"The columns of {what} are {', '.join(found)}, in another order than {', '.join(wanted)}. "
            "Give them in this order."
        )


def _refuse_lack(t: Sequence[Any], x_dot: Sequence[Any]) -> None:
    """Refuse states alone without times, and derivatives of some trajectories only."""
    derived = sum(slopes is not None for slopes in x_dot)
    if 0 < derived < len(x_dot):
        raise DataError(
            f"{derived} of {len(x_dot)} trajectories have derivatives x_dot. Give them for all or for none."
        )
    if not derived and any(times is None for times in t):
        raise DataError(
            "No times t were given. Without derivatives the times decide how fast a state changes: give t, "
            "one time for every row of x (or x_dot, with which rows need no times)."
        )


def _are_several(x: Any, t: Any) -> bool:
    """Whether x is a list of trajectories and not the rows of one."""
    if not isinstance(x, (list, tuple)) or len(x) == 0:
        return False
    dimensions = {_dimensions(each) for each in x}
    if 2 in dimensions:
        return True
    if dimensions != {1}:
        return False
    # Tables of one state and rows of one table look alike: the times tell, or else uneven arrays.
    if t is not None:
        return isinstance(t, (list, tuple)) and {_dimensions(each) for each in t} == {1}
    return len({len(each) for each in x}) > 1 and not any(isinstance(each, (list, tuple)) for each in x)


def _dimensions(values: Any) -> int:
    try:
        return np.ndim(values)
    except ValueError:  # rows of different lengths, which Trajectory reports
        return -1


def _length(values: Any) -> int:
    """Entries of a list or array; 0 of something else, which the checks of Trajectory then report."""
    try:
        return len(values)
    except TypeError:
        return 0


def _common_names(tables: Sequence[Any], what: str) -> tuple[str, ...] | None:
    """The column names that all tables of a list share; series that are called after their run have none."""
    found = {column_names(table) for table in tables}
    if len(found) == 1:
        return found.pop()
    frames = {column_names(table) for table in tables if _dimensions(table) == 2} - {None}
    if len(frames) > 1:
        listed = " and ".join(sorted(", ".join(frame or ()) for frame in frames)[:2])
        raise DataError(
            f"The trajectories in {what} have different columns: {listed}. Give all of them the same columns "
            "in the same order."
        )
    return frames.pop() if frames else None
