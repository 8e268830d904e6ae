"""write_report: everything a discovery found as one HTML page that needs nothing but itself.

The page loads nothing: styles and script stand in it, equations are MathML, charts are drawn as SVG from the
page's own data. Its security policy allows this one script and no other, whatever names the data hold.
"""

import base64
import hashlib
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from mathonet.data.trajectories import summary
from mathonet.interruption import checkpoint
from mathonet.precision import double_precision
from mathonet.report.page import grid, judgement, noise, parity, pruning, residuals, surroundings, wiring
from mathonet.report.page.chart import Columns, as_json
from mathonet.report.page.coefficients import coefficients
from mathonet.report.page.front import fronts
from mathonet.report.page.portrait import draw_portrait
from mathonet.report.page.replay import draw_replay, replays, tell
from mathonet.report.page.subject import Subject, listed
from mathonet.report.page.summary import as_latex
from mathonet.writing import check_file, write_file

FEW_CONSTANTS = 24
"""Rows of the table of constants that stand open, where there are many."""
SCRIPTS = ("scale.js", "chart.js", "hover.js", "page.js")


@double_precision
def write_report(estimator: Any, path: str | Path) -> Path:
    """Write the report of a fitted estimator.

    Args:
        estimator: a fitted `Discoverer` or `FieldDiscoverer`, fresh or loaded.
        path: the file to write, such as `report.html`; an earlier report there is replaced.

    Returns:
        The path.

    Raises:
        ConfigError: the estimator is not fitted.
        ArchiveError: the file cannot be written, or another lies there; then nothing has changed.
    """
    check_file(path, _is_report)
    return write_file(path, render(estimator), _is_report)


def _is_report(beginning: bytes) -> bool:
    """Whether a file that begins so is a report, of this version or an earlier one."""
    return beginning.lstrip()[:9].lower() == b"<!doctype" and b"<title>Equations of " in beginning


def render(estimator: Any) -> str:
    """The report as text.

    Raises:
        StoppedError: there is a watch over it, and the time is up.
    """
    checkpoint()
    subject = Subject(estimator)
    columns = Columns()
    content = _field(subject, columns) if subject.field is not None else _system(subject, columns)
    script = "\n".join(_part(name) for name in SCRIPTS)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    environment = Environment(
        loader=PackageLoader("mathonet.report.page", "template"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    figures = {name: chart for name, chart in content["charts"].items() if chart is not None}
    return environment.get_template("report.html").render(
        **{**content, "charts": figures},
        data=as_json({"columns": columns.values, "figures": figures}),
        style=Markup(_part("report.css")),
        script=Markup(script),
        digest=digest,
    )


def _part(name: str) -> str:
    return files("mathonet.report.page").joinpath("template", name).read_text(encoding="utf-8")


def _shared(subject: Subject, columns: Columns) -> dict[str, Any]:
    """What every report has."""
    level = judgement.worst(subject)
    names = [line.target for line in subject.lines]
    rows = coefficients(subject)
    if subject.discovery.measured is not None:
        names = names[: subject.discovery.measured.positions]
    return {
        "title": f"Equations of {listed(names)}" if len(names) <= 6 else f"Equations of {len(names)} states",
        "subtitle": "",
        "lines": [subject.lines[place] for place in subject.telling],
        "simple": subject.simple,
        "alone": len(subject.lines) == 1,
        "all_latex": as_latex(subject.estimator),
        "all_text": "\n".join(line.text for line in subject.lines),
        "level": level,
        "verdict": judgement.VERDICT[level],
        "cut": judgement.cut_short(subject),
        "judgements": judgement.judgements(subject),
        "coefficients": rows,
        "few": FEW_CONSTANTS if len(rows) > 1.5 * FEW_CONSTANTS else len(rows),
        "with_units": any(row.unit for row in rows),
        "parity_words": parity.tell_parity(subject),
        "residual_words": residuals.tell_residuals(subject),
        "prunings": pruning.prunings(subject, columns),
        "undrawn": pruning.undrawn(subject),
        "networks": wiring.drawings(subject),
        "states_alone": subject.discovery.measured is not None,
        "settings": surroundings.settings(subject),
        "versions": subject.discovery.versions,
        "written": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "replay_words": (),
        "field": None,
        "noise": noise.noise(subject, columns),
    }


def _system(subject: Subject, columns: Columns) -> dict[str, Any]:
    """A report on trajectories."""
    shared = _shared(subject, columns)
    checkpoint()
    found = replays(subject)
    checkpoint()
    charts = {"replay": draw_replay(subject, found, columns) if found else None}
    charts["portrait"] = draw_portrait(subject, found, columns)
    charts["parity"] = parity.draw_parity(subject, columns)
    charts["residuals"] = residuals.draw_residuals(subject, columns)
    charts["smoothing"] = shared["noise"].chart
    checkpoint()
    given = getattr(subject.estimator, "trajectories_", None) or subject.trajectories
    return {
        **shared,
        **_searched(shared, fronts(subject, found, columns), charts),
        "subtitle": summary(given) if given else "",
        "replay_words": tell(subject, found),
    }


def _field(subject: Subject, columns: Columns) -> dict[str, Any]:
    """A report on a field."""
    shared = _shared(subject, columns)
    charts = {
        "rates": grid.draw_rates(subject, columns),
        "kernels": grid.draw_kernels(subject, columns),
        "parity": parity.draw_parity(subject, columns),
    }
    field = subject.field
    return {
        **shared,
        **_searched(shared, fronts(subject, [], columns), charts),
        "subtitle": f"{listed(field.names)} on {len(field.x):,} points at {len(field.t):,} times",
        "field": {"words": grid.tell_rates(subject), "moments": grid.moments(subject)},
    }


def _searched(shared: dict[str, Any], found: list, charts: dict[str, Any]) -> dict[str, Any]:
    """Candidates and pruning: their charts go to the others."""
    for number, front in enumerate(found):
        charts[f"front{number}"], charts[f"curve{number}"] = front.chart, front.curve
    for number, each in enumerate(shared["prunings"]):
        charts[f"pruning{number}"] = each.chart
    return {"fronts": found, "charts": charts}
