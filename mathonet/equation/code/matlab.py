"""Equations as a MATLAB (or Octave) function file for ode45."""

from mathonet.equation.code.identifier import quoted
from mathonet.equation.code.source import INDENT, Language, header, source_of
from mathonet.equation.equation import EquationSystem

# fmt: off
WORDS = frozenset({
    "break", "case", "catch", "classdef", "continue", "else", "elseif", "end", "for", "function", "global",
    "if", "otherwise", "parfor", "persistent", "return", "spmd", "switch", "try", "while",
    # Octave's own.
    "do", "until", "end_try_catch", "endfunction", "endif", "endfor", "endwhile", "endswitch",
    "unwind_protect", "endmethods", "endclassdef", "unwind_protect_cleanup", "end_unwind_protect",
    "endparfor", "enumeration", "events", "methods", "properties",
})
NAMES = frozenset({
    "sin", "cos", "tan", "exp", "log", "sqrt", "tanh", "abs", "sign", "max", "min", "pi", "real", "imag",
    "zeros", "size", "NaN", "Inf", "i", "j", "e", "eps", "ans", "erf", "atan", "asin", "acos", "sinh", "cosh",
    "floor", "ceil", "heaviside", "gamma",
})
# fmt: on

# MATLAB goes on in complex numbers where `predict` has a nan.
_GUARDS = {
    f"real_{name}": f"function y = real_{name}(h)\n    y = NaN(size(h));\n    ok = h >= 0;\n"
    f"    y(ok) = {name}(h(ok));\nend"
    for name in ("log", "sqrt")
}
MATLAB = Language(
    "MATLAB",
    "%",
    WORDS | NAMES | {"f", "t", "h", "y", "ok", "state", "input", "dxdt"},
    {
        **{name: f"real_{name}" for name in ("log", "sqrt")},
        **{name: name for name in ("sin", "cos", "tan", "exp", "tanh", "abs")},
    },
    _GUARDS,
    "matlab",
    times=" .* ",
    power=lambda base, n: base if n == 1 else f"{base}.^{n}",
    fraction=lambda top, bottom, bare: f"{top} ./ {bottom}" if bare else f"{top} ./ ({bottom})",
)


def write_matlab(system: EquationSystem) -> str:
    """A function dxdt = f(t, state, input), one column a point, so that ode45 may call it on many at once."""
    source = source_of(system, MATLAB)
    call = "@(t, x) f(t, x, u(t))" if source.inputs else "@f"
    usage = [
        "Save it as f.m. It gives the derivatives of a column of states, or of many columns at once.",
        f"For example: [t, x] = ode45({call}, [t0 t1], x0);",
    ]
    if source.inputs:
        usage.append("where u is a function of t that gives a column of inputs.")
    body = ["function dxdt = f(t, state, input)"]
    body += [f"{INDENT}{name} = state({i}, :);" for i, name in enumerate(source.states, 1)]
    body += [f"{INDENT}{name} = input({i}, :);" for i, name in enumerate(source.inputs, 1)]
    body.append(f"{INDENT}dxdt = zeros(size(state));")
    body += [
        f"{INDENT}dxdt({i}, :) = {rate};  % {quoted(name)}"
        for i, (rate, name) in enumerate(zip(source.rates, system.names, strict=True), 1)
    ]
    body.append("end")
    own = [
        f"function y = {name}(h)\n{INDENT}y = {body_};\n{INDENT}ok = imag(y) == 0;\n"
        f"{INDENT}y = real(y);\n{INDENT}y(~ok) = NaN;\nend"
        for name, body_ in source.own.items()
    ]
    comments = "\n".join(header(system, MATLAB, source, usage))
    return "\n\n".join([comments, "\n".join(body), *source.guards(MATLAB), *own]) + "\n"
