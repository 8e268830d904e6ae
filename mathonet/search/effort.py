"""Effort: the quotas and thresholds of the search, each with its reason; quick, normal and thorough.

`mathonet bench ablation` halves and doubles them, one at a time (benchmarks/results/ablation.md): so they are
read where they are used, as `effort.NAME`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from mathonet.errors import ConfigError
from mathonet.search.quotas import Quotas, Restarts

EffortName = Literal["quick", "normal", "thorough"]
PROPOSERS = ("polynomials", "elimination on the path", "stepwise", "sums with calls", "networks")
"""Names of the search's own proposers."""

# Seconds
LONG = 60.0
"""From which on a search without a budget says that it goes on: few wait longer without a word."""
ALONE = 20.0
"""For the law of one state, quickly and with all others given, where that of all was not found."""

# Steps of fits
FIRST_STEPS = 6
"""Of a fit that tells whether more steps are worth while."""
JUDGING_STEPS = 12
"""Of one that only judges a form: redundant constants, which clean-up is there to remove, never settle."""
SETTLING_STEPS = 25
"""Of one that judges a form of precise data, where a fit that has not settled says nothing."""
FULL_STEPS = 60
"""Of one to its end."""
NETWORK_STEPS = 4, 8, 60
"""Of a network whose start promises something, of one that still does then, and to its minimum."""
WARM = (1e-2, 1e-3)
"""q of a path that starts from that of a neighbouring system."""
LARGEST_STEP = 0.5
"""Of a constant inside a call, as a share of it, where a local model predicts: it is good nearby only."""

# How much is fitted
FITTED_TOGETHER = 4
"""Proposals on the path of those that come together: the first are the best by what proposed them."""
RIVALS_FITTED = 3
"""Neighbouring systems of every equation, and forms of another kind, so that the lead is known."""
RIVALS_IN_ALL, RIVAL_CONSTANTS = 12, 400
"""Neighbouring systems of all equations, and their constants together: fits of large ones are dear."""
MOVE_ROUNDS = 10
"""Moves along a path, one after another."""
SIMILAR = 3
"""Weights that a network may have more than one that fits to rounding, and still be read."""
MOST_REWRITES = 100
"""Forms that clean-up tries before it only drops terms."""
MOST_SWAPPED = 5
"""Terms of a sum of monomials up to which one or two are exchanged for another."""
MOST_CLEANED, CLEANED_IN_VAIN = 30, 8
"""Forms of a proposer that are cleaned up, and how many in a row without gain."""
BLOCKS_SHORTENED, BLOCKS_FITTED, ELIMINATIONS = 6, 3, 4
"""For so many families one block is shortened, so many blocks are fitted to their ends for each of these, and
terms are eliminated so often, constants inside settling in between."""
KNOWN_FROM = 15
"""Best forms whose calls networks are given as known ones."""
RIVAL, RIVALS_SHOWN = 20.0, 15
"""Nats behind the best within which rivals that clean-up met are shown, and how many."""

# Sizes of problems
SEARCH_NODES, LEAST_NODES, MOST_PIECES = 1500, 20, 5
"""Nodes of the path that choices are made on, of each trajectory at least, and stretches it is cut into."""
NODES_PER_LENGTH = 12.0
"""Nodes of such a path in a time scale of its fastest state."""
FEW_INCREMENTS, MOST_INCREMENTS, INCREMENTS_PER_TERM = 100, 300, 3
"""Whitened increments that count, those that the data say most about; of precise data; and for every monomial
of degree 2: of many states there are many."""
COMPARED_ROWS, SOLVED_AT_ONCE = 200, 500
"""Rows that columns of calls are compared on, and points of a grid at a time, to bound the memory."""
FEW_INPUTS, SOME_INPUTS, MANY_INPUTS = 3, 5, 8
"""Inputs up to which calls are taken times products of two; quotients are; calls are taken times inputs."""
MANY_BESIDE = 3
"""Monomials beside a call from which on fewer are combined."""
MOST_OPTIONS = 140
"""Terms beyond which none are laid beside a system: the banded solutions become dear."""
VERY_MANY, PER_ROUND, FIRST_TERMS = 80, 16, 8
"""Options beyond which several are eliminated in a round, one more for every so many; and single ones that
steps begin from then."""
MOST_COLUMNS, LISTED = 300, 4
"""Monomials of a block, and how many times as many may be listed: some are the same on the data."""
HIGHEST_DEGREE, ROOM = 12, 60
"""Degree, and number of monomials, up to which all are asked together what they could explain."""
CONSTANTS_SHARE = 0.5
"""Of the residuals, how many constants a form may have."""
MOST_CONSTANTS = 40
"""Of a form with calls; sums of monomials may be longer."""

