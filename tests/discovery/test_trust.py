"""Trust: fits that explain nothing, leave something over, or have rivals are called so."""

import numpy as np
import pytest

from mathonet import Samples
from mathonet.discovery.discover import discover
from mathonet.discovery.trust import judge, leaves_noise, neighbour_correlation, resting_on

RNG = np.random.default_rng(0)
POINTS = RNG.uniform(-2, 2, size=(400, 2))
NOISE = 0.1 * RNG.normal(size=400)


def test_noise_is_noise_in_999_of_1000_draws():
    draws = np.random.default_rng(1).normal(size=(1000, 400))
    assert sum(not leaves_noise(draw, POINTS) for draw in draws) <= 1
    assert sum(not leaves_noise(draw, None) for draw in draws) <= 1


@pytest.mark.parametrize("order", [np.arange(400), RNG.permutation(400)], ids=["as given", "shuffled"])
def test_something_smooth_is_seen_whatever_the_order_of_the_rows(order):
    smooth = np.sin(POINTS[:, 0]) + NOISE
    assert not leaves_noise(smooth[order], POINTS[order])


def test_successive_rows_count_where_rows_are_no_samples():
    assert not leaves_noise(np.sin(np.linspace(0, 20, 400)), None)


def test_few_rows_cannot_say():
    assert neighbour_correlation(np.ones(5), POINTS[:5]) is None


def test_equal_rows_are_neighbours_of_each_other_and_not_of_themselves():
    rng = np.random.default_rng(0)
    doubled = np.repeat(POINTS[:100], 2, axis=0)
    residuals = rng.normal(size=200)
    found = neighbour_correlation(residuals, doubled)
    assert found is not None
    assert abs(found[0]) < 0.5


@pytest.mark.parametrize(
    ("residuals", "exact", "gap", "level", "words"),
    [
        (1e-16 * NOISE, True, 50.0, "exact", "rounding"),
        (NOISE, False, 50.0, "good", "leads the best rival by 50 nats"),
        (NOISE, False, None, "good", "no rival"),
        (NOISE, False, 0.5, "undecided", "0.5 nats ahead of 3 x"),
        (NOISE, False, -2.0, "undecided", "2 nats more evidence: 3 x"),
        (0.3 * np.sin(POINTS[:, 1]), False, 50.0, "doubtful", "is not noise"),
        (20.0 * NOISE, False, 50.0, "poor", "explains only"),
    ],
)
def test_levels(residuals, exact, gap, level, words):
    trust = judge(residuals, 2.0 * POINTS[:, 0], POINTS, exact, gap, "3 x")
    assert trust.level == level
    assert words in "; ".join(trust.words)


def test_a_form_out_of_reach_is_not_praised():
    x = np.linspace(0.1, 6.0, 150)[:, None]
    target = np.sin(x**2) / (0.5 + x)
    found = discover(Samples(x, target, ("x",), ("x",)), operations=["ident"], hidden=(1,), restarts=3)
    assert found.trust[0].level in ("doubtful", "poor")


def test_pure_noise_is_poor():
    rng = np.random.default_rng(0)
    found = discover(
        Samples(POINTS, rng.normal(size=(400, 1)), ("x", "y"), ("x",)), operations=["ident"], hidden=(1,)
    )
    assert found.trust[0].level == "poor"


def test_true_form_with_noise_is_good():
    target = 2.0 * POINTS[:, :1] * POINTS[:, 1:] + NOISE[:, None]
    found = discover(Samples(POINTS, target, ("x", "y"), ("x",)), operations=["ident"], hidden=(1,))
    assert found.trust[0].level == "good"
    assert found.gaps == (found.trust[0].gap,)


def test_terms_that_cancel_are_doubtful():
    trust = judge(NOISE, 2.0 * POINTS[:, 0], POINTS, False, 50.0, "3 x", 1e9)
    assert trust.level == "doubtful"
    assert "1e+09 times as large as their sum" in "; ".join(trust.words)


def test_few_samples_decide_nothing():
    trust = judge(np.zeros(5), POINTS[:5, 0], POINTS[:5], True, None, None)
    assert trust.level == "undecided"
    assert "5 samples are few" in "; ".join(trust.words)


def test_constant_law_is_not_poor():
    trust = judge(0.01 * NOISE, np.full(400, 2.0), POINTS, False, None, None)
    assert trust.level == "good"
    assert trust.explained > 0.99


def test_noise_of_changing_size_is_still_noise():
    draws = np.random.default_rng(2).normal(size=(1000, 400)) * np.exp(2.0 * POINTS[:, 0])
    assert sum(not leaves_noise(draw, POINTS) for draw in draws) <= 3


def test_residuals_far_above_the_noise_are_doubted():
    draw = np.random.default_rng(0)
    residuals, targets = draw.standard_normal(200), 30.0 * draw.standard_normal(200)
    assert judge(residuals, targets, None, False, 50.0, "x", misfit=2.0).level == "good"
    found = judge(residuals, targets, None, False, 50.0, "x", misfit=100.0)
    assert found.level == "doubtful"
    assert any("10 times the noise" in sentence for sentence in found.words)


def test_a_path_that_leaves_the_equations_is_doubted():
    draw = np.random.default_rng(0)
    residuals, targets = draw.standard_normal(200), 30.0 * draw.standard_normal(200)
    assert judge(residuals, targets, None, False, 50.0, "x", bent=1e-4).level == "good"
    found = judge(residuals, targets, None, False, 50.0, "x", bent=0.2)
    assert found.level == "doubtful"
    assert any("does not follow the equations" in sentence for sentence in found.words)


def test_an_equation_with_a_state_that_explains_nothing_is_doubtful():
    rng = np.random.default_rng(0)
    good = judge(rng.normal(size=100) * 1e-3, rng.normal(size=100), None, False, 10.0, "x")
    assert good.level == "good"
    rests = resting_on(good, "junk")
    assert rests.level == "doubtful"
    assert "junk" in rests.words[-1]
    poor = judge(rng.normal(size=100), rng.normal(size=100), None, False, 10.0, "x")
    assert resting_on(poor, "junk").level == "poor"
