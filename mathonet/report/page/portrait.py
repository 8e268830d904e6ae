"""The phase portrait of a report: two states against each other, or a state against its derivative."""

import numpy as np

from mathonet.report.names import spoken
from mathonet.report.page import labels
from mathonet.report.page.chart import Columns, Panel, figure, panel, series, thinned
from mathonet.report.page.replay import Replay
from mathonet.report.page.subject import Subject

MOST_STATES = 6
"""States whose pairs are offered: fifteen of them."""


def draw_portrait(subject: Subject, found: list[Replay], columns: Columns) -> Panel | None:
    """Two states against each other, every pair to choose from; of one state its derivative against it."""
    names = subject.system.names[:MOST_STATES]
    if len(names) == 1:
        return _phase_line(subject, columns)
    if not found:
        return None
    axes = [labels.of_state(subject, name) for name in names]
    pairs = [(i, j) for i in range(len(names)) for j in range(i + 1, len(names))]
    views = [
        (
            f"{spoken(subject.discovery, names[i])} and {spoken(subject.discovery, names[j])}",
            [panel(axes[i], axes[j], _pair(subject, found, i, j, columns), "point", height=380)],
        )
        for i, j in pairs
    ]
    return figure(views, "states" if len(views) > 1 else "")


def _pair(subject: Subject, found: list[Replay], i: int, j: int, columns: Columns) -> list[dict]:
    """Points of all trajectories, then their simulations; the columns are those of data and simulation."""
    measured, parts, first = subject.discovery.measured, [], 0
    for number, each in enumerate(found):
        x, y, seen = f"d{number}.{i}", f"d{number}.{j}", "data"
        if measured is not None and max(i, j) >= measured.positions:
            # Velocities were not measured.
            states = measured.x[first + each.rows]
            x, y = (columns.add(f"z{number}.{state}", states[:, state]) for state in (i, j))
            seen = "smoothed data"
        parts.append(series("dots", seen, x, y, "data"))
        first += len(each.data)
    for number, each in enumerate(found):
        if len(each.x):
            parts.append(
                series("line", "simulation", f"m{number}.{i}", f"m{number}.{j}", "model", start=True)
            )
    return parts


def _phase_line(subject: Subject, columns: Columns) -> Panel | None:
    name = subject.system.names[0]
    if subject.system.input_names or not subject.trajectories:
        return None
    _, wanted, _ = subject.derivatives
    measured = subject.discovery.measured
    x = measured.x if measured is not None else np.concatenate([each.x for each in subject.trajectories])
    rows = thinned(len(x), 1000)
    grid = np.linspace(x.min(), x.max(), 300)
    keys = (
        columns.add("p.x", x[rows, 0]),
        columns.add("p.v", wanted[rows, 0]),
        columns.add("p.g", grid),
        columns.add("p.f", subject.system.equations[0](grid[:, None])),
    )
    seen = "data" if measured is None else "smoothed data"
    parts = [
        series("dots", seen, keys[0], keys[1], "data"),
        series("line", "equation", keys[2], keys[3], "model"),
    ]
    axes = labels.of_state(subject, name), labels.of_rate(subject, name)
    return figure([("", [panel(*axes, parts, "point", height=320, zero=True)])])
