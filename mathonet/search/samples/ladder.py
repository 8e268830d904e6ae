"""The ladder: architectures to climb when the user names none, from simple to rich."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from itertools import combinations_with_replacement
from operator import mul

from mathonet.equation.expression import Expression, apply, number, variable
from mathonet.network.mathonet import Architecture, MathONet
from mathonet.network.stencil import stencil_architecture, stencil_mask
from mathonet.operations import Operation
from mathonet.search import effort
from mathonet.search.fit import Fit
from mathonet.search.samples.regression import Regression


@dataclass(frozen=True)
class Rung:
    """One step of the ladder.

    Attributes:
        name: what to call it.
        architecture: of every network on it; None for sums with calls, which need none.
        mask: where weights may live from the start; None for everywhere.
        simplest: every form that no earlier rung holds and that has one term, with one term in each call;
            none for an architecture given by hand. All other new forms cost at least one term more.
    """

    name: str
    architecture: Architecture | None
    mask: MathONet | None = None
    simplest: tuple[Expression, ...] = ()

    def could_win(self, regression: Regression, front: Iterable[Fit]) -> bool:
        """Whether the rung may give something better than what was found.

        It cannot beside a form that fits to rounding. Beside one that leaves nothing but noise, another form
        can only win by being cheaper: the forms of one term that are new on the rung are tried, and all
        others cost one more at least.
        """
        front = list(front)
        best = min(front, key=lambda each: each.score, default=None)
        if best is None or not self.simplest:
            return True
        if regression.is_exact(best, front):
            return False
        longer = min(regression.score(form + number(1.0), best.chi2) for form in self.simplest)
        if longer < best.score or not regression.leaves_noise(best):
            return True
        return any(regression.fit(form, effort.JUDGING_STEPS).score < best.score for form in self.simplest)


def stencil_rung(
    inputs: int, outputs: int, operations: tuple[Operation, ...], hidden: tuple[int, ...], radius: int
) -> Rung:
    """A MathONet with a learned stencil over `radius` neighbours on either side."""
    fields = inputs // (2 * radius + 1)
    architecture = stencil_architecture(fields, radius, hidden[0], operations, outputs)
    return Rung("stencil", architecture, stencil_mask(architecture, fields, radius))


def given_rung(
    inputs: int,
    outputs: int,
    operations: tuple[Operation, ...],
    hidden: tuple[int, ...] | None,
    dense: bool,
    stencil: int = 0,
) -> Rung | None:
    """The one rung of an architecture that was given by hand; None for the ladder."""
    if stencil:
        return stencil_rung(inputs, outputs, operations, hidden or (3,), stencil)
    if hidden is not None:
        return Rung("given", Architecture(inputs, tuple(hidden), operations, outputs, dense))
    return None


def call_rungs(inputs: int, outputs: int, operations: tuple[Operation, ...]) -> list[Rung]:
    """What comes after polynomials: sums with calls, then networks; nothing without operations."""
    others = [operation for operation in operations if operation.name != "ident"]
    if not others:
        return []
    arguments = _powers(inputs, 1) + _powers(inputs, 2)
    calls = tuple(apply(operation, argument) for operation in others for argument in arguments)
    two = Architecture(inputs, (2, 1), operations, outputs, True)
    products = [by * call for call in calls for by in (*_powers(inputs, 1), call)]
    # An input times its inverse is nothing new.
    new = {form.skeleton: form for form in products if len(form.terms) == 1 and form.terms[0].factors}
    return [
        Rung("sums with calls", None, None, calls),
        Rung("one layer", Architecture(inputs, (2,), operations, outputs), None, calls),
        Rung("two layers, dense", two, None, tuple(new.values())),
    ]


def _powers(inputs: int, degree: int) -> tuple[Expression, ...]:
    """Every product of so many inputs."""
    return tuple(
        reduce(mul, map(variable, chosen)) for chosen in combinations_with_replacement(range(inputs), degree)
    )
