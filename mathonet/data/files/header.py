"""Where the header of a table is, whether a row of units follows it, and where the numbers begin."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from mathonet.data.choice import tell
from mathonet.data.files.listed import listed
from mathonet.data.files.numerals import is_missing, is_number
from mathonet.data.files.times.dates import looks_like_date
from mathonet.data.files.title import read_names

LOOKED_AT = 100
"""First rows that say how a table is laid out."""


@dataclass(frozen=True)
class Header:
    """The layout of a table.

    Attributes:
        labels: one a column, each of them once.
        units: from a row of their own, "" where there is none.
        first: number of the first row of values.
        named: whether the table has a header of its own.
        width: cells that the row of names has, empty ones at its end as well.
    """

    labels: tuple[str, ...]
    units: tuple[str, ...]
    first: int
    named: bool
    width: int = 0


def find_header(rows: Sequence[Sequence[str]], comments: Sequence[Sequence[str]] = ()) -> Header | None:
    """The layout of a table from its first rows; None where no row holds a number.

    Args:
        rows: first rows of the file, each as its cells; blank ones are empty.
        comments: cells of the comments above the rows; the last may be their header, or its units.
    """
    width = _width(rows)
    kinds = [[_kind(cell) for cell in row] for row in rows]
    numeric = _numeric_columns(rows, kinds, width)
    if not numeric:
        return None
    start = _below_text(rows, kinds, numeric, width)
    first = next(
        (
            number
            for number, row in enumerate(kinds)
            if number >= start and _is_values(row, numeric, number == 0 or not any(rows[:number]))
        ),
        None,
    )
    if first is None:
        return None
    above = [row for row in rows[:first] if row]
    if not above:
        above = [row for row in comments if len(row) == width][-2:]
    block = read_names(above, width, comments)
    labels = [*block.labels, *[""] * (width - len(block.labels))]
    units = tuple(block.units[:width]) + ("",) * (width - len(block.units))
    return Header(tuple(labels), units, first, block.named, block.width)


def _width(rows: Sequence[Sequence[str]]) -> int:
    """Columns of most rows; of equally many, the last ones decide, since titles stand above."""
    counts = Counter(len(row) for row in rows if row)
    last = [len(row) for row in rows if row][-1] if counts else 0
    return max(counts, key=lambda width: (counts[width], width == last), default=0)


def _kind(cell: str) -> str:
    """What a cell holds: nothing, a value (a number or a date), or text."""
    if is_missing(cell):
        return ""
    return "value" if is_number(cell) or looks_like_date(cell) else "text"


def _numeric_columns(rows: Sequence[Sequence[str]], kinds: list[list[str]], width: int) -> list[int]:
    """Columns whose cells are mostly values, as the lower half of the rows says."""
    full = [kind for row, kind in zip(rows, kinds, strict=True) if len(row) == width]
    lower = full[len(full) // 2 :]
    found = []
    for place in range(width):
        seen = Counter(row[place] for row in lower)
        if seen["value"] > seen["text"]:
            found.append(place)
    return found


def _below_text(rows: Sequence[Sequence[str]], kinds: list[list[str]], numeric: list[int], width: int) -> int:
    """The row below the last one that names columns: settings of a device above it may hold numbers."""
    found = 0
    for number, (row, kind) in enumerate(zip(rows, kinds, strict=True)):
        if len(row) < width:
            continue
        cells = [kind[place] for place in numeric]
        values, texts = cells.count("value"), cells.count("text")
        if values > texts:
            break
        if texts and not values:
            found = number + 1
    return found


def _is_values(row: list[str], numeric: list[int], top: bool) -> bool:
    """Whether a row is one of values. In the top row a single text above numbers makes a header."""
    cells = [row[place] if place < len(row) else "" for place in numeric]
    return "value" in cells and not (top and "text" in cells)


def distinct(labels: Sequence[str], named: bool) -> list[str]:
    """Labels that are all different and not empty; what was made up is told."""
    counts = Counter(labels)
    taken, made, found = set(labels), [], []
    seen: Counter[str] = Counter()
    for place, label in enumerate(labels, start=1):
        name = label
        if not label or (counts[label] > 1 and seen[label]):
            name = f"{label}_{seen[label] + 1}" if label else f"column {place}"
            while name in taken:
                name += "_"
            taken.add(name)
            made.append(name)
        seen[label] += 1
        found.append(name)
    if made and named:
        tell(f"Columns without a name of their own are called {listed(made)}.")
    return found
