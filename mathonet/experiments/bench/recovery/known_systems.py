"""The known systems of the recovery benchmarks, read from the TOML files in `systems`.

A file holds one table `[[system]]` a system. Its fields are those of `Dynamics`, for our own systems also
`part`: when it was written, and for nested laws `kind`: in what they are nested. The head of each file tells
where its systems come from.
"""

import math
import tomllib
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from itertools import chain
from typing import Any

from mathonet.errors import ConfigError
from mathonet.experiments.bench.recovery.cases import Dynamics

Fields = dict[str, tuple[Callable[[object], Any], str]]
"""By name: how a field is read, and what it must be."""
SCIENCES = (
    "mechanics",
    "chemistry",
    "circuits",
    "epidemiology",
    "neuroscience",
    "ecology",
    "physiology",
)
"""Those of our own systems; each has a file of its systems to tune on."""


@cache
def odebench() -> tuple[Dynamics, ...]:
    """The 63 systems of ODEBench, in its order."""
    return _read("odebench.toml")


@cache
def own() -> tuple[Dynamics, ...]:
    """Our own systems, none of them in ODEBench: those to tune on by science, then those held out."""
    tuning = [_read(f"own-tuning-{science}.toml", OWN_FIELDS) for science in SCIENCES]
    return (*chain.from_iterable(tuning), *_read("own-held-out.toml", OWN_FIELDS, held_out=True))


@cache
def nested() -> tuple[Dynamics, ...]:
    """Laws with sums, quotients and calls inside their calls: those to tune on, then those held out."""
    tuning, held_out = "nested-tuning.toml", "nested-held-out.toml"
    return (*_read(tuning, NESTED_FIELDS), *_read(held_out, NESTED_FIELDS, held_out=True))


def _read(name: str, more: Fields | None = None, held_out: bool = False) -> tuple[Dynamics, ...]:
    file = files("mathonet.experiments.bench.recovery").joinpath("systems", name)
    return parse(file.read_text(encoding="utf-8"), name, more, held_out)


def parse(text: str, source: str, more: Fields | None = None, held_out: bool = False) -> tuple[Dynamics, ...]:
    """The systems in the text of a file, in its order.

    Args:
        text: what the file holds.
        source: its name, for messages.
        more: fields that its systems have beside those of every system, such as `OWN_FIELDS`.
        held_out: whether they are set aside.

    Raises:
        ConfigError: it is no TOML, or a field is missing, unknown or of another kind.
    """
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{source} is no TOML file: {error}.") from error
    tables = found.get("system")
    if list(found) != ["system"] or not isinstance(tables, list) or not all(type(t) is dict for t in tables):
        keys = ", ".join(found) or "nothing"
        raise ConfigError(f"{source} must hold tables [[system]] and nothing else, found {keys}.")
    fields = FIELDS | (more or {})
    systems = []
    for place, table in enumerate(tables, start=1):
        where = f"{source}, system {place} ({table.get('name', 'without a name')})"
        systems.append(_dynamics(table, where, fields, held_out))
    return tuple(systems)


def _dynamics(table: dict[str, Any], where: str, fields: Fields, held_out: bool) -> Dynamics:
    for what, names in (
        ("lacks", fields.keys() - table.keys()),
        ("has unknown fields:", table.keys() - fields.keys()),
    ):
        if names:
            known = ", ".join(fields)
            raise ConfigError(f"{where} {what} {', '.join(sorted(names))}. The fields are {known}.")
    values = {}
    for name, (read, kind) in fields.items():
        try:
            values[name] = read(table[name])
        except (TypeError, ValueError) as error:
            raise ConfigError(f"{where}: {name} must be {kind}, got {table[name]!r}.") from error
    # History and kind are for readers: nothing is chosen or tabled by them.
    values = {name: value for name, value in values.items() if name not in FOR_READERS}
    system = Dynamics(**values, held_out=held_out)
    if {len(each) for each in (system.equations, *system.starts)} != {len(system.states)}:
        raise ConfigError(f"{where} must have an equation, and a number in both starts, for every state.")
    return system


def _text(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise TypeError
    return value


def _texts(value: object) -> tuple[str, ...]:
    return tuple(_text(each) for each in _list(value))


def _number(value: object) -> float:
    # Always a float: records are kept by how a system is written, and 1 is not written as 1.0 is.
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise TypeError
    return float(value)


def _starts(value: object) -> tuple[tuple[float, ...], tuple[float, ...]]:
    first, second = (tuple(_number(each) for each in _list(start)) for start in _list(value))
    return first, second


def _list(value: object) -> list:
    if not isinstance(value, list) or not value:
        raise TypeError
    return value


FIELDS: Fields = {
    "name": (_text, "a text"),
    "title": (_text, "a text"),
    "states": (_texts, "a list of texts"),
    "end": (_number, "a number"),
    "starts": (_starts, "two lists of numbers"),
    "equations": (_texts, "a list of texts"),
}
"""Those of every system."""
OWN_FIELDS: Fields = {"science": (_text, "a text"), "part": (_text, "a text")}
"""Those that our own systems have besides."""
NESTED_FIELDS: Fields = {"science": (_text, "a text"), "kind": (_text, "a text")}
"""Those that nested laws have besides."""
FOR_READERS = ("part", "kind")
"""Those that a system is the same without."""
