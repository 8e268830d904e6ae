"""PySINDy's answer for a case of a recovery benchmark: the best of its settings, picked by simulation.

Its settings are those of the states benchmark: differences, smoothed differences, splines and the weak form,
alone and in ensembles. The libraries are polynomials of degree two and three, and of degree three with sines
and cosines. The truth takes no part in the choice: every fit is simulated, and the misfit to the measured
values and the number of its terms make its score.
"""

import time
from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from mathonet.data.trajectory import Trajectory
from mathonet.equation.symbolic import text
from mathonet.experiments.bench.recovery.cases import Case
from mathonet.experiments.bench.recovery.scores import scores
from mathonet.experiments.bench.states.peers import Window, expressions, simulate
from mathonet.experiments.bench.states.pysindy_settings import Library, Setting, settings, smooth_states

LIBRARIES = ((2, False), (3, False), (3, True))
"""Degree of the polynomials, and whether sines and cosines of the states are beside them."""
ORDERS = (2, 4, 8)
"""Of finite differences: on clean data high ones are better by far."""
MOST_SECONDS = 10.0
"""Of the processor, for the fits; few systems need them."""
SUBSTEPS = 4
PARTS = 4
"""Pieces of the trajectory that a fit is simulated on, beside the whole: chaos leaves no whole to compare."""
FLOOR = 1e-6
"""Misfit, in units of the states' variance, below which simulations are equally good: fewer terms decide.
Set in the peer's favour: with 1e-8 and less it keeps spurious terms on clean data."""


@dataclass(frozen=True)
class Plain:
    """A case for the peer: first order, no inputs, nothing known."""

    names: tuple[str, ...]
    order: int = 1
    known: tuple[tuple[str, float], ...] = ()

    @property
    def arguments(self) -> tuple[str, ...]:
        """The states alone."""
        return self.names


def answer(case: Case, seed: int) -> dict:
    """The chosen equations, their scores, the setting, and how long it took."""
    plain = Plain(case.names)
    libraries = [Library(degree, fourier, len(case.names)) for degree, fourier in LIBRARIES]
    data = case.data(seed)
    began, spent = time.perf_counter(), time.process_time()
    # PySINDy draws its test functions and bootstraps from NumPy's global generator.
    np.random.seed(seed)  # noqa: NPY002
    tried: list[tuple[Setting, np.ndarray]] = []
    for setting in settings(plain, [data], libraries, ORDERS):
        if time.process_time() - spent > MOST_SECONDS:
            break
        tried.append((setting, setting.fit()))
    misfits = _scores(plain, data, tried)
    record = {"settings": len(tried), "seconds": time.perf_counter() - began}
    if not np.isfinite(misfits).any():
        return record | {"exact": False, "equations": [], "setting": "none could be simulated"}
    setting, coefficients = tried[int(np.argmin(misfits))]
    found = expressions(plain, setting, coefficients)
    shown = [f"{name}' = {text(f, case.names, 4)}" for name, f in zip(case.names, found, strict=True)]
    return record | scores(case, found) | {"equations": shown, "setting": setting.label}


def _scores(plain: Plain, data: Trajectory, tried: list[tuple[Setting, np.ndarray]]) -> np.ndarray:
    """N log of the misfit of the simulations plus log N a term; infinite where one ends."""
    groups: dict[Library, list[int]] = defaultdict(list)
    for i, (setting, _) in enumerate(tried):
        groups[setting.problem.library].append(i)
    found = np.full(len(tried), np.inf)
    for library, members in groups.items():
        # Neighbouring thresholds often leave the same terms, and then the same coefficients.
        every = np.stack([tried[i][1] for i in members])
        unlike, which = np.unique(every, axis=0, return_inverse=True)
        # Smoothed starts are better where there is noise, measured ones where there is none.
        starts = (np.asarray(data.x), smooth_states(plain, data))
        logs = np.min([_misfit(plain, data, library, unlike, start) for start in starts], axis=0)
        terms = np.count_nonzero(unlike, axis=(1, 2))
        found[members] = (len(data) * logs + np.log(len(data)) * terms)[which.ravel()]
    return found


def _misfit(
    plain: Plain, data: Trajectory, library: Library, coefficients: np.ndarray, start: np.ndarray
) -> np.ndarray:
    """Log of the mean squared misfit in units of the states' spread: mean of the whole and its pieces."""
    logs = np.zeros(len(coefficients))
    for parts in (1, PARTS):
        window = _window(data, start, parts)
        x = simulate(plain, library, coefficients, window, SUBSTEPS)
        with np.errstate(all="ignore"):
            left = np.mean(((x - window.x) / data.x.std(axis=0)) ** 2, axis=(1, 2, 3))
            logs += np.log(np.maximum(left, FLOOR)) / 2
    return np.where(np.isnan(logs), np.inf, logs)


def _window(data: Trajectory, start: np.ndarray, parts: int) -> Window:
    length = len(data) // parts
    firsts = length * np.arange(parts)
    rows = firsts[:, None] + np.arange(length)
    return Window(data.t[rows], data.x[rows], start[firsts], np.zeros((*rows.shape, 0)))
