"""Sparsity and error cycle by cycle (the paper's second figure of the search)."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from mathonet.errors import DataError
from mathonet.report.figures import lettering
from mathonet.report.figures.graph import ShownRun, shown_run
from mathonet.report.figures.style import (
    BLUE,
    COLUMN,
    GREEN,
    GREY,
    TINY,
    VERMILLION,
    Canvas,
    count_axis,
    framed,
    log_axis,
    new_figure,
    styled,
)


@styled
def draw_sparsity(
    result: Any,
    target: int | str = 0,
    rung: str | None = None,
    figure: Canvas | None = None,
    terms: Sequence[int | None] | None = None,
) -> Canvas:
    """Draw the share of weights pruned, and the errors, after every cycle of a target's best run.

    Above: the share of the super-graph's weights that are pruned, and over it the number of terms of the
    equation wherever it changes. Below: root mean square residuals relative to the target's size, on the
    training rows before the cycle's pruning and on the held-out rows after it. Cycle 1 is the sparse group
    Lasso.

    Args:
        result: a `Discovery` or a fitted estimator.
        target: number or name.
        rung: name of a network that was asked for; None for what led to the chosen form.
        figure: to draw on; None makes one of a column's width.
        terms: another count of terms for each cycle, None where there is none; by default those of the exact
            reading.
    """
    shown = shown_run(result, target, rung)
    counts = _terms(shown) if terms is None else list(terms)
    if len(counts) != shown.cycles:
        raise DataError(f"{len(counts)} counts of terms for {shown.cycles} cycles: give one for each.")
    figure = new_figure(COLUMN, 2.7) if figure is None else figure
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(0.75, 1.0))
    cycles = np.arange(1, shown.cycles + 1)
    weights = np.array([shown.active(cycle).sum() for cycle in range(shown.cycles)])
    framed(above).plot(cycles, 100.0 * (1.0 - weights / shown.start.sum()), "o-", color=BLUE)
    above.set_ylim(0.0, 105.0)
    above.set_yticks([0, 50, 100])
    above.set_yticks([25, 75], minor=True)
    above.set_ylabel("pruned (%)")
    below.set_xlim(0.5, shown.cycles + 0.5)
    _number(above, counts)

    records = shown.sweep.history
    errors = {
        "training rows": np.array([np.sqrt(2.0 * record.energy[shown.run]) for record in records]),
        "held-out rows": np.array([np.sqrt(2.0 * record.validation[shown.run]) for record in records]),
    }
    framed(below)
    for (label, values), style, colour in zip(
        errors.items(), ("s--", "o-"), (GREEN, VERMILLION), strict=True
    ):
        # An error of exactly zero, or none at all, has no place on a logarithmic axis.
        seen = np.where(np.isfinite(values) & (values > 0), values, np.nan)
        below.plot(cycles, seen, style, color=colour, label=label)
    log_axis(below, np.concatenate(list(errors.values())))
    below.set_ylabel("relative error")
    below.set_xlabel("cycle")
    count_axis(below)
    below.legend()
    return figure


def _terms(shown: ShownRun) -> list[int | None]:
    found = [shown.expression(cycle) for cycle in range(shown.cycles)]
    return [None if expression is None else len(expression.terms) for expression in found]


def _number(ax: Axes, counts: list[int | None]) -> None:
    """The numbers of terms in a row over the axes, where they change and do not touch."""
    figure: Any = ax.figure
    inch = ax.get_xlim()[1] / (ax.get_position().width * figure.bbox.width / figure.dpi)
    look: dict[str, Any] = {"fontsize": TINY, "color": GREY, "va": "bottom", "label": "_terms"}
    where = ax.get_xaxis_transform()
    last, free = None, -np.inf
    for cycle, value in enumerate(counts, start=1):
        label = "many" if value is None else str(int(value))
        half = (lettering.width(label, TINY) / 2 + 0.02) * inch
        if label != last and cycle - half >= free:
            ax.text(cycle, 1.02, label, transform=where, ha="center", **look)
            last, free = label, cycle + half
    ax.text(-0.02, 1.02, "terms", transform=ax.transAxes, ha="right", **look)
