"""The rows above the values of a table: names, units, what a logger did with them, groups, and titles."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from mathonet.data.choice import tell
from mathonet.data.units import looks_like_unit
from mathonet.printable import shortened

_SHOWN, _MOST = 60, 4
_DONE = {
    *("min", "max", "avg", "average", "mean", "smp", "std", "tot", "sum", "total", "median", "wvc"),
    *("first", "last", "count", "maximum", "minimum", "sample", "instantaneous"),
}
"""What loggers have done with the values of a column, in a row of its own."""
_NO_UNIT = {"ts", "rn"}
"""What loggers write in a row of units above times and numbers of records."""
_SPELLED = {"volts", "volt", "amps", "deg c", "deg f", "degrees c", "degrees", "percent", "kelvin", "watts"}


@dataclass(frozen=True)
class Names:
    """What the rows above the values say.

    Attributes:
        labels: of the columns, "" where there is none.
        units: of a row of their own.
        named: whether there are names at all.
        width: cells of the row of names.
    """

    labels: list[str]
    units: list[str]
    named: bool
    width: int


def read_names(above: Sequence[Sequence[str]], width: int, comments: Sequence[Sequence[str]] = ()) -> Names:
    """Tell the rows above the values apart; what is left out, and names that are joined, are told.

    Args:
        above: rows that are not blank, from the top down.
        width: columns of the table.
        comments: rows that were comments.
    """
    rows = list(above)
    done = _is_beside_names(rows, width) and _all(rows[-1], lambda cell: cell.lower() in _DONE)
    if done:
        rows.pop()
    units: Sequence[str] = []
    if _is_beside_names(rows, width) and (done or _all(rows[-1], _is_unit)):
        units = rows.pop()
    if not rows:
        return Names([], [], False, 0)
    if rows[-1] in comments:
        rows = rows[-1:]
    place = _of_names(rows, width)
    names = [" ".join(cell.split()) for cell in rows[place]]
    others = [row for number, row in enumerate(rows) if number != place]
    labels, used = _completed(names, rows, place, width)
    _tell_of_titles([row for row in others if not any(row is each for each in used)])
    marks = [cell.strip().strip("[]()").strip() for cell in units]
    return Names(labels, ["" if each.lower() in _NO_UNIT else each for each in marks], True, len(rows[place]))


def _is_beside_names(rows: Sequence[Sequence[str]], width: int) -> bool:
    """Whether the last row may say more of names above it: there are as many, and it is not too long."""
    return len(rows) > 1 and len(rows[-1]) <= width and _filled(rows[-2]) >= _filled(rows[-1])


def _filled(row: Sequence[str]) -> int:
    return sum(bool(cell.strip()) for cell in row)


def _all(row: Sequence[str], is_one) -> bool:
    """Whether all cells that are not empty are of a kind, and there are some."""
    cells = [cell.strip() for cell in row if cell.strip()]
    return bool(cells) and all(is_one(cell) for cell in cells)


def _is_unit(cell: str) -> bool:
    bare = cell.strip("[]()")
    known = bare.lower() in _NO_UNIT or bare.lower() in _SPELLED or looks_like_unit(bare)
    return known or cell[0] + cell[-1] in ("[]", "()")


def _of_names(rows: Sequence[Sequence[str]], width: int) -> int:
    """The row with most names, not all the same; of equal ones the last, since titles stand above."""

    def merit(number: int) -> tuple[int, bool, int]:
        row = rows[number]
        several = len({cell.strip() for cell in row} - {""}) > 1
        return (_filled(row) if len(row) <= width else 0, several, number)

    return max(range(len(rows)), key=merit)


def _completed(
    names: list[str], rows: Sequence[Sequence[str]], place: int, width: int
) -> tuple[list[str], list[Sequence[str]]]:
    """Names with those of other rows where they are empty or occur twice; and the rows that were used."""
    labels = [*names, *[""] * (width - len(names))]
    used: list[Sequence[str]] = []
    for row in reversed(rows[place + 1 :]):
        # Below the names of the columns, pandas writes that of its index.
        if len(row) <= width and not any(cell.strip() and labels[n] for n, cell in enumerate(row)):
            labels = [own or (row[n].strip() if n < len(row) else "") for n, own in enumerate(labels)]
            used.append(row)
    counts = Counter(label for label in labels if label)
    groups = rows[place - 1] if place > 0 and len(rows[place - 1]) <= width else []
    if max(counts.values(), default=0) > 1 and sum(bool(cell.strip()) for cell in groups) > 1:
        spread, group = [], ""
        for n in range(width):
            group = (groups[n].strip() if n < len(groups) else "") or group
            spread.append(group)
        joined = [
            f"{group} {label}".strip() if counts[label] > 1 else label
            for group, label in zip(spread, labels, strict=True)
        ]
        if len(set(joined)) > len(set(labels)):
            made = [name for name, label in zip(joined, labels, strict=True) if name != label]
            shown = ", ".join(repr(shortened(name, _SHOWN)) for name in made[:_MOST])
            tell(f"Names in two rows are joined: {shown}{' and so on' * (len(made) > _MOST)}.")
            return joined, [*used, groups]
    return labels, used


def _tell_of_titles(titles: Sequence[Sequence[str]]) -> None:
    if titles:
        text = " ".join(cell for cell in titles[0] if cell.strip())
        more = "" if len(titles) == 1 else f" and {len(titles) - 1} more"
        tell(f"Above the header is left out: {shortened(text, _SHOWN)!r}{more}.")
