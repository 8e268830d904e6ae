"""LocalModel: what terms that come in, go out or are exchanged would do to a fit, without fitting.

Near a fit the sum of squares is a quadratic function of the constants of all terms, those that the form does
not have included:

    chi2(c) = rest + || R c - right ||^2,        R square.

For a sum of given columns that is exact, with R from their QR factorisation; along a fitted path it holds to
second order. So what any choice among the terms would reach is a small linear problem. The orthogonal factor
is kept, and not the normal equations: on clean data their rounding would hide which terms are needless.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from mathonet.search import effort
from mathonet.search.options import Optimum, Option, Price
from mathonet.search.projection import projected_off, taken_off

Kept = frozenset[int]


class LocalModel:
    """The sum of squares as a function of which terms are there, and their constants."""

    def __init__(
        self,
        options: Sequence[Option],
        root: np.ndarray,
        right: np.ndarray,
        rest: float,
        price: Price,
        least: float = 0.0,
    ) -> None:
        """Set the model.

        Args:
            options: the terms.
            root: R, a column a constant.
            right: the right-hand side.
            rest: what no constants can take away.
            price: the score.
            least: sum of squares below which the model promises nothing.
        """
        size = np.linalg.norm(root, axis=0)
        self.scale = np.where((size > 0) & np.isfinite(size), size, 1.0)
        self.options, self.price, self.least = tuple(options), price, least
        self.columns = np.where(np.isfinite(root), root, 0.0) / self.scale
        self.right, self.rest = right, rest
        self.outer = np.array([option.place for option in self.options], int)
        self.simple = np.array([not option.inner for option in self.options], bool)
        self.equation = np.array([option.equation for option in self.options], int)
        self._last: Optimum | None = None

    @classmethod
    def of_columns(
        cls, columns: np.ndarray, target: np.ndarray, price: Price, options: Sequence[Option] | None = None
    ) -> "LocalModel":
        """The model of a sum of columns that is to be a target: exact where every option is one column.

        Args:
            columns: one a constant; those of constants inside calls are slopes, so that what is solved for is
                how these change.
            target: what is to be explained.
            price: the score.
            options: the terms; None for one a column.
        """
        with np.errstate(all="ignore"):
            size = np.linalg.norm(columns, axis=0)
        columns = np.where(np.isfinite(size), columns, 0.0)
        size = np.where((size > 0) & np.isfinite(size), size, 1.0)
        triangle = np.linalg.qr(np.column_stack([columns / size, target]))[1]
        count = columns.shape[1]
        triangle = np.pad(triangle, [(0, max(count + 1 - len(triangle), 0)), (0, 0)])
        right = triangle[:, -1]
        rest = float(np.sum(right[count:] ** 2))
        options = [Option(0, k) for k in range(count)] if options is None else options
        model = cls(options, triangle[:count, :count], right[:count], rest, price)
        model.scale = model.scale * size
        return model

    @classmethod
    def of_quadratic(
        cls,
        options: Sequence[Option],
        information: np.ndarray,
        gradient: np.ndarray,
        chi2: float,
        present: np.ndarray,
        price: Price,
    ) -> "LocalModel":
        """The model chi2 + 2 g' d + d' M d of a fit whose constants change by d.

        Args:
            options: the terms.
            information: M.
            gradient: g.
            chi2: the present sum of squares.
            present: the present constants: coefficients from zero, those inside calls zero themselves, so
                that what is solved for is how they change.
            price: the score.
        """
        diagonal = np.diagonal(information)
        # What the fit does not feel, or feels beyond all numbers, has a column of zeros: it brings nothing.
        felt = np.isfinite(information).all(axis=0) & np.isfinite(gradient) & (diagonal > 0)
        size = np.sqrt(np.where(felt, diagonal, 1.0))
        unit = np.where(felt[:, None] & felt, information, 0.0) / size[:, None] / size
        spread, turned = np.linalg.eigh(unit)
        root = np.sqrt(np.maximum(spread, 0.0) + effort.RESOLVED)
        columns = root[:, None] * turned.T * felt
        pulled = (turned.T @ (np.where(felt, gradient, 0.0) / size)) / root
        right = columns @ (present * size) - pulled
        rest = chi2 - float(pulled @ pulled)
        model = cls(options, columns, right, rest, price, effort.LEAST_PROMISE * chi2)
        model.scale = model.scale * size
        return model

    def at(self, kept: Iterable[int]) -> Optimum:
        """The optimum of some options, all others gone."""
        chosen = tuple(sorted(kept))
        if self._last is None or self._last.kept != chosen:
            places = np.fromiter(dict.fromkeys(p for k in chosen for p in self.options[k].places), int)
            basis, upper = np.linalg.qr(self.columns[:, places])
            spanned = np.abs(np.diagonal(upper)) < effort.SPANNED
            # A column that others span has no direction of its own: it brings nothing, and goes first.
            basis[:, spanned] = 0.0
            upper[np.diag(spanned)] = 1.0
            inverse = np.linalg.inv(upper) if len(places) else np.zeros((0, 0))
            along = basis.T @ self.right
            left = self.right - basis @ along
            chi2 = self.rest + float(left @ left)
            self._last = Optimum(chosen, places, basis, inverse, inverse @ along, left, chi2)
        return self._last

    def solve(self, kept: Iterable[int]) -> tuple[float, np.ndarray]:
        """The predicted sum of squares of some options, and all constants there, zero for those gone."""
        at = self.at(kept)
        found = np.zeros(len(self.scale))
        found[at.places] = at.values / self.scale[at.places]
        return float(self._told(at.chi2)), found

    def _told(self, chi2: np.ndarray | float) -> np.ndarray:
        """Sums of squares, where the model promises them; no less than it may."""
        return np.maximum(chi2, self.least)

    def score(self, kept: Iterable[int]) -> float:
        """The predicted score of some options."""
        at = self.at(kept)
        sizes = self.price.sizes[list(at.kept)].sum()
        return float(self.price(self._told(at.chi2), len(at.places), sizes) + self._cost(at))

    def _cost(self, at: Optimum, less: np.ndarray | None = None) -> np.ndarray:
        """What coefficients cost by themselves, without each of some options."""
        if self.price.coefficients is None:
            return np.zeros(1 if less is None else len(less)).squeeze()
        where = at.where(self.outer[list(at.kept)])
        costs = self.price.coefficients(at.values[where] / self.scale[at.places[where]])
        return costs.sum() if less is None else costs.sum() - costs[less]

    def drops(self, kept: Iterable[int]) -> tuple[np.ndarray, np.ndarray]:
        """Options that may go, and the predicted scores without each."""
        at = self.at(kept)
        chosen = np.array(at.kept, int)
        if not len(chosen):
            return chosen, np.zeros(0)
        rise = at.rise[at.where(self.outer[chosen])]
        gone = np.ones(len(chosen), int)
        shared = np.bincount(
            np.concatenate([list(self.options[k].places) for k in at.kept]), minlength=len(self.scale)
        )
        for n in np.flatnonzero(~self.simple[chosen]):
            alone = at.where([p for p in self.options[chosen[n]].places if shared[p] == 1])
            part = at.inverse[alone]
            rise[n] = at.values[alone] @ np.linalg.lstsq(part @ part.T, at.values[alone], rcond=None)[0]
            gone[n] = len(alone)
        sizes = self.price.sizes[chosen]
        chi2 = self._told(at.chi2 + rise)
        found = self.price(chi2, len(at.places) - gone, sizes.sum() - sizes)
        return chosen, found + self._cost(at, np.arange(len(chosen)))

    def gains(self, kept: Iterable[int], others: np.ndarray) -> np.ndarray:
        """What each of some other options takes off the sum of squares, by all its constants."""
        at = self.at(kept)
        own = projected_off(self.columns[:, self.outer[others]], at.basis)
        found = taken_off(own.T @ at.left, np.sum(own**2, axis=0))
        for n in np.flatnonzero(~self.simple[others]):
            found[n] = self._gain(at, list(self.options[others[n]].places), found[n])
        return found

    def _gain(self, at: Optimum, places: list[int], alone: float) -> float:
        """What several constants gain together, or the first alone where they are not independent."""
        # Constants that are there already, of a call that others have too, are free as it is.
        own = projected_off(self.columns[:, [place for place in places if place not in at.places]], at.basis)
        if not (np.sum(own**2, axis=0) > effort.DEPENDENT).all():
            return alone
        slope = own.T @ at.left
        normal = own.T @ own + effort.DEPENDENT * np.eye(len(slope))
        return float(slope @ np.linalg.solve(normal, slope))

    def additions(self, kept: Iterable[int]) -> tuple[np.ndarray, np.ndarray]:
        """Options without constants inside that may come in, and the predicted scores with each."""
        at = self.at(kept)
        others = np.setdiff1d(np.flatnonzero(self.simple), np.array(at.kept, int))
        chi2 = self._told(at.chi2 - self.gains(at.kept, others))
        sizes = self.price.sizes[list(at.kept)].sum() + self.price.sizes[others]
        return others, self.price(chi2, len(at.places) + 1, sizes) + self._cost(at)

    def exchanges(self, kept: Iterable[int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Options that go, those of the same equation that come in their place, and the predicted scores.

        Both without constants inside: for others these would have to be found first.
        """
        at = self.at(kept)
        every = np.array(at.kept, int)
        chosen = every[self.simple[every]]
        others = np.setdiff1d(np.flatnonzero(self.simple), every)
        if not len(chosen) or not len(others):
            return np.zeros(0, int), np.zeros(0, int), np.zeros(0)
        where = at.where(self.outer[chosen])
        columns = self.columns[:, self.outer[others]]
        left = projected_off(columns, at.basis)
        # Without an option, its own direction is there for others to take.
        own = at.own[:, where]
        along = own.T @ columns
        slope = left.T @ at.left + along * (own.T @ self.right)[:, None]
        gain = taken_off(slope, np.sum(left**2, axis=0) + along**2)
        chi2 = self._told(at.chi2 + at.rise[where][:, None] - gain)
        sizes = self.price.sizes[every].sum() - self.price.sizes[chosen][:, None] + self.price.sizes[others]
        found = self.price(chi2, len(at.places), sizes) + self._cost(at)
        found = np.where(self.equation[chosen][:, None] == self.equation[others], found, np.inf)
        out, come = np.indices(found.shape)
        return chosen[out].ravel(), others[come].ravel(), found.ravel()

    def moves(
        self, kept: Iterable[int], add: bool = True, exchange: bool = False
    ) -> list[tuple[float, Kept]]:
        """Choices with one option less, one more, or one exchanged, by their predicted scores, best first."""
        now = frozenset(kept)
        gone, found = self.drops(now)
        every = [(score, now - {k}) for k, score in zip(gone.tolist(), found.tolist(), strict=True)]
        if add:
            come, found = self.additions(now)
            every += [(score, now | {k}) for k, score in zip(come.tolist(), found.tolist(), strict=True)]
        if exchange:
            gone, come, found = self.exchanges(now)
            pairs = zip(gone.tolist(), come.tolist(), found.tolist(), strict=True)
            every += [(score, now - {out} | {into}) for out, into, score in pairs if score < np.inf]
        return sorted(every, key=lambda each: each[0])

    def eliminate(self, kept: Iterable[int]) -> tuple[float, Kept]:
        """Of all choices that are met while the option that is missed least goes, one by one, the best."""
        now = frozenset(kept)
        best, chosen = self.score(now), now
        while len(now) > 1:
            options, found = self.drops(now)
            # Of very many options, several at a time.
            gone = options[np.argsort(found)[: 1 + max(len(now) - effort.VERY_MANY, 0) // effort.PER_ROUND]]
            now = now - set(gone.tolist())
            score = self.score(now)
            if score <= best:
                best, chosen = score, now
        return best, chosen

    def step(self, kept: Iterable[int]) -> tuple[float, Kept]:
        """The choice that single drops, additions and exchanges lead to, and its predicted score.

        Exchanges are looked at where nothing else helps.
        """
        now = frozenset(kept)
        best = self.score(now)
        while True:
            for exchange in (False, True):
                found, new = self._neighbour(now, exchange)
                # What a move promised is checked, so that rounding leads to no circle.
                if found < best - effort.LEAST_GAIN and (score := self.score(new)) < best - effort.LEAST_GAIN:
                    best, now = score, new
                    break
            else:
                return best, now

    def choices(self, *starts: Iterable[int]) -> list[tuple[float, Kept]]:
        """What steps lead to from all options, from what elimination leaves of them, and from other choices.

        Each start has its own way to end beside the best choice where there is noise. The best comes first.
        Where no option pays, the one that gains most.
        """
        every = range(len(self.options))
        begun = [self.eliminate(every)[1], *starts]
        many = len(self.options) > effort.VERY_MANY
        if not many:
            begun.append(every)
        if many or self._dependent():
            # Where options depend on one another elimination loses its way, and a choice has equals: steps
            # begin from single terms as well, of very many from those that gain most alone.
            options, alone = self.additions(frozenset())
            firsts = options[np.argsort(alone)[: effort.FIRST_TERMS]] if many else options
            begun += [(k,) for k in firsts.tolist()]
        found = {kept: score for score, kept in map(self.step, begun) if kept}
        if not found:
            others, scores = self.additions(frozenset())
            found = {frozenset([int(others[np.argmin(scores)])]): float(scores.min())} if len(others) else {}
        return sorted(((score, kept) for kept, score in found.items()), key=lambda each: each[0])

    def _dependent(self) -> bool:
        """Whether some options say what others do, so that a choice has equals among the others."""
        triangle = np.linalg.qr(self.columns, mode="r")
        return bool(np.abs(np.diagonal(triangle)).min(initial=1.0) < effort.SPANNED)

    def _neighbour(self, kept: Kept, exchange: bool) -> tuple[float, Kept]:
        """The best choice with one option exchanged, or else with one less or one more."""
        if exchange:
            out, into, found = self.exchanges(kept)
            if not len(found):
                return np.inf, kept
            place = int(np.argmin(found))
            return float(found[place]), kept - {int(out[place])} | {int(into[place])}
        gone, less = self.drops(kept)
        come, more = self.additions(kept)
        if less.min(initial=np.inf) <= more.min(initial=np.inf):
            return (float(less.min()), kept - {int(gone[np.argmin(less)])}) if len(less) else (np.inf, kept)
        return float(more.min()), kept | {int(come[np.argmin(more)])}
