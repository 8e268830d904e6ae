"""Parquet and Excel files become columns through pandas."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from mathonet.data.choice import tell
from mathonet.data.delimited import check_header
from mathonet.errors import DataError

Cells = dict[str, list[Any] | np.ndarray]
"""The cells of each column, by its name."""


def read_frame(path: Path) -> Cells:
    """Read a Parquet file, or the first sheet of an Excel file that has something in it.

    Raises:
        DataError: If the file is damaged, holds no table, or needs a package that is not installed.
    """
    frame = _parquet(path) if path.suffix.lower() == ".parquet" else _sheet(path)
    if len(frame) == 0:
        raise DataError(f"{str(path)!r} has columns but no rows. Give one row a time.")
    return {str(name): _cells(column) for name, column in frame.items()}


def _parquet(path: Path) -> pd.DataFrame:
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise DataError(
            f"{str(path)!r} is a Parquet file, and the package that reads them is not installed. Run "
            "`pip install pyarrow` (or install mathonet with its extra `files`), or save the data as CSV."
        ) from None
    try:
        frame = pd.read_parquet(path, engine="pyarrow")
    except OSError:
        raise
    except Exception as error:  # whatever a damaged file makes the reader say
        raise DataError(f"{str(path)!r} is no Parquet file, or a damaged one ({error}).") from error
    if len(frame.columns) == 0:
        raise DataError(f"{str(path)!r} has no columns. Give a table with a row a time.")
    if not isinstance(frame.index, pd.RangeIndex):
        if all(name is not None for name in frame.index.names):
            frame = frame.reset_index()
        else:
            tell(
                f"The index of {str(path)!r} has no name and is left out. To use it as a column, give it one "
                "before saving, such as t."
            )
    frame.columns = [str(name).strip() for name in frame.columns]
    check_header(path, list(frame.columns))
    return frame.dropna(how="all")


def _sheet(path: Path) -> pd.DataFrame:
    try:
        # Styles and extensions that the reader does not know say nothing about the numbers.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with pd.ExcelFile(path, engine="openpyxl") as book:
                for name in book.sheet_names:
                    frame = pd.DataFrame(book.parse(name, header=None, dtype=object))
                    frame = frame.dropna(how="all").dropna(how="all", axis="columns")
                    if frame.size:
                        break
    except OSError:
        raise
    except Exception as error:  # whatever a damaged file makes the reader say
        raise DataError(f"{str(path)!r} is no Excel file (.xlsx), or a damaged one ({error}).") from error
    if not frame.size:
        raise DataError(f"{str(path)!r} is empty. Give a sheet with a header and one row a time.")
    if len(book.sheet_names) > 1:
        tell(f"{str(path)!r} has {len(book.sheet_names)} sheets; {str(name)!r} is read.")
    labels = ["" if pd.isna(label) else str(label).strip() for label in frame.iloc[0]]
    check_header(path, labels)
    frame = frame.iloc[1:]
    frame.columns = labels
    return frame


def _cells(column: pd.Series) -> list[Any] | np.ndarray:
    """An array where the column has one kind of numbers or dates, else its cells."""
    if isinstance(column.dtype, pd.DatetimeTZDtype):
        return column.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy()
    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "fiubmM":
        return column.to_numpy()
    return column.astype(object).tolist()
