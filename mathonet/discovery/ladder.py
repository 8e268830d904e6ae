"""The ladder: architectures to climb when the user names none, from simple to rich."""

from dataclasses import dataclass

from mathonet.network.mathonet import Architecture, MathONet
from mathonet.network.stencil import stencil_architecture, stencil_mask
from mathonet.operations import Operation, get


@dataclass(frozen=True)
class Rung:
    """One architecture of the ladder, what to call it, and where its weights may live from the start."""

    name: str
    architecture: Architecture
    mask: MathONet | None = None


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
    ladder = [
        Rung("polynomial, degree 2", Architecture(inputs, (1,), ident, outputs)),
        Rung("polynomial, degree 3", Architecture(inputs, (2, 1), ident, outputs)),
    ]
    if any(operation.name != "ident" for operation in operations):
        ladder.append(Rung("one layer", Architecture(inputs, (2,), operations, outputs)))
        ladder.append(Rung("two layers, dense", Architecture(inputs, (2, 1), operations, outputs, True)))
    return ladder
