"""MathONetRegressor: a formula y = f(X) for any table, by scikit-learn's own contract, over `discovery`."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import sympy
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
from sklearn.utils.validation import (
    _check_sample_weight,  # pyright: ignore[reportPrivateUsage]
    check_is_fitted,
    validate_data,
)

from mathonet.archive.run import Saved
from mathonet.archive.savable import Savable, plain
from mathonet.data.samples import MINIMUM_ROWS, Samples, refuse_few
from mathonet.data.screening import informative
from mathonet.data.trajectories import column_names
from mathonet.equation import symbolic
from mathonet.equation.equation import Equation
from mathonet.errors import ConfigError, DataError
from mathonet.learning.settings import MapStep
from mathonet.result.discover import Discovery, discover
from mathonet.search.config import Selection, is_whole
from mathonet.search.protocol import Protocol, protocol_settings


class MathONetRegressor(Savable, MultiOutputMixin, RegressorMixin, BaseEstimator):
    """Finds a formula for each target of a regression problem.

    The parameters are those of `Discoverer`.

    Args:
        operations: names of unary operations (or `Operation` objects) the formulas may use; None for the
            standard ones: ident sin cos exp log inv sqrt tanh abs.
        hidden: neurons of each hidden layer of one fixed MathONet, for example [3]; None lets
            polynomials, sums with calls and small networks propose.
        seed: of every random choice; the same seed gives the same formulas.
        dense: whether later layers of the network also see all earlier ones.
        joint: with `hidden`, one network for all targets instead of one for each.
        lambdas: with `hidden`, first values of lambda to sweep; None for [1e-3].
        restarts: with `hidden`, random starts for each target and lambda; None for 20, or 200 with several
            layers.
        cycles: with `hidden`, most cycles of sparse group Bayesian learning; None for 14.
        selection: "score" or, as the paper, "validation"; None for "score".
        map_step: "newton" or, as the paper, "adam"; None for "newton".
        epochs: of Adam in each cycle, or steps of Newton; None for 800, or Newton's own 40 and 20.
        protocol: "paper" takes the paper's own settings wherever None is given.
        most_features: features that the search sees at most, since its cost grows steeply with them; if X has
            more that vary, trees choose the most important ones.

    Attributes:
        candidates_: table of all candidate forms, the chosen ones marked.
        coefficients_: table of the constants with intervals.
        trust_: table of how far each formula can be trusted, and why.
        discovery_: everything behind them: runs, their history, the chosen formulas.
        support_: mask of the features that the search saw; the others appear in no formula.
        n_features_in_: number of features.
        feature_names_in_: their names, where X was a data frame with names.
    """

    def __init__(
        self,
        operations: Sequence | None = None,
        hidden: int | Sequence[int] | None = None,
        seed: int = 0,
        dense: bool = False,
        joint: bool = False,
        lambdas: float | Sequence[float] | None = None,
        restarts: int | None = None,
        cycles: int | None = None,
        selection: Selection | None = None,
        map_step: MapStep | None = None,
        epochs: int | None = None,
        protocol: Protocol = "default",
        most_features: int = 10,
    ) -> None:
        """Keep the parameters; they are checked in `fit`."""
        self.operations = operations
        self.hidden = hidden
        self.seed = seed
        self.dense = dense
        self.joint = joint
        self.lambdas = lambdas
        self.restarts = restarts
        self.cycles = cycles
        self.selection: Selection | None = selection
        self.map_step: MapStep | None = map_step
        self.epochs = epochs
        self.protocol: Protocol = protocol
        self.most_features = most_features

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "MathONetRegressor":
        """Find the formulas y = f(X).

        Args:
            X: features (rows, features); the names of a data frame appear in the formulas, else x0, x1, ...
            y: targets (rows,), or (rows, targets) for several; the names of a data frame or series appear
                on the left, else y, or y0, y1, ...
            sample_weight: one weight a row: 2 counts as the row and a copy of it, 0 as its absence. Copies
                pull the fit but are no further evidence, so only the ratios of weights matter.
        """
        options = self.get_params(deep=False)
        most = options.pop("most_features")
        if not is_whole(most) or most < 1:
            raise ConfigError(f"most_features must be a whole number of at least 1, got {most!r}.")
        # All other parameters are named as the settings are.
        settings = protocol_settings(**options)
        _refuse_repeated(column_names(X))
        target_names = column_names(y)
        X, y = validate_data(
            self,
            X,
            y,
            dtype=np.float64,
            y_numeric=True,
            multi_output=True,
            ensure_min_samples=MINIMUM_ROWS,
        )
        weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        table = np.asarray(y.toarray() if issparse(y) else y, dtype=np.float64).reshape(len(X), -1)
        inputs, targets, weights = distinct_rows(X, table, weights)
        refuse_few(len(targets), " Rows that repeat count once, and those of weight zero not at all.")
        names = getattr(self, "feature_names_in_", _numbered("x", X.shape[1]))
        self.support_ = informative(inputs, targets, most, settings.seed, weights)
        samples = Samples(
            inputs[:, self.support_],
            targets,
            tuple(name for name, kept in zip(names, self.support_, strict=True) if kept),
            target_names or (("y",) if targets.shape[1] == 1 else _numbered("y", targets.shape[1])),
            # Weights of a residual are squared in its sum.
            weights=None if np.all(weights == weights[0]) else np.sqrt(weights),
        )
        self._one_column = y.ndim == 1
        self._means = np.average(targets, axis=0, weights=weights)
        return self._keep(discover(samples, settings))

    def _keep(self, found: Discovery) -> "MathONetRegressor":
        """Take what was found, now or before it was saved."""
        self.discovery_: Discovery = found
        self.candidates_ = self.discovery_.table()
        self.trust_ = self.discovery_.trust_table()
        self.coefficients_ = pd.concat([each.coefficients() for each in self._equations()], ignore_index=True)
        return self

    def saved(self) -> Saved:
        """Everything that `restored` needs."""
        check_is_fitted(self, "discovery_")
        names = getattr(self, "feature_names_in_", None)
        own = {"features": None if names is None else list(names), "one_column": self._one_column}
        arrays = {"support": self.support_, "means": self._means}
        parameters = plain(self.get_params(deep=False))
        return Saved("MathONetRegressor", parameters, self.discovery_, own, arrays)

    @classmethod
    def restored(cls, saved: Saved) -> "MathONetRegressor":
        """The estimator that was saved."""
        found = cls(**saved.parameters)
        found.support_, found._means = saved.arrays["support"], saved.arrays["means"]
        found._one_column = saved.own["one_column"]
        # scikit-learn sets these two in `validate_data`, so no type knows of them.
        setattr(found, "n_features_in_", len(found.support_))  # noqa: B010
        if saved.own["features"] is not None:
            setattr(found, "feature_names_in_", np.asarray(saved.own["features"], dtype=object))  # noqa: B010
        return found._keep(saved.discovery)

    def predict(self, X: Any) -> np.ndarray:
        """Values of the formulas at each row: (rows,), or (rows, targets) if `fit` was given a table.

        Where a formula has no finite value (outside the domain of a logarithm or root, or beyond the range
        of numbers), the mean of its target is predicted, with a warning.
        """
        check_is_fitted(self, "discovery_")
        rows = np.asarray(validate_data(self, X, dtype=np.float64, reset=False))[:, self.support_]
        columns = [
            _finite(equation(rows), mean, equation.target)
            for equation, mean in zip(self._equations(), self._means, strict=True)
        ]
        return columns[0] if self._one_column else np.stack(columns, axis=1)

    def equations(self, digits: int = symbolic.DIGITS) -> list[str]:
        """The formulas as text, such as `y = 2.0000 x0 x1 + 3.0000 sin(x0)`."""
        return [
            f"{each.target} = {symbolic.text(each.expression, each.inputs, digits)}"
            for each in self._equations()
        ]

    def sympy(self) -> list[sympy.Expr]:
        """The right-hand sides in plain symbols of the names, in the data's units."""
        return [each.sympy() for each in self._equations()]

    def latex(self, digits: int = symbolic.DIGITS) -> str:
        """The formulas as one LaTeX `aligned` block."""
        lines = [
            f"{symbolic.latex_name(each.target)} &= {symbolic.latex(each.expression, each.inputs, digits)}"
            for each in self._equations()
        ]
        return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}"

    def __str__(self) -> str:
        """The formulas once they are found."""
        return "\n".join(self.equations()) if hasattr(self, "discovery_") else repr(self)

    def _equations(self) -> tuple[Equation, ...]:
        check_is_fitted(self, "discovery_")
        return self.discovery_.system.equations


