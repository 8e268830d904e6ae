"""Bands: two deviations about the mean, whatever the order of the places."""

import numpy as np
import pytest

from mathonet.errors import DataError
from mathonet.report import BandPanel, draw_band, draw_bands

RNG = np.random.default_rng(0)
T = np.linspace(0.0, 5.0, 200)
MEAN, STD = np.sin(T), 0.1 + 0.02 * T
SEEN = MEAN + STD * RNG.standard_normal(200)


def test_band_is_two_deviations_and_the_share_inside_is_stated(tidy):
    rng = np.random.default_rng(0)
    shuffled = rng.permutation(200)
    ax = draw_band(T[shuffled], MEAN[shuffled], STD[shuffled], SEEN[shuffled], MEAN[shuffled], ylabel="x")
    band = ax.collections[0].get_paths()[0].vertices
    np.testing.assert_allclose(band[:, 1].max(), (MEAN + 2 * STD).max())
    np.testing.assert_allclose(band[:, 1].min(), (MEAN - 2 * STD).min())
    share = 100 * np.mean(np.abs(SEEN - MEAN) <= 2 * STD)
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert f"observed ({share:.1f} % in the band)" in labels
    assert {"two deviations", "mean", "truth"} <= set(labels)
    assert [ax.get_xlabel(), ax.get_ylabel()] == ["$t$", "$x$"]
    tidy(ax.figure)


def test_relative_band_is_centred_on_zero():
    ax = draw_band(T, 1e6 * MEAN, STD, 1e6 * MEAN + STD, relative=True)
    vertices = ax.collections[0].get_paths()[0].vertices
    np.testing.assert_allclose(np.abs(vertices[:, 1]).max(), 2 * STD.max(), rtol=1e-6)
    assert ax.get_ylabel() == "prediction − mean"


def test_panels_share_one_legend(tidy):
    panels = [BandPanel(T, MEAN * k, STD * k, SEEN * k, MEAN * k, f"σ = {k}") for k in (0.01, 1, 10)]
    figure = draw_bands([*panels, BandPanel(T, MEAN, STD, title="a$b")])
    assert [ax.get_title(loc="left") for ax in figure.axes] == ["σ = 0.01", "σ = 1", "σ = 10", r"a\$b"]
    assert figure.axes[3].get_title(loc="right") == ""
    assert len(figure.legends) == 1
    tidy(figure)


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ((T, MEAN[:-1], STD), "mean must be 200 numbers"),
        ((T, MEAN, -STD), "cannot be negative"),
        ((T, MEAN, STD, [[1.0, 2.0]]), "observed must be 200 numbers"),
        ((["a"], [1.0], [1.0]), "at must be an array of numbers"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(arguments, match):
    with pytest.raises(DataError, match=match):
        draw_band(*arguments)
    with pytest.raises(DataError, match="no panel"):
        draw_bands([])
