"""Times as people write them: in words, in halves of a day, in several columns, as numbers that are dates."""

import numpy as np
import pytest

from mathonet.data.files.times.written_dates import in_figures, month_number
from mathonet.errors import DataError

ROWS = range(12)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Jan 2015", "2015-01-01"),
        ("01-Jan-2015", "2015-01-01"),
        ("2. März 2015 8:05", "2015-03-02 08:05"),
        ("Mon Mar 25 08:00:00 2024", "2024-03-25 08:00:00"),
        ("Mar 5, 2024", "2024-03-05"),
        ("25 févr. 2024", "2024-02-25"),
        ("03/15/2024 12:30:00 AM", "03/15/2024 00:30:00"),
        ("12:05 pm", "12:05"),
        ("8h05", "8:05"),
        ("2005Q3", "2005-07-01"),
        ("2020-W01", "2019-12-30"),
        ("2024-03-25T08:00:00Z", "2024-03-25T08:00:00Z"),
        ("13:05 pm", "13:05 pm"),
        ("maybe 2020", "maybe 2020"),
    ],
)
def test_dates_in_words(text, wanted):
    assert in_figures(text) == wanted


def test_half_a_name_that_two_months_have_is_none():
    assert month_number("jui") is None
    assert month_number("juil") == 7


@pytest.mark.parametrize(
    ("header", "rows", "last", "unit"),
    [
        (
            "Timestamp,x",
            [f"03/15/2024 {(7 + k) % 12 + 1:02}:00 {'AP'[k > 3]}M,{k * k}" for k in ROWS],
            11,
            "h",
        ),
        ("date;x", [f"{k + 1}. Januar 2015;{k * k}" for k in ROWS], 11, "day"),
        ("Date/Time,x", [f"3/15/24 8:{5 * k:02},{k * k}" for k in ROWS], 55, "min"),
        ("month,x", [f"{201501 + k},{k * k}" for k in ROWS], 334, "day"),
        ("ts,x", [f"{1709625600 + 60 * k},{k * k}" for k in ROWS], 11, "min"),
        ("timestamp,x", [f"{1709625600000 + 250 * k},{k * k}" for k in ROWS], 2.75, "s"),
        ("Date,x", [f"{45376 + k / 4},{k * k}" for k in ROWS], 66, "h"),
        ("year,month,day,hour,x", [f"2024,2,{28 + k // 8},{3 * (k % 8)},{k * k}" for k in ROWS], 33, "h"),
        ("Year,Month,x", [f"{2000 + k // 12},{k % 12 + 1},{k * k % 7}" for k in ROWS], 335, "day"),
        ("year,doy,x", [f"2015,{k + 100},{k * k}" for k in ROWS], 11, "day"),
        ("Datum;Uhrzeit;x", [f"25.03.2024;08:{k:02}:00;{k * k},5" for k in ROWS], 11, "min"),
        ("Fecha;Hora;x", [f"{25 + k // 6}/03/2024;{4 * (k % 6):02}:00;{k * k},5" for k in ROWS], 44, "h"),
        ("Data,Ora,x", [f"2024-03-{k + 1:02},{2 * k:02}:00,{k * k}" for k in ROWS], 11 * 13 / 12, "day"),
        ("date,hour,x", [f"2024-03-25,{k},{k * k}" for k in ROWS], 11, "h"),
        ("date,year,month,x", [f"2024-03-{k + 1:02},2024,3,{k * k}" for k in ROWS], 11, "day"),
    ],
)
def test_times_of_many_forms(read, header, rows, last, unit):
    reading, told = read(header, rows)
    (found,) = reading.trajectories
    assert found.names == ("x",)
    assert found.time_unit == unit
    assert found.t[-1] == pytest.approx(last)
    assert "dates since the earliest one" in told


@pytest.mark.parametrize(
    ("header", "rows", "message"),
    [
        (
            "time,x",
            [f"{(9 + k) % 12 + 1:02}:00,{k * k}" for k in ROWS],
            "from 12:00 to 01:00.*neither AM nor PM",
        ),
        (
            "time,x",
            [f"2024-03-25 {(9 + k) % 12 + 1:02}:00,{k * k}" for k in ROWS],
            "from 2024-03-25 12:00 to .*neither AM nor PM",
        ),
        ("date,sleep,x", [f"2024-03-{k + 1:02},07:{k + 10},{k * k}" for k in ROWS], "'sleep' clock times"),
        ("Time,T,Time,p", [f"{k},{k * k},{k + 0.05},{k * k}" for k in ROWS], "times differ.*split the file"),
        ("time_s,T,time2_s,p", [f"{k},{k * k},{3 * k + 1},{k * k}" for k in ROWS], "times differ"),
        ("Day,x", [*(f"{k},{k * k}" for k in ROWS), ",506"], "'Day' .* holds nothing at line 14"),
        ("Week,x", [f"{'soon' if k == 4 else k},{k * k}" for k in ROWS], "'Week' .* holds 'soon' at line 6"),
        (
            "n,min,max,mean",
            [f"S{k},{k * k},{90 - k},{k * k + 5}" for k in ROWS],
            "No column is called after time",
        ),
    ],
)
@pytest.mark.filterwarnings("ignore::mathonet.data.choice.Choice")
def test_what_cannot_be_the_time_is_asked_about(read, header, rows, message):
    with pytest.raises(DataError, match=message):
        read(header, rows)


@pytest.mark.parametrize(
    ("header", "rows"),
    [
        ("time_s,time_min,x", [f"{30 * k},{k / 2},{k * k}" for k in ROWS]),
        ("date,day,x", [f"2024-03-{k + 1:02},{k + 5},{k * k}" for k in ROWS]),
        ("Year,t,x", [f"{1950 + k},{k},{k * k}" for k in ROWS]),
    ],
)
def test_the_same_times_in_another_unit_are_left_out(read, header, rows):
    reading, told = read(header, rows)
    assert reading.trajectories[0].names == ("x",)
    assert "it holds the same times as" in told


def test_remarks_that_begin_with_a_date_are_remarks(read):
    rows = [f"{k},{k * k},2024-03-25 {'started' if k else '08:00'}" for k in ROWS]
    reading, told = read("t,x,note", rows)
    assert reading.trajectories[0].names == ("x",)
    np.testing.assert_array_equal(reading.trajectories[0].t, np.arange(12))
    assert "'note' is left out" in told
