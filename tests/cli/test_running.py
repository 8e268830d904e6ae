"""One run of the command line: ended by its budget or by Ctrl-C, resumed, held, and told as JSON."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from mathonet import cli, load, systems
from mathonet.archive.folder import Hold
from mathonet.cli import commands

QUICK = ["--operations", "ident", "sin"]
SMALL = ["--operations", "ident", "--hidden", "1", "--restarts", "3", "--cycles", "6"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    """A working folder with a table of noisy derivatives and one of states."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(commands, "_use_compilation_cache", lambda: None)
    data = systems.get("lotka-volterra").simulate(derivative_noise=0.02)
    table = pd.DataFrame({"t": data.t, "x": data.x[:, 0], "y": data.x[:, 1]})
    table.to_csv(tmp_path / "states.csv", index=False)
    table.assign(**{"dx/dt": data.x_dot[:, 0], "dy/dt": data.x_dot[:, 1]}).to_csv("slopes.csv", index=False)
    return tmp_path


def result(run: Path) -> dict:
    content = json.loads((run / "equations.json").read_text())
    return {key: value for key, value in content.items() if key != "seconds"}


def test_a_spent_budget_leaves_an_archive_that_can_go_on(folder, capsys):
    assert cli.main(["discover", "slopes.csv", *QUICK, "--budget", "0.01", "--out", "run"]) == 0
    shown = capsys.readouterr().out
    assert "Cut short: the budget of 0.01 s was spent. Left out or not finished: " in shown
    assert "To go on: mathonet discover --resume run" in shown
    assert "the search was cut short" in shown
    stopped = result(folder / "run")["stopped"]
    assert stopped["why"] == "the budget of 0.01 s was spent"
    assert {"sums with calls", "networks"} <= set(stopped["left_out"])
    assert load("run").discovery_.cut is not None
    (folder / "slopes.csv").rename(folder / "elsewhere.csv")
    assert cli.main(["discover", "--resume", "run"]) == 0
    assert cli.main(["discover", "elsewhere.csv", *QUICK, "--out", "whole"]) == 0
    assert result(folder / "run") == result(folder / "whole")
    assert result(folder / "run")["stopped"] is None
    assert not (folder / "run" / "unfinished").exists()


def press(monkeypatch, times: int = 1) -> None:
    """Press Ctrl-C while the search goes on."""
    from mathonet.search.proposers import given_network, polynomials

    def pressing(original):
        def pressed(*arguments):
            for _ in range(times):
                os.kill(os.getpid(), signal.SIGINT)
            return original(*arguments)

        return pressed

    for module, step in ((given_network, "sweep"), (polynomials, "polynomial_forms")):
        monkeypatch.setattr(module, step, pressing(getattr(module, step)))


@pytest.mark.parametrize("source", ["slopes.csv", "states.csv"])
def test_ctrl_c_leaves_an_archive_and_says_how_to_go_on(folder, capsys, monkeypatch, source):
    before = signal.getsignal(signal.SIGINT)
    press(monkeypatch)
    assert cli.main(["discover", source, *QUICK, "--out", "a run"]) == 130
    shown = capsys.readouterr()
    assert "Ctrl-C once more ends at once. To go on later: mathonet discover --resume 'a run'" in shown.err
    assert "Cut short: Ctrl-C was pressed." in shown.out
    assert load("a run").discovery_.cut.why == "Ctrl-C was pressed"
    assert signal.getsignal(signal.SIGINT) == before


def test_a_second_ctrl_c_ends_at_once(folder, capsys, monkeypatch):
    press(monkeypatch, 2)
    assert cli.main(["discover", "slopes.csv", *QUICK, "--out", "run"]) == 130
    assert "stopped before a result was written; to go on: " in capsys.readouterr().err
    assert [each.name for each in (folder / "run").iterdir()] == ["unfinished"]


