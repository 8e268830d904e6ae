"""The outcome of a search on measured states: equations with intervals, candidates, trust."""

from collections.abc import Sequence

import numpy as np

from mathonet.data.jumps import left_by_steps, moves_in_jumps
from mathonet.equation.assembly import constants
from mathonet.equation.equation import Equation, EquationSystem, with_signs
from mathonet.equation.expression import Expression
from mathonet.equation.flow import Flow, evaluate
from mathonet.equation.reading import unscale
from mathonet.equation.symbolic import text
from mathonet.fit.path import ANNEAL
from mathonet.fit.score import DECIDED, score
from mathonet.fit.shooting import shoot
from mathonet.result.discovery import Discovery
from mathonet.result.selection import as_good, rival
from mathonet.result.trust import MOST_CONSTANTS, Trust, judge, may_stand_in, resting_on
from mathonet.search.blocks import polynomial_terms
from mathonet.search.config import Settings
from mathonet.search.fit import Fit
from mathonet.search.known import with_known
from mathonet.search.measurements.measured import Measured
from mathonet.search.measurements.route import route
from mathonet.search.path.coarse_data import most_constants
from mathonet.search.path.fit import PathFit
from mathonet.search.path.increments import increments
from mathonet.search.path.kinds import compared
from mathonet.search.path.objective import PathObjective
from mathonet.search.samples.objective import Candidate
from mathonet.search.samples.search import SampleSearch

MOST_SHOWN = 15
"""Candidates of a target that are kept; the chosen one is in any case."""
POLISH = 40
TRACE = 1e-12
"""Share of the largest term below which one is left of others that cancel."""
NOTHING = "whose own equation explains next to nothing"
JUMPING = "which moves in jumps"
STEPS = "a step function"
PATH = "fit of the path"
"""Rung of the forms that no proposer of the search had on the samples."""


def outcome(path: PathObjective, best: Fit, settings: Settings, seconds: float) -> Discovery:
    """Everything a discovery holds, from the best joint fit and those it was chosen from."""
    measured, search, joint = path.measured, path.search, path.joint
    candidates = [_candidates(path, best, state, column) for column, state in enumerate(joint.searched)]
    chosen = [
        next(each for each in pool if each.fitted.expression.skeleton == best.forms[state].skeleton)
        for pool, state in zip(candidates, joint.searched, strict=True)
    ]
    system = _polished(measured, search, joint, best)
    trust = [Trust("exact", 1.0, None, None, ("known, not searched",))] * len(measured.states)
    for column, (pool, each) in enumerate(zip(candidates, chosen, strict=True)):
        trust[joint.searched[column]] = _trust(measured, search, joint, best, column, pool, each)
    lawless = {state: NOTHING for state in joint.searched if trust[state].level == "poor"}
    lawless |= {
        state: JUMPING for state in joint.searched if _jumps(measured, joint, best, _shown(joint, state))
    }
    for state in joint.searched:
        for other, why in lawless.items():
            if other != state and best.forms[state].uses(other):
                trust[state] = resting_on(trust[state], measured.states[other], why)
    return Discovery(
        system,
        tuple(map(tuple, candidates)),
        tuple(chosen),
        tuple(trust),
        search.sweeps,
        search.samples,
        settings,
        seconds,
        measured,
    )


def _candidates(path: PathObjective, best: Fit, state: int, column: int) -> list[Candidate]:
    """The best forms of one state, and the chosen one, each in the best system that has it."""
    joint = path.joint
    found: dict[tuple, Fit] = {}
    for fit in joint.front:
        key = fit.forms[state].skeleton
        if key not in found or fit.score < found[key].score:
            found[key] = fit
    ranked = sorted(found.values(), key=lambda each: each.score)
    # A steadier system that was preferred may be far behind.
    chosen = found[best.forms[state].skeleton]
    ranked = [fit for rank, fit in enumerate(ranked) if rank < MOST_SHOWN or fit is chosen]
    objective = path.search.objectives[column]
    shown = _shown(joint, state)
    weight = joint.path.weights[:, shown] > 0
    made = []
    for fit in ranked:
        expression = fit.forms[state]
        values = np.asarray(constants(expression))
        left = (joint.path.y - fit.path.x)[weight, shown]
        form, nothing = (expression,), np.zeros((len(values), len(values)))
        fitted = Fit(form, form, values, float(left @ left), nothing, fit.score, float(max(len(left), 1)))
        known = objective.front.get(form)
        origin, hits = path.origins.of(state, expression) or PATH, 0
        if known is not None:
            origin, hits = known.origin, objective.hits[known.structure]
        made.append(Candidate(column, fitted, origin, hits, np.nan))
    return made


