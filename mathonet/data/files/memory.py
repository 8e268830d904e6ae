"""A file that unpacks to more than this machine's memory is refused before it is unpacked."""

import os
from pathlib import Path

from mathonet.errors import DataError

SHARE = 0.5
"""Of the memory that the columns of a file may take."""


def refuse_larger_than_memory(path: Path, size: float) -> None:
    """Refuse a file whose content takes so many bytes, where that is too much.

    Raises:
        DataError: If it is.
    """
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return
    if size > SHARE * memory:
        raise DataError(
            f"{str(path)!r} unpacks to {size:.3g} bytes, and this machine has {memory:.3g} in all. Give "
            "fewer rows or columns."
        )
