"""The unary operations f_o of an OperNet: one JAX face to compute with, one SymPy face to read.

Both faces mean the same function. The JAX face has a finite value and a finite gradient for every finite
argument, and is exact away from singularities: guards select with `where`, they never add a small number,
because a reading of the network must agree with the network to rounding.
"""

import difflib
import functools
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import sympy

from mathonet.errors import ConfigError


@dataclass(frozen=True)
class Operation:
    """A unary function with a numerical and a symbolic face.

    Attributes:
        name: Short name, a Python identifier, used in settings, tables and archives.
        evaluate: The JAX face: elementwise, same shape and dtype out as in.
        symbolic: Maps a SymPy expression to a SymPy expression.
        price: How many operations this one counts for in the score, at least 1.
    """

    name: str
    evaluate: Callable[[jax.Array], jax.Array]
    symbolic: Callable[[sympy.Expr], sympy.Expr]
    price: float = 1.0

    def __post_init__(self) -> None:
        """Refuse a name or a price that later steps could not use."""
        if not isinstance(self.name, str) or not self.name.isidentifier():
            raise ConfigError(
                f"An operation's name must be a Python identifier such as 'sinc', got {self.name!r}."
            )
        if not callable(self.evaluate) or not callable(self.symbolic):
            raise ConfigError(
                f"Operation {self.name!r} needs two functions, `evaluate` (JAX) and `symbolic` (SymPy); "
                f"got {type(self.evaluate).__name__} and {type(self.symbolic).__name__}."
            )
        if not (isinstance(self.price, (int, float)) and math.isfinite(self.price) and self.price >= 1):
            raise ConfigError(
                f"The price of operation {self.name!r} must be a finite number of at least 1, "
                f"got {self.price!r}."
            )


@functools.lru_cache(maxsize=256)
def parity(operation: Operation) -> int:
    """1 for an even function, as the cosine is, -1 for an odd one, 0 for all others."""
    h = sympy.Symbol("h", real=True)
    value, mirrored = operation.symbolic(h), operation.symbolic(-h)
    return 1 if mirrored == value else -1 if mirrored == -value else 0


class _Guard(NamedTuple):
    """Where the guards of one floating-point width begin."""

    small: float
    large: float
    largest_exponent: float


# Narrow types need their own limits: 1e-100 is zero in float32, so a float64 guard would never act there.
_WIDE = _Guard(small=1e-100, large=1e100, largest_exponent=700.0)
_NARROW = _Guard(small=1e-12, large=1e12, largest_exponent=85.0)


def _guard(h: jax.Array) -> _Guard:
    return _WIDE if jnp.result_type(h) == jnp.float64 else _NARROW


def _ident(h: jax.Array) -> jax.Array:
    return h


def _exp(h: jax.Array) -> jax.Array:
    limit = _guard(h).largest_exponent
    return jnp.exp(jnp.where(h > limit, limit, h))


def _log(h: jax.Array) -> jax.Array:
    small = _guard(h).small
    size = jnp.abs(h)
    return jnp.log(jnp.where(size < small, small, size))


def _sqrt(h: jax.Array) -> jax.Array:
    small = _guard(h).small
    size = jnp.abs(h)
    inside = size < small
    return jnp.where(inside, size / math.sqrt(small), jnp.sqrt(jnp.where(inside, 1.0, size)))


def _inv(h: jax.Array) -> jax.Array:
    small = _guard(h).small
    inside = jnp.abs(h) < small
    # Dividing twice keeps the intermediate in range where small * small would be zero.
    return jnp.where(inside, h / small / small, 1.0 / jnp.where(inside, 1.0, h))


def _square(h: jax.Array) -> jax.Array:
    large = _guard(h).large
    clipped = jnp.clip(h, -large, large)
    return clipped * clipped


def _cube(h: jax.Array) -> jax.Array:
    large = _guard(h).large
    clipped = jnp.clip(h, -large, large)
    return clipped * clipped * clipped


def _ident_face(h: sympy.Expr) -> sympy.Expr:
    return h


