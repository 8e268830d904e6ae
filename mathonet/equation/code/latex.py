r"""Equations as a LaTeX document, or a block that is copied into another.

It compiles as it stands with pdfLaTeX for names in Latin and Greek letters. Names in other scripts need an
engine and a font that have them; the document says so then.
"""

import re
from dataclasses import replace
from importlib.metadata import version

from mathonet.equation.code.identifier import visible
from mathonet.equation.code.source import commented
from mathonet.equation.equation import EquationSystem
from mathonet.equation.latex_name import greek_name
from mathonet.equation.symbolic import MOST_DIGITS

FOREIGN = (
    "pdfLaTeX has no letters for some of the names: use LuaLaTeX, with a font that has them, as in",
    r"  \usepackage{fontspec}\setmainfont{...}",
)
_WORD = re.compile(r"\\mathrm\{((?:[^{}\\]|\\[a-z]+\{\}|\\.(?:\{\})?)*)\}")
_MARK = re.compile(r"\\(?:backslash|wedge|sim)\{\}")
_LATIN = 0x180
"""Letters before this one are Latin, with or without accents."""


def write_latex(system: EquationSystem) -> str:
    """A document with one aligned block; all digits of the constants stand in its comments."""
    shown = replace(
        system,
        equations=tuple(
            replace(each, target=visible(each.target), inputs=tuple(map(visible, each.inputs)))
            for each in system.equations
        ),
    )
    block = _WORD.sub(lambda found: found[0] if found[0].isascii() else _as_text(found[1]), shown.latex())
    lines = [
        f"Equations found by mathonet {version('mathonet')}, exported as LaTeX. With every digit:",
        "",
        *(f"  {equation.text(MOST_DIGITS)}" for equation in shown.equations),
        *(FOREIGN if any(ord(letter) >= _LATIN for letter in block) else ()),
    ]
    comments = "\n".join(commented("%", line) for line in lines)
    return (
        f"{comments}\n\\documentclass{{article}}\n\\usepackage{{amsmath}}\n\\begin{{document}}\n"
        f"\\[\n{block}\n\\]\n\\end{{document}}\n"
    )


def _as_text(word: str) -> str:
    """A word with letters that fonts of formulas do not have; Greek ones they do."""
    word = _MARK.sub(lambda mark: f"${mark[0]}$", word)
    letters = ((letter, greek_name(letter)) for letter in word)
    return r"\text{" + "".join(letter if name is None else f"$\\{name}$" for letter, name in letters) + "}"
