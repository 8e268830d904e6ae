"""The sweep: one compilation, the whole history, comparable restarts."""

import numpy as np
import pytest

from mathonet.data.samples import Samples, Windows
from mathonet.learning.batch import compilations
from mathonet.learning.cycle import CONVERGED, STATUS
from mathonet.learning.settings import Learning, schedule
from mathonet.network.mathonet import Architecture
from mathonet.operations import resolve
from mathonet.search.proposers.sweep import (
    ROWS,
    CycleReport,
    Sweep,
    make_problem,
    sweep,
)

ARCHITECTURE = Architecture(2, (2,), resolve(["ident", "sin"]))
RESTARTS, LAMBDAS, TARGETS, CYCLES = 3, (1e-3, 1e-2), 2, 4
SHORT = schedule(first=15, later=8)
FROZEN = schedule(first=0, later=0, kappa=1e300, zero=0.0)


def make_samples(seed: int = 0, rows: int = 50) -> Samples:
    rng = np.random.default_rng(seed)
    x = rng.uniform(-2, 2, size=(rows, 2)) * [[3.0, 0.1]]
    b = np.stack([2 * x[:, 0] - 5 * x[:, 1], x[:, 0] * x[:, 1]], axis=1) + 1e-3 * rng.normal(size=(rows, 2))
    return Samples(x, b, ("x", "y"), ("x", "y"))


def problem_of(samples: Samples):
    return make_problem(samples, samples.scaling)


def run(seed=0, data=0, lambdas=LAMBDAS, numbers=SHORT, progress=None) -> Sweep:
    problem = problem_of(make_samples(data))
    return sweep(
        ARCHITECTURE, problem, problem, lambdas, RESTARTS, CYCLES, seed, numbers=numbers, progress=progress
    )


@pytest.fixture(scope="module")
def counted():
    """A first sweep, what it reported, and the compilations before and after it."""
    reports: list[CycleReport] = []
    before = compilations(ARCHITECTURE, Learning())
    result = run(progress=reports.append)
    return result, reports, before, compilations(ARCHITECTURE, Learning())


def test_sweep_compiles_once_for_all_targets_lambdas_restarts_and_cycles(counted):
    _, _, before, after = counted
    assert after == before + 1


def test_other_seeds_lambdas_and_data_of_the_same_shape_compile_nothing(counted):
    *_, after = counted
    run(seed=1)
    run(lambdas=(1e-4, 3e-2))
    run(data=5)
    assert compilations(ARCHITECTURE, Learning()) == after


def test_history_has_every_cycle_of_every_run(counted):
    result, *_ = counted
    runs = RESTARTS * len(LAMBDAS) * TARGETS
    assert len(result.history) == CYCLES
    for record in result.history:
        assert record.w.shape[0] == record.active.shape[0] == record.status.shape[0] == runs
        assert isinstance(record.w, np.ndarray)
        assert record.w.dtype == np.float64
    lam = np.stack([record.lam for record in result.history])
    np.testing.assert_allclose(lam[0], result.lam)
    assert np.all(np.diff(lam, axis=0) <= 0)


def test_runs_are_all_combinations_of_target_lambda_and_restart(counted):
    result, *_ = counted
    grid = set(zip(result.target.tolist(), result.lam.tolist(), result.restart.tolist(), strict=True))
    assert len(grid) == len(result.target)
    assert grid == {(t, lam, r) for t in range(TARGETS) for lam in LAMBDAS for r in range(RESTARTS)}


def test_restarts_share_their_start_over_targets_and_lambdas(counted):
    result = run(numbers=FROZEN)
    w = result.history[0].w
    for restart in range(RESTARTS):
        mine = w[result.restart == restart]
        np.testing.assert_array_equal(mine, np.broadcast_to(mine[0], mine.shape))
    starts = {tuple(w[result.restart == restart][0]) for restart in range(RESTARTS)}
    assert len(starts) == RESTARTS
    assert not np.array_equal(run(seed=1, numbers=FROZEN).history[0].w, w)


def test_same_seed_gives_the_same_sweep(counted):
    result, *_ = counted
    again = run()
    np.testing.assert_array_equal(again.history[-1].w, result.history[-1].w)


