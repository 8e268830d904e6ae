"""A system of expressions as a right-hand side: its values, and its slopes in the inputs and all constants."""

from collections.abc import Sequence

import numpy as np

from mathonet.equation.assembly import with_constants, zero_free
from mathonet.equation.expression import Expression
from mathonet.equation.program import Outline, Product, Slopes, outline
from mathonet.fit.face import Faces


class Flow:
    """x' = f(x, u; constants) on whole columns of states; the constants of all equations in one vector.

    Attributes:
        forms: the right-hand sides, over inputs that are numbered alike in all of them.
        constants: their constants, one equation after the other.
        places: for every equation, where its constants are in that vector.
    """

    def __init__(self, forms: Sequence[Expression], inputs: int, faces: Faces) -> None:
        """Set the equations; `inputs` counts the columns of the rows that they are evaluated at."""
        self.forms = tuple(zero_free(form) for form in forms)
        self.inputs = inputs
        self.faces = faces
        self.outlines = [outline(form) for form in self.forms]
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

    def __call__(self, rows: np.ndarray, constants: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Values (rows, equations), and slopes in the inputs and in the constants, one more axis each."""
        value = np.empty((len(rows), len(self)))
        by_input = np.zeros((len(rows), len(self), self.inputs))
        by_constant = np.zeros((len(rows), len(self), len(constants)))
        for number, (each, place) in enumerate(zip(self.outlines, self.places, strict=True)):
            found, slopes = _evaluate(each, rows, constants[place], self.inputs, self.faces)
            value[:, number] = found
            for at, column in slopes.items():
                if at < self.inputs:
                    by_input[:, number, at] = column
                else:
                    by_constant[:, number, place.start + at - self.inputs] = column
        return value, by_input, by_constant


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
        for place, column in own.items():
            column = factor * column
            change[place] = change[place] + column if place in change else column
        if product.constant is not None:
            change[inputs + product.constant] = base
    return total, change


def _product(
    product: Product, rows: np.ndarray, values: list[np.ndarray], slopes: list[Slopes]
) -> tuple[np.ndarray, Slopes]:
    """A term without its coefficient, by the product rule over its factors."""
    base, change = np.ones(len(rows)), {}
    factors = [(rows[:, at], {at: None}, power) for at, power in product.inputs]
    factors += [(values[call], slopes[call], power) for call, power in product.calls]
    for column, inner, power in factors:
        raised = column if power == 1 else column**power
        outside = base if power == 1 else base * (power * column ** (power - 1))
        change = {place: slope * raised for place, slope in change.items()}
        for place, slope in inner.items():
            # An input's slope in itself is one.
            new = outside if slope is None else outside * slope
            change[place] = change[place] + new if place in change else new
        base = base * raised
    return base, change