NETWORK_ROWS, NETWORK_SAMPLES = 100, 128
"""Residuals that networks learn from, and samples where residuals mix these; forms are judged on all."""

# Differences of scores
PROMISE = 4.0
"""What a prediction may be off by: so much worse than what stands, a form is still fitted."""
KIND_SLACK = 4.0
"""Nats by which increments may misjudge what a form of another kind will leave."""
MARGIN = 12.0
"""The same for moves along a path, whose predictions are coarser."""
HOPELESS = 30.0
"""Lead that moves will hardly make up, since dropping a term gains some 20; within it systems are tied."""
NOISE_GAIN = 40.0
"""What another form may gain where the present one leaves nothing that is not like noise."""
WORTH_TELLING = 1e-2
"""What the end of a fit must gain: what was computed along its path is kept for less."""
RANKING_PRICE = 12.0
"""What a constant or a call costs while forms are ranked; the score decides later."""
LARGE = 10.0
"""Size of a coefficient, in the units of the search, from which on it has a price of its own."""
MOST_TIED, CLEARLY_STEADIER, STEADIER_PER_SCORE = 8, 0.05, 0.015
"""Tied systems that are compared by what they follow from any start; the share of the variance that one must
follow more to be preferred, and more for every unit that it is behind."""

# What a sum of squares says
NEXT_TO = 4.0
"""In units of the floor's, up to which nothing is left."""
TENFOLD, HUNDREDFOLD = 10.0, 100.0
"""Within the first factor of the least, a form is next to it; errors larger by the second are far worse."""
FAR_BETTER = 100.0
"""In units of what any polynomial would leave, from which on something is left to be found; and what a fit
from a point of the grid takes off at most, as a factor, where there is noise."""
ELSEWHERE = 0.5
"""Share of what is known of a form below which a run has left another minimum."""
LEAST_PROMISE = 1e-3
"""Least share of the present one that a prediction may promise where its model is approximate."""
DROPPED = 2.0
"""Factor that terms may be worth, and go, where a coarse integrator made the data."""
AT_ITS_END = 1.5
"""What the gradient promises to take away, in units of all there is, of a fit at its end."""
NEARLY_CLEAN, NEARLY_NOISE = 1e-3, 1.5
"""What a system may leave of clean data (a share of a state's size), and of others (mean square in units of
the noise), and count as close."""
FAR_OFF = 3.0
"""What a right form may leave of most smoothed derivatives, in units of their deviations."""

# Forms that are no accident
SURE = 8
"""Constants up to which a form that fits to rounding is none."""
NO_ACCIDENT = 5
"""The same where a coarse integrator made the data, and at least, where states tell fewer digits."""
SPARE_DIGITS = 2
"""What a form that is no polynomial has to reach beyond a digit for every constant: so well it follows any
smooth function. A sum of tanh and cos with eight constants is x/(1 - exp(-x)) to 1e-8."""
MOST_SHORTENED = 16
"""Constants of an equation beyond which it is not shortened term by term, and no outlier is judged by it."""
FEW_TERMS, LOW_DEGREE = 4, 3
"""Terms of an equation, and degree, up to which it is hardly the stand-in of another."""
CANCELLING = 1e3
"""Size of a term, in units of the target, from which on a form lives by what its terms cancel."""
STRAIGHT_PRECISE = 1e-2
"""Range of an argument below which an operation is a straight line where there is hardly any noise."""

# Noise and outliers
CLEAN, HARDLY_NOISY, PRECISE_FLOOR = 1e-6, 1e-4, 1e-9
"""Noise up to which data count as clean, and as precise, telling a law from nearly all its rivals, as shares
of a state's size; and the floor of samples that count as precise where nobody says so."""
LOOSE = 1e-5
"""What clean data are sure to tell, on the same scale: where no form reaches what their digits allow, a
coarse integrator made them."""
TIGHT, STIFFEST = 1e-9, 3e-3
"""Noise that a path of clean data is fitted with, as integrator and float64 allow; and of a state beside a
noisier one, as a share of that one's."""
BY_CHANCE, LARGEST_PRINTED = 1.2, 1.5
"""Root mean square of rounding errors that chance hardly exceeds, and the largest, in their deviations."""
UNCERTAIN = 3.0
"""Rows are left out of the search where a derivative is this much less certain than usual: ends, gaps."""
NOISE_TOLD = 15.0
"""Nats by which another noise must explain what a system leaves of a state."""
NORMAL_SPREAD = 1.25
"""Root mean square of noise in units of its quartiles', up to which its law is normal."""
EXPLAINED_WITHIN = 4.0
"""Deviations of the noise within which a system explains a value that was taken for an outlier."""
LEFT_OUT_SINGLY, HELPED, BESIDE_END, OUTLIER_PASSES = 12, 0.95, 4, 2
"""Values that are left out one by one, what that may leave of the sum of squares before, rows from the end of
a trajectory at which its last value may be to blame, and times that the share of outliers is taken anew."""

