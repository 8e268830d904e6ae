"""Cases that failed once, shrunk, and kept so that they do not fail again."""

from pathlib import Path

import pytest

from tests.fuzz.case import from_text
from tests.fuzz.oracle import judge

KEPT = sorted((Path(__file__).parent / "kept").glob("*.json"))


@pytest.mark.parametrize("path", KEPT, ids=[path.stem for path in KEPT])
def test_a_kept_case_ends_as_it_should(path: Path):
    outcome = judge(from_text(path.read_text()))
    assert not outcome.failed, f"{outcome.kind}: {outcome.words}"
