"""The identified MathONet: living paths solid, redundant parts dotted, expressions in their modules."""

from typing import Any

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Ellipse, FancyBboxPatch, PathPatch
from matplotlib.path import Path

from mathonet.report.figures import lettering
from mathonet.report.figures.graph import ShownRun, Units, graph, shown_run
from mathonet.report.figures.modules import CHIP_GAP, CHIP_ROW, HEADER, LINE, Module, row_width
from mathonet.report.figures.plan import MARGIN, Edge, Placed, plan
from mathonet.report.figures.style import (
    BLUE,
    GREEN,
    GREY,
    INK,
    PALE,
    SMALL,
    TINY,
    VERMILLION,
    new_figure,
    styled,
)

LINES = {"source": BLUE, "sum": BLUE, "bias": BLUE, "factor": VERMILLION, "output": GREEN}
FRAMES = {"poly": BLUE, "bias": BLUE, "oper": GREEN, "neuron": GREEN}
FILLS = {"poly": "#EAF3FA", "bias": "#EAF3FA", "oper": "#E6F4EF"}
BOXES = ("poly", "bias", "oper")
DOTTED: Any = (0, (1.0, 1.6))
KEY, FOOTER = 0.17, LINE + 0.035


@styled
def draw_network(
    result: Any,
    target: int | str = 0,
    cycle: int = -1,
    rung: str | None = None,
    ax: Axes | None = None,
    units: Units = "data",
) -> Axes:
    """Draw the network of a target's best run after a cycle.

    From the left: what a layer sees; its PolyNets, each with the polynomial that multiplies its source, and
    its biases b; its OperNets with their operations; the outputs, with their weights. Blue lines carry
    sources, vermillion ones the factors inside a PolyNet's polynomial. Neuron k sums up to
    h_k = sum_i P_ik s_i + b_k. What was pruned is dotted and grey. Deeper layers stand below, with copies of
    what they see. The last lines are the equations that the network spells.

    Args:
        result: a `Discovery` or a fitted estimator.
        target: number or name; a joint network is drawn whole.
        cycle: counted from 0, or from the end if negative.
        rung: name of a network that was asked for; None for what led to the chosen form.
        ax: to draw on, best with the proportions of the figure that None makes, of about a column's width.
        units: "data" writes the weights for the data as measured, see `report.graph`; "network" those of
            the network as trained, on scaled data.
    """
    shown = shown_run(result, target, rung)
    picture = graph(shown, cycle, units)
    made = plan(picture)
    footer = _equations(shown, cycle, picture.outputs, made.width)
    height = made.height + KEY + FOOTER * len(footer) + MARGIN
    if ax is None:
        figure = new_figure(made.width, height)
        figure.set_layout_engine("none")
        ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    scale = _scale(ax, made.width, height)
    ax.set(xlim=(0.0, made.width), ylim=(height, 0.0), aspect="equal")
    ax.set_axis_off()
    for edge in sorted(made.edges, key=lambda each: (each.living, each.kind != "factor")):
        _edge(ax, edge, scale)
    for put in made.placed:
        (_box if put.module.kind in BOXES else _node)(ax, put, scale)
    _key(ax, made.height + KEY / 2, scale)
    for place, line in enumerate(footer):
        y = made.height + KEY + FOOTER * (place + 0.5)
        ax.text(MARGIN, y, line, fontsize=(SMALL + 0.5) * scale, va="center", label="_equation")
    return ax


def _equations(shown: ShownRun, cycle: int, outputs: tuple[str, ...], width: float) -> list[str]:
    names = [lettering.name(text) for text in shown.inputs]
    written = []
    for number, name in enumerate(outputs):
        lead = f"{lettering.rate(name, shown.field)} = "
        expression = shown.expression(cycle, number if len(outputs) > 1 else None)
        written += lettering.equation(expression, names, lead, width - 2 * MARGIN, SMALL + 0.5)
    return written


def _scale(ax: Axes, width: float, height: float) -> float:
    """How much smaller (or a little larger) than planned the type must be on these axes."""
    figure: Any = ax.figure
    box = ax.get_position()
    inches = figure.bbox.width / figure.dpi, figure.bbox.height / figure.dpi
    return min(box.width * inches[0] / width, box.height * inches[1] / height, 1.3)


