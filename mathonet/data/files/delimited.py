"""Text files with separators (CSV, TSV, columns of spaces) become columns, by way of pandas."""

import csv
import io
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, islice
from pathlib import Path

import pandas as pd

from mathonet.data.choice import tell
from mathonet.data.files.cells import Cells
from mathonet.data.files.decimals import decimal_mark
from mathonet.data.files.encoding import Text, read_text
from mathonet.data.files.header import LOOKED_AT, Header, distinct, find_header
from mathonet.data.files.numerals import MISSING, is_number
from mathonet.errors import DataError
from mathonet.printable import in_a_line, shortened

SUFFIXES = (".csv", ".tsv", ".tab", ".txt", ".dat")
_SEPARATORS = (";", "\t", ",", "|", " ")
"""Those that are likelier first: a comma may be a decimal mark, and spaces may be mere padding."""
_COMMENT = re.compile(r"\s*(#|%|//|\*)\s*(?P<text>.*)")
_MISSING = sorted({*MISSING, *(each.upper() for each in MISSING), "NaN", "None", "Null", "Missing"})
_LONGEST, _ENOUGH, _FEWEST = 8_000_000, 300_000, 6
"""Characters that the head may have, and lines that it has at least: many columns make very long lines."""


def read_delimited(path: Path) -> tuple[Cells, dict[str, str]]:
    """The columns of a text file by their labels, and their units from a row of units.

    Raises:
        DataError: If the file is no text, or is no table.
    """
    text = read_text(path)
    head, skipped, comments = _head(text)
    if not head:
        raise DataError(f"{str(path)!r} is empty. Give a file with a header and one row a time.")
    separator = _separator(path, head)
    rows = _rows(head, separator)
    header = find_header(rows, _rows(comments, separator))
    if header is None:
        header = _without_numbers(rows)
    header = _fitted(path, header, rows)
    if len(header.labels) == 1 and not header.named:
        raise DataError(
            f"{str(path)!r} has one column only. Give a file with a column of times and one a state, "
            "separated by commas, semicolons or tabs."
        )
    decimal = decimal_mark(rows[header.first :], separator)
    lines = skipped + _line_of(head, separator, header.first)
    # Some lines may end with a separator that others do not have.
    blank = [len(row) for row in rows[header.first :] if not any(row[len(header.labels) :])]
    frame = _parsed(text, separator, lines, max([len(header.labels), *blank]), decimal)
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
    # Between semicolons or tabs a comma means decimals; beside commas, cells in quotes have thousands.
    hint = decimal or {",": ".", ";": ","}.get(separator)
    columns = {label: pd.Series(frame[n]) for n, label in zip(kept, labels, strict=True)}
    return Cells(columns, hint), units


def _fitted(path: Path, header: Header, rows: list[list[str]]) -> Header:
    """The header with as many names as there are columns.

    Raises:
        DataError: If it has more or fewer: which name is whose would be a guess.
    """
    first = rows[header.first] if header.first < len(rows) else header.labels
    width, names = len(_trimmed(first)), len(_trimmed(header.labels))
    if header.named and (names > len(first) or width > len(header.labels)):
        raise DataError(
            f"{str(path)!r} is not a table: its header has {names} names, and the first row below it "
            f"{len(first)} values. Every column needs one name."
        )
    count = max(names, width)
    labels, units = (part + ("",) * count for part in (header.labels, header.units))
    return replace(header, labels=labels[:count], units=units[:count])


def _trimmed(row: Sequence[str]) -> Sequence[str]:
    """A row without the empty cells at its end."""
    last = max((place for place, cell in enumerate(row, start=1) if cell.strip()), default=0)
    return row[:last]


def _head(text: Text) -> tuple[list[str], int, list[str]]:
    """First lines, how many lines of comments stand above them, and these."""
    for size in (_ENOUGH, _LONGEST):
        lines = io.StringIO(text.first(size).decode("utf-8", errors="ignore"), newline=None)
        head = list(islice(lines, LOOKED_AT))
        if len(head) > _FEWEST or text.size <= size:
            break
    if text.size > size and len(head) < LOOKED_AT:
        head.pop()  # cut off within a line
    enough = next(
        (n for n, size in enumerate(accumulate(map(len, head)), start=1) if size > _ENOUGH), len(head)
    )
    head = head[: max(enough, _FEWEST)]
    skipped, comments = 0, []
    for line in head:
        match = _COMMENT.match(line)
        if match is None and line.strip():
            break
        skipped += 1
        if match is not None and match["text"].strip():
            comments.append(match["text"].strip())
    rest = head[skipped:]
    # An Excel file says so: the separator is told, not data.
    if rest and (told := re.fullmatch(r"\s*sep=(.)\s*", rest[0])) is not None and told[1] in _SEPARATORS:
        rest, skipped = rest[1:], skipped + 1
    while rest and not rest[0].strip():
        rest, skipped = rest[1:], skipped + 1
    return rest, skipped, comments


def _rows(lines: list[str], separator: str) -> list[list[str]]:
    """Cells of lines; blank ones have none."""
    if separator == " ":
        if not any('"' in line for line in lines):
            return [line.split() for line in lines]
        lines = [line.strip() for line in lines]
    try:
        rows = list(csv.reader(lines, delimiter=separator, skipinitialspace=True))
    except csv.Error:
        rows = [line.split(separator) for line in lines]
    return [row if any(cell.strip() for cell in row) else [] for row in rows]


