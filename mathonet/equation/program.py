"""An expression as a short program on whole columns: its values, and its slopes in every free constant."""

from dataclasses import dataclass, field

import numpy as np

from mathonet.equation.expression import HOMOGENEOUS, Call, Expression
from mathonet.fit.face import Faces
from mathonet.fit.linear import monomial, raised

Slopes = dict[int, np.ndarray]
"""Derivatives of a column, by the number of the constant."""


@dataclass(frozen=True)
class Product:
    """A term: its constant (None where fixed at 1 by the normal form), powers of inputs, powers of calls."""

    constant: int | None
    inputs: tuple[tuple[int, int], ...]
    calls: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Outline:
    """What an expression computes, in order.

    Attributes:
        terms: the outer terms.
        calls: every call, innermost first: operation and argument.
        values: the constants the expression has, in the order of `assembly.constants`.
        outer: which of them are coefficients of the outer terms.
    """

    terms: tuple[Product, ...]
    calls: tuple[tuple[str, tuple[Product, ...]], ...]
    values: np.ndarray
    outer: np.ndarray


def outline(expression: Expression, apart: bool = False) -> Outline:
    """The outline of an expression; calls that stand in several places occur once.

    Args:
        expression: what to outline.
        apart: whether the calls of a term with coefficient zero, which might come in, are its own.
    """
    values: list[float] = []
    calls: list[tuple[str, tuple[Product, ...]]] = []

    def terms(part: Expression, fixed_lead: bool, shared: dict[Call, int]) -> tuple[Product, ...]:
        made = []
        for position, term in enumerate(part.terms):
            constant = None if fixed_lead and position == 0 else len(values)
            if constant is not None:
                values.append(term.coefficient)
            inputs, inside = [], []
            numbers = {} if apart and term.coefficient == 0.0 else shared
            for factor, power in term.factors:
                if not isinstance(factor, Call):
                    inputs.append((factor, power))
                    continue
                if factor not in numbers:
                    argument = terms(factor.argument, factor.operation.name in HOMOGENEOUS, numbers)
                    numbers[factor] = len(calls)
                    calls.append((factor.operation.name, argument))
                inside.append((numbers[factor], power))
            made.append(Product(constant, tuple(inputs), tuple(inside)))
        return tuple(made)

    outer = terms(expression, False, {})
    places = np.asarray([product.constant for product in outer], int)
    return Outline(outer, tuple(calls), np.asarray(values), places)


@dataclass
class Program:
    """An expression over fixed inputs, for any values of its constants.

    The products of inputs are computed once; calls that stand in several places are computed once a run.
    """

    outline: Outline
    products: dict[tuple, np.ndarray]
    rows: int

    @property
    def values(self) -> np.ndarray:
        """The constants the expression has."""
        return self.outline.values

    @property
    def outer(self) -> np.ndarray:
        """Which constants are coefficients of the outer terms."""
        return self.outline.outer

    @property
    def inner(self) -> np.ndarray:
        """Which constants stand inside calls."""
        return np.setdiff1d(np.arange(len(self.values)), self.outer)

    def run(self, constants: np.ndarray, faces: Faces) -> "Ran":
        """Every outer term without its coefficient, and its slopes. Call in double precision."""
        values, slopes = [], []
        for name, argument in self.outline.calls:
            h, dh = np.zeros(self.rows), {}
            for product in argument:
                base, change = self._product(product, values, slopes)
                factor = 1.0 if product.constant is None else constants[product.constant]
                h = h + factor * base
                for place, column in change.items():
                    _accumulate(dh, place, factor * column)
                if product.constant is not None:
                    _accumulate(dh, product.constant, base)
            value, slope = faces(name, h)
            values.append(value)
            slopes.append({place: slope * column for place, column in dh.items()})
        made = [self._product(term, values, slopes) for term in self.outline.terms]
        return Ran(*map(list, zip(*made, strict=True)))

    def columns(self, constants: np.ndarray, faces: Faces) -> list[np.ndarray]:
        """Every outer term without its coefficient, and no slopes. Call in double precision."""
        values: list[np.ndarray] = []

        def product(each: Product) -> np.ndarray:
            base = self.products[each.inputs]
            for call, power in each.calls:
                base = base * raised(values[call], power)
            return base

        for name, argument in self.outline.calls:
            h = np.zeros(self.rows)
            for each in argument:
                h += (1.0 if each.constant is None else constants[each.constant]) * product(each)
            values.append(faces(name, h)[0])
        return [product(term) for term in self.outline.terms]

    def _product(
        self, product: Product, values: list[np.ndarray], slopes: list[Slopes]
    ) -> tuple[np.ndarray, Slopes]:
        """The value of a term without its coefficient, and its slopes."""
        base = self.products[product.inputs]
        change: Slopes = {}
        for call, power in product.calls:
            # Few terms have more than one call: the product rule, one factor after the other.
            factor = raised(values[call], power)
            change = {place: column * factor for place, column in change.items()}
            outside = base * power * raised(values[call], power - 1) if power != 1 else base
            for place, column in slopes[call].items():
                _accumulate(change, place, outside * column)
            base = base * factor
        return base, change

    def jacobian(self, constants: np.ndarray, faces: Faces) -> np.ndarray:
        """Slopes of the whole form in all its constants, one column each."""
        ran = self.run(constants, faces)
        found = np.zeros((self.rows, len(constants)))
        found[:, self.outer] = np.stack(ran.columns, axis=1)
        found[:, self.inner] = ran.inner(constants[self.outer], self.inner)
        return found


@dataclass
class Ran:
    """Columns of the outer terms, and for each its slopes in the inner constants."""

    columns: list[np.ndarray]
    slopes: list[Slopes] = field(default_factory=list)

    def inner(self, coefficients: np.ndarray, places: np.ndarray) -> np.ndarray:
        """Slopes of the whole form in the inner constants, one column each."""
        found = np.zeros((len(self.columns[0]), len(places)))
        where = {int(place): number for number, place in enumerate(places)}
        for coefficient, change in zip(coefficients, self.slopes, strict=True):
            for place, column in change.items():
                found[:, where[place]] += coefficient * column
        return found


def _accumulate(total: Slopes, place: int, column: np.ndarray) -> None:
    total[place] = total[place] + column if place in total else column


def compile_form(expression: Expression, inputs: np.ndarray) -> Program:
    """The program of an expression over some inputs."""
    found = outline(expression)
    arguments = (product for _, argument in found.calls for product in argument)
    products: dict[tuple, np.ndarray] = {(): np.ones(len(inputs))}
    with np.errstate(all="ignore"):
        for product in (*found.terms, *arguments):
            if product.inputs not in products:
                products[product.inputs] = monomial(inputs, product.inputs)
    return Program(found, products, len(inputs))
