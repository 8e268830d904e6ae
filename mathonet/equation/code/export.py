"""One door to all languages that equations are exported to."""

import difflib
from collections.abc import Callable
from pathlib import Path

from mathonet.equation.code.c import write_c
from mathonet.equation.code.julia import write_julia
from mathonet.equation.code.latex import write_latex
from mathonet.equation.code.matlab import write_matlab
from mathonet.equation.code.python import write_jax, write_numpy, write_python, write_sympy
from mathonet.equation.equation import EquationSystem
from mathonet.errors import ConfigError
from mathonet.writing import write_file

LANGUAGES: dict[str, Callable[[EquationSystem], str]] = {
    "latex": write_latex,
    "python": write_python,
    "numpy": write_numpy,
    "jax": write_jax,
    "julia": write_julia,
    "matlab": write_matlab,
    "c": write_c,
    "sympy": write_sympy,
}


def export(system: EquationSystem, to: str, path: str | Path | None = None) -> str:
    """The equations as source code, complete as it stands; written to a file where a path is given.

    The code computes what `predict` does, with every bit of the constants. Names of the data reach it only as
    identifiers made for the purpose and, quoted, in its comments.

    Raises:
        ConfigError: there is no such language, or an operation has no counterpart in it.
        ArchiveError: the file cannot be written, or one is there that is no export.
    """
    if to not in LANGUAGES:
        close = difflib.get_close_matches(str(to).lower(), LANGUAGES, n=1)
        suggestion = f" Did you mean {close[0]!r}?" if close else ""
        raise ConfigError(f"There is no export to {to!r}.{suggestion} Choose from {', '.join(LANGUAGES)}.")
    text = LANGUAGES[to](system)
    if path is not None:
        write_file(path, text, lambda beginning: b"found by mathonet" in beginning)
    return text