def _log_face(h: sympy.Expr) -> sympy.Expr:
    return sympy.log(sympy.Abs(h))


def _sqrt_face(h: sympy.Expr) -> sympy.Expr:
    return sympy.sqrt(sympy.Abs(h))


def _square_face(h: sympy.Expr) -> sympy.Expr:
    return h**2


def _cube_face(h: sympy.Expr) -> sympy.Expr:
    return h**3


def _inv_face(h: sympy.Expr) -> sympy.Expr:
    return 1 / h


# Plain named functions (jax.numpy's are compiled objects), so that an operation can go to another process.
# The tangent needs no guard: no float is an odd multiple of pi/2 exactly.
_BUILT_IN: dict[str, Operation] = {
    operation.name: operation
    for operation in (
        Operation("ident", _ident, _ident_face),
        Operation("sin", jax.lax.sin, sympy.sin),
        Operation("cos", jax.lax.cos, sympy.cos),
        Operation("tan", jax.lax.tan, sympy.tan),
        Operation("exp", _exp, sympy.exp),
        Operation("log", _log, _log_face),
        Operation("sqrt", _sqrt, _sqrt_face),
        Operation("square", _square, _square_face),
        Operation("cube", _cube, _cube_face),
        Operation("inv", _inv, _inv_face),
        Operation("tanh", jax.lax.tanh, sympy.tanh),
        Operation("abs", jax.lax.abs, sympy.Abs),
    )
}

_registered: dict[str, Operation] = dict(_BUILT_IN)

STANDARD: tuple[str, ...] = ("ident", "sin", "cos", "exp", "log", "inv", "sqrt", "tanh", "abs")


def is_built_in(name: str) -> bool:
    """Whether an operation of this name comes with the package."""
    return name in _BUILT_IN


def names() -> tuple[str, ...]:
    """The names of all known operations, built in first."""
    return tuple(_registered)


def get(name: str) -> Operation:
    """Look up an operation by name.

    Raises:
        ConfigError: If no operation has this name.
    """
    if name in _registered:
        return _registered[name]
    close = difflib.get_close_matches(str(name).lower(), _registered, n=1)
    suggestion = f" Did you mean {close[0]!r}?" if close else ""
    raise ConfigError(f"Unknown operation {name!r}.{suggestion} Known operations: {', '.join(_registered)}.")


def register(operation: Operation) -> Operation:
    """Make a user's own operation known by its name, after checking that it can be trusted.

    Registering a user's name again replaces the earlier operation: a notebook cell may be run twice.

    Raises:
        ConfigError: If the name is built in, or the operation fails a check of `check`.
    """
    _refuse_built_in_name(operation)
    check(operation)
    _registered[operation.name] = operation
    return operation


def resolve(items: Iterable[str | Operation] | None) -> tuple[Operation, ...]:
    """Turn names and operations into operations; None stands for `STANDARD`.

    Raises:
        ConfigError: If there is nothing to resolve, a name is unknown or occurs twice, or an unregistered
            operation fails a check.
    """
    if items is None:
        items = STANDARD
    if isinstance(items, (str, Operation)) or not isinstance(items, Iterable):
        raise ConfigError(f"Operations must be a list, got {items!r}. Put it in brackets: [...].")
    operations = tuple(_as_operation(item) for item in items)
    if not operations:
        raise ConfigError("The list of operations is empty. Give at least one name, such as 'ident'.")
    found = [operation.name for operation in operations]
    repeated = sorted({name for name in found if found.count(name) > 1})
    if repeated:
        raise ConfigError(f"Operations occur more than once: {', '.join(repeated)}. Keep each one once.")
    return operations


def _as_operation(item: str | Operation) -> Operation:
    if isinstance(item, str):
        return get(item)
    if not isinstance(item, Operation):
        raise ConfigError(f"An operation must be a name or an Operation, got {item!r}.")
    if _registered.get(item.name) != item:
        _refuse_built_in_name(item)
        check(item)
    return item


