"""Cells: the columns of a file as pandas has them, and what its decimals look like."""

from dataclasses import dataclass

import pandas as pd


@dataclass(frozen=True)
class Cells:
    """Columns by their labels.

    Attributes:
        columns: numbers, dates, text, or objects; missing cells as pandas marks them.
        decimal: mark before decimals in cells that are text; None where the file does not tell.
    """

    columns: dict[str, pd.Series]
    decimal: str | None = None
