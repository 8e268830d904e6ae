"""The coefficient table: every constant with its interval, in as many digits as it has."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from markupsafe import Markup

from mathonet.equation.assembly import zero_free
from mathonet.report.page import mathml
from mathonet.report.page.labels import raised
from mathonet.report.page.numerals import rounded, share, with_deviation
from mathonet.report.page.subject import Subject

ROUNDING = 1e-10


@dataclass(frozen=True)
class Coefficient:
    """One row: whose equation, which term, the value with its 95 % interval and unit, how uncertain it is."""

    left: Markup
    term: Markup
    value: str
    low: str
    high: str
    uncertain: str
    unit: str = ""


def coefficients(subject: Subject) -> list[Coefficient]:
    """The rows, in the order of the equations."""
    found, known = [], subject.system.coefficients()
    for number in subject.telling:
        line = subject.lines[number]
        if subject.field is None:
            table = known[known["target"] == line.target]
            terms = mathml.labels(zero_free(line.expression), line.symbols)
        else:
            table = subject.estimator.coefficients_
            table = table[table["target"] == line.target]
            terms = [mathml.written(term, line.symbols) for term in line.expression.terms]
        left, rows = mathml.inline(line.left), pd.DataFrame(table).to_dict("records")
        found += [
            replace(_row(left, term, row), unit=_unit(row)) for term, row in zip(terms, rows, strict=True)
        ]
    return found


def _unit(row: dict) -> str:
    """What stands behind the value; a plain number has none."""
    unit = row.get("unit", "")
    return "" if unit == "1" else raised(unit)


def _row(left: Markup, term: Markup, row: dict) -> Coefficient:
    value, std, low, high = (float(row[key]) for key in ("value", "std", "low", "high"))
    if not np.isfinite(std):
        return Coefficient(left, term, rounded(value, 6), "—", "—", "not known")
    if std == 0:
        return Coefficient(left, term, rounded(value, 6), "—", "—", "fixed")
    half = (high - low) / 2
    if half <= ROUNDING * abs(value):
        return Coefficient(left, term, rounded(value, 8), "—", "—", "to rounding")
    shown, least, most = (with_deviation(each, std) for each in (value, low, high))
    return Coefficient(left, term, shown, least, most, f"± {share(half / abs(value))}" if value else "—")
