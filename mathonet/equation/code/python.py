"""Equations as Python: plain (standard library only), NumPy, JAX, and SymPy expressions."""

import builtins
import keyword
from collections.abc import Sequence

from mathonet.equation.code.identifier import quoted
from mathonet.equation.code.source import INDENT, Language, Source, header, source_of
from mathonet.equation.equation import EquationSystem

WORDS = frozenset({*keyword.kwlist, *keyword.softkwlist, *dir(builtins)})
USED = frozenset(
    {"f", "dx", "shape", "rates", "np", "jnp", "jax", "numpy", "scipy", "functools", "math", "h"}
)

# Python raises where IEEE arithmetic, and `predict`, have an infinity or a nan.
_GUARDS = {
    "_sin": "def _sin(h):\n    return math.sin(h) if math.isfinite(h) else math.nan\n",
    "_cos": "def _cos(h):\n    return math.cos(h) if math.isfinite(h) else math.nan\n",
    "_tan": "def _tan(h):\n    return math.tan(h) if math.isfinite(h) else math.nan\n",
    "_exp": """def _exp(h):
    try:
        return math.exp(h)
    except OverflowError:
        return math.inf
""",
    "_log": """def _log(h):
    if h == 0.0:
        return -math.inf
    return math.nan if h < 0.0 else math.log(h)
""",
    "_sqrt": "def _sqrt(h):\n    return math.nan if h < 0.0 else math.sqrt(h)\n",
    "_power": """def _power(h, n):
    try:
        return h**n
    except OverflowError:
        return math.copysign(math.inf, h) if n % 2 else math.inf
""",
    "_divide": """def _divide(a, b):
    if b != 0.0:
        return a / b
    if a == 0.0 or math.isnan(a):
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)
""",
}

PYTHON = Language(
    "Python",
    "#",
    WORDS | USED,
    {
        **{name: f"_{name}" for name in ("sin", "cos", "tan", "exp", "log", "sqrt")},
        "tanh": "math.tanh",
        "abs": "abs",
    },
    _GUARDS,
    "python",
    power=lambda base, n: base if n == 1 else f"_power({base}, {n})",
    fraction=lambda top, bottom, bare: f"_divide({top}, {bottom})",
)
NAMES = ("sin", "cos", "tan", "exp", "log", "sqrt", "tanh", "abs")
NUMPY = Language("NumPy", "#", WORDS | USED, {name: f"np.{name}" for name in NAMES}, {}, "numpy")
JAX = Language("JAX", "#", WORDS | USED, {name: f"jnp.{name}" for name in NAMES}, {}, "jax")
SYMPY = Language(
    "Python, building SymPy expressions",
    "#",
    WORDS | {"sympy", "states", "inputs", "rates", "h"},
    {**{name: f"sympy.{name}" for name in NAMES}, "abs": "sympy.Abs"},
    {},
    "sympy",
)


def write_python(system: EquationSystem) -> str:
    """A function f(t, x, u) of lists of numbers that needs the standard library only."""
    source = source_of(system, PYTHON)
    usage = _usage(source, "f(t, x{u}) gives the derivatives, a list of numbers. x holds the states")
    guarded = [
        f"def {name}(h):\n    try:\n        return {body}\n"
        "    except (ValueError, OverflowError, ZeroDivisionError):\n        return math.nan\n"
        for name, body in source.own.items()
    ]
    body = [f"def f({_parameters(source)}):"]
    if source.inputs:
        body.append(f"{INDENT}u = u(t) if callable(u) else u")
    body.append(f"{INDENT}{_unpacked(source, '*x', '*u')}")
    body.append(f"{INDENT}return [")
    body += _commented_rates(system, source, 2 * INDENT, ",")
    body.append(f"{INDENT}]")
    definitions = [*source.guards(PYTHON), *guarded, "\n".join(body) + "\n"]
    text = "\n\n".join(definitions)
    imports = sorted({*source.imports, *(["math"] if "math." in text else [])})
    return _file(header(system, PYTHON, source, usage), [f"import {module}" for module in imports], text)


def write_numpy(system: EquationSystem) -> str:
    """A function f(t, x, u) of arrays, over any number of rows."""
    source = source_of(system, NUMPY)
    usage = _usage(source, "f(t, x{u}) gives the derivatives. x holds the states along its last axis")
    body = [f"def f({_parameters(source)}):", f"{INDENT}x = np.asarray(x, float)"]
    if source.inputs:
        body.append(f"{INDENT}u = np.atleast_1d(np.asarray(u(t) if callable(u) else u, float))")
    body += [
        f"{INDENT}dx = np.empty(x.shape)",
        f"{INDENT}{_unpacked(source, '*np.moveaxis(x, -1, 0)', '*np.moveaxis(u, -1, 0)')}",
        f'{INDENT}with np.errstate(all="ignore"):',
        *(
            f"{2 * INDENT}dx[..., {place}] = {rate}  # {quoted(name)}"
            for place, (rate, name) in enumerate(zip(source.rates, system.names, strict=True))
        ),
        f"{INDENT}return dx",
    ]
    return _array_file(header(system, NUMPY, source, usage), "numpy as np", source, body)


