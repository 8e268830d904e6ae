"""discover_states: from measured states alone to equations. The search proposes, the measured path decides.

    smooth -> samples -> proposals -> joint fits on the path, terms added, dropped, exchanged

Who proposes, and when, is in `search.path.search`.
"""

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

from mathonet.blas import one_blas_thread
from mathonet.data.duplicated import warn_duplicated
from mathonet.data.offset import warn_far_from_zero
from mathonet.data.trajectory import Trajectory
from mathonet.equation.expression import Expression
from mathonet.errors import ConfigError
from mathonet.interruption import StoppedError, finishing
from mathonet.precision import double_precision
from mathonet.result.discovery import Cut, Discovery
from mathonet.result.outcome import outcome
from mathonet.search.config import Settings
from mathonet.search.measurements.measured import Smoothing, measure
from mathonet.search.objective import EquationProposer
from mathonet.search.path.conclusion import conclude, cut_short
from mathonet.search.path.objective import PathObjective
from mathonet.search.path.search import search_path
from mathonet.search.samples.search import Journal, Progress, SampleSearch, Stage

SEARCH_ROWS, PER_TERM = 300, 4
"""Samples of the search, as neighbours say nearly the same; at least so many a monomial of degree 2."""


@one_blas_thread
@double_precision
def discover_states(
    trajectories: Sequence[Trajectory],
    settings: Settings | None = None,
    progress: Progress | None = None,
    order: int = 1,
    known: Mapping[str, Expression] | None = None,
    smoothing: Smoothing = "gp",
    journal: Journal | None = None,
    proposers: Sequence[EquationProposer] = (),
) -> Discovery:
    """Find the equations behind measured states.

    Args:
        trajectories: measured states; missing values are NaN, derivatives are not looked at.
        settings: how to search.
        progress: called after each cycle of the search, and when it comes to another stage.
        order: 1, or 2 for x'' = f(x, x') from positions alone.
        known: terms of the equations that are known, by state, over the inputs of `Measured`.
        smoothing: method of `smooth_all`.
        journal: keeps the runs of the network that was asked for, and has those that were done before.
        proposers: further ways to forms, asked right after polynomials.
    """
    began = time.monotonic()
    settings = settings or Settings()
    if settings.joint or settings.selection != "score":
        asked = "joint=True" if settings.joint else f"selection={settings.selection!r}"
        raise ConfigError(f"{asked} needs derivatives: give x_dot, or leave it out.")
    settings.warn_of_no_effect()
    if progress is not None:
        progress("states", Stage("smoothing the measured states"))
    measured = measure(trajectories, order, known, smoothing)
    warn_far_from_zero(measured.samples)
    warn_duplicated(measured.samples)
    terms = math.comb(len(measured.input_names) + 2, 2)
    rows = min(settings.rows, max(SEARCH_ROWS, PER_TERM * terms))
    search = SampleSearch(
        measured.samples, replace(settings, rows=rows), progress, journal, measured.precise, proposers
    )
    path, cut = PathObjective(measured, search), None
    try:
        search_path(path)
        best = conclude(path)
    except StoppedError as stopped:
        cut = Cut(str(stopped), (*search.not_begun(), "rival forms"))
    with finishing():
        if cut is not None:
            best = cut_short(path)
        found = outcome(path, best, settings, time.monotonic() - began)
    return found if cut is None else found.cut_short(cut)
