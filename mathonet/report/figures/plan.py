"""Where the parts of a network figure stand, in inches, and the lines between them.

Every hidden layer is a block of three columns: what it sees, its PolyNets, its OperNets. Blocks stand below
one another, each with its own copies of what it sees (the paper's "copied and pasted"), so that a deep
network fits a paper's column and no line crosses a module. Pruned modules are small: they say nothing.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from mathonet.report.figures import lettering, modules
from mathonet.report.figures.graph import Graph
from mathonet.report.figures.modules import Module
from mathonet.report.figures.style import COLUMN, TINY

MARGIN, GAP, BLOCK_GAP = 0.05, 0.045, 0.17
LEAST_GAPS, LEFT_SHARE = 0.37, 0.6
"""Least room on both sides of the PolyNets for lines, and how much of it is on their left."""
TO_OUTPUT = 0.46
"""Room between OperNets and outputs, for the output weights."""


@dataclass(frozen=True)
class Placed:
    """A module and its centre; y runs downwards."""

    module: Module
    x: float
    y: float

    @property
    def left(self) -> float:
        """Its left edge."""
        return self.x - self.module.width / 2

    @property
    def right(self) -> float:
        """Its right edge."""
        return self.x + self.module.width / 2


@dataclass(frozen=True)
class Edge:
    """A line between two modules; its kind is source, factor, sum, bias or output.

    It is level up to the first place of `bend` and from the second, so that no line crosses a wide module of
    the column it leaves or enters.
    """

    kind: str
    start: tuple[float, float]
    end: tuple[float, float]
    bend: tuple[float, float]
    living: bool
    label: str = ""
    label_at: tuple[float, float] = (0.0, 0.0)


@dataclass
class Plan:
    """All modules and edges, and the room they take."""

    placed: list[Placed] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    width: float = COLUMN
    height: float = 0.0


@dataclass(frozen=True)
class _Columns:
    """Centres of the columns."""

    source: float
    poly: float
    oper: float
    output: float


@dataclass(frozen=True)
class _Neuron:
    """The modules of one neuron: PolyNets by their source, the bias as -1, and the OperNet."""

    parts: dict[int, Module]
    oper: Module


def plan(graph: Graph) -> Plan:
    """Place every part of a network: in a column's width, or in a little more where names are long."""
    shape, made = graph.architecture, Plan()
    names = modules.value_names(graph)
    layers = [
        [_neuron(graph, layer, k, names) for k in range(neurons)]
        for layer, neurons in enumerate(shape.hidden)
    ]
    outputs = [
        modules.node("output", lettering.rate(text, graph.field), bool(np.any(graph.living.output[m])))
        for m, text in enumerate(graph.outputs)
    ]
    columns, made.width = _columns(names, layers, outputs)
    y, opers = MARGIN, []
    for layer, neurons in enumerate(layers):
        top, rows = y, {}
        for k, neuron in enumerate(neurons):
            y = _stack(neuron, k, y, columns, made, rows, opers) + 2 * GAP
        _sources(graph, layer, names, (top, y - 2 * GAP), columns, made, rows)
        _sums(rows, opers[shape.earlier(layer) :], made)
        y += BLOCK_GAP - 2 * GAP
    made.height = y - BLOCK_GAP + MARGIN
    _outputs(graph, outputs, opers, columns, made)
    return made


def _neuron(graph: Graph, layer: int, k: int, names: list[str]) -> _Neuron:
    start = graph.start.layers[layer]
    parts = {
        i: modules.polynet(graph, layer, k, i, names)
        for i in range(len(graph.sources(layer)))
        if np.any(start.poly[k, i])
    }
    if np.any(start.bias[k]):
        parts[-1] = modules.bias(graph, layer, k)
    return _Neuron(parts, modules.opernet(graph, layer, k))


def _columns(names: list[str], layers: list[list[_Neuron]], outputs: list[Module]) -> tuple[_Columns, float]:
    source = max(modules.node("input", name, True).width for name in names)
    poly = max(part.width for neurons in layers for neuron in neurons for part in neuron.parts.values())
    oper = max(neuron.oper.width for neurons in layers for neuron in neurons)
    output = max(node.width for node in outputs)
    fixed = 2 * MARGIN + source + poly + oper + TO_OUTPUT + output
    spare = max(COLUMN - fixed, LEAST_GAPS)
    left = MARGIN + source
    right = left + spare + poly
    columns = _Columns(
        MARGIN + source / 2,
        left + LEFT_SHARE * spare + poly / 2,
        right + oper / 2,
        right + oper + TO_OUTPUT + output / 2,
    )
    return columns, fixed + spare


