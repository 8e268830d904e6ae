"""One thread of linear algebra: the matrices of a search are small.

Threads of BLAS wait for one another longer than they compute on these, and where other programs keep the
cores busy they do so twentyfold: a search of four seconds took a hundred.
"""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def one_blas_thread(verb: Callable[P, R]) -> Callable[P, R]:
    """Run `verb` with one thread of BLAS; the caller's own number holds again afterwards.

    The number is the whole process's: calls that overlap in several threads may leave it at one.
    """

    @wraps(verb)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        from threadpoolctl import threadpool_limits

        with threadpool_limits(1, user_api="blas"):
            return verb(*args, **kwargs)

    return wrapped
