"""Cases of the states benchmark: what is measured, on which grid, with how much noise, and what is true."""

import fnmatch
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal

import numpy as np
from scipy.integrate import solve_ivp

from mathonet import systems
from mathonet.data.trajectory import Trajectory
from mathonet.equation.expression import Expression, number
from mathonet.errors import ConfigError
from mathonet.experiments.truth import coefficient_errors, truths

Errors = Literal["none", "loose", "float32", "digits"]
LOOSE = 1e-6
"""Relative tolerance of a coarse integrator."""


@dataclass(frozen=True)
class Run:
    """One trajectory of a case: points equally spaced from 0 to `end`, or at random between them."""

    start: tuple[float, ...]
    end: float
    points: int
    irregular: bool = False


@dataclass(frozen=True)
class Case:
    """Measurements of a known system, as many as there are seeds.

    Attributes:
        name: as on the command line.
        group: the table it stands in.
        system: name of the system.
        runs: one a trajectory.
        noise: deviation of the Gaussian noise, a share of each state's RMS over all trajectories.
        dropped: share of the points that is lost at random.
        states: how many states are measured; the others are left out.
        order: 2 for positions alone, whose second derivative is wanted.
        known: terms the user knows, by state; numbers, for the peers can subtract only those.
        fourier: whether a user would put sines into a library.
        errors: of the numbers themselves: "loose" from an integrator with rtol 1e-6, "float32", or "digits"
            for six that were printed.
        wanted: of 50 seeds, how many have to be right; None where nothing is asked.
    """

    name: str
    group: str
    system: str
    runs: tuple[Run, ...]
    noise: float
    dropped: float = 0.0
    states: int | None = None
    order: int = 1
    known: tuple[tuple[str, float], ...] = ()
    fourier: bool = False
    # Told by the name, which records are kept by.
    errors: Errors = field(default="none", repr=False)
    # Not part of the definition that records are kept by: it changes nothing of the data.
    wanted: int | None = field(default=45, repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the measured states."""
        return systems.get(self.system).states[: self.states]

    @property
    def arguments(self) -> tuple[str, ...]:
        """Names of what a right-hand side may depend on: the states, for second order their rates, inputs."""
        rates = tuple(f"{name}'" for name in self.names) if self.order == 2 else ()
        return (*self.names, *rates, *systems.get(self.system).inputs)

    def data(self, seed: int) -> list[Trajectory]:
        """What a user would have: times, noisy states, inputs; a seed of the noise, grid and losses."""
        rng = np.random.default_rng([zlib.crc32(self.name.encode()), seed])
        clean = [_clean(self.system, run, _grid(run, rng)) for run in self.runs]
        deviations = self.noise * np.sqrt(np.mean(np.concatenate([x**2 for _, x, _ in clean]), axis=0))
        measured = []
        for t, x, u in clean:
            if self.errors != "none":
                x = _with_errors(self.system, t, x, self.errors)
            noisy = (x + deviations * rng.standard_normal(x.shape))[:, : self.states]
            kept = np.sort(rng.choice(len(t), round(len(t) * (1.0 - self.dropped)), replace=False))
            inputs = None if u is None else u[kept]
            measured.append(Trajectory(t[kept], noisy[kept], names=self.names, u=inputs))
        return measured

    def truth(self) -> list[Expression]:
        """The right-hand sides that are wanted: one a measured state, of the highest derivative."""
        every = truths(self.system)
        return every[-1:] if self.order == 2 else every[: self.states]

    def unknown(self) -> list[Expression]:
        """The same without the known terms."""
        return self.without_known(self.truth())

    def without_known(self, equations: Sequence[Expression]) -> list[Expression]:
        """Right-hand sides, one a measured state, less what was known of them."""
        known = dict(self.known)
        return [f + number(-known.get(name, 0.0)) for name, f in zip(self.names, equations, strict=True)]

    def described(self) -> dict[str, str]:
        """Parameters, starts, times and numbers of points, for the table."""
        system = systems.get(self.system)
        return {
            "parameters": ", ".join(f"{name} {value:.4g}" for name, value in system.parameters.items()),
            "start": "; ".join(str(run.start) for run in self.runs),
            "T": "; ".join(f"{run.end:g}" for run in self.runs),
            "N": "; ".join(
                f"{round(run.points * (1 - self.dropped))}{' irregular' if run.irregular else ''}"
                for run in self.runs
            )
            + (f" left of {self.runs[0].points}" if self.dropped else ""),
        }


def compared(found: Sequence[Expression], truth: Sequence[Expression]) -> dict:
    """Which equations have exactly the true terms, whether all have, and then the errors of the constants."""
    every = [coefficient_errors(one, true) for one, true in zip(found, truth, strict=True)]
    right = [errors is not None for errors in every]
    errors = [float(error) for each in every if each is not None for error in each] if all(right) else []
    return {"exact": all(right), "right": right, "errors": errors}


def _grid(run: Run, rng: np.random.Generator) -> np.ndarray:
    regular = np.linspace(0.0, run.end, run.points)
    if not run.irregular:
        return regular
    # Moved by most of a step, not drawn at will: two measurements at almost one time are no irregular grid.
    step = run.end / (run.points - 1)
    inner = regular[1:-1] + step * rng.uniform(-0.45, 0.45, run.points - 2)
    return np.concatenate([[0.0], inner, [run.end]])


@lru_cache(maxsize=8)
def _regular(system: str, run: Run) -> Trajectory:
    return systems.get(system).simulate(run.start, np.linspace(0.0, run.end, run.points))


def _clean(system: str, run: Run, t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    found = systems.get(system).simulate(run.start, t) if run.irregular else _regular(system, run)
    return t, found.x, found.u


def _with_errors(system: str, t: np.ndarray, x: np.ndarray, errors: Errors) -> np.ndarray:
    """States as coarser programs leave them."""
    if errors == "float32":
        return x.astype(np.float32).astype(float)
    if errors == "digits":
        return np.vectorize(lambda value: float(f"{value:.6g}"))(x)
    solved = solve_ivp(
        systems.get(system).rhs(), (t[0], t[-1]), x[0], t_eval=t, rtol=LOOSE, atol=1e-3 * LOOSE
    )
    return solved.y.T


# Short name, system, end (about five periods, or the whole outbreak) and another start.
_SIX: tuple[tuple[str, str, float, tuple[float, ...]], ...] = (
    ("lv", "lotka-volterra", 27.0, (3.0, 1.2)),
    ("vdp", "van-der-pol", 35.0, (-2.5, 3.0)),
    ("duffing", "duffing", 20.0, (1.6, -1.6)),
    ("pendulum", "pendulum", 16.0, (-2.3, 1.0)),
    ("fhn", "fitzhugh-nagumo", 200.0, (1.5, -0.5)),
    ("sir", "sir", 100.0, (0.8, 0.05, 0.15)),
)


def _lorenz() -> Iterable[Case]:
    run = Run(systems.get("lorenz").start, 9.99, 1000)
    for percent, wanted in ((1, 49), (5, 47), (10, 40), (20, None), (30, None)):
        yield Case(f"lorenz-{percent}", "lorenz", "lorenz", (run,), percent / 100, wanted=wanted)
    clean = Case("lorenz-clean", "clean", "lorenz", (run,), 0.0, wanted=50)
    yield clean
    yield from _coarse(clean)


def _coarse(clean: Case) -> Iterable[Case]:
    """The same with errors of the numbers themselves."""
    for errors in ("loose", "float32", "digits"):
        name = clean.name.replace("clean", errors)
        yield replace(clean, name=name, group="coarse", errors=errors, wanted=None)


def _six() -> Iterable[Case]:
    for name, system, end, other in _SIX:
        start = systems.get(system).start
        whole = Case(
            name,
            "six",
            system,
            (Run(start, end, 400),),
            0.05,
            states=2 if name == "sir" else None,
            fourier=name == "pendulum",
        )
        two = (Run(start, 0.65 * end, 220), Run(other, 0.45 * end, 180, irregular=True))
        yield whole
        yield replace(whole, name=f"{name}-half", group="half", dropped=0.5)
        yield replace(whole, name=f"{name}-two", group="two", runs=two)
        clean = replace(whole, name=f"{name}-clean", group="clean", noise=0.0, wanted=50)
        yield clean
        yield from _coarse(clean)


def _special() -> Iterable[Case]:
    forced, still = systems.get("forced-pendulum"), systems.get("pendulum")
    yield Case("forced", "special", forced.name, (Run(forced.start, 20.0, 400),), 0.02, fourier=True)
    angle = (Run(still.start, 16.0, 400),)
    yield Case("second-order", "special", still.name, angle, 0.01, states=1, order=2, fourier=True)
    # Two starts, for on one fall the square of the velocity is a function of the height.
    falls = (Run((0.0, -1.0), 2.5, 100), Run((0.0, -18.0), 2.0, 100))
    yield Case("known", "special", "falling-body", falls, 0.02, known=(("v", -9.81),))


GROUPS = ("lorenz", "six", "half", "two", "special", "clean", "coarse")


def all_cases() -> list[Case]:
    """Every case, in the order of the groups."""
    every = [*_lorenz(), *_six(), *_special()]
    return sorted(every, key=lambda case: GROUPS.index(case.group))


def choose(wanted: Sequence[str] | None, extra: Sequence[str] = ()) -> tuple[list[Case], list[str]]:
    """The cases and the extra names that are wanted: names, groups or patterns such as `lorenz-*`.

    Raises:
        ConfigError: a name fits nothing.
    """
    every = all_cases()
    if not wanted:
        return every, list(extra)
    for name in wanted:
        labels = {label for case in every for label in (case.name, case.group)} | set(extra)
        if not fnmatch.filter(labels, name):
            raise ConfigError(
                f"No case is called {name!r}. The cases are {', '.join(case.name for case in every)}"
                f"{''.join(', ' + one for one in extra)}; groups: {', '.join(GROUPS)}."
            )

    def fits(*labels: str) -> bool:
        return any(fnmatch.filter(labels, name) for name in wanted)

    # A name that is both a case and a group, such as lorenz, means the group.
    return [case for case in every if fits(case.name, case.group)], [one for one in extra if fits(one)]
