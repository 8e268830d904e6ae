"""discover --dry-run: what was understood, and nothing else."""

from pathlib import Path

import pytest

from mathonet.cli import main

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
