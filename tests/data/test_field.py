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


@pytest.mark.parametrize("axes", [X, [X], (X,), X.tolist(), X[None]], ids=lambda axes: type(axes).__name__)
def test_the_space_axis_may_be_bare_or_in_a_list(axes):
    np.testing.assert_array_equal(Field.make(VALUES, T, axes, None, "periodic").x, X)


def test_values_of_the_same_shape_are_checked_under_their_own_name():
    field = Field.make(VALUES, T, X, None, "periodic")
    np.testing.assert_array_equal(field.like(2 * VALUES, "u_t")[:, :, 0], 2 * VALUES)
    for bad, words in (
        (VALUES[:2], r"u_t must be \(3 times, 6 points, fields\), got \(2, 6\)"),
        (np.where(VALUES == 7, np.inf, VALUES), r"1 numbers in u_t are not finite.*time 1, point 1"),
        (np.stack([VALUES, VALUES], axis=-1), r"u_t has shape \(3, 6, 2\), values \(3, 6, 1\)"),
        ("fast", "u_t must be an array of numbers"),
    ):
        with pytest.raises(DataError, match=words):
            field.like(bad, "u_t")


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"values": VALUES[:, :5]}, DataError, "points"),
        ({"values": np.where(VALUES == 7, np.nan, VALUES)}, DataError, "not finite"),
        ({"values": [["a"]]}, DataError, "numbers"),
        ({"axes": [X**2]}, DataError, "evenly spaced"),
        ({"axes": [X, X]}, DataError, "space axes"),
        ({"axes": [X, X[:3]]}, DataError, "2 space axes"),
        ({"axes": None}, DataError, "got None"),
        ({"axes": []}, DataError, "at least 5|points"),
        ({"axes": np.where(X == 0, np.nan, X)}, DataError, "space axis must be a list of finite numbers"),
        ({"t": T[::-1]}, DataError, "increase"),
        ({"t": 3.0}, DataError, r"t must be a list of finite numbers, got shape \(\)"),
        ({"names": 5}, DataError, "list with one name a field"),
        ({"names": ["a", "b"]}, DataError, "names"),
        ({"boundary": "reflecting"}, ConfigError, "boundary"),
    ],
)
def test_bad_fields_are_refused(change, error, words):
    good = {"values": VALUES, "t": T, "axes": [X], "names": None, "boundary": "periodic"}
    with pytest.raises(error, match=words):
        Field.make(**{**good, **change})
