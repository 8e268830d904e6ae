"""Column: cells of any kind as numbers, seconds or labels."""

from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathonet.data.files.column import Column
from mathonet.errors import DataError


def column(*cells):
    return Column("c", pd.Series(list(cells), dtype=object))


def of_array(values):
    return Column("c", pd.Series(values))


def test_cells_of_every_kind_become_numbers():
    cells = (
        "1.5",
        " 2 ",
        3,
        4.5,
        np.float32(0.5),
        Decimal("0.25"),
        True,
        None,
        "",
        "NA",
        pd.NA,
        pd.NaT,
        np.nan,
    )
    np.testing.assert_array_equal(column(*cells).numbers(), [1.5, 2, 3, 4.5, 0.5, 0.25, 1] + [np.nan] * 6)


@pytest.mark.parametrize("kind", [np.float32, np.int64, np.uint8, bool])
def test_arrays_of_numbers_stay_what_they_are(kind):
    values = np.array([0, 1, 1], dtype=kind)
    np.testing.assert_array_equal(of_array(values).numbers(), [0.0, 1.0, 1.0])
    assert not of_array(values).empty.any()


def test_arrays_of_text_are_read_like_cells():
    made = of_array(np.array(["1.5", "", "nan"]))
    np.testing.assert_array_equal(made.numbers(), [1.5, np.nan, np.nan])
    np.testing.assert_array_equal(made.empty, [False, True, True])


@pytest.mark.parametrize("cell", ["oops", "1_000", "1.2.3", datetime(2024, 5, 1), 1j, np.complex64(1j)])
def test_what_is_no_number_is_named(cell):
    with pytest.raises(
        DataError, match=r"Column 'c' holds (text|complex numbers): '.*' at row 1 .*in all: 1"
    ):
        column("1", cell, "2").numbers()


@pytest.mark.parametrize(
    "cells",
    [
        ("2024-05-31T23:59:59.5", "2024-06-01T00:00:00", "2024-06-01T00:00:01.25"),
        ("2024-05-31 23:59:59.500", "2024-06-01", "2024-06-01 00:00:01,25"),
        ("2024-05-31T23:59:59.5Z", "2024-06-01T02:00+02:00", "2024-05-31T19:00:01.25-0500"),
        (
            datetime(2024, 5, 31, 23, 59, 59, 500_000),
            date(2024, 6, 1),
            pd.Timestamp("2024-06-01T00:00:01.25"),
        ),
        (
            datetime(2024, 5, 31, 23, 59, 59, 500_000, tzinfo=UTC),
            datetime(2024, 6, 1, 2, tzinfo=timezone(timedelta(hours=2))),
            datetime(2024, 6, 1, 0, 0, 1, 250_000, tzinfo=UTC),
        ),
    ],
)
def test_dates_become_seconds_since_the_earliest(cells):
    np.testing.assert_array_equal(column(*cells).moments, [0, 0.5, 1.75])
    np.testing.assert_array_equal(column(*cells[::-1], None).moments, [1.75, 0.5, 0, np.nan])


@given(st.lists(st.datetimes(datetime(1700, 1, 1), datetime(2200, 1, 1)), min_size=1, max_size=5))
def test_text_and_arrays_of_dates_agree(moments):
    first = min(moments)
    expected = [(moment - first) / timedelta(seconds=1) for moment in moments]
    text = column(*(moment.isoformat() for moment in moments))
    array = of_array(np.array(moments, dtype="datetime64[us]"))
    np.testing.assert_allclose(text.moments, expected, rtol=1e-12, atol=1e-9)
    np.testing.assert_allclose(array.moments, expected, rtol=1e-12, atol=1e-9)


def test_nanoseconds_survive():
    np.testing.assert_allclose(
        column("2024-05-01T00:00:00.000000001", "2024-05-01T00:00:00.000000004").moments,
        [0, 3e-9],
        rtol=1e-12,
    )
    stamps = np.array(
        ["2024-05-01T00:00:00.000000001", "2024-05-01T00:00:00.000000004"], dtype="datetime64[ns]"
    )
    np.testing.assert_array_equal(of_array(stamps).moments, [0, 3e-9])


