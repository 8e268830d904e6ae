"""The built-in systems by name."""

import difflib
from importlib import import_module
from typing import TYPE_CHECKING

from mathonet.errors import ConfigError

if TYPE_CHECKING:
    from mathonet.systems.system import System

# The file of each, imported when a system is asked for: a misspelt name should not wait for SymPy. The
# function there has the system's name with underscores.
_SYSTEMS = {
    "lorenz": "chaos",
    "lotka-volterra": "populations",
    "van-der-pol": "oscillators",
    "pendulum": "oscillators",
    "roessler": "chaos",
    "duffing": "oscillators",
    "sir": "populations",
    "fitzhugh-nagumo": "oscillators",
    "forced-pendulum": "oscillators",
    "falling-body": "motion",
}


def names() -> tuple[str, ...]:
    """The names of the built-in systems."""
    return tuple(_SYSTEMS)


def get(name: str) -> "System":
    """Look up a system; case, underscores and blanks do not matter.

    Raises:
        ConfigError: If no system has this name.
    """
    wanted = str(name).strip().lower().replace("_", "-").replace(" ", "-")
    if wanted in _SYSTEMS:
        return _build(wanted)
    close = difflib.get_close_matches(wanted, _SYSTEMS, n=1)
    suggestion = f" Did you mean {close[0]!r}?" if close else ""
    raise ConfigError(f"Unknown system {name!r}.{suggestion} Known systems: {', '.join(_SYSTEMS)}.")


def all_systems() -> "tuple[System, ...]":
    """Every built-in system."""
    return tuple(map(_build, _SYSTEMS))


def _build(name: str) -> "System":
    return getattr(import_module(f"mathonet.systems.{_SYSTEMS[name]}"), name.replace("-", "_"))()
