"""Draws docs/images/networks.svg: how one round of small networks leads to a law with a call of a call.

python docs/drawings/networks.py
"""

from pathlib import Path
from typing import Any

import jax.numpy as jnp
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text
from scipy.integrate import solve_ivp

from mathonet.equation.symbolic import text
from mathonet.fit.problem import Problem
from mathonet.network.supergraph import NO_CALL, SuperGraph, take
from mathonet.operations import Operation, resolve
from mathonet.precision import double_precision
from mathonet.search.effort import NETWORK_STEPS, USUAL
from mathonet.search.graphs import rounds
from mathonet.search.proposers.networks import Learning
from mathonet.search.rows import choose_rows
from mathonet.search.samples.regression import Regression

BLUE, INK, GREY, PALE = "#0072B2", "#222222", "#8A8A8A", "#BBBBBB"
OPERATIONS = ["ident", "inv", "sin", "cos", "exp", "tanh", "sqrt", "log", "abs"]
ROUND = "call of a call"


def phase_lock(x: np.ndarray) -> np.ndarray:
    """A loop that follows a phase, its detector saturated."""
    return 1.37 - 1.12 * np.tanh(1.86 * np.sin(x))


class Recorded:
    """Restarts that remember what they left at every stage."""

    def __init__(self, restarts: Any) -> None:
        self.restarts, self.left, self.parts, self.pruned_graphs = restarts, [], None, None

    def drawn(self, *given, **named):
        return self._noted(self.restarts.drawn(*given, **named))

    def advanced(self, *given):
        return self._noted(self.restarts.advanced(*given))

    def pruned(self, graphs: SuperGraph, *given):
        self.parts = graphs
        found = self.restarts.pruned(graphs, *given)
        self.left.append(np.asarray(found.rss))
        return found

    def _noted(self, at):
        self.left.append(at.rss)
        return at


@double_precision
def learned() -> tuple[Learning, Any, Recorded, str]:
    t = np.linspace(0.0, 9.0, 150)
    inputs = solve_ivp(lambda t, x: phase_lock(x), (0, 9), [0.2], t_eval=t, rtol=1e-10, atol=1e-12).y.T
    targets = phase_lock(inputs)
    operations = resolve(OPERATIONS)
    ones = jnp.ones(len(t)), jnp.asarray(float(len(t)))
    regression = Regression(Problem(jnp.asarray(inputs), jnp.asarray(targets), *ones), operations, 1e-12)
    chosen = next(each for each in rounds(1, operations) if each.name == ROUND)
    learning = Learning(regression, choose_rows(regression), chosen, operations, USUAL)
    learning.restarts = recorded = Recorded(learning.restarts)
    kept: list[Any] = []
    whole = learning._pruned
    learning._pruned = lambda rng: kept.append(whole(rng)) or kept[-1]
    best = min(learning.fits(np.random.default_rng(0)), key=lambda each: each.score)
    return learning, kept[0], recorded, text(best.expression, ("x",), 4)


def main(folder: Path) -> None:
    learning, pruned, recorded, law = learned()
    figure = Figure(figsize=(10.6, 3.5))
    left, right = figure.subplots(1, 2, width_ratios=[1.25, 1.0])
    place = int(np.argmin(pruned.score))
    part, end = (take(each, np.asarray(place)) for each in (recorded.parts, pruned.graph))
    _parts(left, learning, len(recorded.left[0]), part, end, law)
    _stages(right, recorded.left)
    figure.tight_layout(w_pad=2.5)
    figure.savefig(folder / "networks.svg", facecolor="white", metadata={"Date": None}, dpi=200)