def _line_of(head: list[str], separator: str, row: int) -> int:
    """The line on which a row begins: cells in quotes may have line breaks."""
    reader = csv.reader(head, delimiter=separator, skipinitialspace=True)
    try:
        for _ in range(row):
            next(reader)
    except (csv.Error, StopIteration):
        return row
    return reader.line_num


def _separator(path: Path, head: list[str]) -> str:
    """The mark that cuts most lines into equally many cells, most of them numbers."""
    if path.suffix.lower() in {".tsv", ".tab"}:
        return "\t"

    def merit(mark: str) -> tuple[float, float, int]:
        rows = [row for row in _rows(head[:30], mark) if row]
        widths = [len(row) for row in rows]
        width = max(set(widths), key=widths.count, default=0)
        if width < 2:
            return (0.0, 0.0, 0)
        cells = [cell for row in rows[len(rows) // 2 :] for cell in row if cell.strip()]
        numbers = sum(is_number(cell) for cell in cells) / max(len(cells), 1)
        return (round(widths.count(width) / len(rows), 1), round(numbers, 1), -_SEPARATORS.index(mark))

    merits = {mark: merit(mark) for mark in _SEPARATORS}
    best = max(merits, key=lambda mark: merits[mark])
    return best if merits[best][0] > 0 else ","


def _parsed(text: Text, separator: str, lines: int, width: int, decimal: str | None) -> pd.DataFrame:
    above, cut = _first_lines(text, lines), 0
    # Quotes above the table may mislead pandas.
    if any(b'"' in line for line in above):
        cut, lines = sum(map(len, above)), 0
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            # Columns of numbers and text are looked at cell by cell anyway.
            warnings.simplefilter("ignore", pd.errors.DtypeWarning)
            return pd.read_csv(
                text.source(cut),
                sep=r"\s+" if separator == " " else separator,
                header=None,
                names=range(width),
                index_col=False,
                skiprows=lines,
                skipinitialspace=True,
                decimal="," if decimal == "," else ".",
                keep_default_na=False,
                na_values=_MISSING,
                compression=None,
            )
    except pd.errors.EmptyDataError:
        return pd.DataFrame(columns=range(width))
    except (pd.errors.ParserError, pd.errors.ParserWarning, ValueError, OverflowError) as error:
        raise _ragged(text.path, error, lines) from error


def _first_lines(text: Text, count: int) -> list[bytes]:
    for size in (_ENOUGH, _LONGEST):
        # One more than needed: the last may be cut off.
        lines = text.first(size).splitlines(keepends=True)
        if len(lines) > count:
            break
    return lines[:count]


def _ragged(path: Path, error: Exception, lines: int) -> DataError:
    found = re.search(r"Expected (\d+) fields in line (\d+), saw (\d+)", str(error))
    if found is None:
        why = in_a_line(error)
        return DataError(f"{str(path)!r} is not a table ({why}). Every row needs one value for each column.")
    return DataError(
        f"{str(path)!r} is not a table: line {found[2]} has {found[3]} values and the others {found[1]}. "
        "Every row needs one value for each column."
    )


def _complete(text: Text, frame: pd.DataFrame, separator: str) -> pd.DataFrame:
    """The rows without those that are blank; a last line that was cut off is left out and told."""
    frame = frame.dropna(how="all")
    if frame.empty or (separator == " " and not frame.iloc[:, -1].isna().any()):
        return frame.reset_index(drop=True)
    short = frame.iloc[:, -1].isna()
    if short.any() and not text.last(1).endswith((b"\n", b"\r")) and short.iloc[-1]:
        last = _rows([text.last(_LONGEST).decode("utf-8", errors="ignore").splitlines()[-1]], separator)[0]
        if len(last) < len(frame.columns):
            tell(f"The last line of {str(text.path)!r} is cut off after {len(last)} values and left out.")
            frame = frame.iloc[:-1]
            short = short.iloc[:-1]
    if short.any():
        _refuse_short(text, frame, separator)
    return frame.reset_index(drop=True)


def _refuse_short(text: Text, frame: pd.DataFrame, separator: str) -> None:
    """Refuse lines with fewer cells than columns, which pandas fills up in silence."""
    width = len(frame.columns)
    lines = io.StringIO(text.whole().decode("utf-8", errors="replace"), newline="")
    if separator == " ":
        rows = ((number, _rows([line], separator)[0]) for number, line in enumerate(lines, start=1))
    else:
        reader = csv.reader(lines, delimiter=separator, skipinitialspace=True)
        rows = ((reader.line_num, row) for row in reader)
    begun = False
    for number, row in _until_error(rows):
        begun = begun or len(row) >= width
        if begun and 0 < len(row) < width - _unnamed(frame):
            raise DataError(
                f"{str(text.path)!r} is not a table: line {number} has {len(row)} values and the others "
                f"{width}. Every row needs one value for each column."
            )


def _until_error(rows: Iterator[tuple[int, list[str]]]) -> Iterator[tuple[int, list[str]]]:
    """Rows up to a cell that the standard library finds too long."""
    try:
        yield from rows
    except csv.Error:
        return


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
