"""A table whose content is known, and the bytes of the file that it makes; and what a reader lost of it."""

import io
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from mathonet.data.files.numerals import is_missing

FIRST = 12
"""Letters of a long name that a message or a label shows at least."""


@dataclass(frozen=True)
class Table:
    """Columns of cells, as they are written and as they are meant.

    Attributes:
        names: as written.
        cells: the text of every column's cells.
        values: what they mean: a number, or None.
        exact: whether a column's numbers are to be read as they are, or up to a factor (percent, units).
        suffix: the kind of file.
        separator: of text.
        encoding: of text.
        newline: of text.
        quoted: whether every cell of a text stands in quotes.
    """

    names: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    values: tuple[tuple[float | None, ...], ...]
    exact: tuple[bool, ...]
    suffix: str = ".csv"
    separator: str = ","
    encoding: str = "utf-8"
    newline: str = "\n"
    quoted: bool = False

    def document(self) -> dict[str, Any]:
        """As JSON data."""
        return asdict(self)

    @classmethod
    def from_document(cls, document: dict[str, Any]) -> "Table":
        """From JSON data."""
        nested = {name: tuple(map(tuple, document[name])) for name in ("cells", "values")}
        flat = {name: tuple(document[name]) for name in ("names", "exact")}
        return cls(**(document | nested | flat))

    @property
    def rows(self) -> int:
        """Number of rows below the header."""
        return len(self.cells[0]) if self.cells else 0

    def part(self, rows: Sequence[int], columns: Sequence[int]) -> "Table":
        """Some of its rows and columns."""
        cells = tuple(tuple(self.cells[c][r] for r in rows) for c in columns)
        values = tuple(tuple(self.values[c][r] for r in rows) for c in columns)
        names, exact = tuple(self.names[c] for c in columns), tuple(self.exact[c] for c in columns)
        return replace(self, names=names, cells=cells, values=values, exact=exact)

    def content(self) -> bytes:
        """The bytes of the file."""
        if self.suffix in (".npz", ".mat", ".parquet", ".xlsx"):
            return getattr(self, f"_{self.suffix[1:]}")()
        lines = [self.names, *zip(*self.cells, strict=True)] if self.cells else [self.names]
        text = self.newline.join(self.separator.join(map(self._cell, line)) for line in lines)
        return (text + self.newline).encode(self.encoding, errors="replace")

    def _cell(self, text: str) -> str:
        special = (self.separator, '"', "\n", "\r")
        quoted = self.quoted or any(mark in text for mark in special)
        return '"' + text.replace('"', '""') + '"' if quoted else text

    def _objects(self) -> list[list[Any]]:
        """Numbers where numbers are meant, else text, else nothing."""
        return [
            [text or None if value is None else value for text, value in zip(*column, strict=True)]
            for column in zip(self.cells, self.values, strict=True)
        ]

    def _arrays(self) -> dict[str, np.ndarray]:
        """Arrays by name: of numbers where there is no text."""
        if len(set(self.names)) < len(self.names) or "file" in self.names:
            raise ValueError("names that no such file can hold")
        made = {}
        for name, cells in zip(self.names, self._objects(), strict=True):
            numbers = [math.nan if cell is None else cell for cell in cells]
            text = any(isinstance(cell, str) for cell in cells)
            made[name] = np.array([str(cell) for cell in cells]) if text else np.array(numbers, float)
        return made

    def _npz(self) -> bytes:
        buffer = io.BytesIO()
        np.savez(buffer, **self._arrays())
        return buffer.getvalue()

    def _mat(self) -> bytes:
        from scipy.io import savemat

        if not all(name.isascii() and name.isidentifier() and name[0] != "_" for name in self.names):
            raise ValueError("names that MATLAB does not know")
        buffer = io.BytesIO()
        savemat(buffer, self._arrays())
        # The text at the beginning says when the file was made.
        return b"MATLAB 5.0 MAT-file".ljust(116) + buffer.getvalue()[116:]

    def _frame(self):
        import pandas as pd

        return pd.concat([pd.Series(cells, dtype=object) for cells in self._objects()], axis=1)

    def _parquet(self) -> bytes:
        frame = self._frame().infer_objects()
        for place in frame.columns:
            if frame[place].dtype == object and any(isinstance(cell, str) for cell in frame[place]):
                frame[place] = frame[place].map(lambda cell: None if cell is None else str(cell))
        frame.columns = list(self.names)
        buffer = io.BytesIO()
        frame.to_parquet(buffer, engine="pyarrow")
        return buffer.getvalue()

    def _xlsx(self) -> bytes:
        from openpyxl import Workbook

        book = Workbook()
        sheet = book.active
        assert sheet is not None
        for line in (self.names, *zip(*self._objects(), strict=True)):
            if any(isinstance(cell, str) and (cell[:1] == "=" or len(cell) > 32_000) for cell in line):
                raise ValueError("a formula, or more than a cell holds")
            sheet.append(list(line))
        buffer = io.BytesIO()
        book.save(buffer)
        return buffer.getvalue()


