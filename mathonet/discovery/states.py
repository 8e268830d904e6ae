"""discover_states: from measured states alone to equations. The search proposes, the measured path decides.

    smooth -> samples -> a rung of the search -> joint fits on the path, terms added, dropped, exchanged

A rung's forms are learned from smoothed derivatives, whose errors are correlated, so their own scores choose
too much. They only propose; every choice is made by the one score of a joint fit on what was measured.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from mathonet.data.trajectory import Trajectory
from mathonet.discovery.config import Settings
from mathonet.discovery.joint import Joint, JointFit
from mathonet.discovery.ladder import Rung
from mathonet.discovery.measured import Measured, measure
from mathonet.discovery.outcome import outcome
from mathonet.discovery.probes import probed
from mathonet.discovery.pursuit import eliminate, library, pursue, regress
from mathonet.discovery.result import Discovery
from mathonet.discovery.search import Progress, Search
from mathonet.discovery.trust import leaves_noise
from mathonet.equation.expression import Expression
from mathonet.errors import ConfigError
from mathonet.fit.shooting import substeps_needed
from mathonet.precision import double_precision

SEARCH_NODES = 1500
"""Nodes of the path that choices are made on; a longer series is fitted whole at the end."""
SEARCH_ROWS = 300
"""Samples of the search: neighbours of a smooth curve say nearly the same."""
PER_TARGET = 4
"""Forms of a rung that are tried in an equation's place."""
MOST_SUBSTEPS = 32
LIBRARY = 140


@double_precision
def discover_states(
    trajectories: Sequence[Trajectory],
    settings: Settings | None = None,
    progress: Progress | None = None,
    order: int = 1,
    known: Mapping[str, Expression] | None = None,
    smoothing: str = "gp",
) -> Discovery:
    """Find the equations behind measured states.

    Args:
        trajectories: measured states; missing values are NaN, derivatives are not looked at.
        settings: how to search.
        progress: called after each cycle of the search.
        order: 1, or 2 for x'' = f(x, x') from positions alone.
        known: terms of the equations that are known, by state, over the inputs of `Measured`.
        smoothing: method of `smooth_all`.
    """
    began = time.monotonic()
    settings = settings or Settings()
    if settings.joint:
        raise ConfigError("joint=True needs derivatives: give x_dot, or leave joint out.")
    measured = measure(trajectories, order, known, smoothing)
    samples = measured.samples
    search = Search(samples, replace(settings, rows=min(settings.rows, SEARCH_ROWS)), progress)
    joint = make_joint(measured, search, SEARCH_NODES)
    best: JointFit | None = None
    for number, rung in enumerate(search.rungs()):
        search.climb(rung, search.pools)
        best, joint = _improve(joint, best, search, rung, number, measured)
        if best is not None and _settled(joint, best):
            break
    if best is None:
        raise ConfigError(
            "No system could be fitted on the measured path. Give more samples, fewer states, or derivatives."
        )
    whole = make_joint(measured, search, None, joint.path.substeps)
    if whole.path.y.shape[0] > joint.path.y.shape[0]:
        final = whole.fit(best.forms)
        if final is not None:
            degree = _degree(whole, final.forms)
            best, joint = pursue(whole, final, library(whole, degree)), whole
    return outcome(measured, search, joint, best, settings, time.monotonic() - began)


def make_joint(measured: Measured, search: Search, most: int | None, substeps: int = 1) -> Joint:
    """The joint fit of measured trajectories, in the units of the search."""
    scaling, samples = search.scaling, search.samples
    states = len(measured.states)
    rates = np.ones(states)
    for column, state in enumerate(measured.searched):
        rates[state] = scaling.targets[column] / scaling.inputs[state]
    path, rows = measured.path(scaling.inputs, substeps, most)
    scale = scaling.inputs[:states]
    del samples
    return Joint(
        path,
        measured.x[rows] / scale,
        len(measured.input_names),
        search.operations,
        rates,
        measured.known_flow(scaling.inputs, rates),
        measured.searched,
        measured.inputs[rows] / scaling.inputs,
        measured.x_dot[rows] / scale,
        measured.x_dot_std[rows] / scale,
        floor=1.0 if measured.clean else 0.0,
        choices=search.choices,
    )


