"""Trajectories that belong together: how they may be given, and what only shows over all of them."""

import numpy as np
import pandas as pd
import pytest

from mathonet.data.trajectories import as_samples, as_trajectories, check_together, column_names, summary
from mathonet.data.trajectory import Trajectory
from mathonet.errors import DataError

T = np.linspace(0.0, 1.0, 6)
X = np.column_stack([np.sin(T), np.cos(T)])
FRAME = pd.DataFrame(X, columns=["prey", "hunter"])


def test_one_trajectory_and_a_list_of_them():
    (one,) = as_trajectories(X, T, X)
    assert one.names == ("x", "y")
    parts = as_trajectories([X[:2], X[2:]], [T[:2], T[2:]], [X[:2], X[2:]])
    assert [len(each) for each in parts] == [2, 4]
    np.testing.assert_array_equal(as_samples(parts).inputs, as_samples([one]).inputs)
    np.testing.assert_array_equal(as_samples(parts).targets, X)


def test_inputs_stand_beside_the_states():
    samples = as_samples(as_trajectories(X, T, X, u=T))
    assert samples.input_names == ("x", "y", "u")
    assert samples.target_names == ("x", "y")
    np.testing.assert_array_equal(samples.inputs[:, 2], T)


@pytest.mark.parametrize("kind", [np.asarray, pd.Series, list], ids=str)
def test_several_trajectories_of_one_state_may_have_one_dimension(kind):
    cuts = [slice(0, 3), slice(3, 6)]
    x, t = [kind(X[cut, 0]) for cut in cuts], [kind(T[cut]) for cut in cuts]
    made = as_trajectories(x, t, x)
    assert [each.x.shape for each in made] == [(3, 1), (3, 1)]


def test_uneven_arrays_are_trajectories_even_without_times():
    x = [X[:2, 0], X[2:, 0]]
    assert [len(each) for each in as_trajectories(x, None, x)] == [2, 4]


def test_rows_of_one_table_stay_rows():
    for rows in (list(X), X.tolist()):
        for t in (None, T, T.tolist()):
            (made,) = as_trajectories(rows, t, rows)
            np.testing.assert_array_equal(made.x, X)


def test_data_frames_bring_their_names():
    drive = pd.DataFrame({"light": T, "food": 1 - T})
    (made,) = as_trajectories(FRAME, pd.Series(T, index=T + 5), FRAME.rename(columns="d{}".format), u=drive)
    assert made.names == ("prey", "hunter")
    assert made.input_names == ("light", "food")
    np.testing.assert_array_equal(made.t, T)
    (made,) = as_trajectories(FRAME["prey"], T, FRAME["prey"], u=drive["food"])
    assert (made.names, made.input_names) == (("prey",), ("food",))
    assert as_trajectories([FRAME, FRAME], None, [X, X])[1].names == ("prey", "hunter")


def test_names_that_are_given_win():
    (made,) = as_trajectories(FRAME, T, X, u=pd.Series(T, name="light"), names=["a", "b"], input_names=["c"])
    assert (made.names, made.input_names) == (("a", "b"), ("c",))


def test_tables_without_names_of_their_own_have_none():
    assert column_names(pd.DataFrame(X)) is None
    assert column_names(pd.Series(T)) is None
    assert column_names(X) is None
    assert column_names(pd.DataFrame(X, columns=["a", " "])) is None
    runs = pd.DataFrame({"run 1": T, "run 2": T**2})
    made = as_trajectories([runs["run 1"], runs["run 2"]], [T, T], [T, T])
    assert {each.names for each in made} == {("x",)}


def test_a_state_may_rest_in_one_of_several_trajectories():
    rest = np.column_stack([np.sin(T), np.full(6, 2.5)])
    assert len(as_trajectories([X, rest], None, [X, rest])) == 2
    with pytest.raises(DataError, match=r"state 'y' is 2.5 at all 12 times.*Leave"):
        as_trajectories([rest, rest], None, [rest, rest])
    with pytest.raises(DataError, match=r"state 'y' is 2.5 at all 6 times"):
        check_together([Trajectory(T, rest, x_dot=X)])


LONG = np.linspace(0.0, 3.0, 12)
WAVES = np.column_stack([np.sin(LONG), np.cos(LONG)])


