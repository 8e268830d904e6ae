"""The oracle: carries out a case in a folder of its own and says how it ended."""

import contextlib
import io
import os
import subprocess
import sys
import tempfile
import traceback
import unicodedata
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.fuzz import wrote
from tests.fuzz.case import Case
from tests.fuzz.table import lost

OK, REFUSED = "ok", "refused"
TRACEBACK, HANG, LOSS, WROTE, MESSAGE = "TRACEBACK", "HANG", "LOSS", "WROTE", "MESSAGE"
OUTCOMES = (OK, REFUSED, TRACEBACK, HANG, LOSS, WROTE, MESSAGE)
"""How a case may end; the first two are as they should be.

TRACEBACK: an error that is none of ours, or an exit code but 0, 2 and 130. HANG: over a minute. LOSS:
something in the file was neither read nor named. WROTE: a file that was not the run's own changed. MESSAGE:
one that is too long, or has control characters in it.
"""
LONGEST = 2_000
"""Characters of a message that somebody might read."""
PLACE = ("a", "b", "here")
"""Where a case lies in its scratch folder: deep enough for paths that lead upwards."""
HOME = "home"
"""The user's home, in the scratch folder too."""


@dataclass(frozen=True)
class Outcome:
    """How a case ended.

    Attributes:
        kind: one of OUTCOMES.
        words: what was said, or went wrong.
        mark: the same for failures with the same cause.
    """

    kind: str
    words: str = ""
    mark: str = ""

    @property
    def failed(self) -> bool:
        """Whether it must not be."""
        return self.kind not in (OK, REFUSED)


@dataclass
class Said:
    """What a case said on its way."""

    out: str = ""
    error: str = ""
    notes: tuple[str, ...] = ()
    code: int = 0
    result: Any = None


def judge(case: Case) -> Outcome:
    """Carry out a case in a scratch folder and say how it ended."""
    root = Path(tempfile.mkdtemp(prefix="fuzz-")).resolve()
    try:
        here = root.joinpath(*PLACE)
        here.mkdir(parents=True)
        (root / HOME).mkdir()
        case.prepare(here)
        allowed = wrote.allowed(case, here)
        before = wrote.snapshot(root)
        outcome = _judged(case, here)
        changed = wrote.foreign(before, wrote.snapshot(root), allowed)
        if changed and outcome.kind in (OK, REFUSED):
            return Outcome(WROTE, changed, f"{case.verb} {changed.split(':')[0]}")
        return outcome
    finally:
        # Python's own removal goes down as many calls as there are folders in folders.
        subprocess.run(["rm", "-rf", str(root)], check=False)


def _judged(case: Case, here: Path) -> Outcome:
    from mathonet.errors import ArchiveError, ConfigError, DataError, SimulationError

    said = Said()
    try:
        with _surroundings(here), _listening(said):
            VERBS[case.verb](case, said)
    except (ArchiveError, ConfigError, DataError, SimulationError) as error:
        return _told(str(error), *said.notes) or Outcome(REFUSED, str(error))
    except Exception as error:
        return _traceback(error)
    if said.code == 2:
        words = said.error[said.error.rfind("error: ") :].strip()
        if not words.startswith("error: "):
            return Outcome(TRACEBACK, f"exit code 2 without a word: {said.error[-300:]}", "exit code 2")
        return _told(words) or _raw(said.error) or Outcome(REFUSED, words)
    if said.code not in (0, 130):
        return Outcome(TRACEBACK, f"exit code {said.code}: {said.error[-300:]}", f"exit code {said.code}")
    bad = _told(*said.notes) or _raw(said.out) or _raw(said.error)
    if bad is None and case.table is not None:
        gone = lost(case.table, case.given, said.result, said.notes)
        bad = Outcome(LOSS, gone, gone.split(":")[0]) if gone else None
    return bad or Outcome(OK)


def _read(case: Case, said: Said) -> None:
    from mathonet.data.table import read_table

    path, columns = Path(case.given["path"]), {k: v for k, v in case.given.items() if k != "path"}
    said.result = read_table(path, **columns)


