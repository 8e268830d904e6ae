"""The pictures of the rooms are true: every room of the contract is in them, and every file named exists."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CONTRACT = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"][0]
ROOMS = [room.strip(" ()") for layer in CONTRACT["layers"] for room in layer.split("|")]
PAGE = (ROOT / "docs" / "architecture.md").read_text()


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_is_in_the_pictures(room):
    for page in (PAGE, (ROOT / "README.md").read_text()):
        assert re.search(rf"^ │.*\b{room}\b", page, re.MULTILINE)


def test_every_file_that_is_named_exists():
    """A bare name stands in the folder of the name before it in the same row."""
    for line in PAGE.splitlines():
        folder = Path()
        for name in re.findall(r"`([\w/]+\.py)`", line):
            path = Path(name)
            found = [
                p for p in (path, folder / path) if (ROOT / "mathonet" / p).exists() or (ROOT / p).exists()
            ]
            assert found, f"{name} in {line[:60]!r}"
            folder = found[-1].parent