def test_coarse_dates_and_durations():
    months = np.array(["2024-03", "2024-01", "NaT"], dtype="datetime64[M]")
    np.testing.assert_array_equal(of_array(months).moments, [60 * 86400.0, 0, np.nan])
    durations = np.array([1500, 500], dtype="timedelta64[ms]")
    np.testing.assert_array_equal(of_array(durations).moments, [1.5, 0.5])


@pytest.mark.parametrize("cells", [("0", "1"), ("a",), ("", None), ("1.5", "2024-05-01")])
def test_what_is_no_date_has_no_seconds(cells):
    assert column(*cells).moments is None


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (("2024-05-01", "soon"), r"'c' holds dates, but 'soon' at row 1 .*2024-05-31T12:00:00"),
        (("2024-05-01", "2024-02-30"), r"but '2024-02-30' at row 1"),
        (("01/02/2024", "02/03/2024"), r"such as '01/02/2024', day and month cannot be told apart"),
        (("2024-05-01", "2024-05-02T00:00Z"), r"Some dates in column 'c' have a time zone"),
    ],
)
def test_dates_that_do_not_agree_are_refused(cells, message):
    with pytest.raises(DataError, match=message):
        _ = column(*cells).moments


def test_labels_keep_text_and_whole_numbers():
    assert column("a ", "01", 1.0, 2, 2.5, True, None, "NA").labels() == [
        "a",
        "01",
        1,
        2,
        2.5,
        "True",
        None,
        None,
    ]
    assert of_array(np.array([2**53 + 1, 7])).labels() == [2**53 + 1, 7]
    assert of_array(np.array([1.0, np.nan])).labels() == [1, None]
    assert column(date(2024, 5, 1)).labels() == ["2024-05-01"]


def test_a_column_with_some_numbers_is_meant_as_numbers():
    assert column("1", "oops").is_numeric
    assert column("", None).is_numeric
    assert not column("a", "b").is_numeric
    assert not column("2024-05-01").is_numeric


@pytest.mark.parametrize(
    ("cells", "seconds"),
    [
        (("31.01.2024", "01.02.2024"), [0, 86400]),
        (("01/31/2024", "02/01/2024"), [0, 86400]),
        (("31/01/2024 12:00", "01/02/2024 12:00:30"), [0, 86430]),
        (("12:00", "12:01:30.5"), [43200, 43290.5]),
        (("23:59:59", "00:00:01"), [86399, 86401]),
    ],
)
def test_dates_as_people_write_them(cells, seconds):
    found = column(*cells).moments
    np.testing.assert_allclose(found, seconds)


@pytest.mark.parametrize(
    ("cells", "numbers", "unit"),
    [
        (("5 m", "6.5 m", "-7 m"), [5, 6.5, -7], "m"),
        (("12 %", "15%", ""), [12, 15, np.nan], "%"),
        (("−1.5", "2"), [-1.5, 2], ""),
        (("1 234,5", "2 345,25"), [1234.5, 2345.25], ""),
        (("1'234.5", "17"), [1234.5, 17], ""),
        (("1.234,5", "2.345.678,25"), [1234.5, 2345678.25], ""),
        (("1,5", "2,25"), [1.5, 2.25], ""),
        (("1.5e3 V", "2e-3 V"), [1500, 2e-3], "V"),
        (("1.5D+03", "2"), [1500, 2], ""),
    ],
)
def test_numbers_as_people_write_them(cells, numbers, unit):
    found = column(*cells)
    np.testing.assert_array_equal(found.numbers(), numbers)
    assert found.unit == unit


def test_cells_of_different_units_are_refused():
    with pytest.raises(DataError, match="'c' have different units: 'km' and 'm'"):
        column("5 m", "6 km").numbers()


def test_numbers_of_very_many_digits_are_infinite():
    assert column(10**400, 1).values.tolist() == [np.inf, 1]
