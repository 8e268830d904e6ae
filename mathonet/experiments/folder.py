"""Where experiments write; nothing but errors is imported, so that mistakes are told at once."""

from collections.abc import Sequence
from pathlib import Path

from mathonet.errors import ArchiveError


def check_out(folder: str | Path, parts: Sequence[str]) -> Path:
    """The folder that parts will be written to, one folder each, made and tried before anything is computed.

    Raises:
        ArchiveError: it cannot be made or written to.
    """
    path = Path(folder)
    try:
        for part in parts:
            made = path / part
            made.mkdir(parents=True, exist_ok=True)
            trial = made / ".trial"
            trial.write_text("")
            trial.unlink()
    except OSError as error:
        raise ArchiveError(
            f"Results cannot be written to {path} ({error.strerror or error}). Choose another --out."
        ) from error
    return path
