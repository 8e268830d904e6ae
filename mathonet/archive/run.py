"""The archive: the folder a result is saved in, JSON and arrays, whole or not at all, checked when read.

`archive.json` has everything but arrays, its own checksum and those of the files of arrays; `data.npz` the
arrays of the result, `history.npz` those of the runs. What else lies there is for readers and is not read
back: `equations.json`, `candidates.csv`, `config.json`.
"""

import hashlib
import json
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jax.numpy as jnp
import numpy as np

from mathonet import operations
from mathonet.archive.equations_file import equations
from mathonet.archive.folder import ARCHIVE, MARK, UNFINISHED, check_folder, put, standing
from mathonet.archive.stored import discovery_from, discovery_to, settings_to
from mathonet.archive.stored_arrays import arrays_from
from mathonet.data.files.memory import bytes_of_memory
from mathonet.errors import ArchiveError, ConfigError
from mathonet.paths import local_path, read_file
from mathonet.precision import double_precision
from mathonet.printable import shortened
from mathonet.result.discovery import Discovery
from mathonet.writing import make_folders, remove_empty

FORMAT = 1
DATA, HISTORY = "data.npz", "history.npz"
NAMES = {
    DATA: r"own/[\w/]+|(?:samples|operator|(?:equation|smoothed|measured)\d+|candidate\d+-\d+)/\w+",
    HISTORY: r"rung\d+/\w+",
}
"""Patterns of what the arrays are called."""
READINGS = 5
"""Times that an archive is read which others replace at the same time, before it counts as damaged."""
PROBES = (-2.83, -0.37, 0.41, 1.33)
"""Where a user's own operations are compared with those of the archive."""


@dataclass(frozen=True)
class Saved:
    """What an estimator saves.

    Attributes:
        kind: name of its class.
        parameters: what it was made with, as JSON data.
        discovery: what it found.
        own: what else it needs, as JSON data.
        arrays: the same, as arrays.
    """

    kind: str
    parameters: dict[str, Any]
    discovery: Discovery
    own: dict[str, Any] = field(default_factory=dict)
    arrays: dict[str, np.ndarray] = field(default_factory=dict)


def write_run(
    saved: Saved,
    folder: str | Path,
    beside: Mapping[str, str] | None = None,
    held: bool = False,
    carried: Sequence[Path] = (),
) -> Path:
    """Write an archive; an earlier one in the same folder is replaced in one step.

    Args:
        saved: what to write.
        folder: where.
        beside: further files for readers, by name.
        held: whether this process holds the folder for a run.
        carried: files of a run that was ended early, so that it can go on.

    Raises:
        ArchiveError: the folder is not ours to replace, or cannot be written; then nothing has changed.
    """
    path = check_folder(folder, held)
    place = path.resolve()
    made: list[Path] = []
    new: Path | None = None
    try:
        made = make_folders(place.parent)
        new = Path(tempfile.mkdtemp(prefix=f".{place.name}-", dir=place.parent))
        _write(saved, new)
        for name, content in (beside or {}).items():
            (new / name).write_text(content, encoding="utf-8")
        for each in carried:
            (new / UNFINISHED).mkdir(exist_ok=True)
            shutil.copy2(each, new / UNFINISHED / each.name)
        put(new, place)
    except BaseException as error:
        if new is not None:
            shutil.rmtree(new, ignore_errors=True)
        remove_empty(made)
        if isinstance(error, (OSError, UnicodeError)):
            raise ArchiveError(f"The results could not be written to {path}: {error}.") from error
        raise
    return path


def _write(saved: Saved, folder: Path) -> None:
    discovery = saved.discovery
    arrays: dict[str, np.ndarray] = {f"own/{name}": each for name, each in saved.arrays.items()}
    history: dict[str, np.ndarray] = {}
    content = {
        "kind": saved.kind,
        "parameters": saved.parameters,
        "own": saved.own,
        "discovery": discovery_to(discovery, arrays, history),
        "operations": _own_operations(discovery),
    }
    files = {}
    for name, part in ((DATA, arrays), (HISTORY, history)):
        np.savez_compressed(folder / name, allow_pickle=False, **part)
        files[name] = _checksum((folder / name).read_bytes())
    documents = {
        MARK: equations(discovery),
        "config.json": {
            **settings_to(discovery.settings),
            "estimator": saved.kind,
            "parameters": saved.parameters,
            "versions": discovery.versions,
        },
        ARCHIVE: {
            "format": FORMAT,
            "files": files,
            "sha256": _checksum(_canonical(content)),
            "content": content,
        },
    }
    discovery.table().to_csv(folder / "candidates.csv", index=False)
    for name, document in documents.items():
        (folder / name).write_text(json.dumps(document, indent=2, allow_nan=False) + "\n", encoding="utf-8")


def read_run(folder: str | Path) -> Saved:
    """Read an archive.

    Raises:
        ArchiveError: there is none, it is damaged, it is of another format, or an operation of the user's own
            is not registered.
    """
    path = local_path(folder, "The folder")
    for _ in range(READINGS):
        place = standing(path)
        before = _identity(place)
        try:
            return _read(place)
        except ArchiveError:
            # A run that was replaced meanwhile is read again: its files belong together now.
            if before == _identity(standing(path)):
                raise
    return _read(standing(path))


