"""The cells of a file become columns: labels are split into names and units, and numbers made dates."""

import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace

from mathonet.data.choice import tell
from mathonet.data.files.cells import Cells
from mathonet.data.files.column import Column, shown
from mathonet.data.files.switches import switched
from mathonet.data.files.times.number_dates import dated
from mathonet.data.units import looks_like_unit, split_label
from mathonet.errors import DataError

_LONGEST = 200
"""Characters of a label."""
_MOST = 6
_PHRASE = re.compile(r"(?P<name>.*\S)\s+(/|in)\s+(?P<unit>\S+)")


def columns_of(cells: Cells, units: Mapping[str, str]) -> dict[str, Column]:
    """Columns by name: labels without their units, wherever that leaves names apart.

    Args:
        cells: of the file.
        units: from a row of units, by label.
    """
    long = next((label for label in cells.columns if len(label) > _LONGEST), None)
    if long is not None:
        raise DataError(
            f"A column has a name of {len(long):,} characters, {shown(long)}. Give it a shorter one, or "
            "check that the first row is a header."
        )
    cells = _in_a_line(cells)
    split = {label: (label, units[label]) if label in units else split_any(label) for label in cells.columns}
    counts = Counter(name for name, _ in split.values())
    found: dict[str, Column] = {}
    for label, series in cells.columns.items():
        name, unit = split[label]
        taken = name != label and (name in cells.columns or _shared_stem(label, name, cells.columns))
        if counts[name] > 1 or not name or taken:
            name, unit = label, units.get(label, "")
        values = switched(name, dated(name, series, unit))
        found[name] = Column(name, values, label, unit, cells.decimal, cells.assumed, cells.places)
    _tell_of_units(found)
    return found


def _in_a_line(cells: Cells) -> Cells:
    """The cells under labels without line breaks, which Parquet and arrays allow, where they stay apart."""
    labels = [" ".join(label.split()) or label for label in cells.columns]
    if labels == list(cells.columns) or len(set(labels)) < len(labels):
        return cells
    return replace(cells, columns=dict(zip(labels, cells.columns.values(), strict=True)))


def split_any(label: str) -> tuple[str, str]:
    """A label as name and unit: also `t / s` and `Zeit in s`, which physicists and Germans write."""
    found = _PHRASE.fullmatch(label.strip())
    if found is not None and looks_like_unit(found["unit"]):
        return found["name"], found["unit"]
    return split_label(label)


def _shared_stem(label: str, name: str, labels: Collection[str]) -> bool:
    """Whether other columns begin alike: of tank_L and tank_R the letter tells which, and is no unit."""
    return label.startswith(f"{name}_") and any(
        other.startswith(f"{name}_") and other != label and not split_label(other)[1] for other in labels
    )


def _tell_of_units(columns: Mapping[str, Column]) -> None:
    """Say which units were read from the ends of names."""
    split = [each for each in columns.values() if each.label_unit and _is_joined(each)]
    if split:
        words = [f"{each.label!r} is {each.name!r} in {each.label_unit}" for each in split[:_MOST]]
        more = f" and {len(split) - _MOST} more" if len(split) > _MOST else ""
        tell(f"Units are read from names: {', '.join(words)}{more}.")


def _is_joined(column: Column) -> bool:
    """Whether no brackets tell where the unit begins."""
    joined = "_".join([column.name, *column.label_unit.replace("^", "").split("/")])
    return column.label == joined or _PHRASE.fullmatch(column.label) is not None
