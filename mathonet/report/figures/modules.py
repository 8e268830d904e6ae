"""The parts of a network figure: what each module says and how large it must be, in inches."""

from dataclasses import dataclass

import numpy as np

from mathonet.report.figures import lettering
from mathonet.report.figures.graph import Graph
from mathonet.report.figures.style import SMALL, TINY

LINE, DEAD_ROW, HEADER, CHIP_ROW = 0.125, 0.135, 0.14, 0.125
RADIUS, CHIP_GAP = 0.115, 0.018
MOST_POLY, MOST_OPER, LEAST_WIDTH, MOST_NODE = 1.06, 0.94, 0.30, 0.62
DIGITS = 3
LABELS = {"ident": "id", "inv": "1/h", "abs": "|h|", "sqrt": "√|h|"}


@dataclass(frozen=True)
class Chip:
    """One operation of an OperNet."""

    label: str
    width: float
    living: bool


@dataclass(frozen=True)
class Module:
    """A PolyNet, a bias, an OperNet or a node, not yet placed.

    Attributes:
        kind: poly, bias, oper, input, copy, neuron (a copy of a neuron's output) or output.
        symbol: its name, in mathtext.
        living: whether a weight of it is left.
        width: in inches.
        height: in inches.
        lines: the expression it stands for, in mathtext.
        chips: the operations of an OperNet, in rows.
    """

    kind: str
    symbol: str
    living: bool
    width: float
    height: float
    lines: tuple[str, ...] = ()
    chips: tuple[tuple[Chip, ...], ...] = ()


def node(kind: str, symbol: str, living: bool) -> Module:
    """An input or an output: a circle, or longer where its name is."""
    wide = lettering.width(lettering.math(symbol), SMALL) + 0.09
    return Module(kind, symbol, living, min(max(wide, 2 * RADIUS), MOST_NODE), 2 * RADIUS)


def neuron_name(number: int) -> str:
    """Output of a neuron, counted from 0 over all layers."""
    return f"a_{{{number + 1}}}"


def value_names(graph: Graph) -> list[str]:
    """Mathtext of everything a PolyNet may see: the inputs, then the neurons of all layers."""
    neurons = range(sum(graph.architecture.hidden))
    return [*map(lettering.name, graph.inputs), *map(neuron_name, neurons)]


def polynet(graph: Graph, layer: int, k: int, i: int, names: list[str]) -> Module:
    """The PolyNet of source i and neuron k: the polynomial that multiplies the source."""
    number = graph.architecture.earlier(layer) + k + 1
    comma = "," if max(i + 1, number) > 9 else ""
    symbol = rf"\mathcal{{P}}_{{{i + 1}{comma}{number}}}"
    weights, living = (np.asarray(part.layers[layer].poly[k, i]) for part in (graph.weights, graph.living))
    factors = [*names[: len(weights) - 1], ""]
    pieces = [_piece(weights[j], factors[j]) for j in np.flatnonzero(living)]
    return _boxed("poly", symbol, pieces)


def bias(graph: Graph, layer: int, k: int) -> Module:
    """The bias of a neuron."""
    living = bool(graph.living.layers[layer].bias[k])
    pieces = [_piece(float(graph.weights.layers[layer].bias[k]), "")] if living else []
    return _boxed("bias", rf"b_{{{graph.architecture.earlier(layer) + k + 1}}}", pieces)


def _boxed(kind: str, symbol: str, pieces: list[tuple[str, str]]) -> Module:
    if not pieces:
        return Module(kind, symbol, False, LEAST_WIDTH, DEAD_ROW)
    # However long the names are, each term fits by itself.
    longest = max(lettering.width(lettering.math(piece), SMALL) for piece, _ in pieces)
    lines = lettering.fitted(pieces, "", max(MOST_POLY - 0.12, longest + 0.03), SMALL, 2, counted=False)
    wide = max(lettering.width(line, SMALL) for line in lines) + 0.12
    return Module(kind, symbol, True, max(wide, 0.46), HEADER + LINE * len(lines) + 0.03, tuple(lines))


def opernet(graph: Graph, layer: int, k: int) -> Module:
    """The OperNet of a neuron: its operations, and the sum it stands for."""
    number = graph.architecture.earlier(layer) + k + 1
    operations = graph.architecture.operations
    weights, living, start = (
        np.asarray(part.layers[layer].oper[k]) for part in (graph.weights, graph.living, graph.start)
    )
    rows: list[list[Chip]] = [[]]
    for o in np.flatnonzero(start):
        label = LABELS.get(operations[o].name, operations[o].name)
        label = label if len(label) <= 8 else label[:7] + "…"
        chip = Chip(label, lettering.width(label, TINY) + 0.045, bool(living[o]))
        if rows[-1] and row_width(rows[-1]) + CHIP_GAP + chip.width > MOST_OPER - 0.05:
            rows.append([])
        rows[-1].append(chip)
    pieces = [
        _operated(float(weights[o]), operations[o].name, f"h_{{{number}}}") for o in np.flatnonzero(living)
    ]
    lines = lettering.fitted(pieces, "", MOST_OPER - 0.06, SMALL, 3, counted=False) if pieces else []
    symbol = rf"a_{{{number}}} = \mathcal{{A}}_{{{number}}}(h_{{{number}}})"
    height = HEADER + CHIP_ROW * len(rows) + LINE * len(lines) + (0.05 if lines else 0.03)
    return Module("oper", symbol, bool(pieces), MOST_OPER, height, tuple(lines), tuple(map(tuple, rows)))


def row_width(row: list[Chip] | tuple[Chip, ...]) -> float:
    """Width of a row of operations."""
    return sum(chip.width + CHIP_GAP for chip in row) - CHIP_GAP


def _piece(weight: float, name: str) -> tuple[str, str]:
    size = lettering.figure_of(abs(float(weight)), DIGITS)
    text = f"{'-' if weight < 0 else '+'} {size}" + (rf"\, {name}" if name else "")
    return text, text


def _operated(weight: float, name: str, h: str) -> tuple[str, str]:
    faces = {
        "ident": rf"\, {h}",
        "inv": f"/ {h}",
        "abs": rf"\, |{h}|",
        "log": rf"\, \log\,|{h}|",
        "sqrt": rf"\, \sqrt{{|{h}|}}",
    }
    face = faces.get(name, rf"\, {lettering.function(name)}({h})")
    text = f"{'-' if weight < 0 else '+'} {lettering.figure_of(abs(weight), DIGITS)}{face}"
    return text, text
