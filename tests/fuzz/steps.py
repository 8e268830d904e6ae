"""Steps: what puts a case's files in a folder, and damages those of a run; each is a verb and a path."""

import hashlib
import io
import json
import os
import shutil
import stat
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from tests.fuzz.table import Table

FROZEN = Path(__file__).parents[1] / "files" / "v0.1"


def do(verb: str, path: Path, *rest: Any) -> None:
    """Do a step; one that finds its object gone, or damaged beyond use by a step before it, does nothing."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        VERBS[verb](path, *rest)
    except (
        OSError,
        ValueError,
        LookupError,
        TypeError,
        EOFError,
        RecursionError,
        zipfile.BadZipFile,
        zlib.error,
    ):
        return


def _bytes(path: Path, content: bytes) -> None:
    path.write_bytes(content)


def _table(path: Path, table: Table) -> None:
    path.write_bytes(table.content())


def _repeated(path: Path, start: bytes, middle: bytes, times: int, end: bytes) -> None:
    """A long file that is told shortly."""
    path.write_bytes(start + middle * times + end)


def _wide(path: Path, columns: int) -> None:
    """A table of many columns, each with a name of its own."""
    header = ",".join(["t", *(f"c{k}" for k in range(columns))])
    rows = (",".join(f"{row + k}" for k in range(columns + 1)) for row in range(4))
    path.write_text("\n".join([header, *rows]) + "\n")


def _sheet(path: Path, rows: list[list[Any]]) -> None:
    """An Excel file with these cells, numbers that its writer refuses among them."""
    from openpyxl import Workbook

    book, huge = Workbook(), {}
    sheet = book.active
    assert sheet is not None
    for row in rows:
        for place, cell in enumerate(row):
            if isinstance(cell, int) and abs(cell) > 1e300:
                row = [*row[:place], 987654321.125 + len(huge), *row[place + 1 :]]
                huge[b"%r" % row[place]] = str(cell).encode()
        sheet.append(row)
    buffer = io.BytesIO()
    book.save(buffer)
    with zipfile.ZipFile(buffer) as made, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as written:
        for name in made.namelist():
            content = made.read(name)
            for stand_in, cell in huge.items():
                content = content.replace(stand_in, cell)
            written.writestr(name, content)


def _zeros(path: Path, rows: int) -> None:
    """An NPZ file of a few bytes that unpacks to many zeros."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("x.npy", "w") as file:
        header = {"descr": "<f8", "fortran_order": False, "shape": (rows,)}
        np.lib.format.write_array_header_1_0(file, header)
        block = bytes(8_000_000)
        for start in range(0, 8 * rows, len(block)):
            file.write(block[: 8 * rows - start])


def _copy(path: Path, which: str) -> None:
    """The run that an earlier version saved."""
    shutil.copytree(FROZEN / which, path)


def _folders(path: Path, depth: int) -> None:
    """Folders in folders; nobody can name the last one at once, so each is made from the one above."""
    path.mkdir(exist_ok=True)
    above = os.getcwd()
    try:
        os.chdir(path)
        for _ in range(depth):
            os.mkdir("d")
            os.chdir("d")
    finally:
        os.chdir(above)


def _device(path: Path) -> None:
    """A device of our own that swallows all: the machine's must not be put at risk."""
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 3))
    except OSError:
        os.mkfifo(path)


def _flip(path: Path, share: float, bits: int) -> None:
    content = bytearray(path.read_bytes())
    if content:
        content[int(share * len(content))] ^= bits
    path.write_bytes(bytes(content))


def _cut(path: Path, share: float) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: int(share * len(content))])


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def _json(path: Path, keys: list[Any], value: Any, gone: bool = False) -> None:
    """Put a value in a JSON file, or take one away."""
    content = json.loads(path.read_bytes())
    place = content
    for key in keys[:-1]:
        place = place[key]
    if gone:
        del place[keys[-1]]
    elif keys:
        place[keys[-1]] = value
    else:
        content = value
    path.write_text(json.dumps(content, indent=2))


def _array(path: Path, name: str, how: str) -> None:
    """Change one array of an NPZ file."""
    with np.load(path, allow_pickle=False) as held:
        arrays = {each: held[each] for each in held.files}
    names = sorted(arrays)
    name = names[int(name) % len(names)] if name.isdigit() else name
    changed = ARRAYS[how](arrays.pop(name))
    if changed is not None:
        arrays[name] = changed
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    path.write_bytes(buffer.getvalue())


ARRAYS = {
    "remove": lambda each: None,
    "cut": lambda each: each[: len(each) // 2] if each.ndim else each,
    "empty": lambda each: each[:0] if each.ndim else each,
    "nan": lambda each: np.full(each.shape, np.nan),
    "infinite": lambda each: np.full(each.shape, np.inf),
    "huge": lambda each: np.full(each.shape, 1e308),
    "negative": lambda each: -each if each.dtype.kind in "fi" else each,
    "text": lambda each: each.astype("U20"),
    "complex": lambda each: each.astype(complex) if each.dtype.kind in "fiub" else each,
    "whole": lambda each: np.zeros(each.shape, np.int8),
    "flag": lambda each: np.zeros(each.shape, bool),
    "single": lambda each: each.astype(np.float32) if each.dtype.kind in "fi" else each,
    "date": lambda each: np.zeros(each.shape, "M8[s]"),
    "transposed": lambda each: each.T,
    "flat": lambda each: each.ravel(),
    "deeper": lambda each: each[None],
    "scalar": lambda each: np.asarray(1.0),
    "reversed": lambda each: each[::-1] if each.ndim else each,
    "large": lambda each: np.zeros((300, 300, 30)),
}
"""What may become of an array."""


def _seal(path: Path) -> None:
    """Write the checksums of a journal anew, as a forger would."""
    content = json.loads((path / "run.json").read_bytes())
    told = json.dumps(content["content"], sort_keys=True).encode()
    content["sha256"] = hashlib.sha256(told).hexdigest()
    content["data.npz"] = hashlib.sha256((path / "data.npz").read_bytes()).hexdigest()
    (path / "run.json").write_text(json.dumps(content, indent=2))


VERBS = {
    "bytes": _bytes,
    "table": _table,
    "repeated": _repeated,
    "wide": _wide,
    "sheet": _sheet,
    "zeros": _zeros,
    "copy": _copy,
    "folder": lambda path: path.mkdir(exist_ok=True),
    "folders": _folders,
    "link": lambda path, target: path.symlink_to(target),
    "pipe": os.mkfifo,
    "device": _device,
    "mode": lambda path, mode: path.chmod(mode),
    "flip": _flip,
    "cut": _cut,
    "remove": _remove,
    "json": _json,
    "array": _array,
    "seal": _seal,
}
