"""Shortening: large sums without the terms that are missed least, one after another, as long as it pays."""

import numpy as np

from mathonet.equation.expression import total
from mathonet.equation.moves import joined, merges
from mathonet.equation.refit import Fitted, Refitter
from mathonet.fit.score import score

ROUNDS, STEPS = 4, 12
"""Times that terms are taken out, and steps of the fits in between."""
PRICE = 6.0
"""What a constant or a call costs in nats while forms are ranked; the one score decides in the end."""
SURE = 1e-9
"""A form that fits to a floor no higher than this is no accident, so that no longer one is looked for."""
SHORT = 8
"""Constants up to which a form that fits to the floor is no accident."""
DEPENDENT = 1e-13
"""What others must leave of a column of length one for it to count as one of its own."""


def price(rss: float, count: float, floor: float, size: int) -> float:
    """What forms are ranked by until the one score decides: less is better."""
    return score(rss, count, floor, 0, 0.0) + 2.0 * PRICE * size


class Shortener:
    """Takes terms out of sums, and keeps the best of what is left.

    Attributes:
        found: prices and forms by structure.
    """

    def __init__(self, refitter: Refitter, floor: float) -> None:
        """Set what fits forms, and the relative error below which residuals mean nothing."""
        self.refitter, self.floor = refitter, floor
        self.found: dict[tuple, tuple[float, Fitted]] = {}

    @property
    def sure(self) -> bool:
        """Whether a short form was found that leaves nothing."""
        return any(self.is_sure(fitted) for _, fitted in self.found.values())

    def is_sure(self, fitted: Fitted) -> bool:
        """Whether a form is short and leaves nothing."""
        return fitted.rss <= self.refitter.count * self.floor**2 and len(fitted.values) <= SHORT

    def best(self, most: int) -> list[Fitted]:
        """The best forms."""
        return [fitted for _, fitted in sorted(self.found.values(), key=lambda each: each[0])[:most]]

    def enter(self, fitted: Fitted) -> None:
        """Keep a form, unless there is one like it that is better."""
        cost, key = self.price(fitted), fitted.expression.skeleton
        if key not in self.found or cost < self.found[key][0]:
            self.found[key] = (cost, fitted)

    def price(self, fitted: Fitted) -> float:
        """What a form is ranked by."""
        return price(fitted.rss, self.refitter.count, self.floor, len(fitted.values))

    def shortened(self, fitted: Fitted) -> Fitted:
        """A form without the terms that are missed least."""
        for _ in range(ROUNDS):
            # What stays for constants that have not settled yet goes in the next round.
            shorter = self._taken_together(self._cut(fitted))
            if not np.isfinite(shorter.rss) or len(shorter.values) == len(fitted.values):
                return shorter if np.isfinite(shorter.rss) else fitted
            fitted = shorter
        return fitted

    def _cut(self, fitted: Fitted) -> Fitted:
        terms, (kept, _) = fitted.expression.terms, self._worth_keeping(fitted)
        return fitted if len(kept) == len(terms) else self.refitter.fit(total(terms[k] for k in kept))

    def _taken_together(self, fitted: Fitted) -> Fitted:
        """The form with calls merged and whole terms taken into fractions, as long as that costs nothing."""
        best = self.price(fitted)
        for form in (*merges(fitted.expression), *joined(fitted.expression)):
            other = self.refitter.fit(form, STEPS)
            if self.price(other) < best:
                return self._taken_together(other)
        return fitted

    def price_when_cut(self, fitted: Fitted) -> float:
        """The price of the terms that would stay, without the constants inside calls."""
        return self._worth_keeping(fitted)[1]

    def _worth_keeping(self, fitted: Fitted) -> tuple[list[int], float]:
        columns = self.refitter.weighed(self.refitter.terms(fitted.expression))
        return worth_keeping(columns, self.refitter.targets, self.refitter.count, self.floor)


def worth_keeping(
    columns: np.ndarray, target: np.ndarray, count: float, floor: float
) -> tuple[list[int], float]:
    """Columns that are worth their price once those that are missed least have gone; the price."""
    size = np.linalg.norm(columns, axis=0)
    places = np.flatnonzero((size > 0) & np.isfinite(size)).tolist()
    # All that follows is about the triangle that the columns and the target have in common.
    triangle = np.linalg.qr(np.column_stack([columns[:, places] / size[places], target]))[1]
    at, right = dict(zip(places, triangle.T, strict=False)), triangle[:, -1]
    best, chosen = np.inf, list(places)
    while places:
        basis, upper = np.linalg.qr(np.stack([at[k] for k in places], axis=1))
        along = basis.T @ right
        cost = price(float(np.sum((right - basis @ along) ** 2)), count, floor, len(places))
        if cost < best:
            best, chosen = cost, list(places)
        own = np.abs(np.diagonal(upper))
        if own.min() < DEPENDENT:
            places.pop(int(np.argmin(own)))
            continue
        inverse = np.linalg.inv(upper)
        places.pop(int(np.argmin((inverse @ along) ** 2 / np.sum(inverse**2, axis=1))))
    return chosen, best
