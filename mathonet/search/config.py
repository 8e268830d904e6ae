"""Settings of a discovery: few, flat, checked when made."""

import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from numbers import Integral, Real
from typing import Any, Literal, get_args

from mathonet.errors import ConfigError
from mathonet.learning.settings import Learning, Schedule, schedule
from mathonet.operations import Operation, resolve
from mathonet.search.effort import PROPOSERS, EffortName, effort_of

Selection = Literal["score", "validation"]

NUMBERS = (
    ("restarts", 1, 100_000),
    ("cycles", 1, 10_000),
    ("rows", 10, 1_000_000),
    ("seed", 0, 2**63 - 1),
)
"""Least and largest values of the whole numbers."""
MOST_NEURONS, MOST_LAYERS = 100, 10
OF_A_GIVEN_NETWORK = ("joint", "lambdas", "restarts", "cycles")
"""What acts on the network of `hidden` alone."""


@dataclass(frozen=True)
class Settings:
    """What a discovery is asked to do.

    Attributes:
        operations: unary operations of the OperNets; None for the standard ones.
        hidden: neurons of each hidden layer of one fixed MathONet, as in the paper; None for the search's own
            ways, small networks among them.
        dense: whether later layers see all earlier ones.
        stencil: neighbours on either side that a learned stencil sees; 0 for none. The inputs must be the
            neighbourhoods of the fields (see `Field.neighbourhoods`).
        joint: one network with an output for every target, as in the paper's Lotka-Volterra, instead of
            one network a target.
        lambdas: first lambdas to sweep.
        effort: "quick", "normal" or "thorough": how far the search goes (see `search.effort`).
        proposers: names of the search's own ways to forms that are used, such as "networks"; None for all.
        restarts: random starts for each lambda and target; None takes those of the effort, normally 20 for
            one hidden layer and 200 for deeper networks that were asked for.
        cycles: most cycles of a run.
        selection: "score" (the one score, default) or "validation" (the paper's: least validation error,
            and of nearly equal ones the simplest).
        validation: share of the samples held out from the search for the validation error.
        rows: most samples the search sees; score and refit see all.
        seed: of every random choice.
        learning: how the map step and the prior update are done.
        numbers: schedule of lambda and pruning.
    """

    operations: Any = None
    hidden: tuple[int, ...] | None = None
    dense: bool = False
    stencil: int = 0
    joint: bool = False
    lambdas: tuple[float, ...] = (1e-3,)
    effort: EffortName = "normal"
    proposers: tuple[str, ...] | None = None
    restarts: int | None = None
    cycles: int = 14
    selection: Selection = "score"
    validation: float = 0.1
    rows: int = 1000
    seed: int = 0
    learning: Learning = field(default_factory=Learning)
    numbers: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check every number and name."""
        resolve(self.operations)
        effort_of(self.effort)
        if self.proposers is not None:
            object.__setattr__(self, "proposers", tuple(self.proposers))
            unknown = [each for each in self.proposers if each not in PROPOSERS]
            if unknown:
                raise ConfigError(f"There is no proposer {unknown[0]!r}; choose from {list(PROPOSERS)}.")
        for name, least, most in NUMBERS:
            value = getattr(self, name)
            if name == "restarts" and value is None:
                continue
            if not is_whole(value) or not least <= value <= most:
                raise ConfigError(f"{name} must be a whole number from {least} to {most}, got {value!r}.")
            object.__setattr__(self, name, int(value))
        for name in ("dense", "joint"):
            if not isinstance(getattr(self, name), bool):
                raise ConfigError(f"{name} must be True or False, got {getattr(self, name)!r}.")
        if self.selection not in get_args(Selection):
            raise ConfigError(f"selection={self.selection!r} does not exist; choose 'score' or 'validation'.")
        if not 0.0 < self.validation < 0.9:
            raise ConfigError(f"validation must be a share between 0 and 0.9, got {self.validation!r}.")
        object.__setattr__(self, "lambdas", _several("lambdas", self.lambdas, "[1e-3]"))
        if not self.lambdas or any(not _is_real(v) or not 0 < v < 1e3 for v in self.lambdas):
            raise ConfigError(f"lambdas must be positive numbers such as [1e-3], got {list(self.lambdas)!r}.")
        if self.hidden is not None:
            object.__setattr__(self, "hidden", _several("hidden", self.hidden, "[3]"))
            if not self.hidden or any(not is_whole(k) or not 1 <= k <= MOST_NEURONS for k in self.hidden):
                raise ConfigError(
                    f"hidden={self.hidden!r}: give the neurons of each hidden layer, at most {MOST_NEURONS}, "
                    "for example [3]."
                )
            if len(self.hidden) > MOST_LAYERS:
                raise ConfigError(
                    f"hidden has {len(self.hidden)} layers; at most {MOST_LAYERS} can be learned, and one or "
                    "two are usual."
                )
            object.__setattr__(self, "hidden", tuple(map(int, self.hidden)))

        if self.stencil and self.hidden is not None and (len(self.hidden) != 1 or self.dense):
            raise ConfigError(
                "A learned stencil goes with one hidden layer, for example hidden=[3], not dense."
            )
        if self.hidden is not None and self.proposers is not None:
            raise ConfigError(
                f"hidden={list(self.hidden)} trains one network that is asked for, and proposers="
                f"{list(self.proposers)} names ways of the search: give one of them."
            )
        if self.hidden is None and self.dense:
            raise ConfigError(
                "dense=True needs an architecture: give hidden as well, for example hidden=[2, 1]."
            )

    def warn_of_no_effect(self) -> None:
        """Say what acts on a network that was asked for, where none was."""
        given = [each for each in fields(self) if each.name in OF_A_GIVEN_NETWORK]
        unused = [each.name for each in given if getattr(self, each.name) != each.default]
        if self.hidden is None and not self.stencil and unused:
            warnings.warn(
                f"Without hidden there is no effect of {', '.join(unused)}: effort says how far the search's "
                "own networks go. Give hidden as well, such as hidden=[3], or leave it out.",
                stacklevel=2,
            )

    def starts(self, layers: int) -> int:
        """Random starts for a network of some hidden layers."""
        one, deeper = effort_of(self.effort).restarts
        return self.restarts or (one if layers == 1 else deeper)

    def resolved(self) -> tuple[Operation, ...]:
        """The operations as objects."""
        return resolve(self.operations)

    def schedule(self, floor: float) -> Schedule:
        """The schedule, with the rounding variance of the data. Call in double precision."""
        return schedule(**{"floor": floor, **self.numbers})


def check_budget(budget: Any) -> float | None:
    """The seconds that a search may take; None for any time."""
    if budget is not None and (not _is_real(budget) or not 0 < budget < float("inf")):
        raise ConfigError(f"budget must be a positive number of seconds, such as 60, got {budget!r}.")
    return None if budget is None else float(budget)


def is_whole(value: Any) -> bool:
    """Whether a value is a whole number, Python's or NumPy's."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def _is_real(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _several(name: str, value: Any, example: str) -> tuple:
    """A list as a tuple; one number is a list of one."""
    if _is_real(value):
        return (value,)
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise ConfigError(f"{name} must be a number or a list of them, for example {example}; got {value!r}.")
    return tuple(value)
