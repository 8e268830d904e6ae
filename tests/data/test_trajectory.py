"""Trajectory: what it accepts, what it fills in, and what its refusals say."""

import numpy as np
import pandas as pd
import pytest

from mathonet.data.trajectory import Trajectory
from mathonet.errors import DataError

T = np.linspace(0.0, 1.0, 6)
X = np.column_stack([np.sin(T), np.cos(T)])


def _with(array, row, column, value):
    changed = np.array(array, dtype=float)
    changed[row, column] = value
    return changed


def test_defaults():
    trajectory = Trajectory(T, X)
    assert trajectory.names == ("x", "y")
    assert trajectory.x_dot is None
    assert trajectory.u is None
    assert trajectory.input_names == ()
    assert len(trajectory) == 6


@pytest.mark.parametrize(
    ("states", "names"), [(1, ("x",)), (3, ("x", "y", "z")), (4, ("x0", "x1", "x2", "x3"))]
)
def test_default_state_names(states, names):
    assert Trajectory(T, np.outer(T, np.arange(1, states + 1))).names == names


@pytest.mark.parametrize(("inputs", "names"), [(1, ("u",)), (2, ("u0", "u1"))])
def test_default_input_names(inputs, names):
    assert Trajectory(T, X, u=np.ones((6, inputs))).input_names == names


def test_lists_and_one_dimensional_states_are_accepted():
    trajectory = Trajectory([0, 1, 2], [1, 2, 4], x_dot=[1, 1, 2], u=[0, 0, 1])
    assert trajectory.x.shape == trajectory.x_dot.shape == trajectory.u.shape == (3, 1)
    assert trajectory.x.dtype == trajectory.t.dtype == np.float64


def test_arrays_are_read_only_copies():
    x = X.copy()
    trajectory = Trajectory(T, x)
    x[0, 0] = 99.0
    assert trajectory.x[0, 0] == 0.0
    with pytest.raises(ValueError, match="read-only"):
        trajectory.x[0, 0] = 1.0


MISSING = _with(_with(X, 0, 0, np.nan), 3, 1, np.nan)


@pytest.mark.parametrize(
    "x",
    [
        MISSING,
        MISSING.tolist(),
        np.where(np.isnan(MISSING), None, MISSING),
        np.ma.masked_invalid(MISSING),
        np.ma.array(np.where(np.isnan(MISSING), -999.0, MISSING), mask=np.isnan(MISSING)),
        list(np.ma.masked_invalid(MISSING)),
        pd.DataFrame(MISSING, columns=["x", "y"]),
        pd.DataFrame(MISSING, columns=["x", "y"]).convert_dtypes(),
    ],
    ids=["array", "list", "None", "masked", "filler", "masked rows", "frame", "nullable frame"],
)
def test_states_may_be_missing_without_derivatives(x):
    trajectory = Trajectory(T, x)
    np.testing.assert_array_equal(trajectory.x, MISSING)
    np.testing.assert_array_equal(trajectory.measured, ~np.isnan(MISSING))
    with pytest.raises(DataError, match="'x' is NaN at row 0"):
        Trajectory(T, x, x_dot=X)


def test_masked_whole_numbers_are_missing_too():
    masked = np.ma.array([3, 4, 5], mask=[False, True, False])
    np.testing.assert_array_equal(Trajectory([0, 1, 2], masked).x[:, 0], [3, np.nan, 5])
    with pytest.raises(DataError, match="Complex numbers"):
        Trajectory([0, 1, 2], np.ma.array([3, 4j, 5], mask=[False, True, False]))


def test_weights_are_kept_for_every_value():
    assert Trajectory(T, X).weights is None
    weights = np.column_stack([T, 1 + T])
    np.testing.assert_array_equal(Trajectory(T, X, weights=weights).weights, weights)
    for each in (T, T[:, None], T.tolist()):
        np.testing.assert_array_equal(Trajectory(T, X, weights=each).weights, np.column_stack([T, T]))


def test_what_is_missing_or_weighs_nothing_is_not_measured():
    weights = _with(_with(np.ones((6, 2)), 5, 0, 0.0), 3, 1, np.nan)
    trajectory = Trajectory(T, MISSING, weights=weights)
    assert trajectory.weights[3, 1] == trajectory.weights[0, 0] == 0.0
    assert [tuple(place) for place in np.argwhere(~trajectory.measured)] == [(0, 0), (3, 1), (5, 0)]


