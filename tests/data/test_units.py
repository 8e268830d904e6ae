from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathonet.data.units import Units, looks_like_unit, parse, product, split_label, time_unit, written


@pytest.mark.parametrize(
    ("label", "name", "unit"),
    [
        ("x [m]", "x", "m"),
        ("V (V)", "V", "V"),
        ("speed_m_s", "speed", "m/s"),
        ("acc_m_s2", "acc", "m/s^2"),
        ("time_s", "time", "s"),
        ("A_mM", "A", "mM"),
        ("t_min", "t", "min"),
        ("Temperature (°C)", "Temperature", "°C"),
        ("prey population [thousands]", "prey population", "thousands"),
        ("x (1/(V s))", "x", "1/(V s)"),
    ],
)
def test_a_label_is_split_into_name_and_unit(label: str, name: str, unit: str):
    assert split_label(label) == (name, unit)


@pytest.mark.parametrize(
    "label",
    ["V_m", "x_1", "x_dot", "temp_min", "p_bar", "k_s", "N(t)", "N (t)", "temp (inside)", "[m]", "_s", ""],
)
def test_what_may_belong_to_the_name_stays_there(label: str):
    assert split_label(label) == (label, "")


@pytest.mark.parametrize(
    "unit", ["m/s", "m/s^2", "1/s", "kg m^2", "1/(V s)", "%", "mmol/L", "thousands of pelts"]
)
def test_units_are_written_as_they_are_read(unit: str):
    assert written(parse(unit)) == unit


def test_other_ways_to_write_a_unit():
    assert written(parse("m s^-1")) == written(parse("m·s⁻¹")) == "m/s"
    assert written(parse("m**2")) == written(parse("m²")) == "m^2"
    assert parse("5 < 3?") == {"5 < 3?": 1}


def test_a_part_that_is_not_known_may_cancel_and_is_never_written():
    x, second = parse("", "x"), parse("s")
    assert written(product([(x, 1), (x, -1), (second, -1)])) == "1/s"
    assert written(product([(x, 1), (second, -1)])) == ""


def test_times():
    assert [time_unit(each) for each in ("sec", "Hours", "yr", "d", "µs", "m")] == [
        "s",
        "h",
        "year",
        "day",
        "us",
        None,
    ]
    assert written(Units({"x": "m"}, "s").rate("x")) == "m/s"


def test_what_looks_like_a_unit():
    assert all(map(looks_like_unit, ["m", "mV", "1/s", "-", "mg/L", "%"]))
    assert not any(map(looks_like_unit, ["", "x", "inside", "lag 2"]))


SYMBOLS = st.sampled_from(["m", "s", "kg", "V", "%"])
POWERS = st.dictionaries(SYMBOLS, st.integers(-3, 3).filter(bool).map(Fraction), min_size=1)


@given(POWERS)
def test_what_is_written_is_read_back(unit: dict[str, Fraction]):
    assert parse(written(unit)) == unit


@given(st.text(max_size=20))
def test_any_text_has_a_name_and_any_unit_is_read(text: str):
    name, unit = split_label(text)
    assert name or not text.strip()
    assert isinstance(written(parse(unit)), str)
