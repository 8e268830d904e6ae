"""Numbers that are dates: 20240131, 202401, seconds since 1970, and days since 1900 as sheets count them."""

import numpy as np
import pandas as pd

from mathonet.data.choice import tell
from mathonet.data.files.names import says_date, time_tier
from mathonet.data.units import time_unit

_EPOCH = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}
_SINCE, _UNTIL = 946_684_800.0, 4_102_444_800.0
"""Seconds since 1970 at the beginning of 2000 and of 2100."""
_SERIAL = (20_000.0, 80_000.0)
"""Days since 1900 from 1954 to 2119."""


def dated(name: str, cells: pd.Series, unit: str) -> pd.Series:
    """A column that is called after time and whose numbers are those of dates, as dates; others as they are.

    Args:
        name: of the column.
        cells: its values.
        unit: that the file gives it.
    """
    tier = time_tier(name)
    if tier is None or cells.dtype.kind not in "iuf" or cells.empty:
        return cells
    values = cells.to_numpy(dtype=np.float64)
    if not np.isfinite(values).all():
        return cells
    whole = bool(np.all(values == np.rint(values)))
    if whole and not unit and tier in (1, 2):
        for least, most, form in ((10_000_101, 99_991_231, "%Y%m%d"), (190_001, 209_912, "%Y%m")):
            if values.min() >= least and values.max() <= most:
                found = pd.to_datetime(cells.astype("int64").astype(str), format=form, errors="coerce")
                if not found.isna().any():
                    return found
    if tier != 2:
        for own, factor in _EPOCH.items():
            if time_unit(unit) in (None, own) and _within(values / factor, _SINCE, _UNTIL):
                found = pd.Series(pd.to_datetime(cells, unit=own), index=cells.index)
                _tell(name, f"{own} since 1970", found)
                return found
    if says_date(name) and not unit and _within(values, *_SERIAL):
        found = pd.Series(pd.Timestamp("1899-12-30") + pd.to_timedelta(cells, unit="D"), index=cells.index)
        _tell(name, "days since 1900, as sheets count them", found)
        return found
    return cells


def _within(values: np.ndarray, least: float, most: float) -> bool:
    return bool(values.min() >= least and values.max() <= most)


def _tell(name: str, what: str, found: pd.Series) -> None:
    first = found.min().isoformat(sep=" ", timespec="seconds")
    tell(f"Column {name!r} holds {what}, and is taken as dates from {first} on.")
