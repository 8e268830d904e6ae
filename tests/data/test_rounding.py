"""Rounding: what data cannot show, from their numbers alone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathonet.data.rounding import (
    decimals,
    grid_error,
    printed_error,
    rounding_floor,
    significant_digits,
    was_single,
)

NOISE = np.random.default_rng(0).standard_normal(100)


def test_floor_is_relative_to_each_target():
    targets = np.stack([np.pi * np.sign(NOISE), 3e6 / np.pi + 0 * NOISE], axis=1)
    np.testing.assert_allclose(rounding_floor(targets), [1e-12 * np.pi, 3e-6 / np.pi], rtol=1e-9)


def test_floor_is_never_finer_than_printed_digits():
    targets = np.stack([np.round(NOISE, 2), np.round(NOISE, 13), 0 * NOISE], axis=1)
    expected = [0.01 / np.sqrt(12), 1e-12 * np.sqrt(np.mean(NOISE**2)), 1 / np.sqrt(12)]
    np.testing.assert_allclose(rounding_floor(targets), expected, rtol=1e-9)


@pytest.mark.parametrize("which", ["targets", "inputs"])
def test_floor_is_never_finer_than_float32(which):
    single = NOISE.astype(np.float32)[:, None]
    full = NOISE[:, None] ** 2
    targets, inputs = (single, full) if which == "targets" else (full, single)
    size = np.sqrt(np.mean(np.asarray(targets, float) ** 2))
    np.testing.assert_allclose(rounding_floor(targets, inputs), 2.0**-23 * size, rtol=1e-6)


@pytest.mark.parametrize("unit", [1e-300, 1e-20, 1.0, 1e20, 1e300])
def test_floor_has_the_unit_of_the_targets(unit):
    found = rounding_floor(unit * NOISE[:, None])
    assert found == pytest.approx(1e-12 * unit * np.sqrt(np.mean(NOISE**2)), rel=1e-9)


def test_float32_is_seen_in_the_numbers():
    assert was_single(NOISE.astype(np.float32))
    assert was_single(np.append(NOISE.astype(np.float32), [0.0, np.nan]))
    for exact in (NOISE, np.arange(100.0), np.linspace(0, 4, 65), np.zeros(5), np.array([])):
        assert not was_single(exact)


@given(st.lists(st.integers(-10_000, 10_000), min_size=1), st.integers(0, 8))
def test_decimals_of_printed_numbers(units, count):
    values = np.array([float(f"{unit / 10**count:.{count}f}") for unit in units])
    found = decimals(values)
    assert found is not None
    assert found <= count
    assert np.array_equal([float(f"{v:.{found}f}") for v in values], values)


def test_decimals_of_full_precision_and_of_nothing():
    assert decimals(NOISE) is None
    assert decimals(1e6 * NOISE) is None
    assert decimals(np.array([])) is None
    assert decimals(np.array([1.0, 2.0, np.nan])) == 0


@pytest.mark.parametrize("form", ["%.4g", "%.6g", "%.9g", "%.3f", "%.5f"])
def test_printed_error_is_what_printing_did(form):
    values = np.random.default_rng(1).uniform(0.05, 40.0, 2000)
    printed = np.array([float(form % value) for value in values])
    made = np.sqrt(np.mean((printed - values) ** 2))
    assert printed_error(printed) == pytest.approx(made, rel=0.2)


def test_numbers_that_were_float32_have_its_error():
    single = NOISE.astype(np.float32).astype(float)
    assert printed_error(single) == pytest.approx(np.sqrt(np.mean((single - NOISE) ** 2)), rel=0.2)


def test_numbers_that_were_not_printed_have_no_printed_error():
    assert printed_error(NOISE) == 0.0
    assert significant_digits(NOISE) is None
    assert significant_digits(np.array([0.00123, 45600.0])) == 3


def test_times_of_a_printed_grid_are_off_by_their_digits():
    grid = np.linspace(0.0, 20.0, 200)
    printed = np.array([float(f"{time:.6g}") for time in grid])
    assert grid_error(printed) == pytest.approx(np.sqrt(np.mean((printed - grid) ** 2)), rel=0.1)


@pytest.mark.parametrize(
    "times",
    [
        np.linspace(0.0, 20.0, 200),
        np.arange(100) * 0.01,
        np.sort(np.round(np.random.default_rng(2).uniform(0, 10, 100), 2)),
        np.array([0.0, 1.0]),
    ],
)
def test_times_that_may_be_what_they_say_are_taken_so(times):
    assert grid_error(times) == 0.0
