"""Ending a search early, in one way for all reasons: a budget that is spent, or a user who has had enough.

Whoever starts a search puts a `Watch` over it. The search asks at its own chances whether to go on, where
nothing is half done: so what it has found by then is whole. Each thread has its own watch.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class StoppedError(Exception):
    """Raised at a checkpoint of a search that is to end; the search itself catches it."""


class Watch:
    """Says when a search is to end.

    Attributes:
        began: when the watch was started.
        budget: seconds that the search and what follows it may take; None for any time.
        reserve: seconds of the budget that are for what follows.
    """

    def __init__(self, budget: float | None = None, reserve: float = 0.0, began: float | None = None) -> None:
        """Start the watch, or take one that was started before, by `time.monotonic`."""
        self.began = time.monotonic() if began is None else began
        self.budget, self.reserve = budget, reserve
        self._why: str | None = None
        self._reminder: tuple[float, Callable[[], None]] | None = None

    def remind(self, after: float, say: Callable[[], None]) -> None:
        """Call `say` once, at the first chance when so many seconds have passed."""
        self._reminder = (after, say)

    def look(self) -> None:
        """Give the reminder if its time has come."""
        if self._reminder is not None and self.spent >= self._reminder[0]:
            say, self._reminder = self._reminder[1], None
            say()

    def stop(self, why: str) -> None:
        """End the search at its next chance; `why` completes the sentence 'stopped: ...'."""
        self._why = why

    @property
    def ended(self) -> bool:
        """Whether the search was told to end; time that is spent without being asked for ends nothing."""
        return self._why is not None

    @property
    def spent(self) -> float:
        """Seconds since the watch was started."""
        return time.monotonic() - self.began

    @property
    def left(self) -> float:
        """Seconds that are left for the search."""
        if self.budget is None:
            return float("inf")
        return self.began + self.budget - self.reserve - time.monotonic()

    def why(self, needed: float = 0.0) -> str | None:
        """Why the search is to end now, or would end within the seconds that a next step needs."""
        if self._why is None and self.budget is not None and self.left <= needed:
            self._why = f"the budget of {self.budget:g} s was spent"
        return self._why


_WATCHES: ContextVar[tuple[Watch, ...]] = ContextVar("watches", default=())


@contextmanager
def watched(watch: Watch) -> Iterator[Watch]:
    """Put a watch over everything that is done inside, beside those that are there already."""
    token = _WATCHES.set((*_WATCHES.get(), watch))
    try:
        yield watch
    finally:
        _WATCHES.reset(token)


@contextmanager
def finishing() -> Iterator[None]:
    """Do the last steps of a stopped search, which no watch may interrupt."""
    token = _WATCHES.set(())
    try:
        yield
    finally:
        _WATCHES.reset(token)


def stopping(needed: float = 0.0) -> str | None:
    """Why the search is to end before a step that needs so many seconds; None to go on."""
    for watch in _WATCHES.get():
        watch.look()
    return next((why for watch in _WATCHES.get() if (why := watch.why(needed)) is not None), None)


def checkpoint(needed: float = 0.0) -> None:
    """A chance to end the search.

    Raises:
        StoppedError: the search is to end.
    """
    why = stopping(needed)
    if why is not None:
        raise StoppedError(why)
