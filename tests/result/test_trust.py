"""Trust: fits that explain nothing, leave something over, or have rivals are called so."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathonet import Samples
from mathonet.fit.residuals import leaves_noise, neighbour_correlation
from mathonet.result.discover import discover
from mathonet.result.trust import EXPLAINED, TRUSTED, doubted, judge, resting_on

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


@pytest.mark.parametrize(("count", "level"), [(10, "exact"), (11, "undecided")])
def test_many_constants_decide_nothing_however_well_they_fit(count, level):
    trust = judge(np.zeros(100), POINTS[:100, 0], POINTS[:100], True, 50.0, "3 x", constants=count)
    assert trust.level == level
    assert any("in the place of another law" in words for words in trust.words) == (level == "undecided")


def test_few_samples_decide_nothing():
    trust = judge(np.zeros(5), POINTS[:5, 0], POINTS[:5], True, None, None)
    assert trust.level == "undecided"
    assert "5 samples are few" in "; ".join(trust.words)


def test_a_constant_is_exact_of_a_target_that_does_not_vary():
    for noise in (np.zeros(400), 1e-16 * NOISE, np.round(1e-3 * RNG.uniform(-0.5, 0.5, 400), 5)):
        trust = judge(noise, 2.0 + noise, POINTS, True, None, None, still=float(noise @ noise))
        assert trust.level == "exact"
        assert trust.explained == 1.0


def test_a_constant_that_explains_nothing_that_varies_is_not_good():
    """A column that was taken for a derivative: a temperature, say."""
    trust = judge(NOISE, 20.0 + NOISE, POINTS, False, 50.0, "3 x", still=float(NOISE @ NOISE))
    assert trust.level == "undecided"
    assert "only 0% of how it varies" in trust.words[0]
    found = discover(
        Samples(POINTS, 20.0 + RNG.normal(size=(400, 1)), ("x", "y"), ("x",)),
        operations=["ident"],
        hidden=(1,),
    )
    assert found.trust[0].level not in TRUSTED


@pytest.mark.parametrize("offset", [0.0, 20.0])
def test_whole_numbers_do_not_make_a_constant_exact(offset: float):
    spikes = offset + (RNG.random((400, 1)) < 0.05)
    samples = Samples(POINTS, spikes, ("x", "y"), ("x",))
    assert discover(samples, operations=["ident"], hidden=(1,)).trust[0].level not in TRUSTED


def test_rounding_that_is_not_far_below_what_varies_makes_nothing_exact():
    targets = POINTS[:, 0]
    assert judge(1e-3 * NOISE, targets, POINTS, True, 50.0, "3 x").level == "exact"
    assert judge(3.0 * NOISE, targets, POINTS, True, 50.0, "3 x").level == "good"
    assert judge(20.0 * NOISE, targets, POINTS, True, 50.0, "3 x").level == "poor"


def test_what_moves_in_jumps_is_doubted_however_well_it_fits():
    for exact in (False, True):
        trust = judge(1e-3 * NOISE, POINTS[:, 0], POINTS, exact, 50.0, "3 x", jumps=True)
        assert trust.level == "doubtful"
        assert "name it as an input" in trust.words[0]


def test_a_form_of_another_kind_that_fits_as_well_decides_nothing():
    trust = judge(NOISE, POINTS[:, 0], POINTS, False, 50.0, "3 x", equal="2 sin(x)")
    assert trust.level == "undecided"
    assert "2 sin(x) fits as well with as few constants: the data do not tell them apart" in trust.words


PRAISE = ("looks like noise", "fits to rounding")
BLAME = (
    "is not noise",
    "times the noise",
    "does not follow the equations",
    "explains only",
    "and only",
    "moves in jumps",
)
UNDECIDED = ("as few constants", "in the place of another law", "do not tell all its constants")
CONTRADICTIONS = [
    *((praise, blame) for praise in PRAISE for blame in BLAME),
    PRAISE,
    ("explains only", "explains the mean"),
    ("leads the best rival", "fits as well with"),
    ("leads the best rival", "nats more evidence"),
    ("leads the best rival", "nats ahead of"),
    ("nats ahead of", "nats more evidence"),
    *(("no rival form was met", other) for other in ("leads the", "nats ahead", "more evidence", "as few")),
]
ANYTHING = st.floats(0.0, 1e6)


@settings(max_examples=300)
@given(
    seed=st.integers(0, 20),
    rows=st.sampled_from([1, 5, 30, 200]),
    size=st.sampled_from([0.0, 1e-15, 1e-4, 0.1, 0.5, 1.0, 3.0]),
    smooth=st.booleans(),
    exact=st.booleans(),
    gap=st.none() | st.floats(-1e6, 1e6).map(lambda gap: round(gap, 2)),
    cancelling=ANYTHING,
    misfit=ANYTHING,
    bent=st.floats(0.0, 1.0),
    still=st.none() | st.floats(0.0, 500.0),
    equal=st.none() | st.just("sin(x)"),
    jumps=st.booleans(),
    constants=st.integers(0, 15),
    told=st.none() | st.integers(1, 30),
    vague=st.booleans(),
    cut=st.booleans(),
    rests=st.booleans(),
)
def test_words_never_contradict_each_other(
    seed,
    rows,
    size,
    smooth,
    exact,
    gap,
    cancelling,
    misfit,
    bent,
    still,
    equal,
    jumps,
    constants,
    told,
    vague,
    cut,
    rests,
):
    draw = np.random.default_rng(seed)
    targets = 1.0 + np.sin(np.arange(rows)) if still is not None else np.sin(np.arange(rows))
    left = size * (np.sin(0.1 * np.arange(rows)) if smooth else draw.normal(size=rows))
    rival = None if gap is None else "3 x"
    trust = judge(
        left,
        targets,
        None,
        exact,
        gap,
        rival,
        cancelling,
        misfit,
        bent,
        still=still,
        equal=equal,
        jumps=jumps,
        constants=constants,
        told=told,
        vague=vague,
    )
    trust = doubted(trust, "time is up") if cut else trust
    trust = resting_on(trust, "junk") if rests else trust
    words = "; ".join(trust.words)
    said = [pair for pair in CONTRADICTIONS if all(part in words for part in pair)]
    assert not said, words
    assert not re.search(r"-\S+ nats", words), words
    against = [phrase for phrase in (*BLAME, *UNDECIDED, "few:", "times as large") if phrase in words]
    assert not against or trust.level not in TRUSTED, (trust.level, words)
    if trust.level in TRUSTED:
        assert trust.explained >= EXPLAINED


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


def test_an_exact_form_that_lives_by_cancellation_is_doubtful():
    left = 1e-15 * np.sin(POINTS[:100, 0])
    trust = judge(left, POINTS[:100, 0], POINTS[:100], True, 50.0, "3 x", cancelling=1e5)
    assert trust.level == "doubtful"
    assert not any("a term is missing" in words for words in trust.words)


@pytest.mark.parametrize(("told", "level"), [(None, "exact"), (9, "exact"), (8, "undecided")])
def test_a_form_with_calls_that_a_short_polynomial_follows_is_undecided(told, level):
    trust = judge(np.zeros(100), POINTS[:100, 0], POINTS[:100], True, 50.0, "3 x", constants=4, told=told)
    assert trust.level == level
    assert any("polynomial of 8 terms" in words for words in trust.words) == (level == "undecided")


def test_an_exact_form_with_a_constant_that_does_nothing_is_undecided():
    trust = judge(np.zeros(100), POINTS[:100, 0], POINTS[:100], True, 50.0, "3 x", vague=True)
    assert trust.level == "undecided"
    assert "the limit of another form" in "; ".join(trust.words)
