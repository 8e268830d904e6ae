"""The lines of a text file: comments above the table, the separator, and the cells between separators."""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from itertools import accumulate, islice
from pathlib import Path

from mathonet.data.files.formats.encoding import Text
from mathonet.data.files.header import LOOKED_AT
from mathonet.data.files.numerals import is_number
from mathonet.data.files.times.dates import looks_like_date

_SEPARATORS = (";", "\t", ",", "|", " ")
"""Those that are likelier first: a comma may be a decimal mark, and spaces may be mere padding."""
_COMMENT = re.compile(r"\s*(#|%|//|\*)\s*(?P<text>.*)")
LONGEST, _ENOUGH, _FEWEST = 8_000_000, 300_000, 6
"""Characters that the head may have, and lines that it has at least: many columns make very long lines."""


def head_of(text: Text) -> tuple[list[str], int, list[str]]:
    """First lines, how many lines of comments stand above them, and these."""
    for size in (_ENOUGH, LONGEST):
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


def cells_of(lines: list[str], separator: str) -> list[list[str]]:
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


def line_of(head: list[str], separator: str, row: int) -> int:
    """The line on which a row begins: cells in quotes may have line breaks."""
    reader = csv.reader(head, delimiter=separator, skipinitialspace=True)
    try:
        for _ in range(row):
            next(reader)
    except (csv.Error, StopIteration):
        return row
    return reader.line_num


def find_separator(path: Path, head: list[str]) -> str:
    """The mark that cuts most lines into equally many cells, most of them numbers or dates."""
    if path.suffix.lower() in {".tsv", ".tab"}:
        return "\t"

    def merit(mark: str) -> tuple[float, float, int]:
        rows = [row for row in cells_of(head[:30], mark) if row]
        widths = [len(row) for row in rows]
        width = max(set(widths), key=widths.count, default=0)
        if width < 2:
            return (0.0, 0.0, 0)
        cells = [cell for row in rows[len(rows) // 2 :] for cell in row if cell.strip()]
        numbers = sum(is_number(cell) or looks_like_date(cell) for cell in cells) / max(len(cells), 1)
        return (round(widths.count(width) / len(rows), 1), round(numbers, 1), -_SEPARATORS.index(mark))

    merits = {mark: merit(mark) for mark in _SEPARATORS}
    best = max(merits, key=lambda mark: merits[mark])
    return best if merits[best][0] > 0 else ","


def first_lines(text: Text, count: int) -> list[bytes]:
    """So many lines from the beginning."""
    for size in (_ENOUGH, LONGEST):
        # One more than needed: the last may be cut off.
        lines = text.first(size).splitlines(keepends=True)
        if len(lines) > count:
            break
    return lines[:count]


def numbered_rows(text: Text, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Every row with the number of the line on which it begins, up to a cell that is too long to be one."""
    lines = io.StringIO(text.whole().decode("utf-8", errors="replace"), newline="")
    if separator == " ":
        for number, line in enumerate(lines, start=1):
            yield number, cells_of([line], separator)[0]
        return
    reader = csv.reader(lines, delimiter=separator, skipinitialspace=True)
    number = 1
    try:
        for row in reader:
            yield number, row
            number = reader.line_num + 1
    except csv.Error:
        return


def table_lines(text: Text, separator: str, skipped: int, kept: Iterable[int]) -> list[int]:
    """The lines of rows that pandas has read.

    Args:
        text: of the file.
        separator: between cells.
        skipped: lines above the table.
        kept: which of the rows that are not blank, by their numbers from 0 on.
    """
    filled = [
        number
        for number, row in numbered_rows(text, separator)
        if number > skipped and (len(row) > 1 or any(cell.strip() for cell in row))
    ]
    return [filled[row] if row < len(filled) else skipped + row + 1 for row in kept]
