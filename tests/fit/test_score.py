"""The one score."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathonet.fit.score import GAMMA, evidence, score

positive = st.floats(1e-6, 1e6)


@given(positive, positive, st.integers(10, 10_000))
def test_larger_sum_of_squares_never_scores_better(a, b, count):
    small, large = sorted((a, b))
    assert score(small, count, 0.0, 3, 1.0) <= score(large, count, 0.0, 3, 1.0)


def test_ten_times_the_error_costs_n_log_100():
    gap = score(100.0, 50, 0.0, 2, 0.0) - score(1.0, 50, 0.0, 2, 0.0)
    assert gap == pytest.approx(50 * math.log(100))


def test_residuals_below_the_floor_gain_nothing():
    floor, count = 1e-6, 100
    at_floor = score(count * floor**2, count, floor, 2, 0.0)
    assert score(1e-3 * count * floor**2, count, floor, 2, 0.0) == at_floor
    assert score(0.0, count, floor, 2, 0.0) == at_floor
    assert score(2 * count * floor**2, count, floor, 2, 0.0) > at_floor


def test_residuals_of_exactly_zero_have_a_finite_score_without_a_floor():
    assert math.isfinite(score(0.0, 10, 0.0, 1, 0.0))


def test_a_constant_costs_log_n_and_a_term_twice_gamma_times_the_log_of_its_rung():
    base = score(1.0, 100, 0.0, 1, 0.0)
    assert score(1.0, 100, 0.0, 2, 0.0) - base == pytest.approx(math.log(100))
    assert score(1.0, 100, 0.0, 1, math.log(20)) - base == pytest.approx(2 * GAMMA * math.log(20))
    assert score(1.0, 100, 0.0, 1, math.log(20), gamma=0.0) == base


@pytest.mark.parametrize("rss", [math.inf, math.nan])
def test_fit_that_failed_scores_worst(rss):
    assert score(rss, 10, 0.0, 1, 0.0) == math.inf


def test_evidence_is_minus_half_the_score():
    assert evidence(-7.0) == 3.5
