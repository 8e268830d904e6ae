"""The identified networks as SVG in the page's own colours, so that they follow its theme."""

import io
import re
from typing import Any

import matplotlib as mpl
from markupsafe import Markup

from mathonet.errors import ConfigError
from mathonet.report.figures.network import FILLS, draw_network
from mathonet.report.figures.style import BLUE, GREEN, GREY, INK, PALE, VERMILLION
from mathonet.report.page import labels
from mathonet.report.page.subject import Subject

MOST = 8
LARGEST = 700_000
"""Letters of a drawing; a larger network cannot be read anyway."""
COLOURS = {
    BLUE: "--net-source",
    VERMILLION: "--net-factor",
    GREEN: "--net-output",
    INK: "--ink",
    GREY: "--muted",
    PALE: "--net-pruned",
    "#FFFFFF": "--paper",
    FILLS["poly"]: "--net-poly",
    FILLS["oper"]: "--net-oper",
}


def drawings(subject: Subject) -> list[tuple[str, Markup]]:
    """One drawing a network: a joint one shows all equations."""
    names = subject.discovery.samples.target_names
    lefts = [labels.of_equation(subject, name) for name in names]
    shown = [", ".join(lefts)] if subject.discovery.settings.joint else lefts[:MOST]
    found = []
    for target, name in enumerate(shown):
        try:
            figure: Any = draw_network(subject.discovery, target).figure
        except (ConfigError, KeyError, IndexError):
            continue
        picture = io.StringIO()
        # As paths: the type of the figures is not on every machine, and text could be anything.
        with mpl.rc_context({"svg.fonttype": "path", "svg.hashsalt": f"network {target}"}):
            figure.savefig(picture, format="svg", metadata={"Date": None, "Creator": None}, transparent=True)
        drawing = themed(picture.getvalue())
        if len(drawing) <= LARGEST:
            found.append((name, drawing))
    return found


def themed(svg: str) -> Markup:
    """An SVG of matplotlib without header, comments and metadata, with the page's colours in its styles."""
    svg = svg[svg.index("<svg") :]
    # Comments hold the texts, names of the data among them.
    svg = re.sub(r"<!--.*?-->|<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", svg, count=1)
    for colour, variable in COLOURS.items():
        svg = re.sub(re.escape(colour), f"var({variable})", svg, flags=re.IGNORECASE)
    svg = re.sub(r' d="[^"]*"', lambda path: re.sub(r"(\d+\.\d{2})\d+", r"\1", path[0]), svg)
    return Markup(re.sub(r"\s*\n\s*", "\n", svg))
