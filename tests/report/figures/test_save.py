"""Saving: both formats, text as text, equal bytes, no doubtful names."""

import dataclasses
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.figure import Figure

from mathonet.errors import ConfigError
from mathonet.report import draw_band, draw_field, draw_weights, save


def test_png_has_a_papers_resolution_and_svg_keeps_text(tmp_path):
    png, svg = save(draw_band([0, 1], [0, 1], [1, 1], ylabel="height"), tmp_path / "new" / "folder", "band")
    width = int.from_bytes(png.read_bytes()[16:20], "big")
    assert width / 3.4 >= 200
    root = ElementTree.parse(svg).getroot()
    assert "height" in {element.text for element in root.iter("{http://www.w3.org/2000/svg}text")}


def test_two_drawings_are_equal_byte_by_byte(lorenz, tmp_path):
    grid = np.random.default_rng(0).random((5, 6))
    for run in ("a", "b"):
        save(draw_weights(lorenz), tmp_path / run, "weights")
        save(draw_field(np.arange(5), np.arange(6), grid), tmp_path / run, "field")
    for name in ("weights.png", "weights.svg", "field.png", "field.svg"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_names_of_the_data_cannot_become_markup(joint, tmp_path):
    odd = ("<script>", "a&b$")
    samples = dataclasses.replace(joint.samples, input_names=odd, target_names=odd)
    _, svg = save(draw_weights(dataclasses.replace(joint, samples=samples), 0), tmp_path, "odd")
    tags = {element.tag.rpartition("}")[2] for element in ElementTree.parse(svg).getroot().iter()}
    assert "script" not in tags
    assert "text" in tags


def test_axes_stand_for_their_whole_figure(tmp_path):
    figure = Figure(figsize=(2, 1))
    inner = figure.subfigures(1, 2)[0].add_subplot()
    png, _ = save(inner, tmp_path, "part")
    assert int.from_bytes(png.read_bytes()[16:20], "big") == 600


@pytest.mark.parametrize("name", ["", "../up", "a/b", ".hidden", "a b"])
def test_names_that_could_leave_the_folder_are_refused(tmp_path, name):
    with pytest.raises(ConfigError, match="letters, digits"):
        save(Figure(), tmp_path, name)
