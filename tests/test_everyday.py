"""Everyday files, from reading to equations: what is called good has the terms of the law behind the file."""

import re
from pathlib import Path

import pytest

from mathonet import Discoverer, read_table

EVERYDAY = Path(__file__).parent / "files" / "everyday"
# The terms of every equation, by the laws in tests/files/make.py; None where there is no law to find.
TERMS = {
    "dates.csv": [{"susceptible infected"}, {"infected", "susceptible infected"}],
    "epidemic.csv": [{"S I"}, {"I", "S I"}],
    "fall.csv": [{"speed"}, {"speed", "1"}],
    "feder.csv": [{"Geschwindigkeit"}, {"Höhe", "Geschwindigkeit"}],
    "gaps.csv": [{"prey", "prey hunter"}, {"hunter", "prey hunter"}],
    "growth.csv": [{"OD600", "OD600^2"}],
    "hares.csv": None,
    "heater.csv": [{"temperature", "heater", "1"}],
    "lab.xlsx": [{"velocity"}, {"position", "velocity"}],
    "logger.csv": [{"temp", "1"}],
    "mice.csv": [{"drug", "drug metabolite"}, {"metabolite", "drug metabolite"}],
    "minus.csv": [{"y"}, {"x", "y", "x^2 y"}],
    "outliers.csv": [{"prey", "prey hunter"}, {"hunter", "prey hunter"}],
    "percent.csv": [{"share", "share^2"}],
    "reaction.csv": [{"A"}, {"A", "B"}],
    "savetxt.txt": [{"x1", "x1 x2"}, {"x2", "x1 x2"}],
    "spikes.csv": None,
    "stacked.csv": [{"prey", "prey hunter"}, {"hunter", "prey hunter"}],
    "tea.csv": [{"temp", "1"}],
    "town.csv": [{"Population", "Population^2"}],
    "unicode.txt": [{"prey", "prey hunter"}, {"hunter", "prey hunter"}],
    "video.csv": [set(), {"angle_dot", "sin(angle)"}],
}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::mathonet.data.choice.Choice")
@pytest.mark.parametrize("name", TERMS)
def test_what_is_called_good_is_the_law(name):
    model = Discoverer(order=2 if name == "video.csv" else 1).fit(read_table(EVERYDAY / name))
    table, wanted = model.coefficients_, TERMS[name]
    for number, (target, trust) in enumerate(
        zip(model.trust_["target"], model.discovery_.trust, strict=True)
    ):
        if trust.words == ("known, not searched",):
            continue
        if trust.level in ("exact", "good"):
            assert wanted is not None, f"{target}' is called {trust.level}, and there is no law"
            assert set(table[table["target"] == target]["term"]) == wanted[number]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::mathonet.data.choice.Choice")
def test_outlying_rows_are_named():
    model = Discoverer(operations=["ident"]).fit(read_table(EVERYDAY / "outliers.csv"))
    said = model.discovery_.measured.describe()
    assert set(map(int, re.findall(r"row (\d+);", said))) == {40, 111, 150}