def _polished(measured: Measured, search: SampleSearch, joint: PathFit, best: Fit) -> EquationSystem:
    """The equations in the data's units, refitted there, with the covariance of their constants."""
    column = {state: number for number, state in enumerate(joint.searched)}
    unscaled = [
        unscale(form, search.scaling, column[state]) if state in column else form
        for state, form in enumerate(best.forms)
    ]
    ones = np.ones(len(measured.input_names))
    path, rows = route(measured, ones, (joint.path.method, joint.path.substeps))
    known = measured.known_flow(ones, np.ones(len(unscaled)))

    def flow(forms: Sequence[Expression]) -> Flow:
        return Flow(forms, len(ones), joint.faces, None, known)

    start, anneal = measured.x[rows], ANNEAL
    if len(start) == len(best.path.x):
        start, anneal = best.path.x * search.scaling.inputs[: start.shape[1]], ANNEAL[-1:]
    first = flow(unscaled)
    with np.errstate(all="ignore"):
        shot = shoot(first, first.constants, path, start, anneal, steps=POLISH)
        forms = first.with_constants(shot.constants) if shot is not None else tuple(unscaled)
        forms = tuple(_without_traces(form, measured.inputs) for form in forms)
        settled = flow(forms)
        # Once more at the end, since the normal form may order its constants in another way.
        at = start if shot is None else shot.x
        shot = shoot(settled, settled.constants, path, at, ANNEAL[-1:], steps=0)
    count = path.freedom - len(settled.constants)
    covariance = np.full((len(settled.constants),) * 2, np.nan)
    if shot is not None:
        size = np.sqrt(np.maximum(np.diagonal(shot.information), 1e-300))
        inverse = np.linalg.inv(shot.information / size[:, None] / size + 1e-13 * np.eye(len(size)))
        covariance = inverse / size[:, None] / size * shot.chi2 / max(count, 1)
    inputs = measured.inputs
    equations = []
    for state, (form, place) in enumerate(zip(forms, settled.places, strict=True)):
        equations.append(
            Equation(
                measured.states[state],
                measured.input_names,
                with_signs(form, lambda part: evaluate(part, inputs)),
                covariance[place, place] if form.terms else np.zeros((1, 1)),
                float(max(count, 1)),
                0.0,
            )
        )
    system = EquationSystem(tuple(equations), measured.input_names[len(equations) :])
    return with_known(system, dict(zip(measured.states, known, strict=True)))


def _without_traces(form: Expression, inputs: np.ndarray) -> Expression:
    """A form less what is left of terms that cancel in the data's units, as those of log(x / scale) do."""
    if len(form.terms) < 2:
        return form
    sizes = np.abs([evaluate(Expression((term,)), inputs) for term in form.terms])
    sizes = sizes[:, np.isfinite(sizes).all(axis=0)]
    kept = (sizes > TRACE * sizes.max(axis=0)).any(axis=1) if sizes.size else np.ones(len(sizes), bool)
    return Expression(tuple(term for term, yes in zip(form.terms, kept, strict=True) if yes))


def _shown(joint: PathFit, state: int) -> int:
    """Which measured state shows what an equation leaves over: of a velocity, its position."""
    return state if state not in joint.hidden else state - len(joint.hidden)


def _cancelling(joint: PathFit, best: Fit, state: int) -> float:
    """Size of the largest term of an equation along the path, in units of that of their sum."""
    rows = joint.along(best)
    with np.errstate(all="ignore"):
        values, _, slopes = joint.flow(best.as_fitted)(rows, best.constants)
        flow = joint.flow(best.as_fitted)
        places = flow.places[state].start + flow.outlines[state].outer
        terms = slopes[:, state, places] * best.constants[places]
        size = np.sqrt(np.mean(values[:, state] ** 2))
        return float(np.sqrt(np.mean(terms**2, axis=0)).max(initial=0.0) / size) if size > 0 else 0.0


