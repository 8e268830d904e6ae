"""discover --dry-run: what was understood, and nothing else."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from mathonet.cli import main
from mathonet.cli.source import LAYERS, NEURONS, OPERATIONS, WHOLE

pytestmark = pytest.mark.filterwarnings("always::mathonet.data.choice.Choice")
EVERYDAY = Path(__file__).parents[1] / "files" / "everyday"


def test_it_shows_every_column_and_what_would_be_searched(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["discover", str(EVERYDAY / "logger.csv"), "--dry-run"]) == 0
    shown = capsys.readouterr()
    for part in ("left out: it numbers the rows", "left out: it is empty", "time [s] from 0 to 900", "temp'"):
        assert part in " ".join(shown.out.split())
    assert "note: Column 'battery' is left out: it is 3.7 in every row." in shown.err
    assert not list(tmp_path.iterdir())


def test_options_are_understood(capsys):
    arguments = ["discover", str(EVERYDAY / "tea.csv"), "--time-unit", "min", "--inputs", "time", "--dry-run"]
    assert main(arguments) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "time, and input" in shown
    assert "time [min] from 0 to 15" in shown
    assert "temp' as functions of temp, time" in shown


def test_columns_can_be_ignored(capsys):
    assert main(["discover", str(EVERYDAY / "heater.csv"), "--ignore", "heater", "--dry-run"]) == 0
    assert "left out: it is to be ignored" in " ".join(capsys.readouterr().out.split())


def test_a_second_order_and_a_built_in_system(capsys):
    assert main(["discover", str(EVERYDAY / "video.csv"), "--order", "2", "--dry-run"]) == 0
    assert "angle'' as functions of angle, angle'" in capsys.readouterr().out
    assert main(["discover", "lorenz", "--dry-run"]) == 0
    assert "a built-in system" in capsys.readouterr().out


def test_a_mistake_ends_with_a_line(capsys):
    assert main(["discover", str(EVERYDAY / "tea.csv"), "--time-unit", "fortnight", "--dry-run"]) == 2
    assert "There is no unit of time 'fortnight'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--operations", "foo"], "Unknown operation 'foo'"),
        (["--operations", "sin", "sin"], "more than once: sin"),
        (["--restarts", "-1"], "--restarts must be a whole number from 1 to"),
        (["--hidden", "0"], "--hidden takes the neurons"),
        (["--lambdas", "-1"], "--lambdas must be positive"),
        (["--budget", "0"], "--budget must be a positive number"),
        (["--dense"], "--dense joins later layers"),
        (["--noise", "0.1"], "--noise is for built-in systems"),
        (["--known", "nobody=1"], "known names 'nobody'"),
        (["--known", "temp=1 +"], "The formula '1 +' cannot be read"),
        (["--out", "."], "is the working folder"),
        (["--out", "mine"], "holds no earlier run"),
    ],
)
def test_what_a_search_would_refuse_is_refused(tmp_path, monkeypatch, capsys, options, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("years of work")
    assert main(["discover", str(EVERYDAY / "tea.csv"), "--dry-run", *options]) == 2
    assert message in capsys.readouterr().err


def test_it_says_what_is_known_and_which_operations(capsys):
    options = ["--known", "temp=-0.1*temp", "--operations", "ident", "exp", "--hidden", "2"]
    assert main(["discover", str(EVERYDAY / "tea.csv"), "--dry-run", *options]) == 0
    shown = capsys.readouterr().out
    for part in ("Known of temp: -0.1*temp.", "Operations: ident, exp.", "hidden layers: 2."):
        assert part in shown


def test_programs_read_it_as_json(capsys):
    assert main(["discover", str(EVERYDAY / "heater.csv"), "--dry-run", "--json"]) == 0
    shown = capsys.readouterr()
    found = json.loads(shown.out)
    assert (found["states"], found["inputs"], found["samples"]) == (["temperature"], ["heater"], 401)
    assert {"name": "heater", "unit": "", "part": "input"} in found["columns"]
    assert "note: Column 'heater' moves in jumps" in shown.err
    assert main(["discover", "lorenz", "--dry-run", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["source"] == "lorenz"


def test_options_are_named_as_they_are_typed(capsys):
    assert main(["discover", str(EVERYDAY / "dates.csv"), "--dry-run"]) == 0
    assert "Another unit is --time-unit." in capsys.readouterr().err


def test_limits_are_those_of_the_search():
    """They are written down twice, because those of the search take seconds to load."""
    from mathonet import operations
    from mathonet.search import config, protocol

    assert tuple(name for name in operations.names() if operations.is_built_in(name)) == OPERATIONS
    whole = {name: (least, most) for name, least, most in config.NUMBERS if name in WHOLE}
    assert {**whole, "epochs": (1, protocol.MOST_EPOCHS)} == WHOLE
    assert (config.MOST_LAYERS, config.MOST_NEURONS) == (LAYERS, NEURONS)


def test_the_numerical_stack_is_not_waited_for():
    code = "import sys; from mathonet.cli import main; main(sys.argv[1:]); sys.exit('jax' in sys.modules)"
    options = ["--operations", "ident", "--hidden", "2", "--dry-run"]
    arguments = [sys.executable, "-c", code, "discover", str(EVERYDAY / "tea.csv"), *options]
    assert subprocess.run(arguments, capture_output=True, timeout=60).returncode == 0
