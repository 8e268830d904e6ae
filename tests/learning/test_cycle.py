"""Cycles of sparse group Bayesian learning: what they prune and keep; runs do not disturb each other."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from mathonet.learning.cycle import (
    CONVERGED,
    DIVERGED,
    REFUSED,
    RUNNING,
    STATUS,
    Record,
    Run,
    prune,
    run_cycle,
    start,
)
from mathonet.learning.minimise_newton import minimise_newton
from mathonet.learning.penalty import Strength
from mathonet.learning.prior import lasso_prior
from mathonet.learning.settings import Learning, Schedule, schedule
from mathonet.network.group import membership
from mathonet.network.mathonet import flatten, unflatten

NEWTON, ADAM, EXACT = Learning(), Learning(map_step="adam"), Learning(curvature="exact", full=True)
SHORT = {"first": 20, "later": 10}


@pytest.fixture(scope="module")
def begin(architecture):
    return jax.jit(jax.vmap(lambda key: start(architecture, key)))


@pytest.fixture(scope="module")
def advance(architecture):
    """A batched cycle for each way of learning, compiled when first asked for."""
    compiled = {}

    def step(learning: Learning, problem, numbers: Schedule, runs: Run) -> tuple[Run, Record]:
        if learning not in compiled:

            def one(problem, numbers, run):
                return run_cycle(architecture, learning, problem, problem, numbers, run)

            compiled[learning] = jax.jit(jax.vmap(one, in_axes=(None, None, 0)))
        return compiled[learning](problem, numbers, runs)

    return step


@pytest.fixture(scope="module")
def noisy_history(advance, begin, keys, make_problem):
    problem, runs, history = make_problem(noise=0.1), begin(keys), []
    for _ in range(8):
        before = runs
        runs, record = advance(NEWTON, problem, schedule(lam=1e-2), runs)
        history.append((before, record))
    return problem, history, runs


def test_start_is_the_sparse_group_lasso_on_the_full_graph(begin, keys, architecture):
    runs = begin(keys)
    np.testing.assert_array_equal(runs.prior.beta, 1.0)
    np.testing.assert_array_equal(runs.prior.beta_group, 1.0)
    assert np.all(np.asarray(runs.w)[~np.asarray(runs.active)] == 0.0)
    assert np.all(np.asarray(runs.active).sum(1) == runs.w.shape[1] - architecture.hidden[0])
    assert len(np.unique(np.asarray(runs.w)[:, 0])) == len(keys)


def test_first_cycle_minimises_the_sparse_group_lasso(architecture, begin, keys, make_problem, advance):
    problem, lam = make_problem(), 1e-2
    runs = begin(keys)
    keep = schedule(lam=lam, kappa=1e300, zero=0.0, **SHORT)
    _, record = advance(NEWTON, problem, keep, runs)
    member = jnp.asarray(membership(architecture))
    strength = Strength(jnp.full(runs.w.shape[1], lam), jnp.full(len(member), lam))

    def lasso(w, active):
        return minimise_newton(
            architecture, problem, w, active, strength, member, jnp.asarray(SHORT["first"])
        )

    expected = jax.jit(jax.vmap(lasso))(runs.w, runs.active)
    np.testing.assert_allclose(record.lam, lam)
    np.testing.assert_allclose(record.w, expected.w, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(record.energy, 0.5 * expected.around.rss / problem.observations, rtol=1e-8)


def test_lambda_follows_its_decay_and_never_falls_below_the_noise(noisy_history):
    problem, history, _ = noisy_history
    n = float(problem.observations)
    for cycle, (before, record) in enumerate(history):
        going = np.asarray(before.status) == RUNNING
        expected = np.maximum(1e-2 * 0.1**cycle, np.asarray(before.noise) / n)
        np.testing.assert_allclose(np.asarray(record.lam)[going], expected[going], rtol=1e-12)


def test_noise_of_a_converged_run_is_that_of_the_data(noisy_history):
    _, _, runs = noisy_history
    found = np.asarray(runs.active).sum(1) < 12
    assert found.any()
    np.testing.assert_allclose(np.sqrt(np.asarray(runs.noise)[found]), 0.1, rtol=0.4)
    assert np.all(np.asarray(runs.status)[found] == CONVERGED)


def test_clean_data_is_fitted_by_few_weights(advance, begin, keys, make_problem):
    problem, runs = make_problem(), begin(keys)
    for _ in range(14):
        runs, record = advance(NEWTON, problem, schedule(), runs)
    best = int(np.argmin(np.where(np.isfinite(record.energy), record.energy, np.inf)))
    assert record.energy[best] < 1e-9
    assert runs.active[best].sum() <= 6


@pytest.mark.parametrize("learning", [NEWTON, ADAM, EXACT], ids=["newton", "adam", "exact"])
def test_masked_weights_stay_exactly_zero_and_masks_only_shrink(
    learning, advance, begin, keys, make_problem, architecture
):
    problem, runs = make_problem(noise=0.01), begin(keys)
    numbers = schedule(lam=1e-2, kappa=1e3, zero=1e-3, **SHORT)
    for _ in range(5):
        before = np.asarray(runs.active)
        runs, record = advance(learning, problem, numbers, runs)
        assert not np.any(np.asarray(runs.active) & ~before)
        assert np.all(np.asarray(runs.w)[~np.asarray(runs.active)] == 0.0)
        assert np.isfinite(record.energy).all()
        np.testing.assert_array_equal(record.w, runs.w)
        for active in record.active:
            assert unflatten(architecture, active).output.any()
    assert np.asarray(runs.active).sum() < before.size


def test_cycle_that_would_cut_every_path_is_refused_and_keeps_its_mask(advance, begin, keys, make_problem):
    runs = begin(keys)
    after, record = advance(NEWTON, make_problem(), schedule(kappa=0.0, **SHORT), runs)
    np.testing.assert_array_equal(record.status, REFUSED)
    np.testing.assert_array_equal(after.active, runs.active)
    assert np.all(np.asarray(after.w)[np.asarray(after.active)] != 0.0)
    assert "refused" in STATUS[REFUSED]


def test_finished_runs_pass_through_unchanged(advance, begin, keys, make_problem):
    numbers = schedule(kappa=0.0, **SHORT)
    stopped, _ = advance(NEWTON, make_problem(), numbers, begin(keys))
    again, record = advance(NEWTON, make_problem(), numbers, stopped)
    assert eqx.tree_equal(again, stopped)
    np.testing.assert_array_equal(record.status, REFUSED)


@pytest.mark.parametrize("learning", [NEWTON, ADAM], ids=["newton", "adam"])
def test_diverged_run_is_recorded_and_harms_no_other(learning, advance, begin, keys, make_problem):
    problem, numbers, healthy = make_problem(noise=0.01), schedule(**SHORT), begin(keys)
    sick = eqx.tree_at(lambda r: r.w, healthy, healthy.w.at[1, 0].set(jnp.nan))
    others = [0, 2, 3]
    for _ in range(3):
        healthy, expected = advance(learning, problem, numbers, healthy)
        sick, record = advance(learning, problem, numbers, sick)
        assert record.status[1] == DIVERGED
        np.testing.assert_allclose(record.w[others, :], expected.w[others, :], rtol=1e-12)
        np.testing.assert_array_equal(record.active[others, :], expected.active[others, :])
        np.testing.assert_array_equal(record.status[others,], expected.status[others,])
    assert STATUS[DIVERGED].startswith("diverged")


def test_run_that_diverges_later_keeps_its_last_finite_state(advance, begin, keys, make_problem):
    problem, numbers = make_problem(noise=0.01), schedule(**SHORT)
    runs, _ = advance(NEWTON, problem, numbers, begin(keys))
    broken = eqx.tree_at(lambda p: p.targets, problem, problem.targets.at[0, 0].set(jnp.nan))
    after, record = advance(NEWTON, broken, numbers, runs)
    running = np.asarray(runs.status) == RUNNING
    assert running.any()
    np.testing.assert_array_equal(np.asarray(record.status)[running], DIVERGED)
    np.testing.assert_array_equal(after.w, runs.w)
    assert np.isfinite(after.w).all()


def test_batched_run_equals_single_run(architecture, advance, begin, keys, make_problem):
    problem, numbers = make_problem(noise=0.1), schedule(lam=1e-2, **SHORT)
    single = jax.jit(lambda run: run_cycle(architecture, NEWTON, problem, problem, numbers, run))
    alone, runs = jax.jit(lambda key: start(architecture, key))(keys[2]), begin(keys)
    for _ in range(3):
        alone, expected = single(alone)
        runs, record = advance(NEWTON, problem, numbers, runs)
        np.testing.assert_array_equal(record.active[2], expected.active)
        np.testing.assert_allclose(record.w[2], expected.w, rtol=1e-6, atol=1e-9)
        assert record.status[2] == expected.status


@pytest.fixture(scope="module")
def one_run(architecture, keys) -> Run:
    run = start(architecture, keys[0])
    return eqx.tree_at(lambda r: r.w, run, jnp.where(run.active, 1.0, 0.0))


def group_of(architecture, number: int) -> np.ndarray:
    return membership(architecture)[number] > 0


@pytest.mark.parametrize("excess", [0.9, 1.1])
def test_threshold_of_a_group_grows_with_the_square_of_its_living_members(architecture, one_run, excess):
    member, kappa = membership(architecture), 50.0
    living = member @ np.asarray(one_run.active)
    assert len(set(living)) > 1
    prior = lasso_prior(one_run.w.size, len(member))
    for number, m in enumerate(living):
        alone = eqx.tree_at(
            lambda p: p.alpha_group, prior, jnp.full(len(member), 1e-6).at[number].set(excess * kappa * m**2)
        )
        active, refused = prune(architecture, one_run, one_run.w, alone, schedule(kappa=kappa, zero=0.0))
        assert not refused
        kept = np.asarray(active)[group_of(architecture, number)].any()
        assert kept == (excess < 1)


def test_equal_weights_are_not_pruned_sooner_in_larger_groups(architecture, one_run):
    """Well-determined groups of equal weights w have alpha_g = m / w^2, whatever their size m."""
    member = membership(architecture)
    living, w = member @ np.asarray(one_run.active), 0.1
    run = eqx.tree_at(lambda r: r.w, one_run, one_run.w * w)
    prior = eqx.tree_at(
        lambda p: (p.alpha, p.alpha_group),
        lasso_prior(run.w.size, len(member)),
        (jnp.full(run.w.size, w**-2), jnp.asarray(living**2 / (living * w**2))),
    )
    active, _ = prune(architecture, run, run.w, prior, schedule(kappa=1.01 * w**-2, zero=0.0))
    np.testing.assert_array_equal(active, run.active)


def test_weight_above_kappa_is_cut_with_the_paths_that_needed_it(architecture, one_run):
    network = unflatten(architecture, jnp.arange(one_run.w.size))
    output = int(network.output[0, 0])
    alpha = jnp.ones(one_run.w.size).at[output].set(100.0)
    prior = eqx.tree_at(lambda p: p.alpha, lasso_prior(one_run.w.size, len(membership(architecture))), alpha)
    active, refused = prune(architecture, one_run, one_run.w, prior, schedule(kappa=10.0))
    mask = unflatten(architecture, active)
    assert not refused
    assert not mask.output[0, 0]
    assert not np.any([mask.layers[0].poly[0].any(), mask.layers[0].bias[0], mask.layers[0].oper[0].any()])
    assert mask.layers[0].oper[1].all()


def test_zeros_of_the_lasso_are_cut(architecture, one_run):
    small = int(unflatten(architecture, jnp.arange(one_run.w.size)).layers[0].bias[0])
    w = one_run.w.at[small].set(1e-9)
    prior = lasso_prior(one_run.w.size, len(membership(architecture)))
    active, _ = prune(architecture, one_run, w, prior, schedule())
    expected = np.asarray(one_run.active).copy()
    expected[small] = False
    np.testing.assert_array_equal(active, expected)
    assert flatten(unflatten(architecture, active)).dtype == bool
