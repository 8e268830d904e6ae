"""The identified network as a graph: what lives, what was pruned, and its weights in the data's units.

A network in scaled inputs x/s is, weight by weight, also a network in x: every PolyNet weight is divided by
the scales of the inputs it multiplies, and the output weights are multiplied by the target's scale. One
freedom is left, since output, OperNet and PolyNet share a scale. It is used to give every OperNet a leading
weight of one and, where it is the identity and only outputs read it, to move the output weight into its
PolyNets. So a network that found -2.67 z + 1.00 x y shows these numbers and no others.
"""

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from mathonet.equation.expression import Expression, TooLargeError
from mathonet.equation.reading import read
from mathonet.errors import ConfigError, DataError
from mathonet.network.mathonet import Architecture, MathONet, build
from mathonet.report.names import spoken
from mathonet.result.discover import Discovery
from mathonet.result.history import best_run
from mathonet.search.proposers.sweep import Sweep

Units = Literal["data", "network"]


@dataclass(frozen=True)
class ShownRun:
    """The run that a figure shows: a target's best one of one network.

    Attributes:
        discovery: what it belongs to.
        sweep: the runs of the network.
        run: its number there.
        target: number of the target.
        output: which output of the network gives the target.
    """

    discovery: Discovery
    sweep: Sweep
    run: int
    target: int
    output: int

    @property
    def start(self) -> np.ndarray:
        """Where weights could live before the first cycle, flat."""
        return self.sweep.start

    @property
    def cycles(self) -> int:
        """How many cycles there were."""
        return len(self.sweep.history)

    @property
    def field(self) -> bool:
        """Whether the targets are time derivatives of fields."""
        return self.discovery.settings.stencil > 0

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of the inputs as they are shown."""
        return tuple(spoken(self.discovery, name) for name in self.discovery.samples.input_names)

    def active(self, cycle: int) -> np.ndarray:
        """Flat mask after a cycle."""
        return np.asarray(self.sweep.history[cycle].active[self.run], bool)

    def expression(self, cycle: int, output: int | None = None) -> Expression | None:
        """What the network says after a cycle, in the data's units; None if it is too large to read."""
        try:
            return read(self.network(cycle, "data"))[self.output if output is None else output]
        except TooLargeError:
            return None

    def network(self, cycle: int, units: Units) -> MathONet:
        """The network after a cycle, in scaled numbers or in the data's units."""
        flat = np.asarray(self.sweep.history[cycle].w[self.run], float) * self.active(cycle)
        network = tree(self.sweep.architecture, flat)
        if units == "network":
            return network
        scaling = self.discovery.samples.scaling
        joint = self.sweep.architecture.outputs > 1
        return in_data_units(
            network, scaling.inputs, scaling.targets if joint else scaling.targets[[self.target]]
        )


def shown_run(result: Any, target: int | str = 0, rung: str | None = None) -> ShownRun:
    """The best run of a target.

    Args:
        result: a `Discovery`, or an estimator that holds one as `discovery_`.
        target: number or name.
        rung: name of a network that was asked for; None for what led to the chosen form.

    Raises:
        ConfigError: there is no such target or rung.
        DataError: this is no result of a discovery.
    """
    discovery = getattr(result, "discovery_", result)
    if not isinstance(discovery, Discovery):
        raise DataError(
            f"A Discovery (or a fitted Discoverer) is needed, got {type(result).__name__}: "
            "call discover(...) or fit(...) first."
        )
    names = discovery.samples.target_names
    if isinstance(target, str) and target not in names:
        raise ConfigError(f"There is no target {target!r}; choose one of {list(names)}.")
    number = names.index(target) if isinstance(target, str) else int(target)
    if not -len(names) <= number < len(names):
        raise ConfigError(f"There is no target {number}; there are {len(names)}: {list(names)}.")
    number %= len(names)
    sweep = discovery.runs_of(number, rung)
    joint = sweep.architecture.outputs > 1
    run = best_run(sweep, 0 if joint else number)
    return ShownRun(discovery, sweep, run, number, number if joint else 0)


def tree(architecture: Architecture, flat: np.ndarray) -> MathONet:
    """The network of a flat vector, in NumPy: JAX would lose digits outside double precision."""
    place = 0

    def fill(kind: str, layer: int, shape: tuple[int, ...]) -> np.ndarray:
        nonlocal place
        place += int(np.prod(shape))
        return np.array(flat[place - int(np.prod(shape)) : place]).reshape(shape)

    return build(architecture, fill)


