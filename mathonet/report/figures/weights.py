"""Nonzero weights cycle by cycle, with the equation at each cliff (the paper's figure of the search)."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, MaxNLocator

from mathonet.report.figures import lettering
from mathonet.report.figures.graph import ShownRun, shown_run
from mathonet.report.figures.style import BLUE, COLUMN, PALE, SMALL, TINY, on, styled
from mathonet.report.names import spoken

CLIFF = 0.12
"""A cycle is a cliff if it prunes at least this share of the weights that were left."""
MOST_CLIFFS = 6
LINE, TEXT_ROOM = 0.135, 1.75
BAR = "#CFE3F1"


@styled
def draw_weights(
    result: Any,
    target: int | str = 0,
    rung: str | None = None,
    ax: Axes | None = None,
    lines: int = 2,
    digits: int = 3,
) -> Axes:
    """Draw the number of nonzero weights after every cycle of a target's best run.

    One bar a cycle, from the whole super-graph (cycle 0) downwards; cycle 1 is the sparse group Lasso. Where
    the number falls sharply, the equation that the network spells after that cycle stands beside the cliff.

    Args:
        result: a `Discovery` or a fitted estimator.
        target: number or name.
        rung: name of a network that was asked for; None for what led to the chosen form.
        ax: to draw on; None makes a figure of a column's width.
        lines: most lines of an equation.
        digits: of its constants.
    """
    shown = shown_run(result, target, rung)
    counts = np.array([shown.start.sum(), *(shown.active(cycle).sum() for cycle in range(shown.cycles))], int)
    places = cliffs(counts)
    rows = len(counts)
    tall = max(0.16 * rows, (lines + 0.6) * LINE * len(places) + 0.3)
    ax = on(ax, COLUMN, 0.5 + min(tall, 5.0))
    edges = np.arange(rows + 1) - 0.5
    ax.barh(np.arange(rows), counts, height=1.0, color=BAR, edgecolor="white", linewidth=0.6)
    ax.stairs(counts, edges, orientation="horizontal", color=BLUE, linewidth=1.1)
    ax.set_ylim(rows - 0.5, -0.5)
    ax.set_ylabel("cycle")
    ax.set_xlabel("nonzero weights")
    ax.yaxis.set_major_locator(FixedLocator(list(range(0, rows, max(1, round(rows / 8))))))
    figure: Any = ax.figure
    width, height = ax.get_position().size * (figure.bbox.size / figure.dpi)
    left = _room(ax, counts, places, width)
    ticks = MaxNLocator(4, integer=True, steps=[1, 2, 5, 10]).tick_values(0, counts.max())
    ax.xaxis.set_major_locator(FixedLocator([tick for tick in ticks if 0 <= tick <= counts.max()]))
    _write_counts(ax, counts, places, width)
    _write_equations(ax, shown, counts, places, left, lines, digits, (width, height))
    return ax


def cliffs(counts: np.ndarray) -> list[int]:
    """The cycles after which the number of weights has fallen sharply; always the first and the last fall."""
    falls = -np.diff(counts) / np.maximum(counts[:-1], 1)
    found = {1} | {int(place) + 1 for place in np.flatnonzero(falls >= CLIFF)}
    changed = np.flatnonzero(falls > 0)
    last = int(changed[-1]) + 1 if changed.size else 1
    kept = sorted(found - {1, last}, key=lambda place: falls[place - 1])[-(MOST_CLIFFS - 2) :]
    return sorted({1, last, *kept})


def _room(ax: Axes, counts: np.ndarray, places: list[int], width: float) -> float:
    """Widen the axis until the equations have room beside the bars; returns where they begin."""
    longest = counts[places[0] :].max()
    share = max(1.0 - TEXT_ROOM / width, 0.2)
    whole = max(1.05 * counts.max(), longest / (share - 0.06))
    ax.set_xlim(0, whole)
    return longest + 0.06 * whole


def _write_counts(ax: Axes, counts: np.ndarray, places: list[int], width: float) -> None:
    """The number of weights inside the bars of the start and of the cliffs, where there is room."""
    inch = ax.get_xlim()[1] / width
    for row in (0, *places):
        label = f"{counts[row]} before learning" if row == 0 else str(counts[row])
        inside = counts[row] / inch > lettering.width(label, TINY) + 0.07
        if inside or row == 0:
            at = 0.04 * inch + (0 if inside else counts[row])
            ax.text(at, row, label, fontsize=TINY, color=BLUE, va="center", ha="left")


def _write_equations(
    ax: Axes,
    shown: ShownRun,
    counts: np.ndarray,
    places: list[int],
    left: float,
    lines: int,
    digits: int,
    size: tuple[float, float],
) -> None:
    names = [lettering.name(text) for text in shown.inputs]
    target = spoken(shown.discovery, shown.discovery.samples.target_names[shown.target])
    lead = f"{lettering.rate(target, shown.field)} = "
    whole = ax.get_xlim()[1]
    room = (whole - left) / whole * size[0]
    blocks = [
        lettering.equation(shown.expression(place - 1), names, lead, room, SMALL, lines, digits)
        for place in places
    ]
    row = size[1] / len(counts)
    tops = stacked(
        [place - 0.4 for place in places],
        [(len(block) + 0.45) * LINE / row for block in blocks],
        len(counts) - 0.5,
    )
    for place, block, top in zip(places, blocks, tops, strict=True):
        first = top + 0.5 * LINE / row
        elbow = left - 0.025 * whole
        ax.plot(
            [counts[place], (counts[place] + 3 * elbow) / 4, elbow],
            [place, first, first],
            color=PALE,
            linewidth=0.6,
        )
        for number, line in enumerate(block):
            y = first + number * LINE / row
            ax.text(left, y, line, fontsize=SMALL, va="center", label="_equation")


def stacked(wanted: list[float], heights: list[float], bottom: float) -> list[float]:
    """Tops of blocks one below the other, each as near below its wanted place as the others allow."""
    tops: list[float] = []
    for place, top in enumerate(wanted):
        tops.append(max(top, tops[-1] + heights[place - 1]) if tops else top)
    for place in reversed(range(len(tops))):
        limit = bottom if place == len(tops) - 1 else tops[place + 1]
        tops[place] = min(tops[place], limit - heights[place])
    return tops
