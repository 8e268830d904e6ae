"""Text files with separators: what is found out about them."""

import numpy as np
import pytest

from mathonet.data.delimited import read_columns
from mathonet.data.table import read_table
from mathonet.errors import DataError


@pytest.fixture
def write(tmp_path):
    def write(text, name="data.csv"):
        path = tmp_path / name
        path.write_text(text, newline="")
        return path

    return write


@pytest.mark.parametrize("separator", [";", "\t"])
def test_decimal_commas_between_other_separators(write, separator):
    text = "t;x;dx/dt\n0;1,5;-,5\n0,5;2,25;1,0e-3\n1;3;+2,\n1,5;4;7\n".replace(";", separator)
    (trajectory,) = read_table(write(text))
    np.testing.assert_array_equal(trajectory.t, [0, 0.5, 1, 1.5])
    np.testing.assert_array_equal(trajectory.x[:, 0], [1.5, 2.25, 3, 4])
    np.testing.assert_array_equal(trajectory.x_dot[:, 0], [-0.5, 1e-3, 2, 7])


def test_commas_of_three_digits_are_decimals_between_semicolons_alone(write):
    assert read_columns(write("t;x\n0;1,234\n"))["x"] == ["1.234"]
    assert read_columns(write("t\tx\n0\t1,234\n"))["x"] == ["1,234"]
    assert read_columns(write("t\tx\n0\t1,234\n1\t0,5\n"))["x"] == ["1.234", "0.5"]


def test_commas_beside_decimal_points_are_left_alone(write):
    assert read_columns(write("t;x;note\n0;1.5;2,5\n"))["note"] == ["2,5"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a;b\n1,5;2,5\n", {"a": ["1.5"], "b": ["2.5"]}),
        ("a,b;c\n1;2\n", {"a,b": ["1"], "c": ["2"]}),
        ('"a;b",c\n1,2\n', {"a;b": ["1"], "c": ["2"]}),
        ('a,b\n"1","two, three"\n', {"a": ["1"], "b": ["two, three"]}),
        ("a, b\n\n1, 2 \n \n3,4,\n\n", {"a": ["1", "3"], "b": ["2", "4"]}),
    ],
)
def test_the_separator_is_the_one_that_cuts_header_and_rows_alike(write, text, wanted):
    assert read_columns(write(text)) == wanted


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("t x dx\n0 1 2\n", "one column only, 't x dx'"),
        ("t,x\n0,1\n1\n", "row 1 .* has 1 values and the header 2 names"),
        ("t,x\n0,1,2\n", "row 0 .* has 3 values and the header 2 names"),
        ("0;1,5\n1;2,5\n", "no header: its first row is 0, 1,5"),
    ],
)
def test_what_is_no_table_is_refused(write, text, message):
    with pytest.raises(DataError, match=message):
        read_columns(write(text))
