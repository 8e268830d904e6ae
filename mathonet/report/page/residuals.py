"""What the equations leave over of the data, and what a reader should look for in it."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from mathonet.fit.residuals import LEAST_ROWS, neighbour_correlation
from mathonet.report.page import labels
from mathonet.report.page.chart import Columns, Panel, figure, panel, series, thinned
from mathonet.report.page.numerals import rounded
from mathonet.report.page.subject import Subject

MOST_COLUMNS, MOST_RUNS, MOST_POINTS, BINS = 12, 12, 1500, 31


@dataclass(frozen=True)
class Residuals:
    """What the equations leave over.

    Attributes:
        t: times.
        values: what is left (rows, columns).
        names: of the columns, and their units.
        kind: "path", measured states less the path that follows the equations, or "derivative".
        runs: places of the rows of each trajectory.
    """

    t: np.ndarray
    values: np.ndarray
    names: tuple[str, ...]
    units: tuple[str, ...]
    kind: Literal["path", "derivative"]
    runs: tuple[np.ndarray, ...]


def residuals(subject: Subject) -> Residuals:
    """What is left over of measured states or, where there is no path, of derivatives."""
    measured, followed = subject.discovery.measured, subject.followed
    if measured is not None and followed is not None:
        data = np.concatenate([each.x for each in measured.trajectories])[followed.rows]
        t = np.concatenate([each.t for each in measured.trajectories])[followed.rows]
        left = data - followed.x[:, : measured.positions]
        names = measured.states[: measured.positions]
        units = tuple(subject.system.units.of.get(name, "") for name in names)
        return Residuals(t, left, names, units, "path", _runs(subject, followed.rows))
    t, wanted, found = subject.derivatives
    names = tuple(labels.of_equation(subject, name) for name in subject.system.names)
    units = tuple(labels.rate_unit(subject, name) for name in subject.system.names)
    return Residuals(t, wanted - found, names, units, "derivative", _runs(subject, np.arange(len(t))))


def _runs(subject: Subject, rows: np.ndarray) -> tuple[np.ndarray, ...]:
    """Places of the rows of each trajectory."""
    if not subject.trajectories:
        return (np.arange(len(rows)),)
    ends = np.cumsum([len(each) for each in subject.trajectories])
    owner = np.searchsorted(ends, rows, side="right")
    return tuple(np.flatnonzero(owner == number) for number in range(len(ends)))


def draw_residuals(subject: Subject, columns: Columns) -> Panel:
    """One view a column: what is left over time, and how it is distributed."""
    left = residuals(subject)
    label = labels.of_time(subject) if subject.trajectories else "sample"
    views = []
    for column, name in enumerate(left.names[:MOST_COLUMNS]):
        values, title = left.values[:, column], labels.with_unit(f"{name}: data − model", left.units[column])
        shown = left.runs[:MOST_RUNS]
        parts = []
        for number, run in enumerate(shown):
            rows = run[thinned(len(run), max(MOST_POINTS // len(shown), 20), values[run][:, None])]
            keys = (
                columns.add(f"r{number}.{column}t", left.t[rows]),
                columns.add(f"r{number}.{column}", values[rows]),
            )
            one = len(shown) == 1
            parts.append(
                series(
                    "dots",
                    "left over" if one else f"trajectory {number + 1}",
                    *keys,
                    colour="model" if one else f"c{number % 6 + 1}",
                )
            )
        panels = [panel(label, title, parts, "point", zero=True, height=220)]
        seen = values[np.isfinite(values)]
        if len(seen) >= LEAST_ROWS and np.ptp(seen) > 0:
            counts, edges = np.histogram(seen, bins=min(BINS, max(9, len(seen) // 12)))
            x, y = (
                columns.add(f"h{column}.x", edges[1:] - np.diff(edges) / 2),
                columns.add(f"h{column}.y", counts),
            )
            panels.append(panel(title, "samples", [series("bars", "samples", x, y, "model")], height=150))
        views.append((name, panels))
    return figure(views, ("state" if left.kind == "path" else "equation") if len(views) > 1 else "")


def tell_residuals(subject: Subject) -> list[str]:
    """What is left over, and what to look for, in sentences."""
    left = residuals(subject)
    what = (
        "Measured states less the path that follows the equations."
        if left.kind == "path"
        else "Derivatives of the data less those of the equations."
        if subject.discovery.measured is None
        else "Derivatives of the smoothed states less those of the equations."
    )
    told = [
        what,
        "Look for structure: points without any pattern around zero are noise. Waves or a drift say that a "
        "term is missing; a fan that opens says that the noise grows with the state; single points far away "
        "are outliers.",
    ]
    for column, name in enumerate(left.names[:MOST_COLUMNS]):
        run = max(left.runs, key=len)
        values = left.values[run, column]
        values = values[np.isfinite(values)]
        size = float(np.nanstd(left.values[:, column]))
        deviation = labels.behind(rounded(size, 3), left.units[column])
        sentence = f"{name}: deviation {deviation}" if size > 0 else f"{name}: nothing is left over"
        found = neighbour_correlation(values, None)
        if found is not None:
            correlation = f"{found[0]:.2f}".replace("-", "−")
            sentence += f", neighbours in time correlate by {correlation} (0 for noise, 1 for a smooth rest)"
        told.append(sentence + ".")
    return told
