"""discover: from samples to equations -- sweep, read, clean, refit, choose."""

import time
from collections.abc import Iterator, Sequence

import numpy as np

from mathonet.data.offset import warn_far_from_zero
from mathonet.data.samples import Samples
from mathonet.equation.assembly import constants
from mathonet.equation.equation import Equation, EquationSystem, with_signs
from mathonet.equation.expression import Expression, number
from mathonet.equation.kinds import bent_inputs, of_another_kind
from mathonet.equation.reading import unscale
from mathonet.equation.refit import Fitted, Refitter
from mathonet.equation.simplify import TRIAL_STEPS
from mathonet.equation.symbolic import text
from mathonet.errors import ConfigError
from mathonet.fit.residuals import leaves_noise
from mathonet.fit.score import score
from mathonet.interruption import StoppedError, finishing
from mathonet.operations import Operation
from mathonet.precision import double_precision
from mathonet.result.discovery import Cut, Discovery
from mathonet.result.selection import as_good, rival, select
from mathonet.result.trust import Trust, judge
from mathonet.search.candidate import Candidate, Pool
from mathonet.search.config import Settings
from mathonet.search.kinds import Comparison
from mathonet.search.ladder import Rung
from mathonet.search.replacements import nearest
from mathonet.search.search import Journal, Progress, Search
from mathonet.search.sweep import make_problem

OTHER_KINDS = "rivals of other kinds"
"""Rung of the forms that were only fitted beside the best one."""
SHORT = 2
"""Terms of an exact form beside which no sum of few terms is looked for."""


@double_precision
def discover(
    samples: Samples,
    settings: Settings | None = None,
    progress: Progress | None = None,
    journal: Journal | None = None,
    **options,
) -> Discovery:
    """Find the equations behind samples.

    Args:
        samples: inputs and targets; targets are the derivatives of the states.
        settings: how to search; or give its fields as options (`hidden=(3,)`, `seed=1`, ...).
        progress: called after each cycle, and when the search comes to another stage.
        journal: keeps the runs of every rung, and has those that were done before.
        **options: fields of `Settings`.
    """
    began = time.monotonic()
    if settings is not None and options:
        raise ConfigError(f"Give either settings or options, not both; got the options {sorted(options)}.")
    settings = settings or Settings(**options)
    warn_far_from_zero(samples)
    search = Search(samples, settings, progress, journal)
    ladder, cut = search.rungs(), None
    done = 0
    try:
        for rung in ladder:
            search.climb(rung, [pool for pool in search.pools if not _settled(pool, rung)])
            done += 1
        pools = search.finish()
        _look_at_other_kinds(search, pools)
    except StoppedError as stopped:
        cut = Cut(str(stopped), (*(rung.name for rung in ladder[done:]), "rival forms"))
    with finishing():
        if cut is not None:
            pools = search.cut_short()
        found = _chosen(search, pools, began)
    return found if cut is None else found.cut_short(cut)


def _chosen(search: Search, pools: Sequence[Pool], began: float) -> Discovery:
    """The best form of every pool, in the data's units."""
    samples, settings, operations, floor = search.samples, search.settings, search.operations, search.floor
    targets = range(samples.targets.shape[1])

    candidates = [sorted(pool.entries.values(), key=lambda each: each.fitted.score) for pool in pools]
    chosen = [select(pool, settings.selection, float(floor[t])) for t, pool in enumerate(candidates)]
    equations = [_equation(samples, operations, t, each) for t, each in enumerate(chosen)]
    states = len(targets)
    return Discovery(
        EquationSystem(tuple(equations), samples.input_names[states:]),
        tuple(map(tuple, candidates)),
        tuple(chosen),
        tuple(_trust(pool, each, samples) for pool, each in zip(pools, chosen, strict=True)),
        search.sweeps,
        samples,
        settings,
        time.monotonic() - began,
    )


