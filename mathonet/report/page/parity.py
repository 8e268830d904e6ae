"""Derivatives of the data against those of the equations."""

import numpy as np

from mathonet.report.page import labels
from mathonet.report.page.chart import Columns, Panel, figure, panel, series, thinned
from mathonet.report.page.numerals import rounded
from mathonet.report.page.subject import Subject

MOST_EQUATIONS, MOST_POINTS = 12, 1500


def draw_parity(subject: Subject, columns: Columns) -> Panel:
    """One view an equation: measured (or smoothed) derivatives against those of the equations."""
    _, wanted, found = subject.derivatives
    rows = thinned(len(wanted), MOST_POINTS)
    views = []
    measured = "smoothed data" if subject.discovery.measured is not None else "data"
    for number in subject.telling[:MOST_EQUATIONS]:
        line = subject.lines[number]
        keys = (
            columns.add(f"v{number}", wanted[rows, number]),
            columns.add(f"f{number}", found[rows, number]),
        )
        parts = [series("dots", line.target, *keys, "model")]
        views.append(
            (
                labels.of_equation(subject, line.target),
                [
                    panel(
                        labels.of_rate(subject, line.target, f" of the {measured}"),
                        labels.of_rate(subject, line.target, " of the equation"),
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
    for number in subject.telling[:MOST_EQUATIONS]:
        name = labels.of_equation(subject, subject.lines[number].target)
        left, right = wanted[:, number], found[:, number]
        good = np.isfinite(right)
        if not good.all():
            told.append(f"{name} has no value at {np.sum(~good):,} of {len(good):,} samples.")
        about = np.sum((left[good] - left[good].mean()) ** 2)
        if about > 0:
            r2 = 1.0 - np.sum((left[good] - right[good]) ** 2) / about
            told.append(f"{name}: R² = {_r2(float(r2))}.")
    return told


def _r2(value: float) -> str:
    """R^2 with enough nines to tell good from very good."""
    if value >= 1.0 - 5e-13:
        return "1, to rounding"
    if value < 0.9:
        return rounded(value, 2)
    nines = int(np.floor(-np.log10(1.0 - value)))
    return f"{np.floor(value * 10 ** (nines + 2)) / 10 ** (nines + 2):.{nines + 2}f}"
