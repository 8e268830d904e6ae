"""Places: where in a file the rows of its table stand, as messages say it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

_SHOWN = 5


@dataclass(frozen=True, eq=False)
class Places:
    """Rows of a table, by the number that an editor or a sheet shows beside them.

    Attributes:
        count: the number of every row, found out only when a message needs it; None if the file has none.
        word: what such a number counts.
        where: what else has to be said of it.
    """

    count: Callable[[], Sequence[int]] | None = None
    word: str = "row"
    where: str = " (counted from 0, after the header)"

    @cached_property
    def _numbers(self) -> Sequence[int]:
        return [] if self.count is None else self.count()

    def number(self, row: int) -> int:
        """What is counted for a row of the table."""
        return int(self._numbers[row]) if row < len(self._numbers) else int(row)

    def at(self, *rows: int) -> str:
        """One row, or two of them, such as `line 7` and `lines 7 and 8`."""
        numbers = " and ".join(str(self.number(row)) for row in rows)
        return f"{self.word}{'' if len(rows) == 1 else 's'} {numbers}{self.where}"

    def of_many(self, rows: Iterable[int]) -> str:
        """Rows in a list that ends where nobody reads on."""
        every = list(rows)
        shown = ", ".join(str(self.number(row)) for row in every[:_SHOWN])
        more = " ..." if len(every) > _SHOWN else ""
        return f"{self.word}{'' if len(every) == 1 else 's'} {shown}{more}{self.where}"


UNKNOWN = Places()
"""Of arrays, whose rows have no other number than their place."""
