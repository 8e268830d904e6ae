"""Phase portraits side by side: what the model of each cycle does when it is simulated."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from mathonet.errors import DataError
from mathonet.report.figures import lettering
from mathonet.report.figures.arrays import numbers, state_names
from mathonet.report.figures.style import (
    BLUE,
    COLUMN,
    INK,
    PAGE,
    PALE,
    SMALL,
    TINY,
    VERMILLION,
    Canvas,
    framed,
    new_figure,
    styled,
)

AZIMUTH, ELEVATION = np.deg2rad(-60.0), np.deg2rad(18.0)
BEYOND = 0.5
"""A line is cut where it leaves the picture by more than this share of the picture's size."""


@styled
def draw_attractors(
    trajectories: Sequence[ArrayLike | None],
    titles: Sequence[str],
    truth: ArrayLike | None = None,
    figure: Canvas | None = None,
    t: ArrayLike | None = None,
    names: Sequence[str] | None = None,
    columns: int | None = None,
) -> Canvas:
    """Draw one phase portrait a panel, all to the same scale and seen from the same side.

    Args:
        trajectories: states (times, 2 or 3) of each simulation. One that blew up may be shorter than `t`, or
            end in values that are not finite; None stands for one that could not be made.
        titles: one a panel.
        truth: the true trajectory; it sets the scale and has the last panel.
        figure: to draw on; None makes one of a column's width, a page's for more than three columns.
        t: times, to say when a simulation ended; without them its rows are counted.
        names: of the states.
        columns: panels in a row; None for up to three.
    """
    runs = [None if each is None else _states(each) for each in trajectories]
    true = None if truth is None else _states(truth)
    if len(titles) != len(runs):
        raise DataError(f"{len(runs)} trajectories but {len(titles)} titles: give one for each.")
    known = [each for each in (*runs, true) if each is not None and len(each)]
    if not known:
        raise DataError("There is no trajectory to draw: none of them has a row.")
    states = known[0].shape[1]
    if any(each.shape[1] != states for each in known):
        raise DataError(f"Trajectories of {sorted({e.shape[1] for e in known})} states: give equal ones.")
    names = state_names(names, states)
    times = None if t is None else np.asarray(t, float)
    rows_asked = len(times) if times is not None else max(map(len, known))

    panels = [(*each, BLUE) for each in zip(runs, titles, strict=True)]
    if true is not None:
        panels.append((true, "truth", VERMILLION))
    columns = columns or min(len(panels), 3)
    rows = -(-len(panels) // columns)
    side = (COLUMN if columns <= 3 else PAGE) / columns
    height = (side if states == 3 else side + 0.15) * rows
    figure = new_figure(side * columns, height) if figure is None else figure
    low, high = _limits(true, runs)
    for place, (run, title, colour) in enumerate(panels):
        ax = figure.add_subplot(rows, columns, place + 1)
        ax.set_title(lettering.label(title), fontsize=SMALL, pad=3.0)
        seen, remark = _seen(run, rows_asked, times)
        inside = _inside(seen, low, high)
        if states == 2:
            _axes_2d(ax, low, high, names, place >= len(panels) - columns, place % columns == 0)
            ax.plot(*inside.T, color=colour, linewidth=0.7)
        else:
            _axes_3d(ax, names)
            ax.plot(*project((inside - low) / (high - low)).T, color=colour, linewidth=0.5)
        if remark:
            # In a cube the room over it is free; in a plane nothing is, but its middle is the least crowded.
            high_up = states == 3 and len(seen) > 1
            ax.text(
                0.5,
                0.99 if high_up else 0.5,
                remark,
                fontsize=TINY,
                color=VERMILLION,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.0, "alpha": 0.9},
                transform=ax.transAxes,
                ha="center",
                va="top" if high_up else "center",
            )
    return figure


def _states(values: ArrayLike) -> np.ndarray:
    found = numbers(values, "A trajectory")
    if found.ndim != 2 or found.shape[1] not in (2, 3):
        raise DataError(
            f"A phase portrait needs states (times, 2) or (times, 3), got {found.shape}: choose 2 or 3 "
            "columns."
        )
    return found


