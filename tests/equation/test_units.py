"""The units of constants make both sides of an equation agree."""

from mathonet.data.units import Units
from mathonet.equation.assembly import constants
from mathonet.equation.expression import apply, number, variable
from mathonet.equation.units import constant_units
from mathonet.operations import get

UNITS = Units({"x": "m", "y": "V"}, "s")


def test_of_polynomials():
    form = variable(0).scale(2.0) + (variable(0) * variable(1)).scale(3.0) + number(4.0)
    found = dict(zip(constants(form), constant_units(form, "x", ("x", "y"), UNITS), strict=True))
    assert found == {2.0: "1/s", 3.0: "1/(s V)", 4.0: "m/s"}


def test_inside_a_sine_nothing_has_a_unit():
    form = apply(get("sin"), variable(1).scale(2.0) + number(0.5)).scale(3.0)
    found = dict(zip(constants(form), constant_units(form, "x", ("x", "y"), UNITS), strict=True))
    assert found == {3.0: "m/s", 2.0: "1/V", 0.5: "1"}


def test_below_a_quotient_a_constant_has_the_unit_of_its_neighbour():
    form = (variable(0) * apply(get("inv"), variable(0) + number(0.5))).scale(3.0)
    found = dict(zip(constants(form), constant_units(form, "x", ("x", "y"), UNITS), strict=True))
    assert found == {3.0: "m/s", 0.5: "m"}


def test_a_unit_that_is_not_known_may_cancel():
    form = variable(0).scale(2.0) + number(4.0)
    found = dict(zip(constants(form), constant_units(form, "x", ("x",), Units(time="s")), strict=True))
    assert found == {2.0: "1/s", 4.0: ""}
