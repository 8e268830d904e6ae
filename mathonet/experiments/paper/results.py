"""What every part of the paper's results leaves: results.json and a Markdown table."""

import json
import math
from dataclasses import asdict, dataclass
from pathlib import Path

import pandas as pd

from mathonet.experiments.bench.table import header, markdown


@dataclass(frozen=True)
class Result:
    """One number of the paper beside ours.

    Attributes:
        name: what it is.
        truth: its true value.
        paper: what the paper reports, None where it reports nothing.
        ours: ours, the mean over the seeds.
        bound: its Cramer-Rao deviation, None for clean data.
        seeds: number of seeds.
        success: how many of them gave exactly the true terms (and, on clean data, the stated accuracy).
    """

    name: str
    truth: float | None
    paper: float | None
    ours: float | None
    bound: float | None
    seeds: int
    success: int


def write_results(folder: Path, part: str, command: str, results: list[Result]) -> Path:
    """Write `part/results.json` and `part/table.md`; returns the folder of the part."""
    path = folder / part
    path.mkdir(parents=True, exist_ok=True)
    rows = [{key: _finite(value) for key, value in asdict(result).items()} for result in results]
    (path / "results.json").write_text(json.dumps(rows, indent=2, allow_nan=False) + "\n")
    lines = [f"# {part}", "", *(f"- {line}" for line in header(command)), ""]
    (path / "table.md").write_text("\n".join([*lines, markdown(pd.DataFrame(rows)), ""]))
    return path


def _finite(value: object) -> object:
    return None if isinstance(value, float) and not math.isfinite(value) else value
