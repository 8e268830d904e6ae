"""Times that stand in several columns, as a date beside a clock or a year beside a month, made one column."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from mathonet.data.choice import tell
from mathonet.data.files.column import Column
from mathonet.data.files.listed import listed
from mathonet.data.files.names import is_clock, is_minimum, part_of_date, time_tier
from mathonet.data.files.times.dates import CLOCK, DAY
from mathonet.data.files.times.time_column import run_of
from mathonet.data.files.times.written_dates import in_figures, month_number
from mathonet.errors import DataError

_RANGES = {
    "year": (1500, 2200),
    "month": (1, 12),
    "day": (1, 31),
    "doy": (1, 366),
    "hour": (0, 24),
    "minute": (0, 59),
    "second": (0, 60),
}
_SECONDS = {"hour": 3600.0, "minute": 60.0, "second": 1.0}


def with_joined_times(table: Mapping[str, Column]) -> dict[str, Column]:
    """The table with one column of times in place of those that tell a part of them each.

    Raises:
        DataError: If clock times stand beside dates, and whether they belong together cannot be told.
    """
    found = _with_clock(table)
    return found if found is not None else _with_parts(table)


def _with_clock(table: Mapping[str, Column]) -> dict[str, Column] | None:
    """With one column for a date and a clock time, as loggers write them."""
    dates = [name for name in table if _is_days(table[name])]
    clocks = [name for name in table if _is_clock(table[name])] if dates else []
    if len(dates) != 1 or not clocks:
        return None
    date = dates[0]
    called = [name for name in clocks if is_clock(name)]
    days = table[date].moments
    assert days is not None
    again = len(np.unique(days)) < len(days)
    if len(called) == 1:
        clocks = called
    elif len(clocks) > 1 or not again:
        raise DataError(
            f"Column {date!r} holds dates, and {listed(clocks)} clock times. Whether they belong together "
            "cannot be told: call the one that does 'time', and leave others out with the option 'ignore'."
        )
    clock = clocks[0]
    seconds = table[clock].moments
    assert seconds is not None
    return _joined(table, [date, clock], days + np.mod(seconds, DAY))


def _is_days(column: Column) -> bool:
    """Whether a column holds whole days."""
    if column.is_numeric or column.empty.any() or _is_clock(column):
        return False
    try:
        moments = column.moments
    except DataError:
        # Remarks may begin with a date; where dates are meant, the fault is told.
        if time_tier(column.name) is None:
            return False
        raise
    return moments is not None and column.cells.dtype.kind != "m" and bool((np.mod(moments, DAY) == 0).all())


def _is_clock(column: Column) -> bool:
    """Whether a column holds times within a day."""
    if column.is_numeric or column.empty.any() or column.cells.dtype.kind in "mM":
        return False
    texts = column.cells.astype(str)
    # A first look is cheap: most columns of text are no clock.
    if not CLOCK.fullmatch(in_figures(texts.iloc[0])):
        return False
    return bool(texts.map(in_figures).str.fullmatch(CLOCK.pattern).all())


def _with_parts(table: Mapping[str, Column]) -> dict[str, Column]:
    """With one column for a year and a month, or a date and an hour, and what else tells the time."""
    if any(_is_time(column) for column in table.values()):
        return dict(table)
    parts: dict[str, str] = {}
    for name in table:
        part = None if is_minimum(name, table) else part_of_date(name)
        if part is not None and part not in parts:
            parts[part] = name
    days = [name for name in table if _is_days(table[name])] if "hour" in parts else []
    if "year" in parts and ("month" in parts or "doy" in parts):
        used = (
            ["year", "month", *(["day"] if "day" in parts else [])] if "month" in parts else ["year", "doy"]
        )
        start = None
    elif len(days) == 1 and table[days[0]].cells.duplicated().any():
        used, start = [], days[0]
    else:
        return dict(table)
    if start is not None or "day" in used or "doy" in used:
        for part in ("hour", "minute", "second"):
            if part not in parts:
                break
            used.append(part)
    values = {part: _values(table[parts[part]], part) for part in used}
    if any(each is None for each in values.values()):
        return dict(table)
    held = {part: each for part, each in values.items() if each is not None}
    moments = table[start].moments if start is not None else _days(held)
    if moments is None:
        return dict(table)
    for part, factor in _SECONDS.items():
        moments = moments + factor * held.get(part, 0.0)
    names = [*([start] if start is not None else []), *(parts[part] for part in used)]
    return _joined(table, names, moments)


def _is_time(column: Column) -> bool:
    """Whether a column is the time by itself."""
    tier = time_tier(column.name)
    run = run_of(column) if tier is not None and tier <= 1 and column.name != "T" else None
    return run is not None and run.rises


def _values(column: Column, part: str) -> np.ndarray | None:
    """A part of dates as numbers; None where something is none."""
    if part == "month" and not column.is_numeric:
        months = [month_number(str(cell)) for cell in column.cells]
        return None if None in months else np.array(months, dtype=float)
    if not column.is_numeric or column.text.any() or column.empty.any():
        return None
    values, (least, most) = column.values, _RANGES[part]
    inside = bool((values >= least).all() and (values <= most).all())
    return values if inside and (column.is_whole or part == "second") else None


def _days(parts: Mapping[str, np.ndarray]) -> np.ndarray | None:
    """Seconds at the beginning of days; None if there is no such day."""
    first = {"year": parts["year"], "month": parts.get("month", 1), "day": parts.get("day", 1)}
    dates = pd.to_datetime(pd.DataFrame(first), errors="coerce")
    if dates.isna().any():
        return None
    moments = (dates - dates.min()).dt.total_seconds().to_numpy(dtype=np.float64)
    return moments + DAY * (parts["doy"] - 1.0) if "doy" in parts else moments


def _joined(table: Mapping[str, Column], names: list[str], moments: np.ndarray) -> dict[str, Column]:
    """The table with times in place of the columns of their parts."""
    tell(f"The columns {' and '.join(map(repr, names))} together are the time.")
    free = ("time", "date time", " ".join(names))
    name = next(each for each in free if each not in table or each in names)
    cells = pd.Series(pd.to_timedelta(moments - moments.min(), unit="s"))
    others = {other: column for other, column in table.items() if other not in names}
    return {name: Column(name, cells, names[-1], places=table[names[0]].places), **others}
