"""A user's own operation in other languages: SymPy's code printers on its symbolic face."""

import re
from dataclasses import dataclass

import sympy
from sympy.printing.c import C99CodePrinter
from sympy.printing.codeprinter import CodePrinter, PrintMethodNotImplementedError
from sympy.printing.julia import JuliaCodePrinter
from sympy.printing.numpy import JaxPrinter, SciPyPrinter
from sympy.printing.octave import OctaveCodePrinter
from sympy.printing.pycode import PythonCodePrinter

from mathonet.errors import ConfigError
from mathonet.operations import Operation

ARGUMENT = sympy.Symbol("h")


@dataclass(frozen=True)
class Face:
    """The right-hand side of an operation as code in `h`, and the modules it needs."""

    text: str
    imports: frozenset[str] = frozenset()


class _Exact(CodePrinter):
    """Numbers with every bit; SymPy's own printers round some to 15 digits."""

    def _print_Float(self, expr: sympy.Float) -> str:  # noqa: N802, SymPy finds it by this name
        return repr(float(expr))


class _Python(_Exact, PythonCodePrinter):
    pass


class _NumPy(_Exact, SciPyPrinter):
    pass


class _Jax(_Exact, JaxPrinter):
    pass


class _C(_Exact, C99CodePrinter):
    pass


class _Julia(_Exact, JuliaCodePrinter):
    pass


class _Matlab(_Exact, OctaveCodePrinter):
    pass


_PRINTERS = {
    "python": lambda: _Python(),
    "numpy": lambda: _NumPy(),
    # SymPy takes these from `math`, which knows no arrays.
    "jax": lambda: _Jax(
        {"user_functions": {"erf": "jax.scipy.special.erf", "erfc": "jax.scipy.special.erfc"}}
    ),
    "c": lambda: _C(),
    "julia": lambda: _Julia(),
    "matlab": lambda: _Matlab(),
}


def face_of(operation: Operation, printer: str, language: str) -> Face:
    """The operation as code of a language, in the one argument `h`.

    Raises:
        ConfigError: SymPy does not know how the language writes it.
    """
    face = sympy.sympify(operation.symbolic(ARGUMENT), strict=True)
    if printer == "sympy":
        return Face(_qualified(sympy.srepr(face)), frozenset({"sympy"}))
    # Named constants are not in every language's standard: M_PI is none of C's.
    face = face.xreplace({symbol: symbol.evalf(20) for symbol in face.atoms(sympy.NumberSymbol)})
    made = _PRINTERS[printer]()
    try:
        text = str(made.doprint(face))
    except PrintMethodNotImplementedError as error:
        raise ConfigError(
            f"The operation {operation.name!r} cannot be written in {language}: {face} has no "
            "counterpart there. Export to Python's sympy, or to another language."
        ) from error
    modules = getattr(made, "module_imports", {})
    imports = {*modules, *re.findall(r"jax\.scipy\.special", text)}
    return Face(" ".join(text.split()), frozenset(imports))


def _qualified(text: str) -> str:
    """SymPy's own representation with `sympy.` before its names, but not inside strings or for keywords."""
    parts = re.split(r"('[^']*')", text)
    names = re.compile(r"\b([A-Za-z_]\w*)(?!\w*=)")
    named = [part if place % 2 else names.sub(r"sympy.\1", part) for place, part in enumerate(parts)]
    # The cases of a Piecewise are plain pairs; the name SymPy gives them is not public.
    return "".join(named).replace("sympy.Symbol('h')", "h").replace("sympy.ExprCondPair(", "(")
