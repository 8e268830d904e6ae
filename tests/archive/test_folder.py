"""The place of a run's folder: refused early, filled whole, and shared without harm."""

import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mathonet.archive import folder as folders
from mathonet.archive.folder import MARK, OWN, UNFINISHED, check_folder, put, settle, standing
from mathonet.errors import ArchiveError


def names(folder: Path) -> set[str]:
    return {entry.name for entry in folder.iterdir()}


def finished(beside: Path, tag: str) -> Path:
    """A finished run that waits beside its place, every file with the same tag."""
    new = Path(tempfile.mkdtemp(prefix=f".{beside.name}-", dir=beside.parent))
    for name in OWN:
        (new / name).write_text(tag)
    return new


def test_a_check_makes_nothing(tmp_path):
    assert check_folder(tmp_path / "a" / "b") == tmp_path / "a" / "b"
    assert names(tmp_path) == set()


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_is_refused(tmp_path):
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(ArchiveError, match="cannot be written"):
            check_folder(tmp_path / "run")
    finally:
        tmp_path.chmod(0o700)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a file system that takes no folders")
def test_writing_is_tried_and_not_guessed_from_permissions():
    with pytest.raises(ArchiveError, match=r"cannot be written in /proc \(.+\)\. Choose another"):
        check_folder("/proc/run")


def test_a_disk_without_room_is_noticed(tmp_path, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(ArchiveError, match="No space left on device"):
        check_folder(tmp_path / "run")
    assert names(tmp_path) == set()


def test_a_link_stays_and_its_folder_is_replaced(tmp_path):
    place, link = tmp_path / "disk" / "run", tmp_path / "run"
    place.mkdir(parents=True)
    link.symlink_to(place, target_is_directory=True)
    assert check_folder(link) == link
    put(finished(place, "new"), link.resolve())
    assert link.is_symlink()
    assert (link / MARK).read_text() == "new"
    assert names(tmp_path) == {"disk", "run"}


def test_runs_that_arrive_at_the_same_time_leave_one_whole_run(tmp_path):
    place = tmp_path / "run"
    for round_ in range(20):
        tags = [f"{round_}-{number}" for number in range(8)]
        runs = [finished(place, tag) for tag in tags]
        with ThreadPoolExecutor(len(runs)) as pool:
            list(pool.map(lambda new: put(new, place), runs))
        assert names(tmp_path) == {"run"}
        assert names(place) == OWN
        assert len({(place / name).read_text() for name in OWN}) == 1
        assert (place / MARK).read_text() in tags


def test_what_appeared_during_the_search_is_not_replaced(tmp_path):
    place = check_folder(tmp_path / "run")
    new = finished(place, "new")
    place.mkdir()
    (place / "thesis.tex").write_text("mine")
    with pytest.raises(ArchiveError, match="holds no earlier run"):
        put(new, place)
    assert names(place) == {"thesis.tex"}


def aside(place: Path, old: str, new: str | None = None) -> None:
    """What a process leaves that is killed between the two renames of `put`."""
    beside = finished(place, old)
    beside.rename(beside.with_name(f"{beside.name}-old"))
    if new is not None:
        finished(place, new).rename(beside)


@pytest.mark.parametrize(("new", "kept"), [("new", "new"), (None, "old")])
def test_a_killed_exchange_is_completed_by_the_next_writer(tmp_path, new, kept):
    place = tmp_path / "run [1]"
    aside(place, "old", new)
    before = names(tmp_path)
    assert (standing(place) / MARK).read_text() == kept
    assert names(tmp_path) == before
    check_folder(place)
    assert (place / MARK).read_text() == kept
    assert names(tmp_path) == {"run [1]"}


def test_folders_of_others_are_neither_moved_nor_deleted(tmp_path):
    """Of a run with a longer name, of the user, and one that looks like ours and is not."""
    aside(tmp_path / "run-bar", "of another run", "of another run")
    for name in (".run-2020", ".run-2020-old", ".run-abcdefgh", ".run-abcdefgh-old", ".run-aaaaaaaa-old"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "precious.txt").write_text("mine")
    (tmp_path / ".run-aaaaaaaa-old" / MARK).write_text("{}")
    (tmp_path / ".run-bbbbbbbb-old").write_text("a file")
    (tmp_path / ".run-cccccccc-old").mkdir()
    (tmp_path / ".run-dddddddd-old").symlink_to(tmp_path / ".run-2020", target_is_directory=True)
    before = sorted(tmp_path.rglob("*"))
    check_folder(tmp_path / "run")
    settle(tmp_path / "run")
    assert sorted(tmp_path.rglob("*")) == before
    assert standing(tmp_path / "run") == tmp_path / "run"


def test_a_move_that_another_process_completed_is_done(tmp_path, monkeypatch):
    place = tmp_path / "run"
    put(finished(place, "old"), place)
    refuse = folders._refuse_foreign

    def meanwhile(looked_at, path):
        with monkeypatch.context() as patch:
            patch.setattr(folders, "_refuse_foreign", refuse)
            settle(place)
        refuse(looked_at, path)

    new = finished(place, "new")
    monkeypatch.setattr(folders, "_refuse_foreign", meanwhile)
    put(new, place)
    assert (place / MARK).read_text() == "new"
    assert names(tmp_path) == {"run"}


def test_what_only_begins_like_ours_is_not_replaced(tmp_path):
    place = tmp_path / "run"
    put(finished(place, "old"), place)
    (place / f"{UNFINISHED}-thesis.tex").write_text("mine")
    with pytest.raises(ArchiveError, match=r"also 'unfinished-thesis\.tex'"):
        check_folder(place)


def test_a_check_loads_no_stack(tmp_path):
    code = (
        "import sys; from mathonet.archive.folder import check_folder\n"
        "check_folder('run')\n"
        "assert not {'jax', 'sympy', 'pandas', 'numpy'} & set(sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
