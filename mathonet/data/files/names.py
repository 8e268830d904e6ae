"""What the names of columns say: times, derivatives, inputs, experiments, counters."""

import re

from mathonet.data.units import is_time_unit, split_label

DERIVATIVE_FORMS = ("d{0}/dt", "d{0}dt", "{0}_dot", "{0}dot", "d{0}", "{0}'", "d_{0}_dt")
_TIME = {"t", "time", "times", "zeit", "tiempo", "temps", "tempo", "elapsed", "elapsed time", "time elapsed"}
_DATE = {
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
}
_CALENDAR = {"year", "month", "week", "day", "hour", "minute", "second", "jahr", "monat", "tag", "stunde"}
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
    if single in _CALENDAR or (is_time_unit(plain) and len(plain) > 1):
        return 2
    return 3 if "time" in said or "timestamp" in said else None


def is_time(name: str) -> bool:
    """Whether a name is that of times."""
    return time_tier(name) == 0


def is_calendar(name: str) -> bool:
    """Whether a name is that of a date or a part of one, which is nothing that was measured."""
    said = " ".join(words(name))
    return said in _DATE or said in _CALENDAR or said.removesuffix("s") in _CALENDAR


def derivative_names(state: str) -> list[str]:
    """How the derivative of a state may be called."""
    return [form.format(state) for form in DERIVATIVE_FORMS]


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
