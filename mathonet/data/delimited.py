"""Text files with separators (CSV, TSV) become columns of text; separator and decimal mark are found out."""

import csv
import io
import math
import re
from pathlib import Path

from mathonet.errors import DataError

SUFFIXES = (".csv", ".tsv", ".tab", ".txt")
_COMMA_NUMBER = re.compile(r"[+-]?(\d+,\d*|,\d+)([eE][+-]?\d+)?")
_POINT_NUMBER = re.compile(r"[+-]?(\d+\.\d*|\.\d+)([eE][+-]?\d+)?")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")

Columns = dict[str, list[str]]
"""The cells of each column, by its name."""


def read_columns(path: Path) -> Columns:
    """Read a file with a header of names and one row a line; decimal commas become points.

    Raises:
        DataError: If the file is no text, or is no table.
    """
    text = _text(path)
    separator = _separator(path, text)
    try:
        rows = _rows(text, separator)
    except csv.Error as error:
        raise DataError(f"{str(path)!r} is not a table ({error}). Save it as CSV.") from error
    if not rows:
        raise DataError(f"{str(path)!r} is empty. Give a file with a header and one row a time.")
    labels = [label.strip() for label in rows[0]]
    check_header(path, labels)
    if len(labels) == 1:
        raise DataError(
            f"{str(path)!r} has one column only, {labels[0]!r}. Separate columns by commas, semicolons or "
            "tabs."
        )
    if len(rows) == 1:
        raise DataError(f"{str(path)!r} has a header but no rows. Give one row a time.")
    for number, row in enumerate(rows[1:]):
        while len(row) > len(labels) and not row[-1].strip():
            row.pop()  # a separator at the end of a line
        if len(row) != len(labels):
            raise DataError(
                f"{str(path)!r} is not a table: row {number} (counted from 0, after the header) has "
                f"{len(row)} values and the header {len(labels)} names. Every row needs one value for each "
                "column."
            )
    columns = {label: [row[place].strip() for row in rows[1:]] for place, label in enumerate(labels)}
    return _with_points(columns, separator)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(
            f"{str(path)!r} is not text in UTF-8 ({error}). Save it as CSV in UTF-8. (Parquet, NPZ, MAT and "
            "Excel files are told by their endings: .parquet, .npz, .mat, .xlsx.)"
        ) from error


def _rows(text: str, separator: str, most: int | None = None) -> list[list[str]]:
    """Rows of cells, without blank lines."""
    rows = []
    for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=True):
        if any(cell.strip() for cell in row):
            rows.append(row)
        if len(rows) == most:
            break
    return rows


def _separator(path: Path, text: str) -> str:
    """The mark that cuts header and first row into equally many columns, the most of them."""
    if path.suffix.lower() in {".tsv", ".tab"}:
        return "\t"
    cut: dict[str, list[int]] = {}
    for mark in ";\t,":  # a comma last: it may be a decimal mark
        try:
            cut[mark] = [len(row) for row in _rows(text, mark, 2)]
        except csv.Error:
            continue
    agreeing = {mark: count for mark, count in cut.items() if len(set(count)) == 1 and count[0] > 1} or cut
    return max(agreeing, key=lambda mark: agreeing[mark][:1], default=",")


def check_header(path: Path, labels: list[str]) -> None:
    """Refuse a first row that is not one name for every column.

    Raises:
        DataError: If it holds numbers, nothing, or the same name twice.
    """
    if any(_is_number(label) for label in labels):
        raise DataError(
            f"{str(path)!r} has no header: its first row is {', '.join(labels[:6])}. Put a first row with "
            "one name for every column, such as t,x,y."
        )
    empty = [number for number, label in enumerate(labels, start=1) if not label]
    if empty:
        raise DataError(
            f"Column {empty[0]} of {str(path)!r} has no name in the header. Name it or remove it."
        )
    repeated = sorted({label for label in labels if labels.count(label) > 1})
    if repeated:
        raise DataError(
            f"Column names repeat in {str(path)!r}: {', '.join(map(repr, repeated))}. Give every column its "
            "own."
        )


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text.replace(",", ".")))
    except ValueError:
        return False


def _with_points(columns: Columns, separator: str) -> Columns:
    """The columns with points for decimal commas, where there can be no doubt that they are such."""
    cells = [cell for column in columns.values() for cell in column if "," in cell]
    commas = [cell for cell in cells if _COMMA_NUMBER.fullmatch(cell)]
    if separator == "," or not commas:
        return columns
    if any(_POINT_NUMBER.fullmatch(cell) for column in columns.values() for cell in column):
        return columns  # a file with decimal points: its commas mean something else
    if separator == "\t" and all(_THOUSANDS.fullmatch(cell) for cell in commas):
        return columns  # 1,234 may be a thousand; between semicolons nobody writes it so
    return {
        name: [cell.replace(",", ".") if _COMMA_NUMBER.fullmatch(cell) else cell for cell in column]
        for name, column in columns.items()
    }
