"""A system of expressions as a right-hand side: values, and slopes in the inputs and all constants."""

from collections.abc import Sequence

import numpy as np

from mathonet.equation.assembly import tape_operations, with_constants
from mathonet.equation.expression import Expression
from mathonet.equation.program import Outline, Product, Slopes, outline
from mathonet.fit.face import Faces
from mathonet.fit.linear import raised


class Flow:
    """x' = rate (f(x, u; constants) + known(x, u)) on whole columns; the constants of all equations in a row.

    A term with coefficient zero is one that might come in: its calls are not shared with other terms, and
    slopes in the constants inside of them are those that it would have for each unit of its coefficient.

    Attributes:
        forms: f of every equation, over inputs that are numbered alike in all of them; may be empty.
        inputs: number of columns of the rows that they are evaluated at.
        constants: their constants, one equation after the other.
        places: for every equation, where its constants are in that vector.
    """

    def __init__(
        self,
        forms: Sequence[Expression],
        inputs: int,
        faces: Faces,
        rates: np.ndarray | None = None,
        known: Sequence[Expression] | None = None,
    ) -> None:
        """Set the equations.

        Args:
            forms: one expression an equation.
            inputs: number of inputs.
            faces: the operations they call.
            rates: factor of every equation, from its own units to those of the states; None for ones.
            known: what is added to every equation with fixed constants; None for nothing.
        """
        self.forms = tuple(forms)
        self.inputs = inputs
        self.faces = faces
        self.rates = np.ones(len(self.forms)) if rates is None else rates
        self.known = [outline(each) for each in known or [Expression()] * len(self.forms)]
        self.outlines = [outline(form, apart=True) for form in self.forms]
        sizes = [len(each.values) for each in self.outlines]
        ends = np.cumsum(sizes)
        self.places = [slice(int(end - size), int(end)) for size, end in zip(sizes, ends, strict=True)]
        self.constants = np.concatenate([each.values for each in self.outlines])

    def __len__(self) -> int:
        """The number of equations."""
        return len(self.forms)

    def with_constants(self, values: np.ndarray) -> tuple[Expression, ...]:
        """The forms with other constants."""
        return tuple(
            with_constants(form, values[place].tolist())
            for form, place in zip(self.forms, self.places, strict=True)
        )

    def values(self, rows: np.ndarray, constants: np.ndarray) -> np.ndarray:
        """Values (rows, equations) alone."""
        value = np.empty((len(self), len(rows))).T
        for number, (each, place) in enumerate(zip(self.outlines, self.places, strict=True)):
            value[:, number] = _value(each, rows, constants[place], self.faces)
            if self.known[number].terms:
                value[:, number] += _value(self.known[number], rows, self.known[number].values, self.faces)
        return value * self.rates

    def __call__(self, rows: np.ndarray, constants: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Values (rows, equations), and slopes in the inputs and in the constants, one more axis each.

        Rows come last in memory: every slope is a column of them.
        """
        value = np.empty((len(self), len(rows))).T
        by_input = np.zeros((len(self), self.inputs, len(rows))).transpose(2, 0, 1)
        by_constant = np.zeros((len(self), len(constants), len(rows))).transpose(2, 0, 1)
        for number, (each, place) in enumerate(zip(self.outlines, self.places, strict=True)):
            rate = self.rates[number]
            found, slopes = _evaluate(each, rows, constants[place], self.inputs, self.faces)
            value[:, number] = rate * found
            for at, column in slopes.items():
                if at < self.inputs:
                    by_input[:, number, at] = rate * column
                else:
                    by_constant[:, number, place.start + at - self.inputs] = rate * column
            if self.known[number].terms:
                given = self.known[number]
                found, slopes = _evaluate(given, rows, given.values, self.inputs, self.faces)
                value[:, number] += rate * found
                for at in range(self.inputs):
                    if at in slopes:
                        by_input[:, number, at] += rate * slopes[at]
        return value, by_input, by_constant


def evaluate(expression: Expression, rows: np.ndarray) -> np.ndarray:
    """An expression at every row."""
    operations = tuple(dict.fromkeys(call.operation for call in expression.calls()))
    flow = Flow((expression,), rows.shape[1], Faces(tape_operations(operations)))
    return flow.values(rows, flow.constants)[:, 0]


def _value(form: Outline, rows: np.ndarray, constants: np.ndarray, faces: Faces) -> np.ndarray:
    """Value of one expression; terms with coefficient zero are passed over."""
    known: dict[int, np.ndarray] = {}

    def call(number: int) -> np.ndarray:
        if number not in known:
            name, argument = form.calls[number]
            known[number] = faces(name, total(argument))[0]
        return known[number]

    def total(products: Sequence[Product]) -> np.ndarray:
        found = np.zeros(len(rows))
        for product in products:
            base = 1.0 if product.constant is None else constants[product.constant]
            if base == 0.0:
                continue
            for at, power in product.inputs:
                base = base * raised(rows[:, at], power)
            for number, power in product.calls:
                base = base * raised(call(number), power)
            found += base
        return found

    return total(form.terms)


def _evaluate(
    form: Outline, rows: np.ndarray, constants: np.ndarray, inputs: int, faces: Faces
) -> tuple[np.ndarray, Slopes]:
    """Value and slopes of one expression; slopes in the inputs come first, then those in the constants."""
    values: list[np.ndarray] = []
    slopes: list[Slopes] = []
    for name, argument in form.calls:
        h, dh = _sum(argument, rows, constants, inputs, values, slopes)
        value, slope = faces(name, h)
        values.append(value)
        slopes.append({place: slope * column for place, column in dh.items()})
    return _sum(form.terms, rows, constants, inputs, values, slopes)


def _sum(
    products: Sequence[Product],
    rows: np.ndarray,
    constants: np.ndarray,
    inputs: int,
    values: list[np.ndarray],
    slopes: list[Slopes],
) -> tuple[np.ndarray, Slopes]:
    total, change = np.zeros(len(rows)), {}
    for product in products:
        base, own = _product(product, rows, values, slopes)
        factor = 1.0 if product.constant is None else constants[product.constant]
        total = total + factor * base
        if factor == 0.0:
            # A term that is not there yet: its calls would have these slopes for each unit of it.
            own, factor = {place: column for place, column in own.items() if place >= inputs}, 1.0
        for place, column in own.items():
            column = factor * column
            change[place] = change[place] + column if place in change else column
        if product.constant is not None:
            change[inputs + product.constant] = base
    return total, change


def _product(
    product: Product, rows: np.ndarray, values: list[np.ndarray], slopes: list[Slopes]
) -> tuple[np.ndarray | float, Slopes]:
    """A term without its coefficient, by the product rule over its factors.

    What is the same at all rows is a plain number.
    """
    base, change = 1.0, {}
    factors = [(rows[:, at], {at: 1.0}, power) for at, power in product.inputs]
    factors += [(values[call], slopes[call], power) for call, power in product.calls]
    for column, inner, power in factors:
        whole = raised(column, power)
        outside = base if power == 1 else base * power * raised(column, power - 1)
        change = {place: slope * whole for place, slope in change.items()}
        for place, slope in inner.items():
            new = outside * slope
            change[place] = change[place] + new if place in change else new
        base = base * whole
    return base, change
