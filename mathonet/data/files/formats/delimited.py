"""Text files with separators (CSV, TSV, columns of spaces) become columns, by way of pandas."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pandas as pd

from mathonet.data.choice import tell
from mathonet.data.files.cells import Cells
from mathonet.data.files.formats.decimals import assumed_mark, decimal_mark, tell_of_points
from mathonet.data.files.formats.encoding import Text, read_text
from mathonet.data.files.formats.lines import (
    LONGEST,
    cells_of,
    find_separator,
    head_of,
    line_of,
    numbered_rows,
    table_lines,
)
from mathonet.data.files.formats.parsing import Layout, as_written, parsed
from mathonet.data.files.header import Header, distinct, find_header
from mathonet.data.files.places import Places
from mathonet.errors import DataError
from mathonet.printable import shortened

SUFFIXES = (".csv", ".tsv", ".tab", ".txt", ".dat")


def read_delimited(path: Path) -> tuple[Cells, dict[str, str]]:
    """The columns of a text file by their labels, and their units from a row of units.

    Raises:
        DataError: If the file is no text, or is no table.
    """
    text = read_text(path)
    head, skipped, comments = head_of(text)
    if not head:
        raise DataError(f"{str(path)!r} is empty. Give a file with a header and one row a time.")
    separator = find_separator(path, head)
    rows = cells_of(head, separator)
    header = find_header(rows, cells_of(comments, separator))
    if header is None:
        header = _without_numbers(rows)
    header = _fitted(path, header, rows, separator)
    if len(header.labels) == 1 and not header.named:
        raise DataError(
            f"{str(path)!r} has one column only. Give a file with a column of times and one a state, "
            "separated by commas, semicolons or tabs."
        )
    seen = [cell for row in rows[header.first :] for cell in row]
    decimal = decimal_mark(seen, separator)
    lines = skipped + line_of(head, separator, header.first)
    # Some lines may end with a separator that others do not have.
    blank = [len(row) for row in rows[header.first :] if not any(row[len(header.labels) :])]
    layout = Layout(text, separator, lines, max([len(header.labels), *blank]), decimal)
    frame = parsed(layout)
    frame = frame.iloc[:, : len(header.labels)]
    frame = _complete(text, frame, separator)
    if not header.named:
        header = _invented(path, frame, header)
    elif len(frame.columns) == 1:
        raise DataError(
            f"{str(path)!r} has one column only, {shortened(header.labels[0], 60)!r}. Separate columns by "
            "commas, semicolons or tabs."
        )
    filled = frame.notna().any().to_numpy()
    kept = [n for n, label in enumerate(header.labels) if label or filled[n]]
    if frame.empty:
        raise DataError(f"{str(path)!r} has a header but no rows. Give one row a time.")
    labels = distinct([header.labels[n] for n in kept], header.named)
    units = {label: header.units[n] for n, label in zip(kept, labels, strict=True) if header.units[n]}
    places = Places(partial(table_lines, text, separator, lines, frame.index), "line", "")
    frame = as_written(layout, frame, dict(zip(kept, labels, strict=True)))
    # The first lines may not have told what the others do.
    texts = (cell for n in kept if frame[n].dtype.kind == "O" for cell in frame[n].dropna().unique())
    seen += [cell.strip() for cell in texts if isinstance(cell, str)]
    whole = decimal_mark(seen, separator)
    if whole != decimal:
        decimal, layout = whole, replace(layout, decimal=whole)
        frame = parsed(layout).iloc[:, : len(header.labels)].loc[frame.index]
        frame = as_written(layout, frame, dict(zip(kept, labels, strict=True)))
    if decimal == ".":
        tell_of_points(seen, separator)
    frame = frame.reset_index(drop=True)
    columns = {label: pd.Series(frame[n]) for n, label in zip(kept, labels, strict=True)}
    return Cells(columns, decimal, assumed_mark(seen, separator), places), units


def _fitted(path: Path, header: Header, rows: list[list[str]], separator: str) -> Header:
    """The header with as many names as there are columns.

    Raises:
        DataError: If it has more or fewer: which name is whose would be a guess.
    """
    first = rows[header.first] if header.first < len(rows) else header.labels
    width, names = len(_trimmed(first)), len(_trimmed(header.labels))
    if header.named and (names > len(first) or width > max(header.width, names)):
        remedy = "Every column needs one name."
        if separator == "," and width > names and all(re.fullmatch(r"[+-]?\d+", cell) for cell in first):
            remedy = (
                "If commas stand before decimals as well as between columns, write decimals with points, or "
                "separate columns by semicolons; else give every column one name."
            )
        raise DataError(
            f"{str(path)!r} is not a table: its header has {names} names, and the first row below it "
            f"{len(first)} values. {remedy}"
        )
    count = max(names, width)
    labels, units = (part + ("",) * count for part in (header.labels, header.units))
    return replace(header, labels=labels[:count], units=units[:count])


def _trimmed(row: Sequence[str]) -> Sequence[str]:
    """A row without the empty cells at its end."""
    last = max((place for place, cell in enumerate(row, start=1) if cell.strip()), default=0)
    return row[:last]


def _complete(text: Text, frame: pd.DataFrame, separator: str) -> pd.DataFrame:
    """The rows without those that are blank; a last line that was cut off is left out and told."""
    frame = frame.dropna(how="all")
    if frame.empty or (separator == " " and not frame.iloc[:, -1].isna().any()):
        return frame
    short = frame.iloc[:, -1].isna()
    if short.any() and not text.last(1).endswith((b"\n", b"\r")) and short.iloc[-1]:
        last = cells_of([text.last(LONGEST).decode("utf-8", errors="ignore").splitlines()[-1]], separator)[0]
        if len(last) < len(frame.columns):
            tell(f"The last line of {str(text.path)!r} is cut off after {len(last)} values and left out.")
            frame = frame.iloc[:-1]
            short = short.iloc[:-1]
    if short.any():
        _refuse_short(text, frame, separator)
    return frame


def _refuse_short(text: Text, frame: pd.DataFrame, separator: str) -> None:
    """Refuse lines with fewer cells than columns, which pandas fills up in silence."""
    width = len(frame.columns)
    begun = False
    for number, row in numbered_rows(text, separator):
        begun = begun or len(row) >= width
        if begun and 0 < len(row) < width - _unnamed(frame):
            raise DataError(
                f"{str(text.path)!r} is not a table: line {number} has {len(row)} values and the others "
                f"{width}. Every row needs one value for each column."
            )


def _unnamed(frame: pd.DataFrame) -> int:
    """Columns at the end that hold nothing: separators at the end of lines."""
    empty = frame.isna().all().to_numpy()[::-1]
    return int(empty.argmin()) if not empty.all() else len(empty)


def _without_numbers(rows: list[list[str]]) -> Header:
    """A header and nothing that is a number below it."""
    width = max(len(row) for row in rows)
    labels = [cell.strip() for cell in rows[0]] + [""] * (width - len(rows[0]))
    return Header(tuple(labels), ("",) * width, 1, True)


def _invented(path: Path, frame: pd.DataFrame, header: Header) -> Header:
    """Names for a table without a header: t for a first column that increases."""
    first = frame[0]
    times = pd.api.types.is_numeric_dtype(first) and first.is_monotonic_increasing and first.is_unique
    count = len(frame.columns) - bool(times)
    names = [f"x{number}" for number in range(1, count + 1)] if count > 1 else ["x"]
    labels = ["t", *names] if times else [f"column {n}" for n in range(1, count + 1)]
    tell(
        f"{str(path)!r} has no header: its columns are called {', '.join(labels[:6])}"
        f"{' and so on' * (len(labels) > 6)}."
    )
    return Header(tuple(labels), header.units, header.first, True)
