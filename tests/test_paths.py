"""Paths as users give them: addresses and what no file system could have are refused with a line."""

from pathlib import Path

import pytest

from mathonet.errors import ConfigError
from mathonet.paths import local_path, refuse_address

ADDRESSES = ["s3://bucket/run", "https://example.org/a.csv", "file:///etc/passwd", "gs://x", "git+ssh://a/b"]


@pytest.mark.parametrize("address", [*ADDRESSES, Path("s3://bucket/run")])
def test_addresses_are_refused(address):
    with pytest.raises(ConfigError, match=r"is an address\. Only files on this machine"):
        refuse_address(address)


@pytest.mark.parametrize("path", ["run", "C:/data/run", r"C:\run", "./s3://x", "a:b/c", "a b/c://d", ""])
def test_other_paths_are_not(path):
    refuse_address(path)


def test_what_no_file_system_has_is_refused(tmp_path):
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for path, words in (
        ("", "is empty"),
        ("a\0b", "holds a NUL"),
        ("n" * 300, "cannot be used"),
        (tmp_path / "loop" / "x", "cannot be used"),
        ("d/" * 3000 + "x", "cannot be used"),
        ("\ud800", "cannot be used"),
    ):
        with pytest.raises(ConfigError, match=words) as told:
            local_path(path, "--out")
        assert str(told.value).startswith("--out")
        assert len(str(told.value)) < 500


def test_paths_that_are_not_there_yet_are_taken(tmp_path):
    (tmp_path / "file").touch()
    for each in (tmp_path / "a" / "b", tmp_path / "file" / "below", tmp_path):
        assert local_path(str(each)) == each