def _edge(ax: Axes, edge: Edge, scale: float) -> None:
    first, last = edge.bend
    (x0, y0), (x1, y1) = edge.start, edge.end
    middle = (first + last) / 2
    path = Path(
        [(x0, y0), (first, y0), (middle, y0), (middle, y1), (last, y1), (x1, y1)],
        [Path.MOVETO, Path.LINETO, Path.CURVE4, Path.CURVE4, Path.CURVE4, Path.LINETO],
    )
    if edge.kind == "output":
        path = Path([(x0, y0), (x1, y1)])
    thick = (0.8 if edge.kind == "factor" else 1.1) if edge.living else 0.55
    ax.add_patch(
        PathPatch(
            path,
            fill=False,
            edgecolor=LINES[edge.kind] if edge.living else PALE,
            linewidth=thick * scale,
            linestyle="-" if edge.living else DOTTED,
            zorder=2 if edge.living else 1,
            label=_mark(edge.living, edge.kind),
        )
    )
    if edge.label:
        box = {"facecolor": "white", "edgecolor": "none", "pad": 0.5 * scale}
        where = {"ha": "center", "va": "center", "zorder": 3}
        ax.text(*edge.label_at, lettering.math(edge.label), fontsize=TINY * scale, bbox=box, **where)


def _mark(living: bool, kind: str) -> str:
    """A label to find a part by; the underscore keeps it out of legends."""
    return f"_{'living' if living else 'dotted'} {kind}"


def _frame(ax: Axes, module: Module, corner: tuple[float, float], scale: float) -> None:
    look: dict[str, Any] = {
        "facecolor": FILLS.get(module.kind, "white") if module.living else "white",
        "edgecolor": FRAMES.get(module.kind, INK) if module.living else PALE,
        "linewidth": (0.8 if module.living else 0.6) * scale,
        "linestyle": "-" if module.living else DOTTED,
        "zorder": 4,
        "label": _mark(module.living, module.kind),
    }
    width, height = module.width, module.height
    if module.kind in BOXES:
        shape = FancyBboxPatch(corner, width, height, boxstyle="round,pad=0,rounding_size=0.035", **look)
    elif width > 1.01 * height:
        shape = FancyBboxPatch(
            corner, width, height, boxstyle=f"round,pad=0,rounding_size={height / 2}", **look
        )
    else:
        shape = Ellipse((corner[0] + width / 2, corner[1] + height / 2), width, height, **look)
    ax.add_patch(shape)


def _node(ax: Axes, put: Placed, scale: float) -> None:
    module = put.module
    _frame(ax, module, (put.left, put.y - module.height / 2), scale)
    wide = lettering.width(lettering.math(module.symbol), SMALL) + 0.06
    ax.text(
        put.x,
        put.y,
        lettering.math(module.symbol),
        fontsize=SMALL * scale * min(1.0, module.width / wide),
        color=INK if module.living else GREY,
        ha="center",
        va="center",
        zorder=5,
    )


def _box(ax: Axes, put: Placed, scale: float) -> None:
    module = put.module
    top = put.y - module.height / 2
    _frame(ax, module, (put.left, top), scale)
    centre = {"ha": "center", "va": "center", "zorder": 6}
    at = top + HEADER / 2 + 0.01 if module.lines or module.chips else put.y
    colour = FRAMES[module.kind] if module.living else GREY
    ax.text(put.x, at, lettering.math(module.symbol), fontsize=TINY * scale, color=colour, **centre)
    at += HEADER / 2 + CHIP_ROW / 2
    for row in module.chips:
        x = put.x - row_width(row) / 2
        for chip in row:
            ax.add_patch(
                FancyBboxPatch(
                    (x, at - 0.05),
                    chip.width,
                    0.1,
                    boxstyle="round,pad=0,rounding_size=0.025",
                    facecolor="white",
                    edgecolor=GREEN if chip.living else PALE,
                    linewidth=(0.8 if chip.living else 0.5) * scale,
                    linestyle="-" if chip.living else DOTTED,
                    zorder=5,
                    label=_mark(chip.living, "operation"),
                )
            )
            ink = INK if chip.living else GREY
            middle = x + chip.width / 2
            ax.text(middle, at, chip.label, fontsize=TINY * scale, color=ink, parse_math=False, **centre)
            x += chip.width + CHIP_GAP
        at += CHIP_ROW
    for line in module.lines:
        ax.text(put.x, at, line, fontsize=SMALL * scale, **centre)
        at += LINE


def _key(ax: Axes, y: float, scale: float) -> None:
    x = MARGIN
    looks: tuple[tuple[str, str, Any], ...] = (
        ("source", BLUE, "-"),
        ("factor in a polynomial", VERMILLION, "-"),
        ("output", GREEN, "-"),
        ("redundant", PALE, DOTTED),
    )
    for label, colour, style in looks:
        ax.add_line(Line2D([x, x + 0.2], [y, y], color=colour, linestyle=style, linewidth=1.1 * scale))
        ax.text(x + 0.24, y, label, fontsize=TINY * scale, va="center", color=GREY)
        x += 0.24 + lettering.width(label, TINY) + 0.14
