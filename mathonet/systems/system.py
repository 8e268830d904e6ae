"""System: known equations with a start, parameters and a reference, and their accurate simulation."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np
import sympy
from numpy.typing import ArrayLike
from scipy.integrate import ode

from mathonet.data.trajectory import Trajectory
from mathonet.errors import ConfigError, DataError

TIME = sympy.Symbol("t")
"""The time, as it occurs in the inputs of a system."""
MOST_STEPS = 100_000
"""Most steps from one time to the next; a solution that needs more has a singularity there."""


@dataclass(frozen=True, eq=False)
class System:
    """A first-order system of ordinary differential equations; time enters by known inputs only.

    Attributes:
        name: Short name, as on the command line.
        title: Name for people.
        states: One name a state.
        parameters: The values that are already inserted into `equations`.
        equations: The right-hand sides, in plain symbols of the states and inputs. Constants are exact
            rationals, because SymPy prints a Float with 15 digits only when it turns an expression into code.
        start: Initial state.
        t_span: First and last time.
        samples: Number of equally spaced times.
        operations: Operations a user would try.
        hidden: Neurons a hidden layer of a MathONet that can represent the system, or None.
        reference: Where the system comes from.
        inputs: What drives the system from outside, each a function of the time `TIME`.
    """

    name: str
    title: str
    states: tuple[str, ...]
    parameters: Mapping[str, float]
    equations: tuple[sympy.Expr, ...]
    start: tuple[float, ...]
    t_span: tuple[float, float]
    samples: int
    operations: tuple[str, ...]
    hidden: tuple[int, ...] | None
    reference: str
    inputs: Mapping[str, sympy.Expr] = field(default_factory=dict)

    @property
    def symbols(self) -> tuple[sympy.Symbol, ...]:
        """The symbols of the states and then of the inputs, as they occur in `equations`."""
        return tuple(sympy.Symbol(name) for name in (*self.states, *self.inputs))

    def rhs(self) -> Callable[[float | np.ndarray, np.ndarray], np.ndarray]:
        """The right-hand side f(t, x) for a state or, with states first, for many at once."""
        symbols = (TIME, *self._state_symbols)
        functions = [sympy.lambdify(symbols, equation, "numpy") for equation in self._driven()]

        def f(t: float | np.ndarray, x: np.ndarray) -> np.ndarray:
            # A constant right-hand side returns a scalar whatever the shape of the states.
            return np.array([np.broadcast_to(function(t, *x), np.shape(x[0])) for function in functions])

        return f

    def drive(self, t: ArrayLike) -> np.ndarray | None:
        """The inputs (times, inputs) at the times, or None for a system without inputs."""
        times = np.asarray(t, dtype=np.float64)
        columns = [sympy.lambdify(TIME, value, "numpy")(times) for value in self.inputs.values()]
        return np.column_stack([np.broadcast_to(c, times.shape) for c in columns]) if columns else None

    @property
    def _state_symbols(self) -> tuple[sympy.Symbol, ...]:
        return self.symbols[: len(self.states)]

    def _driven(self) -> list[sympy.Expr]:
        """The right-hand sides as functions of the states and the time."""
        inserted = [(sympy.Symbol(name), value) for name, value in self.inputs.items()]
        return [equation.subs(inserted) for equation in self.equations]

    def simulate(
        self,
        start: Sequence[float] | np.ndarray | None = None,
        t: ArrayLike | None = None,
        t_span: tuple[float, float] | None = None,
        samples: int | None = None,
        noise: float = 0.0,
        derivative_noise: float = 0.0,
        seed: int = 0,
    ) -> Trajectory:
        """Simulate, with derivatives from the equations at the noise-free states.

        Args:
            start: Initial state at the first time; None takes the system's own.
            t: Increasing times; None takes `samples` equally spaced ones in `t_span`.
            t_span: First and last time; None takes the system's own. Not together with `t`.
            samples: Number of times; None takes the system's own. Not together with `t`.
            noise: Standard deviation of Gaussian noise on each state, as a share of that state's RMS.
            derivative_noise: The same on each derivative, as a share of that derivative's standard deviation.
            seed: Seed of the noise; each kind of noise has its own stream.

        Raises:
            ConfigError: If an argument cannot be used.
            DataError: If the solution leaves the range of numbers before the last time.
        """
        x0 = self._checked_start(start)
        times = self._times(t, t_span, samples)
        for label, share in (("noise", noise), ("derivative_noise", derivative_noise)):
            if not (np.isfinite(share) and share >= 0):
                raise ConfigError(f"{label} must be a share of 0 or more, such as 0.01, got {share!r}.")
        x = self._solve(x0, times)
        x_dot = self.rhs()(times, x.T).T
        of_states, of_derivatives = np.random.default_rng(seed).spawn(2)
        x_noise = noise * np.sqrt(np.mean(x**2, axis=0)) * of_states.standard_normal(x.shape)
        x_dot_noise = derivative_noise * np.std(x_dot, axis=0) * of_derivatives.standard_normal(x.shape)
        u, input_names = self.drive(times), tuple(self.inputs)
        return Trajectory(times, x + x_noise, x_dot + x_dot_noise, self.states, u, input_names)

    def _solve(self, x0: np.ndarray, times: np.ndarray) -> np.ndarray:
        """States at the times by SciPy's compiled DOP853; every time ends a step, so none is interpolated.

        Its right-hand side is one function of plain floats: with arrays, a long run takes ten times as long.
        """
        slopes = sympy.lambdify([TIME, self._state_symbols], self._driven(), "math", cse=True)
        solver = ode(lambda t, x: slopes(t, x.tolist()))
        solver.set_integrator("dop853", rtol=1e-12, atol=1e-13, nsteps=MOST_STEPS)
        solver.set_initial_value(x0, times[0])
        x = np.full((len(times), len(x0)), np.nan)
        x[0], row = x0, 0
        # The solver warns where it gives up; its status says the same. Plain floats raise where arrays would
        # hold inf or nan.
        with warnings.catch_warnings(action="ignore"), suppress(OverflowError, ValueError):
            while row + 1 < len(times) and solver.successful():
                row += 1
                x[row] = solver.integrate(times[row])
        if not solver.successful() or not np.isfinite(x).all():
            raise DataError(
                f"The simulation of {self.name!r} from {x0.tolist()} stopped before t = {times[-1]:g}: the "
                f"solution leaves the range of numbers after t = {times[max(row - 1, 0)]:g}. "
                "Choose another start or a shorter time."
            )
        return x

    def _checked_start(self, start: Sequence[float] | np.ndarray | None) -> np.ndarray:
        x0 = np.array(self.start if start is None else start, dtype=np.float64)
        if x0.shape != (len(self.states),) or not np.all(np.isfinite(x0)):
            raise ConfigError(
                f"A start of {self.name!r} needs {len(self.states)} finite numbers "
                f"({', '.join(self.states)}), got {x0.tolist()}."
            )
        return x0

    def _times(
        self, t: ArrayLike | None, t_span: tuple[float, float] | None, samples: int | None
    ) -> np.ndarray:
        if t is not None:
            if t_span is not None or samples is not None:
                raise ConfigError("Give either the times t, or t_span and samples, not both.")
            times = np.array(t, dtype=np.float64)
        else:
            first, last = self.t_span if t_span is None else t_span
            times = np.linspace(first, last, self.samples if samples is None else samples)
        if times.ndim != 1 or times.size < 2 or not np.all(np.isfinite(times)) or np.any(np.diff(times) <= 0):
            raise ConfigError(
                f"A simulation needs at least two increasing, finite times, got {times.size} in shape "
                f"{times.shape}. Check t, t_span and samples."
            )
        return times
