"""The states benchmark in small: its data, its records, its tables, and the peer it stands beside."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from mathonet import cli, systems
from mathonet.cli import commands
from mathonet.data.trajectory import Trajectory
from mathonet.errors import ConfigError
from mathonet.experiments.bench.states import cases as states_cases
from mathonet.experiments.bench.states import run as states
from mathonet.experiments.bench.states import runs as states_runs
from mathonet.experiments.bench.states.cases import Case, Run, all_cases, choose, compared
from mathonet.experiments.bench.states.runs import Records, Task, perform, tasks
from mathonet.experiments.truth import truths

CASES = {case.name: case for case in all_cases()}


def made(task: Task, exact: bool = True, **more) -> dict:
    method, name, seed, digest = task.key
    record = {"method": method, "case": name, "seed": seed, "definition": digest, "commit": "abc"}
    return record | {"exact": exact, "errors": [0.01, 0.03] if exact else [], "seconds": 2.0} | more


def test_names_are_unique_and_every_case_asked_for_is_there():
    assert len(CASES) == len(all_cases())
    six = {"lv", "vdp", "duffing", "pendulum", "fhn", "sir"}
    for ending in ("", "-half", "-two", "-clean"):
        assert {name + ending for name in six} <= set(CASES)
    assert [CASES[f"lorenz-{p}"].wanted for p in (1, 5, 10, 20, 30)] == [49, 47, 40, None, None]
    assert {"forced", "second-order", "known", "lorenz-clean"} <= set(CASES)


@pytest.mark.parametrize("name", ["lorenz-10", "sir", "forced", "known"])
def test_noise_has_the_stated_size_and_its_seed(name):
    case = CASES[name]
    clean = replace(case, noise=0.0).data(0)
    noises = []
    for seed in range(20):
        measured = case.data(seed)
        noises.append(np.concatenate([a.x - b.x for a, b in zip(measured, clean, strict=True)]))
    rms = np.sqrt(np.mean(np.concatenate([one.x for one in clean]) ** 2, axis=0))
    np.testing.assert_allclose(np.std(noises, axis=(0, 1)) / rms, case.noise, rtol=0.05)
    np.testing.assert_array_equal(case.data(3)[0].x, case.data(3)[0].x)
    assert not np.array_equal(case.data(3)[0].x, case.data(4)[0].x)
    assert measured[0].x_dot is None


def test_measured_states_are_those_of_the_system():
    run = CASES["vdp-two"].runs[1]
    first, second = replace(CASES["vdp-two"], noise=0.0).data(5)
    assert (len(first), len(second)) == (220, 180)
    assert np.ptp(np.diff(first.t)) < 1e-12
    assert np.ptp(np.diff(second.t)) > 0.3 * np.mean(np.diff(second.t))
    expected = systems.get("van-der-pol").simulate(run.start, second.t)
    np.testing.assert_allclose(second.x, expected.x, rtol=1e-12)
    np.testing.assert_array_equal(expected.x[0], run.start)


def test_half_of_the_points_are_dropped_at_random():
    case = replace(CASES["lv-half"], noise=0.0)
    (whole,), (first,), (other,) = (replace(case, dropped=0.0).data(0), case.data(0), case.data(1))
    assert len(whole) == 400
    assert len(first) == len(other) == 200
    assert set(first.t) <= set(whole.t)
    assert set(first.t) != set(other.t)


def test_what_is_left_out_and_what_is_wanted():
    (sir,) = CASES["sir"].data(0)
    assert sir.names == ("s", "i")
    assert [len(f.terms) for f in CASES["sir"].truth()] == [1, 2]
    (angle,) = CASES["second-order"].data(0)
    assert angle.x.shape == (400, 1)
    assert CASES["second-order"].truth() == truths("pendulum")[1:]
    assert CASES["second-order"].arguments == ("theta", "theta'")
    (forced,) = CASES["forced"].data(0)
    np.testing.assert_allclose(forced.u, systems.get("forced-pendulum").drive(forced.t))
    full, left = CASES["known"].truth()[1], CASES["known"].unknown()[1]
    assert full.constant == -9.81
    assert left.constant == 0.0
    assert CASES["known"].unknown()[0] == CASES["known"].truth()[0]


def test_the_table_says_what_was_measured():
    assert CASES["fhn-half"].described() == {
        "parameters": "a 0.7, b 0.8, tau 12.5, I 0.5",
        "start": "(-1.0, 1.0)",
        "T": "200",
        "N": "200 left of 400",
    }
    assert CASES["lv-two"].described()["N"] == "220; 180 irregular"


def test_cases_are_chosen_by_name_group_or_pattern():
    assert [case.name for case in choose(["vdp"])[0]] == ["vdp"]
    assert [case.name for case in choose(["lorenz"])[0]] == [f"lorenz-{p}" for p in (1, 5, 10, 20, 30)]
    assert {case.name for case in choose(["*-half"])[0]} == {case.name for case in choose(["half"])[0]}
    assert choose(["timing-*"], ("timing-1000",)) == ([], ["timing-1000"])
    assert len(choose(None)[0]) == len(CASES)
    with pytest.raises(ConfigError, match="No case is called 'vpd'"):
        choose(["vpd"])


def test_a_term_too_many_is_not_exact():
    truth = truths("lorenz")
    assert compared(truth, truth) == {"exact": True, "right": [True] * 3, "errors": [0.0] * 7}
    wrong = compared([truth[0], truth[2], truth[2]], truth)
    assert wrong == {"exact": False, "right": [True, False, True], "errors": []}


def test_runs_are_recorded_once_and_a_cut_line_is_made_again(tmp_path, monkeypatch):
    calls = []
    monkeypatch.setattr(states_runs, "work", lambda task: calls.append(task.key) or made(task))
    wanted = tasks([CASES["vdp"], CASES["lv"]], ["timing-1000"], range(2), peers=True)
    perform(wanted, Records(tmp_path), 1, lambda text: None)
    assert len(calls) == 2 * 2 * 2 + 2
    assert calls[-1][1] == "timing-1000"
    perform(wanted, Records(tmp_path), 1, lambda text: None)
    assert len(calls) == 10
    path = tmp_path / "states-pysindy.jsonl"
    path.write_text(path.read_text()[:-20])
    said = []
    perform(wanted, Records(tmp_path), 1, said.append)
    assert len(calls) == 11
    assert said == ["[1/1] lv seed 1 pysindy: exact, error 0.03, 2.0 s"]
    assert len(Records(tmp_path).of("pysindy", CASES["lv"])) == 2


def test_records_of_another_definition_do_not_count(tmp_path):
    records = Records(tmp_path)
    records.add(made(Task("ours", replace(CASES["vdp"], noise=0.5), 0)))
    assert records.of("ours", CASES["vdp"]) == []
    assert Task("ours", CASES["vdp"], 0).key not in Records(tmp_path).found
    records.add(made(Task("ours", replace(CASES["vdp"], wanted=30), 0)))
    assert len(Records(tmp_path).of("ours", CASES["vdp"])) == 1


def test_clean_and_timed_runs_are_few():
    wanted = tasks([CASES["vdp"], CASES["vdp-clean"]], ["timing-1000"], range(50), peers=False)
    counts = {name: sum(task.name == name for task in wanted) for name in ("vdp", "vdp-clean", "timing-1000")}
    assert counts == {"vdp": 50, "vdp-clean": 5, "timing-1000": 3}
    assert {task.method for task in wanted} == {"ours"}


def test_a_run_that_fails_says_why(monkeypatch):
    def broken(task):
        raise ValueError("no such thing")

    monkeypatch.setattr(states_runs, "_answer", broken)
    record = states_runs.work(Task("ours", CASES["vdp"], 0))
    assert record["failed"] == "ValueError: no such thing"
    assert not record["exact"]


def test_tables_count_what_the_records_say(tmp_path):
    records = Records(tmp_path)
    vdp = CASES["vdp"]
    sure = {"right": [True, False], "trust": ["doubtful", "good"]}
    unsure = {"right": [True, False], "trust": ["good", "doubtful"]}
    records.add(made(Task("ours", vdp, 0)))
    records.add(made(Task("ours", vdp, 1), exact=False, **sure))
    records.add(made(Task("ours", vdp, 2), exact=False, **unsure))
    records.add(made(Task("ours", vdp, 3), exact=False, failed="ValueError: x"))
    records.add(made(Task("pysindy", vdp, 0), exact=False, oracle=True))
    records.add(made(Task("ours", CASES["lv-clean"], 0), errors=[1e-9, 1e-8]))
    records.add(made(Task("ours", "timing-1000", 0), cold=40.0, gibibytes=0.9))
    parts = {title.split(":")[0]: table for title, table in states.tables(records).items()}
    assert list(parts) == ["six", "clean", "timing", "records"]
    (row,) = parts["six"].to_dict("records")
    assert (row["exact"], row["wanted of 50"], row["noise"]) == ("1 of 4", "45", "5%")
    assert (row["wrong but called good"], row["failed"]) == (1, 1)
    assert (row["median error"], row["worst error"]) == pytest.approx((0.02, 0.03))
    assert (row["PySINDy exact"], row["PySINDy, any setting exact"]) == ("0 of 1", "1 of 1")
    assert parts["clean"]["within 1e-6"].tolist() == [1]
    assert parts["timing"]["cold seconds (worst)"].tolist() == [40.0]
    assert parts["records"]["runs"].sum() == 7


def test_the_command_runs_slices_and_goes_on(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(states_runs, "work", made)
    monkeypatch.setattr(commands, "_use_compilation_cache", lambda: None)
    arguments = ["bench", "states", "--no-peers", "--out", str(tmp_path), "--seeds", "2", "--cases"]
    assert cli.main([*arguments, "vdp"]) == 0
    assert cli.main([*arguments, "vdp", "lorenz-5"]) == 0
    shown = capsys.readouterr()
    assert "[2/2] lorenz-5 seed 1 ours" in shown.err
    assert shown.err.count("vdp seed") == 2
    assert "2 of 2" in shown.out
    table = pd.read_csv(tmp_path / "states-six.csv", comment="#")
    assert table["case"].tolist() == ["vdp"]
    lines = (tmp_path / "states-ours.jsonl").read_text().splitlines()
    assert {json.loads(line)["seed"] for line in lines} == {0, 1}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["states", "--cases", "nope"], "No case is called 'nope'"),
        (["states", "--jobs", "0", "--cases", "vdp"], "--jobs must be"),
        (["core", "--no-peers"], "is for `bench states` and"),
        (["states", "--seeds", "0"], "--seeds must be"),
    ],
)
def test_mistakes_are_told(arguments, message, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(commands, "_use_compilation_cache", lambda: None)
    assert cli.main(["bench", *arguments, "--out", str(tmp_path)]) == 2
    assert message in capsys.readouterr().err


def test_without_the_peer_the_way_out_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(states.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ConfigError, match="--no-peers"):
        states.run(tmp_path, range(1), lambda text: None, ["vdp"])


class TestPeer:
    """PySINDy's half; skipped where it is not installed."""

    @pytest.fixture(autouse=True)
    def peer(self):
        pytest.importorskip("pysindy")

    @pytest.mark.parametrize("fourier", [False, True])
    def test_features_are_the_same_three_times(self, fourier):
        from mathonet.equation.flow import evaluate
        from mathonet.experiments.bench.states.pysindy_settings import Library

        library = Library(3, fourier, 2)
        x = np.random.default_rng(0).normal(size=(6, 2))
        theirs = np.asarray(library.peer.fit_transform(x))
        np.testing.assert_allclose(library(x), theirs, rtol=1e-13)
        ours = np.stack([np.broadcast_to(evaluate(f, x), 6) for f in library.features], axis=1)
        np.testing.assert_allclose(ours, theirs, rtol=1e-12)

    def test_a_simulation_of_the_truth_follows_the_system(self):
        from mathonet.experiments.bench.states.peers import Window, simulate
        from mathonet.experiments.bench.states.pysindy_settings import Library

        case = replace(CASES["known"], noise=0.0)
        data = case.data(0)[0]
        library = Library(2, False, 2)
        coefficients = np.zeros((2, 2, 6))
        coefficients[:, 0, library.names.index("x1")] = 1.0
        coefficients[0, 1, library.names.index("x1^2")] = 0.1
        window = Window(data.t[None], data.x[None], data.x[None, 0], np.zeros((1, len(data), 0)))
        right, wrong = simulate(case, library, coefficients, window)[:, 0]
        np.testing.assert_allclose(right, data.x, atol=1e-6)
        assert np.abs(wrong - data.x).max() > 1.0

    def test_held_out_quarters_are_not_learned_from(self):
        from mathonet.experiments.bench.states.peers import training

        data = [Trajectory(np.arange(100.0), np.zeros((100, 1)))]
        place = np.array([[0, 0, 10], [0, 20, 30], [0, 30, 40], [0, 51, 60], [0, 80, 99]])
        even, odd = (training(place, data, fold) for fold in (0, 1))
        assert even.tolist() == [True, False, False, True, False]
        assert odd.tolist() == [False, False, True, False, True]

    def test_it_finds_what_it_can(self, monkeypatch):
        from mathonet.experiments.bench.states import peers as states_peers
        from mathonet.experiments.bench.states import pysindy_settings as states_pysindy

        for name, value in {
            "THRESHOLDS": (0.3,),
            "SHARES": (),
            "ENSEMBLE_THRESHOLDS": (0.3,),
            "ENSEMBLED": ("weak (length/20)",),
            "WIDTHS": (20,),
            "WINDOWS": (11,),
            "TEST_FUNCTIONS": 100,
        }.items():
            monkeypatch.setattr(states_pysindy, name, value)
        record = states_peers.answer(replace(CASES["vdp"], noise=0.01), 0)
        assert record["exact"]
        assert record["oracle"]
        assert record["settings"] == 10
        assert max(record["errors"]) < 0.05
        assert record["equations"][0].startswith("x' = 1.0") or record["equations"][0].startswith("x' = 0.9")
        timed_out = states_peers.answer(CASES["vdp"], 0, cap=0.0)
        assert timed_out["settings"] == 0
        assert not timed_out["exact"]


