"""The reading layer: tables whose content is known, nearly right bytes, and text that is no table."""

import math
from dataclasses import replace
from typing import Any

import numpy as np

from tests.fuzz.case import Case
from tests.fuzz.draw import CELLS, NAMES, ODD_NAMES, TIMES, Random, chance, mutated, one_of
from tests.fuzz.table import Table

SUFFIXES = (".csv", ".csv", ".csv", ".tsv", ".txt", ".xlsx", ".npz", ".mat", ".parquet")
ENCODINGS = ("utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16", "cp1252", "latin-1", "utf-32", "utf-16-le")


def case(random: Random) -> Case:
    """A case of reading."""
    share = random.random()
    if share < 0.55:
        return _known(random, clean=chance(random, 0.6))
    if share < 0.8:
        return _damaged(random)
    return _malformed(random)


def table(random: Random, clean: bool) -> Table:
    """A table of one or more series.

    Args:
        random: draws it.
        clean: whether its names and cells are as most people's.
    """
    suffix = one_of(random, SUFFIXES)
    rows = int(one_of(random, (0, 1, 2, 3, 5, 8, 13, 21, 40)) if not clean else random.integers(4, 30))
    names, columns = _names(random, clean), []
    t = np.cumsum(random.uniform(0.5, 1.5, rows)) if chance(random, 0.3) else 0.1 * np.arange(rows)
    for place, name in enumerate(names):
        numbers = [float(f"{value:.8g}") for value in (t if place == 0 else _series(random, t))]
        columns.append((name, *_column(random, numbers, clean, place == 0)))
    if chance(random, 0.3):
        order = random.permutation(len(columns))
        columns = [columns[place] for place in order]
    labels, cells, values, exact = zip(*columns, strict=True)
    return _written(random, Table(labels, cells, values, exact, suffix), clean)


def _names(random: Random, clean: bool) -> list[str]:
    count = int(one_of(random, (1, 2, 2, 3, 3, 4, 6, 60 if clean else 400)))
    first = one_of(random, TIMES) if chance(random, 0.8) else one_of(random, NAMES)
    if count > 20:
        return [first, *(f"c{place}" for place in range(count))]
    pool = NAMES if clean else NAMES + ODD_NAMES
    others = [one_of(random, pool) for _ in range(count)]
    return [first, *(dict.fromkeys(others) if clean else others)]


