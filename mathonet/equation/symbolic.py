"""Expressions for people: SymPy, plain text and LaTeX, all from the one normal form."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from numbers import Integral

import sympy

from mathonet.equation.expression import HOMOGENEOUS, Call, Expression, Term
from mathonet.equation.latex_name import escaped, latex_name
from mathonet.equation.simple_numbers import written
from mathonet.errors import ConfigError

DIGITS, MOST_DIGITS = 5, 17


def to_sympy(
    expression: Expression,
    symbols: Sequence[sympy.Expr],
    constant: Callable[[float], sympy.Expr] = sympy.Float,
) -> sympy.Expr:
    """The expression in SymPy; `constant` makes each free constant, in the order of `constants`.

    Free constants keep all 53 bits. The leading 1 inside a homogeneous operation is the whole number 1.
    """
    shared: dict[Call, sympy.Expr] = {}

    def sum_(part: Expression, fixed_lead: bool) -> sympy.Expr:
        terms = []
        for position, term in enumerate(part.terms):
            fixed = fixed_lead and position == 0
            value = sympy.Integer(1) if fixed else constant(term.coefficient)
            for base, power in term.factors:
                value = value * factor(base) ** power
            terms.append(value)
        return sympy.Add(*terms)

    def factor(base: int | Call) -> sympy.Expr:
        if isinstance(base, int):
            return symbols[base]
        if base not in shared:
            shared[base] = _face(base, sum_(base.argument, base.operation.name in HOMOGENEOUS))
        return shared[base]

    return sum_(expression, False)


def _face(call: Call, argument: sympy.Expr) -> sympy.Expr:
    """The operation's SymPy face; where the data fix the argument's sign, log|h| is log(h) or log(-h)."""
    plain = {"log": sympy.log, "sqrt": sympy.sqrt}.get(call.operation.name)
    return plain(call.sign * argument) if plain and call.sign else call.operation.symbolic(argument)


@dataclass(frozen=True)
class Dialect:
    """How one notation writes products, powers, fractions, calls and numbers."""

    times: str
    power: Callable[[str, int], str]
    fraction: Callable[[str, str, bool], str]
    call: Callable[[str, str], str]
    number: Callable[[float, int], str]
    numeral: Callable[[str], str] = str

    def plain(self, simple: Collection[float]) -> "Dialect":
        """The same with some numbers as people write them: 10 and not 10.000, and no 1 before a factor."""

        def number(value: float, digits: int) -> str:
            if value not in simple:
                return self.number(value, digits)
            return "" if value == 1.0 else self.numeral(written(value))

        return replace(self, number=number)


def _plain_number(value: float, digits: int) -> str:
    return f"{value:#.{digits}g}".rstrip(".")


def _latex_number(value: float, digits: int) -> str:
    return _latex_numeral(_plain_number(value, digits))


def _latex_numeral(numeral: str) -> str:
    mantissa, _, exponent = numeral.partition("e")
    above, _, below = mantissa.partition("/")
    if below:
        return rf"\frac{{{above}}}{{{below}}}"
    return rf"{mantissa} \cdot 10^{{{int(exponent)}}}" if exponent else mantissa


def _latex_call(name: str, argument: str) -> str:
    special = {"sqrt": rf"\sqrt{{{argument}}}", "abs": rf"\left|{argument}\right|"}
    known = {"sin", "cos", "tan", "exp", "log", "tanh"}
    function = rf"\{name}" if name in known else rf"\operatorname{{{escaped(name)}}}"
    return special.get(name, rf"{function}\left({argument}\right)")


_TEXT = Dialect(
    " ",
    lambda base, n: base if n == 1 else f"{base}^{n}",
    lambda top, bottom, single: f"{top}/{bottom}" if single else f"{top}/({bottom})",
    lambda name, argument: f"{name}({argument})",
    _plain_number,
)
_LATEX = Dialect(
    r" \, ",
    lambda base, n: base if n == 1 else f"{base}^{{{n}}}",
    lambda top, bottom, single: rf"\frac{{{top}}}{{{bottom}}}",
    _latex_call,
    _latex_number,
    _latex_numeral,
)


def text(
    expression: Expression, names: Sequence[str], digits: int = DIGITS, simple: Collection[float] = ()
) -> str:
    """Plain text such as `28.000 x - 1.0000 y - 1.0000 x z`; significant digits, so no term can hide.

    Args:
        expression: what to write.
        names: of its inputs.
        digits: significant ones of every number.
        simple: sizes of numbers to write as people do, as in `28 x - y - x z`.
    """
    return write(expression, names, check_digits(digits), _TEXT.plain(simple))


def latex(
    expression: Expression, names: Sequence[str], digits: int = DIGITS, simple: Collection[float] = ()
) -> str:
    """LaTeX of the expression; arguments as in `text`."""
    latex_names = [latex_name(name) for name in names]
    return write(expression, latex_names, check_digits(digits), _LATEX.plain(simple))


def check_digits(digits: int) -> int:
    """Refuse a number of significant digits that a float64 does not have.

    Raises:
        ConfigError: it is no whole number from 1 to 17.
    """
    if not isinstance(digits, Integral) or isinstance(digits, bool) or not 1 <= digits <= MOST_DIGITS:
        raise ConfigError(f"digits must be a whole number from 1 to {MOST_DIGITS}, got {digits!r}.")
    return int(digits)


def term_text(term: Term, names: Sequence[str], digits: int = DIGITS) -> str:
    """A term without its coefficient; the constant term is `1`."""
    return _product(term, names, digits, _TEXT) or "1"


def constant_labels(expression: Expression, names: Sequence[str]) -> list[str]:
    """A label for each free constant: the term it multiplies, with the call it stands in if there is one."""
    seen: set[Call] = set()

    def walk(part: Expression, call: Call | None) -> Iterator[str]:
        fixed_lead = call is not None and call.operation.name in HOMOGENEOUS
        for position, term in enumerate(part.terms):
            if not (fixed_lead and position == 0):
                label = term_text(term, names)
                yield label if call is None else f"{label} inside {call.operation.name}"
            for base, _ in term.factors:
                if isinstance(base, Call) and base not in seen:
                    seen.add(base)
                    yield from walk(base.argument, base)

    return list(walk(expression, None))


def write(expression: Expression, names: Sequence[str], digits: int, dialect: Dialect) -> str:
    """The expression in a dialect, term by term in the order of the normal form."""
    pieces: list[str] = []
    for term in expression.terms:
        size = dialect.number(abs(term.coefficient), digits)
        body = _product(term, names, digits, dialect, size) or "1"
        sign = "-" if term.coefficient < 0 else "+"
        pieces.append(f"{sign} {body}" if pieces else (f"-{body}" if sign == "-" else body))
    return " ".join(pieces) or "0"


def _argument(argument: Expression, names: Sequence[str], digits: int, dialect: Dialect) -> str:
    """Text of a call's argument; a leading coefficient that is exactly 1 is not written."""
    first = argument.terms[0]
    written = write(argument, names, digits, dialect)
    if first.coefficient == 1.0 and first.factors:
        lead = _product(first, names, digits, dialect)
        rest = write(Expression(argument.terms[1:]), names, digits, dialect) if argument.terms[1:] else ""
        if not rest:
            return lead
        return f"{lead} - {rest[1:]}" if rest.startswith("-") else f"{lead} + {rest}"
    return written


