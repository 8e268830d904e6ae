"""The journal of a run under way, so that one that was ended goes on where it stopped.

It lies in the folder `unfinished` of a run's folder: what was asked (`run.json`), what was measured
(`data.npz`), and the finished runs of a network that was asked for. Each file is written beside its place and
renamed. A search repeats itself exactly, so these runs are enough to come to the same equations.
"""

import errno
import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from mathonet.archive.folder import (
    ARCHIVE,
    EARLIER,
    REQUEST,
    UNFINISHED,
    Hold,
    at_work,
    check_folder,
    settle,
    settle_on_disk,
)
from mathonet.archive.stored_arrays import (
    arrays_from,
    sweep_from,
    sweep_to,
    trajectories_from,
    trajectories_to,
)
from mathonet.data.files.memory import bytes_of_memory
from mathonet.data.trajectory import Trajectory
from mathonet.errors import ArchiveError
from mathonet.network.mathonet import Architecture
from mathonet.paths import local_path, read_file
from mathonet.printable import shortened
from mathonet.search.proposers.sweep import Sweep
from mathonet.writing import make_folders, remove_empty

FORMAT = 1
DATA = "data.npz"
CONTENTS = re.compile(r"run\.json|data\.npz|rung-[0-9a-f]{16}\.npz")
"""What a journal holds, beside its lock and what is being written."""
UNREADABLE = (
    *(OSError, ValueError, LookupError, TypeError, AttributeError),
    *(ArithmeticError, RecursionError, MemoryError),
)
"""What a file that is damaged, or was made to do harm, may lead to."""


class FolderJournal:
    """A journal in a run's folder; it holds the folder until it is closed.

    Attributes:
        path: the run's folder.
        request: what the run was asked, as JSON data.
        trajectories: what was measured.
    """

    def __init__(
        self, path: Path, request: Mapping[str, Any], trajectories: Sequence[Trajectory], hold: Hold
    ) -> None:
        """Take over a folder that is held."""
        self.path, self.request, self.trajectories = path, request, tuple(trajectories)
        self._hold = hold
        self._made: list[Path] = []

    @property
    def place(self) -> Path:
        """Where the journal lies."""
        return self.path.resolve() / UNFINISHED

    @classmethod
    def begin(
        cls, folder: str | Path, request: Mapping[str, Any], trajectories: Sequence[Trajectory]
    ) -> "FolderJournal":
        """Begin a run in a folder; an earlier result there stays until this one is finished.

        Raises:
            ArchiveError: the folder is not ours, or another run is at work there.
        """
        path = check_folder(folder)
        place = path.resolve()
        made: list[Path] = [] if place.exists() else [place]
        new: Path | None = None
        hold: Hold | None = None
        try:
            made += make_folders(place.parent)
            # A folder that is not there yet appears with the journal in it: killed at any moment, there is
            # either nothing or all that is needed to go on.
            fresh = not place.exists()
            prefix, beside = (f".{place.name}-", place.parent) if fresh else (f".{UNFINISHED}-", place)
            new = Path(tempfile.mkdtemp(prefix=prefix, dir=beside))
            own = new / UNFINISHED
            own.mkdir()
            hold = Hold(own, path)
            _write_request(own, request, trajectories)
            new.chmod(0o755)
            if fresh:
                new.rename(place)
            else:
                _exchange(own, place, path)
                shutil.rmtree(new, ignore_errors=True)
            settle_on_disk(place.parent if fresh else place)
        except BaseException as error:
            if new is not None:
                shutil.rmtree(new, ignore_errors=True)
            if hold is not None:
                hold.release()
            remove_empty(made)
            if isinstance(error, OSError) and error.errno in (errno.ENOTEMPTY, errno.EEXIST):
                raise at_work(path) from error
            if isinstance(error, OSError):
                raise ArchiveError(f"The run could not be begun in {path}: {error}.") from error
            raise
        journal = cls(path, request, trajectories, hold)
        journal._made = made
        return journal

    @classmethod
    def open(cls, folder: str | Path) -> "FolderJournal | None":
        """The journal of a run that was ended; None if the run is finished.

        Raises:
            ArchiveError: there is no run, its journal is damaged, or another process is at work on it.
        """
        path = local_path(folder, "--resume")
        settle(path)
        place = path / UNFINISHED
        if place.is_symlink() or not place.is_dir():
            if (path / ARCHIVE).exists():
                return None
            raise ArchiveError(
                f"There is no run in {str(path)!r} to go on with. Give the folder of a run that was ended, "
                "or start one with `mathonet discover FILE`."
            )
        try:
            hold = Hold(place, path)
        except OSError as error:
            raise ArchiveError(f"{path} cannot be written ({error.strerror or error}).") from error
        try:
            request, trajectories = _read_request(place)
        except BaseException:
            hold.release()
            raise
        return cls(path, request, trajectories, hold)

    def recall(self, rung: str, architecture: Architecture, targets: Sequence[int]) -> Sweep | None:
        """The runs of a network for some targets; None if they were not finished, or cannot be read."""
        place = self.place / _name(rung, targets)
        try:
            arrays = arrays_from(read_file(place, bytes_of_memory()), r"rung/\w+|document")
            runs = sweep_from(json.loads(str(arrays["document"])), arrays, "rung")
        except UNREADABLE:
            return None
        # The same name in another version may have another shape.
        return runs if runs.architecture == architecture else None

    def keep(self, rung: str, runs: Sweep) -> None:
        """Keep the finished runs of a network."""
        arrays: dict[str, np.ndarray] = {}
        document = sweep_to(runs, arrays, "rung")
        arrays["document"] = np.asarray(json.dumps(document))
        targets = sorted({int(target) for target in runs.target})
        # A disk that is full now need not be at the end; the search is worth more than its journal.
        with suppress(OSError):
            _write_arrays(self.place / _name(rung, targets), arrays)

    def contents(self) -> list[Path]:
        """The files of the journal that a stopped run needs to go on."""
        every = (each for each in sorted(self.place.iterdir()) if CONTENTS.fullmatch(each.name))
        return [each for each in every if each.is_file() and not each.is_symlink()]

    def close(self) -> None:
        """Let others have the folder."""
        self._hold.release()

    def discard(self) -> None:
        """Remove the journal, and the folder if this run made it and nothing else is in it."""
        shutil.rmtree(self.place, ignore_errors=True)
        self._hold.release()
        remove_empty(self._made)


