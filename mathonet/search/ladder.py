"""The ladder: architectures to climb when the user names none, from simple to rich."""

from dataclasses import dataclass
from functools import reduce
from itertools import combinations_with_replacement
from operator import mul

from mathonet.equation.expression import Expression, apply, variable
from mathonet.network.mathonet import Architecture, MathONet
from mathonet.network.stencil import stencil_architecture, stencil_mask
from mathonet.operations import Operation

POLYNOMIALS, SUMS = "polynomials", "sums of few terms"
"""Rungs that need no network."""


@dataclass(frozen=True)
class Rung:
    """One step of the ladder.

    Attributes:
        name: what to call it.
        architecture: of every run on it; None where no network is needed: polynomials, whose coefficients are
            a linear problem, and sums of few terms, all of them looked at (see `combinations`).
        mask: where weights may live from the start; None for everywhere.
        simplest: every form that no earlier rung holds and that has one term, with one term in each call;
            none for the first rung. All other new forms cost at least one term more.
        calls: whether sums of few terms with calls are looked at.
    """

    name: str
    architecture: Architecture | None
    mask: MathONet | None = None
    simplest: tuple[Expression, ...] = ()
    calls: bool = False


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
    ladder = [Rung(POLYNOMIALS, None)]
    others = [operation for operation in operations if operation.name != "ident"]
    if others:
        arguments = _powers(inputs, 1) + _powers(inputs, 2)
        calls = tuple(apply(operation, argument) for operation in others for argument in arguments)
        ladder.append(Rung(SUMS, None, None, calls, calls=True))
        ladder.append(Rung("one layer", Architecture(inputs, (2,), operations, outputs), None, calls))
        two = Architecture(inputs, (2, 1), operations, outputs, True)
        products = [by * call for call in calls for by in (*_powers(inputs, 1), call)]
        # An input times its inverse is nothing new.
        new = {form.skeleton: form for form in products if len(form.terms) == 1 and form.terms[0].factors}
        ladder.append(Rung("two layers, dense", two, None, tuple(new.values())))
    return ladder


def _powers(inputs: int, degree: int) -> tuple[Expression, ...]:
    """Every product of so many inputs."""
    return tuple(
        reduce(mul, map(variable, chosen)) for chosen in combinations_with_replacement(range(inputs), degree)
    )
