"""What the names of columns say: times, derivatives, inputs, experiments, counters."""

import re
from collections.abc import Collection

from mathonet.data.units import is_time_unit, split_label

DERIVATIVE_FORMS = ("d{0}/dt", "d{0}dt", "{0}_dot", "{0}dot", "d{0}", "{0}'", "d_{0}_dt")
_TIME = {
    *("t", "time", "times", "zeit", "tiempo", "temps", "tempo", "tijd", "tid"),
    *("elapsed", "elapsed time", "time elapsed"),
}
_DATE = {
    *(
        "date",
        "datetime",
        "date time",
        "timestamp",
        "time stamp",
        "datum",
        "fecha",
        "epoch",
        "unix time",
        "ts",
    ),
    *("zeitstempel", "datum zeit", "datum uhrzeit", "fecha hora", "date heure", "horodatage", "data ora"),
}
_CLOCK = {
    "clock",
    "uhrzeit",
    "uhr",
    "heure",
    "hora",
    "ora",
    "horario",
    "klockslag",
    "time of day",
    "local time",
}
_PARTS = {
    "year": "jahr|annee|année|año|ano|anno|jaar|år",
    "month": "monat|mois|mes|mês|mese|maand",
    "day": "tag|jour|dia|día|giorno|dag",
    "doy": "day of year|dayofyear|julian day|jday|yday",
    "hour": "stunde|heure|hora|ora|uur",
    "minute": "min|minuto|minuut",
    "second": "sec|sekunde|seconde|segundo|secondo",
}
PARTS = {each: part for part, others in _PARTS.items() for each in (part, *others.split("|"))}
"""What columns that tell parts of a date are called, and which part each is."""
_CALENDAR = {*PARTS} - {"min", "sec"} | {"week", "woche", "semaine", "semana", "quarter"}
_ERRORS = "error|err|std|stdev|std dev|sd|sigma|se|sem|unc|uncertainty|fehler|unsicherheit"
_AGGREGATE = {"max", "mean", "avg", "average", "median", "std", "sd", "maximum"}
_EXPERIMENT = {
    *("experiment", "run", "trial", "trajectory", "series", "replicate", "id"),
    *(
        "subject",
        "animal",
        "mouse",
        "rat",
        "patient",
        "participant",
        "batch",
        "batches",
        "session",
        "specimen",
    ),
}
_NUMBERING = {"id", "no", "nr", "num", "number", "name"}
_COUNTER = {
    "index",
    "idx",
    "i",
    "n",
    "no",
    "nr",
    "row",
    "sample",
    "record",
    "obs",
    "observation",
    "#",
    "count",
    "counter",
}
_INPUT = {
    "u",
    "input",
    "inputs",
    "control",
    "controls",
    "forcing",
    "force",
    "action",
    "actuation",
    "drive",
    "excitation",
}


def words(name: str) -> list[str]:
    """The words of a name in small letters: timeSinceStart, time_since_start and time since start alike."""
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return re.sub(r"[\W_]+", " ", name).lower().split()


def time_tier(name: str) -> int | None:
    """How surely a name is that of times: 0 for t and time, then dates, then years and days, then phrases."""
    said = words(split_label(name)[0])
    plain = " ".join(said)
    if plain in _TIME:
        return 0
    if plain in _DATE:
        return 1
    single = plain.removesuffix("s")
    if plain in _CALENDAR or single in _CALENDAR or (is_time_unit(plain) and len(plain) > 1):
        return 2
    # A second column of times has a number behind its name; T2 is rather a temperature.
    stems = [re.sub(r"(?<=\w{4})\d+$", "", each) for each in said]
    if any(each in ("time", "timestamp", "zeit", "zeitstempel") for each in stems):
        return 3
    last = name.split()[-1:] if len(said) > 1 else []
    return 3 if last and last[0] != "T" and last[0].lower() in _TIME else None


def is_time(name: str) -> bool:
    """Whether a name is that of times."""
    return time_tier(name) == 0


def is_clock(name: str) -> bool:
    """Whether a name is that of times of a day."""
    said = " ".join(words(split_label(name)[0]))
    return said in _CLOCK or time_tier(name) in (0, 3)


def says_date(name: str) -> bool:
    """Whether a name says that dates are meant, in one of some languages."""
    return bool({"date", "datum", "fecha", "datetime", "data"} & set(words(split_label(name)[0])))


def part_of_date(name: str) -> str | None:
    """The part of a date that a column is called after: year, month, day, doy, hour, minute or second."""
    said = " ".join(words(name))
    return PARTS.get(said) or PARTS.get(said.removesuffix("s"))


def is_minimum(name: str, names: Collection[str]) -> bool:
    """Whether `min` means the least and not minutes: the largest or the mean stand beside it."""
    said = words(name)
    return said == ["min"] and any(words(other)[-1:] and words(other)[-1] in _AGGREGATE for other in names)


def is_calendar(name: str) -> bool:
    """Whether a name is that of a date or a part of one, which is nothing that was measured."""
    said = " ".join(words(name))
    return said in _DATE or said in _CALENDAR or said.removesuffix("s") in _CALENDAR


def derivative_names(state: str) -> list[str]:
    """How the derivative of a state may be called."""
    return [form.format(state) for form in DERIVATIVE_FORMS]


def of_error(name: str, names: Collection[str]) -> str | None:
    """The column whose errors a column is called after, as x_err beside x, or ± behind it; None if none."""
    said = name.strip()
    if re.fullmatch(r"(±|\+/-|\+-)(_\d+)?", said):
        before = list(names)[: list(names).index(name)]
        return before[-1] if before else None
    for shape in (
        rf"(.+?)[ _.-]({_ERRORS})",
        rf"({_ERRORS})[ _.-](.+)",
        r"(.+?) ?(±|\+/-)",
        r"(±|\+/-) ?(.+)",
    ):
        found = re.fullmatch(shape, said, re.IGNORECASE)
        if found is not None:
            base = next((each for each in found.groups() if each in names and each != name), None)
            if base is not None:
                return base
    return None


def is_experiment(name: str) -> bool:
    """Whether a name is that of experiments, such as run, trial no or series_id."""
    said = words(name.replace("#", " no "))
    return bool(said) and said[0] in _EXPERIMENT and all(each in _NUMBERING for each in said[1:])


def is_counter(name: str) -> bool:
    """Whether a name is that of numbers of rows."""
    said = words(name) or [name.strip()]
    return said[0] in _COUNTER or bool(re.fullmatch(r"column \d+|unnamed.*", " ".join(said)))


def is_input(name: str) -> bool:
    """Whether a name is that of something that acts from outside."""
    said = words(split_label(name)[0])
    return len(said) == 1 and re.sub(r"\d+$", "", said[0]) in _INPUT
