"""Terms that an equation may have: a monomial times operations of short arguments, constants on a grid.

A PolyNet multiplies an operation by monomials, and takes sums of monomials inside it. Most laws are sums of
few such terms. This is their catalogue on some data: every kind of term, and for every kind a grid of the
constants inside, fine enough for a fit to find the right ones from the nearest.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np

from mathonet.equation.expression import HOMOGENEOUS, Expression, Factors, Term, apply, number, power, total
from mathonet.equation.simplify import monomials
from mathonet.fit.linear import distinct_monomials, monomial
from mathonet.operations import Operation

STEP, HIGHEST = 0.3, 12.0
"""Grid of frequencies, for an argument whose root mean square is 1."""
COARSE = (0.4, 0.8, 1.3, 2.0, 3.0, 4.2, 5.6, 7.2, 9.0)
"""The same for the two factors of a product."""
ANGLES = (1.0, 0.5, 2.0)
"""Frequencies in the data's own units, tried first: angles are commonly in radians."""
RATES = (0.3, 0.6, 1.2, 2.4, 5.0, 10.0)
SHIFTS = (0.0, -0.7, 0.7, -2.0, 2.0, -5.0, 5.0)
OFFSETS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
"""What is added in calls that take a factor outside, log(c + x) for one, in units of the argument's size."""
BELOW = (0.01, 0.02, 0.04, 0.07, 0.12, 0.2, 0.35, 0.6, 1.0, 1.5, 2.2, 3.5, 6.0, 10.0)
"""The same below a quotient, which bends more."""
BENDS, HEIGHTS = (0.3, 1.0, 3.0), (0.03, 0.1, 0.3, 1.0, 3.0)
"""Coefficient of the second of two monomials below a quotient, and what is added to both."""
SLOPES, TILTS = (0.2, 0.5, 1.0, 2.0, 4.0), (-2.0, -1.0, -0.5, 0.5, 1.0, 2.0)
"""Coefficients of the first of two inputs, and ratios of the second's to it."""
QUOTIENTS = {"cot": ("cos", "sin"), "tan": ("sin", "cos")}
"""Quotients of two operations of one argument that count as one call."""
ROOTS: dict[tuple[str, ...], int] = {("sqrt", "ident"): -1, ("inv", "sqrt"): -3}
"""Quotients of two operations that are powers of a root."""
FEW, SOME, MANY = 3, 5, 8
"""Inputs up to which terms may be of every kind; all but products of calls; calls times an input."""
WAVES, POWERS = ("sin", "cos"), ("ident", "square", "cube")


@dataclass(frozen=True)
class Inside:
    """A call in a term: an operation of one or two monomials and a constant.

    Attributes:
        operations: the operation, or the two of a quotient.
        features: the monomials of the argument.
        values: their coefficients, and the constant added.
        free: which of these a fit may change.
    """

    operations: tuple[Operation, ...]
    features: tuple[Factors, ...]
    values: tuple[float, ...]
    free: tuple[bool, ...]

    @cached_property
    def name(self) -> tuple[str, ...]:
        """The operation, or the two of a quotient, by name."""
        return tuple(operation.name for operation in self.operations)

    def expression(self) -> Expression:
        """The call in normal form."""
        parts = (Term(c, factors) for c, factors in zip(self.values, self.features, strict=False))
        argument = total(parts) + number(self.values[-1])
        if self.name in ROOTS:
            return power(
                apply(next(each for each in self.operations if each.name == "sqrt"), argument),
                ROOTS[self.name],
            )
        above, *below = (apply(operation, argument) for operation in self.operations)
        return above * power(below[0], -1) if below else above


@dataclass(frozen=True)
class Atom:
    """A term without its coefficient: powers of inputs times at most two calls."""

    company: Factors
    calls: tuple[Inside, ...] = ()

    @cached_property
    def kind(self) -> tuple:
        """What it is, without the constants inside."""
        return (self.company, tuple((call.name, call.features, call.free) for call in self.calls))

    @cached_property
    def size(self) -> int:
        """Its constants, the coefficient included, and its calls."""
        return 1 + sum(1 + sum(call.free) for call in self.calls)

    @property
    def degree(self) -> int:
        """Sum of the powers of its company."""
        return sum(abs(exponent) for _, exponent in self.company)

    @property
    def power_below(self) -> int:
        """For a monomial over powers of an input plus a constant, the highest power; 0 for other terms."""
        features = [call.features for call in self.calls if call.name == ("inv",)]
        plain = all(len(each) == 1 and len(each[0]) == 1 for each in features)
        return max((each[0][0][1] for each in features), default=0) if plain else 0

    @property
    def stands_alone(self) -> bool:
        """Whether it is too special to be combined with another term that has calls."""
        plain = all(call.name != ("inv",) for call in self.calls)
        return any(call.name == ("inv",) and len(call.features) > 1 for call in self.calls) or (
            plain and self.degree > 1
        )

    def moved(self, values: Sequence[Sequence[float]]) -> "Atom":
        """The same kind of term with other constants inside, a list for each call."""
        pairs = zip(self.calls, values, strict=False)
        return Atom(
            self.company, tuple(replace(call, values=tuple(map(float, each))) for call, each in pairs)
        )

    def expression(self, coefficient: float) -> Expression:
        """The term in normal form."""
        found = Expression((Term(coefficient, self.company),))
        for call in self.calls:
            found = found * call.expression()
        return found


