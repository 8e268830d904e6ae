"""The figure of `plot`: data against simulation, and what is left over, one row a state."""

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from mathonet.errors import ConfigError
from mathonet.report.figures import lettering
from mathonet.report.figures.field import draw_field
from mathonet.report.figures.prediction import draw_prediction
from mathonet.report.figures.style import BLUE, GREY, PAGE, framed, new_figure, plain_numbers, styled
from mathonet.report.page import labels
from mathonet.report.page.replay import in_time, replay
from mathonet.report.page.residuals import residuals
from mathonet.report.page.subject import Subject

MOST_STATES = 8
ROW, BESIDE = 1.7, 2.3
"""Height of a row, and room for the titles on the right, in inches."""


@styled
def draw_overview(estimator: Any, trajectory: int = 0) -> Figure:
    """Draw every state of one trajectory with its simulation, and beside it what is left over.

    Left over is what the residuals of the report are: of states alone the data less the path that follows
    the equations, of given derivatives these less those of the equations. Of a field its rate is drawn, that
    of the equation, and their difference.

    Args:
        estimator: fitted.
        trajectory: which one, counted from 0.
    """
    subject = Subject(estimator)
    if subject.field is not None:
        return _rates(subject)
    count = len(subject.trajectories)
    if not 0 <= trajectory < count:
        raise ConfigError(f"There is no trajectory {trajectory}; there are {count}, counted from 0.")
    left = residuals(subject)
    data = subject.trajectories[trajectory]
    names, when = data.names[:MOST_STATES], labels.of_time(subject)
    found = replay(subject, trajectory) if in_time(data) else None
    figure = new_figure(PAGE, 0.5 + ROW * len(names))
    axes = figure.subplots(len(names), 2, squeeze=False, sharex=True, width_ratios=(1.5, 1.0))
    for state, name in enumerate(names):
        beside = axes[state, 1]
        if found is not None and len(found.x):
            rows = found.rows
            drawn = found.x[:, state], found.t
        else:
            rows, drawn = np.arange(len(data)), (None, None)
        draw_prediction(
            data.t[rows],
            data.x[rows, state],
            drawn[0],
            [name],
            ax=axes[state, 0],
            simulated_t=drawn[1],
            xlabel=when,
        )
        shown = lettering.label(labels.of_state(subject, name), ROW - 0.4)
        axes[state, 0].set_ylabel(shown)
        framed(beside)
        run = left.runs[trajectory]
        beside.axhline(0.0, color=GREY, linewidth=0.6)
        beside.plot(
            left.t[run], left.values[run, state], "o", color=BLUE, markersize=2.0, markeredgewidth=0.0
        )
        about = labels.with_unit(left.names[state], left.units[state])
        beside.set_title(lettering.label(f"left over of {about}", BESIDE))
        beside.set_xlabel(lettering.label(when))
        plain_numbers(beside)
        if state < len(names) - 1:
            for ax in axes[state]:
                ax.set_xlabel("")
    return figure


def _rates(subject: Subject) -> Figure:
    field, estimator = subject.field, subject.estimator
    kept = field.kept(estimator.radius)
    shape = (len(field.t), len(kept), len(field.names))
    wanted = subject.discovery.samples.targets.reshape(shape)
    found = estimator.predict(field.values).reshape(shape)
    figure = new_figure(PAGE / 2 * len(field.names), 3.6)
    parts = figure.subfigures(1, len(field.names), squeeze=False)[0]
    for number, (part, name) in enumerate(zip(parts, field.names, strict=True)):
        draw_field(
            field.t, field.x[kept], wanted[:, :, number], found[:, :, number], name=f"{name}_t", figure=part
        )
    return figure
