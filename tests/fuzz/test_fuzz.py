"""The fuzzer itself: it sees what must not happen, shrinks it, and makes the same cases from one seed."""

import zipfile
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

import mathonet.cli
import mathonet.data.table
from mathonet.data.trajectory import Trajectory
from mathonet.errors import DataError
from tests.fuzz import oracle, steps
from tests.fuzz.case import Case, from_text
from tests.fuzz.layers import LAYERS, SHARES, jobs, make
from tests.fuzz.oracle import judge
from tests.fuzz.planted import plant
from tests.fuzz.pool import carry_out
from tests.fuzz.shrink import reduced, shrink
from tests.fuzz.table import Table

NUMBERS = ((0.0, 0.1, 0.2, 0.3), (1.5, 2.5, 3.5, 4.5), (-1.0, 0.25, 7.0, 2.0))
TABLE = Table(("t", "x", "y"), tuple(tuple(map(repr, c)) for c in NUMBERS), NUMBERS, (False, True, True))
READ = Case("reading", (("table", "data.csv", TABLE),), "read", {"path": "data.csv"})


def command(*argv: str, steps: tuple = ()) -> Case:
    return Case("command-line", steps, "main", {"argv": list(argv)})


def reads(monkeypatch, reader) -> None:
    monkeypatch.setattr(mathonet.data.table, "read_table", reader)


def runs(monkeypatch, main) -> None:
    monkeypatch.setattr(mathonet.cli, "main", main)


def whole(*_, **__) -> list[Trajectory]:
    t, *x = map(np.array, NUMBERS)
    return [Trajectory(t=t, x=np.column_stack(x), names=("x", "y"))]


@pytest.mark.parametrize("layer", LAYERS)
def test_the_same_seed_gives_the_same_cases_and_json_keeps_them(layer):
    for number in range(40):
        case = make(layer, 5, number)
        assert case.text() == make(layer, 5, number).text() == from_text(case.text()).text()
    assert len({make(layer, seed, 0).name for seed in range(8)}) > 1


def test_layers_take_turns_in_their_shares():
    taken = list(islice(jobs(list(LAYERS), 3), 2 * sum(SHARES.values())))
    assert len(set(taken)) == len(taken)
    assert {layer: sum(job[0] == layer for job in taken) for layer in LAYERS} == {
        layer: 2 * share for layer, share in SHARES.items()
    }


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".xlsx", ".npz", ".mat", ".parquet"])
def test_a_good_table_is_read_whole(suffix):
    table = replace(TABLE, suffix=suffix, separator="\t" if suffix == ".tsv" else ",")
    name = f"data{suffix}"
    outcome = judge(Case("reading", (("table", name, table),), "read", {"path": name}))
    assert outcome == oracle.Outcome(oracle.OK)


def test_a_refusal_is_no_failure(monkeypatch):
    def refuse(*_, **__):
        raise DataError("There is no column 'q'.")

    reads(monkeypatch, refuse)
    assert judge(READ).kind == oracle.REFUSED


def test_a_traceback_is_seen_with_its_place(monkeypatch):
    outcome = judge(Case("reading", (), "read", {"path": 3}))
    assert (outcome.kind, outcome.failed) == (oracle.TRACEBACK, True)
    reads(monkeypatch, lambda *_, **__: {}["x"])
    assert judge(READ).mark.startswith("KeyError")
    runs(monkeypatch, lambda argv: 1)
    assert judge(command("systems")).mark == "exit code 1"


@pytest.mark.parametrize(
    ("words", "mark"),
    [("x" * 3000, "too long"), ("one\ntwo", "several lines"), ("a \x1b[31m column", "control character")],
)
def test_messages_that_nobody_can_read_are_seen(monkeypatch, words, mark):
    def refuse(*_, **__):
        raise DataError(words)

    reads(monkeypatch, refuse)
    outcome = judge(READ)
    assert outcome.kind == oracle.MESSAGE
    assert outcome.mark.startswith(mark)


def short(
    trajectories: list[Trajectory], rows=slice(None), columns=(0, 1), names=("x", "y")
) -> list[Trajectory]:
    (each,) = trajectories
    return [Trajectory(t=each.t[rows], x=each.x[rows][:, list(columns)], names=names)]


@pytest.mark.parametrize(
    ("changes", "gone"),
    [
        ({"rows": slice(3)}, "gone"),
        ({"columns": (0,), "names": ("x",)}, "column of numbers is gone"),
        ({"names": ("x", "q")}, "another name"),
        ({"columns": (1, 0)}, "another name"),
    ],
)
def test_a_loss_is_seen(monkeypatch, changes, gone):
    reads(monkeypatch, lambda *_, **__: short(whole(), **changes))
    outcome = judge(READ)
    assert outcome.kind == oracle.LOSS
    assert gone in outcome.words
    reads(monkeypatch, whole)
    assert judge(READ).kind == oracle.OK


def test_rows_that_were_mixed_up_are_seen(monkeypatch):
    def mixed(*_, **__):
        (each,) = whole()
        return [Trajectory(t=each.t, x=np.column_stack([each.x[:, 0], each.x[::-1, 1]]), names=("x", "y"))]

    reads(monkeypatch, mixed)
    assert judge(READ).words == "rows are gone or mixed up"


