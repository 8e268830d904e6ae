"""The report is one page that needs nothing but itself, tells what happened, and holds no foreign markup."""

import base64
import hashlib
import json
import re
from copy import copy
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree

import numpy as np
import pytest

from mathonet import Discoverer, FieldDiscoverer, load, systems
from mathonet.data.trajectory import Trajectory
from mathonet.equation.expression import Expression, Term
from mathonet.errors import ArchiveError, ConfigError
from mathonet.report.page.page import FEW_CONSTANTS, render, write_report
from mathonet.report.page.subject import LONGEST
from mathonet.result.discovery import Cut
from mathonet.result.outcome import PATH

VOID = {"meta", "img", "br", "input", "link", "hr"}


class Elements(HTMLParser):
    """Names, attributes and texts of a page's elements."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.names, self.attributes, self.open, self.texts = [], [], [], {}
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.names.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open:
            self.texts.setdefault(self.open[-1], []).append(data)


def words(page: str) -> str:
    return " ".join(Elements(page).texts["p"])


def data_of(page: str) -> dict:
    return json.loads(re.search(r'<script id="data"[^>]*>(.*?)</script>', page, re.DOTALL)[1])


def changed(model, **parts):
    """The same model with another discovery behind it."""
    other = copy(model)
    other.discovery_ = replace(model.discovery_, **parts)
    return other


@pytest.fixture(scope="module")
def page(told) -> str:
    return render(told)


@pytest.fixture(scope="module")
def states_page(measured) -> str:
    return render(measured)


def test_page_needs_nothing_but_itself(page, states_page):
    for text in (page, states_page):
        found = Elements(text)
        assert not {"link", "img", "iframe", "object", "base", "form"} & set(found.names)
        targets = [
            value for name, value in found.attributes if name in ("src", "href", "xlink:href", "action")
        ]
        assert all(value.startswith("#") for value in targets)
        addresses = set(re.findall(r"https?://[^\s\"'<>)]+", text))
        assert all(each.startswith("http://www.w3.org/") for each in addresses), addresses
        assert len(text) < 1_000_000


def test_policy_allows_the_one_script(page):
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]
    assert policy.startswith("default-src 'none'")
    script = re.search(r"<script>(.*?)</script>\s*</body>", page, re.DOTALL)[1]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy.replace("&#39;", "'")
    # No text becomes markup in the browser either.
    assert "innerHTML" not in script
    assert "eval(" not in script


def test_names_of_the_data_are_escaped(measured, states_page):
    found = Elements(states_page)
    assert found.names.count("script") == 2
    assert "img" not in found.names
    assert not [name for name, _ in found.attributes if name.startswith("on")]
    for name in measured.discovery_.system.names:
        assert name not in states_page
        assert any(name in text for text in found.texts["mi"])
        assert any(name in view["label"] for view in data_of(states_page)["figures"]["parity"]["views"])


def test_simple_numbers_are_told_where_they_show(told, page):
    assert "Simple numbers" not in page
    first, *rest = told.discovery_.system.equations
    count = len(first.covariance)
    moved = replace(
        first,
        expression=Expression(
            tuple(replace(t, coefficient=t.coefficient + 1e-3) for t in first.expression.terms)
        ),
        covariance=1e-6 * np.eye(count),
    )
    system = replace(told.discovery_.system, equations=(moved, *rest))
    found = render(changed(told, system=system))
    line = re.search(r'<div class="simple">(.*?)</div></div>', found, re.DOTALL)[1]
    assert re.sub(r"<[^>]*>| ", "", line) == "Simplenumberswithintheerrorsx′=−0.3x+2y"


def panels_of(page: str, figure: str) -> list[dict]:
    return [panel for view in data_of(page)["figures"][figure]["views"] for panel in view["panels"]]


def test_units_stand_on_axes_and_behind_constants(wordy):
    page = render(wordy)
    first, second = panels_of(page, "replay")
    assert (first["x"], first["y"]) == ("Year", "predator population (adults only) [thousands]")
    assert second["y"] == "temperature_of_the_inlet [K]"
    assert panels_of(page, "parity")[1]["x"] == "temperature_of_the_inlet' of the data [K/year]"
    assert panels_of(page, "residuals")[0]["y"].endswith("data − model [thousands/year]")
    cells = re.findall(r'data-label="value"><span>(.*?)</span></td>', page)
    assert re.sub(r"<[^>]*>", "", cells[0]) == "−0.0600 1/year"
    assert re.sub(r"<[^>]*>", "", cells[2]).endswith(" 1/(year K)")
    # Never in an equation.
    laws = re.search(r'<div class="system">(.*?)<p class="verdict', page, re.DOTALL)[1]
    assert "thousands" not in laws


def test_years_are_years(wordy):
    page = render(wordy)
    years = data_of(page)["columns"]["t0"]
    assert len(set(years)) == len(wordy.trajectories_[0])
    system = wordy.discovery_.system
    away = replace(system.equations[1], expression=Expression((Term(0.01, ()),)), covariance=np.eye(1))
    other = render(changed(wordy, system=replace(system, equations=(system.equations[0], away))))
    assert re.search(r"leaves the data .* at Year = 19\d\d\.\d; they end at 1940\.0\.", words(other))


def test_long_forms_are_folded_and_poor_ones_small(wordy, page):
    found = render(wordy)
    assert found.count('class="law"') == found.count('class="law slight"') == 1
    assert 'class="law slight"' not in page
    law = re.search(r'<div class="law slight">(.*?)</details>', found, re.DOTALL)[1]
    assert "in full, 60 terms" in law
    assert law.count("<math>") < 20
    # The whole is there, as text.
    assert wordy.discovery_.system.equations[1].text().split("' = ")[1] in re.sub(r"<[^>]*>", "", law)
    assert f"The other {63 - FEW_CONSTANTS} constants" in found
    assert max(map(len, panels_of(found, "front1")[0]["labels"])) <= LONGEST + 2


def test_every_section_is_there(page, states_page):
    for text, extra in ((page, ()), (states_page, ("smoothing",))):
        sections = set(re.findall(r'<section id="(\w+)"', text))
        assert {"equations", "trust", "coefficients", "simulation", "derivatives", "residuals"} <= sections
        assert {"candidates", "pruning", "network", "noise", "settings"} <= sections
        figures = data_of(text)["figures"]
        assert {"replay", "portrait", "parity", "residuals", "front0", "pruning0", *extra} <= set(figures)
        assert set(re.findall(r'data-figure="(\w+)"', text)) == set(figures)
        assert text.count("<svg") == 2


def test_equations_are_mathematics(told, page):
    found = [ElementTree.fromstring(each) for each in re.findall(r"<math>.*?</math>", page)]
    written = ["".join(each.itertext()) for each in found]
    assert "−0.30000x" in written
    assert "+2.0000y" in written
    assert r"\dot{x} &amp;= -0.30000" in page
    for row in told.coefficients_.itertuples():
        assert f"{abs(row.value):.7f}"[:5] in page


def test_series_name_columns_of_one_length(page, states_page):
    for text in (page, states_page):
        data = data_of(text)
        for figure in data["figures"].values():
            for each in (s for view in figure["views"] for panel in view["panels"] for s in panel["series"]):
                assert len(data["columns"][each["x"]]) == len(data["columns"][each["y"]]) > 0


def test_simulation_follows_the_data(measured, states_page):
    data = data_of(states_page)
    assert [view["label"] for view in data["figures"]["replay"]["views"]] == ["trajectory 1", "trajectory 2"]
    columns = data["columns"]
    seen, at = np.array(columns["d1.0"], float), np.array(columns["t1"])
    simulated = np.interp(at, columns["s1"], columns["m1.0"])
    assert np.nanstd(seen - simulated) < 0.03
    assert columns["d0.0"].count(None) == 4
    told = words(states_page)
    assert "2 of 2 simulations stay with the data throughout" in told
    assert "4 values are missing" in told


def test_trust_is_told(measured, page, states_page):
    assert "You can rely on these equations within the range of the data." in words(page)
    assert states_page.count('class="judgement good"') == 2
    assert states_page.count("Best rival") == 2


def test_search_that_was_cut_short(told):
    other = copy(told)
    other.discovery_ = told.discovery_.cut_short(Cut("the budget of 3 s is spent", ("deeper networks",)))
    text = words(render(other))
    assert "cut short (the budget of 3 s is spent)" in text
    assert "deeper networks" in text


def test_result_without_candidates_or_history(told):
    found = told.discovery_
    other = changed(told, candidates=tuple(() for _ in found.candidates), sweeps={})
    text = words(render(other))
    for sentence in ("holds no candidates", "No history of the cycles", "No network can be drawn"):
        assert sentence in text


def test_form_that_no_network_had_is_given_to_none(told):
    found = told.discovery_
    alone = replace(found.chosen[1], rung="sums with calls", hits=0)
    page = render(changed(told, chosen=(found.chosen[0], alone), candidates=(found.candidates[0], (alone,))))
    assert "No network led to the form of y:" in words(page)
    figures = set(data_of(page)["figures"])
    assert "pruning0" in figures
    assert "pruning1" not in figures
    assert "<dt>found by</dt><dd>sums with calls</dd>" in page
    assert 'aria-label="Network of y&#39;"' not in page


def test_a_law_that_needed_no_network_has_no_section_of_one(told):
    found = told.discovery_
    chosen = tuple(replace(each, rung="polynomials", hits=0) for each in found.chosen)
    page = render(changed(told, chosen=chosen, candidates=tuple((each,) for each in chosen), sweeps={}))
    assert "No network led to the form of x and y: polynomials" in words(page)
    assert '<section id="network"' not in page
    assert 'href="#network"' not in page


def test_forms_of_the_path_are_not_booked_on_a_rung(measured, states_page):
    found = measured.discovery_
    made = [each for pool in found.candidates for each in pool if each.rung not in found.sweeps]
    assert {each.rung for each in made} == {PATH}
    assert not any(each.hits for each in made)
    assert f"<dt>found by</dt><dd>{PATH}</dd>" in states_page


def test_blow_up_is_told(told):
    system = told.discovery_.system
    blown = replace(system.equations[0], expression=Expression((Term(3.0, ((0, 2),)),)), covariance=np.eye(1))
    other = changed(told, system=replace(system, equations=(blown, system.equations[1])))
    page = render(other)
    assert "The simulation does not reach the end." in words(page)
    assert "grows past all bounds" in words(page)
    shown = np.array(data_of(page)["columns"]["m0.0"], float)
    assert np.isfinite(shown).sum() > 2
    assert np.nanmax(np.abs(shown)) < 20.0


def test_undefined_right_hand_side_is_told(told):
    system = told.discovery_.system
    pole = replace(
        system.equations[0], expression=Expression((Term(-1.0, ((0, -1),)),)), covariance=np.eye(1)
    )
    page = render(changed(told, system=replace(system, equations=(pole, system.equations[1]))))
    assert "The simulation does not reach the end." in words(page)


@pytest.mark.slow
@pytest.mark.parametrize(("end", "words_of_it"), [(8.0, "extremes"), (40_000.0, "too many for one picture")])
def test_long_series_is_thinned(told, end, words_of_it):
    t = np.linspace(0.0, end, 100_000)
    x = np.column_stack([np.cos(t), np.sin(t)])
    x[50_000, 0] = 7.0
    other = copy(told)
    other.trajectories_ = (Trajectory(t, x, told.predict(x), ("x", "y")),)
    page = render(other)
    assert len(page) < 1_000_000
    assert words_of_it in words(page)
    assert "100,000" in words(page)
    views, columns = data_of(page)["figures"]["replay"]["views"], data_of(page)["columns"]
    # The outlier is among what is drawn, in whichever view shows all of it.
    assert 7 in columns[views[-1]["panels"][0]["series"][0]["y"]]
    assert len(views) == (1 if end == 8.0 else 2)


def test_rows_without_times_are_not_simulated(told):
    draw = np.random.default_rng(0).standard_normal((40, 2))
    other = copy(told)
    other.trajectories_ = (Trajectory(np.arange(40.0), draw, told.predict(draw), ("x", "y")),)
    page = render(other)
    assert "No simulation is drawn: rows were given without times" in words(page)
    assert "replay" not in data_of(page)["figures"]


def test_poor_equations_of_one_state():
    draw = np.random.default_rng(0)
    model = Discoverer(operations=["ident"], hidden=[1], restarts=2)
    page = render(model.fit(draw.standard_normal(60), np.arange(60.0), draw.standard_normal(60)))
    assert "Do not rely on these equations" in words(page)
    figures = data_of(page)["figures"]
    assert figures["portrait"]["views"][0]["panels"][0]["y"] == "x'"


@pytest.mark.slow
def test_field():
    field, u_t = systems.fisher_kpp()
    model = FieldDiscoverer(hidden=[1], restarts=3).fit(field.values, field.t, [field.x], u_t=u_t)
    page = render(model)
    assert {"rates", "kernels", "parity", "front0"} <= set(data_of(page)["figures"])
    assert "simulation" not in re.findall(r'<section id="(\w+)"', page)
    written = [
        "".join(ElementTree.fromstring(each).itertext()) for each in re.findall(r"<math>.*?</math>", page)
    ]
    assert "+0.010000uxx" in written


@pytest.mark.slow
def test_second_order_is_written_with_primes():
    t = np.linspace(0.0, 6.0, 80)
    page = render(Discoverer(operations=["ident"], order=2).fit(np.sin(2.0 * t), t, names=["q"]))
    assert "q″=" in [
        "".join(ElementTree.fromstring(each).itertext()) for each in re.findall(r"<math>.*?</math>", page)
    ]
    # That a velocity is the derivative of its position goes without saying.
    assert page.count('class="law"') == 1
    panels = data_of(page)["figures"]["replay"]["views"][0]["panels"]
    assert [[each["name"] for each in panel["series"]] for panel in panels] == [
        ["data", "simulation"],
        ["simulation"],
    ]


def test_report_of_a_loaded_model_is_the_same(measured, states_page, tmp_path):
    measured.save(tmp_path / "run")
    when = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC")
    assert when.sub("", render(load(tmp_path / "run"))) == when.sub("", states_page)


def test_file_is_whole_or_not_there(told, tmp_path):
    path = write_report(told, tmp_path / "report.html")
    assert path == tmp_path / "report.html"
    assert path.read_text(encoding="utf-8").rstrip().endswith("</html>")
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(ArchiveError, match="could not be written"):
        write_report(told, tmp_path / "none" / "report.html")
    with pytest.raises(ArchiveError, match="is a folder"):
        write_report(told, tmp_path)
    (tmp_path / "thesis.html").write_text("<!doctype html><title>My thesis</title>")
    with pytest.raises(ArchiveError, match="did not write"):
        write_report(told, tmp_path / "thesis.html")
    (tmp_path / "thesis.html").unlink()
    assert write_report(told, path) == path
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("thing", [Discoverer(), 3])
def test_only_fitted_models_are_reported(thing, tmp_path):
    with pytest.raises(ConfigError, match="needs a fitted Discoverer"):
        write_report(thing, tmp_path / "report.html")
