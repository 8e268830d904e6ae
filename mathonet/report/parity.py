"""Derivatives against those of the equations, and what is left over, with what a reader should look for."""

import numpy as np

from mathonet.discovery.trust import neighbour_correlation
from mathonet.report.chart import Columns, Panel, figure, panel, series, thinned
from mathonet.report.numerals import rounded
from mathonet.report.subject import Subject

MOST_EQUATIONS, MOST_POINTS, BINS = 12, 1500, 31


def draw_parity(subject: Subject, columns: Columns) -> Panel:
    """One view an equation: measured (or smoothed) derivatives against those of the equations."""
    _, wanted, found = subject.derivatives
    rows = thinned(len(wanted), MOST_POINTS)
    views = []
    measured = "smoothed data" if subject.discovery.measured is not None else "data"
    for number, line in enumerate(subject.lines[:MOST_EQUATIONS]):
        keys = (
            columns.add(f"v{number}", wanted[rows, number]),
            columns.add(f"f{number}", found[rows, number]),
        )
        parts = [series("dots", line.target, *keys, "model")]
        label = line.left_text
        views.append(
            (
                label,
                [
                    panel(
                        f"{label} of the {measured}",
                        f"{label} of the equation",
                        parts,
                        "point",
                        diagonal=True,
                        height=340,
                    )
                ],
            )
        )
    return figure(views, "equation" if len(views) > 1 else "")


def tell_parity(subject: Subject) -> list[str]:
    """How well derivatives agree, in a sentence an equation."""
    _, wanted, found = subject.derivatives
    told = []
    for number, line in enumerate(subject.lines[:MOST_EQUATIONS]):
        left, right = wanted[:, number], found[:, number]
        good = np.isfinite(right)
        if not good.all():
            told.append(f"{line.left_text} has no value at {np.sum(~good):,} of {len(good):,} samples.")
        about = np.sum((left[good] - left[good].mean()) ** 2)
        if about > 0:
            r2 = 1.0 - np.sum((left[good] - right[good]) ** 2) / about
            told.append(f"{line.left_text}: R² = {_r2(float(r2))}.")
    return told


def _r2(value: float) -> str:
    """R^2 with enough nines to tell good from very good."""
    if value >= 1.0 - 5e-13:
        return "1, to rounding"
    if value < 0.9:
        return rounded(value, 2)
    nines = int(np.floor(-np.log10(1.0 - value)))
    return f"{np.floor(value * 10 ** (nines + 2)) / 10 ** (nines + 2):.{nines + 2}f}"


def residuals(
    subject: Subject,
) -> tuple[np.ndarray, np.ndarray, tuple[str, ...], str, tuple[np.ndarray, ...]]:
    """Times, what is left (rows, columns), names of the columns, what it is, and rows of trajectories."""
    measured, followed = subject.discovery.measured, subject.followed
    if measured is not None and followed is not None:
        data = np.concatenate([each.x for each in measured.trajectories])[followed.rows]
        t = np.concatenate([each.t for each in measured.trajectories])[followed.rows]
        left = data - followed.x[:, : measured.positions]
        return t, left, measured.states[: measured.positions], "path", _runs(subject, followed.rows)
    t, wanted, found = subject.derivatives
    names = tuple(line.left_text for line in subject.lines)
    return t, wanted - found, names, "derivative", _runs(subject, np.arange(len(t)))


def _runs(subject: Subject, rows: np.ndarray) -> tuple[np.ndarray, ...]:
    """Places of the rows of each trajectory."""
    if not subject.trajectories:
        return (np.arange(len(rows)),)
    ends = np.cumsum([len(each) for each in subject.trajectories])
    owner = np.searchsorted(ends, rows, side="right")
    return tuple(np.flatnonzero(owner == number) for number in range(len(ends)))


def draw_residuals(subject: Subject, columns: Columns) -> Panel:
    """One view a column: what is left over time, and how it is distributed."""
    t, left, names, kind, runs = residuals(subject)
    views = []
    label = "t" if subject.trajectories else "sample"
    for column, name in enumerate(names[:MOST_EQUATIONS]):
        values = left[:, column]
        parts = []
        for number, run in enumerate(runs):
            rows = run[thinned(len(run), max(MOST_POINTS // len(runs), 20), values[run][:, None])]
            when = columns.add(f"r{number}.t", t[rows]) if number < 12 else None
            if when is None:
                continue
            when = columns.add(f"r{number}.{column}t", t[rows])
            what = columns.add(f"r{number}.{column}", values[rows])
            title = "left over" if len(runs) == 1 else f"trajectory {number + 1}"
            parts.append(
                series("dots", title, when, what, "model" if len(runs) == 1 else f"c{number % 6 + 1}")
            )
        seen = values[np.isfinite(values)]
        panels = [panel(label, f"{name}: data − model", parts, "point", zero=True, height=220)]
        if len(seen) >= 20 and np.ptp(seen) > 0:
            counts, edges = np.histogram(seen, bins=min(BINS, max(9, len(seen) // 12)))
            keys = (
                columns.add(f"h{column}.x", (edges[1:] + edges[:-1]) / 2),
                columns.add(f"h{column}.y", counts),
            )
            panels.append(
                panel(
                    f"{name}: data − model",
                    "samples",
                    [series("bars", "samples", *keys, "model")],
                    height=150,
                )
            )
        views.append((name, panels))
    return figure(views, ("state" if kind == "path" else "equation") if len(views) > 1 else "")


def tell_residuals(subject: Subject) -> list[str]:
    """What is left over, and what to look for, in sentences."""
    _, left, names, kind, runs = residuals(subject)
    what = (
        "Measured states less the path that follows the equations."
        if kind == "path"
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
    for column, name in enumerate(names[:MOST_EQUATIONS]):
        run = max(runs, key=len)
        values = left[run, column]
        values = values[np.isfinite(values)]
        size = float(np.nanstd(left[:, column]))
        sentence = f"{name}: deviation {rounded(size, 3)}" if size > 0 else f"{name}: nothing is left over"
        found = neighbour_correlation(values, None)
        if found is not None:
            sentence += (
                f", neighbours in time correlate by {found[0]:.2f} (0 for noise, 1 for a smooth remainder)"
            )
        told.append(sentence + ".")
    return told
