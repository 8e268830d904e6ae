"""One run of sparse group Bayesian learning (paper, algorithm 1); many at once are a `batch.Batch`."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, PRNGKeyArray

from mathonet.fit.least_squares import Minimum
from mathonet.fit.problem import Problem
from mathonet.learning.curvature import exact, gauss_newton
from mathonet.learning.energy import energy
from mathonet.learning.minimise_adam import minimise_adam
from mathonet.learning.minimise_newton import minimise_newton
from mathonet.learning.penalty import Strength
from mathonet.learning.prior import Prior, degrees_of_freedom, lasso_prior, update
from mathonet.learning.settings import Learning, Schedule
from mathonet.network.group import membership
from mathonet.network.mask import cut_dead_paths, initial_mask
from mathonet.network.mathonet import Architecture, flatten, initialise, unflatten

STATUS = (
    "running: the masks may still change",
    "converged: the masks no longer change",
    "stopped: the next cycle would have cut every path to the output; its mask was refused",
    "diverged: weights or energy are not finite; the last finite state is kept",
)
RUNNING, CONVERGED, REFUSED, DIVERGED = range(len(STATUS))

PATIENCE = 4
"""Cycles without a change of the mask after which a run has converged, even while lambda still falls."""


class Run(eqx.Module):
    """State that a run carries from cycle to cycle."""

    w: Float[Array, " weights"]
    active: Bool[Array, " weights"]
    prior: Prior
    noise: Float[Array, ""]
    cycle: Int[Array, ""]
    quiet: Int[Array, ""]
    status: Int[Array, ""]


class Record(eqx.Module):
    """What one cycle leaves in the history.

    Attributes:
        w: weights after the cycle, exactly zero where masked.
        active: mask after the cycle.
        alpha: redundancy of each weight.
        alpha_group: redundancy of each group.
        zeta: posterior variance of each weight.
        lam: lambda of the cycle.
        energy: 1/2 mean squared residual on the training rows, at the map estimate.
        validation: the same on the validation rows, after pruning.
        status: index into `STATUS`.
    """

    w: Float[Array, " weights"]
    active: Bool[Array, " weights"]
    alpha: Float[Array, " weights"]
    alpha_group: Float[Array, " groups"]
    zeta: Float[Array, " weights"]
    lam: Float[Array, ""]
    energy: Float[Array, ""]
    validation: Float[Array, ""]
    status: Int[Array, ""]


def start(architecture: Architecture, key: PRNGKeyArray, mask: Bool[Array, " weights"] | None = None) -> Run:
    """A run before its first cycle: random weights, sparse group Lasso prior.

    The mask says where weights may live from the start; None is the full super-graph.
    """
    active = jnp.asarray(flatten(initial_mask(architecture)), bool) if mask is None else mask
    w = flatten(initialise(architecture, key)) * active
    zero = jnp.zeros((), jnp.int32)
    prior = lasso_prior(w.size, membership(architecture).shape[0], w.dtype)
    return Run(w, active, prior, jnp.zeros((), w.dtype), zero, zero, zero)


def map_step(
    architecture: Architecture,
    learning: Learning,
    problem: Problem,
    run: Run,
    lam: Array,
    steps: Array,
    living: int | None = None,
) -> Minimum:
    """Step 1 of a cycle: minimise energy + lambda sum(beta |w|) + lambda_g sum(beta_g ||w_g||)."""
    member = jnp.asarray(membership(architecture), run.w.dtype)
    strength = Strength(lam * run.prior.beta, lam * run.prior.beta_group)
    if learning.map_step == "adam":
        rate = learning.learning_rate
        return minimise_adam(architecture, problem, run.w, run.active, strength, member, steps, rate)
    return minimise_newton(architecture, problem, run.w, run.active, strength, member, steps, living)


def prune(
    architecture: Architecture, run: Run, w: Float[Array, " weights"], prior: Prior, numbers: Schedule
) -> tuple[Bool[Array, " weights"], Bool[Array, ""]]:
    """Mask update [eq:mask update]; returns the mask and whether the update was refused.

    At the fixed point a well-determined weight has alpha = 1/w^2 and a group of m living members
    alpha_g = m^2/||w_g||^2, so the group's threshold is kappa m^2: else large groups would go first.
    A weight on a path whose other weights have vanished has no curvature and so no alpha; it is the Lasso's
    zero that prunes it.
    """
    member = jnp.asarray(membership(architecture), w.dtype)
    living = member @ run.active.astype(w.dtype)
    redundant = prior.alpha > numbers.kappa
    redundant_group = (prior.alpha_group > numbers.kappa * living**2) & (living > 0)
    cut = redundant | ((redundant_group @ member) > 0) | (jnp.abs(w) < numbers.zero)
    pruned = flatten(cut_dead_paths(unflatten(architecture, run.active & ~cut)))
    empty = ~jnp.any(unflatten(architecture, pruned).output)
    return jnp.where(empty, run.active, pruned), empty


def run_cycle(
    architecture: Architecture,
    learning: Learning,
    problem: Problem,
    validation: Problem,
    numbers: Schedule,
    run: Run,
    living: int | None = None,
) -> tuple[Run, Record]:
    """One cycle: map step, prior update, noise, mask update. A finished run passes through unchanged.

    Of all weights at most so many are `living`; newton computes with these alone. None is for all.
    """
    n = problem.observations
    running = run.status == RUNNING
    least = jnp.maximum(run.noise, numbers.floor) / n
    lam = jnp.maximum(numbers.lam * numbers.decay**run.cycle, least)
    steps = jnp.where(running, jnp.where(run.cycle == 0, numbers.first, numbers.later), 0)
    best = map_step(architecture, learning, problem, run, lam, steps, living)
    rss = best.around.rss
    finite = best.around.finite

    if learning.curvature == "exact":
        curvature = exact(architecture, best.w, problem, lam)
    else:
        curvature = gauss_newton(jnp.where(finite, best.around.normal, 0.0), n, lam)
    member = jnp.asarray(membership(architecture), run.w.dtype)
    prior = update(run.prior, best.w, curvature, run.active, member, learning.full)
    # Redundant weights each count as determined; never believe that they explain more than half the rows.
    noise = rss / jnp.maximum(n - degrees_of_freedom(prior, run.active), 0.5 * n)
    active, refused = prune(architecture, run, best.w, prior, numbers)

    same = jnp.all(active == run.active)
    quiet = jnp.where(same, run.quiet + 1, 0)
    # The first cycle's lambda has not met the noise yet: it says nothing about whether the run has settled.
    settled = (
        same & (run.cycle > 0) & ((lam <= 1.01 * jnp.maximum(noise, numbers.floor) / n) | (quiet >= PATIENCE))
    )
    status = jnp.where(refused, REFUSED, jnp.where(settled, CONVERGED, RUNNING)).astype(run.status.dtype)
    done = Run(best.w * active, active, prior, noise, run.cycle + 1, quiet, status)
    stopped = eqx.tree_at(lambda r: r.status, run, jnp.where(running, DIVERGED, run.status))
    run = jax.tree.map(lambda new, old: jnp.where(running & finite, new, old), done, stopped)
    record = Record(
        run.w,
        run.active,
        run.prior.alpha,
        run.prior.alpha_group,
        run.prior.zeta,
        lam,
        0.5 * rss / n,
        energy(architecture, run.w, validation),
        run.status,
    )
    return run, record
