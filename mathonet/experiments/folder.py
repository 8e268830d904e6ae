"""Where experiments write; nothing heavy is imported, so that mistakes are told at once."""

import os
import stat
import tempfile
from collections.abc import Sequence
from pathlib import Path

from mathonet.errors import ArchiveError
from mathonet.paths import kind_of, local_path
from mathonet.writing import check_file, make_folders, remove_empty


def check_out(folder: str | Path, tables: Sequence[str]) -> Path:
    """The folder that tables will be written to, with what lies beside them, tried before all computing.

    Args:
        folder: where to.
        tables: names of the Markdown files, some in folders of their own.

    Raises:
        ArchiveError: it cannot be made or written to, or holds what is not ours to replace.
    """
    path = local_path(folder, "--out")
    made: list[Path] = []
    try:
        for table in tables:
            place = (path / table).parent
            made = make_folders(place) + made
            tempfile.TemporaryFile(dir=place).close()
            check_file(path / table, is_table)
            for entry in os.scandir(place):
                found = entry.stat(follow_symlinks=False)
                if not stat.S_ISREG(found.st_mode) and not stat.S_ISDIR(found.st_mode):
                    raise ArchiveError(
                        f"{entry.path} is {kind_of(found)}. Choose another --out, so that nothing of yours "
                        "is replaced."
                    )
    except (OSError, ArchiveError) as error:
        remove_empty(made)
        if isinstance(error, ArchiveError):
            raise
        raise ArchiveError(
            f"Results cannot be written to {path} ({error.strerror or error}). Choose another --out."
        ) from error
    return path


def is_table(beginning: bytes) -> bool:
    """Whether a Markdown file that begins so is the table of an experiment: it says where it comes from."""
    return beginning.startswith(b"# ") and b"\n- command: " in beginning
