"""Quotas: how many forms the search for calls looks at, and how many restarts its networks have."""

from dataclasses import dataclass, field, fields, replace
from typing import Any

Block = tuple[int, int, int, int]
"""Degree of the polynomial, that of the monomials that a call is taken times, families that are fitted, and
inputs up to which such blocks are looked at."""


@dataclass(frozen=True)
class Quotas:
    """How far the search for calls goes.

    Attributes:
        blocks: whole blocks, one after another until a short form leaves nothing; none where there is noise,
            which any large block follows.
        beside: monomials that stand beside one term with a call in short sums.
        few_beside: how many of these are combined three at a time.
        most_beside: how many at once.
        kinds: kinds of terms that are kept for each choice of monomials.
        short_sums: short sums of every size that are fitted.
        starts: points of a grid that a fit begins from.
        completed: forms of every size to which further terms are tried.
        heads: forms of every number of terms that are tried with one more term with a call.
        grid_heads: short sums at points of the grid that are tried likewise.
        added: kinds of such terms that are looked at for each.
        extended: forms with one more term that are fitted in a round.
        extensions: rounds of that.
        handed_on: forms that are cleaned up, beside the best of every size.
        degrees: of polynomials along a measured path; noise is followed by those of high degree.
    """

    blocks: tuple[Block, ...] = ()
    # Pairs and choices of three grow with the square and the cube of these.
    beside: int = field(default=11, metadata={"power": 1 / 2})
    few_beside: int = field(default=8, metadata={"power": 1 / 3})
    most_beside: int = field(default=3, metadata={"power": 0})
    kinds: int = 12
    short_sums: int = 30
    starts: int = 1
    completed: int = 2
    heads: int = 6
    grid_heads: int = 30
    added: int = 6
    extended: int = 20
    extensions: int = field(default=2, metadata={"power": 0})
    handed_on: int = 6
    degrees: tuple[int, ...] = (2, 3)

    def times(self, factor: float) -> "Quotas":
        """Quotas for so many times as many forms at every step."""
        changed: dict[str, Any] = {
            each.name: max(round(getattr(self, each.name) * factor ** each.metadata.get("power", 1)), 1)
            for each in fields(self)
            if isinstance(each.default, int)
        }
        blocks = tuple(
            (whole, above, round(factor * kinds), most) for whole, above, kinds, most in self.blocks
        )
        return replace(self, blocks=blocks, **changed)


@dataclass(frozen=True)
class Restarts:
    """How many restarts of small networks there are, for every graph and round.

    Attributes:
        drawn: random starts of a round, shared by its graphs.
        starts: of every graph at most.
        kept: shares of a graph's starts that take some steps, some more, and all to a minimum.
        pruned: of all graphs of a round, how many are pruned.
        read: of these, how many are read as forms and fitted.
        handed_on: of all rounds' forms, how many are cleaned up, beside those that fit to rounding.
    """

    drawn: int = 48_000
    starts: int = 576
    kept: tuple[float, float, float] = (1 / 2, 1 / 8, 1 / 36)
    pruned: int = 64
    read: int = 12
    handed_on: int = 4

    def times(self, factor: float) -> "Restarts":
        """So many times as many of all, in the same shares."""
        counts = {
            each.name: getattr(self, each.name) for each in fields(self) if isinstance(each.default, int)
        }
        return replace(self, **{name: max(round(factor * count), 1) for name, count in counts.items()})

    def each(self, graphs: int) -> tuple[int, ...]:
        """Starts of every one of so many graphs, and those of them that take some steps, more, and all."""
        starts = max(min(self.starts, self.drawn // graphs), 1)
        return starts, *(max(round(share * starts), 1) for share in self.kept)

    def on_accelerator(self) -> "Restarts":
        """What takes no longer there: more of all but the forms, which are fitted on the processor."""
        return replace(self.times(4), read=self.read, handed_on=self.handed_on)
