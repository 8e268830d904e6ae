"""Remarks on what was measured: a course that a law of the kind that is looked for cannot have."""

import numpy as np

from mathonet.data.choice import tell
from mathonet.data.jumps import moves_in_jumps
from mathonet.data.trajectory import Trajectory

_WINDOW = 9
"""Samples over which a course is averaged before its turns are counted."""
_TURNS = 4
"""Turns from which on a course swings."""
_LARGE = 0.1
"""Least size of a swing that counts, as a share of the course's range."""
_DRIFT = (0.1, 0.98)
"""Share of a swinging course's variance that a straight line explains, if it drifts."""


def remark_on(trajectories: list[Trajectory], order: int) -> None:
    """Say what the course of the states suggests beyond what was asked for."""
    first = trajectories[0]
    if first.x_dot is not None:
        return
    if order == 1 and len(first.names) == 1 and not first.input_names:
        if all(moves_in_jumps(each.x[:, 0]) for each in trajectories):
            tell(
                f"{first.names[0]!r} moves in jumps, which no differential equation follows. Measure it more "
                "often, or beside what it acts on, as an input."
            )
        elif any(turns(each.x[:, 0]) >= _TURNS for each in trajectories):
            tell(
                f"{first.names[0]!r} swings, and no law of first order of one state does. Looking for one of "
                "second order is the option 'order', 2."
            )
        return
    if first.time_name in first.input_names:
        return
    for number, name in enumerate(first.names):
        if all(drifts(each.t, each.x[:, number]) for each in trajectories):
            tell(
                f"{name!r} drifts while it swings. If something changes with time, let the law depend on it: "
                f"name {first.time_name!r} with the option 'inputs' as well."
            )


def turns(x: np.ndarray) -> int:
    """How often a course turns by more than a tenth of its range, noise averaged away."""
    x = x[np.isfinite(x)]
    if len(x) < 3 * _WINDOW:
        return 0
    smooth = np.convolve(x, np.full(_WINDOW, 1.0 / _WINDOW), mode="valid")
    least = _LARGE * np.ptp(smooth)
    count, low, high, rising = 0, smooth[0], smooth[0], None
    for value in smooth.tolist():
        low, high = min(low, value), max(high, value)
        if rising is not False and value < high - least:
            count, rising, low = count + (rising is True), False, value
        elif rising is not True and value > low + least:
            count, rising, high = count + (rising is False), True, value
    return count


def drifts(t: np.ndarray, x: np.ndarray) -> bool:
    """Whether a course swings about a line that rises or falls."""
    seen = np.isfinite(x)
    t, x = t[seen], x[seen]
    if len(x) < 3 * _WINDOW or not np.ptp(x) > 0:
        return False
    line = np.polynomial.Polynomial.fit(t, x, 1)(t)
    share = np.var(line) / np.var(x)
    return bool(_DRIFT[0] < share < _DRIFT[1] and turns(x - line) >= 2 * _TURNS)
