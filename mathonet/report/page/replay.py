"""Data against simulation: every trajectory from its start, and how far the two go together, in words."""

from dataclasses import dataclass

import numpy as np

from mathonet.data.drive import between
from mathonet.data.trajectory import Trajectory
from mathonet.data.units import Units
from mathonet.equation.equation import EquationSystem
from mathonet.errors import DataError, SimulationError
from mathonet.report.page import labels
from mathonet.report.page.chart import Columns, Panel, figure, panel, series, thinned
from mathonet.report.page.numerals import moment, share
from mathonet.report.page.subject import Subject, several

MOST_TRAJECTORIES, MOST_STATES = 12, 12
MOST_VALUES, MOST_POINTS, LEAST_POINTS, FINE = 48_000, 2000, 150, 1000
LEFT = 0.25
"""Distance from the data, as a share of a state's spread, at which a simulation has left them."""
ROWS_ARE_TIMES = 1.0
FOLLOWED = 0.25
"""Share of a state's variance that may lie beside a line through the rows that are drawn."""


@dataclass(frozen=True)
class Replay:
    """One trajectory and its simulation.

    Attributes:
        data: what was measured.
        rows: its rows to draw: all, evenly spread ones, or the first where those would miss its turns.
        t: times of the simulation.
        x: simulated states there; none where the simulation could not be made.
        words: why the simulation ended early, if it did.
        leaves: time from which on it has left the data, None if it never does.
        explained: per measured state, share of its variance that the simulation explains.
        times: all times it was simulated at; other simulations that take the same compile nothing anew.
        drive: inputs there.
        bound: size of each measured state beyond which nothing is drawn.
        overview: rows from all over it, where `rows` are only the first.
    """

    data: Trajectory
    rows: np.ndarray
    t: np.ndarray
    x: np.ndarray
    words: str
    leaves: float | None
    explained: np.ndarray
    times: np.ndarray
    drive: np.ndarray | None
    bound: np.ndarray
    overview: np.ndarray | None


