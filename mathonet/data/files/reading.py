"""A file becomes named columns; its ending says of which kind it is."""

import difflib
import os
import stat
from pathlib import Path

from mathonet.data.files.cells import Cells
from mathonet.data.files.column import Column
from mathonet.data.files.footer import without_footer
from mathonet.data.files.formats.delimited import SUFFIXES as TEXT
from mathonet.data.files.formats.delimited import read_delimited
from mathonet.data.files.naming import columns_of
from mathonet.errors import DataError
from mathonet.paths import local_path
from mathonet.printable import in_a_line

SUFFIXES = (*TEXT, ".parquet", ".npz", ".mat", ".xlsx")
_OTHERS = {
    ".npy": "holds one array without names: save arrays by name with numpy.savez, as .npz",
    ".xls": "is an old Excel file: save it as .xlsx",
    ".ods": "is a LibreOffice sheet: save it as .xlsx or .csv",
    ".pkl": "is a pickle, which may run code when it is read: save the data as .csv, .npz or .parquet",
    ".pickle": "is a pickle, which may run code when it is read: save the data as .csv, .npz or .parquet",
    ".h5": "is an HDF5 file: save its arrays with numpy.savez, as .npz",
    ".hdf5": "is an HDF5 file: save its arrays with numpy.savez, as .npz",
    ".gz": "is compressed: unpack it first",
    ".zip": "is compressed: unpack it first",
    ".json": "is JSON: save the data as .csv, with a row a time",
}
"""Files that are no tables here, and what to do instead."""
_NAMED = 5

Table = dict[str, Column]
"""The columns of a file by their names."""


def read_file(given: str | os.PathLike[str], sheet: str | None = None) -> Table:
    """Read the columns of a file: text with separators, Parquet, NPZ, MAT or Excel.

    Args:
        given: its path.
        sheet: of an Excel file.

    Raises:
        DataError: If the file is missing, of another kind, or damaged.
        ConfigError: If the path is none of this machine's.
    """
    path = local_path(given, "The path of the data")
    suffix = path.suffix.lower()
    _refuse_no_file(path)
    if suffix in _OTHERS:
        raise DataError(f"{str(path)!r} {_OTHERS[suffix]}.")
    if sheet is not None and suffix not in (".xlsx", ".xlsm"):
        raise DataError(f"{str(path)!r} has no sheets: leave the option 'sheet' out.")
    units: dict[str, str] = {}
    try:
        # Each kind loads its own packages: a mistake in a CSV file should not wait for them.
        if suffix in (".npz", ".mat"):
            from mathonet.data.files.formats.arrays import read_arrays

            cells = Cells(read_arrays(path))
        elif suffix == ".parquet":
            from mathonet.data.files.formats.parquet import read_parquet

            cells = read_parquet(path)
        elif suffix in (".xlsx", ".xlsm"):
            from mathonet.data.files.formats.sheet import read_sheet

            cells, units = read_sheet(path, sheet)
        else:
            cells, units = read_delimited(path)
    except OSError as error:
        raise DataError(
            f"{str(path)!r} cannot be read ({in_a_line(error.strerror or error)}). Check the file."
        ) from error
    except MemoryError as error:
        raise DataError(f"{str(path)!r} needs more memory than there is. Give fewer rows.") from error
    return columns_of(without_footer(cells), units)


def _refuse_no_file(path: Path) -> None:
    """Refuse what is no plain file: to read a pipe would wait for somebody who writes."""
    try:
        mode = path.stat().st_mode
    except OSError:
        if path.is_symlink():
            goal = os.readlink(path)
            raise DataError(f"{str(path)!r} is a link to {goal!r}, and there is no such file.") from None
        raise DataError(f"There is no file {str(path)!r}. {_hint(path)}") from None
    if stat.S_ISDIR(mode):
        raise DataError(f"{str(path)!r} is a folder. Give the path of one file ({', '.join(SUFFIXES)}).")
    if not stat.S_ISREG(mode):
        raise DataError(f"{str(path)!r} is no plain file. Save the data in one ({', '.join(SUFFIXES)}).")


def _hint(path: Path) -> str:
    """What a missing file may have been meant to be."""
    try:
        found = sorted(entry.name for entry in path.parent.iterdir())
    except OSError:
        return f"There is no folder {str(path.parent)!r} either. Check the path."
    # Stems are compared: the same ending would make any short name look near.
    stems = {Path(name).stem: name for name in found}
    near = difflib.get_close_matches(path.stem, stems, n=1)
    if near:
        return f"Did you mean {str(path.with_name(stems[near[0]]))!r}?"
    tables = [name for name in found if name.lower().endswith(SUFFIXES)]
    if not tables:
        return f"No table ({', '.join(SUFFIXES)}) is in its folder. Check the path."
    others = f" and {len(tables) - _NAMED} more" if len(tables) > _NAMED else ""
    return f"Tables in its folder: {', '.join(tables[:_NAMED])}{others}."
