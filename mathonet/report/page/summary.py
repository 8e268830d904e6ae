"""A result in a few lines: for a terminal, for a cell of a notebook, and as LaTeX."""

from typing import Any

from markupsafe import Markup

from mathonet.report.page.judgement import MARKS
from mathonet.report.page.noise import left_over
from mathonet.report.page.subject import Subject

LONGEST = 220
"""Letters of a judgement in a line; a rival can be very long."""
COLOURS = {
    "exact": "#0b7a57",
    "good": "#0b7a57",
    "undecided": "#9a6700",
    "doubtful": "#9a6700",
    "poor": "#c5352b",
}


def as_text(estimator: Any) -> str:
    """The equations, how far each can be trusted, and the noise."""
    subject = Subject(estimator)
    lines = [line.text for line in subject.lines] + [""]
    for line, trust in zip(subject.lines, subject.discovery.trust, strict=True):
        words = "; ".join(trust.words)
        words = words if len(words) <= LONGEST else words[:LONGEST].rsplit(" ", 1)[0] + " ..."
        lines.append(f"{line.left_text} {trust.level}: {words}")
    return "\n".join([*lines, noise_line(subject)])


def noise_line(subject: Subject) -> str:
    """What noise was seen, in a line; and what was not found."""
    discovery = subject.discovery
    if discovery.measured is not None:
        return " ".join(filter(None, (discovery.missing(), discovery.measured.describe())))
    sizes = discovery.samples.scaling.targets
    levels = []
    for line, each, size in zip(subject.lines, discovery.system.equations, sizes, strict=True):
        level, part = left_over(each.sigma, float(size))
        levels.append(f"{line.left_text} {level}" + ("" if part == "—" else f" ({part} of its size)"))
    return f"Left over of the derivatives: {', '.join(levels)}"


def as_latex(estimator: Any) -> str:
    """All equations as one `aligned` block of LaTeX."""
    lines = [line.latex.replace(" = ", " &= ", 1) for line in Subject(estimator).lines]
    return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}"


def as_html(estimator: Any) -> str:
    """The equations with their judgement, for a notebook: no script, and nothing but inline styles."""
    subject = Subject(estimator)
    cell = Markup('<td style="text-align:left;{}" title="{}">{}</td>')
    rows = []
    for place in subject.telling:
        line, trust = subject.lines[place], subject.discovery.trust[place]
        # What explains nothing, or cannot be taken in, is not set as a law.
        size = "0.95em;opacity:.8" if line.long or trust.level == "poor" else "1.15em"
        look = f"color:{COLOURS[trust.level]};font-weight:600;white-space:nowrap"
        law = cell.format(f"font-size:{size};padding:4px 18px 4px 0", line.text, line.math)
        level = cell.format(look, "; ".join(trust.words), f"{MARKS[trust.level]} {trust.level}")
        rows.append(Markup('<tr style="background:none">{}{}</tr>').format(law, level))
    page = '<div><table style="border:0">{}</table><div style="opacity:.75;font-size:.9em">{}</div></div>'
    return str(Markup(page).format(Markup("").join(rows), noise_line(subject)))