def test_each_run_learns_its_own_target(counted):
    result, *_ = counted
    problem = problem_of(make_samples())
    for number in (0, len(result.target) - 1):
        network = result.network(number, cycle=-1)
        predictions = np.array([network(x)[0] for x in problem.inputs[:50]])
        error = 0.5 * np.mean((predictions - problem.targets[:50, result.target[number]]) ** 2)
        np.testing.assert_allclose(result.history[-1].validation[number], error, rtol=1e-9)


def test_progress_tells_of_every_cycle(counted):
    result, reports, *_ = counted
    assert [report.cycle for report in reports] == [1, 2, 3, 4]
    for report, record in zip(reports, result.history, strict=True):
        assert report.cycles == CYCLES
        assert report.runs == len(result.target)
        assert report.running == np.sum(record.status == 0)
        for target in range(TARGETS):
            mine = result.target == target
            assert report.error[target] == pytest.approx(np.sqrt(2 * record.energy[mine].min()))
            assert report.weights[target] in record.active[mine].sum(1)
            assert report.terms[target] >= 1


def test_sweep_stops_when_no_run_is_left(counted):
    numbers = schedule(first=15, later=8, decay=1e-9)
    problem = problem_of(make_samples())
    result = sweep(ARCHITECTURE, problem, problem, LAMBDAS, RESTARTS, 30, numbers=numbers)
    assert len(result.history) < 30
    assert np.all(result.history[-1].status != 0)
    assert result.status(0) in STATUS[CONVERGED:]


def test_joint_network_learns_all_targets_in_one_run():
    joint = Architecture(2, (2,), resolve(["ident", "sin"]), outputs=2)
    problem = problem_of(make_samples())
    result = sweep(joint, problem, problem, (1e-3,), 2, 1, numbers=SHORT)
    assert result.target.tolist() == [0, 0]
    predictions = np.array([result.network(0)(x) for x in problem.inputs[:50]])
    error = 0.5 * np.mean((predictions - problem.targets[:50]) ** 2)
    np.testing.assert_allclose(result.history[0].validation[0], error, rtol=1e-9)


@pytest.mark.parametrize(("rows", "padded"), [(50, 64), (64, 64), (65, 128), (513, 1024)])
def test_problems_are_padded_to_few_shapes_by_rows_that_weigh_nothing(rows, padded):
    samples = make_samples(rows=rows)
    problem = problem_of(samples)
    assert problem.inputs.shape == (padded, 2)
    assert float(problem.count) == rows
    np.testing.assert_array_equal(problem.weights, np.arange(padded) < rows)
    np.testing.assert_allclose(np.mean(problem.inputs[:rows] ** 2, axis=0), 1.0, rtol=1e-12)
    assert np.isin(problem.inputs[rows:, 0], problem.inputs[:rows, 0]).all()


def test_least_rows_bring_problems_of_different_length_to_one_shape():
    assert make_problem(make_samples(rows=20), None, least_rows=90).inputs.shape == (ROWS[1], 2)


def test_unscaled_problem_keeps_the_datas_units():
    samples = make_samples()
    np.testing.assert_array_equal(make_problem(samples, None).inputs[:50], samples.inputs)


@pytest.mark.parametrize("whiten", [False, True])
def test_padding_of_a_weak_form_changes_no_residual(whiten):
    samples = make_samples()
    rng = np.random.default_rng(1)
    operator = Windows(rng.integers(0, 50, size=(7, 4)), rng.normal(size=(7, 4)))
    weights = rng.normal(size=(7, 7)) if whiten else rng.uniform(1, 2, 7)
    weak = Samples(
        samples.inputs, samples.targets[:7], ("x", "y"), ("x", "y"), operator=operator, weights=weights
    )
    predictions = rng.normal(size=(50, 2))
    applied = np.einsum("rw,rwk->rk", operator.value, predictions[operator.index]) - weak.targets
    relative = weights / np.sqrt(np.mean(weights**2))
    expected = weights @ applied if whiten else relative[:, None] * applied
    residuals = np.asarray(make_problem(weak, None).residuals(predictions)).reshape(-1, 2)
    np.testing.assert_allclose(residuals[:7], expected, rtol=1e-12)
    np.testing.assert_array_equal(residuals[7:], 0.0)