def write_jax(system: EquationSystem) -> str:
    """A function f(t, x, u) for jit, grad, vmap and Diffrax, in the precision of its argument."""
    source = source_of(system, JAX)
    usage = [
        *_usage(source, "f(t, x{u}) gives the derivatives. x holds the states along its last axis"),
        "For Diffrax: diffrax.ODETerm(f), with u as `args`. Switch on jax_enable_x64 for all digits.",
    ]
    body = [
        f"def f({_parameters(source)}):",
        f"{INDENT}x = 1.0 * jnp.asarray(x)  # whole numbers become floats, floats keep their precision",
    ]
    if source.inputs:
        body.append(f"{INDENT}u = jnp.atleast_1d(jnp.asarray(u(t) if callable(u) else u))")
    body += [
        f"{INDENT}shape = x.shape[:-1]",
        f"{INDENT}{_unpacked(source, '*jnp.moveaxis(x, -1, 0)', '*jnp.moveaxis(u, -1, 0)')}",
        f"{INDENT}rates = [",
        *_commented_rates(system, source, 2 * INDENT, ","),
        f"{INDENT}]",
        f"{INDENT}return jnp.stack([jnp.broadcast_to(dx, shape) for dx in rates], axis=-1)",
    ]
    return _array_file(header(system, JAX, source, usage), "jax.numpy as jnp", source, body)


def write_sympy(system: EquationSystem) -> str:
    """Python source that builds the right-hand sides in SymPy: `states`, `inputs` and `rates`."""
    source = source_of(system, SYMPY)
    usage = ["`rates` holds the right-hand side of each of `states`; `inputs` are the control inputs."]
    names = (*system.names, *system.input_names)
    symbols = [
        f"{identifier} = sympy.Symbol({quoted(name)})"
        for identifier, name in zip((*source.states, *source.inputs), names, strict=True)
    ]
    body = [
        *symbols,
        f"states = {_tuple(source.states)}",
        f"inputs = {_tuple(source.inputs)}",
        "rates = (",
        *_commented_rates(system, source, f"{INDENT}sympy.sympify(", "),"),
        ")",
    ]
    own = _own(source)
    text = "\n\n".join([*own, ("\n" if own else "") + "\n".join(body) + "\n"])
    return _file(header(system, SYMPY, source, usage), ["import sympy"], text, gap=1 if not own else 2)


def _usage(source: Source, call: str) -> list[str]:
    lines = [call.format(u=", u" if source.inputs else "") + "."]
    if source.inputs:
        lines.append("u holds the inputs, or is a function of t that gives them.")
    return lines


def _parameters(source: Source) -> str:
    return "t, x, u" if source.inputs else "t, x, u=None"


def _unpacked(source: Source, x: str, u: str) -> str:
    """One statement takes all names, so that a state may be called x or u like the argument it is in."""
    names = (*source.states, *source.inputs)
    left = f"({names[0]},)" if len(names) == 1 else ", ".join(names)
    right = f"{x}, {u}" if source.inputs else x.removeprefix("*")
    return f"{left} = {right}"


def _commented_rates(system: EquationSystem, source: Source, indent: str, end: str) -> list[str]:
    pairs = zip(source.rates, system.names, strict=True)
    return [f"{indent}{rate}{end}  # {quoted(name)}" for rate, name in pairs]


def _own(source: Source) -> list[str]:
    return [f"def {name}(h):\n    return {body}\n" for name, body in source.own.items()]


def _tuple(names: Sequence[str]) -> str:
    return f"({', '.join(names)}{',' if len(names) == 1 else ''})"


def _array_file(comments: Sequence[str], arrays: str, source: Source, body: Sequence[str]) -> str:
    """A file that imports a module of arrays, and what the user's own operations need."""
    text = "\n\n".join([*_own(source), "\n".join(body) + "\n"])
    return _file(comments, [f"import {module}" for module in (arrays, *source.imports)], text)


def _file(comments: Sequence[str], imports: Sequence[str], text: str, gap: int = 2) -> str:
    blank = "\n" * (gap + 1)
    return "\n".join(comments) + "\n\n" + "\n".join(imports) + (blank if imports else "\n") + text
