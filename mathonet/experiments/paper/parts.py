"""The parts of `mathonet paper`, how many seeds each has by default, and running several in turn."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pandas as pd

from mathonet import Discoverer, systems
from mathonet.experiments.bench.table import header, markdown
from mathonet.experiments.paper.figures import Draw, search_figures
from mathonet.experiments.paper.fisher_kpp import fisher_kpp
from mathonet.experiments.paper.lorenz import lorenz
from mathonet.experiments.paper.lotka_volterra import lotka_volterra
from mathonet.experiments.paper.noise import noise
from mathonet.experiments.paper.protocol import protocol
from mathonet.experiments.paper.results import Part, Result, Say, write_part
from mathonet.experiments.paper.tutorial import tutorial
from mathonet.experiments.paper.uncertainty import Panel, panels, uncertainty
from mathonet.report import BandPanel, draw_bands

EPOCHS = 200
"""Epochs a cycle of the drawn search by the paper's protocol, which decays its lambda after so many."""


@dataclass(frozen=True)
class Entry:
    """A part: what computes it, and its seeds where none are asked for."""

    compute: Callable[[int, Say], Part | list[Result]]
    seeds: int


def run(names: Sequence[str], folder: Path, seeds: int | None, say: Say, command: str) -> Path:
    """Compute parts in turn, each written when it is done; returns the Markdown to show.

    One part shows its own table; of several, `summary.md` says how long each took and what succeeded.
    """
    rows = []
    path = folder
    for number, name in enumerate(names):
        entry = PARTS[name]
        count = entry.seeds if seeds is None else seeds
        say(f"part {number + 1} of {len(names)}: {name}, {count} seeds")
        began = time.monotonic()
        part = entry.compute(count, say)
        results = part.results if isinstance(part, Part) else part
        path = write_part(folder, name, command, part)
        seconds = time.monotonic() - began
        whole = sum(result.success == result.seeds for result in results)
        rows.append(
            {"part": name, "seeds": count, "seconds": seconds, "numbers": len(results), "in all": whole}
        )
        say(f"{name}: {seconds:.0f} s, results in {path}")
    if len(names) == 1:
        return path / "table.md"
    total = {"part": "all", "seeds": "", "seconds": sum(row["seconds"] for row in rows)}
    total |= {key: sum(row[key] for row in rows) for key in ("numbers", "in all")}
    summary = folder / "summary.md"
    table = pd.DataFrame([*rows, total]).rename(columns={"in all": "numbers that every seed has right"})
    lines = ["# The paper's results", "", *(f"- {line}" for line in header(command)), "", markdown(table), ""]
    summary.write_text("\n".join(lines))
    return summary


def _uncertainty(seeds: int, say: Say) -> Part:
    """The bands' numbers, and one figure a system with a panel for each equation and noise level."""
    results = uncertainty(seeds, say)
    shown = panels()
    lorenz_panels = [panel for panel in shown if panel.name.startswith("Lorenz")]
    others = [panel for panel in shown if not panel.name.startswith("Lorenz")]
    figures: dict[str, Draw] = {}
    for system, chosen in (("lorenz", lorenz_panels), ("lotka-volterra", others)):
        for kind in ("linearised", "sampled"):
            drawn = [each for panel in chosen for each in _bands(panel, kind)]
            columns = len(chosen[0].targets)
            figures[f"{system}-{kind}"] = partial(
                draw_bands, drawn, columns=columns, relative=True, ylabel="derivative"
            )
    return Part(results, figures=figures)


def _bands(panel: Panel, kind: str) -> list[BandPanel]:
    band = panel.linearised if kind == "linearised" else panel.sampled
    return [
        BandPanel(
            panel.t,
            band.mean[:, column],
            band.std[:, column],
            panel.measured[:, column],
            panel.truth[:, column],
            f"{target}', {panel.name.partition(', ')[2]}",
        )
        for column, target in enumerate(panel.targets)
    ]


def _protocol(seeds: int, say: Say) -> Part:
    """What both protocols cost and reach, and how the paper's finds Lorenz's z."""
    results = protocol(seeds, say)
    system = systems.get("lorenz")
    data = system.simulate()
    model = Discoverer(operations=system.operations, hidden=system.hidden, protocol="paper", epochs=EPOCHS)
    model.fit(data.x, data.t, data.x_dot, names=data.names)
    return Part(results, figures=search_figures(model.discovery_, "z", "-lorenz-z"))


PARTS = {
    "lorenz": Entry(lorenz, 20),
    "noise": Entry(noise, 20),
    "lotka-volterra": Entry(lotka_volterra, 20),
    "fisher-kpp": Entry(fisher_kpp, 20),
    "tutorial": Entry(tutorial, 5),
    "uncertainty": Entry(_uncertainty, 2),
    "protocol": Entry(_protocol, 5),
}
