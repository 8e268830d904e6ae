"""Cases of a recovery benchmark: a known system, how it is measured, and what a user would have of it."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import sympy

from mathonet.data.trajectory import Trajectory
from mathonet.equation.expression import Expression
from mathonet.equation.parse import from_text
from mathonet.equation.symbolic import to_sympy
from mathonet.systems.system import System

WIDER = 0.25
"""By how much the box on which functions are compared is wider than the data."""
BOX_POINTS = 512
SINGULAR = 10.0
"""Largest size of a true right-hand side on the box, in units of its largest on the data: near a pole only
the pole would be compared."""


@dataclass(frozen=True)
class Dynamics:
    """A known system of ordinary differential equations with two starts: to learn from, and to judge by.

    Attributes:
        name: as on the command line.
        states: names of the states.
        equations: right-hand sides as formulas of the states, one a state.
        starts: the start of the measured trajectory, and another one.
        end: last time; the first is 0.
        title: in words.
        science: which one it is from.
        held_out: whether it is set aside, to be looked at once, at the end.
    """

    name: str
    states: tuple[str, ...]
    equations: tuple[str, ...]
    starts: tuple[tuple[float, ...], tuple[float, ...]]
    end: float
    # Not part of the definition that records are kept by: they change nothing of the data.
    title: str = field(default="", repr=False)
    science: str = field(default="", repr=False)
    held_out: bool = field(default=False, repr=False)

    @property
    def truth(self) -> tuple[Expression, ...]:
        """The right-hand sides, one a state."""
        return _parsed(self.equations, self.states)

    def trajectory(self, start: int, points: int) -> Trajectory:
        """The solution from one of the starts at equally spaced times, with derivatives, to 12 digits."""
        return _solved(self, start, points)


@lru_cache(maxsize=256)
def _parsed(equations: tuple[str, ...], states: tuple[str, ...]) -> tuple[Expression, ...]:
    return tuple(from_text(equation, states) for equation in equations)


@lru_cache(maxsize=32)
def _solved(dynamics: Dynamics, start: int, points: int) -> Trajectory:
    symbols = [sympy.Symbol(name) for name in dynamics.states]
    system = System(
        name=dynamics.name,
        title=dynamics.title,
        states=dynamics.states,
        parameters={},
        equations=tuple(to_sympy(each, symbols, sympy.Rational) for each in dynamics.truth),
        start=dynamics.starts[start],
        t_span=(0.0, dynamics.end),
        samples=points,
        operations=(),
        hidden=None,
        reference="",
    )
    return system.simulate()


@dataclass(frozen=True)
class Case:
    """Measurements of a system, as many as there are seeds.

    Attributes:
        dynamics: what is measured.
        points: equally spaced times.
        sigma: deviation of the noise, a share of each single value: x (1 + sigma N(0, 1)).
        rho: share of the points that is lost at random.
        derivatives: whether exact derivatives are given.
    """

    dynamics: Dynamics
    points: int
    sigma: float = 0.0
    rho: float = 0.0
    derivatives: bool = False

    @property
    def name(self) -> str:
        """As in the records."""
        return self.dynamics.name

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the states."""
        return self.dynamics.states

    @property
    def condition(self) -> tuple[int, float, float, bool]:
        """How it is measured, without what is: the line of the summary it counts in."""
        return (self.points, self.sigma, self.rho, self.derivatives)

    @property
    def measured(self) -> dict:
        """The same by name, for a record."""
        return {"grid": self.points, "sigma": self.sigma, "rho": self.rho, "derivatives": self.derivatives}

    def data(self, seed: int) -> Trajectory:
        """What a user would have: times, states, derivatives if given; a seed of the noise and losses.

        One seed has the same noise at every sigma but for its size, and the same losses.
        """
        clean = self.dynamics.trajectory(0, self.points)
        rng = np.random.default_rng([zlib.crc32(self.name.encode()), self.points, seed])
        x = clean.x * (1.0 + self.sigma * rng.standard_normal(clean.x.shape))
        lost = rng.choice(self.points, int(self.rho * self.points), replace=False)
        kept = np.setdiff1d(np.arange(self.points), lost)
        x_dot = clean.x_dot[kept] if self.derivatives and clean.x_dot is not None else None
        return Trajectory(clean.t[kept], x[kept], x_dot, self.names)

    def box(self) -> np.ndarray:
        """States at random in a box that is 25 % wider than the clean data."""
        x = self.dynamics.trajectory(0, self.points).x
        low, high = x.min(axis=0), x.max(axis=0)
        reach = WIDER / 2 * (high - low)
        rng = np.random.default_rng(zlib.crc32(self.name.encode()))
        return rng.uniform(low - reach, high + reach, (BOX_POINTS, x.shape[1]))


def cases(
    systems: Sequence[Dynamics],
    grids: Sequence[int],
    sigmas: Sequence[float],
    rhos: Sequence[float],
    derivatives: bool,
) -> list[Case]:
    """Every system under every condition, condition by condition."""
    return [
        Case(dynamics, points, sigma, rho, derivatives)
        for points in grids
        for sigma in sigmas
        for rho in rhos
        for dynamics in systems
    ]
