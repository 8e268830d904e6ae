"""Expression <-> tape: the free constants of an expression, and the instructions that evaluate it."""

from collections.abc import Sequence

from mathonet.equation.expression import HOMOGENEOUS, Call, Expression, Term, variable
from mathonet.fit.tape import ADD, FIRST_OPERATION, MULTIPLY, Tape, make_tape, pad
from mathonet.operations import Operation, get


def constants(expression: Expression) -> list[float]:
    """The free constants, in the order of `with_constants`.

    A call that stands in several places shares its constants. The leading coefficient inside a homogeneous
    operation is 1 by the normal form and not free.
    """
    values: list[float] = []
    seen: set[Call] = set()

    def gather(part: Expression, fixed_lead: bool) -> None:
        for position, term in enumerate(part.terms):
            if not (fixed_lead and position == 0):
                values.append(term.coefficient)
            for factor, _ in term.factors:
                if isinstance(factor, Call) and factor not in seen:
                    gather(factor.argument, factor.operation.name in HOMOGENEOUS)
                    seen.add(factor)

    gather(expression, False)
    return values


def with_constants(expression: Expression, values: Sequence[float]) -> Expression:
    """The same form with other constants, brought to normal form."""
    return replace_constants(expression, values).substitute(variable)


def replace_constants(expression: Expression, values: Sequence[float]) -> Expression:
    """The same form with other constants, each in its place: nothing is sorted anew."""
    remaining = iter(values)
    shared: dict[Call, Call] = {}

    def renewed(part: Expression, fixed_lead: bool) -> Expression:
        terms = []
        for position, term in enumerate(part.terms):
            coefficient = term.coefficient if fixed_lead and position == 0 else float(next(remaining))
            factors = []
            for factor, power in term.factors:
                if isinstance(factor, Call):
                    if factor not in shared:
                        inner = renewed(factor.argument, factor.operation.name in HOMOGENEOUS)
                        shared[factor] = Call(factor.operation, inner, factor.sign)
                    factor = shared[factor]
                factors.append((factor, power))
            terms.append(Term(coefficient, tuple(factors)))
        return Expression(tuple(terms))

    return renewed(expression, False)


def assemble(expression: Expression, inputs: int, operations: tuple[Operation, ...]) -> Tape | None:
    """The tape of an expression, or None if it is too large for the largest padded tape.

    Args:
        expression: what to evaluate.
        inputs: number of input registers.
        operations: what the tape may call, from `tape_operations`.
    """
    values = constants(expression)
    writer = _Writer(operations)
    writer.write(expression)
    size = pad(len(writer.code), len(values))
    if size is None:
        return None
    base = {"input": 0, "constant": inputs, "result": inputs + size[1]}
    left, right = ([base[kind] + at for kind, at in side] for side in (writer.left, writer.right))
    return make_tape(writer.code, left, right, values, size)


def tape_operations(operations: tuple[Operation, ...]) -> tuple[Operation, ...]:
    """Operations a tape may need: the network's, `inv` for negative powers, and those that moves bring in."""
    named = {
        operation.name: operation for operation in (*operations, *map(get, ("ident", "inv", "sin", "cos")))
    }
    if "sqrt" in named:
        # The root of a square.
        named.setdefault("abs", get("abs"))
    return tuple(named[name] for name in sorted(named))


Register = tuple[str, int]


class _Writer:
    """Emits instructions; registers are named by kind until the padded sizes are known."""

    def __init__(self, operations: tuple[Operation, ...]) -> None:
        self.codes = {operation.name: FIRST_OPERATION + i for i, operation in enumerate(operations)}
        self.code: list[int] = []
        self.left: list[Register] = []
        self.right: list[Register] = []
        self.count = 0
        self.written: dict[Call, Register] = {}

    def write(self, expression: Expression) -> None:
        value = self._sum(expression, False)
        if value[0] != "result":
            # A bare constant or input still needs one instruction to give its value.
            self._emit(self.codes["ident"], value, value)

    def _emit(self, code: int, a: Register, b: Register) -> Register:
        self.code.append(code)
        self.left.append(a)
        self.right.append(b)
        return ("result", len(self.code) - 1)

    def _constant(self) -> Register:
        self.count += 1
        return ("constant", self.count - 1)

    def _sum(self, expression: Expression, fixed_lead: bool) -> Register:
        value: Register | None = None
        for position, term in enumerate(expression.terms):
            part = None if fixed_lead and position == 0 else self._constant()
            for factor, power in term.factors:
                base = self._factor(factor)
                if power < 0:
                    base = self._emit(self.codes["inv"], base, base)
                for _ in range(abs(power)):
                    part = base if part is None else self._emit(MULTIPLY, part, base)
            assert part is not None
            value = part if value is None else self._emit(ADD, value, part)
        assert value is not None, "an empty expression has no tape"
        return value

    def _factor(self, factor: int | Call) -> Register:
        if isinstance(factor, int):
            return ("input", factor)
        if factor not in self.written:
            inner = self._sum(factor.argument, factor.operation.name in HOMOGENEOUS)
            self.written[factor] = self._emit(self.codes[factor.operation.name], inner, inner)
        return self.written[factor]


def zero_free(expression: Expression) -> Expression:
    """An expression with at least one term, so that it has a tape: 0 becomes the constant 0."""
    return expression if expression.terms else Expression((Term(0.0),))
