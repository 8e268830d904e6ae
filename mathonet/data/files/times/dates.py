"""Dates and clock times in columns, as numbers of a natural unit of time since the earliest one."""

import re
from typing import Any

import numpy as np
import pandas as pd

from mathonet.data.files.places import UNKNOWN, Places
from mathonet.data.files.times.written_dates import in_figures
from mathonet.data.units import TIME_UNITS
from mathonet.errors import DataError
from mathonet.printable import shortened

DAY = TIME_UNITS["day"]
_LOOK = re.compile(
    r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}([T ].*)?|\d{4}-\d\d|\d{8}T\d{4,6}.*|[A-Za-z]{3,9} \d{1,2},? \d{4}.*"
)
CLOCK = re.compile(r"(\d+ days? )?\d{1,3}:\d\d(:\d\d([.,]\d+)?)?")
_ORDERS = {
    ".": ("%d.%m.%Y", "%d.%m.%y"),
    "/": ("%m/%d/%Y", "%d/%m/%Y", "%Y/%m/%d", "%m/%d/%y", "%d/%m/%y"),
    "-": ("%d-%m-%Y", "%m-%d-%Y", "%d-%m-%y", "%m-%d-%y", "%y-%m-%d"),
}
"""How dates may be written that are not ISO's, by the mark between their parts."""


def looks_like_date(text: str) -> bool:
    """Whether a text has the shape of a date or a clock time."""
    text = in_figures(text)
    return bool(_LOOK.fullmatch(text) or CLOCK.fullmatch(text))


def natural_unit(seconds: np.ndarray) -> str:
    """The unit in which the steps between times are neither huge nor tiny: year, day, h, min or s."""
    steps = np.diff(np.unique(seconds[np.isfinite(seconds)]))
    usual = float(np.median(steps)) if steps.size else 1.0
    return next((unit for unit in ("year", "day", "h", "min") if usual >= 0.99 * TIME_UNITS[unit]), "s")


def seconds_of(cells: pd.Series, name: str, places: Places = UNKNOWN) -> np.ndarray | None:
    """Seconds since the earliest date in a column, or those of durations and clock times; None without any.

    Empty cells must be missing values already; they stay NaN.

    Raises:
        DataError: If something among the dates is none, zones are mixed, or day and month cannot be told.
    """
    if isinstance(cells.dtype, pd.DatetimeTZDtype) or cells.dtype.kind == "M":
        return _since_first(cells)
    if cells.dtype.kind == "m":
        return cells.dt.total_seconds().to_numpy(dtype=np.float64, na_value=np.nan)
    if cells.dtype.kind in "fiubc":
        return None
    filled = cells.dropna()
    if filled.empty:
        return None
    if not isinstance(filled.iloc[0], str):
        return _of_objects(cells, filled, name, places)
    # A first look is cheap: most columns are no dates.
    if not looks_like_date(str(filled.iloc[0])):
        return None
    texts = filled.astype(str).map(in_figures)
    if texts.str.fullmatch(CLOCK.pattern).all():
        return _clock(cells, texts, name)
    found = _parsed(texts, name, places)
    days = found.dt.normalize()
    _refuse_half_days(found - days, texts, name, days.eq(days.shift()).to_numpy()[1:])
    return _since_first(found.reindex(cells.index))


def _of_objects(cells: pd.Series, filled: pd.Series, name: str, places: Places) -> np.ndarray | None:
    """Dates of a sheet, which are objects."""
    import datetime

    if not isinstance(filled.iloc[0], (datetime.date, datetime.time, datetime.timedelta)):
        return None
    if all(isinstance(each, datetime.time) for each in filled):
        return _clock(cells, filled.map(str), name)
    if all(isinstance(each, datetime.timedelta) for each in filled):
        return pd.to_timedelta(cells).dt.total_seconds().to_numpy(dtype=np.float64, na_value=np.nan)
    odd = [each for each in filled if not isinstance(each, datetime.date)]
    if odd:
        raise _no_date(name, filled, odd[0], places)
    return _since_first(_converted(filled, name, places).reindex(cells.index))


def _parsed(texts: pd.Series, name: str, places: Places) -> pd.Series:
    first = texts.iloc[0]
    mark = next((mark for mark in _ORDERS if re.match(rf"\d{{1,4}}[{mark}]", first)), "-")
    if mark != "-" or not re.match(r"\d{4}", first):
        found = _by_orders(texts, _ORDERS[mark], name)
        if found is not None:
            return found
    return _converted(texts, name, places)


