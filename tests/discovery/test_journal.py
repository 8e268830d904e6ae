"""The journal of a run under way: what is cut or missing costs the least, and two runs never share one."""

import os
from pathlib import Path

import numpy as np
import pytest

from mathonet.data.trajectory import Trajectory
from mathonet.discovery.folder import UNFINISHED
from mathonet.discovery.journal import FolderJournal
from mathonet.discovery.sweep import Sweep
from mathonet.errors import ArchiveError
from mathonet.learning.cycle import Record
from mathonet.network.mathonet import Architecture
from mathonet.operations import get

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
