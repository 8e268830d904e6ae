"""What version 0.1 saved still loads: a finished run, an unfinished one, and a config.toml."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from mathonet.cli import main
from mathonet.cli.configuration import read_config
from mathonet.estimators.loading import load

SAVED = Path(__file__).parent / "files" / "v0.1"


def test_a_finished_run_loads_and_simulates():
    model = load(SAVED / "finished")
    prey, hunter = model.equations(digits=3)
    assert prey == "prey' = 1.30 prey - 0.896 prey hunter"
    assert hunter == "hunter' = -1.81 hunter + 0.799 prey hunter"
    path = model.simulate([2.0, 1.0], [0.0, 1.0])
    np.testing.assert_allclose(path[0], [2.0, 1.0])


def test_its_options_are_read():
    assert read_config(SAVED / "finished" / "config.toml")["operations"] == ["ident"]


@pytest.mark.filterwarnings("default:Without hidden there is no effect")
def test_an_unfinished_run_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    run = tmp_path / "unfinished"
    shutil.copytree(SAVED / "unfinished", run)
    # Restarts were for the default search as well.
    assert main(["discover", "--resume", str(run), "--budget", "8"]) == 0
    told = capsys.readouterr()
    assert "prey' =" in told.out
    assert "no effect of restarts" in told.err
