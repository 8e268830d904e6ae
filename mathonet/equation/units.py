"""The units of an equation's constants: those that make both of its sides agree."""

from fractions import Fraction

from mathonet.data.units import Powers, Units, product, written
from mathonet.equation.expression import HOMOGENEOUS, Call, Expression, Term

_VALUES = {"inv": Fraction(-1), "sqrt": Fraction(1, 2), "abs": Fraction(1), "ident": Fraction(1)}
"""Powers of their argument's unit that operations have; all others have none, and ask for an argument
without."""


def constant_units(expression: Expression, target: str, inputs: tuple[str, ...], units: Units) -> list[str]:
    """The unit of every free constant, in the order of `assembly.constants`; "" where it is not known."""
    found: list[str] = []
    seen: set[Call] = set()

    def of_factors(term: Term) -> Powers:
        return product(
            (of_call(base) if isinstance(base, Call) else units.column(inputs[base]), power)
            for base, power in term.factors
        )

    def of_argument(call: Call) -> Powers:
        """What is inside must have: nothing, or what its first term has, whose coefficient is a plain 1."""
        fixed = call.operation.name in HOMOGENEOUS and call.argument.terms
        return of_factors(call.argument.terms[0]) if fixed else {}

    def of_call(call: Call) -> Powers:
        return product([(of_argument(call), _VALUES.get(call.operation.name, Fraction(0)))])

    def walk(part: Expression, whole: Powers, fixed_lead: bool) -> None:
        for position, term in enumerate(part.terms):
            if not (fixed_lead and position == 0):
                found.append(written(product([(whole, 1), (of_factors(term), -1)])))
            for base, _ in term.factors:
                if isinstance(base, Call) and base not in seen:
                    seen.add(base)
                    walk(base.argument, of_argument(base), base.operation.name in HOMOGENEOUS)

    walk(expression, units.rate(target), False)
    return found
