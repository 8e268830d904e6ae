"""The command line: results in a folder, or one line that says what to correct, exit code 2 and no folder."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from mathonet import cli
from mathonet.cli import commands
from mathonet.errors import DataError

QUICK = ["--hidden", "1", "--operations", "ident", "--restarts", "4", "--cycles", "6"]
FILES = {
    *("archive.json", "equations.json", "candidates.csv", "config.json", "config.toml"),
    *("data.npz", "history.npz", "report.html"),
}
TIMES = np.linspace(0, 2, 60)


def write(path: Path, header: str, *columns: np.ndarray) -> None:
    np.savetxt(path, np.column_stack(columns), delimiter=",", header=header, comments="", fmt="%.17g")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    """A working folder with tables; the process keeps its own compilation cache."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(commands, "_use_compilation_cache", lambda: None)
    x, y = np.exp(-TIMES), np.cos(3 * TIMES)  # no monomial of one is a monomial of the other
    slopes = (-x, 3 * x * y - 2 * y)
    write(tmp_path / "decay.csv", "t,x,y,dx/dt,dy/dt", TIMES, x, y, *slopes)
    write(tmp_path / "named.csv", "when,p,q,vp,vq,push", TIMES, x, y, *slopes, np.sin(TIMES))
    write(tmp_path / "states.csv", "t,x,y", TIMES, x, y)
    write(tmp_path / "half.csv", "t,x,y,dx/dt", TIMES, x, y, slopes[0])
    write(tmp_path / "gap.csv", "t,x,y,dx/dt,dy/dt", TIMES, np.where(TIMES == 0, np.nan, x), y, *slopes)
    write(tmp_path / "back.csv", "t,x,y,dx/dt,dy/dt", TIMES[::-1], *(c[::-1] for c in (x, y, *slopes)))
    twice = [np.concatenate([c, c]) for c in (x, y, *slopes)]
    order = np.concatenate([np.arange(60), [80, 79, 78, 60, *range(62, 78), 61, *range(81, 120)]])
    late = np.concatenate([TIMES, TIMES + 0.01])
    write(tmp_path / "mixed.csv", "t,x,y,dx/dt,dy/dt", late[order], *(c[order] for c in twice))
    write(tmp_path / "same.csv", "t,x,y,dx/dt,dy/dt", np.sort(np.concatenate([TIMES, TIMES])), *twice)
    write(tmp_path / "times.csv", "t,time,x,dx/dt", TIMES, TIMES**2, x, slopes[0])
    write(tmp_path / "few.csv", "t,x,y", TIMES, np.where(np.arange(60) < 5, x, np.nan), y)
    (tmp_path / "data.pkl").write_bytes(b"no pickle")
    (tmp_path / "data.npz").write_bytes(b"no archive")
    write(tmp_path / "still.csv", "t,x,y,dx/dt,dy/dt", TIMES, 0 * x + 1, y, *slopes)
    write(tmp_path / "short.csv", "t,x,dx/dt", TIMES[:1], x[:1], slopes[0][:1])
    (tmp_path / "text.csv").write_text("t,x,dx/dt\n0,a,1\n1,2,3\n2,3,4\n")
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "binary.csv").write_bytes(bytes(range(256)))
    return tmp_path


def names(folder: Path) -> set[str]:
    return {entry.name for entry in folder.iterdir()}


def equations(folder: Path) -> list[str]:
    return [each["text"] for each in json.loads((folder / "equations.json").read_text())["equations"]]


def test_a_table_becomes_equations_and_a_folder(folder, capsys):
    assert cli.main(["discover", "decay.csv", *QUICK]) == 0
    assert names(folder / "runs") == {"decay"}
    assert names(folder / "runs" / "decay") >= FILES
    found = equations(folder / "runs" / "decay")
    assert found == ["x' = -1.0000 x", "y' = -2.0000 y + 3.0000 x y"]
    shown = capsys.readouterr().out
    for line in (
        *found,
        "60 samples of 2 states (x, y), 1 experiment, no value missing\n",
        "95 % interval",
        "runs/decay",
    ):
        assert line in shown


