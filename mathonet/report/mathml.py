"""Equations as MathML Core, which browsers set by themselves: no script, no font, nothing to load.

An equation is one `math` element a term, so that a long one is broken between its terms on a narrow screen;
MathML itself does not break lines. Names of the data are escaped; all functions return `Markup`.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Sequence

from markupsafe import Markup

from mathonet.equation.expression import HOMOGENEOUS, Call, Expression, Term
from mathonet.equation.simple_numbers import written as simply_written
from mathonet.equation.symbolic import DIGITS
from mathonet.report.lettering import GREEK

TIMES = Markup("<mspace width='0.2em'/>")
LEAD, MINUS, PLUS = (
    Markup('<mo form="prefix">−</mo>'),
    Markup('<mo form="infix">−</mo>'),
    Markup('<mo form="infix">+</mo>'),
)


def name(text: str) -> Markup:
    """A name of the data: letters in italics, Greek ones by name, `x1` and `x_1` with an index."""
    neighbour = re.fullmatch(r"(.+)\[([+-]\d+)\]", text)
    if neighbour:
        sign = LEAD if neighbour[2][0] == "-" else Markup('<mo form="prefix">+</mo>')
        below = Markup("{}<mn>{}</mn>").format(sign, neighbour[2][1:])
        return Markup("<msub><mrow>{}</mrow><mrow>{}</mrow></msub>").format(name(neighbour[1]), below)
    head, *rest = [part for part in text.strip().split("_") if part] or [text]
    indexed = re.fullmatch(rf"([^\W\d_]|{GREEK})(\d+)", head)
    if indexed:
        head, rest = indexed[1], [indexed[2], *rest]
    if not rest:
        return _word(head)
    below = Markup("<mo>,</mo>").join(map(_word, rest))
    return Markup("<msub>{}<mrow>{}</mrow></msub>").format(_word(head), below)


def _word(text: str) -> Markup:
    if re.fullmatch(GREEK, text):
        size = "SMALL" if text.islower() else "CAPITAL"
        text = unicodedata.lookup(f"GREEK {size} LETTER {text.upper().replace('LAMBDA', 'LAMDA')}")
    return Markup("<mn>{}</mn>" if text.isdecimal() else "<mi>{}</mi>").format(text)


def dotted(written: Markup, dots: int = 1) -> Markup:
    """Something with one or two dots above it: its derivative by time."""
    return Markup('<mover accent="true"><mrow>{}</mrow><mo>{}</mo></mover>').format(
        written, "˙" if dots == 1 else "¨"
    )


def rate(text: str) -> Markup:
    """The derivative of a state: a dot above a letter, d/dt before a word."""
    written, head = name(text), re.split(r"[_\d]", text)[0]
    if len(head) > 1 and not re.fullmatch(GREEK, head):
        return Markup("<mfrac><mi>d</mi><mrow><mi>d</mi><mi>t</mi></mrow></mfrac>{}{}").format(TIMES, written)
    return dotted(written)


Numeral = Callable[[float], Markup | None]
"""How a number is written; None leaves it out before a factor."""


def number(value: float) -> Markup:
    """A number without its sign, large and small ones with a power of ten."""
    return _numeral(f"{abs(value):#.{DIGITS}g}".rstrip("."))


def plain(simple: Collection[float]) -> Numeral:
    """Numbers of these sizes as people write them: 10 and not 10.000, and no 1 before a factor."""

    def numeral(value: float) -> Markup | None:
        size = abs(value)
        if size not in simple:
            return number(value)
        return None if size == 1.0 else _numeral(simply_written(size))

    return numeral


def _numeral(text: str) -> Markup:
    mantissa, _, exponent = text.partition("e")
    above, _, below = mantissa.partition("/")
    if below:
        return Markup("<mfrac><mn>{}</mn><mn>{}</mn></mfrac>").format(above, below)
    written = Markup("<mn>{}</mn>").format(mantissa)
    if not exponent:
        return written
    power = Markup("{}<mn>{}</mn>").format(LEAD if int(exponent) < 0 else "", abs(int(exponent)))
    return Markup("{}<mo>·</mo><msup><mn>10</mn><mrow>{}</mrow></msup>").format(written, power)


def equation(
    left: Markup, expression: Expression, names: Sequence[Markup], numeral: Numeral = number
) -> Markup:
    """An equation as a run of `math` elements, one a term."""
    terms = list(_pieces(expression, names, numeral)) or [Markup("<mn>0</mn>")]
    parts = [Markup('{}<mo form="infix">=</mo>').format(left), *terms]
    return Markup('<span class="equation">{}</span>').format(Markup(" ").join(map(inline, parts)))


def labels(expression: Expression, names: Sequence[Markup]) -> list[Markup]:
    """For each free constant the term it multiplies; see `equation.symbolic.constant_labels`."""
    seen: set[Call] = set()

    def walk(part: Expression, call: Call | None) -> Iterator[Markup]:
        fixed_lead = call is not None and call.operation.name in HOMOGENEOUS
        for position, term in enumerate(part.terms):
            if not (fixed_lead and position == 0):
                label = Markup("<math><mrow>{}</mrow></math>").format(product(term, names))
                yield label if call is None else Markup("{} inside {}").format(label, call.operation.name)
            for base, _ in term.factors:
                if isinstance(base, Call) and base not in seen:
                    seen.add(base)
                    yield from walk(base.argument, base)

    return list(walk(expression, None))


def _pieces(expression: Expression, names: Sequence[Markup], numeral: Numeral) -> Iterator[Markup]:
    """The terms with their signs; the first one has none if it is positive."""
    for position, term in enumerate(expression.terms):
        sign = (MINUS if position else LEAD) if term.coefficient < 0 else PLUS if position else Markup("")
        yield sign + product(term, names, numeral, numeral(term.coefficient))


def _sum(expression: Expression, names: Sequence[Markup], numeral: Numeral) -> Markup:
    """A call's argument; a leading coefficient that is exactly 1 is not written."""
    pieces = list(_pieces(expression, names, numeral)) or [Markup("<mn>0</mn>")]
    if expression.terms and expression.terms[0].coefficient == 1.0 and expression.terms[0].factors:
        pieces[0] = product(expression.terms[0], names, numeral)
    return Markup("").join(pieces)


