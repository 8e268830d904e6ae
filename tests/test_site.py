"""The documentation builds strictly, and its pages ask nothing of other hosts."""

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    pytest.importorskip("mkdocs", reason="the extra `docs` is not installed")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-2000:]
    return folder


def test_nothing_is_fetched_from_elsewhere(site):
    pages = list(site.rglob("*.html"))
    assert len(pages) > 20
    for page in pages:
        text = page.read_text()
        assert not re.search(r'<(?:script|img|iframe|source)[^>]*\ssrc="(?:https?:)?//', text), page
        assert not re.search(r'<link[^>]*\shref="(?:https?:)?//', text), page


def test_every_picture_is_there(site):
    for page in site.rglob("*.html"):
        for source in re.findall(r'<img[^>]*\ssrc="([^"]+)"', page.read_text()):
            assert (page.parent / source).exists(), f"{source} in {page}"


@pytest.mark.parametrize(
    "script", sorted((ROOT / "docs" / "drawings").glob("*.py")), ids=lambda path: path.stem
)
def test_drawings_are_drawn(script, tmp_path):
    runpy.run_path(str(script))["main"](tmp_path)
    assert any(tmp_path.glob(f"{script.stem}.*"))
