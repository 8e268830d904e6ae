"""Names, numbers and expressions as mathtext, cut to the room they have.

Most functions return the inside of `$...$`; `math` puts the dollars around it. A name that is no symbol is
set as it stands, as text, with all that mathtext would take for a command escaped.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from mathonet.equation.expression import Call, Expression, Term, variable
from mathonet.equation.symbolic import latex
from mathonet.report.style import styled

GREEK = (
    "alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|lambda|mu|nu|xi|pi|rho|sigma|tau|upsilon|phi|"
    "chi|psi|omega|Gamma|Delta|Theta|Lambda|Xi|Pi|Sigma|Upsilon|Phi|Psi|Omega"
)
SYMBOL = re.compile(rf"([A-Za-z]|{GREEK})(?:_?(\d{{1,3}})|_([A-Za-z]{{1,4}})|\[([+-]\d+)\])?")
MOST_LETTERS = 14
CUT = r"\cdots"


def math(inside: str) -> str:
    """Mathtext of what the other functions return."""
    return f"${inside}$"


def name(text: str) -> str:
    """A name of the data: symbols in italics, with subscripts (x1, u_xx, u[+1]); all else as it stands."""
    found = SYMBOL.fullmatch(text)
    if not found:
        return quoted(text)
    letter = found[1] if len(found[1]) == 1 else f"\\{found[1]}"
    below = found[2] or found[3] or found[4]
    return f"{letter}_{{{below}}}" if below else letter


def label(text: str) -> str:
    """Text for an axis or a title: a symbol in italics, all else letter by letter, dollars included."""
    return math(name(text)) if SYMBOL.fullmatch(text) else text.replace("$", r"\$")


def quoted(text: str) -> str:
    """Text inside mathtext, as it stands; long texts are cut."""
    shown = re.sub(r"\s+", " ", text).strip() or "?"
    if len(shown) > MOST_LETTERS:
        shown = shown[: MOST_LETTERS - 1] + "…"
    if re.fullmatch(r"[A-Za-z]+", shown):
        return rf"\mathrm{{{shown}}}"
    # pyparsing takes a backslash for an escape even of letters, so it is shown by its twin.
    escaped = re.sub(r"([${}])", r"\\\1", shown.replace("\\", "∖"))
    return rf"\text{{{escaped}}}"


def rate(target: str, field: bool = False) -> str:
    """The derivative that an equation gives: a dot on symbols, d/dt of words, and u_t for a field."""
    letter, _, below = name(target).partition("_")
    if not SYMBOL.fullmatch(target):
        return rf"\partial_t\, {name(target)}" if field else rf"d\, {name(target)} / dt"
    if field:
        return rf"\partial_t\, {name(target)}" if below else f"{letter}_t"
    return rf"\dot{{{letter}}}_{below}" if below else rf"\dot{{{letter}}}"


def figure_of(value: float, digits: int = 3) -> str:
    """A number: 2.67, -0.00123, 1.20 10^-7."""
    mantissa, _, exponent = f"{value:#.{digits}g}".partition("e")
    mantissa = mantissa.rstrip(".")
    return rf"{mantissa} \cdot 10^{{{int(exponent)}}}" if exponent else mantissa


def equation(
    expression: Expression | None,
    names: Sequence[str],
    lead: str,
    room: float,
    size: float,
    lines: int = 2,
    digits: int = 3,
) -> list[str]:
    """An equation as lines of mathtext that fit; None stands for an expression that nobody could read."""
    if expression is None:
        return [math(lead + r"\mathrm{too\ many\ terms\ to\ write}")]
    # Of hundreds of terms no more than these could fit, and each takes a millisecond to set.
    pieces = [
        (_signed(term, _latexed(term, names, digits)), _signed(term, _short(term, names, digits)))
        for term in expression.terms[: 12 * lines]
    ]
    return fitted(pieces, lead, room, size, lines, len(expression.terms) - len(pieces))


def _latexed(term: Term, names: Sequence[str], digits: int) -> str:
    """A term without its sign."""
    single = Expression((Term(abs(term.coefficient), term.factors),))
    # Names of the data could hold anything; SymPy only sees placeholders.
    written = latex(single, [f"Q{i}" for i in range(len(names))], digits)
    written = written.replace(r"\left|", "|").replace(r"\right|", "|")
    return re.sub(r"Q_\{(\d+)\}", lambda found: names[int(found[1])], written)


def _signed(term: Term, body: str) -> str:
    return f"- {body}" if term.coefficient < 0 else f"+ {body}"


def _short(term: Term, names: Sequence[str], digits: int) -> str:
    extended = list(names)

    def shorten(call: Call) -> Expression:
        label = {"inv": rf"({CUT})^{{-1}}", "abs": f"|{CUT}|"}.get(call.operation.name)
        extended.append(label or rf"{function(call.operation.name)}({CUT})")
        return variable(len(extended) - 1)

    return _latexed(Expression((term,)).rebuild(variable, shorten).terms[0], extended, digits)


def function(operation: str) -> str:
    """The name of an operation as a function."""
    known = {"sin", "cos", "tan", "exp", "log", "tanh"}
    return rf"\{operation}" if operation in known else quoted(operation)


def fitted(
    pieces: Sequence[tuple[str, str]],
    lead: str = "",
    room: float = 3.0,
    size: float = 7.5,
    lines: int = 2,
    hidden: int = 0,
    counted: bool = True,
) -> list[str]:
    """A sum as lines of mathtext at most `room` inches wide: all its terms, or as many as `lines` will hold.

    Args:
        pieces: terms in full and in short, each with its sign.
        lead: what stands before the sum, such as `x' = `.
        room: in inches.
        size: of the type, in points.
        lines: at most.
        hidden: further terms of the sum that are not among the pieces.
        counted: whether a sum that is cut says how many terms follow.
    """
    if not pieces:
        return [math(f"{lead}0")]
    for count in range(_most(pieces, room * lines, size), -1, -1):
        left = len(pieces) + hidden - count
        end = [] if not left else [_more(left, count > 0, counted)]
        for form in (0, 1):
            found = _broken([*(piece[form] for piece in pieces[:count]), *end], lead, room, size)
            if len(found) <= lines and all(width(math(line), size) <= room for line in found):
                return [math(line) for line in found]
    return [math(f"{lead}{_more(len(pieces) + hidden, False, counted)}")]


def _most(pieces: Sequence[tuple[str, str]], room: float, size: float) -> int:
    """More terms than that cannot fit, even in short."""
    used = 0.0
    for count, (_, short) in enumerate(pieces):
        used += width(math(short), size)
        if used > room:
            return count
    return len(pieces)


def _broken(parts: list[str], lead: str, room: float, size: float) -> list[str]:
    """Terms in lines, each filled before the next is begun."""
    first = parts[0][2:] if parts[0].startswith("+ ") else parts[0].replace("- ", "-", 1)
    written, indent = [f"{lead}{first}"], r"\quad " if lead else ""
    for part in parts[1:]:
        longer = f"{written[-1]} {part}"
        if width(math(longer), size) <= room:
            written[-1] = longer
        else:
            # Without something before it a sign is set without its space.
            written.append(f"{indent}{part}" if indent else f"{part[0]}\\ {part[2:]}")
    return written


def _more(count: int, sign: bool, counted: bool) -> str:
    """The remark that a sum goes on."""
    if not counted:
        return f"+ {CUT}"
    return rf"+ {CUT}\ \mathrm{{({count}\ more)}}" if sign else rf"\mathrm{{{count}\ terms}}"


@lru_cache(maxsize=4096)
@styled
def width(text: str, size: float) -> float:
    """Width in inches of a text as this style sets it."""
    # A canvas of a few pixels: the whole of it is allotted each time, and type may run over its edge.
    figure = Figure(figsize=(0.1, 0.1), dpi=288)
    renderer = FigureCanvasAgg(figure).get_renderer()
    return figure.text(0, 0, text, fontsize=size).get_window_extent(renderer).width / 288
