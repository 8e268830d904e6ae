"""FieldDiscoverer: partial differential equations from a field on a grid and its time derivative.

So far with the paper's features: a MathONet of the field plus a learned stencil over its neighbours, read by
the moments m_n = sum_j k_j (j dx)^n. A kernel k acts on a smooth field as m_0 u + m_1 u_x + m_2 u_xx/2
+ ..., so what it says about diffusion and what about growth are told apart only by its moments.
"""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd
from scipy import stats
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from mathonet.archive.run import Saved
from mathonet.archive.savable import Savable, plain
from mathonet.data.field import Field, neighbour_names
from mathonet.data.samples import Samples
from mathonet.equation.expression import Expression, Term
from mathonet.equation.moves import drops
from mathonet.equation.symbolic import DIGITS, check_digits, term_text
from mathonet.errors import ConfigError, DataError
from mathonet.estimators.presentation import Presentation
from mathonet.network.stencil import moment_matrix
from mathonet.result.discover import Discovery, Progress, discover
from mathonet.result.uncertainty import Band, Kind, band
from mathonet.search.config import Settings, is_whole

DERIVATIVES = ("{}", "{}_x", "{}_xx", "{}_xxx", "{}_xxxx")
FACTORIAL = np.array([1.0, 1.0, 2.0, 6.0, 24.0])