@pytest.mark.slow
def test_the_reduced_benchmark(tmp_path):
    """Two cases of one seed, in two processes: ours is right, and the table says so."""
    path = states.run(tmp_path, range(1), lambda text: None, ["vdp", "known"], peers=False, jobs=2)
    assert "1 of 1" in path.read_text()
    for name in ("vdp", "known"):
        (record,) = Records(tmp_path).of("ours", CASES[name])
        assert record["exact"], record
        # What was known is no merit: an error each of the constants that were not.
        assert len(record["errors"]) == {"vdp": 4, "known": 2}[name]


@pytest.mark.slow
def test_a_timed_process_reports_its_memory():
    from mathonet.experiments.bench.states import timing as states_timing

    found = states_timing.measure(200, 0)
    assert 0.1 < found["gibibytes"] < 4.0
    assert found["seconds"] > 0.0
    assert found["cold"] > 0.0


def test_grids_with_random_places_are_increasing():
    run = Run((1.0, 1.0), 7.0, 50, irregular=True)
    case = Case("trial", "six", "van-der-pol", (run,), 0.0)
    t = states_cases._grid(run, np.random.default_rng(0))
    assert (np.diff(t) > 0).all()
    assert (t[0], t[-1]) == (0.0, 7.0)
    assert len(case.data(0)[0]) == 50
