"""The rows of a text file by way of pandas, and columns as they stand where pandas may have erred."""

import re
import warnings
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from mathonet.data.files.formats.decimals import may_be_thousands, refuse_thousands
from mathonet.data.files.formats.encoding import Text
from mathonet.data.files.formats.lines import first_lines
from mathonet.data.files.numerals import MISSING
from mathonet.errors import DataError
from mathonet.printable import in_a_line

_MISSING = sorted({*MISSING, *(each.upper() for each in MISSING), "NaN", "None", "Null", "Missing"})


@dataclass(frozen=True)
class Layout:
    """How a table stands in a text file.

    Attributes:
        text: of the file.
        separator: between cells.
        skipped: lines above the values.
        width: columns.
        decimal: mark before decimals; None where that is not known.
    """

    text: Text
    separator: str
    skipped: int
    width: int
    decimal: str | None


def parsed(layout: Layout, columns: list[int] | None = None) -> pd.DataFrame:
    """The table as pandas reads it.

    Args:
        layout: of the file.
        columns: to be read as text, as they stand; None for all, as what they hold.

    Raises:
        DataError: If rows have more cells than there are columns.
    """
    text, lines = layout.text, layout.skipped
    above, cut = first_lines(text, lines), 0
    # Quotes above the table may mislead pandas.
    if any(b'"' in line for line in above):
        cut, lines = sum(map(len, above)), 0
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            # Columns of numbers and text are looked at cell by cell anyway.
            warnings.simplefilter("ignore", pd.errors.DtypeWarning)
            return pd.read_csv(
                text.source(cut),
                sep=r"\s+" if layout.separator == " " else layout.separator,
                header=None,
                names=range(layout.width),
                index_col=False,
                skiprows=lines,
                skipinitialspace=True,
                # Between commas, pandas would take decimal commas for separators.
                decimal="," if layout.decimal == "," and layout.separator != "," else ".",
                usecols=columns,
                dtype=None if columns is None else str,
                keep_default_na=False,
                na_values=_MISSING,
                compression=None,
            )
    except pd.errors.EmptyDataError:
        return pd.DataFrame(columns=range(layout.width))
    except (pd.errors.ParserError, pd.errors.ParserWarning, ValueError, OverflowError) as error:
        raise _ragged(text.path, error, layout.skipped if cut else 0) from error


def as_written(layout: Layout, frame: pd.DataFrame, labels: dict[int, str]) -> pd.DataFrame:
    """The table, with columns as text where numbers may have been misread.

    A column of numbers and text is text throughout: pandas reads in pieces, and would leave some as numbers.

    Raises:
        DataError: If thousands may have been read as decimals.
    """
    mixed = [n for n in labels if frame[n].dtype == object and _is_mixed(pd.Series(frame[n]))]
    doubtful = [
        n
        for n in labels
        if layout.separator != "," and frame[n].dtype.kind == "f" and may_be_thousands(frame[n].to_numpy())
    ]
    if not mixed and not doubtful:
        return frame
    texts = parsed(layout, sorted({*mixed, *doubtful})).loc[frame.index]
    for n in doubtful:
        refuse_thousands(texts[n].dropna().str.strip(), labels[n], layout.decimal or ".")
    return frame.drop(columns=mixed).join(texts[mixed]) if mixed else frame


def _is_mixed(cells: pd.Series) -> bool:
    filled = cells.dropna()
    return len({isinstance(each, str) for each in filled}) > 1


def _ragged(path: Path, error: Exception, above: int) -> DataError:
    found = re.search(r"Expected (\d+) fields in line (\d+), saw (\d+)", str(error))
    if found is None:
        why = in_a_line(error)
        return DataError(f"{str(path)!r} is not a table ({why}). Every row needs one value for each column.")
    return DataError(
        f"{str(path)!r} is not a table: line {int(found[2]) + above} has {found[3]} values and the others "
        f"{found[1]}. Every row needs one value for each column."
    )
