"""Text: a text file as UTF-8, whatever it was: UTF-8, UTF-16, UTF-32, or a Windows code page."""

import codecs
import io
from dataclasses import dataclass, field
from pathlib import Path

from mathonet.data.choice import tell
from mathonet.errors import DataError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""Byte order marks; those of UTF-32 before those of UTF-16, which begin alike."""
_HEAD, _PIECE = 65536, 1 << 18
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\f\x1a"))
_MOST_CONTROLS = 0.005
"""Share of control characters from which on a file is no text."""


@dataclass(frozen=True)
class Text:
    """A text in UTF-8, without a byte order mark.

    Attributes:
        path: of the file.
        size: in bytes.
        converted: the whole, where the file itself is not yet so: plain ASCII, as most are, stays on disk.
    """

    path: Path
    size: int
    converted: bytes | None = field(default=None, repr=False)

    def first(self, size: int) -> bytes:
        """So many bytes from its beginning."""
        if self.converted is not None:
            return self.converted[:size]
        with self.path.open("rb") as file:
            return file.read(size)

    def last(self, size: int) -> bytes:
        """So many bytes before its end."""
        if self.converted is not None:
            return self.converted[-size:]
        with self.path.open("rb") as file:
            file.seek(max(self.size - size, 0))
            return file.read(size)

    def whole(self) -> bytes:
        """All of it."""
        return self.path.read_bytes() if self.converted is None else self.converted

    def source(self, skipped: int = 0) -> Path | io.BytesIO:
        """What a parser may read, from so many bytes on: the file where it can be, which is faster."""
        if skipped == 0 and self.converted is None:
            return self.path
        return io.BytesIO(self.whole()[skipped:])


def read_text(path: Path) -> Text:
    """A text file, whatever its encoding; what was found out is told.

    Raises:
        DataError: If it is no text.
    """
    if _is_plain(path):
        return Text(path, path.stat().st_size)
    content = _utf8_bytes(path)
    return Text(path, len(content), content)


def _is_plain(path: Path) -> bool:
    """Whether a file is ASCII throughout, read in pieces: a large one need not be held for that."""
    piece = bytearray(_PIECE)
    with path.open("rb", buffering=0) as file:
        if _is_binary(file.read(_HEAD)):
            return False
        file.seek(0)
        while count := file.readinto(piece):
            part = piece if count == _PIECE else piece[:count]
            if not part.isascii() or b"\0" in part:
                return False
    return True


def _utf8_bytes(path: Path) -> bytes:
    raw = path.read_bytes()
    for mark, name in _MARKS:
        if raw.startswith(mark):
            return _decoded(path, raw[len(mark) :], name)
    wide = _unmarked(raw[:_HEAD])
    if wide is not None:
        return _decoded(path, raw, wide)
    if _is_binary(raw[:_HEAD]) or b"\0" in raw:
        raise DataError(
            f"{str(path)!r} is no text. Save it as CSV. (Parquet, NPZ, MAT and Excel files are told by their "
            "endings: .parquet, .npz, .mat, .xlsx.)"
        )
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        try:
            text = raw.decode("cp1252")
        except UnicodeDecodeError:  # five bytes mean nothing there, and everything means something in Latin-1
            text = raw.decode("latin-1")
        tell(f"{str(path)!r} is not in UTF-8 and is read as Windows text (CP1252). Check names with accents.")
        return text.encode("utf-8")
    return raw


def _decoded(path: Path, raw: bytes, encoding: str) -> bytes:
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as error:
        raise DataError(f"{str(path)!r} is damaged text in {encoding.upper()} ({error.reason}).") from error
    content = text.encode("utf-8", errors="replace")
    if b"\0" in content or _is_binary(content[:_HEAD]):
        raise DataError(f"{str(path)!r} is no text. Save it as CSV.")
    return content


def _unmarked(head: bytes) -> str | None:
    """UTF-16 without a byte order mark: every other byte of what is mostly ASCII is zero."""
    even, odd = head[0::2], head[1::2]
    if len(head) < 4:
        return None
    for name, zeros, letters in (("utf-16-le", odd, even), ("utf-16-be", even, odd)):
        if zeros.count(0) > 0.8 * len(zeros) and letters.count(0) == 0:
            return name
    return None


def _is_binary(head: bytes) -> bool:
    return len(head) - len(head.translate(None, _CONTROLS)) > _MOST_CONTROLS * len(head)
