"""Whether what a fit leaves over looks like noise, also where there are few rows."""

import numpy as np
import pytest

from mathonet.fit.residuals import leaves_noise


@pytest.mark.parametrize("rows", [20, 30, 40])
def test_a_smooth_rest_of_few_rows_is_no_noise(rows):
    x = np.linspace(-3.0, 3.0, rows)
    line = np.polynomial.Polynomial.fit(x, np.sin(x), 1)
    assert not leaves_noise(np.sin(x) - line(x), x[:, None])


def test_noise_of_few_rows_is_noise():
    x, rng = np.linspace(-3.0, 3.0, 20)[:, None], np.random.default_rng(0)
    assert sum(leaves_noise(rng.standard_normal(20), x) for _ in range(2000)) >= 1995
