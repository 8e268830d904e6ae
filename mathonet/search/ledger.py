"""Ledger: what a search fitted, form by form, in the order in which it did.

Two searches that do the same thing leave the same ledger, whatever their files are called; and where they do
not, it tells what each of them met and when. Nobody reads it but benchmarks.
"""

import hashlib
import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

DIGITS = 5
"""Significant digits of a score that tell two fits apart: later ones depend on the order of sums."""


@dataclass(frozen=True)
class Entry:
    """One form that was fitted.

    Attributes:
        stage: of the search.
        equation: which one it is of; None for a whole system.
        skeleton: its structure.
        chi2: sum of squares that it leaves.
        score: the one score.
        seconds: since the ledger was opened.
    """

    stage: str
    equation: int | None
    skeleton: tuple
    chi2: float
    score: float
    seconds: float


@dataclass
class Ledger:
    """Entries in their order."""

    began: float = field(default_factory=time.monotonic)
    entries: list[Entry] = field(default_factory=list)

    @property
    def digest(self) -> str:
        """The same for ledgers that say the same, however long it took."""
        lines = (
            f"{each.stage}|{each.equation}|{each.skeleton}|{each.score:.{DIGITS}g}" for each in self.entries
        )
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]

    def stages(self) -> dict[str, dict]:
        """Of every stage: forms that were fitted, the best score, and when that was met."""
        found: dict[str, dict] = {}
        for each in self.entries:
            seen = found.setdefault(each.stage, {"fits": 0, "best": math.inf, "at": 0.0})
            seen["fits"] += 1
            if each.score < seen["best"]:
                seen["best"], seen["at"] = each.score, round(each.seconds, 2)
        return found


_OPEN: ContextVar[Ledger | None] = ContextVar("ledger", default=None)


@contextmanager
def recorded() -> Iterator[Ledger]:
    """Keep what is fitted inside."""
    ledger = Ledger()
    token = _OPEN.set(ledger)
    try:
        yield ledger
    finally:
        _OPEN.reset(token)


def enter(stage: str, equation: int | None, skeleton: tuple, chi2: float, score: float) -> None:
    """Note a fit, where somebody keeps a ledger."""
    ledger = _OPEN.get()
    if ledger is not None:
        seconds = time.monotonic() - ledger.began
        ledger.entries.append(Entry(stage, equation, skeleton, float(chi2), float(score), seconds))
