"""The figure of `plot` and the notebook's lines with long names, units and forms that are no laws."""

from xml.etree import ElementTree

from mathonet.report.overview import draw_overview
from mathonet.report.page.summary import as_html


def test_long_names_with_units_fit(wordy, tidy):
    figure = draw_overview(wordy)
    tidy(figure)
    below = [ax.get_xlabel() for ax in figure.axes[-2:]]
    assert below == ["Year", "Year"]
    assert figure.axes[2].get_ylabel().replace("\n", " ") == "temperature_of_the_inlet [K]"
    figure.draw_without_rendering()
    years = [tick.get_text() for tick in figure.axes[-1].get_xticklabels()]
    assert set(years) <= {str(year) for year in range(1850, 2000)}


def test_notebook_sets_what_explains_nothing_small(wordy):
    root = ElementTree.fromstring(as_html(wordy))
    sizes = [cell.get("style") for cell in root.iter("td") if "font-size" in cell.get("style")]
    assert "1.15em" in sizes[0]
    assert "0.95em" in sizes[1]
    assert len(root.findall(".//details")) == 1
