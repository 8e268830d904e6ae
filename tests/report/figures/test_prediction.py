"""Data against simulation, over time and in the phase plane."""

import numpy as np
import pytest

from mathonet.errors import ConfigError, DataError
from mathonet.report import draw_phase, draw_prediction

T = np.linspace(0.0, 12.0, 121)
X = np.stack([2 + np.cos(T), 3 + np.sin(T)], axis=1)
NAMES = ("prey", "predator")


def test_the_part_held_out_is_shaded_from_its_time_on(tidy):
    ax = draw_prediction(T, X, X, NAMES, held_out=9.0, ylabel="population")
    span = ax.patches[0].get_extents().transformed(ax.transData.inverted())
    assert span.x0 == pytest.approx(9.0)
    assert "held out" in [text.get_text() for text in ax.texts]
    used, kept = ax.lines[0], ax.lines[1]
    assert used.get_xdata().max() < 9.0 <= kept.get_xdata().min()
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["prey", "predator", "data", "simulation"]
    assert [ax.get_xlabel(), ax.get_ylabel()] == ["$t$", "population"]
    tidy(ax.figure)


def test_rows_held_out_are_hollow_and_a_simulation_may_end_early(tidy):
    held = np.arange(121) % 10 == 0
    ax = draw_prediction(T, X, X[:50], held_out=held)
    hollow = [line for line in ax.lines if line.get_markerfacecolor() == "white"]
    assert [len(line.get_xdata()) for line in hollow] == [13, 13]
    assert len(ax.lines[-1].get_xdata()) == 50
    tidy(ax.figure)


def test_phase_plane_shows_start_and_direction(tidy):
    held = np.arange(121) % 10 == 0
    ax = draw_phase(X, X, ("prey", "a_$b"), held_out=held)
    assert [ax.get_xlabel(), ax.get_ylabel()] == ["prey", r"a_\$b"]
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["data", "held-out data", "simulation", "start"]
    # The arrows follow the circle, which runs against the clock.
    arrows = [text for text in ax.texts if text.arrow_patch is not None]
    assert len(arrows) == 3
    for arrow in arrows:
        (x0, y0), (x1, y1) = np.array(arrow.xyann) - [2, 3], np.array(arrow.xy) - [2, 3]
        assert x0 * y1 - y0 * x1 > 0
    tidy(ax.figure)


def test_other_states_can_be_chosen():
    data = np.column_stack([X, T])
    ax = draw_phase(data, states=(2, 0))
    assert [ax.get_xlabel(), ax.get_ylabel()] == ["$z$", "$x$"]
    np.testing.assert_array_equal(ax.lines[0].get_xdata(), T)


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda: draw_prediction(T, X[:-1]), DataError, "observed must be a table"),
        (lambda: draw_prediction(T, X, names=["x"]), DataError, "2 states but 1 names"),
        (lambda: draw_prediction(T, X, X[:, :1]), DataError, "simulated must be a table"),
        (lambda: draw_prediction(T, X, np.tile(X, (2, 1))), DataError, "give simulated_t"),
        (lambda: draw_prediction(T, X, held_out=[1.0, 2.0]), DataError, "held_out must be a time"),
        (lambda: draw_phase(X, X[:, :1]), DataError, "make them equal"),
        (lambda: draw_phase(X, states=(0, 2)), ConfigError, "two numbers from 0 to 1"),
    ],
)
def test_what_does_not_fit_is_refused(call, error, match):
    with pytest.raises(error, match=match):
        call()
