"""The Pareto front: candidates by complexity and error, with the equation and the curve of each."""

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from markupsafe import Markup

from mathonet.report.page import labels
from mathonet.report.page.chart import Columns, Panel, figure, panel, series, thinned
from mathonet.report.page.numerals import rounded
from mathonet.report.page.replay import Replay, simulate, start_of
from mathonet.report.page.subject import Line, Subject, cut

MOST, MOST_SIMULATED, POINTS = 30, 12, 500
SECONDS = 8.0
"""Time that all curves together may take: a bad candidate can be a hard equation to solve."""
LEAST_ERROR = 1e-17


@dataclass(frozen=True)
class Entry:
    """One candidate to show."""

    number: int
    line: Line
    complexity: int
    error: float
    validation: float
    evidence: float
    origin: str
    chosen: bool
    pareto: bool
    curve: str = ""
    words: str = ""

    @property
    def math(self) -> Markup:
        """Its equation."""
        return self.line.math

    @property
    def text(self) -> str:
        """Its equation as text, cut where it is very long."""
        return cut(self.line.text)

    @property
    def shown_error(self) -> str:
        """Its error."""
        return rounded(self.error, 3)

    @property
    def shown_evidence(self) -> str:
        """Its evidence in nats."""
        return rounded(self.evidence, 5)

    @property
    def figures(self) -> list[tuple[str, str]]:
        """Its numbers, as they are shown."""
        found = [("complexity", str(self.complexity)), ("error", self.shown_error)]
        if np.isfinite(self.validation):
            found.append(("error on held-out samples", rounded(self.validation, 3)))
        found.append(("evidence", f"{self.shown_evidence} nats"))
        found.append(("found by", self.origin))
        return found


@dataclass(frozen=True)
class Front:
    """The candidates of one target, simplest first, and where the chosen one stands."""

    title: str
    entries: tuple[Entry, ...]
    chart: Panel
    curve: Panel | None

    @property
    def chosen(self) -> int:
        """Place of the chosen candidate."""
        return next((place for place, each in enumerate(self.entries) if each.chosen), 0)


def fronts(subject: Subject, found: list[Replay], columns: Columns) -> list[Front]:
    """One front a searched equation; none where there are no candidates."""
    discovery = subject.discovery
    if not any(discovery.candidates):
        return []
    table, started, made = discovery.table(), time.monotonic(), []
    for target, name in enumerate(discovery.samples.target_names):
        rows: Any = table[table["target"] == name].reset_index(drop=True)
        keep = rows.index[rows["pareto"] | rows["chosen"]].tolist()
        keep += [row for row in rows.sort_values("evidence", ascending=False).index if row not in keep]
        keep = sorted(keep[:MOST], key=lambda row: (rows["complexity"][row], rows["error"][row]))
        entries = []
        for row in keep:
            form = subject.candidate(target, row)
            entry = rows.loc[row]
            curve, words = "", ""
            wanted = entry["pareto"] and sum(bool(each.curve) for each in entries) < MOST_SIMULATED
            if found and wanted and not entry["chosen"] and time.monotonic() - started < SECONDS:
                curve, words = _curve(subject, found[0], target, row, columns)
            entries.append(
                Entry(
                    row,
                    subject.line(name, form),
                    int(entry["complexity"]),
                    float(entry["error"]),
                    float(entry["validation"]),
                    float(entry["evidence"]),
                    discovery.origin(discovery.candidates[target][row]),
                    bool(entry["chosen"]),
                    bool(entry["pareto"]),
                    curve,
                    words,
                )
            )
        made.append(_front(subject, name, tuple(entries), found, columns))
    return made


def _state(subject: Subject, name: str) -> int:
    """The state that shows what an equation does: its own, or the position of a velocity."""
    state = subject.system.names.index(name)
    measured = subject.discovery.measured
    return state - measured.positions if measured is not None and measured.order == 2 else state


def _curve(subject: Subject, replay: Replay, target: int, row: int, columns: Columns) -> tuple[str, str]:
    """The simulation of the first trajectory with another form, as the key of a column."""
    data, t = replay.data, replay.times
    system = subject.with_candidate(target, subject.candidate(target, row))
    x, words = simulate(system, start_of(subject, data, 0), t, replay.drive)
    if not len(x):
        return "", words
    values = np.full(len(t), np.nan)
    state = _state(subject, subject.discovery.samples.target_names[target])
    values[: len(x)] = x[:, state]
    values[np.abs(values) > replay.bound[state] / 2] = np.nan
    shown = thinned(len(t), POINTS)
    columns.add("q.t", t[shown])
    return columns.add(f"q{target}.{row}", values[shown]), words


def _front(
    subject: Subject, name: str, entries: tuple[Entry, ...], found: list[Replay], columns: Columns
) -> Front:
    key = f"c{subject.discovery.samples.target_names.index(name)}"
    errors = np.array([each.error for each in entries])
    positive = errors[errors > 0]
    least = positive.min() / 10 if positive.size else LEAST_ERROR
    errors = np.where(errors > 0, errors, least)
    sizes = np.array([each.complexity for each in entries], float)
    parts = []
    for kind, title, colour, mask in (
        ("line", "Pareto front", "front", np.array([each.pareto for each in entries])),
        ("dots", "candidates", "data", np.array([not each.pareto for each in entries])),
        ("dots", "on the front", "model", np.array([each.pareto and not each.chosen for each in entries])),
        ("dots", "chosen", "chosen", np.array([each.chosen for each in entries])),
    ):
        if not mask.any():
            continue
        keys = columns.add(f"{key}.{title}.x", sizes[mask]), columns.add(f"{key}.{title}.y", errors[mask])
        more = {} if kind == "line" else {"places": np.flatnonzero(mask).tolist(), "large": True}
        parts.append(series(kind, title, *keys, colour, **more))
    chart = panel(
        "complexity",
        "error",
        parts,
        "point",
        logy=True,
        height=300,
        labels=[each.text for each in entries],
        whole=True,
    )
    return Front(
        labels.of_equation(subject, name),
        entries,
        figure([("", [chart])]),
        _curves(subject, name, found, columns),
    )


def _curves(subject: Subject, name: str, found: list[Replay], columns: Columns) -> Panel | None:
    """Data and the chosen simulation, beside which the script draws the candidate that is looked at."""
    if not found or not len(found[0].x):
        return None
    state = _state(subject, name)
    replay = found[0]
    rows = replay.rows[thinned(len(replay.rows), 400)]
    parts = []
    if state < replay.data.x.shape[1]:
        key = subject.discovery.samples.target_names.index(name)
        keys = (
            columns.add(f"k{key}.t", replay.data.t[rows]),
            columns.add(f"k{key}.d", replay.data.x[rows, state]),
        )
        parts.append(series("dots", "data", *keys, "data"))
    if f"m0.{state}" in columns.values:
        parts.append(series("line", "chosen", "s0", f"m0.{state}", "model"))
    seen = labels.of_state(subject, subject.system.names[state])
    return figure([("", [panel(labels.of_time(subject), seen, parts, height=220)])])
