"""The ladder: architectures to climb when the user names none, from simple to rich."""

from dataclasses import dataclass

from mathonet.network.mathonet import Architecture
from mathonet.operations import Operation, get


@dataclass(frozen=True)
class Rung:
    """One architecture of the ladder and what to call it."""

    name: str
    architecture: Architecture


def rungs(
    inputs: int,
    outputs: int,
    operations: tuple[Operation, ...],
    hidden: tuple[int, ...] | None,
    dense: bool,
) -> list[Rung]:
    """One rung for an architecture given by hand, else the ladder; polynomials are always its foot."""
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