def _jumps(measured: Measured, joint: PathFit, best: Fit, shown: int) -> bool:
    """Whether a state moves in jumps as it was measured, or, where noise hides them, as it was fitted."""
    ends = np.flatnonzero(joint.path.joined == 0) + 1
    return _mostly([each.x[:, shown] for each in measured.trajectories]) or _mostly(
        np.split(best.path.x[:, shown], ends)
    )


def _mostly(columns: Sequence[np.ndarray]) -> bool:
    """Whether most of what there is of a state moves in jumps."""
    jumping = sum(len(column) for column in columns if moves_in_jumps(column))
    return 2 * jumping > sum(map(len, columns))


def _steps_fit_as_well(joint: PathFit, best: Fit, state: int, shown: int) -> bool:
    """Whether steps with no more constants, a jump has two, follow a state as well as its equation does."""
    ends = np.flatnonzero(joint.path.joined == 0) + 1
    y, weights = joint.path.y[:, shown], joint.path.weights[:, shown]
    own = len(constants(best.forms[state]))
    jumps = own // 2
    steps = left_by_steps(np.split(y, ends), np.split(weights, ends), jumps)
    left = float(np.sum((weights * (y - best.path.x[:, shown])) ** 2))
    count = int(np.count_nonzero(weights))
    nats = 0.5 * (score(steps, count, 0.0, 2 * jumps, 0.0) - score(left, count, 0.0, own, 0.0))
    return jumps > 0 and nats < DECIDED


def _trust(
    measured: Measured,
    search: SampleSearch,
    joint: PathFit,
    best: Fit,
    column: int,
    pool: Sequence[Candidate],
    chosen: Candidate,
) -> Trust:
    state = joint.searched[column]
    shown = _shown(joint, state)
    weights = joint.path.weights[:, shown]
    seen = weights > 0
    # About the mean: to stay where it is explains nothing of a state.
    about = joint.path.y[:, shown] - np.average(joint.path.y[:, shown], weights=weights)
    residuals = (weights * (joint.path.y[:, shown] - best.path.x[:, shown]))[seen]
    if not joint.path.told[shown]:
        # Taken as exact beside noisier states: what is left of it is below what the path follows.
        residuals = np.zeros_like(residuals)
    other = rival(pool, chosen, joint.rows)
    # On the box of the path: smoothing may go below zero where abs(x) and x are one on what was measured.
    equal = as_good(best.forms[state], compared(joint, best, state), joint.along(best))

    def words(form: Expression | None) -> str | None:
        return (
            None if form is None else text(unscale(form, search.scaling, column), search.samples.input_names)
        )

    return judge(
        residuals,
        (weights * about)[seen],
        None,
        joint.within_floor(best.path.chi2) and joint.floor <= measured.floor,
        None if other is None else chosen.evidence - other.evidence,
        words(None if other is None else other.fitted.expression),
        cancelling=_cancelling(joint, best, state),
        misfit=joint.misfit(best, shown),
        bent=joint.bent(best),
        grain=joint.grain,
        equal=STEPS if _steps_fit_as_well(joint, best, state, shown) else words(equal),
        jumps=_jumps(measured, joint, best, shown),
        constants=len(constants(best.forms[state])),
        most=min(MOST_CONSTANTS, most_constants(joint, best.forms[state])),
        told=_told(joint, best, state),
    )


def _told(joint: PathFit, best: Fit, state: int) -> int | None:
    """Terms of a polynomial that leaves as little as a form that is none; None for over twice as many."""
    count = len(constants(best.forms[state]))
    if not may_stand_in(best.forms[state], count) or not joint.within_floor(best.path.chi2):
        return None
    regression = increments(joint, best, state)
    if regression is None:
        return None
    return polynomial_terms(regression, max(joint.least - regression.pricing.rest, 0.0), 2 * count)