def _series(random: Random, t: np.ndarray) -> np.ndarray:
    """Numbers as they are measured."""
    size = 10.0 ** random.uniform(-3, 3)
    smooth = size * (random.normal() + np.sin(random.uniform(0.3, 2.0) * t + random.uniform(0, 6)))
    kinds = (
        lambda: smooth,
        lambda: smooth + 0.01 * size * random.normal(size=len(t)),
        lambda: np.round(smooth, 2),
        lambda: random.integers(-5, 50, len(t)).astype(float),
        lambda: np.arange(1.0, len(t) + 1),
        lambda: np.full(len(t), np.round(size, 3)),
        lambda: (t > t.mean()) * 1.0 if len(t) else t,
        lambda: 1e-12 * smooth,
        lambda: 1e12 * smooth,
        lambda: 1900.0 + np.arange(len(t)),
        lambda: 1000.0 * (np.arange(len(t)) // 4),
    )
    return kinds[0]() if chance(random, 0.4) else one_of(random, kinds)()


def _column(
    random: Random, numbers: list[float], clean: bool, time: bool
) -> tuple[tuple[str, ...], tuple[float | None, ...], bool]:
    """The cells of a column as they are written, what they mean, and whether exactly so."""
    write, exact = (repr, True) if clean or chance(random, 0.5) else one_of(random, FORMS)
    values: list[float | None] = list(numbers)
    cells = [write(value) for value in numbers]
    for row in range(len(cells)):
        if chance(random, 0.01 if clean else 0.03) and not time:
            cells[row], values[row] = "" if clean or chance(random, 0.7) else one_of(random, CELLS), None
    if chance(random, 0.04) and not time:
        words = [one_of(random, ("a", "b", "ok", "bad", "north")) for _ in numbers]
        return tuple(words), (None,) * len(words), True
    if time and chance(random, 0.1):
        dates = [f"2024-05-{1 + row // 24:02}T{row % 24:02}:00:00" for row in range(len(numbers))]
        return tuple(dates), (None,) * len(dates), True
    return tuple(cells), tuple(values), exact and not time


def _grouped(value: float) -> str:
    text = f"{value:,.2f}"
    return text if float(text.replace(",", "")) == value else repr(value)


FORMS: tuple[Any, ...] = (
    (lambda value: f"{value:.7e}", True),
    (lambda value: f"{value:+.17g}", True),
    (lambda value: f"  {value!r} ", True),
    (lambda value: repr(value).replace("e", "E"), True),
    (lambda value: repr(value).replace("-", "−"), True),
    (lambda value: repr(value).removesuffix(".0"), True),
    (_grouped, True),
    (lambda value: f"{value!r} m", False),
    (lambda value: f"{value!r}%", False),
)
"""How numbers may be written."""


def _written(random: Random, plain: Table, clean: bool) -> Table:
    """The table in some dialect of text."""
    changes: dict[str, Any] = {}
    if plain.suffix == ".tsv":
        changes["separator"] = "\t"
    elif plain.suffix in (".csv", ".txt"):
        changes["separator"] = one_of(random, (",", ",", ";", "\t") if clean else (",", ";", "\t", "|", " "))
    if plain.suffix in (".csv", ".txt", ".tsv"):
        if not clean:
            changes["encoding"] = one_of(random, ENCODINGS)
        changes["newline"] = one_of(random, ("\n", "\n", "\r\n", "\r" if not clean else "\n"))
        changes["quoted"] = chance(random, 0.15)
        if changes["separator"] == ";" and chance(random, 0.4):
            points = all("," not in cell for column in plain.cells for cell in column)
            if points:
                cells = (tuple(cell.replace(".", ",") for cell in column) for column in plain.cells)
                changes["cells"] = tuple(cells)
    made = replace(plain, **changes)
    # Letters that an encoding does not have are lost by whoever wrote the file.
    try:
        "".join((*made.names, *(cell for column in made.cells for cell in column))).encode(made.encoding)
    except UnicodeEncodeError:
        return replace(made, encoding="utf-8")
    return made


def _known(random: Random, clean: bool) -> Case:
    """A table whose content is known: what is not read is to be named."""
    made = table(random, clean)
    given: dict[str, Any] = {"path": f"data{made.suffix}"}
    names = [name.strip() for name in made.names]
    if chance(random, 0.5) and names:
        given["time"] = next((name for name in names if name in TIMES), names[0])
    if chance(random, 0.2) and len(names) > 1:
        given["states"] = [name for name in names if name != given.get("time")][: int(random.integers(1, 4))]
    if not clean and chance(random, 0.2):
        part = one_of(random, ("time", "experiment"))
        given[part] = one_of(random, (*names, *ODD_NAMES[:5], ""))
    if not clean and chance(random, 0.2):
        part = one_of(random, ("states", "inputs", "derivatives"))
        given[part] = [one_of(random, (*names, "nothing", "")) for _ in range(int(random.integers(0, 3)))]
    if chance(random, 0.1):
        given["time_unit"] = one_of(
            random, ("s", "min", "h", "day", "year", "ms", "", "m", "parsec", "\x1b[31m")
        )
    if chance(random, 0.1):
        given["ignore"] = [one_of(random, (*names, "nothing"))]
    if chance(random, 0.1):
        given["sheet"] = one_of(random, ("1", "Sheet", "0", "-1", "2", "", "nothing", "\x1b[31m", "9" * 30))
    return _safe(Case("reading", (("table", given["path"], made),), "read", given, "a table that is known"))


def _safe(made: Case) -> Case:
    """The case, or an empty file where no such one can be written: Excel has no escapes, for one."""
    _, path, held = made.steps[0]
    try:
        held.content()
    except Exception as error:
        return Case("reading", (("bytes", path, b""),), "read", made.given, f"no such file: {error!s:.60}")
    return made


def _damaged(random: Random) -> Case:
    """The bytes of a good file, changed."""
    while True:
        made = _known(random, clean=True)
        if made.table is not None:
            break
    path, content = made.given["path"], made.table.content()
    if chance(random, 0.1):
        path = f"data{one_of(random, SUFFIXES)}"
    steps = (("bytes", path, mutated(random, content)),)
    return Case("reading", steps, "read", {**made.given, "path": path}, "a file that is damaged")


def _sheet(random: Random) -> list[list[Any]]:
    """The cells of a sheet: numbers with something odd among them, and sometimes above or beside them."""
    odd = (
        10**400,
        -(10**400),
        True,
        None,
        "",
        "x",
        "2024-05-31",
        10**20,
        1e308,
        5e-324,
        "1,5",
        "#N/A",
        "\u2212 3",
    )
    rows: list[list[Any]] = [["t", "x", "y"], *([0.1 * k, k, k * k] for k in range(6))]
    for _ in range(int(random.integers(1, 4))):
        rows[int(random.integers(7))][int(random.integers(3))] = one_of(random, odd)
    if chance(random, 0.3):
        rows.insert(int(random.integers(8)), [one_of(random, odd) for _ in range(int(random.integers(5)))])
    return [[None, *row] for row in rows] if chance(random, 0.2) else rows


def _malformed(random: Random) -> Case:
    """Something that is no table, or hardly one."""
    suffix = one_of(random, (".csv", ".csv", ".tsv", ".txt", "", ".dat", ".xlsx", ".npz", ".mat", ".parquet"))
    path = f"data{suffix}"
    cell = one_of(random, CELLS).encode("utf-8", "replace")
    rows = b"".join(b"%g,%g\n" % (0.1 * k, math.sin(k)) for k in range(12))
    kinds: tuple[Any, ...] = (
        lambda: (
            "bytes",
            path,
            one_of(random, (b"", b"\n", b" ", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b",", b"t,x")),
        ),
        lambda: ("bytes", path, b"t,x\n" + rows),
        lambda: ("bytes", path, b"t,x\n" + rows.replace(b",", b"," + cell + b",", 1)),
        lambda: ("bytes", path, b"t,x\n" + rows + b"1.2," + cell + b"\n"),
        lambda: ("bytes", path, b"t,x\n" + cell + b",1\n" + rows),
        lambda: ("bytes", path, cell + b"\n" + b"t,x\n" + rows),
        lambda: ("bytes", path, b"# a comment\n# t in s\nt,x\n" + rows),
        lambda: ("bytes", path, b"t,x\ns,m\n" + rows),
        lambda: ("bytes", path, b"t,x,\n" + rows.replace(b"\n", b",\n")),
        lambda: ("bytes", path, b't,x\n"' + rows),
        lambda: ("bytes", path, rows),
        lambda: ("bytes", path, random.bytes(int(random.integers(1, 400)))),
        lambda: ("bytes", path, b"t,x\n" + rows + rows),
        lambda: ("bytes", path, b"t,x\r" + rows.replace(b"\n", b"\r\r\n")),
        lambda: ("repeated", path, b"t,x\n", b"0.1,0.2\n", int(random.integers(2, 3000)), b""),
        lambda: ("repeated", path, b"t,x\n0,", b"1", int(10 ** random.uniform(2, 6)), b"\n1,2\n2,3\n"),
        lambda: ("repeated", path, b"t", b",x", int(10 ** random.uniform(1, 4)), b"\n" + rows),
        lambda: ("repeated", path, b"t,x\n", b"\n", int(10 ** random.uniform(1, 5)), rows),
        lambda: ("repeated", path, b"t,x\n0,1\n", b'"', int(10 ** random.uniform(0, 5)), rows),
        lambda: ("link", path, path),
        lambda: ("folder", path),
        lambda: ("pipe", path) if chance(random, 0.1) else ("folder", path),
        lambda: ("zeros", "data.npz", int(10 ** random.uniform(2, 7.5))),
        lambda: ("wide", path, int(10 ** random.uniform(1, 5))),
        lambda: ("sheet", "data.xlsx", _sheet(random)),
    )
    step = one_of(random, kinds)()
    given: dict[str, Any] = {"path": step[1]}
    if chance(random, 0.3):
        given["time"] = "t"
    return Case("reading", (step,), "read", given, "hardly a table")