def test_an_earlier_result_stays_until_the_next_is_there(folder, monkeypatch):
    assert cli.main(["discover", "slopes.csv", *SMALL, "--out", "run"]) == 0
    first = result(folder / "run")
    with monkeypatch.context() as patch:
        press(patch, 2)
        assert cli.main(["discover", "slopes.csv", *SMALL, "--seed", "1", "--out", "run"]) == 130
    assert result(folder / "run") == first
    assert load("run").seed == 0
    assert cli.main(["discover", "--resume", "run"]) == 0
    assert load("run").seed == 1


def test_a_finished_network_is_not_learned_again(folder, monkeypatch):
    from mathonet.search.proposers import given_network
    from mathonet.search.samples.objective import SampleObjective

    seen, original = [], given_network.sweep

    def counted(*arguments):
        seen.append(arguments[0])
        return original(*arguments)

    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(given_network, "sweep", counted)
    with monkeypatch.context() as patch:
        patch.setattr(SampleObjective, "consider", stop)
        assert cli.main(["discover", "slopes.csv", *SMALL, "--out", "run"]) == 130
    assert cli.main(["discover", "--resume", "run"]) == 0
    assert len(seen) == 1
    assert cli.main(["discover", "slopes.csv", *SMALL, "--out", "whole"]) == 0
    assert len(seen) == 2
    assert result(folder / "run") == result(folder / "whole")