def test_what_is_named_is_not_lost(monkeypatch):
    from mathonet.data.choice import tell

    def told(*_, **__):
        tell("Column 'y' is left out: it is a counter.")
        return short(whole(), columns=(0,), names=("x",))

    reads(monkeypatch, told)
    assert judge(READ).kind == oracle.OK


def test_a_foreign_file_that_is_replaced_is_seen(monkeypatch):
    def replace_it(argv):
        Path("foreign/a.txt").write_text("ours now")
        return 0

    there = (("folder", "foreign"), ("bytes", "foreign/a.txt", b"somebody's"))
    runs(monkeypatch, replace_it)
    outcome = judge(command("discover", "--out", "foreign", steps=there))
    assert outcome.kind == oracle.WROTE
    assert "foreign/a.txt" in outcome.words
    assert judge(command("export", "run", "--out", "foreign/a.txt", steps=there)).kind == oracle.OK


@pytest.mark.parametrize("place", ["pipe", "device", "link"])
def test_what_is_no_plain_file_is_to_stay_what_it_is(monkeypatch, place):
    def rename_over(argv):
        Path("new").write_text("ours")
        Path("new").replace(argv[-1])
        return 0

    there = (
        ("bytes", "target", b"somebody's"),
        ("link", "link", "target"),
        ("pipe", "pipe"),
        ("device", "device"),
    )
    runs(monkeypatch, rename_over)
    assert judge(command("export", "run", "--out", place, steps=there)).kind == oracle.WROTE


def test_what_is_left_behind_is_seen(monkeypatch):
    def litter(argv):
        Path("out").mkdir()
        Path(".out-abcdefgh").mkdir()
        return 0

    runs(monkeypatch, litter)
    assert judge(command("discover", "data.csv", "--out", "out")).words.startswith("left behind")


def test_the_pool_survives_cases_that_hang_or_end_their_process():
    bad = [replace(READ, given={**READ.given, "time": how}) for how in ("hang", "end")]
    found = list(carry_out([READ, *bad, READ], 1, begin=plant, patience=5.0))
    assert [each.kind for _, each in found] == [oracle.OK, oracle.HANG, oracle.TRACEBACK, oracle.OK]
    assert [each.mark for _, each in found[1:3]] == ["in ?", "process ended"]


def test_reduced_leaves_what_matters():
    assert reduced(range(100), lambda kept: {17, 62} <= set(kept)) == (17, 62)
    assert list(reduced([1], lambda kept: True)) == []


def test_a_case_is_shrunk_to_what_makes_it_fail():
    def fails(case: Case) -> bool:
        table = next((step[2] for step in case.steps if step[0] == "table"), None)
        return table is not None and "y" in table.names and ("3.5" in sum(table.cells, ()))

    put = (("folder", "other"), ("table", "data.csv", TABLE))
    case = Case("reading", put, "read", {**READ.given, "time": "t"})
    small = shrink(case, fails)
    assert small.given == {"path": "data.csv"}
    ((_, _, left),) = small.steps
    assert (left.names, left.cells) == (("x", "y"), (("3.5",), ("7.0",)))


def test_bytes_and_options_are_shrunk():
    case = command(
        "discover", "data.csv", "--seed", "3", "--time", "t", steps=(("bytes", "a", b"one\ntwo\n"),)
    )

    def fails(other: Case) -> bool:
        return "--seed" in other.given["argv"] and any(b"w" in step[2] for step in other.steps)

    small = shrink(case, fails)
    assert (small.given["argv"], small.steps[0][2]) == (["discover", "--seed"], b"w")


def test_repetitions_are_halved_as_long_as_that_does():
    case = replace(READ, steps=(("repeated", "data.csv", b"t,x\n", b"1,2\n", 1000, b""),))
    small = shrink(case, lambda other: bool(other.steps) and other.steps[0][4] >= 60)
    assert small.steps == (("repeated", "data.csv", b"t,x\n", b"1,2\n", 62, b""),)


def test_shrinking_ends():
    trials = []
    shrink(READ, lambda case: trials.append(case) is None, most=7)
    assert len(trials) <= 7


def test_a_forged_journal_has_its_checksums(tmp_path):
    from mathonet.archive.journal import FolderJournal

    run = tmp_path / "run"
    steps.do("copy", run, "unfinished")
    steps.do("json", run / "unfinished" / "run.json", ["content", "request", "source"], "forged")
    steps.do("seal", run / "unfinished")
    journal = FolderJournal.open(run)
    assert journal is not None
    assert journal.request["source"] == "forged"
    journal.close()


def test_sheets_hold_numbers_that_no_computer_does(tmp_path):
    cells = [["t", "x"], [0, 10**400], [1, 2]]
    case = Case("reading", (("sheet", "a.xlsx", cells),), "read", {"path": "a.xlsx"})
    assert case.text() == from_text(case.text()).text()
    case.prepare(tmp_path)
    with zipfile.ZipFile(tmp_path / "a.xlsx") as book:
        assert str(10**400).encode() in book.read("xl/worksheets/sheet1.xml")


@pytest.mark.parametrize("how", steps.ARRAYS)
def test_arrays_are_changed_and_nothing_else(tmp_path, how):
    place, before = tmp_path / "data.npz", np.arange(6.0).reshape(3, 2)
    np.savez(place, a=before, b=np.ones(3))
    steps.do("array", place, "a", how)
    with np.load(place) as held:
        np.testing.assert_array_equal(held["b"], 1.0)
        after = held.get("a")
    assert after is None or after.dtype != before.dtype or not np.array_equal(after, before)
