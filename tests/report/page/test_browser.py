"""The report in a real browser, without a network: it draws, answers, follows the theme and fits a phone."""

import io
import itertools
import os
import re
import shutil
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from PIL import Image

from mathonet import Discoverer, FieldDiscoverer, systems
from mathonet.report.page.page import write_report

pytestmark = pytest.mark.browser
NAMES = ("chromium", "chromium-browser", "google-chrome")
LARGEST = 3_000_000


@pytest.fixture(scope="module")
def launch():
    from playwright.sync_api import sync_playwright

    found = next(filter(None, map(shutil.which, NAMES)), None)
    assert found, "No chromium was found: install Debian's package `chromium`."
    with sync_playwright() as driver:
        yield lambda **more: driver.chromium.launch(executable_path=found, **more)


@pytest.fixture(scope="module")
def browser(launch):
    started = launch()
    yield started
    started.close()


@pytest.fixture(scope="module")
def plain_browser(launch, tmp_path_factory):
    """A browser on a machine whose only fonts are for text: none has tables for mathematics."""
    folder = tmp_path_factory.mktemp("fonts")
    for font in ("DejaVuSans.ttf", "DejaVuSerif.ttf", "DejaVuSerif-Italic.ttf", "DejaVuSansMono.ttf"):
        shutil.copy(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / font, folder)
    known = folder / "fonts.conf"
    known.write_text(
        f"<fontconfig><dir>{folder}</dir><cachedir>{folder / 'cache'}</cachedir>"
        "<alias><family>serif</family><prefer><family>DejaVu Serif</family></prefer></alias></fontconfig>"
    )
    started = launch(env={**os.environ, "FONTCONFIG_FILE": str(known)})
    yield started
    started.close()


@pytest.fixture(scope="module")
def pages(measured, wordy, pendulum, tmp_path_factory):
    folder = tmp_path_factory.mktemp("reports")
    lorenz = systems.get("lorenz")
    data = lorenz.simulate()
    found = Discoverer(operations=lorenz.operations, hidden=lorenz.hidden).fit(
        data.x, data.t, data.x_dot, names=data.names
    )
    field, u_t = systems.fisher_kpp()
    rates = FieldDiscoverer(hidden=[1], restarts=3).fit(field.values, field.t, [field.x], u_t=u_t)
    models = {"lorenz": found, "measured": measured, "field": rates, "wordy": wordy, "pendulum": pendulum}
    return {name: write_report(model, folder / f"{name}.html") for name, model in models.items()}


@pytest.fixture(scope="module")
def pendulum():
    t = np.linspace(0.0, 6.0, 80)
    return Discoverer(operations=["ident"], order=2).fit(np.sin(2.0 * t), t, names=["theta"])


