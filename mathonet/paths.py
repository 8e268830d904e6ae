"""Paths as users give them: of files and folders on this machine, and of nothing else.

Nothing heavy is imported: the command line looks here before the numerical stack is loaded.
"""

import errno
import os
import re
import stat
from pathlib import Path, PurePath

from mathonet.errors import ConfigError
from mathonet.printable import shortened

ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")
"""How an address begins; one letter and a colon is a drive. `Path` makes one slash of two."""
KINDS = {
    stat.S_IFLNK: "a link",
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def refuse_address(given: str | os.PathLike[str]) -> None:
    """Refuse an address such as s3://bucket/data.csv, so that nothing is fetched or sent by accident.

    Raises:
        ConfigError: it begins as an address does.
    """
    if not isinstance(given, str | os.PathLike):
        raise ConfigError(f"A path must be text, got {shortened(repr(given))}.")
    text = os.fspath(given)
    found = ADDRESS.match(text) if isinstance(text, str) else None
    if found and (isinstance(given, PurePath) or text[found.end() :].startswith("/")):
        raise ConfigError(
            f"{shortened(text)!r} is an address. Only files on this machine are read and written: fetch it "
            "first, or copy the results there afterwards."
        )


def local_path(given: str | os.PathLike[str], what: str = "The path") -> Path:
    """A path that a user gave, once nothing speaks against it before it is used.

    Args:
        given: the path.
        what: begins the message.

    Raises:
        ConfigError: it is an address or empty, holds a NUL, or no file system could have it: a name that is
            too long, links in a circle.
    """
    refuse_address(given)
    text = os.fspath(given)
    if not isinstance(text, str) or not text.strip():
        raise ConfigError(f"{what} is empty. Name a file or a folder.")
    if "\0" in text:
        raise ConfigError(f"{what} {shortened(text)!r} holds a NUL character, which no name may hold.")
    try:
        os.stat(text)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        pass  # told where it is used, by those who know what for
    except (OSError, UnicodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text"
        raise ConfigError(f"{what} {shortened(text)!r} cannot be used ({why}).") from error
    return Path(text)


def kind_of(found: os.stat_result) -> str:
    """What lies at a path, in words."""
    return KINDS.get(stat.S_IFMT(found.st_mode), "a file")


def read_file(path: Path, most: float = 2**30) -> bytes:
    """The bytes of a plain file; what is none is not opened, since a pipe may never end.

    Args:
        path: of the file.
        most: bytes that it may have.

    Raises:
        OSError: it cannot be read, is no plain file, or is larger.
    """
    found = os.stat(path)
    if not stat.S_ISREG(found.st_mode):
        number = errno.EISDIR if stat.S_ISDIR(found.st_mode) else errno.EINVAL
        raise OSError(number, f"it is {kind_of(found)}", str(path))
    if found.st_size > most:
        raise OSError(errno.EFBIG, f"it has {found.st_size:,} bytes, and {most:,.0f} may be read", str(path))
    return path.read_bytes()
