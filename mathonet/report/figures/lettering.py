"""Names, numbers and expressions as mathtext, cut to the room they have.

Most functions return the inside of `$...$`; `math` puts the dollars around it. A name that is no symbol is
set as it stands, as text, with all that mathtext would take for a command escaped.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from math import inf

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from mathonet.equation.expression import Call, Expression, Term, variable
from mathonet.equation.symbolic import latex
from mathonet.report.figures.style import LABEL, styled

GREEK = (
    "alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|lambda|mu|nu|xi|pi|rho|sigma|tau|upsilon|phi|"
    "chi|psi|omega|Gamma|Delta|Theta|Lambda|Xi|Pi|Sigma|Upsilon|Phi|Psi|Omega"
)
SYMBOL = re.compile(rf"([A-Za-z]|{GREEK})(?:_?(\d{{1,3}})|_([A-Za-z]{{1,4}})|\[([+-]\d+)\])?")
MOST_LETTERS = 14
CUT = r"\cdots"
CENTRED, SIDE = r"\cdot", r"\,"
PRIME = r"\prime"
"""On the line: as a superscript, which x' would be, it is set too small and too high to be seen."""


def math(inside: str) -> str:
    """Mathtext of what the other functions return."""
    return f"${inside}$"


def name(text: str) -> str:
    """A name of the data: symbols in italics, with subscripts (x1, u_xx, u[+1]); all else as it stands.

    A derivative may be among them: primes at the end stay primes.
    """
    bare = text.rstrip("'")
    primes = PRIME * (len(text) - len(bare))
    found = SYMBOL.fullmatch(bare)
    if not found:
        return quoted(bare) + primes if bare else quoted(text)
    letter = found[1] if len(found[1]) == 1 else f"\\{found[1]}"
    below = found[2] or found[3] or found[4]
    return (f"{letter}_{{{below}}}" if below else letter) + primes


def label(text: str, room: float = inf, size: float = LABEL) -> str:
    """Text for an axis or a title: a symbol in italics, all else letter by letter, dollars included.

    A unit may follow in brackets, as in `x [m]`. What is wider than `room` inches is set in two lines, cut in
    the middle if need be.
    """
    words, unit = re.fullmatch(r"(.*?)( \[[^\[\]]*\])?", text, re.DOTALL).groups("")  # pyright: ignore[reportOptionalMemberAccess]
    if SYMBOL.fullmatch(words.rstrip("'")):
        return math(name(words)) + _plain(unit)
    if room == inf or width(_plain(text), size) <= room:
        return _plain(text)
    lines = [text]
    for most in range(len(text), 3, -1):
        lines = _halved(shortened(text, most))
        if all(width(_plain(line), size) <= room for line in lines):
            break
    return "\n".join(map(_plain, lines))


def _plain(text: str) -> str:
    return text.replace("$", r"\$")


def _halved(text: str) -> list[str]:
    """Two lines about as long, broken at a space; one where there is none."""
    spaces = [found.start() for found in re.finditer(" ", text)]
    if not spaces:
        return [text]
    at = min(spaces, key=lambda place: abs(place - len(text) / 2))
    return [text[:at], text[at + 1 :]]


def shortened(text: str, most: int) -> str:
    """Long texts without their middle: names often differ at their ends."""
    if len(text) <= most:
        return text
    tail = (most - 1) // 3
    return f"{text[: most - 1 - tail].rstrip()}…{text[len(text) - tail :].lstrip()}"


def quoted(text: str) -> str:
    """Text inside mathtext, as it stands; long texts are cut."""
    shown = re.sub(r"\s+", " ", text).strip() or "?"
    shown = shortened(shown, MOST_LETTERS)
    if re.fullmatch(r"[A-Za-z]+", shown):
        return rf"\mathrm{{{shown}}}"
    # pyparsing takes a backslash for an escape even of letters, so it is shown by its twin.
    escaped = re.sub(r"([${}])", r"\\\1", shown.replace("\\", "∖"))
    return rf"\text{{{escaped}}}"


def rate(target: str, field: bool = False) -> str:
    """The derivative that an equation gives: x' of every state, and u_t for a field."""
    if field:
        plain = SYMBOL.fullmatch(target) and "_" not in name(target)
        return f"{name(target)}_t" if plain else rf"\partial_t\, {name(target)}"
    return (f"({name(target)})" if re.search(r"\s", target.strip()) else name(target)) + PRIME


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
    # Between words a dot shows where one ends.
    worded = [r"\text" in name or r"\mathrm" in name for name in names]
    pair = r"(Q_\{(\d+)\}(?:\^\{\d+\})?) \\, (?=Q_\{(\d+)\})"
    written = re.sub(
        pair,
        lambda found: f"{found[1]} {CENTRED if worded[int(found[2])] or worded[int(found[3])] else SIDE} ",
        written,
    )
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
