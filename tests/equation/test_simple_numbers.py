"""Simple numbers: taken where they are true, hardly ever by chance, and never beyond the errors."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from mathonet.equation.simple_numbers import CHANCE, WITHIN, is_simple, snap, written

SIMPLE = (1.0, -1.0, 2.0, 3.0, 10.0, -28.0, 0.1, -0.2, 0.5, 1.3, 4.9, 8 / 3, -2 / 3, 9.81)


def alone(value: float, deviation: float) -> float:
    found = snap(np.array([value]), np.array([[deviation**2]]))
    assert found.simple[0] == (found.covariance[0, 0] == 0.0)
    return found.values[0]


def covariances(rng: np.random.Generator, errors: np.ndarray) -> np.ndarray:
    """Of constants with these errors, correlated at random, as strongly as those of fits often are."""
    mixed = rng.normal(size=(len(errors),) * 2)
    raw = mixed @ mixed.T + 1e-3 * np.eye(len(errors))
    size = errors / np.sqrt(np.diagonal(raw))
    return raw * np.outer(size, size)


@pytest.mark.parametrize(
    ("value", "deviation", "wanted"),
    [
        (-9.9987, 1e-3, -10.0),
        (1.02, 0.015, 1.0),
        (-0.19971, 6e-4, -0.2),
        (27.995, 5e-3, 28.0),
        (2.6664, 3e-4, 8 / 3),
        (0.33334, 1e-5, 1 / 3),
        (1.2999, 1e-4, 1.3),
        (9.81001, 2e-5, 9.81),
        (3.2001e-7, 1e-11, 3.2e-7),
        (4.1002e6, 3e2, 4.1e6),
        (123.0001, 1e-3, 123.0),
        (10.0 * (1 + 1e-14), 1e-16, 10.0),
        (5e120, 1e114, 5e120),
    ],
)
def test_a_simple_number_within_the_error_is_taken(value, deviation, wanted):
    assert alone(value, deviation) == wanted


@pytest.mark.parametrize(
    ("value", "deviation"),
    [
        (9.997, 1e-3),  # three deviations away
        (1.02, 0.03),  # within the error, but so is one arbitrary number in twenty
        (4.8977, 0.0071),
        (0.024242, 4e-4),
        (1234567.0, 1e-3),  # whole, and not simple
        (1234.0, 1e-5),
        (100 / 3, 1e-9),
        (np.pi, 1e-12),
        (3.2e-7, 1e-8),
        (1e-3, 2e-3),  # zero is within the error
        (0.0, 1e-3),
        (5e-324, 1e-3),
        (3.0, np.inf),
        (3.0, np.nan),
        (np.inf, 1.0),
    ],
)
def test_any_other_number_stays(value, deviation):
    assert alone(value, deviation) == value


def test_units_change_nothing_but_what_whole_numbers_and_thirds_are():
    for power in range(-12, 13):
        scale = 10.0**power
        assert alone(1.70004 * scale, 1e-4 * scale) == pytest.approx(1.7 * scale, rel=1e-15)
        assert alone(1.7321 * scale, 1e-4 * scale) == 1.7321 * scale


def test_a_constant_without_error_stays_and_counts_as_simple_if_it_is():
    found = snap(np.array([9.80665, 1.0, 2.9999]), np.diag([0.0, 0.0, 1e-6]))
    assert found.values.tolist() == [9.80665, 1.0, 3.0]
    assert found.simple.tolist() == [False, True, True]


def test_the_others_follow_as_their_covariance_says():
    covariance = np.array([[1e-4, 9e-5], [9e-5, 1e-4]])
    found = snap(np.array([2.01, 0.7532]), covariance)
    assert found.simple.tolist() == [True, False]
    np.testing.assert_allclose(found.values, [2.0, 0.7532 - 0.9 * 0.01])
    np.testing.assert_allclose(found.covariance, [[0, 0], [0, 1e-4 * (1 - 0.81)]], atol=1e-18)


def test_what_was_taken_makes_room_for_what_was_not_sure():
    covariance = np.array([[1e-4, 9.99e-5], [9.99e-5, 1e-4]])
    assert alone(4.909, 1e-2) == 4.909
    found = snap(np.array([2.009, 4.909]), covariance)
    assert found.values.tolist() == [2.0, 4.9]
    assert not found.covariance.any()


sizes = st.floats(-8, 8).map(lambda power: 10.0**power)
values = st.one_of(
    st.sampled_from(SIMPLE), st.builds(lambda a, b: a * b, sizes, st.sampled_from([1.0, -1.0])), st.just(0.0)
)


@st.composite
def fits(draw) -> tuple[np.ndarray, np.ndarray]:
    fitted = np.array(draw(st.lists(values, min_size=1, max_size=5)))
    count = len(fitted)
    errors = np.abs(fitted) * draw(arrays(float, count, elements=st.floats(-10, 0.5).map(lambda p: 10.0**p)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    errors *= draw(arrays(float, count, elements=st.sampled_from([0.0, 1.0, 1.0])))
    moved = fitted + errors * draw(arrays(float, count, elements=st.floats(-4, 4)))
    return moved, covariances(rng, errors)


@settings(max_examples=300, deadline=None)
@given(fits())
def test_whatever_was_fitted(fit):
    fitted, covariance = fit
    before = fitted.copy(), covariance.copy()
    found = snap(fitted, covariance)
    assert np.array_equal(fitted, before[0])
    assert np.array_equal(covariance, before[1])
    errors = np.sqrt(np.diagonal(covariance))
    assert np.all(found.values[found.simple] != 0)
    assert all(is_simple(value) for value in found.values[found.simple])
    moved = np.abs(found.values - fitted)[found.simple]
    assert np.all(moved <= WITHIN * np.maximum(errors, 1.01e-9 * np.abs(fitted))[found.simple])
    assert np.all(found.values[(errors == 0)] == fitted[errors == 0])
    left = np.diagonal(found.covariance)
    assert np.all(left[found.simple] == 0)
    assert np.all(left <= errors**2 * (1 + 1e-9))
    np.testing.assert_array_equal(found.covariance, found.covariance.T)
    if not (found.simple & (errors > 0)).any():
        assert np.array_equal(found.values, fitted)
    again = snap(found.values, found.covariance)
    assert np.array_equal(again.values[found.simple], found.values[found.simple])


@settings(deadline=None)
@given(fits())
def test_the_sign_of_constants_does_not_matter(fit):
    fitted, covariance = fit
    found, turned = snap(fitted, covariance), snap(-fitted, covariance)
    assert np.array_equal(found.values, -turned.values)
    assert np.array_equal(found.simple, turned.simple)


@pytest.mark.parametrize("count", [1, 4])
def test_arbitrary_constants_are_seldom_taken(count):
    """At every size of the error no more than promised, correlated or not."""
    rng = np.random.default_rng(0)
    shares = []
    for relative in 10.0 ** np.arange(-7, 0, 0.5):
        taken, trials = 0, 1200 // count
        for _ in range(trials):
            true = 10.0 ** rng.uniform(-2, 3, count)
            covariance = covariances(rng, relative * true)
            taken += snap(rng.multivariate_normal(true, covariance), covariance).simple.sum()
        shares.append(taken / (trials * count))
    assert max(shares) <= CHANCE
    # Where numbers of two or three digits can be told, about as often as promised.
    assert np.mean(shares[4:9]) > CHANCE / 3


def test_simple_constants_are_found_beside_arbitrary_ones():
    """Of the simple ones nearly all; and of the arbitrary ones beside them, no more than promised."""
    rng = np.random.default_rng(1)
    right, wrong, false, trials = 0, 0, 0, 400
    for _ in range(trials):
        true = np.concatenate([rng.choice(SIMPLE, 3), 10.0 ** rng.uniform(-2, 3, 2)])
        covariance = covariances(rng, 10.0 ** rng.uniform(-5, -3.5) * np.abs(true))
        found = snap(rng.multivariate_normal(true, covariance), covariance)
        hit = found.values[:3] == true[:3]
        right, wrong = right + hit.sum(), wrong + (found.simple[:3] & ~hit).sum()
        false += found.simple[3:].sum()
    assert right / (3 * trials) > 0.85
    assert wrong == 0
    assert false / (2 * trials) <= CHANCE


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (10.0, "10"),
        (0.2, "0.2"),
        (8 / 3, "8/3"),
        (1 / 3, "1/3"),
        (9.81, "9.81"),
        (3.2e-7, "3.2e-07"),
        (1e3, "1000"),
    ],
)
def test_simple_numbers_are_written_as_people_do(value, shown):
    assert is_simple(value)
    assert written(value) == shown
