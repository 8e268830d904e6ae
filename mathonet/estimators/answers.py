"""Answers: what a fitted `Discoverer` gives: equations, predictions with bands, simulations, scores, code."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import sympy
from sklearn.utils.validation import check_is_fitted

from mathonet.data.trajectories import as_trajectories, refuse_permuted
from mathonet.equation.code.export import export
from mathonet.equation.equation import EquationSystem
from mathonet.equation.symbolic import DIGITS
from mathonet.errors import ConfigError, DataError
from mathonet.result.apart import driven_by_others, split
from mathonet.result.discovery import Discovery
from mathonet.result.performance import score_system
from mathonet.result.uncertainty import Band, Kind, band
from mathonet.search.measurements.measured import Smoothing


class Answers:
    """What there is to ask once the equations are found.

    Attributes:
        discovery_: what was found.
        order: of the equations.
        smoothing: of states, where derivatives are compared that were not measured.
    """

    discovery_: Discovery
    order: int
    smoothing: Smoothing

    def equations(self, digits: int = DIGITS) -> list[str]:
        """The equations as text, such as `x' = -10.000 x + 10.000 y`."""
        return [equation.text(digits) for equation in self._system().equations]

    def sympy(self) -> list[sympy.Expr]:
        """The right-hand sides in plain symbols of the names, in the data's units."""
        return [equation.sympy() for equation in self._system().equations]

    def latex(self, digits: int = DIGITS) -> str:
        """The equations as one LaTeX `aligned` block."""
        return self._system().latex(digits)

    def snapped(self) -> EquationSystem:
        """The equations with simple numbers where the data allow it; all else goes by what was fitted."""
        check_is_fitted(self, "discovery_")
        return self.discovery_.snapped()

    def predict(self, x: Any, u: Any = None) -> np.ndarray:
        """Derivatives at each row of the states (and inputs)."""
        x, u = self._split(x, u)
        return self._system(x, u).predict(x, u)

    def band(
        self,
        x: Any,
        u: Any = None,
        kind: Kind = "linearised",
        samples: int = 1000,
        seed: int = 0,
    ) -> Band:
        """Derivatives at each row with their deviation: where new measurements are to be expected.

        Args:
            x: states, one row a point.
            u: control inputs, like x.
            kind: "linearised" (covariance of the constants plus the noise) or, as the paper, "sampled"
                (networks from the posterior of the weights, without the noise).
            samples: number of networks to sample.
            seed: of the samples.
        """
        x, u = self._split(x, u)
        self._system(x, u)
        try:
            rows = np.column_stack([np.asarray(part, float) for part in (x, u) if part is not None])
        except (TypeError, ValueError) as error:
            raise DataError(f"x and u must be arrays of numbers with as many rows ({error}).") from error
        return band(self.discovery_, rows, kind, samples, seed)

    def rhs(self, module: str = "numpy") -> Callable:
        """f(t, x, u=None) for one's own solver; `rhs("jax")` for Diffrax."""
        if module not in ("numpy", "jax"):
            raise ConfigError(f"rhs({module!r}) does not exist; choose 'numpy' or 'jax'.")
        return self._system().rhs(module)

    def export(self, to: str, path: str | Path | None = None) -> str:
        """The equations as source code, complete as it stands, with every bit of the constants.

        Args:
            to: "latex", "python", "numpy", "jax", "julia", "matlab", "c" or "sympy".
            path: a file to write it to as well.
        """
        return export(self._system(), to, path)

    def simulate(self, x0: Sequence[float], t: Sequence[float], u: Any = None) -> np.ndarray:
        """States (times, states) from x0 at t[0]; a blow-up raises SimulationError.

        States whose equations were not found are inputs: their values go before those of `u`.
        """
        system, found = self._system(), self.discovery_
        if found.not_found and np.size(x0) == len(found.given):
            x0 = [value for name, value in zip(found.given, x0, strict=True) if name in system.names]
        return system.simulate(x0, t, u)

    def score(
        self,
        x: Any,
        t: Any = None,
        x_dot: Any = None,
        u: Any = None,
        kind: Literal["trajectory", "derivative"] = "trajectory",
    ) -> float:
        """How well the equations describe other measurements: R^2, weighted by the variance of each state.

        Args:
            x: states, as in `fit`.
            t: times.
            x_dot: derivatives, for kind="derivative"; None takes them from the smoothed states.
            u: control inputs.
            kind: "trajectory" simulates every trajectory from its first measured state, "derivative"
                compares derivatives. A simulation that blows up scores minus infinity.
        """
        if kind not in ("trajectory", "derivative"):
            raise ConfigError(f"kind={kind!r} does not exist; choose 'trajectory' or 'derivative'.")
        system, found = self._system(), self.discovery_
        trajectories = as_trajectories(x, t, x_dot if kind == "derivative" else None, u)
        if found.not_found and len(trajectories[0].names) == len(found.given):
            named = [replace(each, names=found.given) for each in trajectories]
            trajectories = driven_by_others(named, [each.x for each in named], system.names)
        else:
            self._system(x, u)
        return score_system(system, trajectories, kind, self.order, self.smoothing)

    def _split(self, x: Any, u: Any) -> tuple[Any, Any]:
        """States and inputs of the equations, where some states have none and became inputs."""
        check_is_fitted(self, "discovery_")
        return split(self.discovery_, x, u)

    def _system(self, x: Any = None, u: Any = None) -> EquationSystem:
        """The equations, and no columns of data in another order than theirs."""
        check_is_fitted(self, "discovery_")
        system = self.discovery_.system
        refuse_permuted(x, system.names, "x")
        refuse_permuted(u, system.input_names, "u")
        return system
