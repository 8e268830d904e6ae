"""Guesses that were once wrong without a word: each is right now, or asked about."""

import numpy as np
import pandas as pd
import pytest

from mathonet.data.choice import Choice
from mathonet.data.files.reading import read_file
from mathonet.data.table import read_table
from mathonet.errors import DataError

ROWS = range(12)


def test_a_number_beside_text_stays_what_it_is(tmp_path):
    frame = pd.DataFrame({"t": np.arange(12.0), "x": [3.479, *np.linspace(2.12, 1.0, 10), "0,5"]})
    frame.to_excel(tmp_path / "data.xlsx", index=False)
    found = read_file(tmp_path / "data.xlsx")["x"].values
    np.testing.assert_allclose(found[:11], frame["x"][:11].to_numpy(dtype=float), rtol=1e-14)
    assert found[11] == 0.5


@pytest.mark.parametrize(
    ("header", "rows", "message"),
    [
        (
            "t;x",
            [f"{k / 2:.1f}".replace(".", ",") + (";4.523" if k == 7 else ";6,000") for k in ROWS],
            "holds 6,000 and 4.523",
        ),
        ("t;p;x", [f"{k};{1000 + k:,};2,{800 + k}".replace(",", ".", 1) for k in ROWS], "before decimals"),
        ("t;p", [f"{k};{'1.008' if k > 8 else 950 + k}" for k in ROWS], "1.008 among whole numbers"),
        ("date,x", [f"03-{k + 1:02}-2024,{k * k}" for k in ROWS], "day and month cannot be told apart"),
        ("step,pop,x", [f"{10 * k},{1500 + k * k},{k % 5}" for k in ROWS], "'step', 'pop'"),
        ("T,p", [f"{280 + k * k},{(k * 7) % 5}" for k in ROWS], "'T' increases"),
        ("t,x", [f"{k},{'50%' if k else '0.51'}" for k in ROWS], "have the unit '%' and others"),
        ("Year,Day,x", [f"{2000 + k // 12},{k % 12 + 1},{k * k % 7}" for k in range(36)], "tell the date"),
        ("t,x,dx", [f"{k},{12 - k},{0.5 + 0.01 * (k % 3)}" for k in ROWS], "'dx' is called as a derivative"),
    ],
)
@pytest.mark.filterwarnings("ignore::mathonet.data.choice.Choice")
def test_what_may_mean_two_things_is_asked(write, header, rows, message):
    with pytest.raises(DataError, match=message):
        read_table(write(header, rows))


def test_days_as_whole_numbers_are_dates(write):
    days = ["20240130", "20240131", "20240201", "20240202"]
    with pytest.warns(Choice, match="taken in days"):
        (found,) = read_table(write("date,x", [f"{day},{k * k}" for k, day in enumerate(days)]))
    np.testing.assert_array_equal(found.t, [0, 1, 2, 3])


@pytest.mark.filterwarnings("always::mathonet.data.choice.Choice")
def test_a_stopwatch_that_starts_again_begins_another_experiment(write):
    rows = [f"{k}:00,{k * k + n}" for n in range(2) for k in range(15)]
    with pytest.warns(Choice, match="2 experiments"):
        assert len(read_table(write("time,x", rows))) == 2


def test_letters_that_tell_columns_apart_are_no_units(write):
    columns = read_file(write("t,tank_L,tank_R,x (1),x (2)", ["0,1,2,3,4", "1,2,3,4,5"]))
    assert list(columns) == ["t", "tank_L", "tank_R", "x (1)", "x (2)"]


def test_a_remark_in_a_cell_is_text(write):
    columns = read_file(write("t,x,notes", [f"{k},{k * k},{'5 min pause' if k == 3 else ''}" for k in ROWS]))
    assert not columns["notes"].is_numeric


