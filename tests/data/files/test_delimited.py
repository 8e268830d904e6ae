"""Text files with separators: what is found out about them."""

import numpy as np
import pytest

from mathonet.data.choice import Choice
from mathonet.data.files.reading import read_file
from mathonet.data.table import read_table
from mathonet.errors import DataError


@pytest.fixture
def write(tmp_path):
    def write(text, name="data.csv"):
        path = tmp_path / name
        path.write_text(text, newline="", encoding="utf-8")
        return path

    return write


def numbers(path):
    return {name: column.values.tolist() for name, column in read_file(path).items()}


@pytest.mark.parametrize("separator", [";", "\t"])
def test_decimal_commas_between_other_separators(write, separator):
    text = "t;x;dx/dt\n0;1,5;-,5\n0,5;2,25;1,0e-3\n1;3;+2,\n1,5;4;7\n".replace(";", separator)
    (trajectory,) = read_table(write(text))
    np.testing.assert_array_equal(trajectory.t, [0, 0.5, 1, 1.5])
    np.testing.assert_array_equal(trajectory.x[:, 0], [1.5, 2.25, 3, 4])
    np.testing.assert_array_equal(trajectory.x_dot[:, 0], [-0.5, 1e-3, 2, 7])


def test_commas_of_three_digits_are_decimals_between_semicolons(write):
    with pytest.warns(Choice, match=r"such as 1,234 are taken as decimals, 1\.234\. If they mean 1234"):
        assert numbers(write("t;x\n0;1,234\n"))["x"] == [1.234]
    assert numbers(write("t\tx\n0\t1,234\n1\t0,5\n"))["x"] == [1.234, 0.5]


def test_commas_of_three_digits_in_quotes_are_thousands(write):
    with pytest.warns(Choice, match=r"such as 1,234 are taken as thousands, 1234\. If they mean 1\.234"):
        assert numbers(write('t,x\n0,"1,234"\n1,"2,345"\n'))["x"] == [1234, 2345]
    assert numbers(write('t,x\n0,"1,234.5"\n1,"2,345,678"\n'))["x"] == [1234.5, 2345678]


def test_where_a_comma_may_mean_two_things_the_user_is_asked(write):
    with pytest.raises(DataError, match=r"numbers such as 1,234, which may be 1234 or 1\.234"):
        numbers(write("t\tx\n0\t1,234\n"))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a;b\n1,5;2,5\n", {"a": [1.5], "b": [2.5]}),
        ("a,b;c\n1;2\n", {"a,b": [1], "c": [2]}),
        ('"a;b",c\n1,2\n', {"a;b": [1], "c": [2]}),
        ("a, b\n\n1, 2 \n \n3,4,\n\n", {"a": [1, 3], "b": [2, 4]}),
        ("a|b\n1|2\n", {"a": [1], "b": [2]}),
        ("a b  c\n1 2   3\n 4 5 6\n", {"a": [1, 4], "b": [2, 5], "c": [3, 6]}),
        ("sep=;\na;b\n1;2\n", {"a": [1], "b": [2]}),
        ("# made by a logger\n# a b\n0.5 1\n1.5 2\n", {"a": [0.5, 1.5], "b": [1, 2]}),
        ("a,1,2\n0.5,1,2\n1.5,3,4\n", {"a": [0.5, 1.5], "1": [1, 3], "2": [2, 4]}),
    ],
)
def test_the_separator_is_the_one_that_cuts_header_and_rows_alike(write, text, wanted):
    assert numbers(write(text)) == wanted


def test_titles_above_the_header_are_left_out_aloud(write):
    path = write("Cooling of tea\nby me\n\nt,x\ns,K\n0,350\n1,340\n")
    with pytest.warns(Choice, match="Above the header is left out: 'Cooling of tea' and 1 more"):
        columns = read_file(path)
    assert {name: column.unit for name, column in columns.items()} == {"t": "s", "x": "K"}
    assert columns["x"].values.tolist() == [350, 340]


def test_a_row_of_words_below_the_header_that_are_no_units_is_a_fault_and_not_dropped(write):
    columns = read_file(write("t,x\n0,oops\n1,2\n2,3\n"))
    assert columns["x"].text.tolist() == [True, False, False]


def test_a_table_without_a_header_gets_names_aloud(write):
    with pytest.warns(Choice, match="has no header: its columns are called t, x1, x2"):
        assert set(numbers(write("0 1 2\n1 2 3\n2 5 4\n", "a.txt"))) == {"t", "x1", "x2"}


def test_columns_without_a_name_get_one_aloud(write):
    with pytest.warns(Choice, match="called 'column 1', 'x_2'"):
        assert set(numbers(write(",x,x\n1,2,3\n2,3,4\n"))) == {"column 1", "x", "x_2"}


def test_a_last_line_that_was_cut_off_is_left_out_aloud(write):
    with pytest.warns(Choice, match="last line .* is cut off after 2 values"):
        assert numbers(write("t,x,y\n0,1,2\n1,2,3\n2,4"))["t"] == [0, 1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x\n1\n2\n", "one column only, 'x'"),
        ("t,x,y\n0,1,2\n1,2\n2,3,4\n", "line 3 has 2 values and the others 3"),
        ("t,x\n0,1\n1,2\n0,1,2\n", "line 4 has 3 values and the others 2"),
        ('t,x\n0,"1\n', "not a table"),
    ],
)
def test_what_is_no_table_is_refused(write, text, message):
    with pytest.raises(DataError, match=message):
        read_file(write(text))
