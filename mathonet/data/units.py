"""Units: told from the labels of columns, multiplied and divided, and written; never inside equations."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

Powers = dict[str, Fraction]
"""A unit as powers of its symbols; one that is not known is a symbol of its own, see `UNKNOWN`."""
UNKNOWN = "?"
"""Begins the symbol of a unit that is not known: it may cancel, and is never written."""
TIME_UNITS = {
    "ns": 1e-9,
    "us": 1e-6,
    "ms": 1e-3,
    "s": 1.0,
    "min": 60.0,
    "h": 3600.0,
    "day": 86400.0,
    "week": 604800.0,
    "month": 365.2425 / 12 * 86400.0,
    "year": 365.2425 * 86400.0,
}
"""Seconds of the units that times come in, by the name that is written."""
_TIME_NAMES = {
    "ns": "nanosecond nanoseconds nanosec nsec",
    "us": "µs μs microsecond microseconds microsec usec",
    "ms": "millisecond milliseconds millisec msec millis",
    "s": "sec secs second seconds",
    "min": "mins minute minutes",
    "h": "hr hrs hour hours",
    "day": "d days",
    "week": "wk weeks",
    "month": "mo months",
    "year": "yr yrs years annum",
}
_TIME_SYNONYMS = {other: unit for unit, others in _TIME_NAMES.items() for other in (unit, *others.split())}
_PREFIXES = "numcdkMGT"
_METRIC = "m g s A K mol M V W N J Pa Hz L l F C T eV Ohm"
_PLAIN = (
    "% ppm ppb deg rad rpm degC degF °C °F mmHg bar mbar psi atm min h hr hours sec day days week year years "
    "hPa cells individuals kph mph kmh"
)
_SYMBOLS = {
    *_PLAIN.split(),
    *_METRIC.split(),
    *(p + u for p in _PREFIXES for u in _METRIC.split()),
}
"""Symbols that a name may end with, as in `speed_m_s`; behind brackets anything is a unit."""
_SQUARE = re.compile(r"(?P<name>.*\S)\s*\[(?P<unit>[^\[\]]*)\]")
_ROUND = re.compile(r"(?P<name>.*\S)\s+\((?P<unit>[^()]*|[^()]*\([^()]*\)[^()]*)\)")
_AMBIGUOUS = {"bar", "atm", "sec"}
"""Symbols that as a suffix mean a mean, a place or a section as often as a unit."""
_TOKEN = re.compile(
    r"(?P<symbol>[^\W\d_]+|[%°µμ'\"]+[^\W\d_]*|1)\s*(\^|\*\*)?(?P<power>\(?[-+]?\d{1,3}(/[1-9]\d{0,2})?\)?)?"
)
_SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
TIME_STEMS = {"t", "time", "elapsed", "elapsed_time", "duration", "age", "timestamp"}
"""Names of times, behind which a unit of time is meant as such."""
_WORD = 3
"""Letters from which on a name counts as a word, behind which even a unit of one letter is meant as such."""


def split_label(label: str) -> tuple[str, str]:
    """A column's label as name and unit: `x [m]`, `V (V)` and `speed_m_s` have one; "" where there is none.

    A suffix counts only where it cannot well be part of the name: `V_m`, `x_1`, `temp_min` and `p_bar` stay.
    """
    label = label.strip()
    match = _SQUARE.fullmatch(label)
    if match is None:
        match = _ROUND.fullmatch(label)
        if match is not None and (match["unit"].strip().isdecimal() or not looks_like_unit(match["unit"])):
            return label, ""
    if match is not None:
        return match["name"].strip(" ,:_"), match["unit"].strip()
    parts = label.split("_")
    for first in range(1, len(parts)):
        stem, tail = "_".join(parts[:first]), parts[first:]
        if _is_suffix(stem, tail):
            return stem, "/".join(_with_power(each) for each in tail)
    return label, ""


def looks_like_unit(text: str) -> bool:
    """Whether all symbols of a text are those of known units; "1", "-" and "a.u." stand for none."""
    if text.strip().lower() in ("1", "-", "–", "a.u.", "au", "arb. units", "none", "unitless"):
        return True
    symbols = [symbol for symbol in parse(text) if not symbol.startswith(UNKNOWN)]
    return bool(symbols) and all(each in _SYMBOLS or is_time_unit(each) for each in symbols)


def _is_suffix(stem: str, tail: list[str]) -> bool:
    symbols = [re.fullmatch(r"(\D+)([23]?)", each) for each in tail]
    if not stem.strip() or any(each is None or each[1] not in _SYMBOLS for each in symbols):
        return False
    if len(tail) > 1:
        return True
    if is_time_unit(tail[0]):
        return stem.lower() in TIME_STEMS and stem != "T"
    word = sum(letter.isalpha() for letter in stem) >= _WORD
    return tail[0] not in _AMBIGUOUS and (word or len(tail[0]) > 1)


def _with_power(part: str) -> str:
    return f"{part[:-1]}^{part[-1]}" if part[-1].isdigit() else part


def is_time_unit(text: str) -> bool:
    """Whether a text names a unit of time, in any usual spelling."""
    return time_unit(text) is not None


def time_unit(text: str) -> str | None:
    """The unit of time that a text names, as in `TIME_UNITS`; None if it names none."""
    text = text.strip().rstrip(".")
    # One letter is what it is: A is no year and S no second.
    return _TIME_SYNONYMS.get(text if len(text) == 1 else text.lower())


def parse(unit: str, name: str = "") -> Powers:
    """Powers of the symbols of a unit; what cannot be read is one symbol, and "" that of a name's unknown."""
    text = unit.strip().translate(_SUPERSCRIPTS)
    if not text:
        return {f"{UNKNOWN}{name}": Fraction(1)}
    found: Powers = {}
    above, place, grouped = 1, 0, False
    while place < len(text):
        mark = text[place]
        match = _TOKEN.match(text, place)
        if mark == "/":
            above = -1
        elif mark == "(" and not grouped:
            grouped = True
        elif mark == ")" and grouped:
            grouped, above = False, 1
        elif match is not None:
            power = Fraction((match["power"] or "1").strip("()")) * above
            if match["symbol"] != "1":
                found[match["symbol"]] = found.get(match["symbol"], Fraction(0)) + power
            place = match.end() - 1
            above = above if grouped else 1
        elif mark not in " *·⋅.":
            return {unit.strip(): Fraction(1)}
        place += 1
    return found


