"""Inputs far from zero: noticed, and told with the remedy."""

import warnings

import numpy as np
import pytest

from mathonet.data.offset import far_from_zero, warn_far_from_zero
from mathonet.data.samples import Samples

WAVE = np.sin(np.linspace(0, 20, 200))


def samples(*columns: np.ndarray) -> Samples:
    inputs = np.stack(columns, axis=1)
    return Samples(inputs, inputs[:, :1], tuple("xyz"[: len(columns)]), ("x",))


def test_inputs_that_hardly_vary_beside_their_mean_are_far_from_zero():
    found = far_from_zero(samples(WAVE, WAVE + 1000, WAVE + 50))
    assert list(found) == ["y"]
    assert found["y"] == pytest.approx((1000 + WAVE.mean(), WAVE.std()))


def test_a_constant_input_is_not_far_from_zero():
    assert far_from_zero(samples(WAVE, np.full(200, 7.0))) == {}


@pytest.mark.parametrize(("shift", "remedy"), [(1000.0, r"x - 1e\+03"), (-273.0, r"x \+ 273")])
def test_the_warning_names_them_and_the_remedy(shift, remedy):
    with pytest.warns(UserWarning, match=rf"far from zero \(x = .* \+- 0\.7.*such as {remedy}\."):
        warn_far_from_zero(samples(WAVE + shift, WAVE))


def test_ordinary_inputs_get_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_far_from_zero(samples(WAVE, 1e-9 * WAVE, WAVE + 20))
