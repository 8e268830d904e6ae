"""The core benchmark: some of its parts alone, and restarts a second."""

import pandas as pd
import pytest

from mathonet import cli
from mathonet.cli import commands
from mathonet.experiments.bench import core
from mathonet.experiments.bench.restarts import restarts, restarts_of


def test_parts_that_are_asked_for_are_run_alone_and_leave_the_whole_table(tmp_path, monkeypatch):
    def never(*_):
        raise AssertionError("was not asked for")

    monkeypatch.setattr(commands, "_use_compilation_cache", lambda: None)
    for name in ("exact", "single", "nested", "speed", "compare_adam"):
        monkeypatch.setattr(core, name, never)
    monkeypatch.setattr(core, "restarts", lambda say: pd.DataFrame([{"restarts a second": 7.0}]))
    assert cli.main(["bench", "core", "--cases", "restarts", "--out", str(tmp_path)]) == 0
    assert {entry.name for entry in tmp_path.iterdir()} == {"core-restarts.md", "core-restarts-restarts.csv"}


def test_an_unknown_part_is_refused(tmp_path, capsys):
    assert cli.main(["bench", "core", "--cases", "restart", "--out", str(tmp_path)]) == 2
    assert "There is no part 'restart' of `bench core`; choose from ['exact'," in capsys.readouterr().err


@pytest.mark.slow
def test_restarts_are_counted_and_single_ones_find_the_form():
    (row,) = restarts(lambda _: None, count=10, repeats=1).to_dict("records")
    assert row["restarts"] == 10
    assert row["restarts a second"] == pytest.approx(10 / row["seconds, later (median)"])
    hits, read = map(int, row["exact form alone"].split(" of "))
    assert 8 <= hits <= read == 10


def test_an_accelerator_has_more_restarts():
    assert restarts_of("gpu") > 10 * restarts_of("cpu")
