"""The code of the README and of the documentation runs, and prints what the pages say it prints.

A `python` block runs alone, in an empty folder. The blocks of a page of `STORIES` run one after the other, in
one folder and with one set of names, their `mathonet` commands too. A `text` block right below a `python`
block is what it prints; a line of three dots stands for any lines. Other commands are at least understood.
A `py` block is a peer's and runs where the peer is installed.
"""

import re
import runpy
import shlex
from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl
import pytest

from mathonet import cli, operations
from mathonet.cli.arguments import parser

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
STORIES = [ROOT / "docs" / "getting-started.md", *sorted((ROOT / "docs" / "tutorials").glob("*.md"))]
BLOCK = re.compile(r"^( *)```(python|py|text|console)\n(.*?)^\1```\n(\n*)", re.DOTALL | re.MULTILINE)
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


@dataclass
class Example:
    """Some code of a page, and what the page says it prints."""

    kind: str
    code: str
    line: int
    output: str | None = None


def examples(page: Path) -> list[Example]:
    text, found, end = page.read_text(), [], -1
    for match in BLOCK.finditer(text):
        indent, kind, body = match[1], match[2], match[3]
        body = re.sub(rf"^{indent}", "", body, flags=re.MULTILINE)
        line = text.count("\n", 0, match.start()) + 2
        if kind in ("python", "py"):
            found.append(Example(kind, body, line))
        elif kind == "console":
            found += console(body, line)
        elif match.start() == end and found and found[-1].kind == "python":
            found[-1].output = body
        end = match.end()
    return found


def console(body: str, line: int) -> list[Example]:
    """The commands of a block; what stands below a command is what it prints."""
    found = []
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        found.append(Example("console", command.split("  #")[0], line, output or None))
    return found


def named(page: Path) -> str:
    return str(page.relative_to(ROOT))


FIRST = [
    ROOT / "README.md",
    ROOT / "docs" / "index.md",
    ROOT / "docs" / "states.md",
    ROOT / "docs" / "trust.md",
]
"""Pages whose examples run with every test; those of the others, a minute, run before the site is built."""


def alone(kind: str) -> list:
    return [
        pytest.param(
            example, id=f"{named(page)}:{example.line}", marks=() if page in FIRST else pytest.mark.slow
        )
        for page in PAGES
        if page not in STORIES
        for example in examples(page)
        if example.kind == kind
    ]


def commands() -> list:
    return [
        pytest.param(example.code, id=f"{named(page)}:{example.line}:{place}")
        for page in PAGES
        for place, example in enumerate(examples(page))
        if example.kind == "console" and example.code.startswith("mathonet")
    ]


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    # An example may register an operation; the next one starts without it.
    monkeypatch.setattr(operations, "_registered", dict(operations._registered))
    monkeypatch.setenv("COLUMNS", "100")
    mpl.use("Agg")


def run(example: Example, page_folder: Path, names: dict) -> dict:
    script = page_folder / "example.py"
    # Blank lines in front keep the page's own line numbers in tracebacks.
    script.write_text("\n" * (example.line - 1) + example.code)
    return runpy.run_path(str(script), init_globals=names, run_name="__main__")


def agree(printed: str, shown: str) -> None:
    """Assert that text is the same, numbers to the digits that are shown."""
    parts = re.split(r"^ *\.\.\.\n", shown, flags=re.MULTILINE)
    if len(parts) == 1:
        assert lines(printed) == lines(shown), printed
        for left, right in zip(printed.splitlines(), shown.splitlines(), strict=True):
            numbers_agree(left, right)
        return
    at, have = 0, printed.splitlines()
    for part in filter(str.strip, parts):
        want = part.splitlines()
        place = next(
            (i for i in range(at, len(have)) if lines("\n".join(have[i : i + len(want)])) == lines(part)),
            None,
        )
        assert place is not None, f"not printed:\n{part}\nbut:\n{printed}"
        for left, right in zip(have[place : place + len(want)], want, strict=True):
            numbers_agree(left, right)
        at = place + len(want)


def lines(text: str) -> list[str]:
    """Lines without their numbers and their spacing."""
    return [" ".join(NUMBER.sub("#", line).split()) for line in text.strip("\n").splitlines()]


def numbers_agree(printed: str, shown: str) -> None:
    """Another processor may round the last digit otherwise; whole numbers are counts."""
    for left, right in zip(NUMBER.findall(printed), NUMBER.findall(shown), strict=True):
        mantissa, _, exponent = right.partition("e")
        unit = 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
        # A fit may end a little further on elsewhere: nobody reads a constant's tenth digit.
        slack = max(1.5 * unit, 1e-6 * abs(float(right))) if "." in mantissa else 0.0
        assert abs(float(left) - float(right)) <= slack, f"{printed!r} is not {shown!r}"


@pytest.mark.parametrize("example", alone("python"))
def test_example_runs(example, tmp_path, capsys):
    run(example, tmp_path, {})
    if example.output is not None:
        agree(capsys.readouterr().out, example.output)


@pytest.mark.parametrize("example", alone("py"))
def test_example_of_a_peer_runs(example, tmp_path):
    pytest.importorskip("pysindy")
    run(example, tmp_path, {})


@pytest.mark.slow
@pytest.mark.parametrize("page", STORIES, ids=named)
def test_story_runs(page, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(cli.commands, "_use_compilation_cache", lambda: None)
    names: dict = {}
    for example in examples(page):
        if example.kind == "python":
            names = run(example, tmp_path, names)
        elif example.code.startswith("mathonet"):
            assert cli.main(shlex.split(example.code)[1:]) == 0
        else:
            continue
        printed = capsys.readouterr().out
        if example.output is not None:
            agree(printed, example.output)


class Understood(dict):
    """Every command, doing nothing."""

    def __missing__(self, name: str):
        return lambda options: 0


@pytest.mark.parametrize("command", commands())
def test_command_is_understood(command):
    words = shlex.split(command, comments=True)[1:]
    if "--help" not in words and "--version" not in words:
        assert callable(parser(Understood()).parse_args(words).run)


def test_disagreement_is_seen():
    agree("x' = 1.2346 y\nmore\n", "x' = 1.2345 y\n...\n")
    for shown in ("x' = 1.2349 y\n", "x' = 1.2346 z\n", "...\nless\n"):
        with pytest.raises(AssertionError):
            agree("x' = 1.2346 y\n", shown)