def test_a_finished_run_says_so_and_shows_its_result(folder, capsys):
    assert cli.main(["discover", "slopes.csv", *SMALL, "--out", "run"]) == 0
    first = capsys.readouterr().out
    (folder / "run" / "report.html").unlink()
    assert cli.main(["discover", "--resume", "run"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("The run in run is finished: nothing is left to do.")
    for line in result(folder / "run")["equations"]:
        assert line["text"] in shown
        assert line["text"] in first
    assert (folder / "run" / "report.html").exists()


def test_json_is_all_that_is_printed(folder, capsys):
    assert cli.main(["discover", "slopes.csv", *SMALL, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown.pop("folder") == str(Path("runs/slopes"))
    assert shown == json.loads((folder / "runs" / "slopes" / "equations.json").read_text())
    assert cli.main(["discover", "--resume", "runs/slopes", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["folder"] == "runs/slopes"


def test_two_runs_do_not_share_a_folder(folder, capsys, monkeypatch):
    press(monkeypatch, 2)
    assert cli.main(["discover", "slopes.csv", *SMALL, "--out", "run"]) == 130
    capsys.readouterr()
    hold = Hold(folder / "run" / "unfinished", Path("run"))
    for arguments in (["slopes.csv", *SMALL, "--out", "run"], ["--resume", "run"]):
        assert cli.main(["discover", *arguments]) == 2
        assert "Another run is at work in run. Wait" in capsys.readouterr().err
    hold.release()
    monkeypatch.undo()
    monkeypatch.chdir(folder)
    assert cli.main(["discover", "--resume", "run"]) == 0


def test_an_unfinished_run_that_is_replaced_is_told(folder, capsys, monkeypatch):
    with monkeypatch.context() as patch:
        press(patch, 2)
        assert cli.main(["discover", "slopes.csv", *SMALL, "--out", "run"]) == 130
    capsys.readouterr()
    assert cli.main(["discover", "slopes.csv", *SMALL, "--out", "run"]) == 0
    assert "note: The unfinished run in run is replaced" in capsys.readouterr().err


BAD = {
    "no run": (["--resume", "nowhere"], "There is no run in 'nowhere' to go on with"),
    "a source as well": (["slopes.csv", "--resume", "nowhere"], "so a source cannot be given"),
    "an option as well": (["--resume", "nowhere", "--restarts", "3"], "so --restarts cannot be given"),
    "no budget": (["slopes.csv", "--budget", "0"], "positive number of seconds"),
    "a budget of nothing": (["slopes.csv", "--budget", "nan"], "positive number of seconds"),
    "no file of options": (["--config", "nope.toml"], "'nope.toml' cannot be read"),
}


@pytest.mark.parametrize(("arguments", "message"), BAD.values(), ids=BAD)
def test_mistakes_end_with_one_line(folder, capsys, arguments, message):
    assert cli.main(["discover", *arguments]) == 2
    assert message in capsys.readouterr().err
    assert not (folder / "runs").exists()


@pytest.mark.parametrize("mistake", [["--budget", "-5"], ["--budget", "nan"]])
def test_a_mistake_while_going_on_costs_nothing(folder, capsys, monkeypatch, mistake):
    with monkeypatch.context() as patch:
        press(patch, 2)
        assert cli.main(["discover", "slopes.csv", *SMALL, "--out", "run"]) == 130
    before = sorted((folder / "run" / "unfinished").iterdir())
    assert cli.main(["discover", "--resume", "run", *mistake]) == 2
    assert "positive number of seconds" in capsys.readouterr().err
    assert sorted((folder / "run" / "unfinished").iterdir()) == before
    assert cli.main(["discover", "--resume", "run"]) == 0


def test_an_error_keeps_a_run_that_was_there_before(folder, capsys, monkeypatch):
    from mathonet.errors import DataError
    from mathonet.search.proposers import given_network

    def fail(*_):
        raise DataError("no good")

    with monkeypatch.context() as patch:
        press(patch, 2)
        assert cli.main(["discover", "slopes.csv", *SMALL, "--out", "run"]) == 130
    with monkeypatch.context() as patch:
        patch.setattr(given_network, "sweep", fail)
        assert cli.main(["discover", "--resume", "run"]) == 2
        assert "to go on: mathonet discover --resume run" in capsys.readouterr().err
        assert cli.main(["discover", "slopes.csv", *SMALL, "--out", "new"]) == 2
    assert not (folder / "new").exists()
    assert cli.main(["discover", "--resume", "run"]) == 0


def test_a_search_that_needed_more_time_is_kept(folder, capsys, monkeypatch):
    from mathonet.search.path import conclusion

    with monkeypatch.context() as patch:
        patch.setattr(conclusion, "eliminate", lambda *_: [])
        assert cli.main(["discover", "states.csv", *SMALL, "--budget", "0.01", "--out", "run"]) == 2
    shown = capsys.readouterr().err
    assert "Give it more time" in shown
    assert "to go on: mathonet discover --resume run" in shown
    assert cli.main(["discover", "--resume", "run"]) == 0
    assert result(folder / "run")["stopped"] is None


def test_a_damaged_journal_is_told(folder, capsys, monkeypatch):
    press(monkeypatch, 2)
    assert cli.main(["discover", "slopes.csv", *SMALL, "--out", "run"]) == 130
    for name in ("run.json", "data.npz"):
        place = folder / "run" / "unfinished" / name
        raw = place.read_bytes()
        place.write_bytes(raw[: len(raw) // 2])
        assert cli.main(["discover", "--resume", "run"]) == 2
        assert "The unfinished run in run is damaged" in capsys.readouterr().err
        place.write_bytes(raw)


def test_a_damaged_network_is_learned_again(folder, monkeypatch):
    from mathonet.search.samples.objective import SampleObjective

    def stop(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(SampleObjective, "complete", stop)
        assert cli.main(["discover", "slopes.csv", *SMALL, "--out", "run"]) == 130
    (kept,) = (folder / "run" / "unfinished").glob("rung-*.npz")
    kept.write_bytes(kept.read_bytes()[:-100])
    assert cli.main(["discover", "--resume", "run"]) == 0
    assert cli.main(["discover", "slopes.csv", *SMALL, "--out", "whole"]) == 0
    assert result(folder / "run") == result(folder / "whole")


def test_the_options_of_a_run_can_be_given_back(folder):
    assert cli.main(["discover", "slopes.csv", *SMALL, "--seed", "3", "--out", "run"]) == 0
    assert cli.main(["discover", "--config", "run/config.toml", "--out", "again"]) == 0
    assert result(folder / "again") == result(folder / "run")
    written = (folder / "run" / "config.toml").read_text()
    assert (folder / "again" / "config.toml").read_text() == written


@pytest.mark.skipif(sys.platform == "darwin", reason="its file names are text")
def test_neither_letters_nor_file_names_depend_on_the_locale(folder):
    """A file name that is no text, a state that the locale has no letter for."""
    table = pd.read_csv("slopes.csv").rename(columns={"x": "θ", "dx/dt": "dθ/dt"})
    source = os.fsdecode(b"m\xff.csv")
    table.to_csv(folder / source, index=False)
    command = [sys.executable, "-m", "mathonet.cli", "discover", source, *SMALL, "--out", "run"]
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii:strict"}
    done = subprocess.run(command, cwd=folder, env=os.environ | plain, capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr.decode()
    assert b"\\u03b8' = " in done.stdout
    assert load("run").discovery_.system.names == ("θ", "y")
    written = (folder / "run" / "config.toml").read_text(encoding="utf-8")
    assert 'm\\udcff.csv" is no text' in written
    assert (folder / "run" / "report.html").exists()


def test_the_command_line_goes_before_the_file(folder):
    (folder / "my.toml").write_text(
        'operations = ["ident"]\nhidden = [1]\nrestarts = 2\nseed = 5\ncycles = 6\ndense = false\n'
    )
    assert cli.main(["discover", "slopes.csv", "--config", "my.toml", "--seed", "7", "--out", "run"]) == 0
    model = load("run")
    assert (model.seed, model.restarts, model.hidden, model.operations) == (7, 2, [1], ["ident"])


def test_simulate_writes_csv(folder, capsys):
    assert cli.main(["discover", "slopes.csv", *SMALL, "--out", "run"]) == 0
    capsys.readouterr()
    assert cli.main(["simulate", "run"]) == 0
    lines = capsys.readouterr().out.splitlines()
    model = load("run")
    assert lines[0] == "t,x,y"
    trajectory = model.trajectories_[0]
    found = np.array([[float(part) for part in line.split(",")] for line in lines[1:]])
    np.testing.assert_array_equal(found[:, 0], trajectory.t)
    np.testing.assert_array_equal(found[:, 1:], model.simulate(trajectory.x[0], trajectory.t))
    assert cli.main(["simulate", "run", "--x0", "1", "0.5", "--times", "0:1:3", "--out", "s.csv"]) == 0
    assert capsys.readouterr().out == ""
    assert pd.read_csv("s.csv")["t"].tolist() == [0.0, 0.5, 1.0]
    for arguments, message in (
        (["--times", "a"], "--times takes increasing numbers"),
        (["--times", "5", "6"], "give --x0"),
        (["--x0", "1"], "x0 must be 2 finite numbers"),
        (["--x0", "1", "1", "--times", "2", "1"], "increasing times"),
        (["--trajectory", "2"], "--trajectory must be from 1 to 1"),
        (["--x0", "1e9", "1e9", "--times", "0:1e9:3"], "The simulation"),
        (["--out", "no/where.csv"], "could not be written"),
    ):
        assert cli.main(["simulate", "run", *arguments]) == 2
        assert message in capsys.readouterr().err
    assert cli.main(["simulate", "nowhere"]) == 2


def test_a_report_is_written_from_the_archive(folder, capsys):
    assert cli.main(["discover", "slopes.csv", *SMALL, "--out", "run"]) == 0
    capsys.readouterr()
    assert cli.main(["report", "run", "--out", "mine.html"]) == 0
    assert capsys.readouterr().out == "mine.html\n"
    assert "<html" in (folder / "mine.html").read_text()


def test_progress_without_a_terminal_is_a_few_plain_lines(folder, capsys):
    assert cli.main(["discover", "states.csv", *QUICK, "--out", "run"]) == 0
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    told = [line for line in shown.splitlines() if line.startswith("[")]
    assert 3 <= len(told) <= 30
    assert "smoothing the measured states" in told[0]
    assert any("polynomials: looking at all equations" in line for line in told)
    assert any("fitting the whole path" in line for line in told)
    assert any("comparing with rivals" in line for line in told)
