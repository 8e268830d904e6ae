"""What a user, a file or a stranger may give: a line that says what is wrong, no traceback, no waiting."""

import errno
import hashlib
import json
import os
import shutil
from pathlib import Path

import pytest

from mathonet import cli
from mathonet.cli import commands
from mathonet.cli.terminal import LONGEST, console, stderr

SAVED = Path(__file__).parents[1] / "files" / "v0.1"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    """A working folder with a short table, a finished run, a pipe and links."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(commands, "_use_compilation_cache", lambda: None)
    (tmp_path / "data.csv").write_text("t,x\n" + "".join(f"{k / 10},{0.9**k}\n" for k in range(40)))
    shutil.copytree(SAVED / "finished", "run")
    shutil.copytree(SAVED / "unfinished", "ended")
    os.mkfifo("pipe")
    Path("loop").symlink_to("loop")
    return tmp_path


def refused(capsys, *arguments: str) -> str:
    """What a command says that ends with exit code 2."""
    assert cli.main(list(arguments)) == 2
    told = capsys.readouterr().err
    assert told.startswith("error: ")
    assert "Traceback" not in told
    assert len(told) <= LONGEST + 1
    return told


@pytest.mark.parametrize("value", ["nan", "inf", "1e309", "-0", "0"])
def test_lambdas_that_are_none(capsys, value):
    assert "lambdas must be positive numbers" in refused(capsys, "discover", "data.csv", "--lambdas", value)
    assert not Path("runs").exists()


PATHS = {
    "an address": ("s3://bucket/run", "is an address"),
    "a file as an address": ("file:///tmp/x", "is an address"),
    "a long name": ("n" * 300, "File name too long"),
    "a link to itself": ("loop", "Too many levels of symbolic links"),
    "below a link to itself": ("loop/x", "Too many levels of symbolic links"),
    "a NUL": ("a\0b", "NUL"),
    "half a letter": ("a\ud800", "cannot be used"),
    "nothing": ("", "is empty"),
}


@pytest.mark.parametrize(("path", "message"), PATHS.values(), ids=PATHS)
def test_paths_that_none_could_be(capsys, path, message):
    for arguments in (
        ["discover", "data.csv", "--out", path],
        ["discover", "--resume", path],
        ["discover", "data.csv", "--config", path],
        ["simulate", path],
        ["simulate", "run", "--out", path],
        ["report", path],
        ["export", path, "--to", "c"],
        ["export", "run", "--to", "c", "--out", path],
        ["report", "run", "--out", path],
        ["bench", "core", "--out", path],
        ["paper", "lorenz", "--out", path],
    ):
        assert message in refused(capsys, *arguments), arguments


@pytest.mark.parametrize("path", ["pipe", "/dev/null", "data.csv"])
def test_what_is_no_place_for_results(capsys, path):
    before = os.lstat(path)
    for arguments in (
        ["discover", "data.csv", "--out", path],
        ["discover", "--resume", path],
        ["simulate", "run", "--out", path],
        ["export", "run", "--to", "c", "--out", path],
        ["report", "run", "--out", path],
        ["bench", "core", "--out", path],
        ["simulate", path],
    ):
        refused(capsys, *arguments)
    assert os.path.samestat(before, os.lstat(path))
    assert Path("data.csv").read_text().startswith("t,x\n0.0,1.0\n")


def test_many_nested_folders(capsys):
    """They are no reason to refuse: only what no system has is."""
    deep = "d/" * 1500 + "x"
    # Refused for another reason, after the folder was looked at.
    assert "seed must be" in refused(capsys, "discover", "data.csv", "--seed", "-1", "--out", deep)
    assert "There is no folder" in refused(capsys, "simulate", deep)
    assert "File name too long" in refused(capsys, "simulate", "d/" * 3000)


def test_a_pipe_in_a_run_is_not_waited_for(capsys):
    for name in ("archive.json", "data.npz"):
        (Path("run") / name).unlink()
        os.mkfifo(f"run/{name}")
        assert "named pipe" in refused(capsys, "simulate", "run")
    Path("ended/unfinished/data.npz").unlink()
    os.mkfifo("ended/unfinished/data.npz")
    assert "it is a named pipe" in refused(capsys, "discover", "--resume", "ended")


@pytest.mark.parametrize("times", ["0:1:1000000000000", "0:1:1000001", "0:1:" + "9" * 5000, "0:1:1e400"])
def test_times_beyond_memory(capsys, times):
    assert "--times" in refused(capsys, "simulate", "run", "--times", times)


def test_what_a_link_leads_to_is_not_lost(capsys, folder):
    (folder / "thesis").mkdir()
    (folder / "thesis" / "chapter.tex").write_text("mine")
    (folder / "link").symlink_to("thesis")
    assert "holds no earlier run" in refused(capsys, "discover", "data.csv", "--out", "link")
    (folder / "run" / "report.html").unlink(missing_ok=True)
    (folder / "run" / "report.html").symlink_to(folder / "thesis" / "chapter.tex")
    assert "'report.html' in the folder run is a link" in refused(
        capsys, "discover", "data.csv", "--out", "run"
    )
    assert "did not write" in refused(capsys, "report", "run")
    assert (folder / "thesis" / "chapter.tex").read_text() == "mine"


def test_measured_data_are_not_replaced_by_a_simulation(capsys):
    assert cli.main(["simulate", "run", "--out", "s.csv"]) == 0
    assert cli.main(["simulate", "run", "--times", "0:1:5", "--out", "s.csv"]) == 0
    assert len(Path("s.csv").read_text().splitlines()) == 6
    other = ("simulate", "run", "--times", "0:1:5", "--x0", "1", "1", "--out", "s.csv")
    assert "did not write" in refused(capsys, *other)
    from mathonet import load

    data = load("run").trajectories_[0]
    rows = "".join(
        f"{t!r},{x[0]!r},{x[1]!r}\n" for t, x in zip(data.t.tolist(), data.x.tolist(), strict=True)
    )
    Path("hares.csv").write_text("t,prey,hunter\n" + rows)
    assert "did not write" in refused(capsys, "simulate", "run", "--out", "hares.csv")


def test_known_terms_are_taken_once(capsys):
    options = ["discover", "data.csv"]
    for given in (["--known", "x=1", "x=2"], ["--known", "x=1", "--known", "x=2"]):
        assert "--known names 'x' twice" in refused(capsys, *options, *given)
    assert "seed must be" in refused(capsys, *options, "--seed", "-1", "--known", "x=1", "--known", "y=2")


def test_options_that_are_repeated_add_up():
    from mathonet.cli.arguments import parser

    commands = ("discover", "simulate", "report", "export", "systems", "bench", "paper")
    asked = parser(dict.fromkeys(commands, print), {"known": ["z=3"], "states": ["q"]})  # type: ignore
    found = asked.parse_args(["discover", "a.csv", "--known", "x=1", "--known", "y=2", "z=4"])
    assert found.known == ["x=1", "y=2", "z=4"]
    assert found.states == ["q"]


FORGED = {
    "no parameters": (lambda request: request.pop("parameters"), "'parameters'"),
    "parameters of another type": (lambda request: request.update(parameters=[1]), "is list and not dict"),
    "a parameter that is none": (lambda request: request["parameters"].update(executor="x"), "no parameter"),
    "a number as text": (lambda request: request["parameters"].update(seed="0"), "must be a whole number"),
    "a huge number": (lambda request: request["parameters"].update(restarts=10**400), "restarts must be"),
    "other operations": (lambda request: request["parameters"].update(operations=["system"]), "'system'"),
    "no numbers": (lambda request: request["parameters"].update(lambdas=[float("nan")]), "lambdas must be"),
    "layers without end": (lambda request: request["parameters"].update(hidden=[1] * 1000), "1000 layers"),
    "epochs without end": (
        lambda request: request["parameters"].update(map_step="adam", epochs=10**30),
        "epochs must be",
    ),
    "a source that is none": (lambda request: request.update(source=7), "is int and not str"),
    "a text that is none": (lambda request: request.update(config=None), "is NoneType and not str"),
}


@pytest.mark.parametrize(("forge", "message"), FORGED.values(), ids=FORGED)
def test_a_forged_request_is_refused(capsys, forge, message):
    place = Path("ended/unfinished/run.json")
    document = json.loads(place.read_text())
    forge(document["content"]["request"])
    raw = json.dumps(document["content"], sort_keys=True)
    place.write_text(json.dumps(document | {"sha256": hashlib.sha256(raw.encode()).hexdigest()}))
    told = refused(capsys, "discover", "--resume", "ended")
    assert "The unfinished run in ended is damaged" in told
    assert message in told


@pytest.mark.parametrize("text", ["", "[" * 100_000, "{}", "null", '{"format": 1e999}', "1" * 5000, "\xff"])
def test_what_is_no_document_of_ours_is_refused(capsys, text):
    for place, command in (
        ("ended/unfinished/run.json", ["discover", "--resume", "ended"]),
        ("run/archive.json", ["simulate", "run"]),
    ):
        Path(place).write_text(text, encoding="latin-1")
        assert "is damaged" in refused(capsys, *command)


def test_a_failing_disk_ends_with_a_line(capsys, monkeypatch):
    def fail(_):
        raise OSError(errno.EIO, "Input/output error", "/mnt/disk")

    monkeypatch.setattr(commands, "_systems", fail)
    assert refused(capsys, "systems") == "error: /mnt/disk: Input/output error\n"


def test_too_little_memory_ends_with_a_line(capsys, monkeypatch):
    def fail(_):
        raise MemoryError("Unable to allocate 7 TiB")

    monkeypatch.setattr(commands, "_systems", fail)
    assert "not enough memory (Unable to allocate 7 TiB)" in refused(capsys, "systems")


def test_what_is_written_commands_no_terminal(capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    from rich.table import Table
    from rich.text import Text

    evil = "\x1b]0;owned\x07\x9b2Jx"
    table = Table(title=evil)
    table.add_column(evil)
    table.add_row(Text(evil, style="bold"))
    for each in (evil, Text(evil, style="red"), table):
        console().print(each)
    stderr(f"warning: {evil}")
    shown = capsys.readouterr()
    assert "\x1b]" not in shown.out + shown.err
    assert "\x9b" not in shown.out + shown.err
    assert "\x07" not in shown.out + shown.err
    assert r"\x1b]0;owned" in shown.err


def test_long_messages_are_cut(capsys):
    stderr("error: " + ", ".join(f"column{k}" for k in range(100_000)))
    told = capsys.readouterr().err
    assert len(told) <= LONGEST + 1
    assert "column0, column1" in told
    assert told.endswith("column99999\n")
