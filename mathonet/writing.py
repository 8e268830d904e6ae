"""Files that arrive whole or not at all, and take the place of nothing but what was written here before.

Nothing heavy is imported: the command line looks here before the numerical stack is loaded.
"""

import os
import stat
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from mathonet.errors import ArchiveError
from mathonet.paths import kind_of, local_path

LOOKED_AT = 65_536
"""Bytes at the beginning of a file that tell whether it is ours."""


def check_file(path: str | os.PathLike[str], ours: Callable[[bytes], bool] | None = None) -> Path:
    """The place that a file may be written to: a link is followed, and what is not ours to replace refused.

    Args:
        path: as the user calls it.
        ours: tells from the beginning of a file whether it was written here; None takes any plain file.

    Raises:
        ArchiveError: something lies there that is no plain file, or not ours.
    """
    place = local_path(path).resolve()
    try:
        found = os.lstat(place)
        if not stat.S_ISREG(found.st_mode):
            raise ArchiveError(
                f"{path} is {kind_of(found)}, and only a plain file is replaced. Name another."
            )
        if ours is not None and found.st_size:
            with open(place, "rb") as file:
                known = ours(file.read(LOOKED_AT))
            if not known:
                raise ArchiveError(
                    f"There is a file {path} already that mathonet did not write. Name another, or remove it "
                    "first, so that nothing of yours is replaced."
                )
    except FileNotFoundError:
        pass
    except OSError as error:
        raise unwritable(path, error) from error
    return place


def write_file(
    path: str | os.PathLike[str], content: str | bytes, ours: Callable[[bytes], bool] | None = None
) -> Path:
    """Write a file beside its place and rename it; returns the path as it was given.

    Args:
        path: where to; a link stays, and what it leads to is written.
        content: of the file; text as UTF-8.
        ours: tells from the beginning of a file that is there whether it may be replaced.

    Raises:
        ArchiveError: the place is not ours, or cannot be written; then nothing has changed.
    """
    place = check_file(path, ours)
    raw = content if isinstance(content, bytes) else content.encode(errors="backslashreplace")
    beside: str | None = None
    try:
        # As of now: a file keeps its permissions, and a new one gets those that the user's others get.
        mode = stat.S_IMODE(os.stat(place).st_mode) if place.exists() else 0o666 & ~_umask()
        number, beside = tempfile.mkstemp(prefix=".writing-", dir=place.parent)
        with open(number, "wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(beside, mode)
        os.replace(beside, place)
    except BaseException as error:
        if beside is not None:
            with suppress(OSError):
                os.unlink(beside)
        if isinstance(error, OSError):
            raise unwritable(path, error) from error
        raise
    return Path(path)


def make_folders(folder: Path) -> list[Path]:
    """Make a folder with those above it, however deep; returns what was made, the innermost first."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    try:
        for each in reversed(missing):
            each.mkdir(exist_ok=True)
    except OSError:
        remove_empty(missing)
        raise
    return missing


def remove_empty(folders: list[Path]) -> None:
    """Remove folders that were made for nothing."""
    for folder in folders:
        with suppress(OSError):
            folder.rmdir()


def unwritable(path: str | os.PathLike[str], error: OSError) -> ArchiveError:
    """The error of a file that cannot be written."""
    return ArchiveError(
        f"{path} could not be written ({error.strerror or error}). Name a file in a folder that exists and "
        "can be written."
    )


def _umask() -> int:
    """What new files must not be allowed; it can only be read by setting it."""
    now = os.umask(0o077)
    os.umask(now)
    return now
