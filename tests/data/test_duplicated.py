"""Inputs that say the same as others: noticed, and told with the remedy."""

import numpy as np
import pytest

from mathonet.data.duplicated import duplicated, warn_duplicated
from mathonet.data.samples import Samples

WAVE = np.sin(np.linspace(0, 20, 200))


def samples(*columns: np.ndarray) -> Samples:
    inputs = np.stack(columns, axis=1)
    return Samples(inputs, inputs[:, :1], tuple("xyz"[: len(columns)]), ("x",))


def test_the_same_in_other_units_is_found():
    found = duplicated(samples(WAVE, WAVE**2, 180 / np.pi * WAVE))
    assert [pair[:2] for pair in found] == [("x", "z")]
    assert found[0][2] == pytest.approx(180 / np.pi)


def test_nearly_the_same_is_not_the_same():
    assert duplicated(samples(WAVE, WAVE + 1e-6 * WAVE**2, np.zeros(200))) == []


def test_the_warning_names_them_and_the_remedy():
    with pytest.warns(UserWarning, match=r"say the same \(y = x, z = -2 x, z = -2 y\).*Leave y out, or x"):
        warn_duplicated(samples(WAVE, WAVE, -2 * WAVE))
