"""Rows above the values: names, units, groups, what a logger did, and settings of a device."""

import pytest

from mathonet.data.files.reading import read_file

ROWS = range(12)
pytestmark = pytest.mark.filterwarnings("ignore::mathonet.data.choice.Choice")


@pytest.mark.parametrize(
    "above",
    [
        ['"TOA5","CR1000","CR1000","12345","CR1000.Std.27","CPU:prog.CR1","1234","Table1"'],
        ['"TOA5","CR1000","X","12345"'],
        [],
    ],
)
def test_loggers_have_names_units_and_what_they_did(write, above):
    lines = [
        *above,
        '"TIMESTAMP","RECORD","Batt_Min","Temp"',
        '"TS","RN","Volts","Deg C"',
        '"","","Min","Smp"',
    ]
    rows = [f'"2024-03-25 08:{k:02}:00",{k},{12 + k / 10},{80 - k}' for k in ROWS]
    columns = read_file(write(lines[0], [*lines[1:], *rows], "data.dat"))
    units = {name: column.unit for name, column in columns.items()}
    assert units == {"TIMESTAMP": "", "RECORD": "", "Batt_Min": "Volts", "Temp": "Deg C"}


@pytest.mark.parametrize(
    ("above", "names"),
    [
        ([",pop,pop,env", ",prey,pred,temp", "time,,,"], ["time", "prey", "pred", "temp"]),
        (["Sample,R 1,,R 2", "Time,A,B,A"], ["Time", "R 1 A", "B", "R 2 A"]),
        ([",R1,R2,R3", "Time,OD,OD,OD"], ["Time", "R1 OD", "R2 OD", "R3 OD"]),
        (["Instrument,ACME", "Serial,12345", "Time,a,b,c"], ["Time", "a", "b", "c"]),
        (["My statistics", "t,min,max,mean"], ["t", "min", "max", "mean"]),
        (["t,a,b,c", "---,---,---,---"], ["t", "a", "b", "c"]),
    ],
)
def test_names_in_several_rows(write, above, names):
    rows = [f"{k / 2},{k},{k * k},{k + 7}" for k in ROWS]
    assert list(read_file(write(above[0], [*above[1:], *rows]))) == names


def test_settings_of_as_many_cells_as_the_table(write):
    above = ["Instrument,ACME", "Serial,12345", "Rate,6", "Time,Ch1"]
    columns = read_file(write(above[0], [*above[1:], *(f"{k / 2},{k * k}" for k in ROWS)]))
    assert list(columns) == ["Time", "Ch1"]


def test_a_fault_in_the_first_row_is_no_header(write):
    columns = read_file(write("t,x", ["0.0,OL", *(f"{k / 2},{k * k}" for k in range(1, 12))]))
    assert list(columns) == ["t", "x"]
    assert len(columns["t"].values) == 12


@pytest.mark.parametrize(
    ("label", "name", "unit"),
    [("U / V", "U", "V"), ("Zeit in s", "Zeit", "s"), ("p (hPa)", "p", "hPa"), ("a / b", "a / b", "")],
)
def test_units_in_labels(write, label, name, unit):
    columns = read_file(write(f"t,{label}", [f"{k},{k * k}" for k in ROWS]))
    assert columns[name].unit == unit
