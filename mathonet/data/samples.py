"""Samples: the regression problem that learning sees, in scaled numbers (METHOD: the regression problem).

Scaling is by division only, since a shift would destroy sparsity: one divisor an input, one a target.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from mathonet.data.rounding import rounding_floor
from mathonet.errors import DataError

MINIMUM_ROWS = 4
"""Two to learn from and two to hold out."""


RANGE = {"input": 1e30, "target": 1e100}
"""Largest size of a column and, inverted, the smallest: products of five inputs are squared in a fit, and
their coefficients are ratios of targets to such products. Both must stay within the range of float64."""


def refuse_size(what: str, size: float, largest: float, parts: str, hint: str = "") -> None:
    """Refuse values so large, or so small, that what is computed of them leaves the range of numbers."""
    if not 1 / largest <= size <= largest:
        raise DataError(
            f"{what} has values of size {size:.0e}, and their {parts} leave the range of numbers. Rescale: "
            f"choose a unit that makes them about 1, for example by dividing them by {size:.0e}{hint}."
        )


def refuse_few(rows: int, hint: str = "") -> None:
    """Refuse fewer rows than any equation could be found from.

    Raises:
        DataError: If there are fewer than `MINIMUM_ROWS`.
    """
    if rows < MINIMUM_ROWS:
        raise DataError(
            f"Only {rows} row{'' if rows == 1 else 's'} of data: at least {MINIMUM_ROWS} are needed, and "
            f"some 50 to find an equation. Give more measurements.{hint}"
        )


@dataclass(frozen=True)
class Scaling:
    """Divisors of the inputs and of the targets."""

    inputs: np.ndarray
    targets: np.ndarray


@dataclass(frozen=True)
class Windows:
    """A linear operator between predictions and targets: row m sees the samples `index[m]` only."""

    index: np.ndarray
    value: np.ndarray


@dataclass(frozen=True)
class Samples:
    """Inputs X (samples, inputs) and targets b (rows, targets) in the data's units.

    Attributes:
        inputs: X.
        targets: b; as many rows as X unless there is an operator.
        input_names: names of the columns of X.
        target_names: names of the columns of b.
        operator: A in r = W (A f(X) - b); None for the identity, the paper's setting.
        weights: one weight a row, or a whitening matrix over the rows; None for ones.
        floor: per target, the standard error below which residuals mean nothing; None takes that of rounding,
            see `resolution`.
    """

    inputs: np.ndarray
    targets: np.ndarray
    input_names: tuple[str, ...]
    target_names: tuple[str, ...]
    operator: Windows | None = None
    weights: np.ndarray | None = None
    floor: np.ndarray | None = None

    def __post_init__(self) -> None:
        """Convert to float64; check shapes and that there is something to learn from."""
        for part in ("inputs", "targets", "weights"):
            if getattr(self, part) is not None:
                object.__setattr__(self, part, _double(getattr(self, part), part))
        rows = len(self.targets)
        seen = len(self.inputs) if self.operator is None else len(self.operator.index)
        if rows != seen:
            raise DataError(f"{seen} rows of predictions but {rows} rows of targets: give one target a row.")
        if rows == 0:
            refuse_few(rows)
        if self.weights is not None:
            vector = self.weights.ndim == 1
            if len(self.weights) != rows or not np.isfinite(self.weights).all():
                raise DataError(
                    f"weights must be {rows} finite numbers, one a row, or a matrix over the rows."
                )
            if vector and ((self.weights < 0).any() or not self.weights.any()):
                raise DataError("weights must not be negative, nor all of them zero.")
        for what, values, names in (
            ("input", self.inputs, self.input_names),
            ("target", self.targets, self.target_names),
        ):
            if values.ndim != 2 or values.shape[1] != len(names):
                raise DataError(f"{what}s of shape {values.shape} do not fit the {what} names {list(names)}.")
            if not np.isfinite(values).all():
                row, column = np.argwhere(~np.isfinite(values))[0]
                raise DataError(
                    f"The {what} {names[column]!r} is {values[row, column]} in row {row}: "
                    "remove such rows or fill them before fitting."
                )
        for what, sizes, names in (
            ("input", self.scaling.inputs, self.input_names),
            ("target", self.scaling.targets, self.target_names),
        ):
            for size, name in zip(sizes, names, strict=True):
                hint = " (a state and its derivative by the same number)"
                refuse_size(f"The {what} {name!r}", size, RANGE[what], "products", hint)

    @cached_property
    def scaling(self) -> Scaling:
        """Root mean square of each column; one where a column is zero throughout."""

        def size(values: np.ndarray) -> np.ndarray:
            # Divided by the largest first: squares of very large or small columns leave the range.
            largest = np.abs(values).max(axis=0)
            largest = np.where(largest > 0, largest, 1.0)
            return largest * np.sqrt(np.mean((values / largest) ** 2, axis=0)) + (
                np.abs(values).max(axis=0) == 0
            )

        return Scaling(size(self.inputs), size(self.targets))

    @property
    def resolution(self) -> np.ndarray:
        """Per target, the standard error below which residuals mean nothing: as given, or from rounding."""
        if self.floor is None:
            return rounding_floor(self.targets, self.inputs)
        return np.asarray(self.floor, dtype=np.float64)

    def take(self, rows: np.ndarray) -> "Samples":
        """The given rows, with the samples they see; a whitening matrix becomes that of their covariance."""
        rows = np.asarray(rows)
        weights, operator, seen = self.weights, self.operator, rows
        if weights is not None:
            weights = weights[rows] if weights.ndim == 1 else _whitening_of(weights, rows)
        if operator is not None:
            seen, place = np.unique(operator.index[rows], return_inverse=True)
            operator = Windows(place.reshape(operator.index[rows].shape), operator.value[rows])
        return replace(
            self, inputs=self.inputs[seen], targets=self.targets[rows], weights=weights, operator=operator
        )

    def split(self, share: float, seed: int) -> tuple["Samples", "Samples"]:
        """Training and validation samples, at random; `share` of the rows go to validation.

        Rows of a weak form are neighbours that see the same samples: there a block of them is held out, and
        those that overlap it go to neither part. A block that would cost more than half of the rows is taken
        from the end instead, where it overlaps on one side only.
        """
        count = len(self.targets)
        refuse_few(count)
        held = max(2, round(share * count))
        rng = np.random.default_rng(seed)
        if self.operator is None:
            order = rng.permutation(count)
            return self.take(np.sort(order[held:])), self.take(np.sort(order[:held]))
        for start in (int(rng.integers(count - held + 1)), count - held):
            block = np.arange(start, start + held)
            kept = self._apart_from(block)
            if 2 * len(kept) >= count:
                break
        if len(kept) < 2:
            raise DataError(
                f"All {count} rows of the weak form overlap, so none can be held out. Give longer "
                "trajectories or narrower bumps."
            )
        return self.take(kept), self.take(block)

    def _apart_from(self, block: np.ndarray) -> np.ndarray:
        """Rows of the operator that see no sample which the rows of the block see."""
        assert self.operator is not None
        index, used = self.operator.index, self.operator.value != 0
        taken = np.zeros(len(self.inputs), bool)
        taken[index[block][used[block]]] = True
        return np.flatnonzero(~(taken[index] & used).any(axis=1))


def _whitening_of(whitening: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """The whitening of some rows: W^-1 W^-T is the covariance of all of them."""
    try:
        factor = np.linalg.inv(whitening)[rows]
        return np.linalg.inv(np.linalg.cholesky(factor @ factor.T))
    except np.linalg.LinAlgError as error:
        raise DataError(
            f"The whitening matrix of shape {whitening.shape} has no inverse, so its rows cannot be told "
            "apart. Give the inverse of a Cholesky factor of the rows' covariance."
        ) from error


def _double(values: np.ndarray, what: str) -> np.ndarray:
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"The {what} must be arrays of real numbers ({error}).") from error
