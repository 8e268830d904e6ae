"""Our answer for a case of a recovery benchmark: `Discoverer` as a user would call it."""

import math
import time
import warnings
from collections.abc import Sequence
from typing import Any

from mathonet.equation.expression import Expression, variable
from mathonet.equation.reading import unscale
from mathonet.estimators.discoverer import Discoverer
from mathonet.experiments.bench.recovery.cases import Case
from mathonet.experiments.bench.recovery.scores import has_true_form, scores
from mathonet.fit.score import DECIDED
from mathonet.result.discovery import Discovery
from mathonet.search.ledger import recorded

MOST_TIED = 10
"""Tied forms of an equation that are looked at."""
_met: set[tuple] = set()
"""Shapes that this process has compiled or loaded the programs of."""


def answer(case: Case, seed: int, proposers: Sequence[str] | None = None) -> dict:
    """The equations, their scores, how far each is trusted, which are tied, and how long it took.

    The seed is that of the noise and of the search. A run is cold if it is the first of its shape in this
    process, and had to compile programs or to load them from the kept ones.

    Args:
        case: what is measured.
        seed: of the noise and of the search.
        proposers: names of the search's own proposers that are asked, and no others; None for the defaults.
    """
    data = case.data(seed)
    asked: dict[str, Any] = {} if proposers is None else {"proposers": list(proposers)}
    shape = (len(case.names), len(data), case.derivatives, *(proposers or ()))
    cold = shape not in _met
    began = time.perf_counter()
    with warnings.catch_warnings(action="ignore"), recorded() as ledger:
        found = Discoverer(seed=seed, **asked).fit(data.x, data.t, data.x_dot, names=case.names).discovery_
    seconds = time.perf_counter() - began
    _met.add(shape)
    # A state whose equation was not found stands still.
    forms = {
        each.target: _in_terms_of(case.names, each.expression, each.inputs) for each in found.system.equations
    }
    scored = scores(case, [forms.get(name, Expression()) for name in case.names])
    return {
        **scored,
        "exact_or_tied": all(
            right or any(has_true_form(case, place, form) for form in _tied(found, case.names, name))
            for place, (name, right) in enumerate(zip(case.names, scored["right"], strict=True))
        ),
        "equations": [each.text() for each in found.system.equations],
        "trust": [each.level for each in found.trust],
        # The levels are those of the equations that were found, the scores those of all states.
        "answered": [name in forms for name in case.names],
        # An infinite lead has no place in JSON.
        "gaps": [gap if gap is not None and math.isfinite(gap) else None for gap in found.gaps],
        "tied": [
            next((words for words in each.words if "nats" in words), "")
            for each in found.trust
            if each.gap is not None and each.gap < DECIDED
        ],
        "form": [str(each.expression.skeleton) for each in found.system.equations],
        "ledger": {"digest": ledger.digest, "stages": ledger.stages()},
        "seconds": seconds,
        "cold": cold,
    }


def _in_terms_of(names: Sequence[str], form: Expression, inputs: Sequence[str]) -> Expression:
    """A form of some inputs as one of the states: those without an equation are inputs after the others."""
    if tuple(inputs) == tuple(names):
        return form
    return form.substitute(lambda place: variable(names.index(inputs[place])))


def _tied(found: Discovery, names: Sequence[str], name: str) -> list[Expression]:
    """Forms of an equation that have as much evidence as the chosen one, or almost."""
    if name in found.not_found:
        return []
    place = found.samples.target_names.index(name)
    chosen = found.chosen[place]
    close = [each for each in found.candidates[place] if each.evidence > chosen.evidence - DECIDED]
    close.sort(key=lambda each: -each.evidence)
    return [
        _in_terms_of(
            names, unscale(each.fitted.expression, found.samples.scaling, place), found.samples.input_names
        )
        for each in close[:MOST_TIED]
        if each is not chosen
    ]
