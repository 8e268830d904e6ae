"""Map step by variable projection: output weights solved exactly, those inside by Levenberg-Marquardt.

For given weights inside, the output weights that minimise energy and penalty are one linear solution. What is
left is a function of the weights inside alone, and its Gauss-Newton matrix is the Schur complement of the
whole one (Kaufman's variable projection). Few weights are searched for, and badly scaled outputs do no harm.
"""

from collections.abc import Callable

import equinox as eqx
import jax
import jax.numpy as jnp
from jax.scipy.linalg import cho_factor, cho_solve, solve_triangular
from jaxtyping import Array, Float

from mathonet.network.supergraph import NO_CALL, SuperGraph, columns
from mathonet.operations import Operation

DAMPING_START, DAMPING_LEAST, DAMPING_MOST = 1e-2, 1e-12, 1e8
SHRINK, GROW = 0.3, 4.0
"""Factors on the damping after a step that was taken, and after one that was refused."""
JITTER = 1e-14
COARSE, FINE = 1e-10, 1e-14
"""Ridge on output weights while starts are compared, and at the end: a share of what each explains alone."""


class Rows(eqx.Module):
    """What a graph learns from: residuals r = mix (output at the samples) - targets.

    Attributes:
        z: ones, then the inputs, a row each.
        mix: one weight a sample, or a matrix from samples to residuals.
        targets: weighted alike.
        count: number of real residuals; others are padding of weight zero.
    """

    z: Float[Array, "places samples"]
    mix: Float[Array, "*residuals samples"]
    targets: Float[Array, " residuals"]
    count: Float[Array, ""]

    def weighed(self, values: Float[Array, "k samples"]) -> Float[Array, "k residuals"]:
        """Predictions as parts of weighted residuals."""
        return values * self.mix if self.mix.ndim == 1 else values @ self.mix.T


class Penalty(eqx.Module):
    """Curvature of the penalty, in units of the sum of squares, at the weights inside and of the output.

    Attributes:
        ridge: on the output weights, as a share of what their products explain alone.
        inside: on each weight inside.
        output: on each output weight.
    """

    ridge: Float[Array, ""]
    inside: Float[Array, "calls arguments"]
    output: Float[Array, " outputs"]


class Around(eqx.Module):
    """The sum of squares around the weights inside, the output weights at their best.

    Attributes:
        rss: sum of squared residuals.
        cost: with the penalty.
        output: the output weights.
        gradient: in the weights inside.
        normal: Gauss-Newton matrix of these.
        curvature: its diagonal before projection, for the weights inside and of the output.
    """

    rss: Float[Array, ""]
    cost: Float[Array, ""]
    output: Float[Array, " outputs"]
    gradient: Float[Array, " inside"]
    normal: Float[Array, "inside inside"]
    curvature: tuple[Float[Array, " inside"], Float[Array, " outputs"]]

    @property
    def finite(self) -> Array:
        """Whether a step can be made from here."""
        return jnp.isfinite(self.cost) & jnp.all(jnp.isfinite(self.normal))


MapStep = Callable[..., tuple[Array, Around, Array]]
"""What `minimise_projected` is one of: so many steps from given weights inside."""


class _State(eqx.Module):
    w: Array
    around: Around
    damping: Array
    largest: Array
    begun: Array

    @classmethod
    def before(cls, graph: SuperGraph, w: Array, damping: Array) -> "_State":
        """Before anything is known: a start that is not finite stays so, and costs the others nothing."""
        inside, endless = jnp.zeros(w.size), jnp.asarray(jnp.inf)
        output = jnp.zeros(graph.output_lives.shape)
        nothing = Around(
            endless, endless, output, inside, jnp.zeros((w.size, w.size)), (inside, jnp.zeros_like(output))
        )
        return cls(w, nothing, damping, inside, jnp.asarray(False))

    def _as(self, damping: Array, largest: Array) -> "_State":
        """The same place with other damping."""
        return _State(self.w, self.around, damping, largest, self.begun)


def unpenalised(graph: SuperGraph, ridge: float | Array) -> Penalty:
    """Nothing but a small ridge on the output weights, which keeps them from living by cancellation."""
    return Penalty(
        jnp.asarray(ridge), jnp.zeros(graph.argument_lives.shape), jnp.zeros(graph.output_lives.shape)
    )


