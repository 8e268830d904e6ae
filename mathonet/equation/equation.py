"""Equation and EquationSystem: what was found, as text, LaTeX, SymPy and callables, with intervals."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from numbers import Real

import jax.numpy as jnp
import numpy as np
import pandas as pd
import sympy
from numpy.typing import ArrayLike
from scipy import stats

from mathonet.data.units import Units
from mathonet.equation import symbolic
from mathonet.equation.assembly import assemble, constants, replace_constants, tape_operations, zero_free
from mathonet.equation.expression import Call, Expression, Term
from mathonet.equation.simple_numbers import snap
from mathonet.equation.units import constant_units
from mathonet.errors import DataError, SimulationError
from mathonet.operations import Operation
from mathonet.precision import double_precision


@dataclass(frozen=True)
class Equation:
    """target' = expression(inputs), in the data's units.

    Attributes:
        target: name of the state whose derivative this is.
        inputs: names of the expression's inputs.
        expression: the right-hand side.
        covariance: of the free constants, from the refit.
        freedom: degrees of freedom of the residuals behind the covariance.
        sigma: standard deviation of the residuals.
        simple: sizes of constants that are simple numbers and written so; see `snapped`.
    """

    target: str
    inputs: tuple[str, ...]
    expression: Expression
    covariance: np.ndarray
    freedom: float
    sigma: float
    simple: frozenset[float] = frozenset()

    @property
    def operations(self) -> tuple[Operation, ...]:
        """What the expression's tape may call."""
        return tape_operations(tuple(dict.fromkeys(call.operation for call in self.expression.calls())))

    def text(self, digits: int = symbolic.DIGITS) -> str:
        """Such as `x' = -10.000 x + 10.000 y`."""
        return f"{self.target}' = {symbolic.text(self.expression, self.inputs, digits, self.simple)}"

    def latex(self, digits: int = symbolic.DIGITS) -> str:
        """LaTeX of the equation."""
        body = symbolic.latex(self.expression, self.inputs, digits, self.simple)
        return rf"\dot{{{symbolic.latex_name(self.target)}}} = {body}"

    def sympy(self) -> sympy.Expr:
        """The right-hand side in plain symbols of the names."""
        return symbolic.to_sympy(self.expression, [sympy.Symbol(name) for name in self.inputs])

    def coefficients(self, level: float = 0.95) -> pd.DataFrame:
        """One row a free constant: target, term, value, std, low, high."""
        values = np.asarray(constants(zero_free(self.expression)))
        std = np.sqrt(np.maximum(np.diagonal(self.covariance), 0.0))
        reach = self._reach(level) * std
        return pd.DataFrame(
            {
                "target": self.target,
                "term": symbolic.constant_labels(zero_free(self.expression), self.inputs),
                "value": values,
                "std": std,
                "low": values - reach,
                "high": values + reach,
            }
        )

    def snapped(self) -> "Equation":
        """The same with simple numbers, such as 10 for 9.9987, where the errors of the constants allow it.

        They have no deviation then. The others move and narrow as far as the simple ones being true would
        make them; see `equation.simple_numbers`.
        """
        form = zero_free(self.expression)
        found = snap(np.asarray(constants(form)), self.covariance, self._reach())
        changed = replace_constants(form, found.values.tolist())
        # Two calls that simple numbers make equal would share their constants: another form.
        if not found.simple.any() or not np.array_equal(constants(changed), found.values):
            return self
        sizes = frozenset(np.abs(found.values[found.simple]).tolist())
        return replace(self, expression=changed, covariance=found.covariance, simple=sizes)

    def _reach(self, level: float = 0.95) -> float:
        """Deviations that an interval reaches to either side."""
        return float(stats.t.ppf(0.5 + level / 2, max(self.freedom, 1.0)))

    def __call__(self, inputs: np.ndarray) -> np.ndarray:
        """The right-hand side at each row of the inputs, as it is written: nan where log or sqrt has none."""
        rows = np.asarray(inputs, float)
        with np.errstate(all="ignore"):
            return np.broadcast_to(self.function(*rows.T), len(rows)).astype(float)

    def __getstate__(self) -> dict:
        """Everything but the compiled function, which is made again where it is needed."""
        return {key: value for key, value in self.__dict__.items() if key != "function"}

    @cached_property
    def function(self) -> Callable[..., np.ndarray]:
        """A plain NumPy function of the inputs, one argument each."""
        return self.compiled("numpy")

    def compiled(self, module: str) -> Callable:
        """The right-hand side as a function of its inputs, in NumPy or JAX.

        Names of the data never reach the generated code, and the constants are arguments of it: as literals
        they would be printed with 15 digits.
        """
        # Symbols, not dummies: SymPy numbers those as it goes, orders products by the number, and so would
        # round the same equation differently the next time.
        arguments = [sympy.Symbol(f"input_{i}") for i in range(len(self.inputs))]
        values = constants(zero_free(self.expression))
        places = [sympy.Symbol(f"constant_{i}") for i in range(len(values))]
        remaining = iter(places)
        body = symbolic.to_sympy(zero_free(self.expression), arguments, lambda _: next(remaining))
        # A user's operation may need what NumPy has not, such as erf.
        modules = ["scipy", "numpy"] if module == "numpy" else [module]
        compiled = sympy.lambdify([*arguments, *places], body, modules, cse=True)
        return lambda *inputs: compiled(*inputs, *values)


