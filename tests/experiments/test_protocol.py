"""The paper's protocol beside ours: what is counted, and that one way runs from end to end."""

import numpy as np
import pytest

from mathonet.experiments.paper.protocol import MOST_SEEDS, WAYS, Outcome, Way, outcomes, protocol, summary

WAY = Way("lorenz", "some way", {}, 2)


def test_summary_gives_seconds_errors_and_shares():
    found = [
        Outcome(WAY, "x'", 0, 4.0, 20, 18, 2, 1e-6, 1e-7, 1e-16),
        Outcome(WAY, "y'", 0, 4.0, 20, 5, 9, 1e-3, np.inf, 1e-16),
        Outcome(WAY, "x'", 1, 6.0, 20, 20, 2, 3e-6, 3e-7, 3e-16),
        Outcome(WAY, "y'", 1, 6.0, 20, 0, 9, 3e-3, np.inf, np.inf),
    ]
    results = {result.name: result for result in summary(found)}
    assert results["lorenz, some way: seconds"].ours == 5.0
    read = results["lorenz, some way, x', best network as read: worst relative error"]
    assert (read.ours, read.seeds, read.success) == (3e-7, 2, 2)
    assert read.paper == pytest.approx(6.47e-8, rel=1e-2)
    missed = results["lorenz, some way, y', best network as read: worst relative error"]
    assert (missed.ours, missed.success) == (None, 0)
    assert missed.paper == pytest.approx(4.65e-5, rel=1e-2)
    refitted = results["lorenz, some way, y', after clean-up and refit: worst relative error"]
    assert (refitted.ours, refitted.success) == (1e-16, 1)
    assert results["lorenz, some way, x': share of runs exact as read"].ours == pytest.approx(0.95)
    assert results["lorenz, some way, y', best network: validation error"].ours == pytest.approx(2e-3)


def test_a_way_is_run_and_measured():
    way = Way("lotka-volterra", "few starts", {"restarts": 3}, MOST_SEEDS)
    said = []
    found = outcomes(1, said.append, (way,))
    assert [each.equation for each in found] == ["x'", "y'"]
    assert len(said) == 1
    for each in found:
        assert each.found < 1e-8
        assert each.read < 1e-3
        assert 1 <= each.hits <= each.runs == 3
        assert each.terms == 2
        assert each.seconds > 0


@pytest.mark.paper
@pytest.mark.timeout(1800)
def test_both_protocols_reach_the_equations_and_ours_is_cheaper():
    results = {result.name: result for result in protocol(2, lambda line: None)}
    for way in WAYS:
        case = f"{way.system}, {way.label}"
        refitted = [r for name, r in results.items() if name.startswith(f"{case}, ") and "refit" in name]
        assert all(r.success == r.seeds and r.ours < 1e-8 for r in refitted)
    seconds = {name: result.ours for name, result in results.items() if name.endswith("seconds")}
    ours = seconds["lorenz, our default: seconds"]
    assert all(5 * ours < value for name, value in seconds.items() if "lorenz, paper" in name)
