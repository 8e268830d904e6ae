"""Files as people have them: what is understood of each, and where the user is asked instead."""

import re
import warnings
from pathlib import Path

import pytest

from mathonet.data.choice import Choice
from mathonet.data.table import understand
from mathonet.errors import DataError

FILES = Path(__file__).parents[2] / "files"
# File: name and unit of time, states, inputs, experiments, rows, what has to be told.
UNDERSTOOD = {
    "dates.csv": ("date", "day", "susceptible infected", "", 1, 121, ["taken in days, dates since"]),
    "epidemic.csv": ("day", "day", "S I", "", 1, 121, ["'day' is taken as the time"]),
    "fall.csv": ("t", "", "height speed", "", 1, 161, []),
    "feder.csv": ("Zeit", "s", "Höhe Geschwindigkeit", "", 1, 201, ["CP1252"]),
    "gaps.csv": ("t", "", "prey hunter", "", 1, 220, []),
    "growth.csv": ("t", "h", "OD600", "", 1, 97, []),
    "hares.csv": ("Year", "year", "Hare Lynx", "", 1, 21, ["'Year' is taken as the time"]),
    "heater.csv": ("t", "", "temperature", "heater", 1, 401, ["'heater' moves in jumps"]),
    "lab.xlsx": ("time", "s", "position velocity", "", 1, 201, ["Above the header", "only 'data' holds"]),
    "logger.csv": (
        *("time", "s", "temp", "", 1, 181),
        ["'column 1' is left out", "'battery' is left out", "'comment' is left out", "together are the time"],
    ),
    "mice.csv": ("t", "h", "drug metabolite", "", 3, 240, ["'mouse' is taken to name the experiment"]),
    "minus.csv": ("t", "", "x y", "", 1, 201, []),
    "outliers.csv": ("t", "", "prey hunter", "", 1, 200, []),
    "percent.csv": ("week", "week", "share", "", 1, 161, ["'week' is taken as the time"]),
    "reaction.csv": ("t", "min", "A B", "", 1, 121, []),
    "savetxt.txt": ("t", "", "x1 x2", "", 1, 200, ["has no header"]),
    "spikes.csv": ("t", "ms", "spike", "", 1, 200, []),
    "stacked.csv": ("t", "", "prey hunter", "", 3, 240, ["Time goes back at lines 82, 162"]),
    "tea.csv": ("time", "s", "temp", "", 1, 181, []),
    "town.csv": ("Year", "year", "Population", "", 1, 121, ["'Year' is taken as the time"]),
    "unicode.txt": ("time", "", "prey hunter", "", 1, 200, []),
    "video.csv": ("time", "s", "angle", "", 1, 300, []),
}
UNITS = {
    "feder.csv": ("m", "m/s"),
    "fall.csv": ("m", "m/s"),
    "lab.xlsx": ("m", "m/s"),
    "percent.csv": ("%",),
    "tea.csv": ("C",),
    "video.csv": ("rad",),
}
ASKED = {
    "comma.tsv": "may be 1100 or 1.100",
    "day-or-month.csv": "day and month cannot be told apart",
    "no-time.csv": "'depth' increases .*option 'time'",
    "shuffled.csv": "sort its rows by time",
    "temperature.csv": "No time column among 'T', 'p'.*option 'time'",
    "two-even.csv": "could be the time: 'clock', 'distance'.*option 'time'",
    "two-labels.csv": "name the experiment: 'run', 'trial'.*option 'experiment'",
    "two-sheets.xlsx": "hold tables: 'May', 'June'.*option 'sheet'",
    "two-times.csv": "could be the time: 'time', 'elapsed'.*option 'time'",
    "two-units.csv": "different units: 'm' and 'mm'",
}


def test_every_file_is_looked_at():
    assert {path.name for path in (FILES / "everyday").iterdir()} == set(UNDERSTOOD)
    assert {path.name for path in (FILES / "ambiguous").iterdir()} == set(ASKED)


@pytest.mark.parametrize("name", UNDERSTOOD)
def test_everyday_files_are_understood(name):
    time, unit, states, inputs, experiments, rows, told = UNDERSTOOD[name]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        reading = understand(FILES / "everyday" / name)
    first = reading.trajectories[0]
    assert (first.time_name, first.time_unit) == (time, unit)
    assert first.names == tuple(states.split())
    assert first.input_names == tuple(inputs.split())
    assert len(reading.trajectories) == experiments
    assert sum(map(len, reading.trajectories)) == rows
    assert first.units == UNITS.get(name, first.units)
    notes = [str(each.message) for each in caught]
    assert all(issubclass(each.category, Choice) for each in caught)
    for part in told:
        assert any(part in note for note in notes), notes
    # Every column that has no part is named with the reason.
    for column in reading.roles.left_out:
        assert any(f"{column!r}" in note and "left out" in note for note in notes)


@pytest.mark.parametrize("name", ASKED)
@pytest.mark.filterwarnings("ignore::mathonet.data.choice.Choice")
def test_where_a_guess_could_be_wrong_the_user_is_asked(name):
    with pytest.raises(DataError) as refused:
        understand(FILES / "ambiguous" / name)
    assert re.search(ASKED[name], str(refused.value))