def _identity(place: Path) -> tuple[int, int] | None:
    """What tells a folder from another one that takes its place."""
    with suppress(OSError):
        found = place.stat()
        return found.st_dev, found.st_ino
    return None


def _read(path: Path) -> Saved:
    content = _content(path)
    arrays, history = (_arrays(path / name, wanted) for name, wanted in content["files"].items())
    document = content["content"]
    if not isinstance(document, dict):
        raise damaged(path / ARCHIVE, f"its content is a {type(document).__name__}")
    _compare_operations(document.get("operations"), path / ARCHIVE)
    try:
        return Saved(
            document["kind"],
            document["parameters"],
            discovery_from(document["discovery"], arrays, history),
            document["own"],
            {name.removeprefix("own/"): each for name, each in arrays.items() if name.startswith("own/")},
        )
    except (
        KeyError,
        IndexError,
        TypeError,
        AttributeError,
        ValueError,
        OverflowError,
        RecursionError,
        MemoryError,
    ) as error:
        raise damaged(path / ARCHIVE, f"{type(error).__name__}: {error}") from error


def _content(path: Path) -> dict[str, Any]:
    """The checked content of `archive.json`."""
    place = path / ARCHIVE
    try:
        raw = read_file(place)
    except FileNotFoundError:
        if not path.is_dir():
            raise ArchiveError(f"There is no folder {str(path)!r} to load.") from None
        hint = f" It holds {MARK} of a version without archives." if (path / MARK).exists() else ""
        raise ArchiveError(
            f"{path} holds no archive ({ARCHIVE} is missing).{hint} Give the folder of a finished run or of "
            "save(); a run that was ended goes on with `mathonet discover --resume`."
        ) from None
    except OSError as error:
        raise ArchiveError(f"{place} cannot be read ({error.strerror or error}).") from error
    try:
        found = json.loads(raw)
        number, files = found["format"], found["files"]
        checksum, content = found["sha256"], _checksum(_canonical(found["content"]))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise damaged(place, f"it is no document of ours ({error})") from error
    if number != FORMAT:
        raise ArchiveError(
            f"{place} has format {shortened(repr(number))}, and this version of mathonet reads format "
            f"{FORMAT}. Update mathonet, or load it with the version that wrote it."
        )
    if checksum != content or not isinstance(files, dict) or set(files) != {DATA, HISTORY}:
        raise damaged(place, "its checksum is another")
    return {**found, "files": {name: files[name] for name in (DATA, HISTORY)}}


def _arrays(place: Path, wanted: Any) -> dict[str, np.ndarray]:
    """The arrays of a file with this checksum."""
    try:
        raw = read_file(place, bytes_of_memory())
    except OSError as error:
        raise ArchiveError(
            f"The archive is incomplete: {place} cannot be read ({error.strerror or error}). Copy the whole "
            "folder again, or repeat the run."
        ) from error
    if _checksum(raw) != wanted:
        raise damaged(place, "its checksum is another")
    try:
        return arrays_from(raw, NAMES[place.name])
    except ArchiveError as error:
        raise damaged(place, str(error)) from error


def damaged(place: Path, why: str) -> ArchiveError:
    """The error of a file that is not as it was written."""
    return ArchiveError(
        f"{place} is damaged: {why}. Copy the folder again from where it was made, or repeat the run "
        "(config.json has its settings)."
    )


def _checksum(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()


def _canonical(content: Any) -> bytes:
    """One text for equal content, whatever the spaces and the order of keys in a file."""
    return json.dumps(content, sort_keys=True, separators=(",", ":")).encode()


def _own_operations(discovery: Discovery) -> dict[str, list[float]]:
    """The user's own operations, each with values that tell it from another of the same name."""
    own = [each for each in discovery.settings.resolved() if not operations.is_built_in(each.name)]
    return {each.name: _values(each) for each in own}


@double_precision
def _values(operation: operations.Operation) -> list[float]:
    return np.asarray(operation.evaluate(jnp.asarray(PROBES))).tolist()


def _are_values(given: Any) -> bool:
    """Whether these are what `_values` gives."""
    return (
        isinstance(given, list)
        and len(given) == len(PROBES)
        and all(isinstance(each, (int, float)) and abs(each) <= sys.float_info.max for each in given)
    )


def _compare_operations(own: Any, place: Path) -> None:
    """Refuse operations that are not those of the archive in a place."""
    if not isinstance(own, dict) or not all(map(_are_values, own.values())):
        raise damaged(place, "its operations are no table of values")
    for name, values in own.items():
        try:
            now = _values(operations.get(name))
        except ConfigError as error:
            raise ArchiveError(
                f"The archive needs your own operation {name!r}, which is not registered here. Call "
                f"mathonet.register(Operation({name!r}, ...)) before loading."
            ) from error
        if not np.allclose(now, values, rtol=1e-9, atol=1e-12):
            raise ArchiveError(
                f"The operation {name!r} that is registered here is another function than that of the "
                "archive. Register the one it was found with."
            )