# What rounding leaves
RESOLVED = 1e-12
"""Least length, eigenvalue, information or error that means something, in units of the largest."""
SUM_EPSILONS = 16
"""Epsilons of the largest term that float64 makes in the sum of a form."""
SLOPE_ERROR = 1e-8
"""Of smoothed derivatives, as a share of their size: differences of numbers with 16 digits."""
INCREMENT_FLOOR, COARSE_INTEGRAL, SMALL_RESIDUAL = 1e-6, 0.3, 1e-3
"""Of increments along a path, in units of the noise; the error up to which trapezoids will do; and residuals
that are nothing."""
DEPENDENT, SPANNED, OWN_SHARE = 1e-9, 1e-14, 1e-7
"""What a column of length one must have of its own, squared, to be added; without squaring, to be solved for;
squared, for its coefficient to be ranked by."""
ILL_CONDITIONED = 1e9
"""Factor by which other terms blow up a coefficient's variance from which on it counts as dependent."""
LARGEST_COLUMN = 1e12
"""Length of a column of calls from which on it is left out."""
LEAST_GAIN = 1e-6
"""What a move must gain in the score, so that rounding leads to no circle."""
TRACE = 1e-12
"""The coefficient of a term before it is fitted."""


USUAL = Restarts()


@dataclass(frozen=True)
class Effort:
    """How far a search goes.

    Attributes:
        noisy: for data whose noise would follow many forms.
        precise: for data with hardly any noise: they tell a law from nearly all rivals, so that it only has
            to be met.
        degrees: of polynomials on samples, one after another until one leaves nothing.
        networks: restarts of small networks for precise data, half as many for others; None for no networks,
            which take longest.
        restarts: random starts of a network that was asked for, with one hidden layer, and of a deeper one,
            whose landscape is rougher.
        turns: times that sums with calls are looked for along a path, as long as that helps.
        polynomial_turns: times that polynomials are, which takes little.
        without: names of proposers that are left out, to see what they bring.
    """

    noisy: Quotas
    precise: Quotas
    degrees: tuple[int, ...] = (2, 3, 5)
    networks: Restarts | None = USUAL
    restarts: tuple[int, int] = (20, 200)
    turns: int = 2
    polynomial_turns: int = 4
    without: tuple[str, ...] = ()

    def of(self, proposers: Sequence[str] | None) -> "Effort":
        """The same with the proposers of these names alone; None for all."""
        if proposers is None:
            return self
        return replace(self, without=tuple(each for each in PROPOSERS if each not in proposers))

    def quotas(self, precise: bool) -> Quotas:
        """Those of precise data, or of noisy ones."""
        return self.precise if precise else self.noisy

    def along_path(self, asked_before: bool) -> "Effort":
        """The same for what is looked for along a path: no whole blocks, which cost more there.

        Half of all, where the samples of precise data were asked all of it before.
        """
        precise = self.precise.times(0.5) if asked_before else self.precise
        return replace(self, precise=replace(precise, blocks=()))


NOISY = Quotas()
# Some laws of precise data are only met with so much more; of noisy data, twice as much finds none besides.
PRECISE = Quotas(
    blocks=((1, 1, 60, 5), (2, 1, 60, 5), (1, 3, 60, 3), (3, 2, 60, 3)),
    beside=16,
    few_beside=16,
    kinds=40,
    short_sums=120,
    starts=2,
    completed=3,
    heads=12,
    grid_heads=200,
    added=20,
    extended=60,
    handed_on=12,
    degrees=(2, 3, 5),
)
NORMAL = Effort(NOISY, PRECISE)
QUICK = Effort(
    # Choices of three, and large blocks, take longest of all.
    noisy=replace(NOISY.times(0.5), most_beside=2),
    precise=replace(PRECISE.times(0.5), most_beside=2, blocks=PRECISE.times(0.5).blocks[:2], degrees=(2, 3)),
    degrees=(2, 3),
    networks=None,
    turns=1,
)
THOROUGH = Effort(NOISY.times(2.0), PRECISE.times(2.0), networks=USUAL.times(4), restarts=(40, 400), turns=4)
EFFORTS: dict[str, Effort] = {"quick": QUICK, "normal": NORMAL, "thorough": THOROUGH}


def effort_of(name: Any) -> Effort:
    """The effort of a name.

    Raises:
        ConfigError: there is none.
    """
    if not isinstance(name, str) or name not in EFFORTS:
        raise ConfigError(f"effort={name!r} does not exist; choose one of {list(get_args(EffortName))}.")
    return EFFORTS[name]
