"""Excel files become columns: the sheet that holds a table, from its header on."""

import warnings
import zipfile
from pathlib import Path
from typing import Any

import pandas as pd

from mathonet.data.choice import tell
from mathonet.data.files.cells import Cells
from mathonet.data.files.header import LOOKED_AT, Header, distinct, find_header
from mathonet.data.files.listed import listed, say
from mathonet.data.files.memory import refuse_larger_than_memory
from mathonet.data.files.numerals import is_number
from mathonet.data.files.places import Places
from mathonet.errors import DataError
from mathonet.printable import in_a_line


def read_sheet(path: Path, wanted: str | None = None) -> tuple[Cells, dict[str, str]]:
    """The columns of a sheet by their labels, and their units from a row of units.

    Args:
        path: the file, .xlsx or .xlsm.
        wanted: name of the sheet, or its number from 1 on; None for the one that holds a table.

    Raises:
        DataError: If the file is damaged, or the sheet is not there, holds no table, or is one of several.
    """
    try:
        with zipfile.ZipFile(path) as packed:
            # A cell takes some hundred bytes as an object, ten times what it takes unpacked.
            refuse_larger_than_memory(path, 10 * sum(each.file_size for each in packed.infolist()))
        # Styles and extensions that the reader does not know say nothing about the numbers.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with pd.ExcelFile(path, engine="openpyxl") as book:
                names = [str(name) for name in book.sheet_names]
                chosen = names if wanted is None else [_named(path, names, wanted)]
                frames = {name: _frame(book, name) for name in chosen}
    except (OSError, DataError):
        raise
    except Exception as error:  # whatever a damaged file makes the reader say
        why = in_a_line(error) or type(error).__name__
        raise DataError(f"{str(path)!r} is no Excel file (.xlsx), or a damaged one ({why}).") from error
    tables = {
        name: (frame, header) for name, frame in frames.items() if (header := _header(frame)) is not None
    }
    if not tables:
        raise DataError(
            f"{str(path)!r} has no table in {listed(frames)}. Give a sheet with a header and one row of "
            "numbers a time."
        )
    if len(tables) > 1:
        raise DataError(
            f"Several sheets of {str(path)!r} hold tables: {listed(tables)}. {say('sheet', 'which one')}"
        )
    name, (frame, header) = next(iter(tables.items()))
    if wanted is None and len(names) > 1:
        tell(f"{str(path)!r} has {len(names)} sheets; only {name!r} holds a table and is read.")
    return _columns(path, frame, header)


def _named(path: Path, names: list[str], wanted: str) -> str:
    if wanted in names:
        return wanted
    number = int(wanted) if wanted.isdecimal() and len(wanted) < 10 else 0
    if 1 <= number <= len(names):
        return names[number - 1]
    raise DataError(f"{str(path)!r} has no sheet {wanted!r}. Its sheets: {listed(names)}.")


def _frame(book: pd.ExcelFile, name: str) -> pd.DataFrame:
    frame = pd.DataFrame(book.parse(name, header=None, dtype=object))
    return frame.dropna(how="all").dropna(how="all", axis="columns")


def _header(frame: pd.DataFrame) -> Header | None:
    rows = [[_text(cell) for cell in row] for row in frame.iloc[:LOOKED_AT].itertuples(index=False)]
    found = find_header([_stripped(row) for row in rows])
    return found if found is not None and len(found.labels) > 1 else None


def _stripped(row: list[str]) -> list[str]:
    """A title without the empty cells at its end: it has fewer cells than a table has columns."""
    if sum(map(bool, row)) > 1 or any(is_number(cell) for cell in row):
        return row
    while row and not row[-1]:
        row = row[:-1]
    return row


def _text(cell: Any) -> str:
    try:
        return "" if cell is None or cell is pd.NaT or cell != cell else str(cell).strip()
    except ValueError:  # an integer of more digits than Python prints
        return "9"


def _columns(path: Path, frame: pd.DataFrame, header: Header) -> tuple[Cells, dict[str, str]]:
    width = max(len(header.labels), frame.shape[1])
    labels = [*header.labels, *[""] * (width - len(header.labels))]
    units = [*header.units, *[""] * (width - len(header.units))]
    values = frame.iloc[header.first :]
    places = Places(lambda: [int(row) + 1 for row in values.index], "row", " of the sheet")
    columns = values.reset_index(drop=True)
    kept = [n for n in range(frame.shape[1]) if labels[n] or values.iloc[:, n].notna().any()]
    if not header.named:
        tell(f"{str(path)!r} has no header: its columns are called by their numbers.")
    names = distinct([labels[n] for n in kept], header.named)
    series = {name: columns.iloc[:, n].infer_objects() for n, name in zip(kept, names, strict=True)}
    return Cells(series, places=places), {
        name: units[n] for n, name in zip(kept, names, strict=True) if units[n]
    }