def _look_at_other_kinds(search: Search, pools: Sequence[Pool]) -> None:
    """Fit forms of other kinds, with no more constants, beside a form that would be called good."""
    if search.settings.hidden is not None:
        return
    for seen, pool in zip(search.pools, pools, strict=True):
        if pool.best is None or pool.exact:
            continue
        form = pool.best.fitted.expression
        if not leaves_noise(*pool.refitter.left_over(form)):
            continue
        inputs = pool.refitter.inputs
        for other in nearest(form, seen.refitter, bent_inputs(form, inputs)):
            if of_another_kind(other, form, inputs) and len(constants(other)) <= len(constants(form)):
                pool.add(pool.refitter.fit(other, TRIAL_STEPS), OTHER_KINDS, 0)


def _settled(pool: Pool, rung: Rung) -> bool:
    """Whether a rung cannot give a target anything better than what an earlier one gave.

    Either its form fits to rounding, or it leaves nothing but noise: then another form can only win by being
    cheaper. The forms of one term that are new on the rung are tried; all others cost one more at least.
    """
    best, refitter = pool.best, pool.refitter
    if best is None or not rung.simplest:
        return False
    if pool.exact:
        # Where a conservation law makes terms dependent, a long sum may be exact beside a short one.
        return not rung.calls or len(best.fitted.expression.terms) <= SHORT
    score, rss = best.fitted.score, best.fitted.rss
    longer = min(refitter.score(form + number(1.0), rss) for form in rung.simplest)
    if longer < score or not leaves_noise(*refitter.left_over(best.fitted.expression)):
        return False
    return all(refitter.fit(form, TRIAL_STEPS).score >= score for form in rung.simplest)


def _trust(pool: Pool, chosen: Candidate, samples: Samples) -> Trust:
    """How far the chosen form of a target can be trusted."""
    refitter = pool.refitter
    other = rival(list(pool.entries.values()), chosen, refitter.rows)
    equal = as_good(chosen.fitted.expression, _compared(pool, chosen), refitter.rows)
    residuals, inputs = refitter.left_over(chosen.fitted.expression)

    def words(form: Expression | None) -> str | None:
        return (
            None if form is None else text(unscale(form, samples.scaling, pool.target), samples.input_names)
        )

    return judge(
        residuals,
        refitter.targets[: len(residuals)],
        inputs,
        pool.fits_to_rounding(chosen),
        None if other is None else chosen.evidence - other.evidence,
        words(None if other is None else other.fitted.expression),
        chosen.fitted.cancelling,
        still=refitter.fit(number(1.0)).rss,
        equal=words(equal),
    )


def _compared(pool: Pool, chosen: Candidate) -> Iterator[Comparison]:
    """All forms of a target beside the chosen one."""

    def price(fitted: Fitted) -> float:
        return score(fitted.rss, fitted.count, pool.refitter.floor, len(fitted.values), 0.0)

    for each in pool.entries.values():
        more = len(each.fitted.values) - len(chosen.fitted.values)
        nats = 0.5 * (price(each.fitted) - price(chosen.fitted))
        yield Comparison(each.fitted.expression, more, nats, each.fitted.score)


def _equation(
    samples: Samples, operations: tuple[Operation, ...], target: int, candidate: Candidate
) -> Equation:
    """The chosen form in the data's units, polished there: constants to rounding, covariance, signs."""
    expression = unscale(candidate.fitted.expression, samples.scaling, target)
    refitter = Refitter(make_problem(samples, None, target=target), operations, 0.0)
    polished = refitter.fit(expression)
    if not np.isfinite(polished.score) or polished.expression.skeleton != expression.skeleton:
        polished = refitter.fit(expression, steps=0)
    settled = refitter.fit(polished.expression, steps=0)
    return Equation(
        samples.target_names[target],
        samples.input_names,
        with_signs(settled.form, refitter.values),
        settled.covariance,
        settled.count - len(settled.values),
        settled.sigma,
    )
