"""Noise and smoothing: what the measurements say about themselves, before any equation."""

from dataclasses import dataclass

import numpy as np

from mathonet.report.page import labels
from mathonet.report.page.chart import Columns, Panel, figure, panel, series
from mathonet.report.page.numerals import rounded, share
from mathonet.report.page.subject import Subject
from mathonet.search import effort
from mathonet.search.measurements.outlying import in_words

MOST_STATES, MOST_POINTS, ROUNDING = 12, 250, 1e-11
WAYS = {"gp": "a Gaussian process", "spline": "a smoothing spline", "savgol": "Savitzky-Golay's filter"}
METHODS = {
    "constant": "the same everywhere",
    "proportional": "proportional to the value",
}


@dataclass(frozen=True)
class Noise:
    """Of measured states or derivatives: a table, sentences, and a figure where states were smoothed."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: tuple[str, ...]
    chart: Panel | None


def noise(subject: Subject, columns: Columns) -> Noise:
    """What is known of the noise."""
    discovery = subject.discovery
    if discovery.measured is None:
        rows = []
        size = discovery.samples.scaling.targets
        for number, each in enumerate(discovery.system.equations):
            unit = labels.rate_unit(subject, each.target)
            left, part = left_over(each.sigma, size[number])
            left = labels.behind(left, "" if part == "—" else unit)
            rows.append((labels.of_equation(subject, each.target), left, part))
        return Noise(
            ("derivative", "left over", "of its size"),
            tuple(rows),
            (
                "Derivatives were given, so nothing was smoothed. What the equations leave over of them "
                "is the noise of the derivatives, if the equations are right.",
            ),
            None,
        )
    measured = discovery.measured
    data = np.concatenate([each.x for each in measured.trajectories])
    level, size = measured.noise, np.sqrt(np.nanmean(data**2, axis=0))
    first, rows, units = measured.smoothed[0], [], subject.system.units
    for state, name in enumerate(measured.trajectories[0].names):
        clean = level[state] < effort.CLEAN * size[state]
        rows.append(
            (
                name,
                "none seen" if clean else labels.behind(rounded(level[state], 3), units.of.get(name, "")),
                "—" if clean else share(level[state] / size[state]),
                "—" if clean else METHODS.get(first.model[state], first.model[state]),
                labels.behind(rounded(first.length[state], 3), units.time),
            )
        )
    missing = sum(int(np.isnan(each.x).sum()) for each in subject.trajectories)
    words = [
        f"Only states were measured. For the search they were smoothed by {WAYS[measured.smoothing]}; the "
        "equations were then chosen and fitted on the measurements themselves.",
        f"Drawn are the first {MOST_POINTS} samples at most, with two deviations of the smoothed state.",
    ]
    if missing:
        words.append(f"{missing:,} values are missing, those at times put into gaps included.")
    if measured.outliers:
        words.append(in_words(measured.outliers, len(measured.trajectories) > 1).strip(". ") + ".")
    return Noise(
        ("state", "noise (deviation)", "of its size", "kind", "time scale"),
        tuple(rows),
        tuple(words),
        _smoothed(subject, columns),
    )


def left_over(sigma: float, size: float) -> tuple[str, str]:
    """What is left of a derivative, and as a share of its size."""
    return ("only rounding", "—") if sigma <= ROUNDING * size else (rounded(sigma, 3), share(sigma / size))


def _smoothed(subject: Subject, columns: Columns) -> Panel:
    measured = subject.discovery.measured
    assert measured is not None
    views = []
    shown = measured.trajectories[:6]
    for number, (data, smooth) in enumerate(zip(shown, measured.smoothed, strict=False)):
        # A stretch, not a thinned series: smoothing is seen from one sample to the next.
        rows = np.arange(min(len(data), MOST_POINTS))
        t = columns.add(f"n{number}.t", data.t[rows])
        panels = []
        for state, name in enumerate(data.names[:MOST_STATES]):
            mean, std = smooth.x[rows, state], smooth.x_std[rows, state]
            low = columns.add(f"n{number}.{state}l", mean - 2 * std)
            high = columns.add(f"n{number}.{state}h", mean + 2 * std)
            line = columns.add(f"n{number}.{state}s", mean)
            seen = columns.add(f"n{number}.{state}d", data.x[rows, state])
            parts = [
                series("band", "two deviations", t, line, "c3", low=low, high=high),
                series("dots", "data", t, seen, "data"),
                series("line", "smoothed", t, line, "c3"),
            ]
            panels.append(panel(labels.of_time(subject), labels.of_state(subject, name), parts, height=190))
        views.append((f"trajectory {number + 1}", panels))
    return figure(views, "trajectory" if len(views) > 1 else "", linked=True)
