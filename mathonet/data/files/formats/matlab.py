"""MAT files of version 5, walked through before SciPy reads them: a damaged one can end the process there."""

import struct
import zlib

HEADER = 128
"""Bytes before the first element."""
MATRIX, COMPRESSED = 14, 15
_KINDS = frozenset((1, 2, 3, 4, 5, 6, 7, 9, 12, 13, MATRIX, COMPRESSED, 16, 17, 18))
"""Types of elements that there are: numbers, matrices, compressed ones, text."""
_DEEPEST = 20
_LARGEST = 2**31


def refuse_damaged(raw: bytes) -> None:
    """Refuse a file whose elements are of no known type, or do not fit into it.

    Raises:
        ValueError: If it is damaged.
    """
    mark = raw[126:HEADER]
    if len(raw) < HEADER or mark not in (b"IM", b"MI"):
        return  # of version 4, which SciPy reads without harm
    _walk(raw, HEADER, len(raw), "<" if mark == b"IM" else ">", 0)


def _walk(raw: bytes, place: int, end: int, order: str, depth: int) -> None:
    """Look at the elements between two places, and at those within them."""
    if depth > _DEEPEST:
        raise ValueError("its matrices are nested too deep")
    while place < end:
        if end - place < 8:
            raise ValueError("it ends within an element")
        kind, size = struct.unpack_from(f"{order}II", raw, place)
        # Up to four bytes stand within the tag itself, their number in its upper half.
        if kind >> 16:
            kind, size, place, step = kind & 0xFFFF, kind >> 16, place + 4, 4
            if size > 4:
                raise ValueError("it has a short element that is not short")
        else:
            place, step = place + 8, size if kind == COMPRESSED else (size + 7) // 8 * 8
        if kind not in _KINDS or place + size > end:
            raise ValueError(f"it has an element of type {kind} and {size} bytes, which cannot be")
        if kind == COMPRESSED:
            content = zlib.decompressobj().decompress(raw[place : place + size], _LARGEST)
            _walk(content, 0, len(content), order, depth + 1)
        elif kind == MATRIX:
            _walk(raw, place, place + size, order, depth + 1)
        place += step