def _product(term: Term, names: Sequence[str], digits: int, dialect: Dialect, size: str = "") -> str:
    above: list[str] = [size] if size else []
    below: list[tuple[str, bool]] = []
    for base, power in term.factors:
        if isinstance(base, int):
            written, bare = names[base], True
        else:
            argument = _argument(base.argument, names, digits, dialect)
            if base.operation.name == "inv":
                # 1/h: the argument itself goes below the line.
                power, bare, written = -power, False, argument
            else:
                name = base.operation.name
                if name in ("log", "sqrt"):
                    argument = {1: argument, -1: f"-({argument})"}.get(base.sign) or dialect.call(
                        "abs", argument
                    )
                written, bare = dialect.call(name, argument), True
        grouped = written if bare or abs(power) == 1 else f"({written})"
        raised = dialect.power(grouped, abs(power))
        if power > 0:
            # 1/(1/h) stands above the line as a whole sum.
            above.append(raised if bare or power > 1 else f"({raised})")
        else:
            below.append((raised, bare or abs(power) > 1))
    top = dialect.times.join(above)
    if not below:
        return top
    bottom = dialect.times.join(w if ok or len(below) == 1 else f"({w})" for w, ok in below)
    return dialect.fraction(top or "1", bottom, len(below) == 1 and below[0][1])
