"""Files arrive whole or not at all; links are followed, and nothing that is not ours is replaced."""

import os
import stat

import pytest

from mathonet.errors import ArchiveError, ConfigError
from mathonet.paths import read_file
from mathonet.writing import check_file, make_folders, remove_empty, write_file


def ours(beginning: bytes) -> bool:
    return beginning.startswith(b"ours")


def test_a_file_is_written_and_replaced(tmp_path):
    place = tmp_path / "a.txt"
    assert write_file(place, "ours 1\n", ours) == place
    place.chmod(0o640)
    assert write_file(str(place), b"ours 2\n", ours) == place
    assert place.read_text() == "ours 2\n"
    assert stat.S_IMODE(place.stat().st_mode) == 0o640
    assert [each.name for each in tmp_path.iterdir()] == ["a.txt"]


def test_new_files_have_the_permissions_that_others_get(tmp_path):
    (tmp_path / "other").write_text("")
    write_file(tmp_path / "new", "x")
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_a_foreign_file_stays(tmp_path):
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(ArchiveError, match=r"thesis\.tex already that mathonet did not write"):
        write_file(tmp_path / "thesis.tex", "ours", ours)
    assert (tmp_path / "thesis.tex").read_text() == "mine"
    (tmp_path / "empty").touch()
    write_file(tmp_path / "empty", "ours", ours)


def test_a_link_stays_and_leads_to_what_was_written(tmp_path):
    (tmp_path / "disk").mkdir()
    link, dangling = tmp_path / "link", tmp_path / "dangling"
    (tmp_path / "disk" / "file").write_text("ours")
    link.symlink_to(tmp_path / "disk" / "file")
    dangling.symlink_to(tmp_path / "disk" / "new")
    for each in (link, dangling):
        write_file(each, "ours too", ours)
        assert each.is_symlink()
        assert each.read_text() == "ours too"
    (tmp_path / "disk" / "file").write_text("mine")
    with pytest.raises(ArchiveError, match="did not write"):
        write_file(link, "ours", ours)


def special(tmp_path):
    """What is no plain file, with the words for it."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "to-pipe").symlink_to(tmp_path / "pipe")
    yield from ((tmp_path / "pipe", "a named pipe"), (tmp_path / "to-pipe", "a named pipe"))
    yield from ((tmp_path / "folder", "a folder"), ("/dev/null", "a device"))


def test_what_is_no_plain_file_is_neither_replaced_nor_read(tmp_path):
    for path, words in special(tmp_path):
        before = os.lstat(path)
        with pytest.raises(ArchiveError, match=f"is {words}, and only a plain file is replaced"):
            write_file(path, "x")
        with pytest.raises(OSError, match=f"it is {words}"):
            read_file(tmp_path / path)
        assert os.path.samestat(before, os.lstat(path))


def test_a_file_that_is_too_large_is_not_read(tmp_path):
    with (tmp_path / "sparse").open("wb") as file:
        file.truncate(10**12)
    with pytest.raises(OSError, match=r"it has 1,000,000,000,000 bytes"):
        read_file(tmp_path / "sparse")


def test_a_failure_leaves_what_was_there(tmp_path, monkeypatch):
    (tmp_path / "a").write_text("ours")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ArchiveError, match="No space left on device"):
        write_file(tmp_path / "a", "new")
    assert (tmp_path / "a").read_text() == "ours"
    assert [each.name for each in tmp_path.iterdir()] == ["a"]


@pytest.mark.parametrize("path", ["s3://bucket/a", "a\0b", "", "n" * 300])
def test_paths_that_are_none_are_refused(path):
    with pytest.raises(ConfigError):
        check_file(path)


def test_folders_are_made_however_deep(tmp_path):
    deep = tmp_path.joinpath(*["d"] * 1500)
    made = make_folders(deep)
    assert len(made) == 1500
    assert deep.is_dir()
    remove_empty(made)
    assert list(tmp_path.iterdir()) == []
