"""The parts of `mathonet paper`, how many seeds each has by default, and running several in turn."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from mathonet import Discoverer, systems
from mathonet.experiments.bench.table import header, markdown
from mathonet.experiments.folder import is_table
from mathonet.experiments.paper.bands import uncertainty_part
from mathonet.experiments.paper.figures import search_figures
from mathonet.experiments.paper.fisher_kpp import fisher_kpp
from mathonet.experiments.paper.lorenz import lorenz
from mathonet.experiments.paper.lotka_volterra import lotka_volterra
from mathonet.experiments.paper.noise import noise
from mathonet.experiments.paper.protocol import protocol
from mathonet.experiments.paper.results import Part, Result, Say, write_part
from mathonet.experiments.paper.tutorial import tutorial
from mathonet.writing import write_file

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
        asked = [result for result in results if result.success is not None]
        whole = sum(result.success == result.seeds for result in asked)
        rows.append(
            {"part": name, "seeds": count, "seconds": seconds, "numbers": len(asked), "in all": whole}
        )
        say(f"{name}: {seconds:.0f} s, results in {path}")
    if len(names) == 1:
        return path / "table.md"
    total = {"part": "all", "seeds": "", "seconds": sum(row["seconds"] for row in rows)}
    total |= {key: sum(row[key] for row in rows) for key in ("numbers", "in all")}
    summary = folder / "summary.md"
    table = pd.DataFrame([*rows, total]).rename(columns={"in all": "numbers that every seed has right"})
    lines = ["# The paper's results", "", *(f"- {line}" for line in header(command)), "", markdown(table), ""]
    return write_file(summary, "\n".join(lines), is_table)


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
    "tutorial": Entry(tutorial, 3),
    "uncertainty": Entry(uncertainty_part, 2),
    "protocol": Entry(_protocol, 5),
}
