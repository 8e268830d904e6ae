"""Discoveries made by hand, so that every weight and mask is known; models; a check of a figure's look."""

import itertools
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text
from scipy.integrate import solve_ivp

from mathonet import Discoverer
from mathonet.data.samples import Samples
from mathonet.data.trajectory import Trajectory
from mathonet.equation.expression import number, power, variable
from mathonet.learning.cycle import Record
from mathonet.network.mask import cut_dead_paths, initial_mask
from mathonet.network.mathonet import Architecture, flatten, unflatten
from mathonet.operations import resolve
from mathonet.result.discover import Discovery
from mathonet.search.config import Settings
from mathonet.search.proposers.sweep import Sweep


def discovery(architecture: Architecture, masks: list, names, targets, seed: int = 0) -> Discovery:
    """A discovery whose only run had these masks after its cycles; weights are random, of order one."""
    draw = np.random.default_rng(seed)
    w = draw.uniform(0.3, 1.5, len(masks[0])) * draw.choice([-1.0, 1.0], len(masks[0]))
    scales = np.array([8.0, 9.0, 25.0, 2.0])[: len(names)]
    inputs = draw.normal(size=(40, len(names))) * scales
    settings = Settings(
        operations=[operation.name for operation in architecture.operations],
        hidden=architecture.hidden,
        dense=architecture.dense,
        joint=architecture.outputs > 1,
    )
    history = []
    for cycle, mask in enumerate(masks):
        error = np.array([10.0 ** -(2 * cycle + 1)])
        zeros = np.zeros((1, len(w)))
        history.append(
            Record(
                (w * mask)[None], mask[None], zeros, zeros, zeros, error, error, 2.0 * error, np.zeros(1, int)
            )
        )
    start = np.asarray(flatten(initial_mask(architecture)), bool)
    sweep = Sweep(architecture, np.zeros(1, int), np.ones(1), np.zeros(1, int), history, start)
    samples = Samples(inputs, draw.normal(size=(40, len(targets))) * 30.0, tuple(names), tuple(targets))
    chosen = tuple(SimpleNamespace(rung="given") for _ in samples.target_names)
    return Discovery(None, (), chosen, (), {"given": sweep}, samples, settings, 0.0)  # type: ignore[arg-type]


def thinned(architecture: Architecture, shares: list[float], seed: int = 0) -> list[np.ndarray]:
    """Masks that keep about these shares of the weights, each within the one before, dead paths cut."""
    start = np.asarray(flatten(initial_mask(architecture)), bool)
    luck = np.random.default_rng(seed).random(start.shape)
    masks = []
    for share in shares:
        mask = unflatten(architecture, start & (luck < share))
        masks.append(np.asarray(flatten(cut_dead_paths(mask)), bool))
    return masks


@pytest.fixture(scope="session")
def lorenz() -> Discovery:
    """Three inputs, three neurons, five operations; in the end -2.67 z + 1.00 x y in the last neuron."""
    architecture = Architecture(3, (3,), resolve(["ident", "sin", "cos", "log", "exp"]))
    last = initial_mask(architecture)
    layer = last.layers[0]
    for part in (layer.poly, layer.bias, layer.oper, last.output):
        part[...] = False
    layer.poly[2, 0, 1] = layer.poly[2, 2, 3] = layer.oper[2, 0] = last.output[0, 2] = True
    final = np.asarray(flatten(last), bool)
    first, second = thinned(architecture, [0.9, 0.6], seed=3)
    found = discovery(architecture, [first | final, second | final, final, final], "xyz", "z")
    scale = found.samples.scaling
    for record in found.sweeps["given"].history[2:]:
        w = unflatten(architecture, record.w[0])
        poly, oper, output = np.array(w.layers[0].poly), np.array(w.layers[0].oper), np.array(w.output)
        poly[2, 0, 1] = 0.25 * scale.inputs[0] * scale.inputs[1]
        poly[2, 2, 3] = -0.25 * 8 / 3 * scale.inputs[2]
        oper[2, 0], output[0, 2] = 0.5, 8.0 / scale.targets[0]
        bias = np.array(w.layers[0].bias)
        record.w[0] = np.concatenate([part.ravel() for part in (poly, bias, oper, output)])
    return found


@pytest.fixture(scope="session")
def joint() -> Discovery:
    """Two inputs, two outputs, three operations, half of it pruned."""
    architecture = Architecture(2, (2,), resolve(["ident", "sin", "cos"]), 2)
    return discovery(architecture, thinned(architecture, [1.0, 0.75]), "xy", "xy")


@pytest.fixture(scope="session")
def deep() -> Discovery:
    """Two layers, dense, with the nine standard operations, half of it pruned in the end."""
    architecture = Architecture(2, (2, 1), resolve(None), 1, True)
    return discovery(architecture, thinned(architecture, [1.0, 0.8, 0.4]), "xy", "x")


