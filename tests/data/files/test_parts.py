"""Parts of columns that were once guessed wrongly: sums, errors, switches, long tables, names."""

import numpy as np
import pytest

from mathonet.errors import DataError

ROWS = range(20)


def test_sums_below_a_table_are_left_out(read):
    rows = [f"{k},{k * k}" for k in ROWS]
    reading, told = read("Day,x", [*rows, "Total,2470", "Average:,123.5"])
    assert len(reading.trajectories[0]) == 20
    assert "sums or means of it: 'Total', 'Average:' at lines 22, 23" in told


def test_a_group_called_total_stays(read):
    rows = [f"{who},{k},{k * k % 11 + 1}" for who in ("north", "total") for k in ROWS]
    reading, _ = read("region,t,x", rows)
    assert [len(each) for each in reading.trajectories] == [20, 20]


@pytest.mark.parametrize("name", ["x_err", "x_error", "x std", "x_sigma", "sd_x", "x±", "±"])
def test_errors_are_left_out(read, name):
    reading, told = read(f"t,x,{name}", [f"{k},{k * k},{0.1 + k % 3 / 50}" for k in ROWS])
    assert reading.trajectories[0].names == ("x",)
    assert f"{name!r} is left out: it is called after the error of 'x'" in told


@pytest.mark.parametrize(("one", "zero"), [("on", "off"), ("Yes", "No"), ("open", "closed")])
def test_two_words_are_a_switch(read, one, zero):
    reading, told = read("t,heater,x", [f"{k},{one if 5 < k < 12 else zero},{k * k}" for k in ROWS])
    (found,) = reading.trajectories
    assert found.input_names == ("heater",)
    np.testing.assert_array_equal(found.u[:, 0], [5 < k < 12 for k in ROWS])
    assert "is taken as 1" in told


def test_long_tables_are_told(read):
    rows = [f"{k},{who},{k * k % 11 + 1}" for who in ("prey", "pred") for k in ROWS]
    reading, told = read("time,species,count", rows)
    assert len(reading.trajectories) == 2
    assert "looks like a long table: pivot it" in told
    with pytest.raises(DataError, match=r"another value of column 'species'.*pivot it"):
        read("time,species,count", sorted(rows, key=lambda row: int(row.split(",")[0])))


def test_names_do_not_read_as_mathematics(read):
    reading, told = read("t,a+b,sin,IL-6", [f"{k},{k * k},{k % 7 + k},{k + k * k % 5}" for k in ROWS])
    assert reading.trajectories[0].names == ("a_plus_b", "sin_value", "IL_6")
    assert "'a+b' is called 'a_plus_b'" in told
    assert reading.roles.states == ("a+b", "sin", "IL-6")


def test_several_columns_are_left_out_in_good_english(read):
    _, told = read("t,x,who,where", [f"{k},{k * k},me {k},here {k}" for k in ROWS])
    assert "Columns 'who', 'where' are left out: each holds text." in told


def test_rows_are_named_by_their_lines(read):
    above = ["# a comment", "", "t,x,note"]
    rows = [f'{k},{k * k},"two\nlines"' for k in range(4)]
    with pytest.raises(DataError, match="'x' holds text: 'oops' at line 13"):
        read(above[0], [*above[1:], *rows, "", "4,oops,a", "5,oops,b"])