def with_signs(expression: Expression, values: Callable[[Expression], np.ndarray | None]) -> Expression:
    """Note on each log and sqrt whether its argument has one sign throughout the data."""

    def noted(call: Call) -> Call:
        argument = with_signs(call.argument, values)
        if call.operation.name not in ("log", "sqrt"):
            return Call(call.operation, argument)
        seen = values(call.argument)
        one_sign = seen is not None and ((seen > 0).all() or (seen < 0).all())
        return Call(call.operation, argument, int(np.sign(seen[0])) if one_sign and seen is not None else 0)

    def factors(term: Term):
        return tuple((noted(base) if isinstance(base, Call) else base, power) for base, power in term.factors)

    return Expression(tuple(replace(term, factors=factors(term)) for term in expression.terms))


@dataclass(frozen=True)
class EquationSystem:
    """One equation a state, over the same inputs: the states first, then the control inputs."""

    equations: tuple[Equation, ...]
    input_names: tuple[str, ...] = ()
    units: Units = Units()  # noqa: RUF009 - frozen, and never changed

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the states."""
        return tuple(equation.target for equation in self.equations)

    @property
    def needed(self) -> tuple[str, ...]:
        """Names of the inputs that some equation has; values of others need not be given."""
        first = len(self.equations)
        return tuple(
            name
            for place, name in enumerate(self.input_names, first)
            if any(equation.expression.uses(place) for equation in self.equations)
        )

    def __str__(self) -> str:
        """One equation a line."""
        return "\n".join(equation.text() for equation in self.equations)

    def latex(self, digits: int = symbolic.DIGITS) -> str:
        """All equations as one LaTeX `aligned` block."""
        lines = [equation.latex(digits).replace(" = ", " &= ", 1) for equation in self.equations]
        return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}"

    def coefficients(self, level: float = 0.95) -> pd.DataFrame:
        """One row a free constant of all equations, with its unit where any unit is known."""
        tables = [equation.coefficients(level) for equation in self.equations]
        if self.units.known:
            for table, each in zip(tables, self.equations, strict=True):
                table["unit"] = constant_units(
                    zero_free(each.expression), each.target, each.inputs, self.units
                )
        return pd.concat(tables, ignore_index=True)

    def snapped(self) -> "EquationSystem":
        """The same with simple numbers where the errors of the constants allow it; see `Equation.snapped`."""
        return replace(self, equations=tuple(equation.snapped() for equation in self.equations))

    def predict(self, x: ArrayLike, u: ArrayLike | None = None) -> np.ndarray:
        """Derivatives (rows, states) at each row of the states and inputs."""
        rows = self._inputs(_numbers(x, "x"), u)
        return np.stack([equation(rows) for equation in self.equations], axis=1)

    def rhs(self, module: str = "numpy") -> Callable:
        """f(t, x, u=None) for one's own solver, in NumPy float64, or in JAX for Diffrax.

        x holds one entry a state and u one an input; each entry may be an array.
        """
        functions = [equation.compiled(module) for equation in self.equations]
        stack = jnp.stack if module == "jax" else np.array

        def f(t, x, u=None):
            states, drive = _entries(x), _entries(u)
            self._check_entries(len(states), None if u is None else len(drive))
            drive = drive or [0.0] * len(self.input_names)
            return stack([function(*states, *drive) + 0.0 * states[0] for function in functions])

        return f

    @double_precision
    def simulate(self, x0: ArrayLike, t: ArrayLike, u: ArrayLike | None = None) -> np.ndarray:
        """States (times, states) from x0 at t[0].

        Raises:
            SimulationError: the solution leaves every bound or the solver gives up, with the time it reached.
        """
        # Diffrax takes half a second to load, and many searches end without a simulation.
        from mathonet.fit.integrate import integrate

        start, times = _numbers(x0, "x0"), _numbers(t, "t")
        if start.shape != (len(self.equations),) or not np.isfinite(start).all():
            raise DataError(
                f"x0 must be {len(self.equations)} finite numbers, one for each of {list(self.names)}; "
                f"got {np.asarray(x0)!r}."
            )
        if times.ndim != 1 or len(times) < 2 or not np.isfinite(times).all() or (np.diff(times) <= 0).any():
            raise DataError("t must be at least two increasing times.")
        drive = self._inputs(np.zeros((len(times), len(start))), u)[:, len(start) :]
        if not np.isfinite(drive).all():
            raise DataError("u holds values that are not finite: fill them before simulating.")
        operations = tape_operations(tuple(dict.fromkeys(f for e in self.equations for f in e.operations)))
        tapes = tuple(assemble(zero_free(e.expression), len(e.inputs), operations) for e in self.equations)
        if any(tape is None for tape in tapes):
            raise SimulationError("An equation is too large to simulate; use rhs() with your own solver.")
        found = integrate(tapes, operations, start, times, drive)  # pyright: ignore[reportArgumentType]
        x = np.asarray(found.x)
        if not bool(found.good):
            reached = times[np.isfinite(x).all(axis=1)]
            last = reached[-1] if len(reached) else times[0]
            why = (
                "a state or its slope grows past all bounds"
                if bool(found.blown)
                else "the solver needs too many steps"
            )
            raise SimulationError(
                f"The simulation from x0 = {start.tolist()} ends after t = {last:g}: {why}. "
                "Simulate a shorter time, start nearer to the data, or look at the other candidates.",
                float(last),
            )
        defined = np.isfinite(self.predict(x, u)).all(axis=1)
        if not defined.all():
            raise SimulationError(
                "The simulation leaves the domain of a logarithm or root in the equations. Simulate a "
                "shorter time, or start nearer to the data.",
                float(times[max(int(np.argmin(defined)) - 1, 0)]),
            )
        return x

    def _check_entries(self, states: int, inputs: int | None) -> None:
        """Refuse a number of states or inputs other than that of the equations; None stands for no u."""
        if states != len(self.equations):
            raise DataError(
                f"x must have {len(self.equations)} entries, one for each of {list(self.names)}; "
                f"got {states}."
            )
        if inputs is None and self.needed:
            raise DataError(f"These equations need the inputs {list(self.input_names)}; give u.")
        if inputs is not None and not self.input_names:
            raise DataError("These equations have no inputs; leave u out.")
        if inputs is not None and inputs != len(self.input_names):
            raise DataError(
                f"u must have {len(self.input_names)} entries, one for each of {list(self.input_names)}; "
                f"got {inputs}."
            )

    def _inputs(self, x: np.ndarray, u: ArrayLike | None) -> np.ndarray:
        if x.ndim == 1 and len(self.equations) == 1:
            x = x[:, None]
        if x.ndim != 2 or x.shape[1] != len(self.equations):
            row = " For one row, give x.reshape(1, -1)." if x.shape == (len(self.equations),) else ""
            raise DataError(
                f"x must be (rows, {len(self.equations)}) for {list(self.names)}, got {x.shape}.{row}"
            )
        self._check_entries(x.shape[1], None if u is None else len(self.input_names))
        u = np.zeros((len(x), len(self.input_names))) if u is None else _numbers(u, "u")
        if u.ndim == 1 and len(self.input_names) == 1:
            u = u[:, None]
        if u.shape != (len(x), len(self.input_names)):
            raise DataError(f"u must be (rows, inputs) = {(len(x), len(self.input_names))}, got {u.shape}.")
        return np.concatenate([x, u], axis=1)


def _numbers(values: ArrayLike, what: str) -> np.ndarray:
    try:
        return np.asarray(values, dtype=float)
    except (TypeError, ValueError) as error:
        raise DataError(f"{what} must be an array of numbers ({error}).") from error


def _entries(values) -> list:
    """The entries of a state or an input; one of them may be a bare number."""
    if values is None:
        return []
    # Not np.ndim: a list of JAX's tracers cannot be made an array of NumPy.
    return [values] if getattr(values, "ndim", None) == 0 or isinstance(values, Real) else [*values]