def _refuse_built_in_name(operation: Operation) -> None:
    if operation.name in _BUILT_IN and _BUILT_IN[operation.name] != operation:
        raise ConfigError(
            f"{operation.name!r} is a built-in operation and cannot be replaced. Give yours another name."
        )


_MODERATE = np.array([-5.19, -2.83, -1.21, -0.74, -0.37, -0.11, 0.13, 0.41, 0.69, 1.33, 2.57, 4.81])
_EXTREME = np.array([0.0, 1e-300, 1e-30, 1.0, np.pi / 2, 1e3, 1e30, 1e200, 1e308])
_PROBES = np.concatenate([_MODERATE, _EXTREME, -_EXTREME])
_AGREEMENT = 1e-9


@functools.lru_cache(maxsize=256)
def check(operation: Operation) -> None:
    """Check that both faces of an operation are sound and mean the same function.

    Raises:
        ConfigError: If `evaluate` is not elementwise, has a value or gradient that is not finite, or does not
            agree with `symbolic`.
    """
    with jax.enable_x64(True):
        _check_elementwise(operation)
        _check_gradient(operation)
        _check_agreement(operation)


def _check_elementwise(operation: Operation) -> None:
    title = f"Operation {operation.name!r}: `evaluate`"
    grid = jnp.asarray(_PROBES).reshape(2, -1)
    try:
        values = np.asarray(jax.jit(operation.evaluate)(grid))
        alone = np.array([float(operation.evaluate(h)) for h in grid.ravel()])
    except (TypeError, ValueError, IndexError) as error:
        raise ConfigError(
            f"{title} failed on JAX arrays ({error}). Write it with jax.numpy, elementwise."
        ) from error
    if values.shape != grid.shape or values.dtype != np.float64:
        raise ConfigError(
            f"{title} must return the shape and dtype it is given; {grid.shape} float64 became "
            f"{values.shape} {values.dtype}."
        )
    _refuse_not_finite(title, "value", values.ravel())
    if not np.allclose(values.ravel(), alone, rtol=1e-9, atol=1e-12):
        raise ConfigError(
            f"{title} is not elementwise: one number alone and in an array gave different values."
        )


def _check_gradient(operation: Operation) -> None:
    gradients = jax.vmap(jax.grad(operation.evaluate))(jnp.asarray(_PROBES))
    _refuse_not_finite(f"Operation {operation.name!r}: `evaluate`", "gradient", np.asarray(gradients))


def _refuse_not_finite(title: str, what: str, values: np.ndarray) -> None:
    bad = np.flatnonzero(~np.isfinite(values))
    if bad.size:
        raise ConfigError(
            f"{title} has the {what} {values[bad[0]]} at h = {_PROBES[bad[0]]:g}; it must be finite. "
            "Guard the argument before the function as well: jnp.where(bad, safe, f(jnp.where(bad, 1.0, h)))."
        )


def _check_agreement(operation: Operation) -> None:
    """Compare the faces where the symbolic one is real; a guarded domain leaves the rest undefined."""
    symbol = sympy.Symbol("h")
    compared = 0
    for h, value in zip(_MODERATE, np.asarray(operation.evaluate(jnp.asarray(_MODERATE))), strict=True):
        # Strict: a string is refused, never evaluated.
        written = sympy.sympify(operation.symbolic(symbol), strict=True)
        face = written.subs(symbol, sympy.Float(float(h), 30)).evalf(20)
        if not (face.is_number and face.is_real and face.is_finite):
            continue
        compared += 1
        if abs(float(face) - value) > _AGREEMENT * max(1.0, abs(value)):
            raise ConfigError(
                f"Operation {operation.name!r}: the two faces disagree at h = {h:g}: `evaluate` gives "
                f"{value:.12g}, `symbolic` gives {float(face):.12g}. Make them the same function."
            )
    if compared < 2:
        raise ConfigError(
            f"Operation {operation.name!r}: `symbolic` is hardly ever a real number between -5 and 5, so the "
            "faces cannot be compared. Return a SymPy expression in its argument that is real there."
        )
