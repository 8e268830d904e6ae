"""The trust summary: what the page says above the words never contradicts them."""

import pytest

from mathonet.report.page.judgement import MEANS, ORDER, VERDICT, _figures
from mathonet.result.trust import Trust


def figures(level, gap) -> str:
    return " ".join(" ".join(pair) for pair in _figures(Trust(level, 0.9, 0.1, gap, ())))


@pytest.mark.parametrize("level", ORDER)
def test_a_negative_lead_is_never_written(level):
    told = figures(level, -3.02)
    assert "behind the best rival by 3.02 nats" in told
    assert "leads" not in told
    assert "odds" not in told


def test_odds_stand_beside_a_lead_that_decides():
    assert "leads the best rival by 4.00 nats (odds of 55 to 1)" in figures("good", 4.0)
    assert "odds" not in figures("undecided", 4.0)
    assert "odds" in figures("undecided", 1.0)


def test_what_a_doubtful_level_means_holds_for_all_its_reasons():
    """Terms that cancel, jumps and a path that is bent leave noise over, too."""
    for sentence in (MEANS["doubtful"], VERDICT["doubtful"]):
        assert "noise" not in sentence
        assert "not explain" not in sentence
