"""Equations as MathML Core, which browsers set by themselves: no script, no font, nothing to load.

An equation is one `math` element a term, so that a long one is broken between its terms on a narrow screen;
MathML itself does not break lines. Names of the data are escaped; all functions return `Markup`.

Nothing here needs a font of mathematics. A derivative is a prime on the line: a dot above a letter is lost
where such a font is missing. Letters are slanted by style, since browsers would replace them by mathematical
letters, which text fonts lack.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import islice, pairwise

from markupsafe import Markup

from mathonet.equation.expression import HOMOGENEOUS, Call, Expression, Term
from mathonet.equation.simple_numbers import written as simply_written
from mathonet.equation.symbolic import DIGITS
from mathonet.report.figures.lettering import GREEK

TIMES, DOT = (
    Markup("<mspace width='0.2em'/>"),
    Markup('<mo form="infix" lspace="0.2em" rspace="0.2em">·</mo>'),
)
CUT, EMPTY = Markup("<mi>…</mi>"), Markup("")
MOST_TERMS, MOST_INSIDE = 12, 8
"""Terms of a sum, and of an argument, that can be taken in; of longer ones fewer are shown."""
LETTER = '<mi mathvariant="normal" style="font-style:italic">{}</mi>'
LEAD, MINUS, PLUS = (
    Markup('<mo form="prefix">−</mo>'),
    Markup('<mo form="infix">−</mo>'),
    Markup('<mo form="infix">+</mo>'),
)


def name(text: str, mark: Markup = EMPTY) -> Markup:
    """A name of the data: letters in italics, Greek by name, `x1` and `x_1` with an index; words as such.

    Args:
        text: the name.
        mark: what follows it, before the number in its index.
    """
    neighbour = re.fullmatch(r"(.+)\[([+-]\d+)\]", text)
    if neighbour:
        sign = LEAD if neighbour[2][0] == "-" else Markup('<mo form="prefix">+</mo>')
        below = Markup("{}<mn>{}</mn>").format(sign, neighbour[2][1:])
        return Markup("<msub><mrow>{}</mrow><mrow>{}</mrow></msub>").format(name(neighbour[1], mark), below)
    indexed = re.fullmatch(rf"([^\W\d_]|{GREEK})_*(\d+)|([^\W\d_]|{GREEK})_+(.+)|(\S*[^\W\d])_+(\d+)", text)
    if not indexed:
        return _marked(_word(text.strip() or text), mark)
    head, index = (part for part in indexed.groups() if part)
    below = Markup("<mo>,</mo>").join(_word(part) for part in index.split("_") if part)
    inside, outside = (mark, EMPTY) if index.isdecimal() else (EMPTY, mark)
    base = Markup("<msub>{}<mrow>{}</mrow></msub>").format(_marked(_word(head), inside), below or _word("_"))
    return _marked(base, outside)


def _marked(written: Markup, mark: Markup) -> Markup:
    if not mark:
        return written
    return Markup("<mrow>{}{}</mrow>").format(_fenced(written) if _several_words(written) else written, mark)


def _word(text: str) -> Markup:
    if re.fullmatch(GREEK, text):
        size = "SMALL" if text.islower() else "CAPITAL"
        text = unicodedata.lookup(f"GREEK {size} LETTER {text.upper().replace('LAMBDA', 'LAMDA')}")
    if text.isdecimal():
        return Markup("<mn>{}</mn>").format(text)
    letter = len(text) == 1 and text.isalpha()
    return Markup(LETTER if letter else "<mi>{}</mi>").format(text)


def rate(text: str, times: int = 1) -> Markup:
    """The derivative of a state by time, or the second one: its name with a prime, or with two."""
    prime = '<mo class="prime" style="font-weight:bold" form="postfix" lspace="0.05em" rspace="0">{}</mo>'
    return name(text, Markup(prime).format("′″"[times - 1]))


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
    """An equation as a run of `math` elements, one a term; see `is_cut` for long ones."""
    terms = list(islice(_pieces(expression, names, numeral), _shown(expression, MOST_TERMS)))
    parts = [Markup('{}<mo form="infix">=</mo>').format(left), *(terms or [Markup("<mn>0</mn>")])]
    if len(terms) < len(expression.terms):
        parts.append(PLUS + CUT)
    return _lines(parts)


def _lines(parts: Sequence[Markup]) -> Markup:
    """Parts one after the other, in as many lines as they need."""
    pieces = (inline(piece) for part in parts for piece in _breakable(part))
    return Markup('<span class="equation">{}</span>').format(Markup(" ").join(pieces))


def _breakable(term: Markup) -> list[Markup]:
    """A term in pieces between which a line may end: before the dots of its outermost product."""
    pieces, depth = [Markup("")], 0
    for place, part in enumerate(term.split(DOT)):
        if place:
            pieces[-1:] = [pieces[-1] + DOT] if depth else [pieces[-1], DOT]
        pieces[-1] += part
        depth += len(re.findall(r"<m[a-z]+(?:\s[^>]*)?(?<!/)>", part)) - part.count("</m")
    return pieces


def is_cut(expression: Expression) -> bool:
    """Whether an equation is too long to be set whole; dots stand for what is left out then."""
    return len(expression.terms) > MOST_TERMS or any(
        len(call.argument.terms) > MOST_INSIDE for call in expression.calls()
    )


def _shown(expression: Expression, most: int) -> int:
    """How many terms to show: all, or some that leave a glance at the form."""
    return len(expression.terms) if len(expression.terms) <= most else most // 2


def labels(expression: Expression, names: Sequence[Markup]) -> list[Markup]:
    """For each free constant the term it multiplies; see `equation.symbolic.constant_labels`."""
    seen: set[Call] = set()

    def walk(part: Expression, call: Call | None) -> Iterator[Markup]:
        fixed_lead = call is not None and call.operation.name in HOMOGENEOUS
        for position, term in enumerate(part.terms):
            if not (fixed_lead and position == 0):
                label = written(term, names)
                yield label if call is None else Markup("{} inside {}").format(label, call.operation.name)
            for base, _ in term.factors:
                if isinstance(base, Call) and base not in seen:
                    seen.add(base)
                    yield from walk(base.argument, base)

    return list(walk(expression, None))


def written(term: Term, names: Sequence[Markup]) -> Markup:
    """A term without its coefficient, to stand alone."""
    return _lines([product(term, names)])


def _pieces(expression: Expression, names: Sequence[Markup], numeral: Numeral) -> Iterator[Markup]:
    """The terms with their signs; the first one has none if it is positive."""
    for position, term in enumerate(expression.terms):
        sign = (MINUS if position else LEAD) if term.coefficient < 0 else PLUS if position else Markup("")
        yield sign + product(term, names, numeral, numeral(term.coefficient))


def _sum(expression: Expression, names: Sequence[Markup], numeral: Numeral) -> Markup:
    """A call's argument; a leading coefficient that is exactly 1 is not written."""
    count = _shown(expression, MOST_INSIDE)
    pieces = list(islice(_pieces(expression, names, numeral), count)) or [Markup("<mn>0</mn>")]
    if expression.terms and expression.terms[0].coefficient == 1.0 and expression.terms[0].factors:
        pieces[0] = product(expression.terms[0], names, numeral)
    if count < len(expression.terms):
        pieces.append(PLUS + CUT)
    return Markup("").join(pieces)


