"""Weights per cycle: the right bars, equations at the cliffs, nothing on top of anything."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from mathonet.report import draw_weights
from mathonet.report.figures.weights import cliffs, stacked


def equations(ax) -> list[str]:
    return [text.get_text() for text in ax.texts if text.get_label() == "_equation"]


def test_bars_are_the_numbers_of_living_weights(lorenz, tidy):
    ax = draw_weights(lorenz, "z")
    sweep = lorenz.sweeps["given"]
    expected = [sweep.start.sum(), *(record.active[0].sum() for record in sweep.history)]
    assert [bar.get_width() for bar in ax.patches[: len(expected)]] == expected
    assert ax.get_xlabel() == "nonzero weights"
    assert ax.get_ylabel() == "cycle"
    tidy(ax.figure)


def test_the_last_cliff_has_the_equation_found(lorenz):
    last = equations(draw_weights(lorenz, "z"))[-1]
    assert last.startswith(r"$z\prime = ")
    assert r"2.67 \, z" in last
    assert r"1.00 \, x \, y" in last
    assert r"2.6667 \, z" in equations(draw_weights(lorenz, "z", digits=5))[-1]


def test_many_cliffs_in_a_deep_network_stay_apart(deep, tidy):
    ax = draw_weights(deep, 0, lines=3)
    assert len(equations(ax)) >= 3
    tidy(ax.figure)


def test_given_axes_are_drawn_on(lorenz, tidy):
    figure = Figure(figsize=(7, 3), layout="constrained")
    first, second = figure.subplots(1, 2)
    assert draw_weights(lorenz, 0, ax=first) is first
    assert draw_weights(lorenz, 0, ax=second) is second
    tidy(figure)


def test_cliffs_are_sharp_falls_with_the_first_and_last_change():
    assert cliffs(np.array([48, 14, 9, 5, 4, 4, 4])) == [1, 2, 3, 4]
    assert cliffs(np.array([57, 54, 52, 41, 35, 35, 34, 34])) == [1, 3, 4, 6]
    assert cliffs(np.array([57, 57, 57])) == [1]
    assert len(cliffs((1000 * 0.8 ** np.arange(30)).astype(int))) <= 6


@pytest.mark.parametrize("wanted", [[0.0, 1.0, 2.0], [0.0, 0.0, 0.0], [7.0, 8.0, 9.0]])
def test_blocks_are_stacked_without_overlap_and_inside(wanted):
    heights = [2.0, 3.0, 1.0]
    tops = stacked(wanted, heights, 10.0)
    ends = [top + height for top, height in zip(tops, heights, strict=True)]
    assert all(end <= top + 1e-12 for end, top in zip(ends, tops[1:], strict=False))
    assert ends[-1] <= 10.0
