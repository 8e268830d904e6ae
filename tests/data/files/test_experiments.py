"""Experiments: rows are split by a column, sorted aloud, and never mixed."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathonet.data.choice import Choice
from mathonet.data.table import read_table
from mathonet.errors import DataError


@pytest.fixture
def write(tmp_path):
    def write(header, *rows):
        path = tmp_path / "data.csv"
        path.write_text("\n".join([header, *(",".join(map(str, row)) for row in rows)]))
        return path

    return write


ROWS = [(0, 1, "b"), (1, 2, "b"), (0, 5, "a"), (2, 4, "b"), (1, 7, "a")]


def test_a_named_column_splits_without_a_word(write):
    first, second = read_table(write("t,x,who", *ROWS), experiment="who")
    np.testing.assert_array_equal(first.t, [0, 1, 2])
    np.testing.assert_array_equal(first.x[:, 0], [1, 2, 4])
    np.testing.assert_array_equal(second.x[:, 0], [5, 7])
    assert first.names == ("x",)


@pytest.mark.parametrize(
    "name",
    [
        "experiment",
        "run",
        "Trial",
        "id",
        "trajectory",
        "series",
        "run_id",
        "Run No.",
        "experiment name",
        "trial #",
    ],
)
@pytest.mark.parametrize("labels", [["a", "b"], ["1", "2"], ["1.0", "2.0"]])
def test_the_column_is_guessed_aloud(write, name, labels):
    rows = [(t, x, labels[who == "a"]) for t, x, who in ROWS]
    with pytest.warns(
        Choice, match=rf"Column '{name}' is taken to name the experiment, 2 in all.*'experiment'"
    ):
        found = read_table(write(f"t,x,{name}", *rows))
    assert [len(each) for each in found] == [3, 2]


def test_a_guess_can_be_declined(write):
    (found,) = read_table(write("t,x,run", (0, 1, 7), (1, 2, 7), (2, 4, 8)), experiment="")
    assert found.names == ("x", "run")
    (found,) = read_table(write("t,x,run", (0, 1, 7), (1, 2, 7), (2, 4, 8)), states=["x", "run"])
    assert found.names == ("x", "run")


def test_numbers_with_fractions_name_no_experiment(write):
    (found,) = read_table(write("t,x,series", (0, 1, 0.5), (1, 2, 0.5), (2, 4, 1)))
    assert found.names == ("x", "series")


def test_a_column_that_numbers_the_rows_is_left_out_aloud(write):
    with pytest.warns(Choice, match="Column 'id' is left out: it has another value in every row"):
        (found,) = read_table(write("id,t,x", (1, 0, 1), (2, 1, 2), (3, 2, 4)))
    assert found.names == ("x",)


def test_a_column_that_tells_nothing_apart_gives_way(write):
    rows = [(t, x, who, "S1") for t, x, who in ROWS]
    with (
        pytest.warns(Choice, match="Column 'run' is taken to name the experiment, 2 in all"),
        pytest.warns(Choice, match="Column 'series' is left out: it holds text"),
    ):
        assert len(read_table(write("t,x,run,series", *rows))) == 2


def test_an_empty_column_is_left_out_aloud(write):
    with pytest.warns(Choice, match="Column 'y' is left out: it is empty"):
        (found,) = read_table(write("t,x,y", (0, 1, ""), (1, 2, ""), (2, 4, "")))
    assert found.names == ("x",)


def test_rows_without_times_are_numbered_in_each_experiment(write):
    rows = [(x, 2 * x, who) for _, x, who in ROWS]
    first, second = read_table(write("x,dx,who", *rows), experiment="who")
    np.testing.assert_array_equal(first.t, [0, 1, 2])
    np.testing.assert_array_equal(second.x_dot[:, 0], [10, 14])


def test_missing_states_stay_in_their_place(write):
    rows = [(0, "", 1, "a"), (1, 2, "NA", "a"), (0, 3, "null", "b")]
    first, second = read_table(write("t,x,y,who", *rows), experiment="who")
    np.testing.assert_array_equal(first.x, [[np.nan, 1], [2, np.nan]])
    np.testing.assert_array_equal(second.x, [[3, np.nan]])


def test_dates_are_counted_from_the_earliest_of_all(write):
    rows = [("2024-05-02T00:00:00", 1, "b"), ("2024-05-02T00:00:10", 2, "b"), ("2024-05-01T00:00:00", 4, "a")]
    with pytest.warns(Choice, match="in column 'date' are taken in seconds, dates since the earliest one"):
        first, second = read_table(write("date,x,who", *rows), experiment="who", time_unit="s")
    np.testing.assert_array_equal(first.t, [86400, 86410])
    np.testing.assert_array_equal(second.t, [0])


@given(st.permutations(range(6)))
def test_a_named_experiment_is_sorted_aloud(tmp_path_factory, order):
    path = tmp_path_factory.mktemp("order") / "data.csv"
    path.write_text("t,x,y,who\n" + "".join(f"{k},{k * k},{-k},{'ab'[k % 2]}\n" for k in order))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = read_table(path, experiment="who")
    unsorted = [who for who in (0, 1) if (part := [k for k in order if k % 2 == who]) != sorted(part)]
    assert [str(each.message).startswith("The rows of") for each in told] == [True] * bool(unsorted)
    if unsorted:
        assert f"of {len(unsorted)} of 2 experiments were not in the order of time" in str(told[0].message)
    for each in found:
        np.testing.assert_array_equal(each.x[:, 0], each.t**2)
        assert (np.diff(each.t) > 0).all()


@pytest.mark.parametrize(
    "times", [[4, 3, 2, 1, 0], [3, 4, 5, 0, 1, 2], [0, 1, 3, 2, 4, 5], [1, 0, 3, 2, 5, 4]]
)
def test_one_experiment_out_of_order_is_sorted_aloud(write, times):
    with pytest.warns(UserWarning, match=r"^The rows were not in the order of time and have been sorted"):
        (found,) = read_table(write("t,x", *((t, t * t) for t in times)))
    np.testing.assert_array_equal(found.t, sorted(times))
    np.testing.assert_array_equal(found.x[:, 0], found.t**2)


SEVERAL = [0, 1, 2, 3, 0.5, 1.5, 2.5, 0.25, 1.25, 2.25]
SCATTERED = [0, 1, 2, 3, 0.5, 1.5, 2.5, 0.25]


def test_experiments_without_a_name_are_split_where_time_goes_back_aloud(write):
    with pytest.warns(Choice, match=r"Time goes back at lines 6, 9, so 3 experiments are taken to follow"):
        found = read_table(write("t,x", *((t, t * t) for t in SEVERAL)))
    assert [len(each) for each in found] == [4, 3, 3]
    np.testing.assert_array_equal(found[1].t, [0.5, 1.5, 2.5])


def test_a_column_that_changes_where_time_goes_back_names_the_experiment(write):
    rows = [(t, t * t + k, "red" if k == 0 else "blue") for k in range(2) for t in range(4)]
    with pytest.warns(Choice, match="Column 'paint' is taken to name the experiment, 2 in all"):
        first, second = read_table(write("t,x,paint", *rows))
    assert len(first) == len(second) == 4


@pytest.mark.parametrize(
    ("header", "rows", "options", "message"),
    [
        (
            "t,x",
            [(t, t * t) for t in SCATTERED],
            {},
            r"Time goes back at line 6: 3 is followed by 0\.5.*in all: 2.*'run' \(option 'experiment'\)",
        ),
        (
            "t,x",
            [(0, 1), (1, 2), (1, 3), (2, 4)],
            {},
            r"Time repeats: 1 stands at lines 3 and 4. .*in all: 1\. Average .*same times.*'experiment'",
        ),
        ("t,x", [(0, 1), (2, 2), (1, 3), (2, 4)], {}, r"Time repeats: 2 stands at lines 3 and 5"),
        (
            "t,x,who",
            [(0, 1, "a"), (0, 2, "b"), (1, 3, "b"), (0, 4, "b")],
            {"experiment": "who"},
            r"Time repeats in experiment 'b': 0 stands at lines 3 and 5. .*keep one of them\.$",
        ),
        (
            "t,x,who",
            [(0, 1, "a"), (1, 2, ""), (2, 3, "b")],
            {"experiment": "who"},
            r"Column 'who' names no experiment at line 3. .*in all: 1",
        ),
        ("t,x,who", ROWS, {"experiment": "whom"}, r"no column 'whom' for experiment\. Did you mean 'who'"),
        ("t,x,who", ROWS, {"experiment": "t"}, r"more than one part: 't'"),
        (
            "t,x,n",
            [(0, 1, 1), (1, 2, 2), (2, 3, 3)],
            {"experiment": "n"},
            r"'n' names another experiment in every row.*option 'experiment'",
        ),
        (
            "t,x,run,trial",
            [(0, 1, 1, 1), (1, 2, 1, 2), (0, 3, 2, 1), (1, 3, 2, 2)],
            {},
            r"Several columns could name the experiment: 'run', 'trial'.*option 'experiment'",
        ),
    ],
)
def test_refusals_say_what_and_where(write, header, rows, options, message):
    with pytest.raises(DataError, match=message):
        read_table(write(header, *rows), **options)