@dataclass(frozen=True)
class Graph:
    """A network to draw: weights, and masks of what lives and of what lived at the start."""

    weights: MathONet
    living: MathONet
    start: MathONet
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    field: bool = False

    @property
    def architecture(self) -> Architecture:
        """Of all three."""
        return self.weights.architecture

    def sources(self, layer: int) -> list[int]:
        """For each source of a layer's PolyNets its number among the inputs (first) and neurons (after)."""
        shape = self.architecture
        if layer == 0 or shape.dense:
            return list(range(shape.factors(layer)))
        return [shape.inputs + shape.earlier(layer - 1) + k for k in range(shape.hidden[layer - 1])]

    def read_by_output(self) -> list[int]:
        """The numbers of the neurons, over all layers, that the output's columns belong to."""
        shape = self.architecture
        return list(range(0 if shape.dense else shape.earlier(len(shape.hidden) - 1), sum(shape.hidden)))


def graph(shown: ShownRun, cycle: int = -1, units: Units = "data") -> Graph:
    """The network of a run after a cycle."""
    if units not in get_args(Units):
        raise ConfigError(f"units={units!r} does not exist; choose one of {list(get_args(Units))}.")
    if not -shown.cycles <= cycle < shown.cycles:
        raise ConfigError(f"There is no cycle {cycle}; there are {shown.cycles}, counted from 0.")
    architecture, samples = shown.sweep.architecture, shown.discovery.samples
    living, start = (tree(architecture, part) for part in (shown.active(cycle), shown.start))
    outputs = samples.target_names if architecture.outputs > 1 else (samples.target_names[shown.target],)
    outputs = tuple(spoken(shown.discovery, name) for name in outputs)
    return Graph(shown.network(cycle, units), living, start, shown.inputs, outputs, shown.field)


def in_data_units(network: MathONet, inputs: np.ndarray, targets: np.ndarray) -> MathONet:
    """The same function as a network of unscaled inputs, its neurons' free scales used as said above."""
    shape, scale = network.architecture, inputs
    arrays = [
        np.array(part, float) for layer in network.layers for part in (layer.poly, layer.bias, layer.oper)
    ]
    arrays.append(np.array(network.output, float) * targets[:, None])
    remaining = iter(arrays)
    scaled = build(shape, lambda kind, layer, size: next(remaining))
    for number, layer in enumerate(scaled.layers):
        layer.poly[:, :, : shape.inputs] /= scale  # pyright: ignore[reportIndexIssue]
        if number == 0 or shape.dense:
            layer.poly[:, : shape.inputs] /= scale[:, None]  # pyright: ignore[reportIndexIssue]
    for number, layer in enumerate(scaled.layers):
        for k, weights in enumerate(np.asarray(layer.oper)):
            lead = weights[np.argmax(np.abs(weights))]
            if not lead:
                continue
            readers = _readers(scaled, number, k)
            weights /= lead
            for part in readers:
                part *= lead
            alone = np.flatnonzero(weights).size == 1 and shape.operations[np.argmax(weights)].name == "ident"
            read = [part for part in readers if part.any()]
            if alone and len(read) == 1 and np.shares_memory(read[0], scaled.output):
                top = read[0][np.argmax(np.abs(read[0]))]
                for part in (layer.poly[k], layer.bias[k : k + 1]):
                    part *= top
                read[0][:] /= top
    return scaled


def _readers(network: MathONet, number: int, k: int) -> list[np.ndarray]:
    """Views of all weights that multiply the output of neuron k of a layer; a square of it occurs twice."""
    shape = network.architecture
    column = shape.earlier(number) + k
    if shape.dense:
        later = [np.asarray(layer.poly) for layer in network.layers[number + 1 :]]
        views = [poly[:, shape.inputs + column] for poly in later]
        views += [poly[:, :, shape.inputs + column] for poly in later]
        return [*views, np.asarray(network.output)[:, column]]
    if number + 1 < len(shape.hidden):
        return [np.asarray(network.layers[number + 1].poly)[:, k]]
    return [np.asarray(network.output)[:, k]]
