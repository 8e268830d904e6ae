"""Every Python example of the README and the documentation runs as it stands, alone, in an empty folder."""

import re
import runpy
from pathlib import Path

import matplotlib as mpl
import pytest

from mathonet import operations

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^( *)```python\n(.*?)^\1```", re.DOTALL | re.MULTILINE)


def examples() -> list:
    found = []
    for page in PAGES:
        text = page.read_text()
        for match in BLOCK.finditer(text):
            line = text.count("\n", 0, match.start()) + 2
            # Blank lines in front keep the page's own line numbers in tracebacks.
            code = "\n" * (line - 1) + re.sub(rf"^{match[1]}", "", match[2], flags=re.MULTILINE)
            found.append(pytest.param(code, id=f"{page.relative_to(ROOT)}:{line}"))
    return found


@pytest.mark.parametrize("code", examples())
def test_example_runs(code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    # An example may register an operation; the next one starts without it.
    monkeypatch.setattr(operations, "_registered", dict(operations._registered))
    mpl.use("Agg")
    script = tmp_path / "example.py"
    script.write_text(code)
    runpy.run_path(str(script), run_name="__main__")
