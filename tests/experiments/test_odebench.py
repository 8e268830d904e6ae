"""The recovery benchmarks in small: choice, records, tables, the command, and the peer beside ours."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from mathonet import cli
from mathonet.cli import commands
from mathonet.errors import ConfigError
from mathonet.experiments.bench.recovery import ours as recovery_ours
from mathonet.experiments.bench.recovery import run as recovery
from mathonet.experiments.bench.recovery.cases import Case
from mathonet.experiments.bench.recovery.known_systems import nested, odebench, own
from mathonet.experiments.bench.recovery.methods import METHODS
from mathonet.experiments.bench.recovery.run import checked, choose, tables
from mathonet.experiments.bench.runs import Records, Task

ODEBENCH, OWN, NESTED = odebench(), own(), nested()


def made(task, exact=True, **more):
    method, name, seed, digest = task.key
    case = task.case
    record = {"method": method, "case": name, "seed": seed, "definition": digest, "commit": "abc"}
    record |= {"grid": case.points, "sigma": case.sigma, "rho": case.rho, "derivatives": case.derivatives}
    record |= dict.fromkeys(("exact", "same_function", "reconstruction", "generalisation"), exact)
    record |= {"errors": [0.01, 0.03], "seconds": 2.0, "equations": ["x0' = 1.0000 x0"], "tied": []}
    return record | {"trust": ["good"]} | more


def test_what_is_set_aside_has_to_be_asked_for():
    assert len(choose("odebench", None)) == 63
    tuning, aside = choose("own", None), choose("own", ["held-out"])
    assert not any(system.held_out for system in tuning)
    assert all(system.held_out for system in aside)
    assert len(tuning) + len(aside) == len(OWN)
    assert choose("nested", None) == [system for system in NESTED if not system.held_out]
    assert choose("nested", ["held-out"]) == [system for system in NESTED if system.held_out]
    assert {system.science for system in choose("own", ["ecology"])} == {"ecology"}
    assert not any(system.held_out for system in choose("own", ["ecology"]))
    assert [system.name for system in choose("odebench", ["30", "2"])] == ["2", "30"]
    with pytest.raises(ConfigError, match="'64' is no system of the benchmark 'odebench'"):
        choose("odebench", ["64"])


def test_conditions_that_make_no_sense_are_refused():
    assert checked(None, None, None, False) == ((150, 512), (0.0, 0.01, 0.02, 0.05), (0.0, 0.5))
    assert checked([80], None, None, True) == ([80], (0.0,), (0.0,))
    for arguments in (([10], None, None), (None, [-0.1], None), (None, None, [1.0])):
        with pytest.raises(ConfigError, match="got"):
            checked(*arguments, False)
    with pytest.raises(ConfigError, match="leave --sigmas"):
        checked(None, [0.1], None, True)


def test_tables_count_what_the_records_say(tmp_path):
    records = Records(tmp_path, "odebench", METHODS)
    case = Case(ODEBENCH[29], 150, 0.05)
    records.add(made(Task("ours", case, 100), seconds=50.0, cold=True))
    records.add(made(Task("ours", case, 101), exact=False, tied=["undecided"]))
    records.add(made(Task("ours", replace(case, dynamics=ODEBENCH[1]), 100)))
    records.add(made(Task("pysindy", case, 100), exact=False, trust=None))
    records.add(made(Task("ours", replace(case, sigma=0.0, derivatives=True), 100)))
    changed = replace(ODEBENCH[2], starts=((1.0,), (2.0,)))
    records.add(made(Task("ours", replace(case, dynamics=changed), 100)))
    parts = {title.split(":")[0]: table for title, table in tables(ODEBENCH, records).items()}
    assert list(parts) == ["summary", "150-0-0-derivatives", "150-0.05-0", "records"]
    named = "method grid sigma rho seeds exact same_function reconstruction generalisation median_seconds"
    assert list(parts["summary"].columns)[:10] == named.split()
    derived, ours, peer = parts["summary"].to_dict("records")
    assert (derived["method"], peer["method"], peer["exact"]) == ("ours-derivatives", "pysindy", 0)
    # Two of three runs, over two seeds; the cold run does not count for the time.
    assert (ours["seeds"], ours["systems"], ours["runs"], ours["exact"]) == (2, 2, 3, 1.0)
    assert (ours["median_seconds"], ours["worst_seconds"], ours["tied"]) == (2.0, 2.0, 0.5)
    second, thirtieth = parts["150-0.05-0"].to_dict("records")
    assert (second["system"], second["exact"], second["median error"]) == ("2", "1 of 1", 0.02)
    assert (thirtieth["exact"], thirtieth["pysindy exact"], thirtieth["tied"]) == ("1 of 2", "0 of 1", 1)


def test_tuning_and_what_is_set_aside_have_their_lines(tmp_path):
    records = Records(tmp_path, "own", METHODS)
    for system in (OWN[0], OWN[-1]):
        records.add(made(Task("ours", Case(system, 150), 0)))
    parts = {title.split(":")[0]: table for title, table in tables(OWN, records).items()}
    assert list(parts) == ["summary", "150-0-0", "150-0-0-held-out", "records"]
    assert sorted(parts["summary"]["set"]) == ["held-out", "tuning"]


def test_the_command_goes_on_where_it_stopped(tmp_path, monkeypatch, capsys):
    calls = []
    monkeypatch.setattr(recovery, "work", lambda task: calls.append(task.name) or made(task))
    monkeypatch.setattr(commands, "_use_compilation_cache", lambda: None)
    arguments = ["bench", "odebench", "--no-peers", "--out", str(tmp_path), "--seeds", "2"]
    arguments += ["--first-seed", "100", "--grids", "150", "--sigmas", "0.05", "--rhos", "0", "--systems"]
    assert cli.main([*arguments, "2"]) == 0
    assert cli.main([*arguments, "2", "30"]) == 0
    assert calls == ["2", "2", "30", "30"]
    shown = capsys.readouterr()
    assert "[2/2] 30 (150 points, sigma 0.05, rho 0) seed 101 ours: exact, same function" in shown.err
    assert "| ours | 150 | 0.05 | 0 | 2 | 2 |" in shown.out
    summary = pd.read_csv(tmp_path / "odebench-summary.csv", comment="#")
    assert summary["exact"].tolist() == [2.0]
    lines = (tmp_path / "odebench-ours.jsonl").read_text().splitlines()
    assert {json.loads(line)["seed"] for line in lines} == {100, 101}
    assert "command: mathonet" in (tmp_path / "odebench.md").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["odebench", "--systems", "64"], "'64' is no system of the benchmark 'odebench'"),
        (["own", "--systems", "physics"], "groups: tuning"),
        (["odebench", "--derivatives", "--sigmas", "0.1"], "leave --sigmas and --rhos out"),
        (
            ["odebench", "--cases", "vdp"],
            "`bench ablation` and `bench networks`, not 'odebench'",
        ),
        (["states", "--grids", "150"], "--grids is for `bench odebench` and `bench own`"),
        (["core", "--derivatives"], "--derivatives is for"),
        (["own", "--jobs", "0"], "--jobs must be"),
        (["nested", "--systems", "2"], "'2' is no system of the benchmark 'nested'"),
        (["states", "--methods", "blocks"], "--methods is for `bench odebench`"),
    ],
)
def test_mistakes_are_told(arguments, message, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(commands, "_use_compilation_cache", lambda: None)
    assert cli.main(["bench", *arguments, "--out", str(tmp_path)]) == 2
    assert message in capsys.readouterr().err


def test_a_run_that_fails_says_why(monkeypatch):
    def broken(case, seed):
        raise ValueError("no such thing")

    monkeypatch.setattr(recovery_ours, "answer", broken)
    record = recovery.work(Task("ours", Case(ODEBENCH[0], 150, 0.02), 0))
    assert record["failed"] == "ValueError: no such thing"
    assert (record["exact"], record["grid"], record["sigma"]) == (False, 150, 0.02)
    assert "no such thing" in recovery.words(record)


@pytest.mark.slow
def test_ours_is_right_where_it_is_easy(tmp_path):
    """Two systems in two processes, from states and from derivatives."""
    path = recovery.run(
        "odebench", tmp_path, range(1), lambda text: None, ["2", "9"], [150], [0.0], [0.0], False, False, 2
    )
    assert "2 | 2 | 2 | 2" in path.read_text()
    record = recovery.work(Task("ours", Case(ODEBENCH[22], 150, derivatives=True), 0))
    assert record["exact"], record
    assert max(record["errors"]) < 1e-6
    assert record["cold"]


class TestPeer:
    """PySINDy's half; skipped where it is not installed."""

    @pytest.fixture(autouse=True)
    def peer(self):
        pytest.importorskip("pysindy")

    @pytest.fixture(autouse=True)
    def few(self, monkeypatch):
        from mathonet.experiments.bench.states import pysindy_settings as states_pysindy

        monkeypatch.setattr(states_pysindy, "THRESHOLDS", (0.02, 0.2))
        for name in ("SHARES", "ENSEMBLE_THRESHOLDS", "ENSEMBLED", "WINDOWS"):
            monkeypatch.setattr(states_pysindy, name, ())

    def test_it_finds_polynomials_and_sines_from_given_derivatives(self):
        from mathonet.experiments.bench.recovery.peers import answer

        for number in (27, 28):
            record = answer(Case(ODEBENCH[number - 1], 150, derivatives=True), 0)
            assert record["exact"], record
            assert record["generalisation"]
        assert "with sines" in record["setting"]

    def test_its_choice_is_made_by_simulation_of_what_was_measured(self):
        from mathonet.experiments.bench.recovery.peers import answer

        record = answer(Case(ODEBENCH[8], 150, 0.01), 0)
        assert record["reconstruction"]
        assert record["settings"] > 10
        assert record["equations"][0].startswith("x0' = ")
        json.dumps(record)

    def test_windows_cover_the_data_in_equal_pieces(self):
        from mathonet.experiments.bench.recovery.peers import _window

        data = Case(ODEBENCH[26], 150).data(0)
        whole, pieces = (_window(data, data.x, parts) for parts in (1, 4))
        assert whole.x.shape == (1, 150, 2)
        assert pieces.x.shape == (4, 37, 2)
        np.testing.assert_array_equal(pieces.start, data.x[[0, 37, 74, 111]])