def replays(subject: Subject) -> list[Replay]:
    """The first trajectories with their simulations; none where rows are no times."""
    trajectories = subject.trajectories
    if not trajectories or not in_time(trajectories[0]):
        return []
    count = min(len(trajectories), MOST_TRAJECTORIES)
    states = min(len(subject.system.names), MOST_STATES)
    most = int(np.clip(MOST_VALUES // (states * count), LEAST_POINTS, MOST_POINTS))
    return [replay(subject, number, most) for number in range(count)]


def replay(subject: Subject, number: int, most: int = MOST_POINTS) -> Replay:
    """One trajectory with its simulation, at most about so many samples of it drawn."""
    data = subject.trajectories[number]
    first = sum(map(len, subject.trajectories[:number]))
    return _replayed(subject.system, data, start_of(subject, data, first), most)


def start_of(subject: Subject, trajectory: Trajectory, first: int) -> np.ndarray:
    """Where to start: the first measured states, or what the fitted path or the smoothed states say."""
    measured, followed = subject.discovery.measured, subject.followed
    if measured is None:
        return trajectory.x[0]
    if followed is not None:
        at = np.flatnonzero(followed.rows == first)
        if at.size:
            return followed.x[at[0]]
    return measured.x[first]


def simulate(
    system: EquationSystem, start: np.ndarray, t: np.ndarray, u: np.ndarray | None
) -> tuple[np.ndarray, str]:
    """States at the first of the times, as far as a simulation comes, and why it ended if it did."""
    try:
        return system.simulate(start, t, u), ""
    except SimulationError as error:
        words, reached = str(error), error.reached
    except DataError as error:
        return np.empty((0, len(start))), str(error)
    count = 0 if reached is None else int(np.searchsorted(t, reached, side="right"))
    # Not quite up to there: a solution that grows past all bounds would hide everything before.
    for part in (count, count - 1, count // 2):
        if part >= 2:
            try:
                return system.simulate(start, t[:part], None if u is None else u[:part]), words
            except SimulationError:
                continue
    return np.empty((0, len(start))), words


def _replayed(system: EquationSystem, data: Trajectory, start: np.ndarray, most: int) -> Replay:
    rows, fine, overview = thinned(len(data), most, data.x), min(most, FINE), None
    if not _follows(data, rows):
        rows, overview = np.arange(most), rows
    t, u = _grid(data, rows, fine)
    x, words = simulate(system, start, t, u)
    measured = data.x.shape[1]
    spread, largest = _spread(data.x)
    reached = rows[data.t[rows] <= t[len(x) - 1]] if len(x) else rows[:0]
    away = np.abs(x[np.searchsorted(t, data.t[reached]), :measured] - data.x[reached])
    out = np.any(away > LEFT * spread, axis=1)
    leaves = float(data.t[reached[np.argmax(out)]]) if out.any() else None
    explained = np.full(measured, np.nan)
    if len(reached) == len(rows):
        seen = np.isfinite(away).sum(axis=0)
        left = np.nansum(away**2, axis=0) / (np.maximum(seen, 1) * spread**2)
        explained = np.where(seen > 1, 1.0 - left, np.nan)
    bound = 10.0 * largest
    # Beyond ten times the data nothing is to be seen of either.
    inside = np.all(np.abs(x[:, :measured]) <= bound, axis=1) if words else np.ones(len(x), bool)
    keep = thinned(len(x), max(most, fine) + 2 * len(rows), x)
    shown = np.where(inside[:, None], x, np.nan)[keep]
    return Replay(data, rows, t[keep], shown, words, leaves, explained, t, u, bound, overview)


def _grid(data: Trajectory, rows: np.ndarray, fine: int) -> tuple[np.ndarray, np.ndarray | None]:
    """Times to simulate at, the rows' own among them, and the inputs there."""
    # Inputs change between the rows that are drawn, so all of them are needed.
    t = data.t[rows] if data.u is None else data.t[: rows[-1] + 1]
    if len(t) < fine:
        t = np.union1d(t, np.linspace(t[0], t[-1], fine))
    return t, None if data.u is None else between(data.t, data.u, t)


def _follows(data: Trajectory, rows: np.ndarray) -> bool:
    """Whether a line through some rows follows what lies between them."""
    if len(rows) == len(data):
        return True
    known = np.where(np.isfinite(data.x), data.x, 0.0)
    even = np.unique(np.linspace(0, len(data) - 1, len(rows)).astype(int))
    lines = [np.interp(data.t, data.t[even], column[even]) for column in known.T]
    missed = np.mean((known - np.stack(lines, axis=1)) ** 2, axis=0)
    return bool(np.all(missed <= FOLLOWED * np.var(known, axis=0)))


def _spread(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Deviation and largest size of each column; 1 where nothing, or one value only, was measured."""
    seen = np.isfinite(values)
    count, known = np.maximum(seen.sum(axis=0), 1), np.where(seen, values, 0.0)
    about = np.where(seen, values - known.sum(axis=0) / count, 0.0)
    deviation, largest = np.sqrt((about**2).sum(axis=0) / count), np.abs(known).max(axis=0)
    return np.where(deviation > 0, deviation, 1.0), np.where(largest > 0, largest, 1.0)


def in_time(trajectory: Trajectory) -> bool:
    """Whether rows follow each other in time: without times given, they are only numbered."""
    if trajectory.x_dot is None or not np.array_equal(trajectory.t, np.arange(len(trajectory))):
        return True
    moved = np.diff(trajectory.x, axis=0)
    told = 0.5 * (trajectory.x_dot[1:] + trajectory.x_dot[:-1])
    return bool(np.sum((moved - told) ** 2) < ROWS_ARE_TIMES * np.sum(moved**2))


def draw_replay(subject: Subject, found: list[Replay], columns: Columns) -> Panel:
    """One view a trajectory, one panel a state: data as points, the simulation as a line."""
    names = subject.system.names[:MOST_STATES]
    views = []
    for number, each in enumerate(found):
        title = f"trajectory {number + 1}"
        when = columns.add(f"t{number}", each.data.t[each.rows])
        since = columns.add(f"s{number}", each.t)
        panels = []
        for state, name in enumerate(names):
            parts = []
            if state < each.data.x.shape[1]:
                seen = columns.add(f"d{number}.{state}", each.data.x[each.rows, state])
                parts.append(series("dots", "data", when, seen, "data"))
            if len(each.x):
                line = columns.add(f"m{number}.{state}", each.x[:, state])
                parts.append(series("line", "simulation", since, line, "model"))
            height = 190 if len(names) > 1 else 260
            panels.append(
                panel(labels.of_time(subject), labels.of_state(subject, name), parts, height=height)
            )
        views.append((title if each.overview is None else f"{title}, its beginning", panels))
        if each.overview is not None:
            views.append((f"{title}, all of it", _overview(subject, each, number, columns)))
    return figure(views, "show" if len(views) > 1 else "", linked=True)


def _overview(subject: Subject, replay: Replay, number: int, columns: Columns) -> list[Panel]:
    """Data alone: at rows that lie far apart a simulation cannot be compared."""
    data, rows = replay.data, replay.overview
    when = columns.add(f"T{number}", data.t[rows])
    panels = []
    for state, name in enumerate(data.names[:MOST_STATES]):
        seen = columns.add(f"D{number}.{state}", data.x[rows, state])
        parts = [series("dots", "data", when, seen, "data")]
        panels.append(panel(labels.of_time(subject), labels.of_state(subject, name), parts, height=190))
    return panels


def tell(subject: Subject, found: list[Replay]) -> list[str]:
    """What is to be seen, in sentences."""
    if not found:
        why = (
            "rows were given without times, and do not follow each other"
            if subject.trajectories
            else ("the times of the measurements are not kept in this result")
        )
        return [f"No simulation is drawn: {why}."]
    told, total = [], len(subject.trajectories)
    if subject.discovery.measured is not None:
        told.append("The start of the simulation is fitted, as all states are: measured values have errors.")
    drawn, measured = sum(len(each.rows) for each in found), sum(map(len, subject.trajectories))
    if any(each.overview is not None for each in found):
        told.append(
            f"{measured:,} samples are too many for one picture: the first {len(found[0].rows):,} of a "
            "trajectory are drawn and simulated; data from all over it can be shown as well."
        )
    elif drawn < measured:
        told.append(
            f"{several(drawn, 'sample')} of {measured:,} are drawn; the extremes of every stretch are kept."
        )
    names = subject.system.names
    if len(names) > MOST_STATES:
        told.append(f"The first {MOST_STATES} of {len(names)} states are drawn.")
    if total > len(found):
        told.append(f"The first {len(found)} of {total} trajectories are shown.")
    return told + _agreement(found, subject.system.units)


def _agreement(found: list[Replay], units: Units) -> list[str]:
    """How far simulations and data go together; those that do so throughout in one sentence."""
    told, good = [], [each for each in found if not each.words and each.leaves is None]
    whole = [np.nanmin(each.explained) for each in good if np.isfinite(each.explained).any()]
    for number, each in enumerate(found):
        which = f"The simulation of trajectory {number + 1}" if len(found) > 1 else "The simulation"
        if each.words:
            told.append(f"{which} does not reach the end. {each.words}")
        elif each.leaves is not None:
            first, last = float(each.data.t[0]), float(each.data.t[-1])
            told.append(
                f"{which} leaves the data (by {share(LEFT)} of a state's spread) at {units.time_name} = "
                f"{moment(each.leaves, last - first)}; they end at {moment(last, last - first)}."
            )
    if any(not each.words and each.leaves is not None for each in found):
        told.append(
            "In a chaotic system every simulation leaves the data sooner or later, since the smallest error "
            "grows; in any other, a term or a constant is off."
        )
    if whole:
        one = len(found) == 1
        which = "The simulation stays" if one else f"{len(whole)} of {len(found)} simulations stay"
        where = "throughout" if all(each.overview is None for each in found) else "as far as drawn"
        low = min(100.0 * max(min(whole), 0.0), 99.99)
        told.append(
            f"{which} with the data {where}, and explain{'s' if one else ''} at least {low:.4g} % of "
            "every state's variance."
        )
    return told