def test_simple_numbers_are_told_where_they_show(folder, capsys):
    draw = np.random.default_rng(2)
    x, y = np.exp(-TIMES), np.cos(3 * TIMES)
    slopes = (-x + 0.003 * draw.normal(size=60), 3 * x * y - 0.7123 * y)
    write(folder / "noisy.csv", "t,x,y,dx/dt,dy/dt", TIMES, x, y, *slopes)
    assert cli.main(["discover", "noisy.csv", *QUICK]) == 0
    shown = capsys.readouterr().out
    assert "    - simple numbers within the errors: x' = -x\n" in shown
    assert shown.count("simple numbers") == 1
    content = json.loads((folder / "runs" / "noisy" / "equations.json").read_text())
    assert [each["simple_numbers"] for each in content["equations"]] == ["x' = -x", None]
    page = (folder / "runs" / "noisy" / "report.html").read_text()
    assert page.count("Simple numbers within the errors") == 1


def test_columns_can_be_named_and_the_folder_chosen(folder, capsys):
    columns = ["--time", "when", "--states", "p", "q", "--derivatives", "vp", "vq", "--inputs", "push"]
    assert cli.main(["discover", "named.csv", *columns, *QUICK, "--out", "deep/mine"]) == 0
    assert equations(folder / "deep" / "mine") == ["p' = -1.0000 p", "q' = -2.0000 q + 3.0000 p q"]
    assert not (folder / "runs").exists()
    assert "deep/mine" in capsys.readouterr().out


@pytest.mark.filterwarnings("default:Inputs stay far")
def test_a_warning_is_one_line(folder, capsys):
    x = np.exp(-TIMES)
    write(folder / "far.csv", "t,x,dx/dt", TIMES, x + 1000, -x)
    assert cli.main(["discover", "far.csv", *QUICK]) == 0
    assert capsys.readouterr().err.startswith("warning: Inputs stay far from zero (x = 1000 +- ")
    assert equations(folder / "runs" / "far") == ["x' = -1.0000 x + 1000.0"]


@pytest.mark.filterwarnings("default::mathonet.data.choice.Choice")
@pytest.mark.parametrize("option", [[], ["--experiment", "run"]])
def test_experiments_are_learned_from_together(folder, capsys, option):
    x, y = np.exp(-TIMES), np.cos(3 * TIMES)
    later = np.exp(-TIMES - 1)
    columns = [
        np.concatenate(pair) for pair in ((x, later), (y, y), (-x, -later), (3 * x * y, 3 * later * y))
    ]
    number = np.repeat([1, 2], len(TIMES))
    write(folder / "both.csv", "run,t,x,y,dx/dt,dy/dt", number, np.concatenate([TIMES, TIMES]), *columns)
    assert cli.main(["discover", "both.csv", *option, *QUICK]) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith("both.csv: 120 samples of 2 states (x, y), 2 experiments, no value missing\n")
    assert shown.err.startswith(
        "" if option else "note: Column 'run' is taken to name the experiment, 2 in all"
    )
    assert equations(folder / "runs" / "both") == ["x' = -1.0000 x", "y' = 3.0000 x y"]


@pytest.mark.filterwarnings("default:The rows were not")
def test_rows_are_sorted_with_a_word(folder, capsys):
    assert cli.main(["discover", "back.csv", *QUICK]) == 0
    assert capsys.readouterr().err.startswith("warning: The rows were not in the order of time")
    assert equations(folder / "runs" / "back") == ["x' = -1.0000 x", "y' = -2.0000 y + 3.0000 x y"]


def test_one_state_is_not_many(folder, capsys):
    assert cli.main(["discover", "decay.csv", "--states", "x", *QUICK]) == 0
    assert "60 samples of 1 state (x)," in capsys.readouterr().out


@pytest.fixture
def fitted(monkeypatch) -> list:
    """What `fit` is given; nothing is learned."""
    seen = []

    def fit(self, *arguments, **options):
        seen.append((arguments, options))
        raise DataError("enough")

    monkeypatch.setattr("mathonet.estimators.discoverer.Discoverer.fit", fit)
    return seen


