"""What a case wrote: its scratch folder before and after, and what of it was not its to change."""

import hashlib
import os
import stat
from contextlib import suppress
from pathlib import Path

from tests.fuzz.case import Case

OURS = ("equations.json", "archive.json", "unfinished")
"""What is in the folder of a run."""

Snapshot = dict[str, tuple[str, str]]
"""The kind and the content of everything in a folder, by its path."""


def snapshot(root: Path) -> Snapshot:
    """Everything in a folder; links are looked at, not followed."""
    found: Snapshot = {}
    waiting = [str(root)]
    while waiting:
        # A path may be too long to be looked at, and a folder closed.
        with suppress(OSError):
            for entry in os.scandir(waiting.pop()):
                found[entry.path] = _seen(entry.path, os.lstat(entry.path).st_mode)
                if found[entry.path][0] == "folder":
                    waiting.append(entry.path)
    return found


def _seen(path: str, mode: int) -> tuple[str, str]:
    if stat.S_ISLNK(mode):
        return "link", os.readlink(path)
    if stat.S_ISREG(mode):
        with open(path, "rb") as file:
            return "file", hashlib.sha256(file.read()).hexdigest()
    if stat.S_ISDIR(mode):
        return "folder", ""
    return "pipe or device", ""


def allowed(case: Case, here: Path) -> list[Path]:
    """What a case may write to: the folder of its run, or the file that was asked for.

    A folder with other people's files in it is nobody's run, and a link is to stay one.
    """
    if case.verb == "open":
        return [(here / case.given["folder"]).resolve()]
    if case.verb != "main":
        return []
    argv = case.given["argv"]
    named = {option: _value(argv, option) for option in ("--out", "--resume")}
    # What is put aside beside a new run's folder is gone when it ends; a folder above may be made for it.
    places = [here / "runs"] if named["--out"] is None else [here / named["--out"]]
    if named["--resume"] is not None:
        places.append(here / named["--resume"])
    if argv[:1] == ["report"] and len(argv) > 1:
        places.append(here / argv[1] / "report.html")
    kept = []
    for place in places:
        try:
            target = place.resolve()
            if not (
                target.is_dir() and any(target.iterdir()) and not any((target / n).exists() for n in OURS)
            ):
                kept.append(target)
        except (OSError, ValueError, RuntimeError):
            continue
    return kept


def _value(argv: list[str], option: str) -> str | None:
    """The value of an option, as the last mention has it; the parser takes shortened names too."""
    found = None
    for place, each in enumerate(argv):
        name, equals, value = each.partition("=")
        if len(name) > 3 and option.startswith(name):
            found = value if equals else argv[place + 1] if place + 1 < len(argv) else None
    return found


def foreign(before: Snapshot, after: Snapshot, places: list[Path]) -> str:
    """What changed outside of the places that may, in words; empty if nothing did."""
    for path in sorted({*before, *after}):
        was, now = before.get(path), after.get(path)
        inside = any(path == str(place) or path.startswith(f"{place}{os.sep}") for place in places)
        above = any(str(place).startswith(f"{path}{os.sep}") for place in places)
        if was == now or (was is None and (inside or (above and now == ("folder", "")))):
            continue
        if inside and was is not None and (now is None or was[0] == now[0]):
            continue
        short = os.path.join(*Path(path).parts[3:])
        if was is None:
            return f"left behind: {short} ({now and now[0]})"
        if now is None:
            return f"removed: {short} ({was[0]})"
        return f"changed: {short} (a {was[0]}, now a {now[0]})"
    return ""
