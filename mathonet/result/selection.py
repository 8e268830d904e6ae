"""The choice among candidates, in one readable place. It never sees anything a user would not have."""

from collections.abc import Iterable, Sequence

import numpy as np

from mathonet.equation.expression import Expression
from mathonet.equation.flow import evaluate
from mathonet.equation.kinds import of_another_kind
from mathonet.errors import ConfigError
from mathonet.fit.score import DECIDED
from mathonet.search.config import Selection
from mathonet.search.path.kinds import Comparison
from mathonet.search.samples.objective import Candidate

CLOSE = 1.05
"""Validation errors within this factor of the least count as equal (the paper's Occam's razor)."""

SAME, BOX, WIDTHS = 1e-6, 200, (1.0, 10.0)
"""Relative difference below which two forms are the same function, points of each box where they are
compared, and how many times as wide as that of the samples the boxes are: a series strays in the wide one,
where what saturates agrees whatever it does among the samples."""


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
    box = Box(rows)
    for other in sorted(others, key=lambda each: -each.evidence):
        if not box.same(chosen.fitted.expression, other.fitted.expression):
            return other
    return None


def as_good(chosen: Expression, others: Iterable[Comparison], rows: np.ndarray) -> Expression | None:
    """The best form of another kind that fits as well with no more constants; None without one.

    What a search pays for every form it could have met lets it prefer a polynomial to a sine. That is no
    measurement, so such a lead decides nothing between forms that the data cannot tell apart.
    """
    box = Box(rows)
    close = [
        each
        for each in others
        if each.more <= 0
        and each.nats < DECIDED
        and of_another_kind(each.form, chosen, rows.shape[1])
        and not box.same(chosen, each.form)
    ]
    return min(close, key=lambda each: each.score).form if close else None


class Box:
    """Points among the samples and far around them: the same law agrees on both."""

    def __init__(self, rows: np.ndarray) -> None:
        """Draw the points, always the same."""
        random = np.random.default_rng(0)
        middle = 0.5 * (rows.min(axis=0) + rows.max(axis=0))
        around = random.uniform(-0.5, 0.5, (BOX, rows.shape[1])) * np.ptp(rows, axis=0)
        self.points = [middle + width * around for width in WIDTHS]

    def same(self, one: Expression, other: Expression) -> bool:
        """Whether two forms are the same function: at most points, since poles magnify the last digits."""
        return all(_agree(one, other, points) for points in self.points)


def _agree(one: Expression, other: Expression, points: np.ndarray) -> bool:
    with np.errstate(all="ignore"):
        first, second = evaluate(one, points), evaluate(other, points)
        size = np.maximum(np.maximum(np.abs(first), np.abs(second)), np.finfo(float).tiny)
        apart = np.abs(first - second) / size
    # Where a form has no value, such as the logarithm of a negative number, nothing can be told.
    apart = apart[np.isfinite(first) & np.isfinite(second)]
    return bool(apart.size and np.median(apart) <= SAME)
