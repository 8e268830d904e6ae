"""Methods of the recovery benchmarks: the whole search, parts of it, and the peer."""

from collections.abc import Sequence

from mathonet.errors import ConfigError
from mathonet.experiments.bench.recovery.cases import Case
from mathonet.search.effort import PROPOSERS

OURS: dict[str, tuple[str, ...] | None] = {
    "ours": None,
    "blocks": tuple(name for name in PROPOSERS if name != "networks"),
    "networks": ("networks",),
}
"""Our methods, and the names of the proposers that each asks; None for those of the defaults."""
METHODS = (*OURS, "pysindy")


def chosen(wanted: Sequence[str] | None) -> tuple[str, ...]:
    """Those of our methods that are asked for, in the order of the tables.

    Raises:
        ConfigError: one is none of ours.
    """
    for name in wanted or ():
        if name not in OURS:
            raise ConfigError(f"{name!r} is no method of ours. There are {', '.join(OURS)}.")
    return tuple(name for name in OURS if name in (wanted or ("ours",)))


def answer(method: str, case: Case, seed: int) -> dict:
    """What a method finds, and its scores."""
    if method in OURS:
        from mathonet.experiments.bench.recovery.ours import answer as ours

        return ours(case, seed) if OURS[method] is None else ours(case, seed, OURS[method])
    from mathonet.experiments.bench.recovery.peers import answer as peers

    return peers(case, seed)