def test_a_trajectory_may_miss_a_state_altogether():
    nothing = np.full((6, 2), np.nan)
    assert not Trajectory(T, nothing, weights=T).measured.any()


@pytest.mark.parametrize("exponents", [(-11, 11), (11, -11), (-150, 150)])
def test_states_of_any_size_are_unharmed(exponents):
    x = X * 10.0 ** np.array(exponents)
    np.testing.assert_array_equal(Trajectory(1e-9 * T, x).x, x)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"x": _with(X, 3, 1, np.nan), "x_dot": X},
            r"state 'y' is NaN at row 3 .*in all: 1.*Remove these rows, fill them in, or split",
        ),
        ({"x": _with(X, 2, 0, -np.inf)}, r"state 'x' is infinite at row 2.*set such values to NaN"),
        (
            {"x": _with(_with(X, 4, 0, np.nan), 2, 1, np.nan), "x_dot": X},
            r"state 'y' is NaN at row 2 .*in all: 2",
        ),
        ({"u": _with(X, 2, 1, np.nan)}, r"input 'u1' is NaN at row 2.*at every time.*numpy\.interp"),
        ({"t": _with(T[:, None], 1, 0, np.nan)}, r"time 't' is NaN at row 1"),
        ({"x_dot": _with(X, 5, 0, np.nan)}, r"derivative of state 'x' is NaN at row 5"),
        ({"u": _with(X, 0, 0, np.inf)}, r"input 'u0' is infinite at row 0"),
        ({"x": np.empty((0, 2)), "t": []}, r"Nothing in the states x.*\(0, 2\)"),
        ({"x": np.vstack([T, T**2])}, r"looks transposed: give x\.T"),
        ({"t": T[:4]}, r"6 rows but the times t have 4"),
        ({"t": X}, r"Shape \(6, 2\) of the times"),
        ({"t": 0.5, "x": X}, r"times t are the number 0\.5.*0\.5 \* numpy\.arange"),
        ({"weights": T[:4]}, r"weights have shape \(4,\), the states x \(6, 2\)"),
        ({"weights": np.ones((6, 3))}, r"weights have shape \(6, 3\)"),
        ({"weights": np.ones((2, 6, 2))}, r"weights have shape \(2, 6, 2\)"),
        ({"weights": T - 0.1}, r"weight of state 'x' is -0\.1 at row 0 .*in all: 2"),
        ({"weights": _with(X, 4, 1, np.inf)}, r"weight of state 'y' is inf at row 4 .*1/deviation"),
        ({"weights": _with(X, 4, 1, np.nan)}, r"weight of state 'y' is nan at row 4"),
        ({"weights": np.zeros(6)}, r"All weights are zero"),
        ({"weights": "high"}, r"No numbers in the weights"),
        ({"x": X[:, :, None]}, r"Shape \(6, 2, 1\) of the states x"),
        ({"x_dot": X[:, :1]}, r"x_dot have shape \(6, 1\), the states x \(6, 2\)"),
        ({"u": X[:3]}, r"inputs u have 3"),
        ({"t": [0, 1, 2, 2, 3, 4]}, r"Time repeats at row 3 .*2 is followed by 2.*Sort"),
        ({"t": [0, 1, 2, 0, 1, 2]}, r"Time goes back at row 3 .*split them"),
        ({"x": X + 1j}, r"Complex numbers in the states x"),
        ({"x": X.astype(str)}, r"No numbers in the states x"),
        ({"x": [["a", 1.0]] * 6}, r"umbers"),
        ({"x": np.array([["a", 1.0]] * 6, dtype=object)}, r"Not all entries of the states x are numbers"),
        ({"x": [[1.0], [1.0, 2.0]]}, r"different lengths"),
        ({"t": np.arange(6).astype("datetime64[s]")}, r"Dates or durations in the times t.*seconds"),
        ({"names": ["a", "a"]}, r"state names repeat: a"),
        ({"names": ["a"]}, r"2 state columns but 1 state names"),
        ({"names": ["a", ""]}, r"not empty, got ''"),
        ({"names": ["a", 3]}, r"got 3"),
        ({"names": "ab"}, r"text 'ab'.*list"),
        ({"u": X, "input_names": ["x", "v"]}, r"same name: x"),
        ({"input_names": ["v"]}, r"without inputs"),
    ],
)
def test_refusals_say_what_and_where(arguments, message):
    with pytest.raises(DataError, match=message):
        Trajectory(**{"t": T, "x": X, **arguments})
