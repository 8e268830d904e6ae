"""Each equation on its own: where the law of some states is out of reach, those of others are still found.

A state without a law cannot be followed, and the path of all others suffers with it. So every state is looked
at alone, all others taken as they were smoothed; the states that have a law that way are then fitted
together, driven by the rest.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from mathonet.data.trajectory import Trajectory
from mathonet.equation.assembly import constants
from mathonet.equation.equation import Equation
from mathonet.errors import ConfigError
from mathonet.interruption import Watch, stopping, watched
from mathonet.result.discovery import Cut, Discovery
from mathonet.result.trust import TRUSTED, driven_by
from mathonet.search.effort import ALONE, LOOSE

Search = Callable[[Sequence[Trajectory], bool], Discovery]
"""Finds the equations of trajectories, quickly or as thoroughly as was asked for."""
STAGE = "each equation on its own"
DOUBTED = ("doubtful", "poor")
FEW_CONSTANTS, EXPLAINED, FOLLOWED = 5, 0.9, 1.0 - LOOSE**2
"""Constants of a form that is not sure, up to which it still is a law, and the share of how its state varies
that it must explain: where rivals are nearly as good, and where what it leaves is no noise. Inputs that are
interpolated and coarse solvers leave little, and no noise."""


def found_apart(
    search: Search, trajectories: Sequence[Trajectory], found: Discovery
) -> tuple[Discovery, Sequence[Trajectory]]:
    """The states that have a law, driven by those that have none; all states where that brings nothing.

    Args:
        search: the search that was asked for, and a quick one.
        trajectories: states alone, as they were given.
        found: what the search found for all states together.

    Returns:
        What was found, and the trajectories that it was found from: states without a law are inputs.
    """
    names, measured = trajectories[0].names, found.measured
    together = found, trajectories
    if measured is None or not _worth_it(found):
        return together
    began = time.monotonic()
    smoothed = [
        _smoothed_at(given, whole.t, smooth.x)
        for given, whole, smooth in zip(trajectories, measured.trajectories, measured.smoothed, strict=True)
    ]
    lawful = []
    for name in names:
        # A law that there is comes out soon; one that there is none of is looked for without end.
        with watched(Watch(ALONE)):
            alone = _searched(search, driven_by_others(trajectories, smoothed, (name,)), True)
        if (why := stopping()) is not None:
            return found.cut_short(Cut(why, (STAGE,))), trajectories
        lawful += [name] if alone is not None and _has_law(alone) else []
    if not 0 < len(lawful) < len(names):
        return together
    driven = driven_by_others(trajectories, smoothed, tuple(lawful))
    better = _searched(search, driven, False)
    if better is None or not any(each.level not in DOUBTED for each in better.trust):
        return together
    missing = tuple(name for name in names if name not in lawful)
    trust = tuple(
        driven_by(each, tuple(name for name in missing if _uses(equation, name)))
        for each, equation in zip(better.trust, better.system.equations, strict=True)
    )
    seconds = found.seconds + time.monotonic() - began
    return replace(better, trust=trust, not_found=missing, given=names, seconds=seconds), driven


def split(discovery: Discovery, x: Any, u: Any) -> tuple[Any, Any]:
    """States and inputs of the equations, from rows of all states that were given; others as they are."""
    given, kept = discovery.given, discovery.system.names
    columns = np.shape(x)[1] if np.ndim(x) == 2 else 0
    if not discovery.not_found or columns != len(given):
        return x, u
    rows = x[list(given)].to_numpy() if isinstance(x, pd.DataFrame) else np.asarray(x)
    rest = rows[:, [given.index(name) for name in discovery.not_found]]
    inputs = rest if u is None else np.column_stack([rest, np.asarray(u)])
    return rows[:, [given.index(name) for name in kept]], inputs


def _searched(search: Search, trajectories: Sequence[Trajectory], quick: bool) -> Discovery | None:
    """What a search finds; None where nothing could be fitted."""
    try:
        return search(trajectories, quick)
    except ConfigError:
        return None


def _has_law(alone: Discovery) -> bool:
    """Whether the one equation of a search explains its state, though it may not be sure."""
    trust = alone.trust[0]
    if trust.level in TRUSTED:
        return True
    few = len(constants(alone.system.equations[0].expression)) <= FEW_CONSTANTS
    least = {"undecided": EXPLAINED, "doubtful": FOLLOWED}.get(trust.level)
    return least is not None and alone.cut is None and few and trust.explained > least


def _worth_it(found: Discovery) -> bool:
    """Whether equations of several states were searched freely and to the end, and some are doubtful."""
    measured = found.measured
    if measured is None or measured.order > 1 or measured.known or found.settings.hidden is not None:
        return False
    doubted = any(each.level in DOUBTED for each in found.trust)
    return doubted and found.cut is None and measured.positions > 1


def _uses(equation: Equation, name: str) -> bool:
    return equation.expression.uses(equation.inputs.index(name))


def _smoothed_at(given: Trajectory, times: np.ndarray, smooth: np.ndarray) -> np.ndarray:
    """The smoothed states at the times that were given."""
    return smooth[np.searchsorted(times, given.t)]


def driven_by_others(
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
            u=np.column_stack([others[:, rest], *([] if each.u is None else [each.u])]),
            input_names=(*(names[k] for k in rest), *each.input_names),
            weights=None if each.weights is None else each.weights[:, own],
            units=tuple(each.units[k] for k in own),
            input_units=(*(each.units[k] for k in rest), *each.input_units),
            time_name=each.time_name,
            time_unit=each.time_unit,
        )
        for each, others in zip(trajectories, smoothed, strict=True)
    ]
