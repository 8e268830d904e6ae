"""Rows below a table that sum it up: sums and means of the columns are no measurements."""

from dataclasses import replace

import pandas as pd

from mathonet.data.choice import tell
from mathonet.data.files.cells import Cells
from mathonet.data.files.numerals import is_missing
from mathonet.errors import DataError

_WORDS = {
    *("sum", "total", "totals", "subtotal", "grand total", "average", "avg", "mean", "median", "min", "max"),
    *("minimum", "maximum", "std", "sd", "stdev", "std dev", "standard deviation", "variance", "count"),
    *("summe", "gesamt", "gesamtsumme", "mittel", "mittelwert", "durchschnitt", "stabw", "anzahl"),
    *("somme", "moyenne", "suma", "media", "promedio", "totale", "somma", "soma", "média", "ø", "σ", "∑"),
}
_MOST = 6
"""Such rows that a table has at most."""


def without_footer(cells: Cells) -> Cells:
    """The table without the rows at its end that sum it up, which is told."""
    columns = list(cells.columns.values())
    if not any(each.dtype.kind == "O" for each in columns[:2]):
        return cells
    rows = len(columns[0])
    last, found = rows, []
    while last > 0 and len(found) < _MOST and (word := _summing(columns, last - 1)) is not None:
        last, found = last - 1, [word, *found]
    if not found:
        return cells
    if last == 0:
        raise DataError("All rows of the table sum something up. Give one row a time.")
    where = cells.places.of_many(range(last, rows))
    tell(f"Left out below the table, as sums or means of it: {', '.join(map(repr, found))} at {where}.")
    return replace(cells, columns={name: each.iloc[:last] for name, each in cells.columns.items()})


def _summing(columns: list[pd.Series], row: int) -> str | None:
    """The word that a row begins with, if it is one of these."""
    for column in columns[:2]:
        cell = column.iloc[row]
        if isinstance(cell, str) and not is_missing(cell):
            # A label that stands there more than once, as of a group, is no word for a sum.
            sums = cell.strip(" :.=").lower() in _WORDS and (column == cell).sum() == 1
            return cell.strip() if sums else None
        if not pd.isna(cell):
            return None
    return None