@pytest.mark.parametrize("option", [[], ["--derivatives"]])
def test_derivatives_need_not_be_there(folder, capsys, fitted, option):
    x = np.where(np.arange(60) < 3, np.nan, np.exp(-TIMES))
    header = "t,x,y,dx/dt,dy/dt,u" if option else "t,x,y,u"
    write(folder / "raw.csv", header, TIMES, x, TIMES**2, *([x, x] if option else []), TIMES)
    assert cli.main(["discover", "raw.csv", "--inputs", "u", *option]) == 2
    (([found],), _) = fitted[0]
    assert (found.x.shape, found.t.shape, found.x_dot, found.u.shape) == ((60, 2), (60,), None, (60, 1))
    assert (found.names, found.input_names) == (("x", "y"), ("u",))
    assert (
        "60 samples of 2 states (x, y), 1 input (u), 1 experiment, 3 values missing\n"
        in capsys.readouterr().out
    )


def test_several_experiments_arrive_as_lists(folder, fitted):
    number = np.repeat([1, 2], 30)
    write(folder / "runs.csv", "n,t,x,y", number, TIMES, np.exp(-TIMES), TIMES**2)
    assert cli.main(["discover", "runs.csv", "--experiment", "n"]) == 2
    ((found,), _) = fitted[0]
    assert [len(each) for each in found] == [30, 30]
    assert found[0].x_dot is None
    assert found[0].u is None


def test_messages_about_files_do_not_speak_python(folder, capsys):
    for arguments in (["times.csv"], ["half.csv"], ["same.csv"], ["text.csv", "--time", "dx/dt"]):
        assert cli.main(["discover", *arguments]) == 2
        shown = capsys.readouterr().err
        assert "=[" not in shown
        assert "=..." not in shown


def test_a_second_run_replaces_the_first(folder):
    for seed in ("0", "1"):
        assert cli.main(["discover", "decay.csv", *QUICK, "--seed", seed]) == 0
    assert json.loads((folder / "runs" / "decay" / "equations.json").read_text())["seed"] == 1
    assert names(folder / "runs") == {"decay"}


def test_systems_are_listed(capsys):
    assert cli.main(["systems"]) == 0
    shown = capsys.readouterr().out
    for name in ("lorenz", "lotka-volterra", "van-der-pol", "pendulum", "sir"):
        assert name in shown


