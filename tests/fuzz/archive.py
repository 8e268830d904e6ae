"""The archive layer: folders of finished runs with something changed in them, by accident or by a forger."""

import json
from typing import Any

from tests.fuzz.case import Case, Step
from tests.fuzz.draw import Random, chance, one_of
from tests.fuzz.steps import ARRAYS, FROZEN

ODD: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 3, 2.5, 1e308, 10**30, -(10**400), "", "x", "nan", "\x1b[31m", "x" * 5000),
    *("../x", [], {}, [None], [[]], [1, "a"], {"a": 1}, ["ident"], [0.5, 0.5], "Infinity", float("nan")),
    *(float("inf"), [[[[[[]]]]]]),
)
"""Values that take the place of those in a document."""


def case(random: Random) -> Case:
    """A case of a finished run."""
    steps: tuple[Step, ...] = (("copy", "run", "finished"),)
    for _ in range(int(random.integers(1, 3))):
        steps += damage(random, "finished", "", ("archive.json",) * 4 + ("equations.json", "config.json"))
    note = "a finished run that was changed"
    share = random.random()
    if share < 0.8:
        return Case("archive", steps, "load", {"folder": "run"}, note)
    if share < 0.9:
        argv = ["export", "run", "--to", one_of(random, ("python", "latex", "c", "sympy"))]
    elif share < 0.985:
        argv = ["simulate", "run", "--times", "0:1:3", "--x0", "1", "1"]
    else:
        argv = ["report", "run", "--out", "page.html"]
    return Case("archive", steps, "main", {"argv": argv}, note)


def damage(random: Random, which: str, inside: str, documents: tuple[str, ...]) -> tuple[Step, ...]:
    """Something done to a run.

    Args:
        random: draws it.
        which: the run, finished or unfinished.
        inside: the folder in it.
        documents: JSON files there.
    """
    base = FROZEN / which / inside
    files = sorted(each.name for each in base.iterdir() if each.is_file())
    place = f"run/{inside}" if inside else "run"
    file = one_of(random, files)
    share = random.random()
    if share < 0.55:
        name = one_of(random, documents)
        keys = _keys(random, json.loads((base / name).read_bytes()))
        return (("json", f"{place}/{name}", keys, one_of(random, ODD), chance(random, 0.15) and bool(keys)),)
    if share < 0.75:
        name = one_of(random, [each for each in files if each.endswith(".npz")])
        return (("array", f"{place}/{name}", str(int(random.integers(100))), one_of(random, sorted(ARRAYS))),)
    if share < 0.85:
        return (("flip", f"{place}/{file}", float(random.random()), 1 << int(random.integers(8))),)
    if share < 0.9:
        return (("cut", f"{place}/{file}", float(random.random())),)
    if share < 0.95:
        taken: Step = ("remove", f"{place}/{file}")
        left: tuple[Step, ...] = (
            ("link", f"{place}/{file}", one_of(random, (file, "../run", "../nowhere"))),
            ("folder", f"{place}/{file}"),
            (
                "bytes",
                f"{place}/{file}",
                one_of(random, (b"", b"{}", b"[" * 100_000, b"\x00", b"null", b"PK\x03\x04")),
            ),
        )
        return (taken, one_of(random, left)) if chance(random, 0.6) else (taken,)
    other = one_of(random, files)
    return (("bytes", f"{place}/{file}", (base / other).read_bytes()),)


def _keys(random: Random, content: Any) -> list[Any]:
    """The way to some value in a document, not always to its end."""
    keys: list[Any] = []
    while isinstance(content, dict | list) and content and not (keys and chance(random, 0.12)):
        inner = sorted(content) if isinstance(content, dict) else range(len(content))
        keys.append(one_of(random, list(inner)))
        content = content[keys[-1]]
    return keys
