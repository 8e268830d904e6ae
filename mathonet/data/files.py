"""A file becomes named columns of cells; its ending says of which kind it is."""

import difflib
from pathlib import Path

from mathonet.data.column import Column
from mathonet.data.delimited import SUFFIXES as TEXT
from mathonet.data.delimited import read_columns
from mathonet.errors import DataError

SUFFIXES = (*TEXT, ".parquet", ".npz", ".mat", ".xlsx")
_OTHERS = {
    ".npy": "holds one array without names: save arrays by name with numpy.savez, as .npz",
    ".xls": "is an old Excel file: save it as .xlsx",
    ".ods": "is a LibreOffice sheet: save it as .xlsx or .csv",
    ".pkl": "is a pickle, which may run code when it is read: save the data as .csv, .npz or .parquet",
    ".pickle": "is a pickle, which may run code when it is read: save the data as .csv, .npz or .parquet",
    ".h5": "is an HDF5 file: save its arrays with numpy.savez, as .npz",
    ".hdf5": "is an HDF5 file: save its arrays with numpy.savez, as .npz",
}
"""Files that are no tables here, and what to do instead."""
_NAMED = 5

Table = dict[str, Column]
"""The columns of a file by their names."""


def read_file(path: Path) -> Table:
    """Read the columns of a file: CSV or TSV, Parquet, NPZ, MAT or Excel.

    Raises:
        DataError: If the file is missing, of another kind, or damaged.
    """
    if path.is_dir():
        raise DataError(f"{str(path)!r} is a folder. Give the path of one file ({', '.join(SUFFIXES)}).")
    if not path.exists():
        raise DataError(f"There is no file {str(path)!r}. {_hint(path)}")
    suffix = path.suffix.lower()
    if suffix in _OTHERS:
        raise DataError(f"{str(path)!r} {_OTHERS[suffix]}.")
    try:
        # Each kind loads its own packages: a mistake in a CSV file should not wait for them.
        if suffix in (".npz", ".mat"):
            from mathonet.data.arrays import read_arrays

            cells = read_arrays(path)
        elif suffix in (".parquet", ".xlsx"):
            from mathonet.data.frames import read_frame

            cells = read_frame(path)
        else:
            cells = read_columns(path)
    except OSError as error:
        raise DataError(
            f"{str(path)!r} cannot be read ({error.strerror or error}). Check the file."
        ) from error
    return {name: Column(name, column) for name, column in cells.items()}


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
