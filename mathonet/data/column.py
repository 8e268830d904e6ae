"""Column: one column of a file, whatever its kind, as numbers, as seconds or as labels."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from typing import Any

import numpy as np

from mathonet.errors import DataError

_MISSING = frozenset({"", "na", "n/a", "#n/a", "<na>", "nan", "-nan", "null", "none"})
_DATE = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d)([T ](?P<clock>\d\d:\d\d(:\d\d)?)(?P<part>(?<=:\d\d:\d\d)[.,]\d+)?)?"
    r" ?(?P<zone>Z|[+-]\d\d(:?\d\d)?)?"
)


@dataclass(frozen=True, eq=False)
class Column:
    """A name and its cells: text of a CSV file, objects of a sheet, or an array.

    Attributes:
        name: as in the file.
        cells: one a row.
    """

    name: str
    cells: Sequence[Any] | np.ndarray

    @cached_property
    def empty(self) -> np.ndarray:
        """Where nothing stands."""
        if isinstance(self.cells, np.ndarray) and self.cells.dtype.kind != "O":
            kind = self.cells.dtype.kind
            if kind in "US":
                return np.array([_is_missing(cell) for cell in self.cells.tolist()], dtype=bool)
            return (
                np.isnan(self.cells)
                if kind in "fc"
                else np.isnat(self.cells)
                if kind in "mM"
                else (np.zeros(len(self.cells), dtype=bool))
            )
        return np.array([_is_missing(cell) for cell in self.cells], dtype=bool)

    @cached_property
    def values(self) -> np.ndarray:
        """Its numbers, NaN where there is none."""
        if isinstance(self.cells, np.ndarray) and self.cells.dtype.kind in "fiub":
            return self.cells.astype(np.float64)
        return np.array(
            [math.nan if gone else _parsed(cell) for cell, gone in zip(self.cells, self.empty, strict=True)],
            dtype=np.float64,
        )

    @property
    def text(self) -> np.ndarray:
        """Where something stands that is no number."""
        return np.isnan(self.values) & ~self.empty

    @property
    def is_numeric(self) -> bool:
        """Whether it is meant as numbers, if need be with some text among them, which is then reported."""
        return bool(np.isfinite(self.values).any() or not self.text.any())

    def numbers(self, remedy: str = "or leave the column out") -> np.ndarray:
        """Its numbers; empty cells are NaN.

        Args:
            remedy: what else than correcting a cell may help if there is text.

        Raises:
            DataError: If something else stands in it; the first such row is named.
        """
        bad = np.flatnonzero(self.text)
        if bad.size:
            cell = self.cells[bad[0]]
            what = "complex numbers" if isinstance(cell, complex | np.complexfloating) else "text"
            raise DataError(
                f"Column {self.name!r} holds {what}: {_shown(cell)} at row {bad[0]} (counted from 0, after "
                f"the header). Such values in all: {bad.size}. Correct them (decimals need a point, or "
                f"between semicolons a comma throughout) {remedy}."
            )
        return self.values

    def seconds(self) -> np.ndarray | None:
        """Seconds since the earliest date in it, or those of durations; None if it holds no dates.

        Raises:
            DataError: If something among the dates is none.
        """
        if isinstance(self.cells, np.ndarray) and self.cells.dtype.kind in "mM":
            return _from_array(self.cells)
        filled = [int(row) for row in np.flatnonzero(~self.empty)]
        if not filled or np.isfinite(self.values).any():
            return None
        moments = {row: _moment(self.cells[row]) for row in filled}
        if moments[filled[0]] is None:
            return None
        for row, moment in moments.items():
            if moment is None:
                raise DataError(
                    f"Column {self.name!r} holds dates, but {_shown(self.cells[row])} at row {row} (counted "
                    "from 0, after the header) is none. Write all of them alike, as 2024-05-31T12:00:00."
                )
        found = [moment for moment in moments.values() if moment is not None]
        try:
            first, rest = min(found)
        except TypeError:
            raise DataError(
                f"Some dates in column {self.name!r} have a time zone and some have none. Write all alike."
            ) from None
        seconds = np.full(len(self.cells), np.nan)
        seconds[filled] = [(moment - first).total_seconds() + (part - rest) for moment, part in found]
        return seconds

    def labels(self) -> list[str | int | float | None]:
        """Its cells as labels: text as it stands, whole numbers as such, None where nothing stands."""
        cells = self.cells.tolist() if isinstance(self.cells, np.ndarray) else self.cells
        return [None if gone else _label(cell) for cell, gone in zip(cells, self.empty, strict=True)]


def _is_missing(cell: Any) -> bool:
    if isinstance(cell, str):
        return cell.strip().lower() in _MISSING
    # pandas has two marks of its own, which compare to nothing; known by name to spare the import.
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(cell, float | np.floating) and math.isnan(cell)


def _parsed(cell: Any) -> float:
    # Python reads 1_000 as a number, which no measuring device means, and NumPy drops imaginary parts.
    if (isinstance(cell, str) and "_" in cell) or isinstance(cell, complex | np.complexfloating):
        return math.nan
    try:
        return float(cell)
    except (TypeError, ValueError):
        return math.nan


def _moment(cell: Any) -> tuple[datetime, float] | None:
    """A date to the second and the part of a second beyond it; None if it is no date."""
    if isinstance(cell, datetime):
        part = cell.microsecond / 1e6 + getattr(cell, "nanosecond", 0) / 1e9
        return cell.replace(microsecond=0), part
    if isinstance(cell, date):
        return datetime(cell.year, cell.month, cell.day), 0.0
    match = _DATE.fullmatch(cell.strip()) if isinstance(cell, str) else None
    if match is None:
        return None
    try:
        whole = datetime.fromisoformat(f"{match['day']}T{match['clock'] or '00:00'}{match['zone'] or ''}")
    except ValueError:
        return None
    return whole, float(f"0.{match['part'][1:]}") if match["part"] else 0.0


def _from_array(cells: np.ndarray) -> np.ndarray:
    unit, _ = np.datetime_data(cells.dtype)
    if unit in ("Y", "M"):  # years and months have no length in seconds until they are dates
        cells = cells.astype(f"{cells.dtype.kind}8[s]")
    if cells.dtype.kind == "M" and not np.isnat(cells).all():
        cells = cells - cells[~np.isnat(cells)].min()
    return cells.astype(f"m8[{np.datetime_data(cells.dtype)[0]}]") / np.timedelta64(1, "s")


def _label(cell: Any) -> str | int | float:
    if isinstance(cell, str):
        return cell.strip()
    if isinstance(cell, bool | np.bool_):
        return str(cell)
    if isinstance(cell, int | np.integer):
        return int(cell)
    if isinstance(cell, float | np.floating):
        return int(cell) if float(cell).is_integer() else float(cell)
    return str(cell)


def _shown(cell: Any) -> str:
    return repr(cell) if isinstance(cell, str) else repr(str(cell))
