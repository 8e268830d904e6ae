"""NPZ and MAT files become columns: arrays by name, of one or two dimensions, with a row a time."""

import zipfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from mathonet.data.choice import tell
from mathonet.data.files.formats.matlab import refuse_damaged
from mathonet.data.files.memory import refuse_larger_than_memory
from mathonet.data.files.names import DERIVATIVE_FORMS, is_time
from mathonet.errors import DataError
from mathonet.printable import in_a_line, shortened

NAMES = {"x": "names", "u": "input_names"}
"""Arrays of text that name the columns of another array."""
_OLD = b"MATLAB 7.3"
_MOST = 12
"""Arrays that a sentence names at most."""


def read_arrays(path: Path) -> dict[str, pd.Series]:
    """Read the arrays with a row a time; those of two dimensions are cut into columns x0, x1, ...

    An array `names` names the columns of x, and `input_names` those of u. The derivatives of a table come
    beside it as a table such as x_dot.

    Raises:
        DataError: If the file is damaged, holds Python objects, or no such arrays.
    """
    held = _npz(path) if path.suffix.lower() == ".npz" else _mat(path)
    arrays = {name: np.atleast_1d(values) for name, values in held.items() if _is_table(values)}
    naming = {n: arrays.pop(n) for n in NAMES.values() if n in arrays and arrays[n].dtype.kind in "UO"}
    series = {name: values for name, values in arrays.items() if values.size > 1 or len(arrays) == 1}
    if not series:
        raise DataError(
            f"{str(path)!r} holds no arrays with a row a time ({_described(held)}). Save arrays such as t "
            "and x, x of shape (times, states)."
        )
    rows = _rows(series)
    columns: dict[str, pd.Series] = {}
    for name, values in series.items():
        table = _with_rows(values, rows)
        if table is None:
            continue
        for label, column in zip(_labels(path, name, series, naming, rows), table.T, strict=True):
            if label in columns:
                raise DataError(f"{str(path)!r} gives two columns the name {label!r}. Rename an array.")
            columns[label] = pd.Series(column)
    idle = {n: v for n, v in held.items() if n not in naming}
    idle = {n: v for n, v in idle.items() if n not in series or _with_rows(series[n], rows) is None}
    _refuse_transposed(path, idle, rows)
    if idle:
        tell(f"Left out of {str(path)!r}, having no {rows} rows: {_described(idle)}.")
    return columns


def _npz(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = {}
    _refuse_bomb(path)
    with path.open("rb") as file:
        try:
            archive = np.load(file, allow_pickle=False)
        except Exception as error:  # whatever a damaged file makes the reader say
            # NumPy advises to allow pickles, which may run code.
            why = "" if "pickle" in str(error) else f" ({in_a_line(error)})"
            raise DataError(f"{str(path)!r} is no NPZ file, or a damaged one{why}.") from error
        if not isinstance(archive, np.lib.npyio.NpzFile):
            raise DataError(
                f"{str(path)!r} holds one array without a name. Save with numpy.savez(t=..., x=...)."
            )
        for name in archive.files:
            try:
                found[name] = archive[name]
            except Exception as error:
                why = "" if "pickle" in str(error) else f" ({in_a_line(error)})"
                raise DataError(
                    f"Array {shortened(name, 60)!r} in {str(path)!r} cannot be read{why}. "
                    "Python objects are not, since reading them may run code: save numbers or text."
                ) from error
    return found


def _refuse_bomb(path: Path) -> None:
    """Refuse arrays that take more than there is, before they are unpacked."""
    try:
        with zipfile.ZipFile(path) as packed:
            size = sum(each.file_size for each in packed.infolist())
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        return  # told by NumPy
    refuse_larger_than_memory(path, size)


def _mat(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        if file.read(len(_OLD)) == _OLD:
            raise DataError(
                f"{str(path)!r} is a MATLAB file of version 7.3 (HDF5), which is not read. In MATLAB, save "
                "it again with save('data.mat', '-v7')."
            )
    from scipy.io import loadmat

    try:
        refuse_damaged(path.read_bytes())
        held = loadmat(path, simplify_cells=True)
    except OSError:
        raise
    except Exception as error:  # whatever a damaged file makes the reader say
        raise DataError(f"{str(path)!r} is no MAT file, or a damaged one ({in_a_line(error)}).") from error
    return {name: values for name, values in held.items() if not name.startswith("__")}


def _is_table(values: Any) -> bool:
    """Numbers, dates or text in one or two dimensions; MATLAB's cells of text count, structures do not."""
    if isinstance(values, Mapping):
        return False
    try:
        array = np.asarray(values)
    except ValueError:
        return False
    if array.dtype.kind == "O":
        return array.ndim == 1 and all(isinstance(each, str) for each in array)
    return array.dtype.kind in "fiubcUmM" and array.ndim <= 2 and array.size > 0


def _rows(arrays: dict[str, np.ndarray]) -> int:
    """The number of times: that of the times, else of the table x, else the most frequent length."""
    for name, values in arrays.items():
        if is_time(name) and name != "T" and values.size == max(values.shape):
            return values.size
    table = arrays.get("x")
    if table is not None and table.ndim == 2 and 1 not in table.shape:
        return table.shape[0]
    counts = Counter(max(each.shape) if 1 in each.shape else each.shape[0] for each in arrays.values())
    return max(counts, key=lambda length: (counts[length], length))


def _with_rows(values: np.ndarray, rows: int) -> np.ndarray | None:
    """An array as (rows, columns); None if it has no such rows."""
    if values.size == rows:
        return values.reshape(rows, 1)
    return values if values.ndim == 2 and values.shape[0] == rows else None


def _labels(
    path: Path, name: str, arrays: dict[str, np.ndarray], naming: dict[str, np.ndarray], rows: int
) -> list[str]:
    """Names of the columns of an array."""
    table = _with_rows(arrays[name], rows)
    assert table is not None
    count = table.shape[1]
    given = naming.get(NAMES.get(name, ""))
    if given is not None:
        labels = [str(label).strip() for label in given.ravel()]
        if len(labels) != count:
            raise DataError(
                f"{NAMES[name]!r} in {str(path)!r} has {len(labels)} names ({', '.join(labels)}), but "
                f"{name!r} has {count} columns. Give one name a column."
            )
        return labels
    for base in arrays:
        for form in DERIVATIVE_FORMS:
            if form.format(base) == name and _with_rows(arrays[base], rows) is not None:
                labels = _labels(path, base, arrays, naming, rows)
                if len(labels) != count:
                    raise DataError(
                        f"{name!r} in {str(path)!r} has {count} columns and {base!r} {len(labels)}. Give one "
                        "derivative for every state."
                    )
                return [form.format(label) for label in labels]
    return [name] if count == 1 else [f"{name}{k}" for k in range(count)]


def _refuse_transposed(path: Path, idle: dict[str, Any], rows: int) -> None:
    for name, values in idle.items():
        if np.ndim(values) == 2 and np.shape(values)[1] == rows:
            raise DataError(
                f"{name!r} in {str(path)!r} has shape {np.shape(values)} and looks transposed: there are "
                f"{rows} times. Save it with a row a time."
            )


def _described(held: Mapping[str, Any]) -> str:
    if not held:
        return "it is empty"
    shown = [
        f"{shortened(name, 60)!r} {np.shape(values)}"
        if isinstance(values, np.ndarray)
        else repr(shortened(name, 60))
        for name, values in list(held.items())[:_MOST]
    ]
    return ", ".join(shown) + (f" and {len(held) - _MOST:,} more" if len(held) > _MOST else "")