def product(
    term: Term, names: Sequence[Markup], numeral: Numeral = number, size: Markup | None = None
) -> Markup:
    """A term without its coefficient, or with `size` for it; the constant term is 1."""
    above, below = [] if size is None else [size], []
    for base, power in term.factors:
        if isinstance(base, int):
            written = names[base]
        elif base.operation.name == "inv":
            written, power = _sum(base.argument, names, numeral), -power
            written = written if power == -1 else _fenced(written)
        else:
            written = _call(base, names, numeral)
        (above if power > 0 else below).append(_raised(written, abs(power)))
    if not above:
        above = [Markup("<mn>1</mn>")]
    top = TIMES.join(above)
    if not below:
        return top
    if len(below) > 1:
        below = [_fenced(part) if "<mo>" in part else part for part in below]
    return Markup("<mfrac><mrow>{}</mrow><mrow>{}</mrow></mfrac>").format(top, TIMES.join(below))


def _call(call: Call, names: Sequence[Markup], numeral: Numeral) -> Markup:
    argument, kind = _sum(call.argument, names, numeral), call.operation.name
    if kind in ("log", "sqrt") and call.sign == 0:
        argument = _bars(argument)
    elif call.sign < 0:
        argument = LEAD + _fenced(argument)
    if kind == "sqrt":
        return Markup("<msqrt><mrow>{}</mrow></msqrt>").format(argument)
    if kind == "abs":
        return _bars(argument)
    return Markup("<mrow><mi>{}</mi>{}</mrow>").format(kind, _fenced(argument))


def _raised(written: Markup, power: int) -> Markup:
    if power == 1:
        return written
    return Markup("<msup><mrow>{}</mrow><mn>{}</mn></msup>").format(written, power)


def _fenced(written: Markup) -> Markup:
    # Only around a fraction: a fence that may stretch is set with room to spare.
    tall = "true" if "<mfrac>" in written else "false"
    return Markup('<mrow><mo stretchy="{0}">(</mo>{1}<mo stretchy="{0}">)</mo></mrow>').format(tall, written)


def _bars(written: Markup) -> Markup:
    return Markup('<mrow><mo form="prefix">|</mo>{}<mo form="postfix">|</mo></mrow>').format(written)


def inline(written: Markup) -> Markup:
    """A `math` element of its own."""
    return Markup("<math><mrow>{}</mrow></math>").format(written)
