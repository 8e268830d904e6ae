"""Sparse group Bayesian learning of small super-graphs: cycles of map step, prior update and mask update.

A cycle is the paper's [algorithm 1], on weights in units of what they do to the output,

    u_i = s_i w_i,    s_i^2 = mean square of the output's slope in w_i,

so that one lambda and one kappa serve badly scaled data. The evidence has the last word: a cycle whose cuts
cost more than they save is taken back, and the next one tries with a smaller lambda.
"""

from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from mathonet.learning.penalty import Strength, sparse_group
from mathonet.learning.prior import Prior, lasso_prior, update
from mathonet.learning.projected import (
    DAMPING_START,
    FINE,
    MapStep,
    Penalty,
    Rows,
    minimise_projected,
)
from mathonet.network.supergraph import NO_CALL, SuperGraph
from mathonet.operations import Operation

CYCLES, REWEIGHTINGS, STEPS, SETTLING = 6, 3, 4, 8
"""Cycles, how often the penalty is majorised anew in each, steps in between, and steps without a penalty.

Lambda falls by six decades: on clean data no further cycle cuts more.
"""
SMOOTH_START, SMOOTH_END = 1e-2, 1e-6
"""|u| is smoothed to sqrt(u^2 + smooth^2), annealed because zero absorbs."""
UNDETERMINED = 0.5
"""Share of a weight's curvature that the noise makes up, from which on the data do not determine it."""


class Numbers(NamedTuple):
    """Numbers of sparse group Bayesian learning; see `learning.settings.Schedule`.

    Attributes:
        lam: lambda before the first cycle with a penalty.
        decay: factor on it from cycle to cycle, before the first one too; it never falls below the noise.
        kappa: alpha beyond which a weight is pruned.
        zero: size below which one is.
        floor: variance of the residuals from rounding.
        price: what a weight costs in the score.
        count: N in the score.
        groups: 1 to penalise and prune groups as well, 0 for single weights alone.
        evidence: 1 to take back a cycle whose cuts cost more than they save, 0 to keep every cut.
    """

    lam: float | Array
    decay: float | Array
    kappa: float | Array
    zero: float | Array
    floor: float | Array
    price: float | Array
    count: float | Array
    groups: float | Array
    evidence: float | Array = 1.0


class Pruned(eqx.Module):
    """What learning leaves of a restart.

    Attributes:
        graph: with fewer products.
        w: weights inside.
        output: output weights.
        rss: what they leave.
        score: of the evidence; smaller is better.
    """

    graph: SuperGraph
    w: Float[Array, "calls arguments"]
    output: Float[Array, " outputs"]
    rss: Float[Array, ""]
    score: Float[Array, ""]


class _State(eqx.Module):
    """What is carried from stage to stage.

    Attributes:
        best: what the evidence prefers so far, at its minimum.
        at: where the penalised weights are.
        prior: of the weights.
        size: what each weight does to the output, s.
        damping: to go on with.
    """

    best: Pruned
    at: Pruned
    prior: Prior
    size: Array
    damping: Array


def living(graph: SuperGraph) -> Float[Array, "*batch weights"]:
    """1 for every weight that may live: inside, then of the output; of one graph or of many."""
    lives, output = graph.argument_lives, graph.output_lives
    inside = lives * (graph.operation != NO_CALL)[..., None]
    joined = output.__array_namespace__().concatenate
    return joined([inside.reshape(*output.shape[:-1], -1), output], axis=-1)


def score(rss: Any, weights: Any, rows: Rows, numbers: Numbers) -> Any:
    """Minus twice the evidence, up to constants: N log of the mean square, and a price a weight.

    Of arrays of NumPy by NumPy: there are many sizes of these, each of which JAX would compile.
    """
    xp = rss.__array_namespace__()
    count = rows.count if xp is jnp else float(rows.count)
    free = xp.maximum(count - weights, 1.0)
    square = xp.maximum(rss / free, numbers.floor)
    worth = numbers.count * xp.log(square) + numbers.price * weights
    return xp.where(xp.isfinite(rss), worth, np.inf)


def membership(graph: SuperGraph, given: int) -> Float[Array, "groups weights"]:
    """Which weights form a group: every argument (a PolyNet), and what the output makes of every call.

    Args:
        graph: its structure.
        given: places of z before its calls.
    """
    calls, arguments = graph.argument_lives.shape
    inside = jnp.repeat(jnp.eye(calls), arguments, axis=1)
    reads = jnp.any(graph.output[None] == (given + jnp.arange(calls))[:, None, None], axis=2).astype(float)
    return jnp.block([[inside, jnp.zeros((calls, reads.shape[1]))], [jnp.zeros_like(inside), reads]])