def _converted(cells: pd.Series, name: str, places: Places) -> pd.Series:
    """ISO's dates, with or without zones, and dates of sheets."""
    cells = cells.map(lambda each: each.replace(",", ".") if isinstance(each, str) else each)
    zones = cells.map(lambda each: _has_zone(each))
    if zones.any() and not zones.all():
        raise DataError(
            f"Some dates in column {name!r} have a time zone and some have none. Write all alike."
        )
    found = pd.to_datetime(cells, format="ISO8601", errors="coerce", utc=bool(zones.any()))
    if found.isna().any():
        raise _no_date(name, cells, cells.loc[found.isna()].iloc[0], places)
    return found


def _has_zone(cell: Any) -> bool:
    if isinstance(cell, str):
        return re.search(r"(Z|\d\d:?\d\d.*[+-]\d\d(:?\d\d)?)$", cell.strip()) is not None and ":" in cell
    return getattr(cell, "tzinfo", None) is not None


def _by_orders(texts: pd.Series, orders: tuple[str, ...], name: str) -> pd.Series | None:
    """Dates whose parts are in some order; told apart by what is possible, then by what increases."""
    parts = texts.str.extract(r"^(\S+)(?:[ T]+(.*))?$")
    days = {order: pd.to_datetime(parts[0], format=order, errors="coerce") for order in orders}
    possible = {order: found for order, found in days.items() if found.notna().all()}
    if not possible:
        return None
    clock = parts[1].fillna("0:00")
    if not clock.str.fullmatch(CLOCK.pattern).all():
        return None
    passed = pd.to_timedelta(clock.map(_full_clock))
    dated = {order: found + passed for order, found in possible.items()}
    rising = {order: found for order, found in dated.items() if found.is_monotonic_increasing}
    steady = rising if len(rising) == 1 else dated
    if len(steady) > 1 and len({tuple(found) for found in steady.values()}) > 1:
        raise DataError(
            f"In the dates of column {name!r}, such as {texts.iloc[0]!r}, day and month cannot be told "
            "apart. Write them as 2024-05-31."
        )
    return next(iter(steady.values()))


def _full_clock(text: str) -> str:
    return (text if text.count(":") == 2 else f"{text}:00").replace(",", ".")


def _clock(cells: pd.Series, texts: pd.Series, name: str) -> np.ndarray:
    """Clock times as seconds; a day is added where they pass midnight, and not where they start again."""
    passed = pd.to_timedelta(texts.map(_full_clock))
    _refuse_half_days(passed, texts, name)
    seconds = passed.dt.total_seconds().to_numpy(dtype=np.float64)
    steps = np.diff(seconds)
    usual = float(np.median(steps[steps > 0])) if (steps > 0).any() else 0.0
    # After few steps nobody knows what is usual, but nearly a day back is another day.
    midnight = (steps < -0.9 * DAY) | ((steps < 0) & (np.abs(steps + DAY) <= 3.0 * usual))
    seconds = seconds + DAY * np.concatenate([[0.0], np.cumsum(midnight)])
    found = np.full(len(cells), np.nan)
    found[cells.notna().to_numpy()] = seconds
    return found


def _refuse_half_days(
    passed: pd.Series, texts: pd.Series, name: str, same_day: np.ndarray | None = None
) -> None:
    """Refuse a clock of twelve hours that says neither AM nor PM.

    Args:
        passed: since midnight.
        texts: as they stand.
        name: of the column.
        same_day: whether a row and the one before it are of one day, where that is known.

    Raises:
        DataError: If 12:50 is followed by 01:00.
    """
    hours = passed.dt.total_seconds().to_numpy(dtype=np.float64) / 3600.0
    if len(hours) < 2 or hours.min() < 1 or hours.max() >= 13:
        return
    turns = (hours[:-1] >= 12) & (hours[1:] < 2)
    if same_day is not None:
        turns &= same_day
    if turns.any():
        row = int(np.argmax(turns))
        raise DataError(
            f"The clock in column {name!r} goes from {texts.iloc[row]} to {texts.iloc[row + 1]}, as one of "
            "twelve hours does, and says neither AM nor PM. Write 13:00 for one o'clock in the afternoon."
        )


def _since_first(moments: pd.Series) -> np.ndarray:
    return (moments - moments.min()).dt.total_seconds().to_numpy(dtype=np.float64, na_value=np.nan)


def _no_date(name: str, cells: pd.Series, cell: Any, places: Places) -> DataError:
    same = [each is cell or each == cell for each in cells]
    row = int(cells.index[same.index(True)])
    return DataError(
        f"Column {name!r} holds dates, but {shortened(str(cell), 60)!r} at {places.at(row)} is none. Write "
        "all of them alike, as 2024-05-31T12:00:00."
    )