BAD = {
    "a missing file": (["nope.csv"], "There is no file 'nope.csv'"),
    "a misspelt file": (["decai.csv"], "Did you mean 'decay.csv'"),
    "a misspelt system": (["lorentz"], "Did you mean 'lorenz'"),
    "a system with an ending": (["lorenz.csv"], "The built-in system is called 'lorenz'"),
    "a file without its ending": (["decay"], "Did you mean the file 'decay.csv'"),
    "a name that is nothing": (["nonexist.csv"], "Tables in its folder: "),
    "a folder no file system makes": (["decay.csv", "--out", "/proc/x"], "cannot be written in /proc"),
    "an unknown system": (["qqqq"], "Known systems"),
    "a folder": (["."], "folder"),
    "nothing": ([""], "is empty"),
    "an empty file": (["empty.csv"], "is empty"),
    "a binary file": (["binary.csv"], "is no text"),
    "text in a column": (["text.csv"], "holds text: 'a'"),
    "NaN": (["gap.csv"], "'x' is NaN at line 2"),
    "time that goes back": (["mixed.csv"], "Time goes back at line 62"),
    "time that repeats": (["same.csv"], "add a column that names the experiment"),
    "two columns of time": (
        ["times.csv"],
        "Several columns could be the time: 't', 'time', and their times differ.",
    ),
    "an unknown experiment": (["decay.csv", "--experiment", "q"], "There is no column 'q' for experiment"),
    "a missing input": (["gap.csv", "--states", "y", "--inputs", "x"], "The input 'x' is NaN at line 2"),
    "few values": (["few.csv"], "The state 'x' has 5 measured values in all"),
    "a pickle": (["data.pkl"], "may run code"),
    "a damaged file": (["data.npz"], "is no NPZ file"),
    "an empty folder's name": (["decay.csv", "--out", ""], "--out is empty"),
    "a blank folder's name": (["decay.csv", "--out", " "], "--out is empty"),
    "epochs of newton": (["decay.csv", "--epochs", "5"], "give --map-step adam as well"),
    "epochs of newton, told": (
        ["decay.csv", "--protocol", "paper", "--map-step", "newton", "--epochs", "5"],
        "--epochs belongs to adam",
    ),
    "one dense layer": (
        ["decay.csv", "--dense", "--hidden", "3"],
        "give --hidden as well, such as --hidden 2 1",
    ),
    "dense without hidden": (["decay.csv", "--dense"], "--dense joins later layers"),
    "a dense system": (["lorenz", "--dense"], "--dense joins later layers"),
    "a constant state": (["still.csv", "--states", "x", "y"], "carries no information"),
    "one row": (["short.csv"], "Only 1 row of data"),
    "some derivatives": (["half.csv"], "none of 'y'"),
    "an unknown state": (["decay.csv", "--states", "x", "q"], "There is no column 'q'"),
    "a misspelt column": (["named.csv", "--time", "wen"], "Did you mean 'when'"),
    "an unknown input": (["decay.csv", "--inputs", "u"], "There is no column 'u'"),
    "too few derivatives": (["decay.csv", "--states", "x", "y", "--derivatives", "dx/dt"], "1 derivatives"),
    "an unknown operation": (["decay.csv", "--operations", "sine"], "Did you mean 'sin'"),
    "no neurons": (["decay.csv", "--hidden", "0"], "--hidden takes the neurons"),
    "no restarts": (["decay.csv", "--restarts", "0"], "restarts must be"),
    "no cycles": (["decay.csv", "--cycles", "0"], "cycles must be"),
    "a negative seed": (["decay.csv", "--seed", "-1"], "seed must be"),
    "a negative lambda": (["decay.csv", "--lambdas", "-1"], "lambdas must be"),
    "noise on a file": (["decay.csv", "--noise", "0.1"], "--noise is for built-in systems"),
    "negative noise": (["lorenz", "--noise", "-1"], "--noise must be"),
    "a negative seed for a system": (["lorenz", "--seed", "-1"], "--seed must be"),
    "columns of a system": (["lorenz", "--states", "x"], "--states is for files"),
    "noise that is NaN": (["lorenz", "--noise", "nan"], "--noise must be"),
    "a file as folder": (["decay.csv", "--out", "states.csv"], "is a file"),
    "the working folder": (["decay.csv", "--out", "."], "working folder"),
}


@pytest.mark.parametrize(("arguments", "message"), BAD.values(), ids=BAD)
def test_bad_input_ends_with_one_line_and_no_folder(folder, capsys, arguments, message):
    before = names(folder)
    assert cli.main(["discover", *arguments]) == 2
    shown = capsys.readouterr()
    assert message in shown.err
    assert shown.err.startswith("error: ")
    assert "Traceback" not in shown.err + shown.out
    assert names(folder) == before


def test_a_foreign_folder_is_refused_before_the_search(folder, capsys):
    (folder / "mine").mkdir()
    (folder / "mine" / "thesis.tex").write_text("mine")
    assert cli.main(["discover", "decay.csv", "--out", "mine"]) == 2
    shown = capsys.readouterr()
    assert "holds no earlier run" in shown.err
    assert "samples" not in shown.out
    assert names(folder / "mine") == {"thesis.tex"}


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["find"],
        ["discover"],
        ["discover", "decay.csv", "--hidden", "a"],
        ["discover", "decay.csv", "--selection", "best"],
        ["discover", "decay.csv", "--map-step", "sgd"],
        ["discover", "decay.csv", "--nope"],
        ["systems", "extra"],
        ["bench", "nope"],
    ],
)
def test_unknown_arguments_end_with_the_usage(folder, capsys, arguments):
    before = names(folder)
    with pytest.raises(SystemExit) as caught:
        cli.main(arguments)
    assert caught.value.code == 2
    assert "usage: mathonet" in capsys.readouterr().err
    assert names(folder) == before


def test_a_benchmark_needs_a_seed(folder, capsys):
    assert cli.main(["bench", "core", "--seeds", "0"]) == 2
    assert "--seeds" in capsys.readouterr().err
    assert not (folder / "benchmarks").exists()


