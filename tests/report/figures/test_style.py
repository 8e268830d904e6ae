"""The style: no trace in the caller's settings, axes that behave, numbers for people."""

import sys

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure

from mathonet.report import draw_band, draw_phase, draw_weights, save
from mathonet.report.figures.style import RC, log_axis, number, on, styled


def test_settings_are_as_before_and_pyplot_knows_no_figure(lorenz, tmp_path):
    before = dict(mpl.rcParams)
    save(draw_weights(lorenz), tmp_path, "weights")
    save(draw_band([0, 1], [0, 1], [1, 1]), tmp_path, "band")
    assert dict(mpl.rcParams) == before
    pyplot = sys.modules.get("matplotlib.pyplot")
    assert pyplot is None or pyplot.get_fignums() == []


def test_settings_are_as_before_when_a_figure_fails():
    before = dict(mpl.rcParams)
    with pytest.raises(ValueError, match="nothing to draw"):
        draw_phase(None)
    assert dict(mpl.rcParams) == before


def test_the_callers_style_does_not_change_our_type():
    with mpl.rc_context({"font.family": ["monospace"], "font.size": 20, "axes.labelsize": 30}):
        ax = Figure().add_subplot()
    draw_band([0, 1], [0, 1], [1, 1], ax=ax)
    assert ax.xaxis.label.get_fontfamily() == RC["font.family"]
    assert ax.xaxis.label.get_fontsize() == RC["axes.labelsize"]
    assert {text.get_fontfamily()[0] for text in ax.get_xticklabels()} == {"STIXGeneral"}


@pytest.mark.parametrize(
    ("values", "limits"),
    [
        ([1e-12, 1e-3], (1e-12, 1e-3)),
        ([0.0, np.nan, 0.02, 0.5], (1e-2, 1.0)),
        ([1e-5, 1e-5], (1e-6, 1e-4)),
        ([0.0, -1.0], (0.1, 1.0)),
    ],
)
def test_log_axis_holds_the_positive_values_between_labelled_decades(values, limits, tidy):
    ax = styled(on)(None, 3.4, 2.0)
    log_axis(ax, values)
    low, high = ax.get_ylim()
    assert low <= limits[0] < high / 1.4
    assert high >= limits[1]
    labels = [text.get_text() for text in ax.get_yticklabels()]
    assert 2 <= len(labels) <= 7
    assert all(label.startswith("$10^{") for label in labels)
    tidy(ax.figure)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (-2.66667, "−2.67"),
        (618.4, "618"),
        (1.0, "1.00"),
        (0.00123, "0.00123"),
        (1.5e-7, r"$1.50 \cdot 10^{-7}$"),
        (np.inf, "∞"),
        (np.nan, "nan"),
    ],
)
def test_numbers_are_written_for_people(value, text):
    assert number(value) == text


def test_the_check_of_overlaps_can_fail(tidy):
    figure = Figure(figsize=(3, 2))
    figure.text(0.1, 0.5, "one text")
    tidy(figure)
    figure.text(0.15, 0.52, "another")
    with pytest.raises(AssertionError, match="overlaps"):
        tidy(figure)
    figure.texts[-1].set_position((0.9, 0.8))
    with pytest.raises(AssertionError, match="cut off"):
        tidy(figure)
