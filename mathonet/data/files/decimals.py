"""The mark before decimals in a text file: a point or a comma, told from all its columns together."""

import re

from mathonet.errors import DataError

_COMMA_NUMBER = re.compile(r"[+-]?(\d+,\d*|,\d+)([eE][+-]?\d+)?")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+")
_POINT_NUMBER = re.compile(r"[+-]?(\d+\.\d*|\.\d+)([eE][+-]?\d+)?")


def decimal_mark(rows: list[list[str]], separator: str) -> str | None:
    """The mark before decimals, where the rows leave no doubt."""
    cells = [cell for row in rows for cell in row]
    commas = [cell for cell in cells if _COMMA_NUMBER.fullmatch(cell)] if separator != "," else []
    points = [cell for cell in cells if _POINT_NUMBER.fullmatch(cell)]
    decimal_commas = [cell for cell in commas if not _THOUSANDS.fullmatch(cell)]
    decimal_points = [cell for cell in points if not _THOUSANDS.fullmatch(cell.replace(".", ","))]
    if points and commas and not decimal_points and not decimal_commas:
        raise DataError(
            f"The file has numbers such as {points[0]} and {commas[0]}: either the point or the comma stands "
            "before decimals. Write decimals with points and thousands without marks."
        )
    for place in range(max(map(len, rows), default=0)) if points and not commas else ():
        column = [row[place] for row in rows if place < len(row)]
        grouped = [cell for cell in column if _THOUSANDS.fullmatch(cell.replace(".", ",")) and "." in cell]
        pointed = [cell for cell in column if _POINT_NUMBER.fullmatch(cell)]
        if (
            separator != ","
            and grouped == pointed
            and any(re.fullmatch(r"\d{3}", cell) for cell in column)
            and grouped
        ):
            raise DataError(
                f"A column holds {grouped[0]} among whole numbers, and may mean "
                f"{grouped[0].replace('.', '')}. Write thousands without marks."
            )
    if decimal_commas and decimal_points:
        return None  # each column by itself
    if points and not decimal_commas:
        return "."
    return "," if decimal_commas or (commas and separator == ";") else None
