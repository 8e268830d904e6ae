"""What was pruned in each cycle: weights, terms and errors of the best run, and the equation then."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from mathonet.errors import ConfigError
from mathonet.report.page import labels
from mathonet.report.page.chart import Columns, Panel, figure, panel, series
from mathonet.report.page.numerals import rounded
from mathonet.report.page.subject import Subject, cut, listed
from mathonet.result.discover import OTHER_KINDS
from mathonet.result.discovery import Discovery
from mathonet.result.outcome import PATH
from mathonet.search.proposers.calls import Calls
from mathonet.search.proposers.networks import Networks
from mathonet.search.proposers.polynomials import Polynomials


@dataclass(frozen=True)
class Pruning:
    """The cycles of one target's best run.

    Attributes:
        title: left-hand side of the equation.
        rung: name of the network.
        start: weights before the first cycle.
        chart: weights and errors by cycle.
        rows: one a cycle, as text: cycle, weights left, pruned in it, terms, error, equation.
    """

    title: str
    rung: str
    start: int
    chart: Panel
    rows: tuple[dict[str, Any], ...]


def prunings(subject: Subject, columns: Columns) -> list[Pruning]:
    """One history a searched equation; a joint network has the same runs for all."""
    found = []
    for target, name in enumerate(subject.discovery.samples.target_names):
        try:
            table = subject.discovery.history(target)
        except (ConfigError, KeyError, IndexError):
            # No history was kept, the network did not learn this target, or another proposer led to its form.
            continue
        rung = subject.discovery.chosen[target].rung
        start = int(subject.discovery.sweeps[rung].start.sum())
        title = labels.of_equation(subject, name)
        found.append(_pruning(title, rung, start, table, f"w{target}", columns))
    return found


def undrawn(subject: Subject) -> str:
    """Which equations small networks led to, and which none; nothing where there are neither."""
    discovery = subject.discovery
    pairs = list(zip(discovery.samples.target_names, discovery.chosen, strict=True))
    small = [name for name, chosen in pairs if chosen.rung == Networks.name]
    without = [name for name, chosen in pairs if _without_network(discovery, chosen.rung)]
    sentences = []
    if small:
        sentences.append(
            f"Small networks led to the form of {listed(small)}; many of them learn at once, and their "
            "pruning is not kept, so that it is not drawn."
        )
    if without:
        sentences.append(
            f"No network led to the form of {listed(without)}: polynomials and sums with calls are compared "
            "without one, and so is what a fit of the path chooses."
        )
    return " ".join(sentences)


def _without_network(discovery: Discovery, rung: str) -> bool:
    """Whether a form comes from where no network was trained; runs need not have been kept."""
    if rung == Networks.name:
        return False
    if discovery.sweeps:
        return rung not in discovery.sweeps
    return rung in (Polynomials.name, Calls.name, PATH, OTHER_KINDS)


def _pruning(title: str, rung: str, start: int, table: Any, key: str, columns: Columns) -> Pruning:
    cycles = np.concatenate([[0], table["cycle"].to_numpy()])
    weights = np.concatenate([[start], table["weights"].to_numpy()])
    x = columns.add(f"{key}.c", cycles)
    equations = [cut(each) for each in table["equation"]]
    above = panel(
        "cycle",
        "weights left",
        [series("steps", "weights left", x, columns.add(f"{key}.w", weights), "model")],
        labels=["the whole super-graph", *equations],
        whole=True,
        floor=True,
        height=190,
    )
    parts = []
    for column, label, colour in (("training", "training", "c3"), ("validation", "held out", "c2")):
        values = table[column].to_numpy(float)
        values = np.where(np.isfinite(values) & (values > 0), values, np.nan)
        keys = columns.add(f"{key}.n", table["cycle"]), columns.add(f"{key}.{column}", values)
        parts.append(series("line", label, *keys, colour, marked=True))
    below = panel("cycle", "error, relative to the target's size", parts, logy=True, whole=True, height=190)
    rows = []
    before = start
    for row, equation in zip(table.to_dict("records"), equations, strict=True):
        rows.append(
            {
                "cycle": row["cycle"],
                "weights": row["weights"],
                "pruned": before - row["weights"],
                "terms": "many"
                if row["terms"] is None or row["terms"] != row["terms"]
                else int(row["terms"]),
                "error": rounded(row["validation"], 2),
                "equation": equation,
            }
        )
        before = row["weights"]
    return Pruning(title, rung, start, figure([("", [above, below])]), tuple(rows))
