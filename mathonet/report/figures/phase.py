"""The phase plane: two states against each other, data as points and the simulation as a line."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

from mathonet.errors import ConfigError, DataError
from mathonet.report.figures import lettering
from mathonet.report.figures.arrays import held_rows, state_names, table
from mathonet.report.figures.prediction import sample_keys
from mathonet.report.figures.style import BLUE, COLUMN, GREY, VERMILLION, legend_above, on, styled

ARROWS = (0.2, 0.5, 0.8)
"""Places along the simulation, as shares of its first turn, where arrows show the direction."""
ONE_TURN = 3.0
"""About the length of one turn round the picture, in units of its size."""


@styled
def draw_phase(
    observed: ArrayLike | None,
    simulated: ArrayLike | None = None,
    names: Sequence[str] | None = None,
    states: tuple[int, int] = (0, 1),
    held_out: ArrayLike | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw two states against each other.

    Args:
        observed: states (times, states), or None.
        simulated: states of a simulation, at any times; its start is marked and arrows show its direction.
        names: of the states.
        states: which two, the horizontal one first.
        held_out: True for each row that was not used; its point is hollow.
        ax: to draw on; None makes a figure of a column's width.
    """
    if observed is None and simulated is None:
        raise DataError("There is nothing to draw: give observed states, simulated ones or both.")
    data = None if observed is None else table(observed, "observed")
    line = None if simulated is None else table(simulated, "simulated")
    count = next(part.shape[1] for part in (data, line) if part is not None)
    if data is not None and line is not None and line.shape[1] != count:
        raise DataError(f"observed has {count} states, simulated {line.shape[1]}: make them equal.")
    names = state_names(names, count)
    if len(states) != 2 or any(not 0 <= number < count for number in states):
        raise ConfigError(f"states={states!r}: give two numbers from 0 to {count - 1}.")
    chosen = list(states)
    ax = on(ax, COLUMN, 2.6)
    keys = []
    if data is not None:
        hidden, _ = held_rows(held_out, np.zeros(len(data)))
        keys = sample_keys(bool(hidden.any()), False)
        size = 2.2 + 3.0 / np.sqrt(1.0 + len(data) / 50.0)
        for rows, face in ((~hidden, GREY), (hidden, "white")):
            look = {"markersize": size, "markerfacecolor": face, "markeredgecolor": GREY}
            ax.plot(*data[rows][:, chosen].T, "o", markeredgewidth=0.5, zorder=3, **look)
    if line is not None:
        path = line[np.isfinite(line).all(axis=1)][:, chosen]
        ax.plot(*path.T, color=BLUE, zorder=2)
        _arrows(ax, path)
        ax.plot(*path[:1].T, "D", color=VERMILLION, markersize=4.5, zorder=4)
        keys.append(Line2D([], [], color=BLUE, label="simulation"))
        keys.append(
            Line2D([], [], color=VERMILLION, marker="D", linestyle="none", markersize=4.0, label="start")
        )
    ax.set_xlabel(lettering.label(names[chosen[0]]))
    ax.set_ylabel(lettering.label(names[chosen[1]]))
    ax.margins(0.06)
    legend_above(ax, keys)
    return ax


def _arrows(ax: Axes, path: np.ndarray) -> None:
    """Arrow heads on a line, evenly along what is seen of it."""
    size = np.ptp(path, axis=0)
    if len(path) < 3 or not size.all():
        return
    length = np.concatenate([[0.0], np.cumsum(np.hypot(*(np.diff(path, axis=0) / size).T))])
    for share in ARROWS:
        place = min(int(np.searchsorted(length, share * min(length[-1], ONE_TURN))), len(path) - 2)
        ax.annotate(
            "",
            path[place + 1],
            xytext=path[place],
            zorder=5,
            arrowprops={
                "arrowstyle": "-|>",
                "color": BLUE,
                "linewidth": 0.8,
                "mutation_scale": 12,
                "shrinkA": 0,
                "shrinkB": 0,
            },
        )
