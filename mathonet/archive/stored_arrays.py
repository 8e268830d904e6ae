"""Measurements and runs as named arrays with a little JSON beside them, and back, bit by bit."""

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Mapping, MutableMapping, Sequence
from typing import Any

import numpy as np

from mathonet.data.files.memory import bytes_of_memory
from mathonet.data.trajectory import Trajectory
from mathonet.errors import ArchiveError
from mathonet.learning.cycle import Record
from mathonet.network.mathonet import Architecture
from mathonet.operations import get
from mathonet.search.proposers.sweep import Sweep

Arrays = MutableMapping[str, np.ndarray]
UNREADABLE = (
    *(OSError, EOFError, ValueError, KeyError, TypeError, RuntimeError, struct.error),
    *(zipfile.BadZipFile, zlib.error),
)
"""What NumPy and `zipfile` raise on files that are cut, changed or made to do harm."""
WORDS = ("names", "input_names", "units", "input_units", "time_name", "time_unit")
"""What trajectories hold beside arrays; version 0.1 knew names alone."""
RECORD = ("w", "active", "alpha", "alpha_group", "zeta", "energy", "validation", "status")


def put(arrays: Arrays, prefix: str, **parts: np.ndarray | None) -> None:
    """Enter arrays below a prefix; those that are None stay away."""
    arrays.update({f"{prefix}/{name}": np.asarray(part) for name, part in parts.items() if part is not None})


def arrays_from(raw: bytes, known: str) -> dict[str, np.ndarray]:
    """The arrays of a file's bytes, looked at before any is unpacked.

    As bytes, because NumPy leaves a file open that it cannot read.

    Args:
        raw: what NumPy's `savez` wrote.
        known: pattern of the names that may occur.

    Raises:
        ArchiveError: it is no such file, is damaged, holds other names, or more than memory has room for.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as packed:
            members = packed.infolist()
        unknown = [each.filename for each in members if not re.fullmatch(rf"(?:{known})\.npy", each.filename)]
        if unknown:
            raise ArchiveError(f"it holds {unknown[0]!r}, which is none of its parts")
        size, most = sum(each.file_size for each in members), bytes_of_memory()
        if size > most:
            raise ArchiveError(f"its arrays take {size:.3g} bytes, and this machine has {most:.3g}")
        with np.load(io.BytesIO(raw), allow_pickle=False) as found:
            return {name: found[name] for name in found.files}
    except MemoryError as error:
        raise ArchiveError("there is no memory for its arrays") from error
    except UNREADABLE as error:
        raise error if isinstance(error, ArchiveError) else ArchiveError(str(error)) from error


def trajectories_to(trajectories: Sequence[Trajectory], arrays: Arrays, prefix: str) -> dict[str, Any]:
    """Measurements: names, and arrays below the prefix."""
    for number, each in enumerate(trajectories):
        parts = {name: getattr(each, name) for name in ("t", "x", "x_dot", "u", "weights")}
        put(arrays, f"{prefix}{number}", **parts)
    first = trajectories[0]
    return {"count": len(trajectories), **{name: getattr(first, name) for name in WORDS}}


def trajectories_from(
    document: Mapping[str, Any], arrays: Mapping[str, np.ndarray], prefix: str
) -> tuple[Trajectory, ...]:
    """The measurements again; they are checked as those of a user are."""
    words = {name: document[name] for name in WORDS if name in document}
    words = {name: value if isinstance(value, str) else tuple(value) for name, value in words.items()}
    found = []
    for number in range(document["count"]):
        parts = {part: arrays.get(f"{prefix}{number}/{part}") for part in ("t", "x", "x_dot", "u", "weights")}
        found.append(Trajectory(**parts, **words))  # pyright: ignore[reportArgumentType]
    if not found:
        raise ArchiveError("it holds no trajectory")
    return tuple(found)


def sweep_to(runs: Sweep, arrays: Arrays, prefix: str) -> dict[str, Any]:
    """The runs of a rung: every cycle of every run, with axes (cycles, runs, ...)."""
    put(arrays, prefix, target=runs.target, lam=runs.lam, restart=runs.restart, start=runs.start)
    records = {name: np.stack([getattr(each, name) for each in runs.history]) for name in RECORD}
    put(arrays, prefix, **records)
    arrays[f"{prefix}/lambda"] = np.stack([each.lam for each in runs.history])
    shape = runs.architecture
    return {
        "inputs": shape.inputs,
        "hidden": shape.hidden,
        "operations": [operation.name for operation in shape.operations],
        "outputs": shape.outputs,
        "dense": shape.dense,
    }


def sweep_from(document: Mapping[str, Any], arrays: Mapping[str, np.ndarray], prefix: str) -> Sweep:
    """The runs again."""
    shape = Architecture(
        document["inputs"],
        tuple(document["hidden"]),
        tuple(get(name) for name in document["operations"]),
        document["outputs"],
        document["dense"],
    )
    own = {
        name: arrays[f"{prefix}/{name}"] for name in ("target", "lam", "restart", "start", "lambda", *RECORD)
    }
    runs, weights = len(own["target"]), len(own["start"])
    cycles = len(own["lambda"])
    expected = {name: (cycles, runs) for name in ("lambda", "energy", "validation", "status")}
    expected |= {name: (cycles, runs, weights) for name in ("w", "active", "alpha", "zeta")}
    for name, wanted in expected.items():
        if own[name].shape != wanted:
            raise ArchiveError(f"{prefix}/{name} has shape {own[name].shape} instead of {wanted}")
    history = [
        Record(**{name: own[name][cycle] for name in RECORD}, lam=own["lambda"][cycle])  # pyright: ignore
        for cycle in range(cycles)
    ]
    return Sweep(shape, own["target"], own["lam"], own["restart"], history, own["start"])
