"""Predictive bands: mean, two deviations, observations and truth."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from mathonet.errors import DataError
from mathonet.report.figures import lettering
from mathonet.report.figures.arrays import vector
from mathonet.report.figures.style import (
    BLUE,
    COLUMN,
    GREY,
    INK,
    PAGE,
    SKY,
    SMALL,
    TINY,
    Canvas,
    framed,
    legend_above,
    new_figure,
    on,
    styled,
)

DEVIATIONS = 2.0
MANY = 2000
"""More points than these are drawn as an image even in an SVG."""


@dataclass(frozen=True)
class BandPanel:
    """What one panel of `draw_bands` shows; the arguments of `draw_band`, and a title."""

    at: ArrayLike
    mean: ArrayLike
    std: ArrayLike
    observed: ArrayLike | None = None
    truth: ArrayLike | None = None
    title: str = ""


@styled
def draw_band(
    at: ArrayLike,
    mean: ArrayLike,
    std: ArrayLike,
    observed: ArrayLike | None = None,
    truth: ArrayLike | None = None,
    ax: Axes | None = None,
    relative: bool = False,
    xlabel: str = "t",
    ylabel: str = "prediction",
) -> Axes:
    """Draw a predictive mean with a band of two deviations on either side.

    Args:
        at: where the prediction was made, for example times; put in order if it is not.
        mean: of the prediction, one number a place.
        std: its deviation, likewise.
        observed: measurements at the same places; the legend says how many of them the band holds.
        truth: the true values at the same places.
        ax: to draw on; None makes a figure of a column's width.
        relative: subtract the mean from everything, to see a narrow band beside a large signal.
        xlabel: of the places.
        ylabel: of the values.
    """
    ax = on(ax, COLUMN, 2.2)
    panel = BandPanel(at, mean, std, observed, truth)
    share = _band(ax, panel, relative)
    ax.set_xlabel(lettering.label(xlabel))
    ax.set_ylabel(lettering.label(ylabel) + (" − mean" if relative else ""))
    if share is not None:
        handles, labels = ax.get_legend_handles_labels()
        handles[labels.index("observed")].set_label(f"observed ({100 * share:.1f} % in the band)")
    legend_above(ax, columns=2)
    return ax


@styled
def draw_bands(
    panels: Sequence[BandPanel],
    figure: Canvas | None = None,
    columns: int = 3,
    relative: bool = False,
    xlabel: str = "t",
    ylabel: str = "prediction",
) -> Canvas:
    """Draw the bands of several models side by side, with one legend for all.

    The share of the observations that lie in the band stands in each panel.

    Args:
        panels: one for each model.
        figure: to draw on; None makes one, a page wide if there are more than two columns.
        columns: panels in a row.
        relative: subtract the mean from everything.
        xlabel: of the places.
        ylabel: of the values.
    """
    if not panels:
        raise DataError("There is no panel to draw.")
    columns = max(1, min(columns, len(panels)))
    rows = -(-len(panels) // columns)
    wide = PAGE if columns > 2 else COLUMN
    figure = new_figure(wide, 0.45 + 1.35 * rows) if figure is None else figure
    known: dict[str, Artist] = {}
    for place, panel in enumerate(panels):
        ax = framed(figure.add_subplot(rows, columns, place + 1))
        share = _band(ax, panel, relative)
        note = "" if share is None else f"{100 * share:.1f} % in the band"
        ax.set_title(lettering.label(panel.title), fontsize=SMALL, loc="left", pad=3.0)
        ax.set_title(note, fontsize=TINY, loc="right", pad=3.0, color=GREY)
        ax.locator_params(nbins=5)
        if place >= len(panels) - columns:
            ax.set_xlabel(lettering.label(xlabel))
        if place % columns == 0:
            ax.set_ylabel(lettering.label(ylabel) + (" − mean" if relative else ""))
        handles, labels = ax.get_legend_handles_labels()
        known.update(zip(labels, handles, strict=True))
    order = [label for label in ("observed", "two deviations", "mean", "truth") if label in known]
    figure.legend([known[label] for label in order], order, loc="outside upper center", ncols=4)
    return figure


def _band(ax: Axes, panel: BandPanel, relative: bool) -> float | None:
    """Draw one band; returns the share of the observations that lie in it."""
    where = vector(panel.at, "at")
    mean, std = vector(panel.mean, "mean", len(where)), vector(panel.std, "std", len(where))
    if (std < 0).any():
        raise DataError(f"A deviation cannot be negative; the least one in std is {std.min():g}.")
    observed = None if panel.observed is None else vector(panel.observed, "observed", len(where))
    truth = None if panel.truth is None else vector(panel.truth, "truth", len(where))
    order = np.argsort(where, kind="stable")
    where, mean, reach = where[order], mean[order], DEVIATIONS * std[order]
    base = mean if relative else np.zeros_like(mean)
    share = None
    if observed is not None:
        observed = observed[order]
        known = np.isfinite(observed)
        share = float(np.mean(np.abs(observed - mean)[known] <= reach[known])) if known.any() else None
        ax.plot(
            where,
            observed - base,
            ".",
            color=GREY,
            markersize=2.0 + 3.0 / np.sqrt(1.0 + len(where) / 50.0),
            markeredgewidth=0.0,
            label="observed",
            rasterized=len(where) > MANY,
            zorder=1,
        )
    low, high = mean - base - reach, mean - base + reach
    ax.fill_between(where, low, high, color=SKY, alpha=0.45, linewidth=0.3, label="two deviations", zorder=2)
    ax.plot(where, mean - base, color=BLUE, label="mean", zorder=3)
    if truth is not None:
        ax.plot(where, truth[order] - base, "--", color=INK, linewidth=0.8, label="truth", zorder=4)
    ax.margins(x=0.01)
    return share
