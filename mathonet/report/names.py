"""Names of states as they are shown: the velocity of a position has no name of its own."""

import re

from mathonet.result.discovery import Discovery
from mathonet.search.measurements.measured import VELOCITY

VELOCITY_OF = re.compile(VELOCITY.format("(.+)"))


def position_of(discovery: Discovery, name: str) -> str | None:
    """The measured state whose derivative a state is, in a system of the second order; None of others."""
    measured = discovery.measured
    if measured is None or measured.order != 2:
        return None
    found = VELOCITY_OF.fullmatch(name)
    return found[1] if found and found[1] in measured.trajectories[0].names else None


def spoken(discovery: Discovery, name: str) -> str:
    """A state's name as it is shown: the velocity of a position q is q'."""
    position = position_of(discovery, name)
    return name if position is None else f"{position}'"
