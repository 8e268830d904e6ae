"""Where the header of a table is, whether a row of units follows it, and where the numbers begin."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from mathonet.data.choice import tell
from mathonet.data.files.dates import looks_like_date
from mathonet.data.files.numerals import is_missing, is_number
from mathonet.data.units import looks_like_unit

LOOKED_AT = 100
"""First rows that say how a table is laid out."""
MOST_SHOWN = 60


@dataclass(frozen=True)
class Header:
    """The layout of a table.

    Attributes:
        labels: one a column, each of them once.
        units: from a row of their own, "" where there is none.
        first: number of the first row of values.
        named: whether the table has a header of its own.
    """

    labels: tuple[str, ...]
    units: tuple[str, ...]
    first: int
    named: bool


def find_header(rows: Sequence[Sequence[str]], comment: Sequence[str] | None = None) -> Header | None:
    """The layout of a table from its first rows; None where no row holds a number.

    Args:
        rows: first rows of the file, each as its cells; blank ones are empty.
        comment: cells of the last comment above the rows, which may be their header.
    """
    width = _width(rows)
    kinds = [[_kind(cell) for cell in row] for row in rows]
    numeric = _numeric_columns(rows, kinds, width)
    if not numeric:
        return None
    first = next(
        (
            number
            for number, row in enumerate(kinds)
            if _is_values(row, numeric, number == 0 or not any(rows[:number]))
        ),
        None,
    )
    if first is None:
        return None
    above = [number for number in range(first) if rows[number]]
    units = _units_row(rows, above, width)
    names = [number for number in above if number != units]
    header = names[-1] if names else None
    if header is None and comment is not None and len(comment) == width:
        labels, named = list(comment), True
    elif header is None:
        labels, named = [""] * width, False
    else:
        labels, named = [cell.strip() for cell in rows[header]], True
        _tell_of_titles(rows, names[:-1])
    labels += [""] * (width - len(labels))
    row = [] if units is None else [cell.strip().strip("[]()").strip() for cell in rows[units]]
    return Header(tuple(labels), tuple(row[:width]) + ("",) * (width - len(row)), first, named)


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


def _is_values(row: list[str], numeric: list[int], top: bool) -> bool:
    """Whether a row is one of values. In the top row a single text above numbers makes a header."""
    cells = [row[place] if place < len(row) else "" for place in numeric]
    return "value" in cells and not (top and "text" in cells)


def _units_row(rows: Sequence[Sequence[str]], above: list[int], width: int) -> int | None:
    """The row of units between header and values, if there is one."""
    if len(above) < 2 or len(rows[above[-1]]) > width:
        return None
    cells = [cell.strip() for cell in rows[above[-1]] if cell.strip()]
    bracketed = [cell for cell in cells if cell[0] in "[(" and cell[-1] in "])"]
    likely = all(looks_like_unit(cell.strip("[]()")) or cell in bracketed for cell in cells)
    return above[-1] if cells and likely else None


def _tell_of_titles(rows: Sequence[Sequence[str]], titles: list[int]) -> None:
    if titles:
        text = " ".join(cell for cell in rows[titles[0]] if cell.strip())[:MOST_SHOWN]
        more = "" if len(titles) == 1 else f" and {len(titles) - 1} more"
        tell(f"Above the header is left out: {text!r}{more}.")


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
        tell(f"Columns without a name of their own are called {_listed(made)}.")
    return found


def _listed(names: Sequence[str], most: int = 5) -> str:
    shown = ", ".join(repr(name) for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most:,} more"