def without_dead_paths(graph: SuperGraph, given: int) -> SuperGraph:
    """The graph without calls that nothing reads, or whose argument is a constant, and what reads those."""
    operation, arguments, outputs = graph.operation, graph.argument_lives, graph.output_lives
    calls = operation.shape[0]
    for call in range(calls):
        lives = jnp.any(arguments[call, 1:] > 0) & (operation[call] != NO_CALL)
        dead = jnp.any(graph.argument == given + call, axis=2) & ~lives
        arguments = jnp.where(dead, 0.0, arguments)
        outputs = jnp.where(jnp.any(graph.output == given + call, axis=1) & ~lives, 0.0, outputs)
        operation = operation.at[call].set(jnp.where(lives, operation[call], NO_CALL))
    for call in reversed(range(calls)):
        read = jnp.any(jnp.any(graph.argument == given + call, axis=2) & (arguments > 0))
        read |= jnp.any(jnp.any(graph.output == given + call, axis=1) & (outputs > 0))
        operation = operation.at[call].set(jnp.where(read, operation[call], NO_CALL))
        arguments = arguments.at[call].set(jnp.where(read, arguments[call], 0.0))
    parts = (operation, arguments, outputs)
    return eqx.tree_at(lambda each: (each.operation, each.argument_lives, each.output_lives), graph, parts)


def prune(
    graph: SuperGraph,
    operations: tuple[Operation, ...],
    w: Float[Array, "calls arguments"],
    rows: Rows,
    numbers: Numbers,
    minimise: MapStep = minimise_projected,
) -> Pruned:
    """What sparse group Bayesian learning leaves of a graph, from given weights inside."""
    given, inside = rows.z.shape[0], w.size
    stages = REWEIGHTINGS + 1

    def stage(number: Array, state: _State) -> _State:
        """Some penalised steps; in the last stage of a cycle cuts, steps without a penalty, and a verdict."""
        cycle, turn = number // stages, number % stages
        last = turn == REWEIGHTINGS
        best, at = state.best, state.at
        active = living(best.graph)
        member = membership(best.graph, given)
        noise = jnp.maximum(best.rss / rows.count, numbers.floor)
        lam = jnp.maximum(numbers.lam * numbers.decay**cycle, noise / rows.count)
        u = active * state.size * jnp.concatenate([at.w.reshape(-1), at.output])
        u = jnp.where(jnp.isfinite(u), u, 0.0)

        # In these units the curvature of every single weight is one.
        prior = update(state.prior, u, jnp.eye(u.size) / lam, active > 0, member)
        kappa = jnp.minimum(numbers.kappa, UNDETERMINED / lam)
        members = member @ active
        redundant = (prior.alpha_group > kappa * members**2) & (members > 0) & (numbers.groups > 0)
        cut = (prior.alpha > kappa) | ((redundant @ member) > 0) | (jnp.abs(u) < numbers.zero)
        # Before the first cycle there is nothing to judge by: the weights only settle.
        kept = active * (1.0 - (cut & (number >= stages)))
        parts = (kept[:inside].reshape(w.shape), kept[inside:])
        thinner = eqx.tree_at(lambda each: (each.argument_lives, each.output_lives), best.graph, parts)
        thinner = without_dead_paths(thinner, given)
        graph = jax.tree.map(lambda new, old: jnp.where(last, new, old), thinner, best.graph)

        smooth = SMOOTH_START * (SMOOTH_END / SMOOTH_START) ** (turn / (REWEIGHTINGS - 1))
        strength = Strength(lam * state.prior.beta, numbers.groups * lam * state.prior.beta_group)
        q = rows.count * state.size**2 * sparse_group(u, strength, member, smooth)[1]
        q = jnp.where(last, 0.0, q)
        penalty = Penalty(jnp.asarray(FINE), q[:inside].reshape(w.shape), q[inside:])
        # The first cycle does nothing but settle, in its last stage.
        steps = jnp.where(last, SETTLING, jnp.where(cycle == 0, 0, STEPS))
        damping = jnp.where(last | (turn == 0), DAMPING_START, state.damping)
        found_w, there, damping = minimise(graph, operations, at.w, damping, rows, penalty, steps)

        worth = score(there.rss, jnp.sum(living(graph)), rows, numbers)
        found = Pruned(graph, found_w, there.output, there.rss, worth)
        # A cycle that would cut every path has no output, and so nothing worth keeping.
        wins = (worth < best.score) | ((numbers.evidence == 0) & jnp.isfinite(worth))
        better = wins & jnp.any(graph.output_lives > 0)
        size = jnp.sqrt(jnp.concatenate(there.curvature) / rows.count)
        size = jnp.where(jnp.isfinite(size), size, 0.0)

        def chosen(verdict: Array, new, old):
            return jax.tree.map(lambda n, o: jnp.where(verdict, n, o), new, old)

        best = chosen(last & better, found, best)
        at = chosen(last, best, Pruned(best.graph, found_w, there.output, there.rss, best.score))
        return _State(
            best,
            at,
            chosen(last & (number >= stages), prior, state.prior),
            chosen(last & better, size, state.size),
            damping,
        )

    weights = inside + graph.output_lives.size
    prior = lasso_prior(weights, 2 * graph.operation.shape[0], w.dtype)
    endless = jnp.asarray(jnp.inf)
    whole = Pruned(jax.tree.map(jnp.asarray, graph), w, jnp.zeros(graph.output_lives.shape), endless, endless)
    first = _State(whole, whole, prior, jnp.zeros(weights), jnp.asarray(DAMPING_START))
    return jax.lax.fori_loop(0, (1 + CYCLES) * stages, stage, first).best