def _seen(run: np.ndarray | None, rows: int, times: np.ndarray | None) -> tuple[np.ndarray, str]:
    """The part of a trajectory before it blew up, and the remark that it did."""
    if run is None or not len(run):
        return np.empty((0, 3 if run is None else run.shape[1])), "no simulation"
    good = np.isfinite(run).all(axis=1)
    end = len(run) if good.all() else int(np.argmin(good))
    if end == 0:
        return run[:0], "no simulation"
    if end >= rows:
        return run, ""
    when = f"t = {times[end - 1]:.4g}" if times is not None else f"row {end}"
    return run[:end], f"blows up at {when}"


def _limits(truth: np.ndarray | None, runs: list[np.ndarray | None]) -> tuple[np.ndarray, np.ndarray]:
    """What the picture shows: the truth, else the simulations that went on longest."""
    if truth is not None:
        rows = truth
    else:
        most = max(len(run) for run in runs if run is not None)
        rows = np.concatenate([run for run in runs if run is not None and len(run) == most])
    rows = rows[np.isfinite(rows).all(axis=1)]
    if not len(rows):
        raise DataError("There is no finite state to draw.")
    low, high = rows.min(axis=0), rows.max(axis=0)
    room = 0.06 * np.where(high > low, high - low, np.maximum(np.abs(high), 1.0))
    return low - room, high + room


def _inside(run: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """A trajectory with gaps where it is far outside the picture."""
    if not len(run):
        return np.empty((0, len(low)))
    reach = BEYOND * (high - low)
    out = np.any((run < low - reach) | (run > high + reach), axis=1, keepdims=True)
    return np.where(out, np.nan, run)


def project(points: np.ndarray) -> np.ndarray:
    """Points of the unit cube as seen from afar: (n, 3) to (n, 2), about the cube's centre."""
    x, y, z = (np.asarray(points, float) - 0.5).T
    across = -np.sin(AZIMUTH) * x + np.cos(AZIMUTH) * y
    away = np.cos(AZIMUTH) * x + np.sin(AZIMUTH) * y
    return np.stack([across, np.cos(ELEVATION) * z - np.sin(ELEVATION) * away], axis=1)


def _axes_3d(ax: Axes, names: Sequence[str]) -> None:
    """The edges of the cube that meet in its lower left corner, with the states' names."""
    ax.set_axis_off()
    ax.set(xlim=(-0.85, 0.85), ylim=(-0.82, 0.72), aspect="equal")
    cube = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)], float)
    flat = project(cube)
    for i, start in enumerate(cube):
        for j, end in enumerate(cube):
            if i < j and np.abs(start - end).sum() == 1:
                ax.plot(*flat[[i, j]].T, color=PALE, linewidth=0.3, zorder=0)
    # The edges whose middles lie lowest (x, y) and leftmost (z) are free of the cube's inside.
    for axis, name in enumerate(names):
        ends = [(k, k + 2 ** (2 - axis)) for k in range(8) if cube[k, axis] == 0]
        middles = {pair: flat[list(pair)].mean(axis=0) for pair in ends}
        pair = min(ends, key=lambda p: middles[p][0 if axis == 2 else 1])
        ax.plot(*flat[list(pair)].T, color=INK, linewidth=0.6, zorder=0)
        x, y = middles[pair] + (np.array([-0.1, 0.0]) if axis == 2 else np.array([0.0, -0.11]))
        ax.text(x, y, lettering.math(lettering.name(name)), fontsize=SMALL, ha="center", va="center")


def _axes_2d(
    ax: Axes, low: np.ndarray, high: np.ndarray, names: Sequence[str], bottom: bool, left: bool
) -> None:
    framed(ax)
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    ax.locator_params(nbins=4)
    ax.tick_params(labelbottom=bottom, labelleft=left)
    if bottom:
        ax.set_xlabel(lettering.label(names[0]))
    if left:
        ax.set_ylabel(lettering.label(names[1]))
