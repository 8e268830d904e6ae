"""Fields on a grid: neighbourhoods and bad input."""

import numpy as np
import pytest

from mathonet.data.field import Field, neighbour_names
from mathonet.errors import ConfigError, DataError

T, X = np.arange(3.0), np.linspace(0, 1, 6)
VALUES = np.arange(18.0).reshape(3, 6)


def test_periodic_neighbourhoods_wrap_around():
    rows = Field.make(VALUES, T, [X], None, "periodic").neighbourhoods(1)
    np.testing.assert_array_equal(rows[0], [5, 0, 1])
    np.testing.assert_array_equal(rows[5], [4, 5, 0])
    assert rows.shape == (18, 3)


def test_open_ends_are_left_out():
    field = Field.make(VALUES, T, [X], None, "none")
    assert field.neighbourhoods(2).shape == (6, 5)
    np.testing.assert_array_equal(field.neighbourhoods(2)[0], [0, 1, 2, 3, 4])
    np.testing.assert_array_equal(field.flat(field.values, 2)[:, 0], field.neighbourhoods(2)[:, 2])


def test_fields_follow_each_other():
    two = np.stack([VALUES, -VALUES], axis=-1)
    field = Field.make(two, T, [X], ["a", "b"], "periodic")
    np.testing.assert_array_equal(field.neighbourhoods(1)[1], [0, 1, 2, 0, -1, -2])
    assert neighbour_names(field.names, 1) == ("a[-1]", "a", "a[+1]", "b[-1]", "b", "b[+1]")


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"values": VALUES[:, :5]}, DataError, "points"),
        ({"values": np.where(VALUES == 7, np.nan, VALUES)}, DataError, "not finite"),
        ({"values": [["a"]]}, DataError, "numbers"),
        ({"axes": [X**2]}, DataError, "evenly spaced"),
        ({"axes": [X, X]}, DataError, "space axes"),
        ({"t": T[::-1]}, DataError, "increase"),
        ({"names": ["a", "b"]}, DataError, "names"),
        ({"boundary": "reflecting"}, ConfigError, "boundary"),
    ],
)
def test_bad_fields_are_refused(change, error, words):
    good = {"values": VALUES, "t": T, "axes": [X], "names": None, "boundary": "periodic"}
    with pytest.raises(error, match=words):
        Field.make(**{**good, **change})