def solved(
    products: Float[Array, "outputs residuals"], targets: Array, penalty: Penalty
) -> tuple[Array, Array, Array]:
    """The best output weights, with the Cholesky factor of their matrix and the scales it is taken in."""
    normal = products @ products.T
    square = jnp.diagonal(normal)
    dead = square <= 0
    diagonal = square * (1.0 + penalty.ridge) + penalty.output
    scale = 1.0 / jnp.sqrt(jnp.where(dead, 1.0, diagonal))
    scaled = jnp.where(jnp.eye(len(scale)) > 0, 1.0, normal * scale[:, None] * scale[None, :])
    root = jnp.linalg.cholesky(scaled)
    half = solve_triangular(root, scale * (products @ targets), lower=True)
    return scale * solve_triangular(root.T, half, lower=False), root, scale


def left(
    graph: SuperGraph, operations: tuple[Operation, ...], w: Array, rows: Rows, ridge: float | Array
) -> Float[Array, ""]:
    """The sum of squares that a graph leaves with these weights inside; infinite where it has none."""
    none = jnp.zeros((w.shape[0], rows.z.shape[1]))
    products = rows.weighed(columns(graph, operations, w, rows.z, none)[0])
    weights = solved(products, rows.targets, unpenalised(graph, ridge))[0]
    residuals = weights @ products - rows.targets
    rss = residuals @ residuals
    return jnp.where(jnp.isfinite(rss), rss, jnp.inf)


def around(
    graph: SuperGraph, operations: tuple[Operation, ...], w: Array, rows: Rows, penalty: Penalty
) -> Around:
    """The sum of squares around the weights inside."""
    none = jnp.zeros((w.shape[0], rows.z.shape[1]))
    plain, inside = columns(graph, operations, w, rows.z, none)
    products = rows.weighed(plain)
    output, root, scale = solved(products, rows.targets, penalty)
    residuals = output @ products - rows.targets

    # Samples do not see each other, so the gradient of their sum has the slope of every single one.
    slopes = jax.grad(lambda shift: jnp.sum(output @ columns(graph, operations, w, rows.z, shift)[0]))(none)
    jacobian = rows.weighed((slopes[:, None, :] * inside).reshape(w.size, -1))
    shared = solve_triangular(root, (scale[:, None] * products) @ jacobian.T, lower=True)
    full = jacobian @ jacobian.T
    on_weights = penalty.inside.reshape(-1)
    rss = residuals @ residuals
    cost = rss + on_weights @ w.reshape(-1) ** 2 + penalty.output @ output**2
    return Around(
        rss,
        cost,
        output,
        jacobian @ residuals + on_weights * w.reshape(-1),
        full - shared.T @ shared + jnp.diag(on_weights),
        (jnp.diagonal(full), jnp.sum(products**2, axis=1)),
    )


def minimise_projected(
    graph: SuperGraph,
    operations: tuple[Operation, ...],
    w: Float[Array, "calls arguments"],
    damping: Float[Array, ""],
    rows: Rows,
    penalty: Penalty,
    steps: int | Array,
) -> tuple[Float[Array, "calls arguments"], Around, Float[Array, ""]]:
    """So many steps from w; those that would make the cost worse are refused.

    Returns:
        The weights inside, the sum of squares around them, and the damping to go on with.
    """
    free = (graph.argument_lives * (graph.operation != NO_CALL)[:, None]).reshape(-1)

    def advance(_, state: _State) -> _State:
        diagonal = jnp.maximum(jnp.diagonal(state.around.normal), 0.0)
        largest = jnp.maximum(state.largest, diagonal)
        # The floor keeps a weight that lost its curvature from taking an unbounded step.
        damp = state.damping * (diagonal + 1e-9 * largest) + JITTER * largest + (largest <= 0)
        matrix = state.around.normal + jnp.diag(damp)
        scale = 1.0 / jnp.sqrt(jnp.maximum(jnp.diagonal(matrix), 1e-300))
        scaled = matrix * scale[:, None] * scale[None, :] + JITTER * jnp.eye(len(scale))
        change = -scale * cho_solve(cho_factor(scaled, lower=True), scale * state.around.gradient)
        trial = state.w + (free * change).reshape(w.shape)
        there = around(graph, operations, trial, rows, penalty)
        accept = there.finite & (there.cost <= state.around.cost) & jnp.all(jnp.isfinite(trial))
        damping = jnp.where(accept, SHRINK * state.damping, GROW * state.damping)
        damping = jnp.where(state.begun, jnp.clip(damping, DAMPING_LEAST, DAMPING_MOST), state.damping)
        new = _State(trial, there, damping, largest, jnp.asarray(True))
        return jax.tree.map(lambda n, o: jnp.where(accept, n, o), new, state._as(damping, largest))

    # The first turn has no gradient and stays at w: what is compiled most dearly is there once.
    last = jax.lax.fori_loop(0, steps + 1, advance, _State.before(graph, w, damping))
    return last.w, last.around, last.damping