def product(parts: Iterable[tuple[Powers, Fraction | int]]) -> Powers:
    """The product of units, each with its power."""
    found: Powers = {}
    for unit, power in parts:
        for symbol, own in unit.items():
            found[symbol] = found.get(symbol, Fraction(0)) + own * power
    return {symbol: power for symbol, power in found.items() if power}


def written(unit: Powers) -> str:
    """A unit such as `m/s^2` or `1/(V s)`; "1" where all cancels, and "" where a part is not known."""
    if any(symbol.startswith(UNKNOWN) for symbol in unit):
        return ""
    above = [_power(symbol, power) for symbol, power in unit.items() if power > 0]
    below = [_power(symbol, -power) for symbol, power in unit.items() if power < 0]
    top = " ".join(above) or "1"
    if not below:
        return top
    return f"{top}/{below[0]}" if len(below) == 1 else f"{top}/({' '.join(below)})"


def _power(symbol: str, power: Fraction) -> str:
    if " " in symbol or "/" in symbol:
        symbol = f"({symbol})"
    if power == 1:
        return symbol
    return f"{symbol}^{power}" if power.denominator == 1 else f"{symbol}^({power})"


@dataclass(frozen=True)
class Units:
    """Units of a system's columns and of its time, as they were written; "" where one is not known.

    Attributes:
        of: by name of the state or input.
        time: that of time.
        time_name: what time is called.
    """

    of: Mapping[str, str] = field(default_factory=dict)
    time: str = ""
    time_name: str = "t"

    @property
    def known(self) -> bool:
        """Whether any unit is."""
        return bool(self.time or any(self.of.values()))

    def column(self, name: str) -> Powers:
        """The unit of a state or input."""
        return parse(self.of.get(name, ""), name)

    def rate(self, name: str) -> Powers:
        """The unit of a state's derivative."""
        return product([(self.column(name), 1), (parse(self.time, "t "), -1)])
