"""The look of every figure: colours that survive colour blindness, type that can be read in a paper's column.

A figure is drawn inside `matplotlib.rc_context`, so the caller's settings are as before when it returns, and
is never known to pyplot.
"""

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any, Literal, ParamSpec, TypeVar

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure
from matplotlib.ticker import MaxNLocator, NullFormatter

COLUMN, PAGE = 3.4, 7.0
"""Widths in inches of a paper's column and of its page."""

BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#E69F00",
    "#56B4E9",
)
CYCLE = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY)
"""Okabe and Ito's palette, without its yellow, which is too pale for lines."""
INK, GREY, PALE = "#1A1A1A", "#767676", "#B5B5B5"
LABEL, SMALL, TINY = 8.5, 7.5, 6.5
"""Sizes of type in points, at the figure's own size."""

RC: Any = {
    "font.family": ["STIXGeneral", "DejaVu Sans"],
    "mathtext.fontset": "stix",
    "font.size": LABEL,
    "axes.titlesize": LABEL,
    "axes.labelsize": LABEL,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "legend.fontsize": SMALL,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": INK,
    "axes.facecolor": "white",
    "figure.facecolor": "white",
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.linewidth": 0.6,
    "axes.grid": False,
    "axes.unicode_minus": True,
    "lines.linewidth": 1.2,
    "lines.markersize": 3.5,
    "legend.frameon": False,
    "legend.handlelength": 1.6,
    "legend.borderaxespad": 0.2,
    "text.usetex": False,
    "figure.dpi": 100.0,
}

P = ParamSpec("P")
R = TypeVar("R")
Canvas = Figure | SubFigure


def styled(draw: Callable[P, R]) -> Callable[P, R]:
    """Draw with this style; the caller's settings are untouched afterwards."""

    @functools.wraps(draw)
    def drawn(*arguments: P.args, **options: P.kwargs) -> R:
        with mpl.rc_context(RC):
            return draw(*arguments, **options)

    return drawn


def new_figure(width: float, height: float) -> Figure:
    """An empty figure in inches that pyplot does not know of."""
    return Figure(figsize=(width, height), layout="constrained")


def on(ax: Axes | None, width: float, height: float) -> Axes:
    """The given axes, or the only ones of a new figure; in both cases with this style's frame and ticks."""
    return framed(new_figure(width, height).add_subplot() if ax is None else ax)


def framed(ax: Axes) -> Axes:
    """Two spines instead of four; ticks that keep their type however late they are made."""
    for side, spine in ax.spines.items():
        spine.set(visible=side in ("left", "bottom"), linewidth=0.6)
    # Axes that are given were made in the caller's style, their labels too.
    for text in (ax.xaxis.label, ax.yaxis.label, ax.title):
        text.set(fontfamily=RC["font.family"], fontsize=LABEL, math_fontfamily="stix", color=INK)
    # Ticks are made when they are first drawn, long after this style has been left.
    ax.tick_params(which="both", labelsize=SMALL, labelfontfamily=RC["font.family"], width=0.6, color=INK)
    ax.tick_params(which="major", length=3.0)
    ax.tick_params(which="minor", length=1.6)
    return ax


def legend_above(ax: Axes, handles: Sequence[Any] | None = None, columns: int | None = None) -> None:
    """A legend over the axes, where it can hide nothing; in as few rows as fit a column."""
    entries = list(ax.get_legend_handles_labels()[0] if handles is None else handles)
    # A letter is about half as wide as its size; a handle and its gaps take some three and a half of it.
    wide = sum(SMALL * (3.4 + 0.46 * len(entry.get_label().strip("$\\"))) for entry in entries) / 72
    ax.legend(
        handles=entries,
        loc="lower center",
        bbox_to_anchor=(0.5, 1.0),
        ncols=columns or -(-len(entries) // math.ceil(wide / COLUMN)),
        columnspacing=1.2,
        handletextpad=0.5,
        borderaxespad=0.1,
    )


def number(value: float, digits: int = 3) -> str:
    """A number for people: 0.00123, −2.67, 618; large and small ones with a power of ten, in mathtext."""
    if not math.isfinite(value):
        return {math.inf: "∞", -math.inf: "−∞"}.get(value, "nan")
    mantissa, _, exponent = f"{value:#.{digits}g}".partition("e")
    mantissa = mantissa.rstrip(".")
    return rf"${mantissa} \cdot 10^{{{int(exponent)}}}$" if exponent else mantissa.replace("-", "−")


def log_axis(ax: Axes, values: Sequence[float] | np.ndarray, which: Literal["x", "y"] = "y") -> None:
    """A logarithmic axis over the positive ones of `values`: whole decades, about six labels at most."""
    found = np.asarray(values, float)
    found = found[np.isfinite(found) & (found > 0)]
    low, high = (found.min(), found.max()) if found.size else (0.1, 1.0)
    first, last = math.floor(math.log10(low) + 1e-9), math.ceil(math.log10(high) - 1e-9)
    if first == last:
        first, last = first - 1, last + 1
    axis = ax.yaxis if which == "y" else ax.xaxis
    getattr(ax, f"set_{which}scale")("log")
    getattr(ax, f"set_{which}lim")(10.0**first / 1.5, 10.0**last * 1.5)
    step = max(1, math.ceil((last - first) / 5))
    decades = range(first, last + 1)
    shown = [decade for decade in decades if (last - decade) % step == 0]
    axis.set_ticks([10.0**decade for decade in shown], [f"$10^{{{decade}}}$" for decade in shown])
    axis.set_ticks([10.0**decade for decade in decades if decade not in shown], minor=True)
    axis.set_minor_formatter(NullFormatter())


def plain_numbers(ax: Axes) -> None:
    """Times as they are: 1953, and not 3 + 1.95e3."""
    ax.ticklabel_format(axis="x", useOffset=False)


def count_axis(ax: Axes, which: Literal["x", "y"] = "x") -> None:
    """Ticks at whole numbers only."""
    (ax.xaxis if which == "x" else ax.yaxis).set_major_locator(MaxNLocator(integer=True, nbins=8))
