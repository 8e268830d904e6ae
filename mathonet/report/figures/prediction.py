"""Data against a simulation over time, with the part that was held out marked."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

from mathonet.errors import DataError
from mathonet.report.figures import lettering
from mathonet.report.figures.arrays import held_rows, state_names, table, vector
from mathonet.report.figures.style import COLUMN, CYCLE, GREY, SMALL, legend_above, on, plain_numbers, styled

SHADE, MOST = "#EFEFEF", 40
"""Colour of times that were held out, and the most letters of a name in the legend."""


@styled
def draw_prediction(
    t: ArrayLike,
    observed: ArrayLike,
    simulated: ArrayLike | None = None,
    names: Sequence[str] | None = None,
    held_out: float | ArrayLike | None = None,
    ax: Axes | None = None,
    simulated_t: ArrayLike | None = None,
    xlabel: str = "t",
    ylabel: str = "states",
) -> Axes:
    """Draw measured states as points and simulated ones as lines.

    Args:
        t: times of the measurements.
        observed: states (times, states).
        simulated: states at the same times, or at `simulated_t`; fewer rows if the simulation ended early.
        names: of the states.
        held_out: the time from which data were not used, which is shaded; or True or False for each row,
            whose points are then hollow.
        ax: to draw on; None makes a figure of a column's width.
        simulated_t: times of the simulation, if they are others.
        xlabel: of the times.
        ylabel: of the states.
    """
    times = vector(t, "t")
    data = table(observed, "observed", (len(times), None))
    names = state_names(names, data.shape[1])
    hidden, since = held_rows(held_out, times)
    ax = on(ax, COLUMN, 2.3)
    colours = [CYCLE[column % len(CYCLE)] for column in range(len(names))]
    size = 2.2 + 3.0 / np.sqrt(1.0 + len(times) / 50.0)
    for column, colour in enumerate(colours):
        for rows, face in ((~hidden, colour), (hidden, "white")):
            # Pale points let the line of the same colour be seen on top of them.
            pale = face == colour and simulated is not None
            look = {"markerfacecolor": face, "markeredgecolor": colour, "alpha": 0.45 if pale else 1.0}
            ax.plot(
                times[rows],
                data[rows, column],
                "o",
                markersize=size,
                markeredgewidth=0.0 if face == colour else 0.5,
                zorder=2,
                **look,
            )
    if simulated is not None:
        lines = table(simulated, "simulated", (None, data.shape[1]))
        when = times if simulated_t is None else vector(simulated_t, "simulated_t")
        if len(lines) > len(when):
            raise DataError(f"simulated has {len(lines)} rows for {len(when)} times: give simulated_t.")
        for column, colour in enumerate(colours):
            ax.plot(when[: len(lines)], lines[:, column], color=colour, linewidth=1.0, zorder=3)
    if since is not None:
        ax.axvspan(since, times.max(), color=SHADE, linewidth=0, zorder=0)
        where = ax.get_xaxis_transform()
        ax.text(
            times.max(), 1.0, "held out", transform=where, fontsize=SMALL, color=GREY, ha="right", va="top"
        )
        ax.margins(y=0.12)
    ax.set_xlim(times.min() - 0.01 * np.ptp(times), times.max() + 0.01 * np.ptp(times))
    plain_numbers(ax)
    ax.set_xlabel(lettering.label(xlabel))
    ax.set_ylabel(lettering.label(ylabel))
    keys = [
        Line2D([], [], color=colour, linewidth=2.2, label=lettering.label(lettering.shortened(name, MOST)))
        for name, colour in zip(names, colours, strict=True)
    ]
    legend_above(ax, [*keys, *sample_keys(since is None and bool(hidden.any()), simulated is not None)])
    return ax


def sample_keys(hollow: bool, line: bool) -> list[Line2D]:
    """Legend entries that say what points and lines are."""
    point = {"linestyle": "none", "marker": "o", "markersize": 3.5, "markeredgewidth": 0.6}
    keys = [Line2D([], [], color=GREY, label="data", **point)]
    if hollow:
        keys.append(Line2D([], [], color=GREY, markerfacecolor="white", label="held-out data", **point))
    if line:
        keys.append(Line2D([], [], color=GREY, linewidth=1.0, label="simulation"))
    return keys
