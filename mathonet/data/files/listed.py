"""Names of columns and options in sentences."""

from collections.abc import Iterable

from mathonet.printable import shortened

_MOST = 12
"""Names that a sentence has at most."""


def listed(names: Iterable[str]) -> str:
    """Names in quotes, not more than one can read."""
    every = list(names)
    shown = ", ".join(repr(shortened(str(name), 60)) for name in every[:_MOST])
    return shown if len(every) <= _MOST else f"{shown} and {len(every) - _MOST:,} more"


def say(option: str, what: str) -> str:
    """Where to say something, in words that fit Python's argument and the command line's option alike."""
    return f"Say {what} with the option '{option}'."
