"""discover: from samples to equations: the search, the choice, the judgement."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from mathonet.blas import one_blas_thread
from mathonet.data.duplicated import warn_duplicated
from mathonet.data.offset import warn_far_from_zero
from mathonet.data.samples import Samples
from mathonet.equation.equation import Equation, EquationSystem, with_signs
from mathonet.equation.expression import Expression, number
from mathonet.equation.kinds import bent_inputs, of_another_kind
from mathonet.equation.reading import unscale
from mathonet.equation.symbolic import text
from mathonet.errors import ConfigError, DataError
from mathonet.fit.score import score
from mathonet.interruption import StoppedError, finishing
from mathonet.operations import Operation
from mathonet.precision import double_precision
from mathonet.result.discovery import Cut, Discovery
from mathonet.result.selection import as_good, rival, select
from mathonet.result.trust import Trust, judge, may_stand_in
from mathonet.search import effort
from mathonet.search.blocks import polynomial_terms
from mathonet.search.config import Settings
from mathonet.search.fit import Fit
from mathonet.search.objective import EquationProposer, Limit, check_proposers, named_proposers
from mathonet.search.path.kinds import Comparison
from mathonet.search.proposers.calls import Calls
from mathonet.search.proposers.sweep import make_problem
from mathonet.search.samples.objective import Candidate, SampleObjective
from mathonet.search.samples.regression import Regression
from mathonet.search.samples.search import Journal, Progress, SampleSearch

OTHER_KINDS = "rivals of other kinds"
"""Origin of the forms that were only fitted beside the best one."""
OTHER_KIND_COSTS = 60.0
"""What the price of forms may be higher for one of another kind that fits as well, in units of the score."""


@one_blas_thread
@double_precision
def discover(
    samples: Samples,
    settings: Settings | None = None,
    progress: Progress | None = None,
    journal: Journal | None = None,
    proposers: Sequence[str | EquationProposer] | None = None,
    **options,
) -> Discovery:
    """Find the equations behind samples.

    Args:
        samples: inputs and targets; targets are the derivatives of the states.
        settings: how to search; or give its fields as options (`hidden=(3,)`, `seed=1`, ...).
        progress: called after each cycle, and when the search comes to another stage.
        journal: keeps the runs of the network that was asked for, and has those that were done before.
        proposers: names of the search's own ways to forms, of which only these are used, and further ways,
            asked right after polynomials; None for all of the search's own.
        **options: fields of `Settings`.

    Raises:
        ConfigError: options that exclude each other, or do not exist.
        DataError: no samples.
    """
    began = time.monotonic()
    if not isinstance(samples, Samples):
        raise DataError(
            f"mathonet.discover takes Samples, got {type(samples).__name__}. Make them of arrays: "
            "Samples(inputs, targets, input_names, target_names); or fit a Discoverer, which takes arrays."
        )
    if settings is not None and options:
        raise ConfigError(f"Give either settings or options, not both; got the options {sorted(options)}.")
    settings = settings or Settings(**options)
    named, own = named_proposers(proposers), check_proposers(proposers)
    if named is not None:
        settings = replace(settings, proposers=named)
    settings.warn_of_no_effect()
    warn_far_from_zero(samples)
    warn_duplicated(samples)
    search = SampleSearch(samples, settings, progress, journal, own=own)
    search.check_proposers()
    cut = None
    try:
        search.run()
        objectives = search.finish()
        _look_at_other_kinds(search, objectives)
    except StoppedError as stopped:
        cut = Cut(str(stopped), (*search.not_begun(), "rival forms"))
    with finishing():
        if cut is not None:
            objectives = search.cut_short()
        found = _chosen(search, objectives, began)
    return found if cut is None else found.cut_short(cut)


def _chosen(search: SampleSearch, objectives: Sequence[SampleObjective], began: float) -> Discovery:
    """The best form of every target, in the data's units."""
    samples, settings, operations, floor = search.samples, search.settings, search.operations, search.floor
    targets = range(samples.targets.shape[1])

    candidates = [each.candidates() for each in objectives]
    chosen = [select(each, settings.selection, float(floor[t])) for t, each in enumerate(candidates)]
    equations = [_equation(samples, operations, t, each) for t, each in enumerate(chosen)]
    states = len(targets)
    return Discovery(
        EquationSystem(tuple(equations), samples.input_names[states:]),
        tuple(map(tuple, candidates)),
        tuple(chosen),
        tuple(_trust(*each, samples) for each in zip(objectives, candidates, chosen, strict=True)),
        search.sweeps,
        samples,
        settings,
        time.monotonic() - began,
    )


