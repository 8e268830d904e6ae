"""Charts as data: short numbers, thinned rows, JSON that cannot leave its element."""

import json

import numpy as np
import pytest

from mathonet.report.page.chart import Columns, as_json, brief, thinned
from mathonet.report.page.numerals import rounded, share, with_deviation


def test_columns_are_brief_and_finite():
    columns = Columns()
    assert columns.add("a", [1.0, np.nan, np.inf, 1 / 3, -2e9]) == "a"
    assert columns.values["a"] == [1, None, None, 0.333333, -2e9]
    assert isinstance(brief(3.0), int)


def test_few_rows_are_all_drawn():
    assert thinned(5, 10).tolist() == [0, 1, 2, 3, 4]


def test_thinned_rows_keep_the_extremes_of_every_stretch():
    values = np.random.default_rng(0).standard_normal((50_000, 3))
    values[123, 1], values[40_000, 2], values[7, 0] = 99.0, -99.0, np.nan
    rows = thinned(len(values), 1000, values)
    assert len(rows) <= 1002
    assert {0, 123, 40_000, 49_999} <= set(rows.tolist())
    assert (np.diff(rows) > 0).all()
    assert len(thinned(50_000, 1000)) == 1000


def test_json_cannot_end_its_script():
    attack = {"</script><script>alert(1)</script>": "<!-- & \u2028"}
    text = str(as_json(attack))
    assert not set("<>&\u2028") & set(text)
    assert json.loads(text) == attack


@pytest.mark.parametrize(
    ("value", "digits", "written"),
    [
        (0.012345, 3, "0.0123"),
        (-2.5, 3, "−2.50"),
        (2170.4, 3, "2,170"),
        (123456.0, 6, "123,456"),
        (-1.5e-9, 2, "−1.5·10⁻⁹"),
        (9.9996, 3, "10.0"),
        (1.5e-9, 2, "1.5·10⁻⁹"),
        (3e12, 3, "3.00·10¹²"),
        (0.0, 3, "0.00"),
        (np.inf, 3, "∞"),
        (np.nan, 3, "not known"),
    ],
)
def test_rounded(value, digits, written):
    assert rounded(value, digits) == written


def test_digits_follow_the_deviation():
    assert with_deviation(-9.80665, 0.02) == "−9.807"
    assert with_deviation(0.15, 0.2) == "0.15"
    assert with_deviation(3.0, 0.0) == "3.00000"
    assert with_deviation(1234567.0, 30.0) == "1,234,567"


@pytest.mark.parametrize(
    ("value", "written"), [(0.5, "50 %"), (0.0123, "1.2 %"), (0.0, "0 %"), (np.nan, "not known")]
)
def test_shares(value, written):
    assert share(value) == written