def test_an_interrupt_at_once_leaves_what_is_needed_to_go_on(folder, capsys, monkeypatch):
    def stop(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("mathonet.estimators.discoverer.discover", stop)
        assert cli.main(["discover", "decay.csv", *QUICK]) == 130
    assert "to go on: mathonet discover --resume runs/decay" in capsys.readouterr().err
    assert names(folder / "runs" / "decay") == {"unfinished"}
    (folder / "decay.csv").unlink()
    assert cli.main(["discover", "--resume", "runs/decay"]) == 0
    assert equations(folder / "runs" / "decay") == ["x' = -1.0000 x", "y' = -2.0000 y + 3.0000 x y"]
    assert names(folder / "runs" / "decay") >= FILES
    assert not (folder / "runs" / "decay" / "unfinished").exists()


def run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"XDG_CACHE_HOME": str(cwd / "cache"), "JAX_PLATFORMS": "cpu"}
    command = [sys.executable, "-m", "mathonet.cli", *arguments]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=240)


def test_the_command_works_from_a_shell(folder):
    done = run("discover", "decay.csv", *QUICK, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "x' = -1.0000 x" in done.stdout
    assert done.stderr == ""
    assert names(folder / "runs" / "decay") >= FILES
    assert any((folder / "cache" / "mathonet" / "jax").iterdir())


@pytest.fixture
def left(capsys, monkeypatch):
    """Output whose reader has left, as `head` does."""
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        yield stream
        monkeypatch.undo()


def test_a_reader_that_leaves_loses_no_results(folder, left, capsys):
    assert cli.main(["discover", "decay.csv", *QUICK]) == 0
    assert equations(folder / "runs" / "decay") == ["x' = -1.0000 x", "y' = -2.0000 y + 3.0000 x y"]
    assert capsys.readouterr().err == ""


def test_a_reader_that_leaves_ends_a_list_quietly(left, capsys):
    assert cli.main(["systems"]) == 0
    assert capsys.readouterr().err == ""


def test_plain_output_that_nobody_reads_ends_quietly(left, capsys, monkeypatch):
    def write(_):
        sys.stdout.write("table")
        return 0

    monkeypatch.setattr(commands, "_systems", write)
    assert cli.main(["systems"]) == 0
    assert capsys.readouterr().err == ""


def test_bad_input_from_a_shell_has_exit_code_2_and_no_traceback(folder):
    before = names(folder)
    done = run("discover", "half.csv", cwd=folder)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("error: There are derivatives of 'x' but none of 'y'")
    assert "Traceback" not in done.stderr
    assert names(folder) == before


def loaded(folder: Path, arguments: list[str]) -> tuple[set[str], str]:
    """The heavy packages that a command loads, in a process of its own, and what it wrote."""
    code = (
        "import sys; from mathonet import cli\n"
        f"try: cli.main({arguments!r})\n"
        "except SystemExit as end: assert not end.code\n"
        "print('loaded', *({'jax', 'sympy', 'scipy', 'pandas', 'numpy', 'sklearn'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    shown, _, last = done.stdout.rpartition("loaded")
    return set(last.split()), shown + done.stderr


@pytest.mark.parametrize("arguments", [["--help"], ["discover", "--help"], ["--version"]])
def test_help_does_not_wait_for_the_numerical_stack(folder, arguments):
    packages, shown = loaded(folder, arguments)
    assert packages == set()
    assert "mathonet" in shown


@pytest.mark.parametrize(
    ("arguments", "most"),
    [
        (["nofile.csv"], ("numpy", "pandas")),
        (["lorentz"], ("numpy",)),
        (["gap.csv"], ("numpy", "pandas")),
        (["few.csv"], ("numpy", "pandas")),
        (["mixed.csv"], ("numpy", "pandas")),
        (["data.npz"], ("numpy", "pandas")),
        (["still.csv", "--states", "x"], ("numpy", "pandas")),
        (["short.csv"], ("numpy", "pandas")),
        (["decay.csv", "--states", "q"], ("numpy", "pandas")),
        (["decay.csv", "--out", "."], ()),
    ],
    ids=str,
)
def test_a_mistake_does_not_wait_for_the_numerical_stack(folder, arguments, most):
    packages, shown = loaded(folder, ["discover", *arguments])
    assert shown.startswith("error: ")
    assert packages <= set(most)
