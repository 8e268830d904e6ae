"""Equations as a plain C99 function."""

from mathonet.equation.code.identifier import quoted
from mathonet.equation.code.source import INDENT, Language, header, source_of
from mathonet.equation.equation import EquationSystem

# fmt: off
WORDS = frozenset({
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern",
    "float", "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return", "short",
    "signed", "sizeof", "static", "struct", "switch", "typedef", "union", "unsigned", "void",
    "volatile", "while",
    "asm", "bool", "true", "false", "complex", "near", "far", "linux", "unix",
    # C++ compiles the file as well.
    "alignas", "alignof", "and", "bitand", "bitor", "catch", "class", "compl", "concept", "consteval",
    "constexpr", "decltype", "delete", "dynamic_cast", "explicit", "export", "friend", "module", "mutable",
    "namespace", "new", "noexcept", "not", "nullptr", "operator", "or", "private", "protected", "public",
    "requires", "template", "this", "throw", "try", "typeid", "typename", "using", "virtual", "xor",
})
MATH = frozenset({
    "sin", "cos", "tan", "exp", "log", "sqrt", "pow", "tanh", "fabs", "acos", "asin", "atan", "atan2", "cosh",
    "sinh", "log10", "log2", "exp2", "expm1", "log1p", "cbrt", "hypot", "erf", "erfc", "tgamma", "lgamma",
    "ceil", "floor", "round", "trunc", "fmod", "fmax", "fmin", "j0", "j1", "jn", "y0", "y1", "yn", "gamma",
    "signgam", "NAN", "INFINITY", "isnan", "isinf", "isfinite",
})
# fmt: on

C = Language(
    "C99",
    "//",
    WORDS | MATH | {"f", "t", "h", "state", "input", "dxdt"},
    {**{name: name for name in ("sin", "cos", "tan", "exp", "log", "sqrt", "tanh")}, "abs": "fabs"},
    {},
    "c",
    power=lambda base, n: base if n == 1 else f"pow({base}, {n})",
)


def write_c(system: EquationSystem) -> str:
    """A function `void f(double t, const double *state, const double *input, double *dxdt)`."""
    source = source_of(system, C)
    inputs = "the inputs at time t" if source.inputs else "not read and may be NULL: there are no inputs"
    usage = [
        "f writes the derivatives of the states to `dxdt`; `input` is " + inputs + ".",
        "Link with -lm, compile without -ffast-math: infinities and nans have a meaning here.",
    ]
    own = [
        f"static double {name}(double h) {{\n{INDENT}return {body};\n}}\n"
        for name, body in source.own.items()
    ]
    places = [f"state[{i}]" for i in range(len(source.states))]
    places += [f"input[{i}]" for i in range(len(source.inputs))]
    names = zip((*source.states, *source.inputs), places, source.used(), strict=True)
    body = [
        "void f(double t, const double *state, const double *input, double *dxdt) {",
        f"{INDENT}(void)t;",
        *([] if any(source.used()[: len(source.states)]) else [f"{INDENT}(void)state;"]),
        *([] if any(source.used()[len(source.states) :]) else [f"{INDENT}(void)input;"]),
        *(f"{INDENT}const double {name} = {place};" for name, place, used in names if used),
        *(
            f"{INDENT}dxdt[{place}] = {rate};  // {quoted(name)}"
            for place, (rate, name) in enumerate(zip(source.rates, system.names, strict=True))
        ),
        "}",
    ]
    comments = "\n".join(header(system, C, source, usage))
    return "\n\n".join([comments, "#include <math.h>", *own, "\n".join(body) + "\n"])
