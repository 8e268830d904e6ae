"""Cells: the columns of a file as pandas has them, what its decimals look like, and where its rows stand."""

from dataclasses import dataclass

import pandas as pd

from mathonet.data.files.places import UNKNOWN, Places


@dataclass(frozen=True)
class Cells:
    """Columns by their labels.

    Attributes:
        columns: numbers, dates, text, or objects; missing cells as pandas marks them.
        decimal: mark before decimals in cells that are text; None where the file does not tell.
        assumed: the mark that is usual in such a file; None if there is none.
        places: where in the file the rows stand.
    """

    columns: dict[str, pd.Series]
    decimal: str | None = None
    assumed: str | None = None
    places: Places = UNKNOWN
