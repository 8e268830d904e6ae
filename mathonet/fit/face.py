"""An operation's value and slope at a column of numbers, NumPy in and out.

The built-in operations have NumPy faces here: the clean-up of one form calls them thousands of times on short
columns, where handing a column to a compiled function costs more than the sine. They are the JAX faces of
`operations` to rounding, guards included; a test holds them to that. A user's own operation is called
through its JAX face, all of them by one compiled function.
"""

import math
from collections.abc import Callable
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from mathonet.compilation import size_to_compile
from mathonet.operations import Operation

Pair = tuple[np.ndarray, np.ndarray]

SMALL, LARGE, LARGEST_EXPONENT = 1e-100, 1e100, 700.0
"""Where the guards of `operations` begin in float64."""


def _sign(h: np.ndarray) -> np.ndarray:
    """The slope of |h|, taken from the right at zero, as JAX does."""
    return np.where(h < 0, -1.0, 1.0)


def _tan(h: np.ndarray) -> Pair:
    value = np.tan(h)
    return value, 1.0 + value**2


def _tanh(h: np.ndarray) -> Pair:
    value = np.tanh(h)
    return value, 1.0 - value**2


def _exp(h: np.ndarray) -> Pair:
    value = np.exp(np.minimum(h, LARGEST_EXPONENT))
    return value, np.where(h > LARGEST_EXPONENT, 0.0, value)


def _log(h: np.ndarray) -> Pair:
    inside = np.abs(h) < SMALL
    return np.log(np.where(inside, SMALL, np.abs(h))), np.where(inside, 0.0, 1.0 / np.where(inside, 1.0, h))


def _sqrt(h: np.ndarray) -> Pair:
    size = np.abs(h)
    inside = size < SMALL
    root = np.sqrt(np.where(inside, 1.0, size))
    slope = np.where(inside, 1.0 / math.sqrt(SMALL), 0.5 / root) * _sign(h)
    return np.where(inside, size / math.sqrt(SMALL), root), slope


def _inv(h: np.ndarray) -> Pair:
    inside = np.abs(h) < SMALL
    value = 1.0 / np.where(inside, 1.0, h)
    return np.where(inside, h / SMALL / SMALL, value), np.where(inside, 1.0 / SMALL / SMALL, -(value**2))


def _power(exponent: int) -> Callable[[np.ndarray], Pair]:
    def evaluate(h: np.ndarray) -> Pair:
        clipped = np.clip(h, -LARGE, LARGE)
        slope = np.where(np.abs(h) > LARGE, 0.0, exponent * clipped ** (exponent - 1))
        return clipped**exponent, slope

    return evaluate


NUMPY: dict[str, Callable[[np.ndarray], Pair]] = {
    "ident": lambda h: (h, np.ones_like(h)),
    "sin": lambda h: (np.sin(h), np.cos(h)),
    "cos": lambda h: (np.cos(h), -np.sin(h)),
    "tan": _tan,
    "exp": _exp,
    "log": _log,
    "sqrt": _sqrt,
    "square": _power(2),
    "cube": _power(3),
    "inv": _inv,
    "tanh": _tanh,
    "abs": lambda h: (np.abs(h), _sign(h)),
}


@partial(jax.jit, static_argnums=0)
def _compiled(operations: tuple[Operation, ...], which, h):
    def branch(operation: Operation):
        return lambda column: jax.jvp(operation.evaluate, (column,), (jnp.ones_like(column),))

    return jax.lax.switch(which, [branch(operation) for operation in operations], h)


class Faces:
    """The operations a form may call. Call in double precision."""

    def __init__(self, operations: tuple[Operation, ...]) -> None:
        """Set the operations; they are called by name."""
        self.own = tuple(operation for operation in operations if operation.name not in NUMPY)
        self.place = {operation.name: np.int32(i) for i, operation in enumerate(self.own)}

    def __call__(self, name: str, h: np.ndarray) -> Pair:
        """Value and slope of an operation at every number of a column."""
        if name in NUMPY:
            return NUMPY[name](h)
        length = size_to_compile(h.size)
        padded = np.pad(h.ravel(), (0, length - h.size), mode="edge")
        value, slope = _compiled(self.own, self.place[name], padded)
        return np.asarray(value)[: h.size].reshape(h.shape), np.asarray(slope)[: h.size].reshape(h.shape)
