r"""Names of states and inputs in LaTeX, whatever the user's table calls them.

`x` stays a letter, `x1` and `x_1` get an index, `alpha` is a Greek letter, `dose_mg` is set upright as
`\mathrm{dose}_{\mathrm{mg}}`, and marks such as % or & are escaped, so that every name is valid.
"""

import re
import unicodedata

# fmt: off
_GREEK = frozenset({
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu",
    "nu", "xi", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega",
    "Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Upsilon", "Phi", "Psi", "Omega",
})
# fmt: on
_MARKS = {
    **{mark: f"\\{mark}" for mark in "$%&_{} "},
    "#": r"\#{}",
    "\\": r"\backslash{}",
    "^": r"\wedge{}",
    "~": r"\sim{}",
    '"': "''",
    "`": "'",
}


def latex_name(name: str) -> str:
    """A name in math mode: letter or word, with what follows underscores or a letter's digits as an index."""
    head, *rest = [part for part in name.strip().split("_") if part] or [name]
    indexed = re.fullmatch(r"([^\W\d_]+)(\d+)", head)
    if indexed and (len(indexed[1]) == 1 or indexed[1] in _GREEK):
        head, rest = indexed[1], [indexed[2], *rest]
    # A bare number as a name must not be read as a factor.
    base = rf"\mathrm{{{head}}}" if head.isdecimal() else _word(head)
    index = ",".join(map(_word, rest))
    return f"{base}_{{{index}}}" if index else base


def escaped(text: str) -> str:
    r"""Text with every mark that LaTeX would act upon written as itself, for \mathrm and the like."""
    # A line break is a space like any other: two of them would end the formula.
    return "".join(_MARKS.get(" " if mark.isspace() else mark, mark) for mark in text)


def _word(text: str) -> str:
    """A single letter in italics, numbers as they are, Greek letters by name, all else upright."""
    if text in _GREEK:
        return f"\\{text}"
    if text.isascii() and (text.isdecimal() or (len(text) == 1 and text.isalpha())):
        return text
    if len(text) == 1:
        greek = greek_name(text)
        if greek is not None:
            return f"\\{greek}"
    return rf"\mathrm{{{escaped(text)}}}"


def greek_name(letter: str) -> str | None:
    """The name of a Greek letter such as θ, or of the micro sign, as LaTeX has it; None for all others."""
    plain = unicodedata.normalize("NFKC", letter)
    words = unicodedata.name(plain, "").split() if len(plain) == 1 else []
    if len(words) != 4 or words[0] != "GREEK" or words[2] != "LETTER":
        return None
    name = "lambda" if words[3] == "LAMDA" else words[3].lower()
    name = name if words[1] == "SMALL" else name.capitalize()
    return name if name in _GREEK else None
