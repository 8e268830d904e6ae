"""The choice among candidates, in one readable place. It never sees anything a user would not have."""

from collections.abc import Sequence

import numpy as np

from mathonet.discovery.candidate import Candidate
from mathonet.discovery.config import Selection
from mathonet.equation.expression import Expression
from mathonet.equation.flow import evaluate
from mathonet.errors import ConfigError

CLOSE = 1.05
"""Validation errors within this factor of the least count as equal (the paper's Occam's razor)."""

SAME, BOX = 1e-6, 200
"""Relative difference below which two forms are the same function, and points where they are compared."""


def select(candidates: Sequence[Candidate], selection: Selection, floor: float) -> Candidate:
    """The chosen candidate of one target.

    Args:
        candidates: all of them.
        selection: "score" takes the best score; "validation" the least validation error, and of those within
            5 % of it (or below rounding) the simplest.
        floor: relative error below which residuals are rounding.

    Raises:
        ConfigError: there is no candidate, since every run diverged or ended in more terms than can be read.
    """
    if not candidates:
        raise ConfigError(
            "No run ended in an equation that can be read. Use fewer neurons or layers, fewer operations, or "
            "more cycles and restarts."
        )
    if selection == "score":
        return min(candidates, key=lambda each: each.fitted.score)
    least = min(each.validation for each in candidates)
    close = [each for each in candidates if each.validation <= max(CLOSE * least, 10.0 * floor)]
    return min(close, key=lambda each: (each.complexity, each.validation))


def rival(candidates: Sequence[Candidate], chosen: Candidate, rows: np.ndarray) -> Candidate | None:
    """The best form that says something else than the chosen one; None if there is none.

    Forms that only add terms to the chosen one, and have no more evidence for it, are not counted: they say
    the same and a little more. Nor are forms that are the same function written otherwise, as
    x/(x + c) and 1 - c/(x + c) are.

    Args:
        candidates: all of them.
        chosen: one of them.
        rows: inputs of the samples, in the units of the candidates.
    """
    own = {term.skeleton for term in chosen.fitted.expression.terms}
    others = [
        each
        for each in candidates
        if each is not chosen
        and (
            each.evidence > chosen.evidence
            or not own <= {term.skeleton for term in each.fitted.expression.terms}
        )
    ]
    box = _box(rows)
    for other in sorted(others, key=lambda each: -each.evidence):
        if not _same(chosen.fitted.expression, other.fitted.expression, box):
            return other
    return None


def _box(rows: np.ndarray) -> np.ndarray:
    """Points all over the box of the samples: a path through it leaves functions room to differ elsewhere."""
    random = np.random.default_rng(0)
    return random.uniform(rows.min(axis=0), rows.max(axis=0), (BOX, rows.shape[1]))


def _same(one: Expression, other: Expression, points: np.ndarray) -> bool:
    with np.errstate(all="ignore"):
        first, second = evaluate(one, points), evaluate(other, points)
        finite = np.isfinite(first) & np.isfinite(second)
        difference = np.linalg.norm((first - second)[finite])
        return bool(finite.any() and difference <= SAME * np.linalg.norm(first[finite]))