def _main(case: Case, said: Said) -> None:
    from mathonet.cli import main

    try:
        said.code = main(list(case.given["argv"]))
    except SystemExit as end:
        said.code = end.code if isinstance(end.code, int) else 1 if end.code else 0


def _load(case: Case, said: Said) -> None:
    from mathonet.estimators.loading import load

    model = load(case.given["folder"])
    if hasattr(model, "equations"):
        said.out = "\n".join(model.equations())


def _open(case: Case, said: Said) -> None:
    from mathonet.archive.journal import FolderJournal

    journal = FolderJournal.open(case.given["folder"])
    if journal is not None:
        journal.close()


VERBS = {"read": _read, "main": _main, "load": _load, "open": _open}


@contextlib.contextmanager
def _surroundings(here: Path) -> Iterator[None]:
    """In the case's folder, with a home of its own."""
    home = here.parents[len(PLACE) - 1] / HOME
    before, cwd = {name: os.environ.get(name) for name in ("HOME", "COLUMNS")}, os.getcwd()
    os.environ |= {"HOME": str(home), "COLUMNS": "100"}
    os.environ.setdefault("XDG_CACHE_HOME", str(Path(tempfile.gettempdir()) / "mathonet-fuzz-cache"))
    # Matplotlib makes a folder for its settings when it is first loaded.
    os.environ.setdefault("XDG_CONFIG_HOME", str(Path(tempfile.gettempdir()) / "mathonet-fuzz-config"))
    os.chdir(here)
    try:
        yield
    finally:
        os.chdir(cwd)
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@contextlib.contextmanager
def _listening(said: Said) -> Iterator[None]:
    """Take down what is printed and warned of, by streams of bytes as the real ones are."""
    out, error = (io.TextIOWrapper(io.BytesIO(), "utf-8", "surrogateescape", newline="") for _ in range(2))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
                yield
        finally:
            for stream in (out, error):
                stream.flush()
            said.out += out.buffer.getvalue().decode("utf-8", "surrogateescape")  # type: ignore[attr-defined]
            said.error += error.buffer.getvalue().decode("utf-8", "surrogateescape")  # type: ignore[attr-defined]
            said.notes = tuple(str(each.message) for each in caught)


def _told(*messages: str) -> Outcome | None:
    """What is wrong with messages: each is to be one line that somebody can read."""
    for text in messages:
        if len(text) > LONGEST:
            return Outcome(MESSAGE, f"{len(text)} characters: {text[:200]}...", f"too long: {_start(text)}")
        if "\n" in text.strip():
            return Outcome(MESSAGE, f"several lines: {text[:200]!r}", f"several lines: {_start(text)}")
        if bad := _raw(text):
            return bad
    return None


def _raw(text: str) -> Outcome | None:
    """Control characters in a text, which a terminal would obey."""
    for place, letter in enumerate(text):
        if unicodedata.category(letter) == "Cc" and letter not in "\n\t\r":
            near = text[max(place - 60, 0) : place + 60]
            return Outcome(MESSAGE, f"a control character: {near!r}", f"control character: {_start(text)}")
    return None


def _start(text: str) -> str:
    """A message without what is the case's own."""
    words = [word for word in text.split() if word.isalpha() and len(word) < 15]
    return " ".join(words[:4])


def _traceback(error: Exception) -> Outcome:
    frames = traceback.extract_tb(error.__traceback__)
    ours = [each for each in frames if f"{os.sep}mathonet{os.sep}" in each.filename]
    place = f"{Path(ours[-1].filename).name}:{ours[-1].name}" if ours else "?"
    words = "".join(traceback.format_exception_only(error)).strip()
    return Outcome(TRACEBACK, f"{words[:300]} (in {place})", f"{type(error).__name__} in {place}")


def quiet() -> None:
    """Keep a worker from writing to the terminal by other ways than the two streams."""
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    sys.stdin = open(os.devnull)  # noqa: SIM115
