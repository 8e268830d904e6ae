"""The learned kernel of a PDE as bars, with what its moments say."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter

from mathonet.errors import ConfigError, DataError
from mathonet.report.figures import lettering
from mathonet.report.figures.style import BLUE, COLUMN, GREY, INK, SMALL, TINY, number, on, styled

BARS = 0.52
"""Share of the width that the bars take; the moments have the rest."""


@styled
def draw_stencil(
    result: Any,
    moments: pd.DataFrame | None = None,
    target: str | None = None,
    field: str | None = None,
    ax: Axes | None = None,
    digits: int = 4,
) -> Axes:
    """Draw the weights of a learned stencil over its neighbours, and write down its moments.

    A kernel k acts on a smooth field as m0 u + m1 u_x + m2 u_xx/2 and so on. The table gives the factors of
    u, u_x, u_xx in units of the axis and, where it is known, of the grid; those below rounding, or within
    two deviations of zero, are written 0.

    Args:
        result: a fitted `FieldDiscoverer`, or a table like its `stencil_`: columns offset and weight, and
            std, target and field if there are any.
        moments: a table like its `moments_`: columns term and value, and std, target and "grid units" if
            there are any. None takes those of the result.
        target: the field whose equation this is, if there are several.
        field: the field that the stencil sees, if there are several.
        ax: to draw on; None makes a figure of a column's width.
        digits: of the weights and the moments.
    """
    stencil = getattr(result, "stencil_", result)
    moments = getattr(result, "moments_", None) if moments is None else moments
    _check(stencil, "stencil", ("offset", "weight"))
    stencil, target = _only(stencil, "target", target)
    stencil, field = _only(stencil, "field", field)
    stencil = stencil.sort_values("offset")
    offsets, weights = (stencil[column].to_numpy(float) for column in ("offset", "weight"))
    ax = on(ax, COLUMN, 2.0)
    reach = 2.0 * stencil["std"].to_numpy(float) if "std" in stencil else np.zeros(len(weights))
    ax.bar(offsets, weights, width=0.6, color=BLUE)
    size = np.abs(weights).max() or 1.0
    if (reach > 2e-3 * size).any():
        ax.errorbar(offsets, weights, reach, fmt="none", ecolor=INK, elinewidth=0.8, capsize=2)
    for offset, weight, error in zip(offsets, weights, reach, strict=True):
        end = weight + np.sign(weight or 1.0) * (error + 0.05 * size)
        up = "bottom" if weight >= 0 else "top"
        ax.text(
            offset,
            end,
            number(weight, digits) if weight else "0",
            fontsize=TINY,
            ha="center",
            va=up,
            label="_weight",
        )
    low, high = min(weights.min() - reach.max(), 0.0), max(weights.max() + reach.max(), 0.0)
    ax.set_ylim(low - 0.24 * (high - low) * (low < 0), high + 0.24 * (high - low) * (high > 0))
    first, last = offsets.min() - 0.6, offsets.max() + 0.6
    share = 1.0 if moments is None else BARS
    ax.set_xlim(first, first + (last - first) / share)
    ax.xaxis.set_major_locator(FixedLocator(list(offsets)))
    ax.xaxis.set_major_formatter(
        FuncFormatter(lambda value, _: f"{value:+.0f}".replace("-", "−") if value else "0")
    )
    ax.spines["bottom"].set_bounds(first, last)
    ax.hlines(0.0, first, last, color=INK, linewidth=0.6)
    ax.set_xlabel("neighbour", x=share / 2)
    ax.set_ylabel("weight")
    if moments is not None:
        _check(moments, "moments", ("term", "value"))
        _write(ax, _of(moments, target, field), digits)
    return ax


def _check(table: Any, what: str, columns: tuple[str, ...]) -> None:
    if not isinstance(table, pd.DataFrame) or any(column not in table for column in columns) or table.empty:
        raise DataError(
            f"The {what} must be a table with the columns {list(columns)}, or a fitted FieldDiscoverer; got "
            f"{list(table) if isinstance(table, pd.DataFrame) else type(table).__name__}."
        )


def _only(table: pd.DataFrame, column: str, wanted: str | None) -> tuple[pd.DataFrame, str | None]:
    """The rows of one target or field; the only one if none is asked for."""
    if column not in table:
        return table, wanted
    known = list(dict.fromkeys(table[column]))
    if wanted is None and len(known) > 1:
        raise ConfigError(f"There are several: {known}. Choose one with {column}={known[0]!r}.")
    if wanted is not None and wanted not in known:
        raise ConfigError(f"There is no {column} {wanted!r}; choose one of {known}.")
    chosen = known[0] if wanted is None else wanted
    return table.loc[table[column] == chosen], chosen


def _of(moments: pd.DataFrame, target: str | None, field: str | None) -> pd.DataFrame:
    if target is not None and "target" in moments:
        moments = moments.loc[moments["target"] == target]
    if field is not None:
        own = moments["term"].map(lambda term: term == field or term.startswith(f"{field}_x"))
        moments = moments.loc[own]
    return moments


def _write(ax: Axes, moments: pd.DataFrame, digits: int) -> None:
    """The moments as a small table beside the bars."""
    grid = "grid units" in moments
    sizes = moments["grid units" if grid else "value"].abs().to_numpy(float)
    deviations = moments["std"].to_numpy(float) if "std" in moments else np.zeros(len(moments))
    columns: list[tuple[float, str, str, list[str]]] = []
    zero = (sizes <= 1e-9 * sizes.max()) | (
        (deviations > 0) & (moments["value"].abs().to_numpy(float) <= 2 * deviations)
    )
    terms = [lettering.math(lettering.name(term)) for term in moments["term"]]
    columns.append((BARS + 0.03, "left", "acts as", terms))
    for place, head, column in ((0.82, "factor", "value"), (1.0, "on the grid", "grid units")):
        if column in moments:
            shown = [
                "0" if nothing else number(value, digits)
                for value, nothing in zip(moments[column].to_numpy(float), zero, strict=True)
            ]
            columns.append((place, "right", head, shown))
    for x, side, head, texts in columns:
        for row, text in enumerate([head, *texts]):
            look: dict[str, Any] = (
                {"fontsize": SMALL, "color": INK} if row else {"fontsize": TINY, "color": GREY}
            )
            y = 0.93 - 0.125 * row
            ax.text(x, y, text, transform=ax.transAxes, ha=side, va="center", label="_moment", **look)
