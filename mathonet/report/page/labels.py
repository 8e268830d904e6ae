"""Labels of axes and figures behind numbers: names with their units, and time by its own name."""

import re

from mathonet.data.units import time_unit, written
from mathonet.report.names import spoken
from mathonet.report.page.numerals import SUPERSCRIPT
from mathonet.report.page.subject import Subject


def with_unit(name: str, unit: str) -> str:
    """`prey [thousands]`; a name alone where no unit is known."""
    return f"{name} [{raised(unit)}]" if unit else name


def of_time(subject: Subject) -> str:
    """`t`, `t [s]` or `Year`, whose unit goes without saying."""
    units = subject.system.units
    named = time_unit(units.time_name)
    return with_unit(
        units.time_name, "" if named is not None and named == time_unit(units.time) else units.time
    )


def of_state(subject: Subject, name: str) -> str:
    """A state or an input; the velocity of a position q is q'."""
    return with_unit(spoken(subject.discovery, name), subject.system.units.of.get(name, ""))


def of_equation(subject: Subject, name: str) -> str:
    """The left-hand side of a state's equation."""
    return f"{name}_t" if subject.field is not None else f"{spoken(subject.discovery, name)}'"


def of_rate(subject: Subject, name: str, of: str = "") -> str:
    """The derivative of a state, such as `prey' of the data [thousands/year]`."""
    return with_unit(f"{of_equation(subject, name)}{of}", rate_unit(subject, name))


def rate_unit(subject: Subject, name: str) -> str:
    """The unit of a state's derivative."""
    unit = written(subject.system.units.rate(name))
    return "" if unit == "1" else unit


def behind(value: str, unit: str) -> str:
    """A number with its unit: `0.133 1/s`."""
    return f"{value} {raised(unit)}" if unit else value


def raised(unit: str) -> str:
    """A unit with its powers above the line: m/s² for m/s^2."""
    return re.sub(r"\^(-?\d+)", lambda power: power[1].translate(SUPERSCRIPT), unit)
