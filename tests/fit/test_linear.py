"""Linear: which columns say something of their own."""

import numpy as np
import pytest

from mathonet.fit.linear import distinct, raised


def test_columns_that_are_multiples_of_earlier_ones_are_left_out():
    switch = np.array([0.0, 1.0, 1.0, 0.0, 1.0])
    x = np.array([1.0, 2.0, 4.0, 8.0, 16.0])
    columns = [np.ones(5), switch, x, switch**2, -3.0 * x, x * switch, np.zeros(5), x + np.inf]
    assert distinct(columns) == [0, 1, 2, 5]


def test_columns_that_differ_a_little_are_kept():
    x = np.linspace(1.0, 2.0, 50)
    assert distinct([x, x + 1e-6 * x**2]) == [0, 1]


@pytest.mark.parametrize("power", [-3, -1, 0, 1, 2, 3, 5, 8])
def test_whole_powers_by_products(power):
    column = np.array([-1.7, 0.3, 2.0])
    np.testing.assert_allclose(raised(column, power), column**power, rtol=1e-14)
