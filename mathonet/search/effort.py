"""Effort: what quick, normal and thorough mean; every quota of the search, each with its reason."""

from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from mathonet.errors import ConfigError

EffortName = Literal["quick", "normal", "thorough"]
Block = tuple[int, int, int, int]
"""Degree of the polynomial, that of the monomials that a call is taken times, families that are fitted, and
inputs up to which such blocks are looked at."""
LONG = 60.0
"""Seconds from which on a search without a budget says that it goes on: few wait longer without a word."""

ALONE = 20.0
"""Seconds that the law of one state is looked for at most, quickly and with all others given, where that of
all was not found."""


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
    degrees: tuple[int, ...] = (2, 3)


@dataclass(frozen=True)
class Effort:
    """How far a search goes.

    Attributes:
        noisy: for data whose noise would follow many forms.
        precise: for data with hardly any noise: they tell a law from nearly all rivals, so that it only has
            to be met.
        degrees: of polynomials on samples, one after another until one leaves nothing.
        networks: whether the ladder ends with networks, which take longest; one that was asked for is
            trained in any case.
        restarts: random starts of a network with one hidden layer; of a deeper one on the ladder; of a
            deeper one that was asked for. Landscapes of deeper ones are rougher.
        turns: times that sums with calls are looked for along a path, as long as that helps.
        without: names of proposers that are left out, to see what they bring.
    """

    noisy: Quotas
    precise: Quotas
    degrees: tuple[int, ...] = (2, 3, 5)
    networks: bool = True
    restarts: tuple[int, int, int] = (20, 20, 200)
    turns: int = 2
    without: tuple[str, ...] = ()

    def quotas(self, precise: bool) -> Quotas:
        """Those of precise data, or of noisy ones."""
        return self.precise if precise else self.noisy


NOISY = Quotas()
PRECISE = Quotas(
    blocks=((1, 1, 60, 5), (2, 1, 60, 5), (1, 3, 60, 3), (3, 2, 60, 3)),
    few_beside=16,
    kinds=40,
    short_sums=120,
    grid_heads=200,
    added=20,
    extended=60,
    degrees=(2, 3, 5),
)
NORMAL = Effort(NOISY, PRECISE)
QUICK = Effort(
    # Pairs of 12 monomials are half as many as those of 16; choices of three take longest of all.
    noisy=replace(
        NOISY,
        beside=12,
        most_beside=2,
        kinds=12,
        short_sums=30,
        starts=1,
        completed=2,
        heads=6,
        grid_heads=30,
        added=6,
        extended=20,
        extensions=1,
        handed_on=6,
    ),
    precise=replace(
        PRECISE,
        blocks=((1, 1, 30, 5), (2, 1, 30, 5)),
        beside=12,
        most_beside=2,
        kinds=20,
        short_sums=60,
        starts=1,
        completed=2,
        heads=6,
        grid_heads=100,
        added=10,
        extended=30,
        extensions=1,
        handed_on=6,
        degrees=(2, 3),
    ),
    degrees=(2, 3),
    networks=False,
    turns=1,
)
THOROUGH = Effort(
    # Choices of three of 13 monomials are twice as many as of 10, and those of 20 twice as many as of 16.
    noisy=replace(
        NOISY,
        beside=23,
        few_beside=13,
        kinds=48,
        short_sums=120,
        starts=4,
        completed=6,
        heads=24,
        grid_heads=120,
        added=24,
        extended=80,
        extensions=3,
        handed_on=24,
    ),
    precise=replace(
        PRECISE,
        blocks=tuple((whole, above, 2 * kinds, most) for whole, above, kinds, most in PRECISE.blocks),
        beside=23,
        few_beside=20,
        kinds=80,
        short_sums=240,
        starts=4,
        completed=6,
        heads=24,
        grid_heads=400,
        added=40,
        extended=120,
        extensions=3,
        handed_on=24,
    ),
    restarts=(40, 120, 400),
    turns=4,
)
EFFORTS: dict[str, Effort] = {"quick": QUICK, "normal": NORMAL, "thorough": THOROUGH}


def effort_of(name: Any) -> Effort:
    """The effort of a name.

    Raises:
        ConfigError: there is none.
    """
    if not isinstance(name, str) or name not in EFFORTS:
        raise ConfigError(f"effort={name!r} does not exist; choose one of {list(get_args(EffortName))}.")
    return EFFORTS[name]
