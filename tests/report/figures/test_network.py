"""The network figure: living and dotted parts as the masks say, everything readable."""

import dataclasses

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from mathonet.errors import ConfigError, DataError
from mathonet.report import draw_network
from mathonet.report.figures.graph import graph, shown_run


def count(ax, mark: str) -> int:
    return sum(patch.get_label() == f"_{mark}" for patch in ax.patches)


def words(ax) -> list[str]:
    return [text.get_text() for text in ax.texts]


@pytest.mark.parametrize(("name", "cycle"), [("lorenz", 0), ("lorenz", -1), ("joint", -1), ("deep", -1)])
def test_parts_are_living_or_dotted_as_the_masks_say(request, name, cycle, tidy):
    found = request.getfixturevalue(name)
    ax = draw_network(found, 0, cycle)
    drawn = graph(shown_run(found, 0), cycle)
    live, born = drawn.living, drawn.start
    polys = [(np.asarray(a.poly), np.asarray(b.poly)) for a, b in zip(live.layers, born.layers, strict=True)]
    expected = {
        "source": [(a.any(2).sum(), b.any(2).sum()) for a, b in polys],
        "sum": [(a.any(2).sum(), b.any(2).sum()) for a, b in polys],
        "factor": [(a[..., :-1].sum(), b[..., :-1].sum()) for a, b in polys],
        "bias": [(a.bias.sum(), b.bias.sum()) for a, b in zip(live.layers, born.layers, strict=True)],
        "operation": [(a.oper.sum(), b.oper.sum()) for a, b in zip(live.layers, born.layers, strict=True)],
        "output": [(np.asarray(live.output).sum(), np.asarray(born.output).sum())],
    }
    for kind, pairs in expected.items():
        living, all_ = (int(sum(column)) for column in zip(*pairs, strict=True))
        # Biases are modules as well as lines, and outputs are nodes as well.
        nodes = {"bias": living, "output": sum(np.asarray(live.output).any(1))}.get(kind, 0)
        rest = {"bias": all_ - living, "output": sum(~np.asarray(live.output).any(1))}.get(kind, 0)
        assert count(ax, f"living {kind}") == living + nodes
        assert count(ax, f"dotted {kind}") == all_ - living + rest
    tidy(ax.figure)
    assert_texts_stay_in_their_modules(ax)


def assert_texts_stay_in_their_modules(ax) -> None:
    renderer = FigureCanvasAgg(ax.figure).get_renderer()
    texts = [text.get_window_extent(renderer) for text in ax.texts]
    boxes = [patch for patch in ax.patches if isinstance(patch, FancyBboxPatch)]
    held = 0
    for patch in boxes:
        frame = patch.get_window_extent(renderer)
        for text in texts:
            if (
                frame.x0 < (text.x0 + text.x1) / 2 < frame.x1
                and frame.y0 < (text.y0 + text.y1) / 2 < frame.y1
            ):
                assert frame.x0 - 0.5 <= text.x0
                assert text.x1 <= frame.x1 + 0.5
                held += 1
    assert held >= len(boxes)


def test_weights_and_expressions_are_those_of_the_data(lorenz):
    ax = draw_network(lorenz, "z")
    shown = words(ax)
    assert r"$1.00\, y$" in shown
    assert "$-2.67$" in shown
    assert r"$1.00\, h_{3}$" in shown
    assert any("2.67" in line and "x" in line and r"z\prime =" in line for line in shown)
    assert "$1.00$" in shown, "the output weight stands on its line"
    raw = words(draw_network(lorenz, "z", units="network"))
    assert r"$0.500\, h_{3}$" in raw


def test_every_operation_and_input_is_named(deep):
    ax = draw_network(deep, 0)
    shown = words(ax)
    for label in ("id", "sin", "cos", "exp", "log", "1/h", "√|h|", "tanh", "|h|"):
        assert shown.count(label) == 3
    for node in ("$x$", "$y$"):
        assert shown.count(node) == 2, "the second layer has its own copies of the inputs"
    assert {"$a_{1}$", "$a_{2}$"} <= set(shown)


def test_odd_names_are_shown_as_they_stand(joint, tidy):
    odd = ("a$b_{x}", "<script>")
    samples = dataclasses.replace(joint.samples, input_names=odd, target_names=odd)
    ax = draw_network(dataclasses.replace(joint, samples=samples), 0)
    assert any(r"\text{<script>}" in line for line in words(ax))
    assert any(r"\text{a\$b_\{x\}}" in line for line in words(ax))
    tidy(ax.figure)


def test_given_axes_are_drawn_on_and_type_shrinks_with_them(lorenz, tidy):
    figure = Figure(figsize=(3.4, 1.5))
    axes = figure.subplots(1, 2)
    assert draw_network(lorenz, ax=axes[0]) is axes[0]
    assert not axes[1].patches
    axes[1].set_axis_off()
    assert max(text.get_fontsize() for text in axes[0].texts) < 5.0
    tidy(figure)


def test_what_does_not_exist_is_refused(lorenz):
    with pytest.raises(ConfigError, match="no target 'w'"):
        draw_network(lorenz, "w")
    with pytest.raises(ConfigError, match="no target 7"):
        draw_network(lorenz, 7)
    with pytest.raises(ConfigError, match="the rung 'top'"):
        draw_network(lorenz, 0, rung="top")
    with pytest.raises(ConfigError, match="no cycle 9"):
        draw_network(lorenz, 0, 9)
    with pytest.raises(ConfigError, match="units='feet'"):
        draw_network(lorenz, 0, units="feet")
    with pytest.raises(DataError, match="Discovery"):
        draw_network([1, 2])
