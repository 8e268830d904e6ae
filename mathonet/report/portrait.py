"""The phase portrait of a report: two states against each other, or a state against its derivative."""

import numpy as np

from mathonet.report.chart import Columns, Panel, figure, panel, series, thinned
from mathonet.report.course import Course
from mathonet.report.subject import Subject

MOST_STATES = 6
"""States whose pairs are offered: fifteen of them."""


def draw_portrait(subject: Subject, found: list[Course], columns: Columns) -> Panel | None:
    """Two states against each other, every pair to choose from; of one state its derivative against it."""
    names = subject.system.names[:MOST_STATES]
    if len(names) == 1:
        return _phase_line(subject, columns)
    if not found:
        return None
    measured = subject.discovery.measured
    views = []
    for i in range(len(names)):
        for j in range(i + 1, len(names)):
            parts = []
            for number, each in enumerate(found):
                keys = [f"d{number}.{state}" for state in (i, j)]
                if measured is not None and max(i, j) >= measured.positions:
                    first = sum(len(other.data) for other in found[:number])
                    keys = [
                        columns.add(f"z{number}.{state}", measured.x[first + each.rows, state])
                        for state in (i, j)
                    ]
                parts.append(series("dots", "data" if keys[0][0] == "d" else "smoothed data", *keys, "data"))
            for number, each in enumerate(found):
                if len(each.x):
                    keys = [f"m{number}.{state}" for state in (i, j)]
                    parts.append(series("line", "simulation", *keys, "model", start=True))
            views.append(
                (f"{names[i]} and {names[j]}", [panel(names[i], names[j], parts, "point", height=380)])
            )
    return figure(views, "states" if len(views) > 1 else "")


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
    return figure([("", [panel(name, f"d{name}/dt", parts, "point", height=320, zero=True)])])