def _look_at_other_kinds(search: SampleSearch, objectives: Sequence[SampleObjective]) -> None:
    """Fit forms of other kinds, with no more constants, beside a form that would be called good."""
    if search.settings.hidden is not None or len(search.operations) == 1:
        return
    calls = Calls(search.scaling.inputs, False, search.effort)
    for seen, whole in zip(search.objectives, objectives, strict=True):
        best, inputs = whole.best, whole.regression.inputs
        if best is None or whole.exact or not whole.leaves_noise or not bent_inputs(best.expression, inputs):
            continue
        known = seen.regression.fit(best.expression, effort.JUDGING_STEPS)
        for other in calls.fits(seen.regression, Limit(known.score + OTHER_KIND_COSTS, known.chi2)):
            few = len(other.constants) <= len(best.constants)
            if few and of_another_kind(other.expression, best.expression, inputs):
                whole.keep(whole.regression.fit(other.expression, effort.JUDGING_STEPS), OTHER_KINDS)


def _trust(
    objective: SampleObjective, candidates: Sequence[Candidate], chosen: Candidate, samples: Samples
) -> Trust:
    """How far the chosen form of a target can be trusted."""
    regression = objective.regression
    other = rival(candidates, chosen, regression.rows)
    equal = as_good(chosen.fitted.expression, _compared(objective, chosen), regression.rows)
    residuals, inputs = regression.left_over(chosen.fitted.expression)

    def words(form: Expression | None) -> str | None:
        return (
            None
            if form is None
            else text(unscale(form, samples.scaling, objective.target), samples.input_names)
        )

    return judge(
        residuals,
        regression.targets[: len(residuals)],
        inputs,
        regression.fits_to_rounding(chosen.fitted, objective.front),
        None if other is None else chosen.evidence - other.evidence,
        words(None if other is None else other.fitted.expression),
        chosen.fitted.cancelling,
        still=regression.fit(number(1.0)).chi2,
        equal=words(equal),
        constants=len(chosen.fitted.constants),
        told=_told(regression, chosen.fitted),
        vague=regression.fits_to_rounding(chosen.fitted) and regression.is_vague(chosen.fitted),
    )


def _told(regression: Regression, fit: Fit) -> int | None:
    """Terms of a polynomial that leaves as little as a form that is none; None for over twice as many."""
    count = len(fit.constants)
    if not may_stand_in(fit.expression, count) or not regression.fits_to_rounding(fit):
        return None
    least = effort.NEXT_TO * fit.count * max(regression.floor, fit.rounding) ** 2
    return polynomial_terms(regression, max(fit.chi2, least), 2 * count)


def _compared(objective: SampleObjective, chosen: Candidate) -> Iterator[Comparison]:
    """All forms of a target beside the chosen one."""
    own = chosen.fitted

    def price(fit: Fit) -> float:
        return score(fit.chi2, fit.count, objective.regression.floor, len(fit.constants), 0.0)

    for each in objective.front:
        more = len(each.constants) - len(own.constants)
        yield Comparison(each.expression, more, 0.5 * (price(each) - price(own)), each.score)


def _equation(
    samples: Samples, operations: tuple[Operation, ...], target: int, candidate: Candidate
) -> Equation:
    """The chosen form in the data's units, polished there: constants to rounding, covariance, signs."""
    expression = unscale(candidate.fitted.expression, samples.scaling, target)
    regression = Regression(make_problem(samples, None, target=target), operations, 0.0)
    polished = regression.fit(expression)
    if not np.isfinite(polished.score) or polished.expression.skeleton != expression.skeleton:
        polished = regression.fit(expression, steps=0)
    settled = regression.fit(polished.expression, steps=0)
    return Equation(
        samples.target_names[target],
        samples.input_names,
        with_signs(settled.as_fitted[0], regression.values),
        settled.covariance,
        settled.count - len(settled.constants),
        settled.sigma,
    )
