"""Double precision for every public verb, without touching the caller's JAX configuration."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def double_precision(verb: Callable[P, R]) -> Callable[P, R]:
    """Run `verb` with 64-bit JAX types.

    JAX keeps this switch per thread, so a task handed to an executor needs the decorator as well: a thread
    started inside the context would otherwise compute in float32.
    """

    @wraps(verb)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        import jax

        with jax.enable_x64(True):
            return verb(*args, **kwargs)

    return wrapped
