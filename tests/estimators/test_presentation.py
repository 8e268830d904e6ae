"""A fitted model shows itself: in a terminal, in a notebook, as a figure, as a page."""

from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib import pyplot as plt
from sklearn.exceptions import NotFittedError

from mathonet import Discoverer, FieldDiscoverer
from mathonet.errors import ConfigError

T = np.linspace(0.0, 3.0, 80)
X = np.column_stack([np.exp(-T), np.exp(-2.0 * T)])
NOISE = 0.01 * np.random.default_rng(0).standard_normal(X.shape)
NAMES = ["x", "<b>y</b>"]


@pytest.fixture(scope="module")
def model() -> Discoverer:
    fitted = Discoverer(operations=["ident"], hidden=[1], restarts=3)
    return fitted.fit(X, T, X * [-1.0, -2.0] + NOISE, names=NAMES)


def test_print_says_equations_trust_and_noise(model):
    lines = str(model).splitlines()
    assert lines[:3] == [*model.equations(), ""]
    assert [line.split(":")[0] for line in lines[3:5]] == [
        f"{name}' {level}" for name, level in zip(NAMES, model.trust_["level"], strict=True)
    ]
    assert lines[5].startswith("Left over of the derivatives: x' 0.0")
    assert len(lines) == 6


def test_notebook_gets_mathematics_without_foreign_markup(model):
    html = model._repr_html_()
    root = ElementTree.fromstring(html)
    assert len(root.findall(".//math")) >= 4
    assert root.find(".//b") is None
    assert "<b>y</b>" in "".join(root.itertext())
    bundle = model._repr_mimebundle_()
    assert bundle["text/html"] == html
    assert bundle["text/plain"] == str(model)
    assert bundle["text/latex"].startswith("$\\displaystyle \\begin{aligned}")
    assert model.latex() in bundle["text/latex"]


@pytest.mark.parametrize("kind", [Discoverer, FieldDiscoverer])
def test_unfitted_models_show_their_parameters(kind):
    model = kind(seed=3)
    assert str(model) == repr(model)
    assert model._repr_latex_() is None
    assert set(model._repr_mimebundle_()) == {"text/plain", "text/html"}
    with pytest.raises(NotFittedError):
        model.plot()
    with pytest.raises(ConfigError, match="fitted"):
        model.report("report.html")


def test_plot_has_a_row_a_state_and_leaves_pyplot_alone(model):
    before = plt.get_fignums()
    figure = model.plot()
    assert plt.get_fignums() == before
    assert len(figure.axes) == 4
    simulated = figure.axes[0].get_lines()[-1]
    assert np.allclose(np.interp(T, *simulated.get_data()), X[:, 0], atol=0.02)
    left = figure.axes[3].get_lines()[-1].get_ydata()
    assert np.allclose(left, (X * [-1.0, -2.0] + NOISE - model.predict(X))[:, 1])
    with pytest.raises(ConfigError, match="no trajectory 1"):
        model.plot(1)


def test_report_is_written(model, tmp_path):
    path = model.report(tmp_path / "report.html")
    assert path.stat().st_size > 50_000
