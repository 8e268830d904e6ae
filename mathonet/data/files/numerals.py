"""Numbers as people write them: decimal commas, thousands, percent, units, and a minus that is a dash."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from mathonet.data.choice import tell
from mathonet.data.units import looks_like_unit
from mathonet.errors import DataError
from mathonet.printable import shortened

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
_SPACES = " \u00a0\u202f\u2009\u2007"
"""Between thousands: plain, not breaking, narrow, thin, and as wide as a figure."""
CURRENCIES = "$€£¥₹"
_NUMBER = re.compile(
    rf"(?P<sign>[+-]?)\s*(?P<before>[{CURRENCIES}]?)\s*"
    rf"(?P<body>\d{{1,3}}([{_SPACES}]\d{{3}})+([.,]\d+)?|\d[\d.,'’]*(?<=\d)|\d+[.,]|[.,]\d+)"
    rf"(?P<exponent>[eEdD][+-]?\d+)?\s*(?P<unit>[^\d\s.,+-][^\d]{{0,15}}[^\s]?)?"
)
_PLAIN = re.compile(r"\d*\.?\d*")
_THOUSANDS = {mark: re.compile(rf"[1-9]\d{{0,2}}([{mark}]\d{{3}})+") for mark in (",", ".", f"'’{_SPACES}")}
"""Groups of three digits; no number of thousands begins with a zero."""
_SAY = "Write decimals with points and thousands without marks."


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
    match = _match(text.strip().translate(_DASHES))
    # Two numbers with a separator between them, as in 0.5,80.1, look like one, and are none.
    written = match is not None and (_value(match, False) is not None or _value(match, True) is not None)
    return written or plain(text) is not None


def plain(text: str) -> float | None:
    """A number written as in programs; None if it is not. Underscores are no part of a measured number."""
    try:
        return None if "_" in text else float(text)
    except ValueError:
        return None


def read_numerals(
    cells: Iterable[str], name: str, decimal: str | None, assumed: str | None = None
) -> Numerals:
    """Read the cells of a column that are not all plain numbers.

    Args:
        cells: as they stand in the file.
        name: of the column, for messages.
        decimal: the mark that the rest of the file has before decimals, None where that says nothing.
        assumed: the mark that is usual between the separators of the file; where it decides, that is told.

    Raises:
        DataError: If cells have different units, or a comma may mean two things.
    """
    cells = [cell.strip().translate(_DASHES) for cell in cells]
    found = [None if is_missing(cell) else _match(cell) for cell in cells]
    matches = [match for match in found if match is not None]
    unit = _unit(matches, name)
    comma = _decimal_is_comma([match["body"].strip() for match in matches], name, decimal, assumed)
    values = np.full(len(cells), np.nan)
    for row, (cell, match) in enumerate(zip(cells, found, strict=True)):
        if is_missing(cell):
            continue
        number = plain(cell) if match is None or (not _unit_of(match) and not comma) else None
        if number is None and match is not None:
            number = _value(match, comma)
        if number is not None:
            values[row] = number
    return Numerals(values, unit)


def _match(cell: str) -> re.Match[str] | None:
    """A cell that is a number, if need be with a unit or a currency beside it; other words make it text."""
    match = _NUMBER.fullmatch(cell)
    if match is None or (match["unit"] and match["before"]):
        return None
    unit = (match["unit"] or "").strip()
    return match if not unit or unit in CURRENCIES or looks_like_unit(unit) else None


def _unit_of(match: re.Match[str]) -> str:
    return (match["unit"] or match["before"]).strip()


def _unit(matches: list[re.Match[str]], name: str) -> str:
    units = sorted({_unit_of(match) for match in matches} - {""})
    if len(units) > 1:
        raise DataError(
            f"The cells of column {name!r} have different units: {units[0]!r} and {units[1]!r}. Write all of "
            "them in one unit, or leave the column out."
        )
    bare = [match[0] for match in matches if not _unit_of(match) and float(plain(match[0]) or 1.0) != 0.0]
    if units and bare:
        raise DataError(
            f"Some cells of column {name!r} have the unit {units[0]!r} and others, such as "
            f"{shortened(bare[0], 60)!r}, have "
            "none. Write all of them in one unit, or leave the column out."
        )
    return units[0] if units else ""


def _decimal_is_comma(bodies: list[str], name: str, decimal: str | None, assumed: str | None) -> bool:
    """Whether commas stand before decimals in a column.

    Raises:
        DataError: If that cannot be told: 1,234 is a thousand and more, or one and a little.
    """
    commas = [body for body in bodies if "," in body]
    if not commas:
        points = [body for body in bodies if "." in body]
        grouped = all(_THOUSANDS["."].fullmatch(body) for body in points)
        return grouped and (decimal == "," or any(body.count(".") > 1 for body in points))
    if any("." in body and body.rfind(".") > body.rfind(",") for body in commas):
        return False
    if any(body.count(",") > 1 and _THOUSANDS[","].fullmatch(body) for body in commas):
        return False
    pointed = [body for body in bodies if "." in body and "," not in body]
    grouped = [body for body in commas if _THOUSANDS[","].fullmatch(body) and "." not in body]
    if pointed and (grouped or any(_THOUSANDS["."].fullmatch(body) for body in pointed)):
        raise DataError(
            f"Column {name!r} holds {commas[0]} and {pointed[0]}: which mark stands before decimals cannot "
            f"be told. {_SAY}"
        )
    if any(not _THOUSANDS[","].fullmatch(body) for body in commas):
        return True
    whole = next((body for body in bodies if re.fullmatch(r"[1-9]\d\d", body)), None)
    mark = decimal or assumed
    # Whole numbers up to 999, and groups of three digits beyond, are how thousands are written.
    if mark is None or (mark == "," and whole is not None):
        among = "" if whole is None else f" among whole numbers such as {whole}"
        raise DataError(
            f"Column {name!r} holds numbers such as {commas[0]}{among}, which may be "
            f"{commas[0].replace(',', '')} or {commas[0].replace(',', '.')}. {_SAY}"
        )
    if decimal is None and not (mark == "." and whole is not None):
        tell_of_reading(commas[0], mark, f"In column {name!r}, numbers")
    return mark == ","


def tell_of_reading(number: str, mark: str, what: str = "Numbers") -> None:
    """Say that a number of two meanings is taken with this mark before decimals."""
    own = "," if "," in number else "."
    whole, broken = number.replace(own, ""), number.replace(own, ".")
    taken, other = (f"as decimals, {broken}", whole) if own == mark else (f"as thousands, {whole}", broken)
    tell(f"{what} such as {number} are taken {taken}. If they mean {other}, correct the file. {_SAY}")


def _value(match: re.Match[str], comma: bool) -> float | None:
    body = match["body"].strip()
    for spaces in _THOUSANDS:
        if len(spaces) > 1 and _THOUSANDS[spaces].fullmatch(re.split("[.,]", body)[0]):
            body = re.sub(f"[{spaces}]", "", body)
    mark, other = (",", ".") if comma else (".", ",")
    whole, _, decimals = body.partition(mark)
    if other in decimals or (other in whole and not _THOUSANDS[other].fullmatch(whole)):
        return None
    body = body.replace(other, "").replace(mark, ".")
    if not _PLAIN.fullmatch(body):
        return None
    exponent = (match["exponent"] or "").lower().replace("d", "e")
    try:
        return float(f"{match['sign']}{body}{exponent}")
    except ValueError:
        return None
