"""What every part of the paper's results leaves: results.json, table.md, further tables as CSV, figures."""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from mathonet.equation.assembly import constants
from mathonet.equation.expression import Expression
from mathonet.equation.symbolic import constant_labels
from mathonet.experiments.bench.table import header, markdown
from mathonet.experiments.folder import is_table
from mathonet.report import save
from mathonet.report.figures.style import Canvas
from mathonet.result.discover import Discovery
from mathonet.writing import make_folders, write_file

Say = Callable[[str], None]

TEN_DIGITS = 5e-11
"""Relative error below which a number agrees with another to ten digits."""

CLOSE = 1e-3
"""Relative error below which all digits of a number are worth reading."""


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
        success: how many of them gave exactly the true terms (and, on clean data, the stated accuracy);
            None for a number that nothing is asked of, such as seconds.
    """

    name: str
    truth: float | None
    paper: float | None
    ours: float | None
    bound: float | None
    seeds: int
    success: int | None


@dataclass(frozen=True)
class Part:
    """What a part found.

    Attributes:
        results: the numbers.
        tables: further tables by title; written below the numbers and as CSV files of the title's name.
        files: tables that are only written as CSV files.
        figures: figures by name, each a function that draws it; written as PNG and SVG.
        notes: what a reader of the numbers must know, one line each.
    """

    results: list[Result]
    tables: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    files: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    figures: Mapping[str, Callable[[], Canvas | Axes]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def recovered(
    found: list[Discovery], target: int, truth: Expression, paper: tuple[float, ...] | None, prefix: str
) -> list[Result]:
    """One result a coefficient of an equation; a seed succeeds if it has the true terms to ten digits."""
    equations = [each.system.equations[target].expression for each in found]
    wanted = np.asarray(constants(truth))
    labels = constant_labels(truth, found[0].samples.input_names)
    values = np.full((len(found), len(wanted)), np.nan)
    for row, equation in enumerate(equations):
        if equation.skeleton == truth.skeleton:
            values[row] = constants(equation)
    exact = np.abs(values / wanted - 1.0) <= TEN_DIGITS
    name = found[0].samples.target_names[target]
    return [
        Result(
            f"{prefix}{name}': {label}",
            float(wanted[column]),
            None if paper is None else paper[column],
            float(np.nanmean(values[:, column])) if np.isfinite(values[:, column]).any() else None,
            None,
            len(found),
            int(exact[:, column].sum()),
        )
        for column, label in enumerate(labels)
    ]


def write_part(folder: Path, name: str, command: str, part: Part | list[Result]) -> Path:
    """Write `name/results.json`, `name/table.md`, its tables as CSV and its figures; returns the folder."""
    part = part if isinstance(part, Part) else Part(part)
    path = folder / name
    make_folders(path)
    rows = [{key: _finite(value) for key, value in asdict(result).items()} for result in part.results]
    write_file(path / "results.json", json.dumps(rows, indent=2, allow_nan=False) + "\n")
    lines = [f"# {name}", "", *(f"- {line}" for line in header(command)), ""]
    lines += [*(f"{note}\n" for note in part.notes), markdown(_readable(rows)), ""]
    for title, table in part.tables.items():
        lines += [f"## {title}", "", markdown(table.astype(object).where(table.notna(), "")), ""]
    for title, table in {**part.tables, **part.files}.items():
        write_file(path / f"{_slug(title)}.csv", table.to_csv(index=False))
    write_file(path / "table.md", "\n".join(lines), is_table)
    for title, draw in part.figures.items():
        save(draw(), path, title)
    return path


def _readable(rows: list[dict]) -> pd.DataFrame:
    """The numbers as text: all digits of a value that agrees with the truth, of others the first six."""

    def text(key: str, value: object, truth: float | None) -> str:
        if value is None:
            return ""
        if not isinstance(value, float):
            return str(value)
        close = truth is not None and abs(value - truth) <= CLOSE * abs(truth)
        return f"{value:.15g}" if close and key != "bound" else f"{value:.6g}"

    return pd.DataFrame([{key: text(key, value, row["truth"]) for key, value in row.items()} for row in rows])


def _slug(title: str) -> str:
    kept = "".join(letter if letter.isalnum() else " " for letter in title.split(":")[0].lower())
    return "-".join(kept.split())


def _finite(value: object) -> object:
    return None if isinstance(value, float) and not math.isfinite(value) else value