def product(
    term: Term, names: Sequence[Markup], numeral: Numeral = number, size: Markup | None = None
) -> Markup:
    """A term without its coefficient, or with `size` for it; the constant term is 1."""
    above, below = [] if size is None else [size], []
    for base, power in term.factors:
        if isinstance(base, int):
            written = names[base]
            if power not in (1, -1) and _several_words(written):
                written = _fenced(written)
        elif base.operation.name == "inv":
            written, power = _sum(base.argument, names, numeral), -power
            written = written if power == -1 else _fenced(written)
        else:
            written = _call(base, names, numeral)
        (above if power > 0 else below).append(_raised(written, abs(power)))
    if not above:
        above = [Markup("<mn>1</mn>")]
    top = _joined(above)
    if not below:
        return top
    if len(below) > 1:
        below = [_fenced(part) if "<mo>" in part else part for part in below]
    return Markup("<mfrac><mrow>{}</mrow><mrow>{}</mrow></mfrac>").format(top, _joined(below))


def _joined(factors: Sequence[Markup]) -> Markup:
    """A product: letters stand side by side, between words is a dot, which shows where one ends."""
    joined = factors[0]
    for before, after in pairwise(factors):
        words = _worded(after) and not before.startswith("<mn>")
        joined += (DOT if words or _worded(before) else TIMES) + after
    return joined


def _worded(written: Markup) -> bool:
    """Whether a factor is a name of more than a letter, with or without an index or a power."""
    return bool(re.match(r"(<(msub|msup|mrow)>)*<mi>[^<]{2,}</mi>(?!<mrow><mo)", written))


def _several_words(written: Markup) -> bool:
    return bool(re.search(r"<mi>[^<]*\s[^<]*</mi>", written))


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