def _stack(
    neuron: _Neuron,
    k: int,
    y: float,
    columns: _Columns,
    made: Plan,
    rows: dict[tuple[int, int], Placed],
    opers: list[Placed],
) -> float:
    """One neuron: PolyNets and bias one below the other, the OperNet beside them; returns its lower end."""
    total = sum(part.height for part in neuron.parts.values()) + GAP * (len(neuron.parts) - 1)
    block = max(total, neuron.oper.height)
    at = y + (block - total) / 2
    for i, part in neuron.parts.items():
        rows[k, i] = Placed(part, columns.poly, at + part.height / 2)
        made.placed.append(rows[k, i])
        at += part.height + GAP
    opers.append(Placed(neuron.oper, columns.oper, y + block / 2))
    made.placed.append(opers[-1])
    return y + block


def _sums(rows: dict[tuple[int, int], Placed], opers: list[Placed], made: Plan) -> None:
    """The lines from PolyNets and biases to their OperNet."""
    right = max(put.right for put in rows.values())
    for (k, i), put in rows.items():
        start, end = (put.right, put.y), (opers[k].left, opers[k].y)
        made.edges.append(Edge("bias" if i < 0 else "sum", start, end, (right, end[0]), put.module.living))


def _sources(
    graph: Graph,
    layer: int,
    names: list[str],
    span: tuple[float, float],
    columns: _Columns,
    made: Plan,
    rows: dict[tuple[int, int], Placed],
) -> None:
    """The column of what a layer sees, and the lines from there to its PolyNets."""
    shape, sources = graph.architecture, graph.sources(layer)
    living, start = (np.asarray(part.layers[layer].poly) for part in (graph.living, graph.start))
    ends: dict[int, list[tuple[str, Placed, bool]]] = {}
    for (k, i), put in rows.items():
        if i < 0:
            continue
        ends.setdefault(sources[i], []).append(("source", put, put.module.living))
        for j in np.flatnonzero(start[k, i, :-1]):
            ends.setdefault(int(j), []).append(("factor", put, bool(living[k, i, j])))
    left = min(put.left for put in rows.values())
    step = (span[1] - span[0]) / len(ends)
    for place, number in enumerate(sorted(ends)):
        kind = "neuron" if number >= shape.inputs else "input" if layer == 0 else "copy"
        alive = any(lives for *_, lives in ends[number])
        put = Placed(modules.node(kind, names[number], alive), columns.source, span[0] + (place + 0.5) * step)
        made.placed.append(put)
        for sort, module, lives in ends[number]:
            # Both kinds of line may join the same two modules (x in the PolyNet that multiplies x).
            shift = (-0.2 if sort == "source" else 0.2) * module.module.height
            start, end = (put.right, put.y), (module.left, module.y + shift)
            made.edges.append(Edge(sort, start, end, (start[0], left), lives))


def _outputs(graph: Graph, outputs: list[Module], opers: list[Placed], columns: _Columns, made: Plan) -> None:
    read = [opers[number] for number in graph.read_by_output()]
    weights, living, start = (np.asarray(part.output) for part in (graph.weights, graph.living, graph.start))
    middle = (read[0].y + read[-1].y) / 2
    spread = min(0.8, (made.height - 0.3) / max(len(outputs) - 1, 1))
    edges: list[Edge] = []
    for m, output in enumerate(outputs):
        put = Placed(output, columns.output, middle + (m - (len(outputs) - 1) / 2) * spread)
        made.placed.append(put)
        for place, oper in enumerate(read):
            if start[m, place]:
                alive = bool(living[m, place])
                label = lettering.figure_of(float(weights[m, place]), modules.DIGITS) if alive else ""
                ends = (oper.right, oper.y), (put.left, put.y)
                edges.append(Edge("output", *ends, (oper.right, put.left), alive, label))
    made.edges += _labelled(edges)


def _labelled(edges: list[Edge]) -> list[Edge]:
    """Labels on the lines to the outputs, near the OperNets where lines lie apart, none over another."""

    def spot(edge: Edge) -> tuple[float, float]:
        (x0, y0), (x1, y1) = edge.start, edge.end
        half = lettering.width(lettering.math(edge.label), TINY) / 2 if edge.label else 0.0
        x = max(x0 + 0.3 * (x1 - x0), x0 + half + 0.03)
        return x, y0 + (x - x0) / (x1 - x0) * (y1 - y0)

    found, taken = [], -np.inf
    for edge in sorted(edges, key=lambda each: spot(each)[1]):
        x, y = spot(edge)
        if edge.label:
            y = max(y, taken + 1.15 * TINY / 72)
            taken = y
        found.append(replace(edge, label_at=(x, y)))
    return found