@pytest.fixture(scope="session")
def tidy():
    """A check that no text of a figure touches another one or is cut off at the figure's edge."""

    def check(figure, slack: float = 0.6) -> None:
        renderer = FigureCanvasAgg(figure).get_renderer()
        figure.draw_without_rendering()
        edge = figure.bbox
        boxes, hidden = [], _unseen(figure)
        for text in figure.findobj(Text):
            if text.get_visible() and text.get_text().strip() and id(text) not in hidden:
                boxes.append((text.get_text(), text.get_window_extent(renderer)))
        for words, box in boxes:
            out = max(edge.x0 - box.x0, edge.y0 - box.y0, box.x1 - edge.x1, box.y1 - edge.y1)
            assert out <= 1.0, f"{words!r} is cut off by {out:.1f} pixels"
        for (one, a), (other, b) in itertools.combinations(boxes, 2):
            across = min(a.x1, b.x1) - max(a.x0, b.x0)
            along = min(a.y1, b.y1) - max(a.y0, b.y0)
            assert across < slack or along < 2 * slack, f"{one!r} overlaps {other!r}"

    return check


def _unseen(figure) -> set[int]:
    """Labels of ticks that are made but not drawn: those outside the limits, or of axes that are off."""
    hidden: set[int] = set()
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            made = [*axis.get_major_ticks(), *axis.get_minor_ticks()]
            hidden |= {id(part) for tick in made for part in (tick.label1, tick.label2)}
            if axes.axison:
                hidden -= {id(part) for tick in axis._update_ticks() for part in (tick.label1, tick.label2)}
    return hidden


SPIRAL = np.array([[-0.3, 2.0], [-2.0, -0.1]])
HOSTILE = ("</script><img src=x onerror=alert(1)>", 'v & "w" <!--')


def spiral(start, force: float = 0.0, samples: int = 160):
    """Times, states and inputs of a damped oscillation that sin(t) drives."""
    t = np.linspace(0.0, 8.0, samples)
    field = lambda s, x: SPIRAL @ x + [0.0, force * np.sin(s)]  # noqa: E731
    x = solve_ivp(field, (0.0, 8.0), start, t_eval=t, rtol=1e-10, atol=1e-10).y.T
    return t, x, np.sin(t)[:, None]


@pytest.fixture(scope="session")
def told() -> Discoverer:
    """One trajectory with exact derivatives."""
    t, x, _ = spiral([1.0, 0.0])
    model = Discoverer(operations=["ident"], hidden=[1], restarts=3)
    return model.fit(x, t, x @ SPIRAL.T, names=["x", "y"])


WORDY = ("predator population (adults only)", "temperature_of_the_inlet")


@pytest.fixture(scope="session")
def wordy() -> Discoverer:
    """Long names, units, years, a product of two words, and sixty terms that explain nothing."""
    t, x, _ = spiral([1.0, 0.0])
    t = 1900.0 + 5.0 * t
    data = Trajectory(
        t, x, x @ SPIRAL.T / 5.0, WORDY, units=("thousands", "K"), time_name="Year", time_unit="year"
    )
    model = Discoverer(operations=["ident"], hidden=[1], restarts=3).fit([data])
    found = model.discovery_
    both, long = variable(0) * variable(1), number(0.0)
    for place in range(60):
        factors = power(variable(0), place % 8) * power(variable(1), place // 8)
        long = long + factors.scale((-1.0) ** place * 10.0 ** (place % 13))
    forms = (variable(0).scale(-0.06) + variable(1).scale(0.4) + both.scale(1e-9), long)
    equations = [
        replace(each, expression=form, covariance=1e-6 * np.eye(len(form.terms)))
        for each, form in zip(found.system.equations, forms, strict=True)
    ]
    trust = (found.trust[0], replace(found.trust[1], level="poor"))
    system = replace(found.system, equations=tuple(equations))
    return model._keep(replace(found, system=system, trust=trust), model.trajectories_)


@pytest.fixture(scope="session")
def measured() -> Discoverer:
    """Two noisy trajectories of states alone, with an input, missing values, and names that are an attack."""
    runs = [spiral([1.0, 0.0], 1.0), spiral([-0.5, 1.0], 1.0)]
    draw = np.random.default_rng(0)
    x = [states + 0.02 * draw.standard_normal(states.shape) for _, states, _ in runs]
    x[0][5:9, 0] = np.nan
    model = Discoverer(operations=["ident"], hidden=[1], restarts=3)
    return model.fit(
        x, [t for t, _, _ in runs], u=[u for _, _, u in runs], names=HOSTILE, input_names=["force"]
    )