def test_states_alone_need_no_derivatives():
    (made,) = as_trajectories(WAVES, LONG)
    assert made.x_dot is None
    several = as_trajectories([WAVES, WAVES[1::2]], [LONG, LONG[1::2]], u=[LONG, LONG[1::2]])
    assert [len(each) for each in several] == [12, 6]
    assert as_trajectories([WAVES, WAVES], [LONG, LONG], [None, None])[0].x_dot is None
    with pytest.raises(DataError, match="give x_dot"):
        as_samples(several)


def test_values_of_states_alone_are_counted_over_all_trajectories():
    gaps = np.where(np.arange(12)[:, None] < [0, 8], np.nan, WAVES)  # 12 and 4 values
    assert len(as_trajectories([gaps, gaps], [LONG, LONG])) == 2
    with pytest.raises(DataError, match=r"state 'y' has 4 measured values in all; at least 8"):
        as_trajectories(gaps, LONG)
    with pytest.raises(DataError, match=r"state 'y' has 1 measured value in all"):
        as_trajectories(gaps[:9], LONG[:9])
    weights = np.where(np.arange(12) < 6, 0.0, 1.0)
    with pytest.raises(DataError, match=r"state 'x' has 6 measured values in all"):
        check_together([Trajectory(LONG, WAVES, weights=weights)])


def test_a_state_that_rests_wherever_it_was_measured_is_refused():
    rest = np.where(np.arange(12) % 4 == 0, np.nan, 2.5)
    with pytest.raises(DataError, match=r"state 'x' is 2.5 at all 9 times"):
        as_trajectories(rest, LONG)


def test_derivatives_of_some_trajectories_do_not_belong_together():
    with pytest.raises(DataError, match="for all or for none"):
        check_together([Trajectory(LONG, WAVES), Trajectory(LONG, WAVES, x_dot=WAVES)])


def test_weights_beside_derivatives_are_refused_for_samples():
    with pytest.raises(DataError, match="Weights are the precision of measured states"):
        as_samples([Trajectory(LONG, WAVES, x_dot=WAVES, weights=LONG)])


def test_the_summary_counts():
    gaps = np.where(np.arange(12)[:, None] == [3, -1], np.nan, WAVES)
    assert (
        summary([Trajectory(LONG, WAVES)]) == "12 samples of 2 states (x, y), 1 experiment, no value missing"
    )
    both = [Trajectory(LONG, gaps[:, :1], u=LONG), Trajectory(LONG[:1], gaps[:1, :1], u=LONG[:1])]
    assert summary(both) == "13 samples of 1 state (x), 1 input (u), 2 experiments, 1 value missing"


def test_rows_are_counted_over_all_trajectories():
    pairs = [X[:2], X[2:4]]
    assert len(as_trajectories(pairs, None, pairs)) == 2
    with pytest.raises(DataError, match=r"Only 3 rows of data: at least 4"):
        as_trajectories([X[:2], X[2:3]], None, [X[:2], X[2:3]])
    with pytest.raises(DataError, match=r"Only 1 row of data"):
        as_trajectories(X[:1], None, X[:1])
    with pytest.raises(DataError, match=r"Only 2 rows of data.*transpose it"):
        as_trajectories(X.T, None, X.T)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((X,), {}, r"No times t were given\. Without derivatives the times decide.*give t"),
        (([X, X],), {}, r"No times t were given"),
        (([X, X], [T, None]), {}, r"No times t were given"),
        (([X, X], [T, T], [X, None]), {}, r"1 of 2 trajectories have derivatives x_dot\. Give them for all"),
        ((X, T, X), {"u": [0, 1, np.nan, 3, 4, 5]}, r"input 'u' is NaN at row 2.*at every time"),
        ((FRAME, T, FRAME[["hunter", "prey"]]), {}, "columns of x_dot are hunter, prey, in another order"),
        (([FRAME, FRAME[["hunter", "prey"]]], None, [X, X]), {}, "different columns: hunter, prey and prey"),
        (([X, X], [T], [X, X]), {}, "2 trajectories in x but 1 in t"),
        (([X[:, 0], X[:, 0]], [T, T], X), {}, "2 trajectories in x but 6 in x_dot"),
        (([X, X], None, [X, X]), {"u": [T, None]}, "differ in their number"),
    ],
)
def test_what_does_not_belong_together_is_refused(arguments, options, message):
    with pytest.raises(DataError, match=message):
        as_trajectories(*arguments, **options)