def lost(table: Table, given: dict[str, Any], trajectories: Sequence[Any], told: Sequence[str]) -> str | None:
    """What of a table is neither in the trajectories nor named by a message; None if nothing is.

    Args:
        table: what the file holds.
        given: the columns that were asked for, by their parts.
        trajectories: what was read.
        told: every message.
    """
    channels = [("time", np.concatenate([each.t for each in trajectories]))]
    for names, part in (("names", "x"), ("names", "x_dot"), ("input_names", "u")):
        if getattr(trajectories[0], part) is not None:
            stacked = np.concatenate([getattr(each, part) for each in trajectories])
            own = [""] * stacked.shape[1] if part == "x_dot" else getattr(trajectories[0], names)
            channels += list(zip(own, stacked.T, strict=True))
    every = " ".join(told)
    wanted = _asked(table, given)
    matched: list[tuple[int, np.ndarray]] = []
    for place in wanted:
        name, meant = table.names[place], table.values[place]
        written = [bool(text.strip()) for text in table.cells[place]]
        if not any(written) or _is_named(name, every):
            continue
        # Of what is neither a plain number nor nothing, a reader may make what it can.
        odd = any(text and value is None for text, value in zip(written, meant, strict=True))
        exact = table.exact[place]
        found = [(label, numbers) for label, numbers in channels if _same(meant, numbers, exact, odd)]
        text = all(value is None for value in meant)
        if text and any(label and _alike(label, name) for label, _ in channels[1:]):
            continue
        if text or not found:
            kind = "text" if text else "numbers"
            if given.get("experiment") != " ".join(name.split()) and given.get("time") != " ".join(
                name.split()
            ):
                return f"column of {kind} is gone: {name!r:.60}"
        elif not any(_alike(label, name) or _is_named(label, every) for label, _ in found):
            return f"column stands under another name: {name!r:.60}"
        elif exact and not odd:
            matched.append((place, found[0][1]))
    if matched and not re.search(r"\brows?\b", every):
        before = Counter(_row(table.values[place][row] for place, _ in matched) for row in range(table.rows))
        after = Counter(map(_row, zip(*(numbers for _, numbers in matched), strict=True)))
        nothing = _row([None] * len(matched))
        before[nothing] = after[nothing] = 0
        if before != after:
            return "rows are gone or mixed up"
    return None


def _asked(table: Table, given: dict[str, Any]) -> list[int]:
    """The columns that are to be read: all, unless some were asked for."""
    if given.get("states") is None:
        ignored = given.get("ignore") or []
        return [place for place, name in enumerate(table.names) if " ".join(name.split()) not in ignored]
    named = {name for part in ("states", "derivatives", "inputs") for name in given.get(part) or []}
    return [place for place, name in enumerate(table.names) if " ".join(name.split()) in named]


def _row(numbers: Any) -> tuple[str, ...]:
    return tuple("" if value is None or math.isnan(value) else f"{value + 0.0:.11g}" for value in numbers)


def _same(meant: Sequence[float | None], numbers: np.ndarray, exact: bool, odd: bool) -> bool:
    """Whether a column holds certain numbers, in any order.

    Args:
        meant: the numbers.
        numbers: the column.
        exact: whether just these, or up to an offset and a factor.
        odd: whether it may hold others beside them.
    """
    wanted = np.sort([value for value in meant if value is not None])
    found = np.sort(numbers[np.isfinite(numbers)])
    if exact and odd:
        return len(wanted) > 0 and Counter(_row(wanted)) <= Counter(_row(found))
    if len(wanted) != len(found) or not len(wanted):
        return odd and len(wanted) > 0
    if exact:
        return _row(wanted) == _row(found)
    spans = [each[-1] - each[0] or 1.0 for each in (wanted, found)]
    return bool(np.allclose((wanted - wanted[0]) / spans[0], (found - found[0]) / spans[1], atol=1e-9))


def _letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _is_named(name: str, told: str) -> bool:
    """Whether a message names a column, if need be shortened; or says that there are more than it names."""
    # A column called nan has no name of its own.
    if not _letters(name) or is_missing(name):
        return (
            any(mark in told for mark in (repr(" ".join(name.split()))[1:-1], "column"))
            and "left out" in told
        )
    if re.search(r"and \d+ (more|others)", told):
        return True
    # The unit may have gone from the name; and one letter is in every message: it must stand there as a word.
    whole = " ".join(name.split())
    parts = (re.sub(r"\s*[\[(][^\[(]*[\])]$", "", whole), re.split(r"\s*/|_", whole)[0])
    for each in (whole, repr(whole)[1:-1], repr(repr(whole)[1:-1])[1:-1], *parts):
        word = rf"(?<![^\W_]){re.escape(each)}(?![^\W_])" if len(_letters(each)) < 4 else ""
        if _letters(each) and (re.search(word, told) if word else _letters(each)[:FIRST] in _letters(told)):
            return True
    return False


def _alike(label: str, name: str) -> bool:
    """Whether a name may have come from that of a column: without its unit, for one."""
    ours, theirs = _letters(label), _letters(name)
    return label in ("", "time") or not ours or ours[:FIRST] in theirs or theirs[:FIRST] in ours
