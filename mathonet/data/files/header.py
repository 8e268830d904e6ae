"""Where the header of a table is, whether a row of units follows it, and where the numbers begin."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from mathonet.data.choice import tell
from mathonet.data.files.dates import looks_like_date
from mathonet.data.files.listed import listed
from mathonet.data.files.numerals import is_missing, is_number
from mathonet.data.units import looks_like_unit
from mathonet.printable import shortened

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
    above = [row for row in rows[:first] if row]
    if not above:
        above = [row for row in comments if len(row) == width][-2:]
    units = _units_row(above, width)
    names = above if units is None else above[:-1]
    if names and names[-1] in comments:
        names = names[-1:]
    labels = [" ".join(cell.split()) for cell in names[-1]] if names else [""] * width
    _tell_of_titles(names[:-1])
    labels += [""] * (width - len(labels))
    row = [cell.strip().strip("[]()").strip() for cell in units or ()]
    return Header(tuple(labels), tuple(row[:width]) + ("",) * (width - len(row)), first, bool(names))


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


def _units_row(above: Sequence[Sequence[str]], width: int) -> Sequence[str] | None:
    """The row of units between header and values, if there is one."""
    if len(above) < 2 or len(above[-1]) > width:
        return None
    cells = [cell.strip() for cell in above[-1] if cell.strip()]
    likely = all(looks_like_unit(cell.strip("[]()")) or cell[0] + cell[-1] in ("[]", "()") for cell in cells)
    return above[-1] if cells and likely else None


def _tell_of_titles(titles: Sequence[Sequence[str]]) -> None:
    if titles:
        text = " ".join(cell for cell in titles[0] if cell.strip())
        more = "" if len(titles) == 1 else f" and {len(titles) - 1} more"
        tell(f"Above the header is left out: {shortened(text, MOST_SHOWN)!r}{more}.")


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
