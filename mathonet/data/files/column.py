"""Column: one column of a file, whatever its kind, as numbers, as seconds or as labels."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from mathonet.data.choice import tell
from mathonet.data.files.numerals import Numerals, is_missing, read_numerals
from mathonet.data.files.places import UNKNOWN, Places
from mathonet.data.files.times.dates import looks_like_date, seconds_of
from mathonet.errors import DataError

_SHOWN, _FEW = 60, 1000
_CODES = (
    -99.0,
    -99.9,
    -999.0,
    -999.9,
    -999.99,
    -9999.0,
    -99999.0,
    999.0,
    999.9,
    9999.0,
    99999.0,
    1e30,
    -1e30,
)
"""Numbers that loggers write where nothing was measured."""
_FAR, _OTHERS = 5.0, 8
"""How far off all others they must lie, in ranges of these, and how many others there must be."""


@dataclass(frozen=True, eq=False)
class Column:
    """A name and its cells.

    Attributes:
        name: that equations have: the label without its unit.
        cells: one a row: numbers, dates, text or objects.
        label: as in the file.
        label_unit: unit from the label, or from a row of units; "" if there is none.
        decimal: mark before decimals in the file's text, None where it does not tell.
        assumed: the mark that is usual in such a file, None if none is.
        places: where in the file its rows stand.
    """

    name: str
    cells: pd.Series
    label: str = ""
    label_unit: str = ""
    decimal: str | None = field(default=None, repr=False)
    assumed: str | None = field(default=None, repr=False)
    places: Places = field(default=UNKNOWN, repr=False)

    @cached_property
    def empty(self) -> np.ndarray:
        """Where nothing stands."""
        gone = self.cells.isna().to_numpy(dtype=bool)
        if self._is_text:
            filled = self.cells.loc[~gone]
            # Compared as a set: pandas has marked most of them already.
            marks = {each for each in filled.unique() if isinstance(each, str) and is_missing(each)}
            if marks:
                gone = gone | self.cells.isin(marks).to_numpy(dtype=bool)
        return gone

    @property
    def _is_text(self) -> bool:
        dtype = self.cells.dtype
        return (not isinstance(dtype, np.dtype) and dtype.name in ("str", "string")) or dtype.kind == "O"

    @cached_property
    def _numerals(self) -> Numerals:
        """Numbers and their unit from cells that are not all plain numbers."""
        if not self._is_text:
            kind = self.cells.dtype.kind
            if kind in "fiub":
                return Numerals(self.cells.to_numpy(dtype=np.float64, na_value=np.nan), "")
            return Numerals(np.full(len(self.cells), np.nan), "")
        filled = self.cells.loc[~self.empty]
        values = np.full(len(self.cells), np.nan)
        found = filled.map(_plain).to_numpy(dtype=np.float64).copy()
        # Only text is read by the rules of writing: what is a number already stays what it is.
        texts = filled.map(lambda cell: isinstance(cell, str)).to_numpy(dtype=bool)
        unit = ""
        written = filled.to_numpy()[texts]
        # Where commas stand before decimals, 1.234 is a plain number only at first sight.
        if np.isnan(found[texts]).any() or (self.decimal == "," and any("." in cell for cell in written)):
            read = read_numerals(written, self.name, self.decimal, self.assumed)
            found[texts], unit = read.values, read.unit
        values[~self.empty] = found
        return Numerals(values, unit)

    @cached_property
    def _coded(self) -> np.ndarray:
        """Where a number such as -999 stands for a missing one: far off all others; it is told."""
        values = self._numerals.values
        none = np.zeros(len(values), dtype=bool)
        finite = np.isfinite(values)
        # What lies far off all others is the least or the largest.
        ends = [np.min(values, initial=np.inf, where=finite), np.max(values, initial=-np.inf, where=finite)]
        if not np.isin(ends, _CODES).any():
            return none
        coded = np.isin(values, _CODES)
        others = values[finite & ~coded]
        if others.size < _OTHERS:
            return none
        middle, reach = float(np.median(others)), float(np.ptp(others))
        coded &= np.abs(values - middle) > _FAR * max(reach, abs(middle))
        if coded.any():
            tell(
                f"Of column {self.name!r}, {np.count_nonzero(coded)} times {values[coded][0]:g} stands far "
                "off all other values, and is taken to mean that nothing was measured."
            )
        return coded

    @property
    def values(self) -> np.ndarray:
        """Its numbers, NaN where there is none."""
        values = self._numerals.values
        return np.where(self._coded, np.nan, values) if self._coded.any() else values

    @property
    def unit(self) -> str:
        """Its unit, from the label or behind its numbers."""
        return self.label_unit or self._numerals.unit

    @cached_property
    def text(self) -> np.ndarray:
        """Where something stands that is no number."""
        return np.isnan(self._numerals.values) & ~self.empty

    @cached_property
    def is_numeric(self) -> bool:
        """Whether it is meant as numbers, if need be with some text among them, which is then reported."""
        return bool(np.isfinite(self.values).any() or not self.text.any())

    @cached_property
    def is_whole(self) -> bool:
        """Whether all its numbers are whole, and there are some."""
        # Few values tell that a column is not whole; only one that seems to be is looked at as a whole.
        for part in (slice(_FEW), slice(None)):
            values = self.values[part][~self.empty[part]]
            if not (np.isfinite(values).all() and np.all(values == np.rint(values))):
                return False
        return bool(values.size)

    def numbers(self, remedy: str = "or leave the column out") -> np.ndarray:
        """Its numbers; empty cells are NaN.

        Args:
            remedy: what else than correcting a cell may help if there is text.

        Raises:
            DataError: If something else stands in it; the first such row is named.
        """
        bad = np.flatnonzero(self.text)
        if bad.size:
            cell = self.cells.iloc[bad[0]]
            what = "complex numbers" if isinstance(cell, complex | np.complexfloating) else "text"
            raise DataError(
                f"Column {self.name!r} holds {what}: {shown(cell)} at {self.places.at(bad[0])}. Such values "
                f"in all: {bad.size}. Correct them (decimals need a point, or between semicolons a comma "
                f"throughout) {remedy}."
            )
        return self.values

    @cached_property
    def moments(self) -> np.ndarray | None:
        """Seconds since the earliest date in it, or those of durations; None if it holds no dates.

        Raises:
            DataError: If something among the dates is none.
        """
        if self._is_text and np.isfinite(self.values).any():
            return None
        cells = self.cells.mask(self.empty) if self._is_text and self.empty.any() else self.cells
        return seconds_of(cells, self.name, self.places)

    @property
    def dates(self) -> np.ndarray:
        """Where a date or a clock time seems to stand, whatever stands elsewhere."""
        return np.array([isinstance(cell, str) and looks_like_date(cell) for cell in self.cells], dtype=bool)

    def labels(self) -> list[str | int | float | None]:
        """Its cells as labels: text as it stands, whole numbers as such, None where nothing stands."""
        return [None if gone else _label(cell) for cell, gone in zip(self.cells, self.empty, strict=True)]


def _plain(cell: Any) -> float:
    # Python reads 1_000 as a number, which no measuring device means, and NumPy drops imaginary parts.
    if (isinstance(cell, str) and "_" in cell) or isinstance(cell, complex | np.complexfloating):
        return np.nan
    try:
        return float(cell)
    except OverflowError:
        return np.inf
    except (TypeError, ValueError):
        return np.nan


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


def shown(cell: Any) -> str:
    """A cell for a message, not longer than fits there."""
    try:
        text = str(cell)
    except ValueError:
        text = "a number of very many digits"
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}...")