def test_units_among_comments(write):
    columns = read_file(write("# t x", ["# s m", *(f"{k} {k * k}" for k in ROWS)], "data.txt"))
    assert {name: column.unit for name, column in columns.items()} == {"t": "s", "x": "m"}


def test_windows_dashes_are_minus_signs(write):
    with pytest.warns(Choice, match="CP1252"):
        columns = read_file(write("t;x", [f"{k};–0,{k + 10}" for k in ROWS], encoding="cp1252"))
    assert columns["x"].values[0] == -0.10


def test_codes_for_missing_values_are_told(write):
    rows = [f"{k / 10},{-999 if k in (6, 7) else np.exp(-k / 10):.3f}" for k in range(20)]
    with pytest.warns(Choice, match="2 times -999 stands far off"):
        (found,) = read_table(write("t,x", rows))
    assert np.isnan(found.x[:, 0]).sum() == 2


def test_an_ending_says_nothing_of_compression(write):
    assert list(read_file(write("t,x", [f"{k},{k}" for k in ROWS], "data.xz"))) == ["t", "x"]


@pytest.mark.filterwarnings("ignore::mathonet.data.choice.Choice")
def test_a_date_can_be_ignored_beside_a_clock(write):
    rows = [f"2024-05-01,12:{k:02}:00,{k * k}" for k in ROWS]
    (found,) = read_table(write("date,time,x", rows), ignore=["date"])
    assert found.names == ("x",)


def test_weather_files_keep_their_names(write):
    columns = read_file(write("day,T_mean,T_min,T_max", [f"{k},1,{k},3" for k in ROWS]))
    assert list(columns) == ["day", "T_mean", "T_min", "T_max"]


def test_a_short_line_between_quoted_cells_is_refused(tmp_path):
    """Between spaces an empty cell cannot be seen: those that follow would move to the left."""
    path = tmp_path / "data.txt"
    path.write_text('t x y\n"0.0 s" 49 1.6\n"0.1 s" 24 3.9\n"0.2 s"  6.9\n"0.3 s" 48 10.6\n')
    with pytest.raises(DataError, match="line 4 has 2 values and the others 3"):
        read_table(path)


def test_damaged_files_do_not_ask_for_pickles(tmp_path):
    path = tmp_path / "data.npz"
    path.write_bytes(bytes(range(200)) * 5)
    with pytest.raises(DataError) as refused:
        read_file(path)
    assert "pickle" not in str(refused.value)


def test_a_link_to_nowhere_is_called_so(tmp_path):
    (tmp_path / "data.csv").symlink_to("nowhere.csv")
    with pytest.raises(DataError, match=r"is a link to 'nowhere\.csv', and there is no such file"):
        read_file(tmp_path / "data.csv")


@pytest.mark.filterwarnings("ignore::mathonet.data.choice.Choice")
def test_complex_numbers_are_no_text(tmp_path):
    t = np.arange(12.0)
    np.savez(tmp_path / "data.npz", t=t, z=np.exp(1j * t))
    with pytest.raises(DataError, match="'z': it holds complex numbers"):
        read_table(tmp_path / "data.npz")


@pytest.mark.filterwarnings("ignore::mathonet.data.choice.Choice")
def test_a_minimum_beside_a_maximum_is_no_part_of_the_time(write):
    rows = [f"2024-05-{1 + n // 6:02d},{4 * (n % 6)},{n % 5},{9 + n % 3},{1.5 * n * n}" for n in range(24)]
    (read,) = read_table(write("date,hour,min,max,level", rows))
    assert {"min", "max", "level"} == set(read.names)


@pytest.mark.filterwarnings("ignore::mathonet.data.choice.Choice")
def test_what_is_named_as_a_state_is_no_part_of_a_date(write):
    rows = [f"{2000 + n},{1 + n % 12},{0.5 * n}" for n in range(20)]
    (read,) = read_table(write("year,month,x", rows), states=["month", "x"])
    assert read.names == ("month", "x")
    assert read.t[0] == 2000.0