class FieldDiscoverer(Presentation, Savable, BaseEstimator):
    """Finds u_t = kernel * u + f(u) on a grid and reads the kernel as derivatives.

    Args:
        features: "stencil", a learned kernel over neighbours (the paper's); the only choice so far.
        radius: neighbours on either side that the stencil sees: 1 for three points, 2 for five.
        operations: unary operations of f; None for ident, sin, cos, as in the paper.
        hidden: neurons of f's one hidden layer, as a number or a list of one.
        seed: of every random choice.
        restarts: random starts; None for 20.

    Attributes:
        stencil_: table of the kernels: field, offset, weight, std.
        moments_: table of their moments: term, value in units of the axis, std, and the value in grid units.
        coefficients_: table of all terms of the equation in derivatives, with intervals.
        trust_: table of how far each equation can be trusted, and why.
        discovery_: everything behind them.
    """

    def __init__(
        self,
        features: Literal["stencil"] = "stencil",
        radius: int = 1,
        operations: Sequence | None = None,
        hidden: int | Sequence[int] = (3,),
        seed: int = 0,
        restarts: int | None = None,
    ) -> None:
        """Keep the parameters; they are checked in `fit`."""
        self.features = features
        self.radius = radius
        self.operations = operations
        self.hidden = hidden
        self.seed = seed
        self.restarts = restarts

    def fit(
        self,
        values: Any,
        t: Any,
        axes: Any,
        u_t: Any = None,
        names: Sequence[str] | None = None,
        boundary: str = "periodic",
        progress: Progress | None = None,
    ) -> "FieldDiscoverer":
        """Find the equation of each field.

        Args:
            values: (times, points, fields), or (times, points) for one field.
            t: times.
            axes: one array, or a list with one: the evenly spaced points.
            u_t: time derivatives, like values. They must be given.
            names: of the fields.
            boundary: "periodic", or "none" to leave out points without all neighbours.
            progress: called after each cycle.
        """
        if self.features != "stencil":
            raise ConfigError(f"features={self.features!r} is not available; the learned 'stencil' is.")
        if not is_whole(self.radius) or self.radius < 1:
            raise ConfigError(f"radius must be a whole number of at least 1, got {self.radius!r}.")
        if u_t is None:
            raise DataError("Time derivatives must be given as u_t; estimating them is not available yet.")
        field = Field.make(values, t, axes, names, boundary)
        rates = field.like(u_t, "u_t")
        if 2 * self.radius + 1 > len(field.x):
            raise ConfigError(
                f"radius={self.radius} makes a stencil of {2 * self.radius + 1} points, and the grid has "
                f"{len(field.x)}. Choose a radius of at most {(len(field.x) - 1) // 2}; 1 or 2 are usual."
            )
        inputs = field.neighbourhoods(self.radius)
        input_names = neighbour_names(field.names, self.radius)
        samples = Samples(inputs, field.flat(rates, self.radius), input_names, field.names)
        settings = Settings(
            operations=self.operations or ("ident", "sin", "cos"),
            hidden=self.hidden,  # pyright: ignore[reportArgumentType]
            stencil=int(self.radius),
            seed=self.seed,
            restarts=self.restarts,
        )
        return self._keep(discover(samples, settings, progress), field)

    def _keep(self, found: Discovery, field: Field) -> "FieldDiscoverer":
        """Take what was found, now or before it was saved."""
        self.discovery_: Discovery = found
        self.field_ = field
        tables = [self._read(equation) for equation in self.discovery_.system.equations]
        self.trust_ = self.discovery_.trust_table()
        self.stencil_, self.moments_, self.coefficients_ = (
            pd.concat(parts, ignore_index=True) for parts in zip(*tables, strict=True)
        )
        return self

    def saved(self) -> Saved:
        """Everything that `restored` needs."""
        check_is_fitted(self, "discovery_")
        field = self.field_
        own = {"names": list(field.names), "boundary": field.boundary}
        arrays = {"t": field.t, "x": field.x, "values": field.values}
        parameters = plain(self.get_params(deep=False))
        return Saved("FieldDiscoverer", parameters, self.discovery_, own, arrays)

    @classmethod
    def restored(cls, saved: Saved) -> "FieldDiscoverer":
        """The estimator that was saved."""
        own, arrays = saved.own, saved.arrays
        field = Field.make(arrays["values"], arrays["t"], [arrays["x"]], own["names"], own["boundary"])
        return cls(**saved.parameters)._keep(saved.discovery, field)

    def equations(self, digits: int = DIGITS) -> list[str]:
        """The equations in derivatives, such as `u_t = 1.0000 u + 0.010000 u_xx - 1.0000 u^2`."""
        check_is_fitted(self, "discovery_")
        check_digits(digits)
        lines = []
        for name in self.field_.names:
            rows = self.coefficients_[self.coefficients_["target"] == name]
            parts = [
                f"{value:#.{digits}g} {term}" for term, value in zip(rows["term"], rows["value"], strict=True)
            ]
            lines.append(f"{name}_t = " + " + ".join(parts).replace("+ -", "- "))
        return lines

    def predict(self, values: Any) -> np.ndarray:
        """Time derivatives (times, points kept, fields) of a field on the same grid."""
        rows = self._neighbourhoods(values)
        found = np.stack([equation(rows) for equation in self.discovery_.system.equations], axis=1)
        return found.reshape(len(values), -1, len(self.field_.names))

    def band(
        self,
        values: Any,
        kind: Kind = "linearised",
        samples: int = 1000,
        seed: int = 0,
    ) -> Band:
        """Time derivatives of a field with their deviation; arguments and kinds as in `Discoverer.band`."""
        rows = self._neighbourhoods(values)
        found = band(self.discovery_, rows, kind, samples, seed)
        shape = (len(values), -1, len(self.field_.names))
        finite = None if found.finite is None else found.finite.reshape(shape)
        return Band(found.mean.reshape(shape), found.std.reshape(shape), finite)

    def _neighbourhoods(self, values: Any) -> np.ndarray:
        """Inputs of the equations for a field on the grid that was learned from."""
        check_is_fitted(self, "discovery_")
        times = np.arange(len(values), dtype=float)
        field = Field.make(values, times, [self.field_.x], self.field_.names, self.field_.boundary)
        return field.neighbourhoods(self.radius)

    def _read(self, equation) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
        """Kernel, moments and terms of one equation; deviations follow from the covariance of the refit."""
        table = equation.coefficients()
        width = 2 * self.radius + 1
        linear = {
            term.factors[0][0]: place for place, term in enumerate(equation.expression.terms) if _linear(term)
        }
        places = _outer_places(equation.expression)
        to_derivatives = moment_matrix(self.radius, self.field_.spacing) / FACTORIAL[:, None]
        orders = min(width, len(to_derivatives))
        kernels, moments, terms = [], [], []
        for number, name in enumerate(self.field_.names):
            columns = range(number * width, (number + 1) * width)
            pick = np.zeros((width, len(table)))
            for row, column in enumerate(columns):
                if column in linear:
                    pick[row, places[linear[column]]] = 1.0
            kernel = pick @ table["value"].to_numpy()
            spread = pick @ equation.covariance @ pick.T
            for row, offset in enumerate(range(-self.radius, self.radius + 1)):
                kernels.append(
                    (equation.target, name, offset, kernel[row], np.sqrt(max(spread[row, row], 0.0)))
                )
            values = to_derivatives[:orders] @ kernel
            deviations = np.sqrt(
                np.maximum(np.diagonal(to_derivatives[:orders] @ spread @ to_derivatives[:orders].T), 0.0)
            )
            scale = np.abs(to_derivatives[:orders]) @ np.abs(kernel)
            for order in range(orders):
                term = DERIVATIVES[order].format(name)
                grid = values[order] / self.field_.spacing**order
                moments.append((equation.target, term, values[order], deviations[order], grid))
                # Beyond second order a moment is the stencil's remainder, not a term it was asked for.
                if order <= 2 and abs(values[order]) > max(5.0 * deviations[order], 1e-9 * scale[order]):
                    terms.append((equation.target, term, values[order], deviations[order]))
        rest = [(place, term) for place, term in enumerate(equation.expression.terms) if not _linear(term)]
        for place, term in rest:
            row = table.iloc[places[place]]
            terms.append((equation.target, term_text(term, equation.inputs), row["value"], row["std"]))
        found = pd.DataFrame(terms, columns=["target", "term", "value", "std"])
        reach = stats.t.ppf(0.975, max(equation.freedom, 1.0)) * found["std"]
        found["low"], found["high"] = found["value"] - reach, found["value"] + reach
        return (
            pd.DataFrame(kernels, columns=["target", "field", "offset", "weight", "std"]),
            pd.DataFrame(moments, columns=["target", "term", "value", "std", "grid units"]),
            found,
        )


def _linear(term: Term) -> bool:
    return len(term.factors) == 1 and isinstance(term.factors[0][0], int) and term.factors[0][1] == 1


def _outer_places(expression: Expression) -> list[int]:
    """For each outer term the number of its coefficient among the free constants."""
    return [drop.place for drop in drops(expression) if drop.term is not None and drop.place is not None]
