"""Phase portraits: one panel each, and a word where a simulation ended."""

import numpy as np
import pytest

from mathonet.errors import DataError
from mathonet.report import draw_attractors
from mathonet.report.figures.attractors import project

T = np.linspace(0.0, 10.0, 201)
CIRCLE = np.stack([np.cos(T), np.sin(T)], axis=1)
HELIX = np.stack([np.cos(T), np.sin(T), T], axis=1)


def remarks(figure) -> list[str]:
    return [text.get_text() for ax in figure.axes for text in ax.texts if len(text.get_text()) > 3]


def test_cut_broken_and_missing_simulations_say_so(tidy):
    broken = CIRCLE.copy()
    broken[100:] = np.nan
    runs = [CIRCLE, CIRCLE[:51], broken, None, CIRCLE * np.nan]
    figure = draw_attractors(runs, [f"cycle {k}" for k in range(1, 6)], CIRCLE, t=T)
    assert remarks(figure) == [
        "blows up at t = 2.5",
        "blows up at t = 4.95",
        "no simulation",
        "no simulation",
    ]
    assert [ax.get_title() for ax in figure.axes][-1] == "truth"
    assert figure.axes[-1].get_xlabel() == "$x$"
    tidy(figure)


def test_three_states_are_seen_from_one_side(tidy):
    figure = draw_attractors([HELIX, HELIX[:60], None], ["a", "b", "c"], HELIX, t=T, names=["x", "a$b", "z"])
    assert len(figure.axes) == 4
    said = [text for text in remarks(figure) if not text.startswith("$")]
    assert said == ["blows up at t = 2.95", "no simulation"]
    assert sum(text == r"$\text{a\$b}$" for text in remarks(figure)) == 4
    tidy(figure)


def test_projection_is_of_a_cube_about_its_centre():
    np.testing.assert_allclose(project(np.full((1, 3), 0.5)), [[0.0, 0.0]])
    corners = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)], float)
    seen = project(corners)
    np.testing.assert_allclose(seen.mean(axis=0), 0.0, atol=1e-12)
    assert (project(corners + np.array([0, 0, 1]))[:, 1] > seen[:, 1]).all()


def test_lines_far_outside_are_cut_and_the_scale_is_the_truths():
    wild = CIRCLE * np.exp(T)[:, None]
    ax = draw_attractors([wild], ["wild"], CIRCLE).axes[0]
    seen = np.asarray(ax.lines[0].get_xydata(), float)
    assert np.nanmax(np.abs(seen)) < 4.0
    assert ax.get_xlim()[1] < 1.5


@pytest.mark.parametrize(
    ("runs", "titles", "match"),
    [
        ([CIRCLE], [], "1 trajectories but 0 titles"),
        ([None], ["a"], "no trajectory"),
        ([CIRCLE, HELIX], ["a", "b"], "give equal ones"),
        ([T], ["a"], "needs states"),
        ([[["x", "y"]]], ["a"], "array of numbers"),
    ],
)
def test_what_cannot_be_drawn_is_refused(runs, titles, match):
    with pytest.raises(DataError, match=match):
        draw_attractors(runs, titles)
