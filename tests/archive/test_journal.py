"""The journal of a run under way: what is cut or missing costs the least, and two runs never share one."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from mathonet.archive.folder import MARK, UNFINISHED, Hold
from mathonet.archive.journal import FolderJournal
from mathonet.data.trajectory import Trajectory
from mathonet.errors import ArchiveError
from mathonet.learning.cycle import Record
from mathonet.network.mathonet import Architecture
from mathonet.operations import get
from mathonet.search.proposers.sweep import Sweep

SHAPE = Architecture(1, (1,), (get("ident"),), 1, False)
TRAJECTORY = Trajectory(np.arange(4.0), np.ones((4, 1)), names=("x",))


def runs() -> Sweep:
    """Two runs of one cycle, with three weights each."""
    numbers = np.zeros(2)
    weights = np.ones((2, 3))
    record = Record(
        w=weights,
        active=weights,
        alpha=weights,
        alpha_group=weights,
        zeta=weights,
        energy=numbers,
        validation=numbers,
        status=numbers,
        lam=numbers,
    )
    return Sweep(SHAPE, np.zeros(2, int), numbers, numbers, [record], np.arange(3.0))


def begin(folder: Path, asked: str = "first") -> FolderJournal:
    return FolderJournal.begin(folder, {"asked": asked}, [TRAJECTORY])


def opened(folder: Path) -> FolderJournal:
    journal = FolderJournal.open(folder)
    assert journal is not None
    return journal


LENGTHS = [lambda size: 0, lambda size: 1, lambda size: size // 2, lambda size: size - 1]


@pytest.mark.parametrize("length", LENGTHS)
def test_a_rung_that_was_cut_is_learned_again(tmp_path, length):
    journal = begin(tmp_path / "run")
    journal.keep("a rung", runs())
    again = journal.recall("a rung", SHAPE, [0])
    assert again is not None
    np.testing.assert_array_equal(again.start, np.arange(3.0))
    (kept,) = journal.place.glob("rung-*.npz")
    os.truncate(kept, length(kept.stat().st_size))
    assert journal.recall("a rung", SHAPE, [0]) is None
    journal.close()


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("name", ["run.json", "data.npz"])
def test_a_request_that_was_cut_is_told(tmp_path, name, length):
    begin(tmp_path / "run").close()
    place = tmp_path / "run" / UNFINISHED / name
    os.truncate(place, length(place.stat().st_size - 1))
    with pytest.raises(ArchiveError, match="is damaged"):
        FolderJournal.open(tmp_path / "run")


def test_what_is_kept_is_on_the_disk_with_its_name(tmp_path, monkeypatch):
    synced = []
    original = os.fsync
    monkeypatch.setattr(
        os, "fsync", lambda number: (synced.append(os.fstat(number).st_ino), original(number))
    )
    journal = begin(tmp_path / "run")
    journal.keep("a rung", runs())
    journal.close()
    written = [journal.place, *journal.contents()]
    assert len(written) == 4
    assert {each.stat().st_ino for each in written} <= set(synced)


def killed_while_exchanging(run: Path) -> Path:
    """The folder as a process leaves it that is killed between the two renames of `begin`."""
    begin(run, "first").close()
    aside = run / f".{UNFINISHED}-abcdefgh"
    (run / UNFINISHED).rename(run.with_name("kept"))
    begin(run, "second").close()
    aside.mkdir()
    (run / UNFINISHED).rename(aside / UNFINISHED)
    run.with_name("kept").rename(aside / "earlier")
    return aside


@pytest.mark.parametrize("finished", [True, False])
def test_a_kill_between_two_journals_blocks_nothing(tmp_path, finished):
    run = tmp_path / "run"
    killed_while_exchanging(run)
    if finished:
        (run / MARK).write_text("{}")
    journal = opened(run)
    assert journal.request == {"asked": "second"}
    journal.close()
    assert {each.name for each in run.iterdir()} == {UNFINISHED, *([MARK] if finished else [])}


def test_a_new_run_may_follow_a_kill_between_two_journals(tmp_path):
    killed_while_exchanging(tmp_path / "run")
    begin(tmp_path / "run", "third").close()
    journal = opened(tmp_path / "run")
    assert journal.request == {"asked": "third"}
    journal.close()


def test_a_kill_before_a_journal_was_ready_blocks_nothing(tmp_path):
    aside = tmp_path / "run" / f".{UNFINISHED}-abcdefgh"
    (aside / UNFINISHED).mkdir(parents=True)
    with pytest.raises(ArchiveError, match="There is no run"):
        FolderJournal.open(tmp_path / "run")
    begin(tmp_path / "run").close()
    opened(tmp_path / "run").close()


def test_a_process_that_is_about_to_exchange_is_left_alone(tmp_path):
    run = tmp_path / "run"
    aside = killed_while_exchanging(run)
    hold = Hold(aside / UNFINISHED, run)
    for attempt in (begin, FolderJournal.open):
        with pytest.raises(ArchiveError, match="Another run is at work"):
            attempt(run)
    assert {each.name for each in aside.iterdir()} == {UNFINISHED, "earlier"}
    hold.release()


def test_a_failed_exchange_keeps_the_journal_that_was_there(tmp_path, monkeypatch):
    run = tmp_path / "run"
    begin(run, "first").close()
    original = Path.rename

    def fail(own, target):
        if own.parent.name.startswith(f".{UNFINISHED}-") and own.name == UNFINISHED:
            raise OSError(28, "No space left on device")
        return original(own, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", fail)
        with pytest.raises(ArchiveError, match="No space left"):
            begin(run, "second")
    assert {each.name for each in run.iterdir()} == {UNFINISHED}
    journal = opened(run)
    assert journal.request == {"asked": "first"}
    journal.close()


def test_a_lock_of_a_journal_that_was_exchanged_holds_nothing(tmp_path, monkeypatch):
    """Opened before the exchange, locked after it: it is no longer the lock of this folder."""
    run = tmp_path / "run"
    begin(run, "first").close()
    original, others = os.open, []

    def meanwhile(place, *rest, **options):
        found = original(place, *rest, **options)
        if not others and place == run / UNFINISHED / "lock":
            others.append(None)
            others.append(begin(run, "second"))
        return found

    monkeypatch.setattr(os, "open", meanwhile)
    with pytest.raises(ArchiveError, match="Another run is at work"):
        Hold(run / UNFINISHED, run)
    others[1].close()


@pytest.mark.parametrize("there", ["nothing", "an earlier run", "a finished run"])
def test_of_runs_that_begin_at_once_one_has_the_folder(tmp_path, there):
    for number in range(10):
        run = tmp_path / f"run{number}"
        if there == "an earlier run":
            begin(run, "before").close()
        elif there == "a finished run":
            run.mkdir()
            (run / MARK).write_text("{}")

        def attempt(asked: str, run=run) -> FolderJournal | None:
            try:
                return begin(run, asked)
            except ArchiveError as error:
                assert "Another run is at work" in str(error)  # noqa: PT017
                return None

        with ThreadPoolExecutor(6) as pool:
            begun = [each for each in pool.map(attempt, map(str, range(6))) if each is not None]
        assert len(begun) == 1
        begun[0].keep("a rung", runs())
        begun[0].close()
        journal = opened(run)
        assert journal.request == begun[0].request
        assert journal.recall("a rung", SHAPE, [0]) is not None
        journal.close()
