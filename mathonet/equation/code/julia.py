"""Equations as Julia, in the form f!(dx, x, p, t) of DifferentialEquations.jl."""

from mathonet.equation.code.identifier import quoted
from mathonet.equation.code.source import INDENT, Language, header, source_of
from mathonet.equation.equation import EquationSystem

# fmt: off
WORDS = frozenset({
    "baremodule", "begin", "break", "catch", "const", "continue", "do", "else", "elseif", "end", "export",
    "false", "finally", "for", "function", "global", "if", "import", "in", "isa", "let", "local", "macro",
    "module", "outer", "public", "quote", "return", "struct", "true", "try", "using", "where", "while",
    "abstract", "mutable", "primitive", "type",
})
NAMES = frozenset({
    "sin", "cos", "tan", "exp", "log", "sqrt", "tanh", "abs", "sign", "max", "min", "pi", "im", "isfinite",
    "oftype", "NaN", "Inf", "DomainError", "Number", "AbstractArray", "Tuple", "Union", "rethrow",
    "erf", "atan", "asin", "acos", "sinh", "cosh", "floor", "ceil",
})
# fmt: on

# Julia raises a DomainError where `predict` has a nan.
_GUARDS = {
    **{
        f"real_{name}": f"real_{name}(h) = isfinite(h) ? {name}(h) : oftype(h, NaN)"
        for name in ("sin", "cos", "tan")
    },
    **{f"real_{name}": f"real_{name}(h) = h < 0 ? oftype(h, NaN) : {name}(h)" for name in ("log", "sqrt")},
}
JULIA = Language(
    "Julia",
    "#",
    WORDS | NAMES | {"f", "p", "t", "h", "state", "input", "dxdt"},
    {
        **{name: f"real_{name}" for name in ("sin", "cos", "tan", "log", "sqrt")},
        **{name: name for name in ("exp", "tanh", "abs")},
    },
    _GUARDS,
    "julia",
    power=lambda base, n: base if n == 1 else f"{base}^{n}",
)


def write_julia(system: EquationSystem) -> str:
    """A function f!(dxdt, state, p, t), with the inputs in p: values, or a function of t."""
    source = source_of(system, JULIA)
    usage = ["For DifferentialEquations.jl: ODEProblem(f!, x0, (t0, t1), p); f!(dx, x, p, t) writes to dx."]
    usage.append(
        "p holds the inputs: an array, or a function of t that gives one."
        if source.inputs
        else "p is not read: there are no inputs."
    )
    own = [
        f"{name}(h) = try\n{INDENT}{body}\ncatch error\n"
        f"{INDENT}error isa DomainError ? oftype(h, NaN) : rethrow()\nend"
        for name, body in source.own.items()
    ]
    body = ["function f!(dxdt, state, p, t)"]
    body += [f"{INDENT}{name} = state[{i}]" for i, name in enumerate(source.states, 1)]
    if source.inputs:
        body.append(f"{INDENT}input = p isa Union{{Number, AbstractArray, Tuple}} ? p : p(t)")
        body += [f"{INDENT}{name} = input[{i}]" for i, name in enumerate(source.inputs, 1)]
    body += [
        f"{INDENT}dxdt[{i}] = {rate}  # {quoted(name)}"
        for i, (rate, name) in enumerate(zip(source.rates, system.names, strict=True), 1)
    ]
    body += [f"{INDENT}return nothing", "end"]
    comments = "\n".join(header(system, JULIA, source, usage))
    blocks = [comments, "\n".join([*source.guards(JULIA), *own]), "\n".join(body) + "\n"]
    return "\n\n".join(block for block in blocks if block)