def distinct_rows(
    inputs: np.ndarray, targets: np.ndarray, weights: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The distinct rows of weight in a fixed order, each with the weights of its copies together.

    So the answer depends neither on the order of the rows nor on whether a row is repeated or weighted,
    though the search draws rows at random.
    """
    present = weights > 0
    rows = np.hstack([inputs, targets])[present]
    distinct, place = np.unique(rows, axis=0, return_inverse=True)
    total = np.bincount(place.ravel(), weights[present], len(distinct))
    return distinct[:, : inputs.shape[1]], distinct[:, inputs.shape[1] :], total


def _refuse_repeated(names: Sequence[str] | None) -> None:
    repeated = sorted({name for name in names or () if (names or ()).count(name) > 1})
    if repeated:
        raise DataError(
            f"The columns of X repeat the name {', '.join(repeated)}, so that a formula could not be read. "
            "Give every column its own name."
        )


def _numbered(letter: str, count: int) -> tuple[str, ...]:
    return tuple(f"{letter}{number}" for number in range(count))


def _finite(values: np.ndarray, mean: float, target: str) -> np.ndarray:
    bad = ~np.isfinite(values)
    if bad.any():
        warnings.warn(
            f"The formula of {target!r} has no finite value in {bad.sum()} of {len(values)} rows, which lie "
            f"outside its domain: the mean {mean:.5g} of the data it was fitted on is given there.",
            stacklevel=3,
        )
    return np.where(bad, mean, values)
