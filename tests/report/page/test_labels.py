"""Labels with units, and numbers that are times."""

import numpy as np
import pytest

from mathonet.report.page import labels
from mathonet.report.page.chart import Columns
from mathonet.report.page.numerals import moment


@pytest.mark.parametrize(
    ("unit", "written"), [("m/s^2", "m/s²"), ("kg^-1", "kg⁻¹"), ("K^(1/2)", "K^(1/2)"), ("", "")]
)
def test_powers_of_units_stand_above(unit, written):
    assert labels.raised(unit) == written


def test_units_stand_behind_names_and_numbers():
    assert labels.with_unit("x", "m") == "x [m]"
    assert labels.with_unit("x", "") == "x"
    assert labels.behind("0.133", "1/s") == "0.133 1/s"


@pytest.mark.parametrize(
    ("value", "span", "written"),
    [(1953.46, 60.0, "1953.5"), (1900.0, 3.0, "1900.00"), (12.3456, 20.0, "12.3"), (0.0, 5.0, "0.00")],
)
def test_times_are_told_within_their_span(value, span, written):
    assert moment(value, span) == written


def test_columns_keep_what_tells_their_values_apart():
    columns = Columns()
    days = 1900.0 + np.arange(400) / 365.25
    columns.add("t", days)
    assert len(set(columns.values["t"])) == 400
    columns.add("x", [np.pi, -1.0, np.nan])
    assert columns.values["x"] == [3.14159, -1, None]
    columns.add("same", [np.pi, np.pi])
    assert columns.values["same"] == [3.14159, 3.14159]
