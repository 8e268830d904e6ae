"""The pictures of the rooms are true: every room is in them, every file named exists, every file is named."""

import re
import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
ROOMS = [
    (contract["containers"][0], room.strip(" ()"))
    for contract in CONTRACTS
    for layer in contract["layers"]
    for room in layer.split("|")
]
PAGE = (ROOT / "docs" / "architecture.md").read_text()
TABLE = PAGE.split("## Which file to open")[1].split("##")[0]


def named(text: str) -> dict[str, set[Path]]:
    """Files by the names that a text has for them; a star in a name stands for anything.

    A bare name stands in the folder of the name before it in the same row.
    """
    found: dict[str, set[Path]] = {}
    for line in text.splitlines():
        folder = Path()
        for name in re.findall(r"`([\w/*-]+\.(?:py|toml))`", line):
            for path in (folder / name, Path(name)):
                files = {file for root in (ROOT / "mathonet", ROOT) for file in root.glob(str(path))}
                if files:
                    folder = path.parent
                    break
            found[f"{name} in {line[:60]!r}"] = files
    return found


def pictures(container: str) -> list[str]:
    """Where the rooms of the package, or of one of its folders, are drawn."""
    if container == "mathonet":
        return [PAGE.split("### Inside")[0], (ROOT / "README.md").read_text()]
    folder = container.removeprefix("mathonet.").replace(".", "/")
    return [PAGE.split(f"### Inside `{folder}/`\n")[1].split("\n#")[0]]


@pytest.mark.parametrize(("container", "room"), ROOMS)
def test_every_room_is_in_the_pictures(container, room):
    for picture in pictures(container):
        assert re.search(rf"^ │.*\b{room}\b", picture, re.MULTILINE)


def test_every_file_that_is_named_exists():
    assert [name for name, files in named(PAGE).items() if not files] == []


def test_every_file_is_named_where_one_looks_for_it():
    told = set().union(*named(TABLE).values())
    files = chain.from_iterable((ROOT / "mathonet").rglob(kind) for kind in ("*.py", "*.toml"))
    every = {file for file in files if file.name != "__init__.py"}
    assert sorted(str(file.relative_to(ROOT)) for file in every - told) == []


def test_nothing_a_user_imports_loads_the_experiments():
    """Neither benchmarks nor the systems they know can be in the way of a search, or help it."""
    code = (
        "import sys, mathonet\n"
        "from mathonet import Discoverer, FieldDiscoverer, MathONetRegressor, discover, load, systems\n"
        "for name in mathonet.__all__: getattr(mathonet, name)\n"
        "print(*(name for name in sys.modules if name.startswith('mathonet.')))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    loaded = done.stdout.split()
    assert "mathonet.estimators.discoverer" in loaded
    assert [name for name in loaded if name.startswith("mathonet.experiments")] == []
