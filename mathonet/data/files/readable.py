"""Names that would read as mathematics in an equation, such as a+b or x', are replaced, aloud."""

import re
from collections.abc import Sequence

from mathonet.data.choice import tell

_SIGNS = {"'": " prime", "′": " prime", "+": " plus ", "*": " times ", "·": " times ", "/": " per ", "^": " "}
_OTHERS = re.compile(r"[-−–=<>|&!~(){}\[\],;]+")
"""Signs that are no part of a name."""
_FUNCTIONS = {"sin", "cos", "tan", "exp", "log", "ln", "sqrt", "abs", "tanh", "inv", "square", "cube"}
_NUMBER = re.compile(r"[\d.\s]+")


def readable(names: Sequence[str]) -> dict[str, str]:
    """What states and inputs are called in equations, by their names; every change is told."""
    found: dict[str, str] = {}
    taken = set(names)
    for name in names:
        called = _words(name)
        if called != name:
            while called in taken:
                called += "_"
            taken.add(called)
            tell(f"Column {name!r} is called {called!r}: in an equation its name would read as mathematics.")
        found[name] = called
    return found


def _words(name: str) -> str:
    if name in _FUNCTIONS:
        return f"{name}_value"
    if not any(sign in name for sign in _SIGNS) and not _OTHERS.search(name) and not _NUMBER.fullmatch(name):
        return name
    for sign, word in _SIGNS.items():
        name = name.replace(sign, word)
    said = "_".join(_OTHERS.sub(" ", name).split())
    return f"x{said}" if not said or _NUMBER.fullmatch(said) else said