def _parts(ax: Axes, learning: Learning, restarts: int, part: SuperGraph, end: SuperGraph, law: str) -> None:
    """The super-graph, the sparse part that one restart had, and what pruning left of it."""
    ax.set_axis_off()
    ax.set(xlim=(0, 1), ylim=(0, 1))
    graphs = learning.graphs
    same = (graphs.operation == part.operation).all(axis=1)
    # Of the graphs with these calls, that which has all that the part has.
    whole = next(
        take(graphs, np.asarray(k)) for k in np.flatnonzero(same) if _names(part) <= _names(take(graphs, k))
    )
    ax.set_title(f"one of {restarts:,} restarts", loc="left", fontsize=11)
    for row, (name, call) in enumerate([("a = ", 0), ("b = ", 1), ("x' = ", None)]):
        y = 0.86 - 0.19 * row
        opened = "" if call is None else f"{_operation(learning.operations, part, call)}("
        last = ax.text(0.0, y, name + opened, fontsize=12, va="center")
        for product in sorted(_products(whole, call), key=lambda each: (len(each), each)):
            lived, lives = product in _products(part, call), product in _products(end, call)
            last = _beside(last, _word(product), _style(lived, lives), 7)
        if call is not None:
            _beside(last, ")", {}, 4)
    last = ax.text(0.0, 0.24, "in the super-graph", fontsize=10, va="center", **_style(False, False))
    last = _beside(last, "in this restart", {**_style(True, False), "fontsize": 10}, 18)
    _beside(last, "not pruned", {**_style(True, True), "fontsize": 10}, 18)
    ax.text(0.0, 0.06, f"read and fitted:  x' = {law}", fontsize=11, va="center")


def _style(lived: bool, lives: bool) -> dict[str, Any]:
    if lives:
        return {"color": BLUE, "fontweight": "bold"}
    return {"color": INK if lived else PALE}


def _beside(last: Text, words: str, style: dict[str, Any], gap: float) -> Text:
    """Words after others, so many points apart."""
    style = {"fontsize": 12, **style}
    return last.axes.annotate(
        words, (1, 0.5), (gap, 0), xycoords=last, textcoords="offset points", va="center", **style
    )


def _products(graph: SuperGraph, call: int | None) -> set[tuple[int, ...]]:
    products = graph.output if call is None else graph.argument[call]
    lives = graph.output_lives if call is None else graph.argument_lives[call]
    listed = zip(np.asarray(products), np.asarray(lives), strict=True)
    return {tuple(sorted(int(k) for k in each if k)) for each, alive in listed if alive}


def _names(graph: SuperGraph) -> set[tuple]:
    calls = [k for k, operation in enumerate(graph.operation) if operation != NO_CALL]
    return {(call, each) for call in (*calls, None) for each in _products(graph, call)}


def _operation(operations: tuple[Operation, ...], graph: SuperGraph, call: int) -> str:
    return operations[int(graph.operation[call])].name


def _word(product: tuple[int, ...]) -> str:
    # Places in z: one, two inputs, two known calls, then the calls.
    names = {1: "x", 5: "a", 6: "b"}
    return " ".join(names[each] for each in product) or "1"


def _stages(ax: Axes, left: list[np.ndarray]) -> None:
    """What every restart leaves at every stage."""
    first, second, third = np.cumsum(NETWORK_STEPS)
    names = ["drawn", f"{first} steps", f"{second} steps", f"{third} steps", "pruned"]
    rng = np.random.default_rng(0)
    for stage, rss in enumerate(left):
        size = np.sqrt(np.maximum(rss[np.isfinite(rss)] / 100, 1e-34))
        shown = size if len(size) < 900 else np.r_[rng.choice(size, 900, replace=False), np.sort(size)[:5]]
        at = stage + rng.uniform(-0.28, 0.28, len(shown))
        law = shown < 1e-12
        ax.plot(at[~law], shown[~law], ".", ms=2.2, color=GREY, alpha=0.5, rasterized=True)
        ax.plot(at[law], shown[law], "o", ms=4.0, color=BLUE)
    ax.set_yscale("log")
    ax.set_xticks(
        range(5), [f"{name}\n{len(rss):,}" for name, rss in zip(names, left, strict=True)], fontsize=9
    )
    ax.set_title("what restarts leave, as a share of what varies", loc="left", fontsize=11)
    ax.tick_params(axis="y", labelsize=9)
    ax.spines[["top", "right"]].set_visible(False)


if __name__ == "__main__":
    main(Path(__file__).parents[1] / "images")
