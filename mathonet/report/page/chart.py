"""Charts as data: what the script of the report draws, with every column written once and briefly."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from markupsafe import Markup
from numpy.typing import ArrayLike

Panel = dict[str, Any]
DIGITS, MOST_DIGITS = 6, 15


@dataclass
class Columns:
    """Columns of numbers by key; series name the key, so that charts share them."""

    values: dict[str, list[float | None]] = field(default_factory=dict)

    def add(self, key: str, values: ArrayLike, digits: int = DIGITS) -> str:
        """Keep a column under a key, and return the key; what is not finite is missing.

        Digits are counted from the spread of the column: years with days in them need more.
        """
        column = np.asarray(values, float)
        digits = min(digits + _common(column[np.isfinite(column)]), MOST_DIGITS)
        self.values[key] = [brief(value, digits) for value in column.tolist()]
        return key


def _common(values: np.ndarray) -> int:
    """Leading digits that all values share."""
    with np.errstate(over="ignore"):
        spread = np.ptp(values) if values.size else 0.0
    return int(np.log10(np.abs(values).max() / spread)) if 0.0 < spread < np.inf else 0


def brief(value: float, digits: int = DIGITS) -> float | None:
    """A number with some significant digits; None for what JSON cannot write."""
    if not math.isfinite(value):
        return None
    short = float(f"{value:.{digits}g}")
    return int(short) if short.is_integer() and abs(short) < 1e6 else short


def series(kind: str, name: str, x: str, y: str, colour: str, **more: Any) -> dict[str, Any]:
    """A series: kind is line, dots, band (with `low` and `high`), bars or steps; x and y are keys."""
    return {"kind": kind, "name": name, "x": x, "y": y, "colour": colour, **more}


def panel(x: str, y: str, parts: Sequence[dict[str, Any]], pick: str = "x", **more: Any) -> Panel:
    """Axes with series.

    Args:
        x: label of the horizontal axis.
        y: label of the vertical one.
        parts: the series, those drawn first first.
        pick: what hovering looks for: "x", the values at a place, or "point", the nearest point.
        **more: `logy`, `zero` (a line at 0), `diagonal`, `height`, `equal`.
    """
    return {"x": x, "y": y, "series": list(parts), "pick": pick, **more}


def figure(views: Sequence[tuple[str, Sequence[Panel]]], choose: str = "", linked: bool = False) -> Panel:
    """A figure: views to choose from (by a list called `choose`), each some panels one below the other."""
    return {
        "choose": choose,
        "linked": linked,
        "views": [{"label": label, "panels": list(panels)} for label, panels in views],
    }


def thinned(count: int, most: int, values: np.ndarray | None = None) -> np.ndarray:
    """Rows to draw of many: evenly spread, with the extremes of each stretch where values are given."""
    if count <= most:
        return np.arange(count)
    if values is None:
        return np.unique(np.linspace(0, count - 1, most).astype(int))
    pieces = max(most // (2 * values.shape[1]), 1)
    edges = np.linspace(0, count, pieces + 1).astype(int)
    kept = {0, count - 1}
    for low, high in pairwise(edges):
        part = np.nan_to_num(values[low:high])
        kept.update((low + part.argmin(axis=0)).tolist(), (low + part.argmax(axis=0)).tolist())
    return np.array(sorted(kept))


def as_json(content: Any) -> Markup:
    """JSON that can stand in a script element: no text of the data can end it, or begin a comment."""
    text = json.dumps(content, allow_nan=False, separators=(",", ":"), ensure_ascii=True)
    for mark in "<>&":
        text = text.replace(mark, f"\\u{ord(mark):04x}")
    return Markup(text)
