"""Drawing: odd texts, names and numbers, and bytes that are nearly those of a file."""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

Random = np.random.Generator
Each = TypeVar("Each")


def one_of(random: Random, choices: Sequence[Each]) -> Each:
    """One of several, whatever they are."""
    return choices[int(random.integers(len(choices)))]


def chance(random: Random, share: float) -> bool:
    """True in that share of cases."""
    return bool(random.random() < share)


NAMES = (
    *("x", "y", "z", "v", "T", "theta", "prey", "hunter", "x1", "x_2", "Sepal.Length", "mass", "signal"),
    *("v [m/s]", "T (°C)", "speed_m_s", "x[m]", "p / kPa", "µ", "θ", "température", "浓度", "x y"),
)
"""Names as people give them."""
ODD_NAMES = (
    *("\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "x\u202ey", "e\u0301", "x\x00y", "x\ty", "a\nb", "a\rb"),
    *("\x7f", "a,b", "a;b", 'q"q', "it's", "=1+1", "{0}", "%s", "[bold]x[/bold]", "<b>", "$x$", "\\frac"),
    *("x" * 300, "", " ", "1", "2.5", "-3", "nan", "None", "inf", "true", "t", "time", "dx/dt", "x_dot"),
    *("x'", "u", "id", "run", "__class__", "lambda", "import", "sin", "pi", "e", "Unnamed: 0", "index"),
    *("names", "file", "\ufeffx", "😀", "#", "../x", "C:\\x", "x" * 20_000, "ﬁ", "İ", "x\u200b", "\u00a0"),
)
"""Names that something may stumble over."""
TIMES = ("t", "time", "Time", "t [s]", "time_s", "t_min", "Year", "day", "Date", "timestamp", "hours")
CELLS = (
    *("", " ", "nan", "NaN", "NA", "n/a", "-", "--", "?", "None", "null", "inf", "-inf", "Infinity", "1e309"),
    *("-1e309", "1e-400", "1_000", "0x1F", "1,5", "1.234,5", "1,234.5", "1,2,3", "−3.5", "5 m", "12%", "1e"),
    *("e5", "+-1", "1.2.3", "2024-05-31", "2024-05-31T12:00:00Z", "31.05.2024", "05/31/2024", "0000-00-00"),
    *("9999-12-31T23:59:60", "true", "FALSE", "(1+2j)", "=A1", "\x00", "\x1b[2J", "9" * 400),
    *("0." + "1" * 5000, "x" * 200_000, '"', "'", "\ufffd", "٣", "１２", "½", "∞", "1 000", "1'000"),
    *("1\u00a0000,5", "<1", "~3", "3*", "#DIV/0!", "#REF!"),
)
"""Cells that are no plain numbers."""
VALUES = (
    *("", " ", "nan", "inf", "-inf", "1e309", "-1", "0", "-0", "1", "2", "3.5", "1e-320", "1e300", "9" * 400),
    *("٣", "0x10", "1_000", "x" * 300, "x" * 10_000, "\x1b[31mred", "a\nb", "a\tb", "café", "\udcff"),
    *(
        "d/" * 1500,
        "../up",
        "../../up/x",
        "s3://b/x",
        "https://localhost:1/x.csv",
        "file:///x",
        "--",
        "-",
        "~",
    ),
    *("~nobody/x", "loop", "pipe", "device", "foreign", "foreign/a.txt", "run", "link", "link-to-file"),
    *("data.csv", "x,y", "x=1", "=", "x=", "%s", "{}", "[red]", "\u202e", "deep", "data.csv/x", "2e0"),
    *("1:2:3", "NULL", "true", "*", "?", ".", "..", "x/../y", "con", " lead", "trail ", "😀", "empty"),
)
"""Odd values of options, files of the case among them; none leads out of its scratch folder."""


def mutated(random: Random, content: bytes, most: int = 4) -> bytes:
    """Bytes that are nearly those of a file."""
    for _ in range(int(random.integers(1, most + 1))):
        content = _mutated_once(random, content)
    return content


def _mutated_once(random: Random, content: bytes) -> bytes:
    start, end = sorted(int(each) for each in random.integers(0, len(content) + 1, 2))
    end = min(end, start + int(random.integers(1, 200)))
    how = random.integers(8)
    if how == 0 and content:
        place = min(start, len(content) - 1)
        return (
            content[:place] + bytes([content[place] ^ (1 << int(random.integers(8)))]) + content[place + 1 :]
        )
    if how == 1:
        return content[:start] + content[end:]
    if how == 2:
        return content[:end] + content[start:end] * int(random.integers(1, 4)) + content[end:]
    if how == 3:
        return content[:start]
    if how == 4:
        return content[:start] + random.bytes(int(random.integers(1, 40))) + content[end:]
    if how == 5:
        odd = (
            b"\x00",
            b"\xff\xfe",
            b"\xef\xbb\xbf",
            b'"',
            b"\n",
            b"\r",
            b",",
            b";",
            b"\t",
            b"\x1a",
            b"1e999",
            b"\xc3",
        )
        return content[:start] + one_of(random, odd) * int(random.integers(1, 4)) + content[start:]
    if how == 6:
        lines = content.splitlines(keepends=True)
        random.shuffle(lines)
        return b"".join(lines)
    return content[:start] + one_of(random, CELLS).encode("utf-8", "replace") + content[end:]