class Catalogue:
    """Every atom worth trying on some rows of inputs; those without calls come first."""

    def __init__(self, rows: np.ndarray, operations: Sequence[Operation], units: np.ndarray) -> None:
        """List the atoms; `units` are what the inputs were divided by."""
        self.rows = rows
        self.operations = {each.name: each for each in operations if each.name not in POWERS}
        self.count = rows.shape[1]
        self.single: list[Factors] = [((i, 1),) for i in range(self.count)]
        self.unit = dict(zip(self.single, map(float, units), strict=True))
        self.products = [each for each in monomials(self.count, 2) if sum(p for _, p in each) == 2]
        self.inverse: list[Factors] = (
            [((i, -1),) for i in range(self.count) if one_sign(rows[:, i])]
            if "inv" in self.operations
            else []
        )
        self.atoms = [Atom(factors) for factors in self._monomials()]
        companies: list[Factors] = [(), *(self.single if self.count <= MANY else [])]
        companies += self.inverse if self.count <= FEW else []
        for call, bare in self._calls():
            beside = [()] if bare else companies
            if call.name == ("inv",) and self.count <= SOME:
                # A quotient may have products above, and its own argument, as Hill's law has.
                beside = list(dict.fromkeys([*companies, *self.products, *call.features]))
            elif not bare and self.count <= FEW:
                beside = [*companies, *self.products]
            self.atoms += [Atom(company, (call,)) for company in beside]
        self.atoms += [Atom((), pair) for pair in self._pairs()]

    def _monomials(self) -> list[Factors]:
        cubes = self.count <= FEW
        found = monomials(self.count, 3 if cubes else 2)
        found += [((i, p),) for i in range(self.count) for p in range(4 if cubes else 3, 6)]
        found += [*self.inverse, *(((i, 2 * p),) for ((i, p),) in self.inverse)]
        return distinct_monomials(self.rows, found)

    def size(self, factors: Factors) -> float:
        """Root mean square of a monomial."""
        return float(np.sqrt(np.mean(monomial(self.rows, factors) ** 2))) or 1.0

    def offsets(self, factors: Factors, grid: Sequence[float]) -> list[float]:
        """Of either sign, what may be added to a monomial, in its units."""
        return [sign * offset * self.size(factors) for sign in (1.0, -1.0) for offset in grid]

    def _calls(self) -> Iterator[tuple[Inside, bool]]:
        """Calls, and whether they stand alone."""
        products = self.products if self.count <= SOME else []
        for name in self.operations:
            if name in (*WAVES, "tan"):
                for factors in self.single:
                    yield from ((call, False) for call in self._waves((name,), factors, self._fine(factors)))
                for factors in products:
                    size = self.size(factors)
                    grid = [value / size for value in np.arange(STEP, 3.0, STEP)]
                    yield from ((call, True) for call in self._waves((name,), factors, grid))
            elif name in HOMOGENEOUS:
                powers: list[Factors] = [((i, p),) for i in range(self.count) for p in (3, 4, 5)]
                for factors in (*self.single, *products, *(powers if name == "inv" else ())):
                    yield from ((call, factors in products) for call in self._offsets(name, factors))
            else:
                # Arrhenius' law has a temperature below.
                below = self.inverse if name == "exp" and self.count <= SOME else []
                for factors in (*self.single, *below, *products):
                    yield from ((call, factors in products) for call in self._rates(name, factors))
        for name, factors in ((name, factors) for name in self._quotients() for factors in self.single):
            yield from ((call, False) for call in self._waves(QUOTIENTS[name], factors, self._fine(factors)))
        if self.count <= SOME:
            yield from ((call, True) for call in self._sums())
        if self.count <= FEW and "inv" in self.operations:
            yield from ((call, False) for call in self._two_below())

    def _fine(self, factors: Factors) -> list[float]:
        grid = np.arange(STEP, HIGHEST, STEP) / self.size(factors)
        return [*(angle * self.unit[factors] for angle in ANGLES), *grid.tolist()]

    def _quotients(self) -> list[str]:
        """Quotients of waves, where these and inv are there."""
        return [name for name in QUOTIENTS if {*WAVES, "inv"} <= self.operations.keys()]

    def _waves(self, names: tuple[str, ...], factors: Factors, grid: Sequence[float]) -> Iterator[Inside]:
        for value in grid:
            below = {"sin": np.sin, "cos": np.cos}.get(names[-1]) if len(names) > 1 else None
            if below is None or one_sign(below(value * monomial(self.rows, factors))):
                yield self._inside(names, (factors,), (float(value), 0.0), (True, False))

    def _rates(self, name: str, factors: Factors) -> Iterator[Inside]:
        """A rate inside, of either sign for exp; any other call has a shift beside it."""
        size = self.size(factors)
        if name == "exp":
            for value in (sign * value for sign in (1.0, -1.0) for value in RATES):
                yield self._inside((name,), (factors,), (value / size, 0.0), (True, False))
            return
        for value in RATES:
            for shift in SHIFTS:
                yield self._inside((name,), (factors,), (value / size, shift), (True, shift != 0.0))

    def _offsets(self, name: str, factors: Factors) -> Iterator[Inside]:
        column = monomial(self.rows, factors)
        if name == "abs" and one_sign(column):
            return
        if name == "abs" or (name != "inv" and one_sign(column)):
            yield self._inside((name,), (factors,), (1.0, 0.0), (False, False))
        grid = BELOW if name == "inv" and self.count <= FEW else OFFSETS
        for offset in self.offsets(factors, grid):
            if name == "abs" or one_sign(column + offset):
                yield self._inside((name,), (factors,), (1.0, offset), (False, True))

    def _two_below(self) -> Iterator[Inside]:
        """Quotients by an input, its square and a constant, or by two inputs and a constant."""
        pairs: list[tuple[Factors, Factors]] = [(((i, 2),), ((i, 1),)) for i in range(self.count)]
        for first, second in [*pairs, *combinations(self.single, 2)]:
            size, ratio = self.size(first), self.size(first) / self.size(second)
            column, other = monomial(self.rows, first), monomial(self.rows, second)
            for bend, height in ((bend * ratio, height * size) for bend in BENDS for height in HEIGHTS):
                if one_sign(column + bend * other + height):
                    values = (1.0, bend, height)
                    yield self._inside(("inv",), (first, second), values, (False, True, True))

    def _sums(self) -> Iterator[Inside]:
        """Calls of two inputs at once."""
        names = [name for name in self.operations if name not in HOMOGENEOUS and name != "tan"]
        for first, second in combinations(self.single, 2):
            a, b = 1.0 / self.size(first), 1.0 / self.size(second)
            pairs = [(slope * a, slope * tilt * b) for slope in SLOPES for tilt in TILTS]
            # Angles enter by their plain sum or difference, whatever their sizes.
            u, v = self.unit[first], self.unit[second]
            angles = [(angle * u, sign * angle * v) for angle in ANGLES for sign in (-1.0, 1.0)]
            for name in names:
                plain = name in (*WAVES, "exp")
                for pair in [*(angles if name in WAVES else []), *pairs]:
                    for shift in (0.0,) if plain else (0.0, -1.0, 1.0):
                        yield self._inside((name,), (first, second), (*pair, shift), (True, True, not plain))

    def _pairs(self) -> Iterator[tuple[Inside, Inside]]:
        """Products of two calls, of one input each."""
        if self.count > FEW:
            return
        waves = [(name,) for name in WAVES if name in self.operations]
        names = [*waves, *(QUOTIENTS[name] for name in self._quotients())]
        for first, second in combinations(self.single, 2):
            grids = [
                [*(v * self.unit[each] for v in ANGLES), *(v / self.size(each) for v in COARSE)]
                for each in (first, second)
            ]
            for a, b in ((a, b) for a in names for b in names if len(a) + len(b) < 4):
                ones, others = list(self._waves(a, first, grids[0])), list(self._waves(b, second, grids[1]))
                yield from ((one, other) for one in ones for other in others)

    def _inside(
        self,
        names: tuple[str, ...],
        features: tuple[Factors, ...],
        values: tuple[float, ...],
        free: tuple[bool, ...],
    ) -> Inside:
        return Inside(tuple(self.operations[name] for name in names), features, values, free)


def one_sign(column: np.ndarray) -> bool:
    """Whether a column is positive throughout, or negative throughout."""
    return bool((column > 0).all() or (column < 0).all())
