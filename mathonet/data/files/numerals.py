"""Numbers as people write them: decimal commas, thousands, percent, units, and a minus that is a dash."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from mathonet.errors import DataError

MISSING = frozenset(
    [
        "na",
        "n/a",
        "#n/a",
        "<na>",
        "nan",
        "-nan",
        "null",
        "none",
        "nil",
        "missing",
        "-",
        "--",
        "–",
        "—",
        "?",
        "n.a.",
        "nd",
        "n.d.",
        "#div/0!",
        "#value!",
        "#ref!",
        "#num!",
        "#name?",
        "#null!",
        "*",
        "**",
        "***",
    ]
) | {""}
"""What stands, in small letters, where nothing was measured."""
_DASHES = str.maketrans({"\N{MINUS SIGN}": "-", "\N{EN DASH}": "-", "\N{FULLWIDTH HYPHEN-MINUS}": "-"})
_SPACES = "   \u2009\N{FIGURE SPACE}"
_NUMBER = re.compile(
    rf"(?P<sign>[+-]?)\s*(?P<body>\d[\d.,'’{_SPACES}]*(?<=\d)|\d+[.,]|[.,]\d+)"
    rf"(?P<exponent>[eEdD][+-]?\d+)?\s*(?P<unit>[^\d\s.,+-][^\d]{{0,15}}[^\s]?)?"
)
_PLAIN = re.compile(r"\d*\.?\d*")
_THOUSANDS = {mark: re.compile(rf"\d{{1,3}}([{mark}]\d{{3}})+") for mark in (",", ".", f"'’{_SPACES}")}


@dataclass(frozen=True)
class Numerals:
    """A column of written numbers, read.

    Attributes:
        values: NaN where there is none.
        unit: that stands behind the numbers, "" if none does.
    """

    values: np.ndarray
    unit: str


def is_missing(text: str) -> bool:
    """Whether a text stands for a value that was not measured."""
    return text.strip().lower() in MISSING


def is_number(text: str) -> bool:
    """Whether a text can be read as a number in some way of writing."""
    match = _NUMBER.fullmatch(text.strip().translate(_DASHES))
    return match is not None or plain(text) is not None


def plain(text: str) -> float | None:
    """A number written as in programs; None if it is not. Underscores are no part of a measured number."""
    try:
        return None if "_" in text else float(text)
    except ValueError:
        return None


def read_numerals(cells: Iterable[str], name: str, decimal: str | None) -> Numerals:
    """Read the cells of a column that are not all plain numbers.

    Args:
        cells: as they stand in the file.
        name: of the column, for messages.
        decimal: the mark that the rest of the file has before decimals, None where that says nothing.

    Raises:
        DataError: If cells have different units, or a comma may mean two things.
    """
    cells = [cell.strip().translate(_DASHES) for cell in cells]
    found = [None if is_missing(cell) else _NUMBER.fullmatch(cell) for cell in cells]
    matches = [match for match in found if match is not None]
    unit = _unit(matches, name)
    comma = _decimal_is_comma([match["body"].strip() for match in matches], name, decimal)
    values = np.full(len(cells), np.nan)
    for row, (cell, match) in enumerate(zip(cells, found, strict=True)):
        if is_missing(cell):
            continue
        number = plain(cell) if match is None or (match["unit"] is None and not comma) else None
        if number is None and match is not None:
            number = _value(match, comma)
        if number is not None:
            values[row] = number
    return Numerals(values, unit)


def _unit(matches: list[re.Match[str]], name: str) -> str:
    units = sorted({match["unit"].strip() for match in matches if match["unit"]})
    if len(units) > 1:
        raise DataError(
            f"The cells of column {name!r} have different units: {units[0]!r} and {units[1]!r}. Write all of "
            "them in one unit, or leave the column out."
        )
    return units[0] if units else ""


def _decimal_is_comma(bodies: list[str], name: str, decimal: str | None) -> bool:
    """Whether commas stand before decimals in a column.

    Raises:
        DataError: If that cannot be told: 1,234 is a thousand and more, or one and a little.
    """
    commas = [body for body in bodies if "," in body]
    if not commas:
        return decimal == "," and all(_THOUSANDS["."].fullmatch(body) for body in bodies if "." in body)
    if any("." in body and body.rfind(".") > body.rfind(",") for body in commas):
        return False
    if any(body.count(",") > 1 and _THOUSANDS[","].fullmatch(body) for body in commas):
        return False
    if any(not _THOUSANDS[","].fullmatch(body) for body in commas):
        return True
    if decimal is not None:
        return decimal == ","
    raise DataError(
        f"Column {name!r} holds numbers such as {commas[0]}, which may be {commas[0].replace(',', '')} or "
        f"{commas[0].replace(',', '.')}. Write decimals with points and thousands without marks."
    )


def _value(match: re.Match[str], comma: bool) -> float | None:
    body = match["body"].strip()
    for spaces in _THOUSANDS:
        if len(spaces) > 1 and _THOUSANDS[spaces].fullmatch(re.split("[.,]", body)[0]):
            body = re.sub(f"[{spaces}]", "", body)
    mark, other = (",", ".") if comma else (".", ",")
    whole = body.split(mark)[0]
    if other in whole and not _THOUSANDS[other].fullmatch(whole):
        return None
    body = body.replace(other, "").replace(mark, ".")
    if not _PLAIN.fullmatch(body):
        return None
    exponent = (match["exponent"] or "").lower().replace("d", "e")
    try:
        return float(f"{match['sign']}{body}{exponent}")
    except ValueError:
        return None
