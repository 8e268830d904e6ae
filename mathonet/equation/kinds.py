"""Kinds of forms: what one is made of, and the inputs in which it bends."""

from mathonet.equation.expression import Expression, depends

QUOTIENT = "quotient"


def kind(form: Expression) -> frozenset[str]:
    """What a form is made of besides sums and products: names of operations, and whether it divides."""
    found = {call.operation.name for call in form.calls()}
    if any(power < 0 for term in form.terms for _, power in term.factors):
        found.add(QUOTIENT)
    return frozenset(found)


def bent_inputs(form: Expression, inputs: int) -> list[int]:
    """The inputs in which a form is more than a straight line, whatever stands beside them."""
    factors = [pair for term in form.terms for pair in term.factors]
    return [
        i for i in range(inputs) if any(depends(f, i) and not (f == i and power == 1) for f, power in factors)
    ]


def of_another_kind(form: Expression, chosen: Expression, inputs: int) -> bool:
    """Whether a form is made of other operations than the chosen one, and bends where that does, if at all.

    Where the chosen one is a straight line the data show no bend, and anything that is nearly straight there
    fits as well: i cos(2 s) for i - 2 s i.
    """
    bent = bent_inputs(form, inputs)
    return kind(form) != kind(chosen) and (not bent or not set(bent).isdisjoint(bent_inputs(chosen, inputs)))