def _improve(
    joint: Joint, best: JointFit | None, search: Search, rung: Rung, number: int, measured: Measured
) -> tuple[JointFit | None, Joint]:
    """The best system after a rung, and the joint fit with steps as fine as it needs."""
    found = [best]
    degree = 2 if number == 0 else 3
    terms = library(joint, degree)
    if sum(map(len, terms)) > LIBRARY:
        degree, terms = 2, library(joint, 2)
    if not any(any(form.calls()) for pool in search.pools for form in _forms(pool.entries, rung.name)):
        found.append(eliminate(joint, terms))
    proposed = _system(joint, [pool.best for pool in search.pools])
    if proposed is not None:
        found.append(joint.fit(regress(joint, proposed)))
    best = _first(found)
    if best is None:
        return None, joint
    best = pursue(joint, best, _beside(joint, best, terms))
    finer = substeps_needed(best.flow, best.shot.constants, joint.path, best.shot.x, MOST_SUBSTEPS)
    if finer > joint.path.substeps:
        path, _ = measured.path(search.scaling.inputs, finer, SEARCH_NODES)
        joint = replace(joint, path=path, seen={})
        again = joint.fit(best.forms, best.shot.x)
        best = pursue(joint, again or best, _beside(joint, again or best, terms))
    best = _exchange(joint, best, search, rung, terms)
    if number > 0 and search.settings.hidden is None:
        for other in probed(joint, best, terms, joint.rows):
            other = pursue(joint, other, _beside(joint, other, terms))
            best = _first([best, other]) or best
    return best, joint


def _exchange(joint: Joint, best: JointFit, search: Search, rung: Rung, terms) -> JointFit:
    """The best system with one equation exchanged for a form of this rung."""
    for column, state in enumerate(joint.searched):
        forms = _forms(search.pools[column].entries, rung.name)[:PER_TARGET]
        tried = []
        for form in forms:
            system = tuple(form if s == state else own for s, own in enumerate(best.forms))
            if tuple(each.skeleton for each in system) not in joint.seen:
                tried.append(joint.fit(system, best.shot.x))
        other = _first(tried)
        if other is not None:
            other = pursue(joint, other, _beside(joint, other, terms))
            best = _first([best, other]) or best
    return best


def _beside(joint: Joint, fit: JointFit, terms):
    return terms


def _forms(entries, rung: str) -> list[Expression]:
    """Forms that a rung found, best first."""
    own = [each for each in entries.values() if each.rung == rung]
    return [each.fitted.expression for each in sorted(own, key=lambda each: each.fitted.score)]


def _system(joint: Joint, candidates) -> tuple[Expression, ...] | None:
    """One form a state; what is known needs none."""
    if any(each is None for each in candidates):
        return None
    forms = dict(zip(joint.searched, (each.fitted.expression for each in candidates), strict=True))
    return tuple(forms.get(state, Expression()) for state in range(len(joint.rates)))


def _degree(joint: Joint, forms: Sequence[Expression]) -> int:
    degrees = [sum(abs(p) for _, p in term.factors) for form in forms for term in form.terms]
    return 3 if max([2, *degrees]) > 2 and sum(map(len, library(joint, 3))) <= LIBRARY else 2


def _first(found: Sequence[JointFit | None]) -> JointFit | None:
    return min((each for each in found if each is not None), key=lambda each: each.score, default=None)


def _settled(joint: Joint, fit: JointFit) -> bool:
    """Whether what the system leaves of every state looks like noise, or is below what can be told."""
    if joint.floor and fit.shot.chi2 <= joint.path.count * joint.floor**2:
        return True
    residuals = joint.path.weights * (joint.path.y - fit.shot.x)
    for state in range(residuals.shape[1]):
        own = residuals[joint.path.weights[:, state] > 0, state]
        if len(own) and not leaves_noise(own, None):
            return False
    return True
