"""Marks in numbers: what the whole file says of them, what is told, and what is asked."""

import numpy as np
import pytest

from mathonet.data.choice import Choice
from mathonet.data.files.numerals import is_number
from mathonet.data.files.reading import read_file
from mathonet.errors import DataError

ROWS = range(20)


def comma(value, decimals=3):
    return f"{value:.{decimals}f}".replace(".", ",")


def test_no_number_of_thousands_begins_with_a_zero(write):
    columns = read_file(write('"t","x"', [f'"{comma(k / 6)}","{comma(80.176 - k)}"' for k in ROWS]))
    np.testing.assert_allclose(columns["t"].values, np.round(np.arange(20) / 6, 3))
    np.testing.assert_allclose(columns["x"].values, 80.176 - np.arange(20))
    columns = read_file(write("t,x", [f'{k},"{comma(0.802 - k / 100)}"' for k in ROWS]))
    np.testing.assert_allclose(columns["x"].values, 0.802 - np.arange(20) / 100)


def test_rows_far_below_say_what_a_mark_means(write):
    """The first hundred lines have three decimals throughout; only the last says that they are decimals."""
    rows = [f'{k},"{comma(2 + k / 1000)}","{comma(5 + k / 1000)}"' for k in range(150)]
    columns = read_file(write("t,x,y", [*rows, '150,"2,5","5,100"']))
    assert columns["y"].values[0] == 5.0


@pytest.mark.parametrize("separator", [";", "\t"])
@pytest.mark.parametrize("first", [5, 150])
def test_thousands_among_whole_numbers_are_asked_about(write, separator, first):
    counts = [*(800 + k for k in range(first)), *(f"{1000 + k:,}" for k in ROWS)]
    rows = [f"{k}{separator}{count}" for k, count in enumerate(counts)]
    path = write(f"day{separator}cases", rows, "data.tsv" if separator == "\t" else "data.csv")
    with pytest.raises(DataError, match=r"'cases' holds .* among whole numbers .*thousands without marks"):
        _ = read_file(path)["cases"].values


def test_thousands_below_decimals_are_asked_about(write):
    """Another column says that commas stand before decimals, and pandas has read both so."""
    rows = [f"{comma(k / 2, 1)};{900 + k if k < 120 else f'{900 + k:,}'}" for k in range(140)]
    with pytest.raises(DataError, match="'cases' holds 1,020 among whole numbers such as 900"):
        read_file(write("t;cases", rows))


def test_a_number_of_two_meanings_is_told(write):
    with pytest.warns(Choice, match="'x', numbers such as 15,977 are taken as decimals, 15.977"):
        _ = read_file(write("t;x", [f"{k};{15977 + k * 1001:,}" for k in ROWS]))["x"].values
    with pytest.warns(Choice, match="Numbers such as 15.977 are taken as decimals"):
        read_file(write("t;x", [f"{k};{15977 + k * 1001:,}".replace(",", ".") for k in ROWS]))


def test_points_that_occur_twice_mark_thousands(write):
    rows = [f"{k};{900_500 + k * 10_000:,}".replace(",", ".") for k in ROWS]
    np.testing.assert_array_equal(
        read_file(write("t;x", rows))["x"].values, 900_500 + 10_000 * np.arange(20.0)
    )


def test_points_mark_thousands_beside_decimal_commas(write):
    columns = read_file(write("t;n;x", [f"{k};1.{k:03};{comma(k / 4, 2)}" for k in ROWS]))
    np.testing.assert_array_equal(columns["n"].values, 1000 + np.arange(20.0))


def test_two_numbers_are_not_one():
    assert not is_number("4.833,33.940")
    assert is_number("1.234,5")
    assert is_number("1\u202f034,6")


@pytest.mark.parametrize(
    ("cell", "value", "unit"),
    [("1\u202f034,6", 1034.6, ""), ("1\u00a0034,6", 1034.6, ""), ("5,00 €", 5.0, "€"), ("$5,25", 5.25, "$")],
)
def test_narrow_spaces_and_currencies(write, cell, value, unit):
    column = read_file(write("t;x", [f"{k};{cell}" for k in ROWS]))["x"]
    assert column.values[0] == value
    assert column.unit == unit


@pytest.mark.parametrize("header", ["t,x", "t,x,y"])
def test_commas_between_columns_and_before_decimals_are_asked_about(write, header):
    rows = [",".join([str(k), *["80,18"] * header.count(",")]) for k in ROWS]
    with pytest.raises(DataError, match="If commas stand before decimals as well as between columns"):
        read_file(write(header, rows))


def test_a_row_longer_than_the_header_is_refused(write):
    with pytest.raises(DataError, match="its header has 2 names, and the first row below it 3 values"):
        read_file(write("t,x", [f"{k},{k / 2},{k / 3:.2f}" for k in ROWS]))


def test_a_piece_with_text_does_not_change_how_numbers_are_read(write):
    """Pandas reads a long file in pieces, and would leave the first ones as numbers."""
    rows = [f"{k};{100 + k % 800}.{k % 1000:03}" for k in range(60_000)]
    columns = read_file(write("t;x;y", [*(f"{row};149.770" for row in rows), "60000;1.000.356;149.770"]))
    assert columns["x"].numbers()[1] == 101_001
    assert columns["y"].numbers()[0] == 149_770
