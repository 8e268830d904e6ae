"""The ladder: architectures to climb when the user names none, from simple to rich."""

from dataclasses import dataclass

from mathonet.equation.expression import Expression, apply, power, variable
from mathonet.network.mathonet import Architecture, MathONet
from mathonet.network.stencil import stencil_architecture, stencil_mask
from mathonet.operations import Operation, get


@dataclass(frozen=True)
class Rung:
    """One architecture of the ladder.

    Attributes:
        name: what to call it.
        architecture: of every run on it.
        mask: where weights may live from the start; None for everywhere.
        simplest: the simplest forms that no earlier rung holds, of one term each; none for the first.
    """

    name: str
    architecture: Architecture
    mask: MathONet | None = None
    simplest: tuple[Expression, ...] = ()


def stencil_rung(
    inputs: int, outputs: int, operations: tuple[Operation, ...], hidden: tuple[int, ...], radius: int
) -> Rung:
    """A MathONet with a learned stencil over `radius` neighbours on either side."""
    fields = inputs // (2 * radius + 1)
    architecture = stencil_architecture(fields, radius, hidden[0], operations, outputs)
    return Rung("stencil", architecture, stencil_mask(architecture, fields, radius))


def rungs(
    inputs: int,
    outputs: int,
    operations: tuple[Operation, ...],
    hidden: tuple[int, ...] | None,
    dense: bool,
    stencil: int = 0,
) -> list[Rung]:
    """One rung for an architecture given by hand, else the ladder; polynomials are always its foot."""
    if stencil:
        return [stencil_rung(inputs, outputs, operations, hidden or (3,), stencil)]
    if hidden is not None:
        return [Rung("given", Architecture(inputs, tuple(hidden), operations, outputs, dense))]
    ident = (get("ident"),)
    states = [variable(i) for i in range(inputs)]
    cubes = tuple(power(x, 3) for x in states)
    ladder = [
        Rung("polynomial, degree 2", Architecture(inputs, (1,), ident, outputs)),
        Rung("polynomial, degree 3", Architecture(inputs, (2, 1), ident, outputs), None, cubes),
    ]
    others = [operation for operation in operations if operation.name != "ident"]
    if others:
        calls = tuple(apply(operation, x) for operation in others for x in states)
        ladder.append(Rung("one layer", Architecture(inputs, (2,), operations, outputs), None, calls))
        two = Architecture(inputs, (2, 1), operations, outputs, True)
        products = (x * call for call in calls for x in states)
        # x times its inverse is nothing new.
        new = tuple(product for product in products if product.terms[0].factors)
        ladder.append(Rung("two layers, dense", two, None, new))
    return ladder
