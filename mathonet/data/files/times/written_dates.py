"""Dates and clock times in words, by halves of a day, quarters or weeks, as dates in figures."""

import datetime
import re
import unicodedata

_MONTHS = (
    "january januar janvier enero gennaio janeiro januari janner ene gen",
    "february februar fevrier febrero febbraio fevereiro februari",
    "march marz mars marzo marco maart mrt mrz",
    "april avril abril aprile avr abr",
    "may mai mayo maggio maio mei mag",
    "june juni juin junio giugno junho giu",
    "july juli juillet julio luglio julho lug",
    "august aout agosto augustus ago",
    "september septembre septiembre settembre setembro set",
    "october oktober octobre octubre ottobre outubro okt ott out",
    "november novembre noviembre novembro",
    "december dezember decembre diciembre dicembre dezembro dez dic",
)
"""Names of the months in several languages, without accents, and short forms that are no beginnings."""
_SHORTEST = 3
_CLOCK = r"(?P<clock>[T ]*\d{1,2}:\d\d.*)?"
_SHAPES = tuple(
    re.compile(shape)
    for shape in (
        # 25 Mar 2024, 25-Mar-24, 1. März 2024 12:30; Mar 25, 2024; 2024 Mar 25; Mar 2024; and as C writes it
        rf"(?P<day>\d{{1,2}})[. -]*(?P<month>[^\W\d_]{{3,10}})[.]?[ ,-]*(?P<year>\d{{4}}|\d\d){_CLOCK}",
        rf"(?P<month>[^\W\d_]{{3,10}})[.]?[ -]+(?P<day>\d{{1,2}})(st|nd|rd|th)?[, -]+(?P<year>\d{{4}})"
        rf"{_CLOCK}",
        rf"(?P<year>\d{{4}})[ -]+(?P<month>[^\W\d_]{{3,10}})[.]?[ -]+(?P<day>\d{{1,2}}){_CLOCK}",
        r"(?P<month>[^\W\d_]{3,10})[. -]+(?P<year>\d{4})",
        r"(?P<year>\d{4})[ -]+(?P<month>[^\W\d_]{3,10})",
        r"(?P<month>[^\W\d_]{3}) +(?P<day>\d{1,2})(?P<clock> \d{1,2}:\d\d:\d\d) (?P<year>\d{4})",
    )
)
_PLAIN = re.compile(r"[\d\W]*|\d{4}-\d\d-\d\dT[\d:.,+-]*Z?")
"""No letters but those of ISO's dates: most columns are so, and are looked at quickly."""
_WEEKDAY = re.compile(r"[^\W\d_]{2,10}[.]?,? +(?=\d{1,2}[. -]|[^\W\d_]{3,10}[.]? +\d)")
_HALVES = re.compile(
    r"(?P<before>.*?)(?P<hour>\d{1,2})(?P<rest>(:\d\d){1,2}([.,]\d+)?)\s*(?P<half>[AaPp])\.?[Mm]\.?"
)
_FRENCH = re.compile(r"(?P<hour>\d{1,2}) ?[hH] ?(?P<minute>\d\d)")
_QUARTER = re.compile(r"(?P<year>\d{4})[ -]?[Qq](?P<quarter>[1-4])")
_WEEK = re.compile(r"(?P<year>\d{4})[ -]?W(?P<week>\d\d)(-(?P<day>[1-7]))?")


def in_figures(text: str) -> str:
    """A date or clock time in figures, such as 2024-03-25 20:15; other texts, and most dates, as they are."""
    text = text.strip()
    if _PLAIN.fullmatch(text):
        return text
    text = _HALVES.sub(_by_day, text) if _HALVES.fullmatch(text) else text
    found = _FRENCH.fullmatch(text)
    if found is not None:
        return f"{found['hour']}:{found['minute']}"
    found = _QUARTER.fullmatch(text)
    if found is not None:
        return f"{found['year']}-{3 * int(found['quarter']) - 2:02}-01"
    found = _WEEK.fullmatch(text)
    if found is not None:
        return _of_week(text, found)
    for candidate in (text, _WEEKDAY.sub("", text, count=1)):
        for shape in _SHAPES:
            found = shape.fullmatch(candidate)
            month = month_number(found["month"]) if found is not None else None
            if found is not None and month is not None:
                return _iso(found.groupdict(), month)
    return text


def month_number(name: str) -> int | None:
    """The month that a name or its beginning means, 1 to 12; None if it is none, or one of several."""
    plain = unicodedata.normalize("NFKD", name.strip().lower().rstrip("."))
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    if len(plain) < _SHORTEST:
        return None
    found = [
        n for n, names in enumerate(_MONTHS, start=1) if any(each.startswith(plain) for each in names.split())
    ]
    return found[0] if len(found) == 1 else None


def _by_day(found: re.Match[str]) -> str:
    """A clock of two times twelve hours as one of 24; what is none stays."""
    hour = int(found["hour"])
    if not 1 <= hour <= 12:
        return found[0]
    hour = hour % 12 + (12 if found["half"].lower() == "p" else 0)
    return f"{found['before']}{hour:02}{found['rest']}"


def _of_week(text: str, found: re.Match[str]) -> str:
    try:
        day = datetime.date.fromisocalendar(int(found["year"]), int(found["week"]), int(found["day"] or 1))
    except ValueError:
        return text
    return day.isoformat()


def _iso(parts: dict[str, str | None], month: int) -> str:
    year = parts["year"] or ""
    if len(year) == 2:
        year = str(datetime.datetime.strptime(year, "%y").year)
    clock = (parts.get("clock") or "").strip("T ")
    if re.match(r"\d:", clock):
        clock = f"0{clock}"
    return f"{year}-{month:02}-{int(parts.get('day') or 1):02} {clock}".strip()
