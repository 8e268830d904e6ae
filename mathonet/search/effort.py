"""Effort: every quota of the search for calls, each with its reason."""

from dataclasses import dataclass

Block = tuple[int, int, int, int]
"""Degree of the polynomial, that of the monomials that a call is taken times, families that are fitted, and
inputs up to which such blocks are looked at."""


@dataclass(frozen=True)
class Effort:
    """How far a search goes.

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
    """

    blocks: tuple[Block, ...] = ()
    beside: int = 16
    few_beside: int = 10
    most_beside: int = 3
    kinds: int = 24
    short_sums: int = 60
    starts: int = 2
    completed: int = 3
    heads: int = 12
    grid_heads: int = 60
    added: int = 12
    extended: int = 40
    extensions: int = 2
    handed_on: int = 12


NOISY = Effort()
"""For data whose noise would follow many forms."""
PRECISE = Effort(
    blocks=((1, 1, 60, 5), (2, 1, 60, 5), (1, 3, 60, 3), (3, 2, 60, 3)),
    few_beside=16,
    kinds=40,
    short_sums=120,
    grid_heads=200,
    added=20,
    extended=60,
)
"""For data with hardly any noise: they tell a law from nearly all rivals, so that it only has to be met."""
