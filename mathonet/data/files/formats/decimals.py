"""The mark before decimals in a text file: a point or a comma, told from all its columns together."""

import re
from collections.abc import Iterable

import numpy as np

from mathonet.data.files.numerals import tell_of_reading
from mathonet.errors import DataError

_COMMA_NUMBER = re.compile(r"[+-]?(\d+,\d*|,\d+)([eE][+-]?\d+)?")
_POINT_NUMBER = re.compile(r"[+-]?(\d+\.\d*|\.\d+)([eE][+-]?\d+)?")
_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}([.,]\d{3})")
"""Thousands, or a number with three decimals."""
_TWICE = {mark: re.compile(rf"[+-]?[1-9]\d{{0,2}}([{mark}]\d{{3}}){{2,}}") for mark in ".,"}
"""Thousands without a doubt: a mark that occurs twice is none before decimals."""
_OTHER = {",": ".", ".": ","}


def decimal_mark(cells: Iterable[str], separator: str) -> str | None:
    """The mark before decimals, where the cells leave no doubt.

    Args:
        cells: without quotes: beside commas, those with commas had some.
        separator: between them.

    Raises:
        DataError: If both marks occur, each where it could be either.
    """
    cells = [cell for cell in cells if "." in cell or "," in cell]
    commas = [cell for cell in cells if _COMMA_NUMBER.fullmatch(cell)]
    points = [cell for cell in cells if _POINT_NUMBER.fullmatch(cell)]
    decimal_commas = [cell for cell in commas if not _GROUPED.fullmatch(cell)]
    decimal_points = [cell for cell in points if not _GROUPED.fullmatch(cell)]
    for mark, decimals in ((".", decimal_points), (",", decimal_commas)):
        if not decimals and any(_TWICE[mark].fullmatch(cell) for cell in cells):
            return _OTHER[mark]
    if decimal_commas and decimal_points:
        return None  # each column by itself
    if separator == ",":
        return "," if decimal_commas else "." if decimal_points else None
    if points and commas and not decimal_points and not decimal_commas:
        raise DataError(
            f"The file has numbers such as {points[0]} and {commas[0]}: either the point or the comma stands "
            "before decimals. Write decimals with points and thousands without marks."
        )
    if decimal_commas:
        return ","
    return "." if points else None


def tell_of_points(cells: Iterable[str], separator: str) -> None:
    """Say that points stand before decimals where all of them could as well mark thousands."""
    points = [cell for cell in cells if "." in cell and _POINT_NUMBER.fullmatch(cell)]
    if points and separator != "," and all(_GROUPED.fullmatch(cell) for cell in points):
        tell_of_reading(points[0], ".")


def assumed_mark(cells: Iterable[str], separator: str) -> str | None:
    """The mark that is usual between such separators; None where the file has both before decimals."""
    if separator != ",":
        return "," if separator == ";" else None
    mixed = any(_COMMA_NUMBER.fullmatch(cell) and not _GROUPED.fullmatch(cell) for cell in cells)
    return None if mixed else "."


def may_be_thousands(values: np.ndarray) -> bool:
    """Whether thousands may have been read as decimals: three of these, beside numbers from 100 to 999."""
    values = np.abs(values[np.isfinite(values)])
    broken = values[values != np.rint(values)]
    whole = values[values == np.rint(values)]
    if not broken.size or broken.min() < 1 or broken.max() >= 1000:
        return False
    three = np.abs(1000 * broken - np.rint(1000 * broken)).max() < 1e-6
    return bool(three and ((whole >= 100) & (whole < 1000)).any())


def refuse_thousands(cells: Iterable[str], name: str, mark: str) -> None:
    """Refuse a column of whole numbers with groups of three digits behind the mark before decimals.

    Raises:
        DataError: If 1.008 stands among 950 and 987, and may mean 1008.
    """
    cells = list(cells)
    marked = [cell for cell in cells if mark in cell]
    whole = next((cell for cell in cells if re.fullmatch(r"[1-9]\d\d", cell)), None)
    if marked and whole is not None and all(_GROUPED.fullmatch(cell) for cell in marked):
        raise DataError(
            f"Column {name!r} holds {marked[0]} among whole numbers such as {whole}, which may be "
            f"{marked[0].replace(mark, '')} or {marked[0].replace(mark, '.')}. Write decimals with points "
            "and thousands without marks."
        )
