"""Parquet files become columns through pandas."""

from pathlib import Path

import pandas as pd

from mathonet.data.choice import tell
from mathonet.data.files.cells import Cells
from mathonet.data.files.header import distinct
from mathonet.data.files.memory import refuse_larger_than_memory
from mathonet.errors import DataError
from mathonet.printable import in_a_line


def read_parquet(path: Path) -> Cells:
    """The columns of a Parquet file by their labels.

    Raises:
        DataError: If the file is damaged, or needs a package that is not installed.
    """
    try:
        import pyarrow.parquet
    except ImportError:
        raise DataError(
            f"{str(path)!r} is a Parquet file, and the package that reads them is not installed. Run "
            "`pip install pyarrow` (or install mathonet with its extra `files`), or save the data as CSV."
        ) from None
    try:
        about = pyarrow.parquet.read_metadata(path)
        refuse_larger_than_memory(path, 8.0 * about.num_rows * about.num_columns)
        frame = pd.read_parquet(path, engine="pyarrow")
    except (OSError, DataError):
        raise
    except Exception as error:  # whatever a damaged file makes the reader say
        raise DataError(
            f"{str(path)!r} is no Parquet file, or a damaged one ({in_a_line(error)})."
        ) from error
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
    frame = frame.dropna(how="all").reset_index(drop=True)
    if frame.empty:
        raise DataError(f"{str(path)!r} has columns but no rows. Give one row a time.")
    labels = distinct([str(name).strip() for name in frame.columns], True)
    return Cells({label: frame.iloc[:, n] for n, label in enumerate(labels)})
