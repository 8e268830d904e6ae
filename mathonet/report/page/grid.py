"""Sections of a report on fields: rates over space and time, and the kernel with what its moments say."""

import numpy as np

from mathonet.report.page.chart import Columns, Panel, figure, panel, series
from mathonet.report.page.numerals import rounded, share
from mathonet.report.page.subject import Subject

MOST_TIMES, MOST_PLACES = 160, 120


def draw_rates(subject: Subject, columns: Columns) -> Panel:
    """Per field: the field, its rate as measured and by the equation, and their difference, as images."""
    field, estimator = subject.field, subject.estimator
    kept = field.kept(estimator.radius)
    shape = (len(field.t), len(kept), len(field.names))
    wanted = subject.discovery.samples.targets.reshape(shape)
    found = estimator.predict(field.values).reshape(shape)
    times = np.unique(np.linspace(0, len(field.t) - 1, MOST_TIMES).astype(int))
    places = np.unique(np.linspace(0, len(kept) - 1, MOST_PLACES).astype(int))
    views = []
    for number, name in enumerate(field.names):
        panels = []
        for title, values, signed in (
            (name, field.values[:, kept], False),
            (f"{name}_t of the data", wanted, False),
            (f"{name}_t of the equation", found, False),
            (f"{name}_t: data − equation", wanted - found, True),
        ):
            shown = values[:, :, number][np.ix_(times, places)]
            key = columns.add(f"i{number}.{len(panels)}", shown.T.ravel(), 4)
            panels.append(
                panel(
                    "t",
                    "x",
                    [],
                    "image",
                    height=190,
                    title=title,
                    image={
                        "key": key,
                        "columns": len(times),
                        "rows": len(places),
                        "x": _edges(field.t[times]),
                        "y": _edges(field.x[kept[places]]),
                        "signed": signed,
                    },
                )
            )
        views.append((name, panels))
    return figure(views, "field" if len(views) > 1 else "")


def _edges(centres: np.ndarray) -> list[float]:
    """Outer edges of cells about some centres."""
    first, last = (centres[1] - centres[0]) / 2, (centres[-1] - centres[-2]) / 2
    return [float(centres[0] - first), float(centres[-1] + last)]


def tell_rates(subject: Subject) -> list[str]:
    """How large the grid is, and how much of it is drawn."""
    field = subject.field
    told = [f"{len(field.t):,} times and {len(field.x):,} points, {field.boundary} boundary."]
    if len(field.t) > MOST_TIMES or len(field.x) > MOST_PLACES:
        told.append(f"At most {MOST_TIMES} times and {MOST_PLACES} points are drawn.")
    return told


def draw_kernels(subject: Subject, columns: Columns) -> Panel:
    """The weights of every stencil over its neighbours."""
    table = subject.estimator.stencil_
    views = []
    for number, ((target, field), rows) in enumerate(table.groupby(["target", "field"], sort=False)):
        keys = columns.add(f"b{number}.x", rows["offset"]), columns.add(f"b{number}.y", rows["weight"])
        parts = [series("bars", "weight", *keys, "model")]
        chart = panel("neighbour", "weight", parts, zero=True, height=220, whole=True)
        views.append((f"{field} in the equation of {target}", [chart]))
    return figure(views, "kernel" if len(views) > 1 else "")


def moments(subject: Subject) -> list[tuple[str, str, str, str]]:
    """Rows of the table of moments: equation, term, factor with its deviation, share of uncertainty."""
    found = []
    for row in subject.estimator.moments_.to_dict("records"):
        uncertain = abs(row["std"] / row["value"]) if row["value"] else np.inf
        found.append(
            (
                f"{row['target']}_t",
                row["term"],
                rounded(row["value"], 5),
                share(uncertain) if uncertain < 1 else "not told from 0",
            )
        )
    return found
