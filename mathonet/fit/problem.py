"""The regression problem of every fit: residuals r = W (A f(X) - b), energy 1/2 mean r^2."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int

UNROLLED = 16
"""Columns of the windows that are compiled into one loop step."""


class Windows(eqx.Module):
    """A linear operator A whose row m only sees a window of the predictions.

    A dense A is out of the question for long series: 20 GB at 100,000 points.
    """

    index: Int[Array, "rows width"]
    value: Float[Array, "rows width"]

    def __call__(self, predictions: Float[Array, "samples ..."]) -> Float[Array, "rows ..."]:
        """Apply the operator to predictions, or to each column of a Jacobian."""
        predictions = jnp.asarray(predictions)

        def add(total, column):
            index, value = column
            return total + value.reshape(value.shape + (1,) * (predictions.ndim - 1)) * predictions[
                index
            ], None

        # Column by column: all windows of a Jacobian at once would be as many copies of it as bumps overlap,
        # and take ten times as long.
        start = jnp.zeros((self.index.shape[0], *predictions.shape[1:]), predictions.dtype)
        columns = (self.index.T, self.value.T)
        return jax.lax.scan(add, start, columns, unroll=min(UNROLLED, max(self.index.shape[1], 1)))[0]


class Problem(eqx.Module):
    """Arrays of one regression problem, scaled, padded to few shapes by rows of weight zero.

    Attributes:
        inputs: X, one row a sample.
        targets: b, one row a residual, one column an output.
        weights: one weight a row, or a whitening matrix over the rows, which may leave fewer residuals.
        count: number of real residuals of an output (those that padding did not add).
        operator: A, or None for the identity.
    """

    inputs: Float[Array, "samples inputs"]
    targets: Float[Array, "rows outputs"]
    weights: Float[Array, "*residuals rows"]
    count: Float[Array, ""]
    operator: Windows | None = None

    def residuals(self, predictions: Float[Array, "samples outputs"]) -> Float[Array, " residuals"]:
        """Weighted residuals of the network's predictions, all outputs in one vector."""
        return self._weigh(self._operate(predictions) - self.targets).reshape(-1)

    def jacobian(self, slopes: Float[Array, "samples outputs weights"]) -> Float[Array, "residuals weights"]:
        """Jacobian of `residuals` from the per-sample Jacobian of the predictions."""
        weighed = self._weigh(self._operate(slopes))
        return weighed.reshape(-1, slopes.shape[-1])

    @property
    def observations(self) -> Float[Array, ""]:
        """Number of real residuals of all outputs."""
        return self.count * self.targets.shape[1]

    def column(self, target: int) -> "Problem":
        """The same problem with one of its targets."""
        targets = self.targets[:, target : target + 1]
        return Problem(self.inputs, targets, self.weights, self.count, self.operator)

    def _operate(self, values):
        return values if self.operator is None else self.operator(values)

    def _weigh(self, values):
        if self.weights.ndim == 2:
            return jnp.tensordot(self.weights, values, 1)
        return values * self.weights.reshape((-1,) + (1,) * (values.ndim - 1))
