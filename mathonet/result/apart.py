"""Each equation on its own: where the law of some states is out of reach, those of others are still found.

A state without a law cannot be followed, and the path of all others suffers with it. So every state is looked
at alone, all others taken as they were smoothed; the states that have a law that way are then fitted
together, driven by the rest.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from mathonet.data.trajectory import Trajectory
from mathonet.equation.equation import Equation
from mathonet.interruption import Watch, watched
from mathonet.result.discovery import Discovery
from mathonet.result.trust import TRUSTED, driven_by
from mathonet.search.effort import ALONE

Search = Callable[[Sequence[Trajectory]], Discovery]


def found_apart(
    search: Search, trajectories: Sequence[Trajectory], found: Discovery
) -> tuple[Discovery, Sequence[Trajectory]]:
    """The states that have a law, driven by those that have none; all states where that brings nothing.

    Args:
        search: finds the equations of trajectories.
        trajectories: states alone, as they were given.
        found: what the search found for all states together.

    Returns:
        What was found, and the trajectories that it was found from: states without a law are inputs.
    """
    names, measured = trajectories[0].names, found.measured
    together = found, trajectories
    if measured is None or not _worth_it(found):
        return together
    smoothed = [
        _course(given, whole.t, smooth.x)
        for given, whole, smooth in zip(trajectories, measured.trajectories, measured.smoothed, strict=True)
    ]
    lawful = []
    for name in names:
        # A law that there is comes out soon; one that there is none of is looked for without end.
        with watched(Watch(ALONE)):
            alone = search(_driven(trajectories, smoothed, (name,)))
        lawful += [name] if alone.trust[0].level in TRUSTED else []
    if not 0 < len(lawful) < len(names):
        return together
    driven = _driven(trajectories, smoothed, tuple(lawful))
    better = search(driven)
    if not any(each.level in TRUSTED for each in better.trust):
        return together
    missing = tuple(name for name in names if name not in lawful)
    trust = tuple(
        driven_by(each, tuple(name for name in missing if _uses(equation, name)))
        for each, equation in zip(better.trust, better.system.equations, strict=True)
    )
    return replace(better, trust=trust, not_found=missing), driven


def _worth_it(found: Discovery) -> bool:
    """Whether equations of several states were searched freely and to the end, and some are doubtful."""
    measured = found.measured
    if measured is None or measured.order > 1 or measured.known or found.settings.hidden is not None:
        return False
    doubted = any(each.level in ("doubtful", "poor") for each in found.trust)
    return doubted and found.cut is None and measured.positions > 1


def _uses(equation: Equation, name: str) -> bool:
    return equation.expression.uses(equation.inputs.index(name))


def _course(given: Trajectory, times: np.ndarray, smooth: np.ndarray) -> np.ndarray:
    """The smoothed states at the times that were given."""
    return smooth[np.searchsorted(times, given.t)]


def _driven(
    trajectories: Sequence[Trajectory], smoothed: Sequence[np.ndarray], states: tuple[str, ...]
) -> list[Trajectory]:
    """The trajectories of some states, with the smoothed others as inputs before those that were given."""
    names = trajectories[0].names
    own = [names.index(name) for name in states]
    rest = [k for k in range(len(names)) if k not in own]
    return [
        Trajectory(
            each.t,
            each.x[:, own],
            names=states,
            u=np.column_stack([course[:, rest], *([] if each.u is None else [each.u])]),
            input_names=(*(names[k] for k in rest), *each.input_names),
            weights=None if each.weights is None else each.weights[:, own],
            units=tuple(each.units[k] for k in own),
            input_units=(*(each.units[k] for k in rest), *each.input_units),
            time_name=each.time_name,
            time_unit=each.time_unit,
        )
        for each, course in zip(trajectories, smoothed, strict=True)
    ]