def _exchange(own: Path, place: Path, path: Path) -> None:
    """Put a journal in a run's folder; an earlier one there, which no run is at work on, goes beside it."""
    there, aside = place / UNFINISHED, own.with_name(EARLIER)
    # Held until the other one is there, so that nobody takes it for one that may be exchanged too.
    try:
        earlier = Hold(there, path) if there.exists() else None
    except FileNotFoundError as error:
        # Another run has just put its own in this place.
        raise at_work(path) from error
    try:
        if earlier is not None:
            there.rename(aside)
        own.rename(there)
    except BaseException:
        if aside.exists() and not there.exists():
            aside.rename(there)
        raise
    finally:
        if earlier is not None:
            earlier.release()


def _name(rung: str, targets: Sequence[int]) -> str:
    told = hashlib.sha256(json.dumps([rung, [int(each) for each in targets]]).encode()).hexdigest()
    return f"rung-{told[:16]}.npz"


def _write_request(place: Path, request: Mapping[str, Any], trajectories: Sequence[Trajectory]) -> None:
    arrays: dict[str, np.ndarray] = {}
    measured = trajectories_to(trajectories, arrays, "trajectory")
    _write_arrays(place / DATA, arrays)
    content = {"request": dict(request), "trajectories": measured}
    checksum = hashlib.sha256((place / DATA).read_bytes()).hexdigest()
    document = {"format": FORMAT, DATA: checksum, "sha256": _checksum(content), "content": content}
    raw = (json.dumps(document, indent=2, allow_nan=False) + "\n").encode()
    _write_whole(place / REQUEST, lambda file: file.write(raw))


def _read_request(place: Path) -> tuple[dict[str, Any], tuple[Trajectory, ...]]:
    try:
        found = json.loads(read_file(place / REQUEST))
        raw = read_file(place / DATA, bytes_of_memory())
        if found["format"] != FORMAT:
            raise ArchiveError(f"its format is {shortened(repr(found['format']))}, and {FORMAT} is read here")
        if found["sha256"] != _checksum(found["content"]) or found[DATA] != hashlib.sha256(raw).hexdigest():
            raise ArchiveError("a checksum is another")
        arrays, content = arrays_from(raw, r"trajectory\d+/\w+"), found["content"]
        request, measured = content["request"], content["trajectories"]
        if not isinstance(request, dict):
            raise ArchiveError(f"its request is {type(request).__name__} and not dict")
        return request, trajectories_from(measured, arrays, "trajectory")
    except UNREADABLE as error:
        raise ArchiveError(
            f"The unfinished run in {place.parent} is damaged ({error}). Start it again with "
            "`mathonet discover FILE`."
        ) from error


def _checksum(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _write_arrays(place: Path, arrays: Mapping[str, np.ndarray]) -> None:
    _write_whole(place, lambda file: np.savez(file, allow_pickle=False, **arrays))


def _write_whole(place: Path, write: Callable[[BinaryIO], object]) -> None:
    """Write a file beside its place and rename it, so that it is there whole or not at all.

    Both the file and its name are on the disk then: a machine that loses power has the one with the other.
    """
    beside = place.with_name(f".{place.name}")
    with open(beside, "wb") as file:
        write(file)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(place)
    settle_on_disk(place.parent)
