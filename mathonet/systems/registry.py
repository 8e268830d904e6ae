"""The built-in systems by name."""

import difflib
from collections.abc import Callable

from mathonet.errors import ConfigError
from mathonet.systems import chaos, oscillators, populations
from mathonet.systems.system import System

# Kept as functions so that building the SymPy expressions waits until a system is asked for.
_SYSTEMS: dict[str, Callable[[], System]] = {
    "lorenz": chaos.lorenz,
    "lotka-volterra": populations.lotka_volterra,
    "van-der-pol": oscillators.van_der_pol,
    "pendulum": oscillators.pendulum,
    "roessler": chaos.roessler,
    "duffing": oscillators.duffing,
    "sir": populations.sir,
    "fitzhugh-nagumo": oscillators.fitzhugh_nagumo,
}


def names() -> tuple[str, ...]:
    """The names of the built-in systems."""
    return tuple(_SYSTEMS)


def get(name: str) -> System:
    """Look up a system; case, underscores and blanks do not matter.

    Raises:
        ConfigError: If no system has this name.
    """
    wanted = str(name).strip().lower().replace("_", "-").replace(" ", "-")
    if wanted in _SYSTEMS:
        return _SYSTEMS[wanted]()
    close = difflib.get_close_matches(wanted, _SYSTEMS, n=1)
    suggestion = f" Did you mean {close[0]!r}?" if close else ""
    raise ConfigError(f"Unknown system {name!r}.{suggestion} Known systems: {', '.join(_SYSTEMS)}.")


def all_systems() -> tuple[System, ...]:
    """Every built-in system."""
    return tuple(build() for build in _SYSTEMS.values())
