"""The library: kinds of calls that a law may have, from `library.toml`, laid out on some data.

A kind is a formula with placeholders for inputs and for constants inside, and a grid for each of these. On
data it becomes families, one for every choice of inputs: a row of values for every point of the grid.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import combinations, permutations, product

import numpy as np

from mathonet.equation.expression import Call, Expression, Term, number, variable
from mathonet.equation.flow import evaluate
from mathonet.equation.parse import from_text
from mathonet.fit.linear import monomial, monomials
from mathonet.operations import Operation, get

PLACES = ("x", "y", "X", "Y", "p", "q", "P", "a", "b", "c")
CONSTANTS = ("a", "b", "c")
ANY = "f"
"""Stands for operations that no kind names."""
STANDS_FOR = "sin"
"""What is parsed in the place of such an operation."""


@dataclass(frozen=True)
class Kind:
    """A row of the library; its columns are explained in the file."""

    form: str
    grid: Mapping[str, tuple[float, ...]]
    beside: tuple[str, ...]
    times: int
    inputs: int
    precise: bool
    ordered: bool
    why: str

    def uses(self, place: str) -> bool:
        """Whether the formula has a placeholder."""
        return any(_parsed(form).uses(PLACES.index(place)) for form in (self.form, *self.beside))


@cache
def kinds() -> tuple[Kind, ...]:
    """All rows of the library."""
    table = tomllib.loads(files("mathonet.search").joinpath("library.toml").read_text(encoding="utf-8"))
    found = []
    for row in table["call"]:
        grid = {name: tuple(table["grid"][of]) for name, of in row.get("grid", {}).items()}
        found.append(
            Kind(
                row["form"],
                grid,
                tuple(row.get("with", ())),
                row.get("times", 0),
                row["inputs"],
                row.get("precise", False),
                row.get("ordered", False),
                row["why"],
            )
        )
    return tuple(found)


@cache
def _parsed(form: str) -> Expression:
    return from_text(form.replace(f"{ANY}(", f"{STANDS_FOR}("), PLACES)


@dataclass(frozen=True, eq=False)
class Family:
    """A call of one kind on some inputs, at every point of the grid of its constants.

    Attributes:
        kind: of the library.
        templates: the call, and those that stand beside it in a block, over the placeholders.
        stands: what the placeholders of inputs stand for.
        grid: constants inside, (points, constants).
        values: of the call, (points, rows).
        beside: of the others, each the same.
    """

    kind: Kind
    templates: tuple[Expression, ...]
    stands: Mapping[int, Expression]
    grid: np.ndarray
    values: np.ndarray
    beside: tuple[np.ndarray, ...]

    def calls(self, point: int) -> list[Expression]:
        """The call at a point of the grid, and those beside it."""
        first = len(PLACES) - len(CONSTANTS)
        constants = {first + k: number(value) for k, value in enumerate(self.grid[point].tolist())}

        def of(place: int) -> Expression:
            return constants[place] if place >= first else self.stands[place]

        return [template.substitute(of) for template in self.templates]


class Library:
    """The kinds that some operations allow, on some rows of inputs."""

    def __init__(
        self,
        rows: np.ndarray,
        operations: Sequence[Operation],
        units: np.ndarray,
        precise: bool,
    ) -> None:
        """Set the data.

        Args:
            rows: of inputs.
            operations: that calls may have.
            units: what the inputs were divided by.
            precise: whether the data have hardly any noise.
        """
        self.rows, self.precise = rows, precise
        self.count = rows.shape[1]
        self.names = {each.name for each in operations}
        named = {call.operation.name for kind in kinds() for call in _parsed(kind.form).calls()}
        plain = {"ident", "square", "cube"}
        self.own = [each for each in operations if each.name not in named | plain]
        self.units = units
        self.inverse = [i for i in range(self.count) if one_sign(rows[:, i])] if "inv" in self.names else []

    def families(self) -> Iterator[Family]:
        """Every family of the kinds that are looked at."""
        for kind in kinds():
            if self.count <= kind.inputs and (self.precise or not kind.precise):
                for templates in self._templates(kind):
                    for stands in self._choices(kind):
                        found = self._family(kind, templates, stands)
                        # The root of a square is a size.
                        if found is not None and needed(found.calls(0)[0]) <= self.names:
                            yield found

    def _templates(self, kind: Kind) -> Iterator[tuple[Expression, ...]]:
        """The formulas, one for every operation that may stand in the place of any."""
        parsed = tuple(_parsed(form) for form in (kind.form, *kind.beside))
        if f"{ANY}(" in kind.form:
            for own in self.own:
                yield tuple(_renamed(each, own) for each in parsed)
        elif all(needed(each) <= self.names for each in parsed[:1]):
            yield tuple(each for each in parsed if needed(each) <= self.names)

    def _choices(self, kind: Kind) -> Iterator[dict[int, Expression]]:
        """What the placeholders of inputs may stand for."""
        used = [place for place in PLACES if place not in CONSTANTS and kind.uses(place)]
        if "y" in used or "Y" in used:
            pairs = permutations if kind.ordered else combinations
            choices = [dict(zip("xyXY", (i, j, i, j), strict=True)) for i, j in pairs(range(self.count), 2)]
        else:
            choices = [{"x": i, "X": i} for i in range(self.count)] if {"x", "X"} & {*used} else [{}]
        for chosen in choices:
            stands = {
                PLACES.index(name): self._unit(variable(i)) if name in "xy" else self._own_unit(i)
                for name, i in chosen.items()
            }
            several = [(name, self._several(name)) for name in used if name in "pqP"]
            for parts in product(*(each for _, each in several)):
                extra = {PLACES.index(name): part for (name, _), part in zip(several, parts, strict=True)}
                yield stands | extra

    def _several(self, name: str) -> list[Expression]:
        if name == "p":
            products = [each for each in monomials(self.count, 2) if sum(power for _, power in each) == 2]
        elif name == "q":
            products = [((i, -1),) for i in self.inverse]
        else:
            products = [tuple((i, 1) for i in range(self.count))] if self.count > 1 else []
        return [self._unit(Expression((Term(1.0, each),))) for each in products]

    def _unit(self, form: Expression) -> Expression:
        """A monomial divided by its root mean square."""
        size = float(np.sqrt(np.mean(monomial(self.rows, form.terms[0].factors) ** 2)))
        return form.scale(1.0 / size if size > 0 else 1.0)

    def _own_unit(self, place: int) -> Expression:
        return variable(place).scale(float(self.units[place]))

    def _family(
        self, kind: Kind, templates: tuple[Expression, ...], stands: dict[int, Expression]
    ) -> Family | None:
        """The family, with those points of the grid at which no argument passes through a singularity."""
        grid = np.array(list(product(*(kind.grid[name] for name in CONSTANTS if name in kind.grid))))
        points, count = len(grid), len(self.rows)
        columns = np.zeros((points * count, len(PLACES)))
        for place, form in stands.items():
            values = form.terms[0].coefficient * monomial(self.rows, form.terms[0].factors)
            columns[:, place] = np.tile(values, points)
        names = [name for name in CONSTANTS if name in kind.grid]
        for number_, name in enumerate(names):
            columns[:, PLACES.index(name)] = np.repeat(grid[:, number_], count)
        with np.errstate(all="ignore"):
            good = np.ones(points, bool)
            for template in templates[:1]:
                good &= _regular(template, columns, points)
            if not good.any():
                return None
            chosen = columns.reshape(points, count, -1)[good].reshape(-1, len(PLACES))
            values = [evaluate(each, chosen).reshape(-1, count) for each in templates]
        # Constants that a kind lacks are not looked at.
        full = np.zeros((int(good.sum()), len(CONSTANTS)))
        for number_, name in enumerate(names):
            full[:, CONSTANTS.index(name)] = grid[good, number_]
        return Family(kind, templates, stands, full, values[0], tuple(values[1:]))


def needed(form: Expression) -> set[str]:
    """Names of the operations that a formula calls; negative powers need the inverse."""
    found = {call.operation.name for call in form.calls()}
    if _divides(form):
        found.add("inv")
    return found


def _divides(form: Expression) -> bool:
    return any(
        power < 0 or (isinstance(factor, Call) and _divides(factor.argument))
        for term in form.terms
        for factor, power in term.factors
    )


def _renamed(form: Expression, operation: Operation) -> Expression:
    """The formula with an operation in the place of the one that was parsed for any."""

    def call(old: Call) -> Expression:
        new = operation if old.operation == get(STANDS_FOR) else old.operation
        return _single(Call(new, _renamed(old.argument, operation)))

    return form.rebuild(variable, call)


def _regular(form: Expression, columns: np.ndarray, points: int) -> np.ndarray:
    """At which points of the grid nothing is divided by zero, and every logarithm and root keeps its side.

    The size of an argument that has one sign is that argument, or minus it: no call at all.
    """
    good = np.ones(points, bool)

    def kept(values: np.ndarray) -> np.ndarray:
        each = values.reshape(points, -1)
        return np.asarray((each > 0).all(axis=1) | (each < 0).all(axis=1))

    for term in form.terms:
        for factor, power in term.factors:
            if isinstance(factor, Call):
                good &= _regular(factor.argument, columns, points)
                if factor.operation.name in ("inv", "log", "sqrt"):
                    good &= kept(evaluate(factor.argument, columns))
                elif factor.operation.name == "abs":
                    good &= ~kept(evaluate(factor.argument, columns))
                if power < 0:
                    good &= kept(evaluate(_single(factor), columns))
            elif power < 0:
                good &= kept(columns[:, factor])
    return good


def _single(call: Call) -> Expression:
    return Expression((Term(1.0, ((call, 1),)),))


def one_sign(column: np.ndarray) -> bool:
    """Whether a column is positive throughout, or negative throughout."""
    return bool((column > 0).all() or (column < 0).all())