@pytest.fixture
def visit(browser, plain_browser, pages):
    """Open a report offline; what goes wrong in the page, or asks for something else, fails the test."""
    contexts, trouble = [], []

    def opened(name: str, width: int = 1200, scheme: str = "light", plain: bool = False):
        context = (plain_browser if plain else browser).new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
        )
        contexts.append(context)
        context.set_offline(True)
        page = context.new_page()
        page.on("console", lambda message: trouble.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: trouble.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (trouble.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        address = pages[name].as_uri()
        page.on("request", lambda asked: check(asked.url, address))
        page.goto(address)
        page.wait_for_selector("html.drawn")
        return page

    def check(url: str, own: str) -> None:
        if url != own and not url.startswith("data:"):
            trouble.append(f"request: {url}")

    yield opened
    for context in contexts:
        context.close()
    assert not trouble


def chart(page, figure: str, number: int = 0):
    return page.locator(f"[data-figure={figure}] svg.chart").nth(number)


def point_at(page, found, across: float = 0.5, down: float = 0.5) -> None:
    found.scroll_into_view_if_needed()
    box = found.bounding_box()
    page.mouse.move(box["x"] + across * box["width"], box["y"] + down * box["height"])


def ticks(found) -> list[str]:
    return found.locator(".axis text").all_text_contents()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["lorenz", "measured", "field", "wordy"])
def test_every_figure_is_drawn(visit, pages, name, scheme):
    assert pages[name].stat().st_size < LARGEST
    page = visit(name, scheme=scheme)
    figures = page.locator("[data-figure]")
    assert figures.count() >= 5
    drawn = page.evaluate(
        """() => [...document.querySelectorAll("[data-figure]")].map((host) =>
            [...host.querySelectorAll("svg.chart")].map((svg) =>
                svg.querySelectorAll("path[d*=M], .bar, .pixels").length > 0
                && !/NaN|undefined|Infinity/.test(svg.outerHTML)))"""
    )
    assert all(charts and all(charts) for charts in drawn)
    assert page.locator("#equations math").first.bounding_box()["width"] > 5
    assert page.locator("#network svg").first.bounding_box()["width"] > 200


LUMINANCE = """(element) => {
  const linear = (text) => text.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  const light = (text) => { const [r, g, b] = linear(text); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  let ground = element;
  while (getComputedStyle(ground).backgroundColor === "rgba(0, 0, 0, 0)") ground = ground.parentElement;
  const [a, b] = [light(getComputedStyle(element).color), light(getComputedStyle(ground).backgroundColor)];
  return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), b];
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_is_legible_in_both_themes(visit, scheme):
    page = visit("lorenz", scheme=scheme)
    for place in ("h1", ".words", ".badge", ".verdict", "td", "figcaption", "button", "dt", ".legend .entry"):
        contrast, ground = page.locator(place).first.evaluate(LUMINANCE)
        assert contrast >= 4.5, place
        assert (ground > 0.5) == (scheme == "light"), place


def test_theme_can_be_switched(visit):
    page = visit("lorenz")
    assert page.locator("h1").evaluate(LUMINANCE)[1] > 0.5
    page.click("#theme")
    assert page.locator("h1").evaluate(LUMINANCE)[1] < 0.1
    page.click("#theme")
    assert page.locator("h1").evaluate(LUMINANCE)[1] > 0.5


def test_hover_shows_values(visit):
    page = visit("lorenz")
    found = chart(page, "replay")
    point_at(page, found)
    tip = page.locator("[data-figure=replay] .tip").first
    assert tip.is_visible()
    rows = tip.locator(".row").all_inner_texts()
    assert [row.split()[0] for row in rows] == ["t", "data", "simulation"]
    data, simulated = (float(row.split()[-1].replace("−", "-")) for row in rows[1:])
    assert data == pytest.approx(simulated, rel=1e-3)
    page.mouse.move(5, 5)
    assert not tip.is_visible()


def test_hover_on_the_front_shows_an_equation(visit):
    page = visit("lorenz")
    found = chart(page, "front0")
    found.scroll_into_view_if_needed()
    ring = page.locator("[data-figure=front0] .ring").bounding_box()
    page.mouse.move(ring["x"] + ring["width"] / 2, ring["y"] + ring["height"] / 2)
    assert page.locator("[data-figure=front0] .says").inner_text() == "x' = -10.000 x + 10.000 y"


def test_keys_move_along_a_chart(visit):
    page = visit("lorenz")
    chart(page, "replay").focus()
    page.keyboard.press("ArrowRight")
    tip = page.locator("[data-figure=replay] .tip").first
    first = tip.inner_text()
    page.keyboard.press("ArrowRight")
    assert tip.is_visible()
    assert tip.inner_text() != first
    page.keyboard.press("Escape")
    assert not tip.is_visible()


def test_drag_zooms_all_states_and_a_double_click_undoes_it(visit):
    page = visit("lorenz")
    first, second = chart(page, "replay"), chart(page, "replay", 1)
    before = ticks(first), ticks(second)
    point_at(page, first, 0.4)
    page.mouse.down()
    point_at(page, first, 0.6)
    page.mouse.up()
    assert ticks(first) != before[0]
    assert ticks(second) != before[1]
    first.dblclick()
    assert (ticks(first), ticks(second)) == before
    page.locator("[data-figure=replay]").get_by_label("Zoom in").click()
    assert ticks(first) != before[0]
    page.locator("[data-figure=replay]").get_by_label("Show all").click()
    assert ticks(first) == before[0]


def test_candidate_can_be_chosen(visit):
    page = visit("lorenz")
    front = page.locator("[data-front='0']")
    shown, numbers = front.locator("[data-entry]:visible"), front.locator("select.candidates")
    lines, ring = page.locator("[data-figure=curve0] path.line"), page.locator("[data-figure=front0] .ring")
    first, chosen, alone = numbers.input_value(), shown.inner_text(), lines.count()
    front.locator("[data-step='-1']").click()
    assert shown.count() == 1
    assert shown.inner_text() != chosen
    assert lines.count() == alone + 1
    simpler = numbers.input_value()
    numbers.select_option(first)
    assert shown.inner_text() == chosen
    assert lines.count() == alone
    # A click on the point that the ring had marked.
    chart(page, "front0").scroll_into_view_if_needed()
    numbers.select_option(simpler)
    box = ring.bounding_box()
    numbers.select_option(first)
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert numbers.input_value() == simpler


def test_another_equation_and_trajectory_can_be_chosen(visit):
    page = visit("measured")
    before = page.locator("[data-figure=replay] path.dots").first.get_attribute("d")
    page.locator("[data-figure=replay] select").select_option("1")
    assert page.locator("[data-figure=replay] path.dots").first.get_attribute("d") != before
    assert not page.locator("[data-front='1']").is_visible()
    page.locator("select[data-tabs=front]").select_option("1")
    assert page.locator("[data-front='1']").is_visible()
    assert chart(page, "front1").bounding_box()["width"] > 300


def test_legend_hides_a_series(visit):
    page = visit("lorenz")
    dots = page.locator("[data-figure=replay] path.dots")
    assert dots.count() == 3
    page.locator("[data-figure=replay] .entry", has_text="data").click()
    assert dots.count() == 0


def test_names_of_the_data_stay_text(visit, measured):
    page = visit("measured")
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 2
    for name in measured.discovery_.system.names:
        assert name in page.locator("#equations").inner_text()
        assert name in page.locator("[data-figure=replay]").evaluate("(each) => each.textContent")


def ink(page, mark) -> tuple[int, float]:
    """Pixels that a mark changes, and their height on the line as a share of it, counted from below."""
    mark.scroll_into_view_if_needed()
    box = mark.bounding_box()
    clip = {"x": box["x"] - 3, "y": box["y"] - 6, "width": box["width"] + 6, "height": box["height"] + 12}
    pictures = []
    for visible in ("visible", "hidden"):
        mark.evaluate("(mark, how) => { mark.style.visibility = how; }", visible)
        shot = Image.open(io.BytesIO(page.screenshot(clip=clip))).convert("L")
        pictures.append(np.asarray(shot, float))
    mark.evaluate("(mark) => { mark.style.visibility = 'visible'; }")
    rows, _ = np.nonzero(np.abs(pictures[0] - pictures[1]) > 60.0)
    return len(rows), 1.0 - float(np.mean(rows)) / len(pictures[0]) if len(rows) else 0.0


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize(
    ("name", "lefts"),
    [
        ("lorenz", ["x′=", "y′=", "z′="]),
        ("pendulum", ["θ″="]),
        ("wordy", ["(predator population (adults only))′=", "temperature_of_the_inlet′="]),
    ],
)
def test_derivatives_are_seen_with_any_font(visit, name, lefts, width, plain):
    page = visit(name, width, plain=plain)
    laws = page.locator("#equations .law")
    assert laws.count() == len(lefts)
    for number, left in enumerate(lefts):
        first = laws.nth(number).locator("math").first
        assert first.text_content() == left
        pixels, height = ink(page, first.locator(".prime"))
        assert pixels >= 5
        assert height > 0.5
        # Beside the name and not on it.
        gap = first.evaluate(
            """(math) => { const mark = math.querySelector(".prime");
                return mark.getBoundingClientRect().left
                    - mark.previousElementSibling.getBoundingClientRect().right; }"""
        )
        assert gap > -2.0


def test_letters_are_those_of_a_text_font(visit):
    page = visit("lorenz", plain=True)
    letter = page.locator("#equations .law mi").first
    look = letter.evaluate("(mi) => [getComputedStyle(mi).fontStyle, getComputedStyle(mi).textTransform]")
    # What browsers make of a lone letter otherwise, "math-auto", is a letter that text fonts lack.
    assert look == ["italic", "none"]


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("width", [1280, 390])
def test_long_names_do_not_overlap(visit, width, plain):
    page = visit("wordy", width, plain=plain)
    for row in page.locator("#coefficients tbody tr:not(.group)").all()[:6]:
        boxes = [cell.bounding_box() for cell in row.locator("td > span").all() if cell.is_visible()]
        for one, other in itertools.pairwise(boxes):
            beside = one["x"] + one["width"] <= other["x"] + 0.5
            assert beside or one["y"] + one["height"] <= other["y"] + 0.5
    assert page.evaluate(
        """() => [...document.querySelectorAll("svg.chart")].filter((svg) => svg.clientWidth).every((svg) =>
            [...svg.querySelectorAll("text")].every((text) => text.getBBox().x + text.getBBox().width
                <= svg.viewBox.baseVal.width + 2 && text.getBBox().x >= -2))"""
    )


def test_poor_and_long_forms_are_smaller_than_laws(visit):
    page = visit("wordy")
    sizes = page.evaluate(
        """() => [...document.querySelectorAll("#equations .law .equation")].map((law) =>
            parseFloat(getComputedStyle(law).fontSize))"""
    )
    assert sizes[1] < 0.8 * sizes[0]
    whole = page.locator("#equations .whole")
    assert whole.count() == 1
    assert not whole.locator("code").is_visible()
    whole.locator("summary").click()
    assert whole.locator("code").inner_text().count("temperature_of_the_inlet") > 50


def test_years_are_years(visit):
    page = visit("wordy")
    found = chart(page, "replay")
    shown = [text for text in ticks(found) if text.startswith("19")]
    assert shown
    assert all(re.fullmatch(r"19\d\d", text) for text in shown)
    assert found.locator("text.label").all_text_contents()[-1] == "Year"
    point_at(page, found)
    first = page.locator("[data-figure=replay] .tip .row").first.inner_text().split()
    assert first[0] == "Year"
    assert re.fullmatch(r"19\d\d\.\d+", first[1])


@pytest.mark.parametrize("width", [390, 320])
@pytest.mark.parametrize("name", ["lorenz", "measured", "field", "wordy", "pendulum"])
def test_phone_needs_no_sideways_scrolling(visit, name, width):
    page = visit(name, width)
    for each in page.locator("details").all():
        each.evaluate("(details) => { details.open = true; }")
    wide = page.evaluate("[document.documentElement.scrollWidth, document.body.scrollWidth, innerWidth]")
    assert max(wide[:2]) <= wide[2]
    assert chart(page, "parity").bounding_box()["width"] <= width


def test_paper_is_white_and_shows_every_equation(visit):
    page = visit("lorenz", scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.locator("h1").evaluate(LUMINANCE)[1] == pytest.approx(1.0)
    assert not page.locator("nav").is_visible()
    assert page.locator("[data-tab=network]:visible").count() == 3
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))) >= 4


def test_latex_is_copied(visit):
    page = visit("lorenz")
    page.get_by_role("button", name="Copy LaTeX").click()
    page.get_by_role("button", name="Copied").wait_for()
