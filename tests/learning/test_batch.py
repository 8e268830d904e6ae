"""Runs that go from cycle to cycle in parts, with the weights that live: the same as every run by itself."""

from functools import partial
from types import SimpleNamespace

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from mathonet.learning import batch as batches
from mathonet.learning.batch import Batch, Sizing, compilations
from mathonet.learning.cycle import RUNNING, run_cycle, start
from mathonet.learning.settings import Learning, schedule
from mathonet.network.mask import initial_mask
from mathonet.network.mathonet import flatten

CYCLES = 7
FIELDS = ("w", "active", "alpha", "alpha_group", "zeta", "lam", "energy", "validation", "status")


@pytest.fixture(scope="module")
def alone(architecture, keys, make_problem):
    """Every record of some runs, each computed in every cycle with all weights."""
    problem, numbers = make_problem(noise=0.1), schedule(lam=1e-2, first=20, later=10)
    runs = jax.jit(jax.vmap(lambda key: start(architecture, key)))(keys)
    step = jax.jit(jax.vmap(lambda run: run_cycle(architecture, Learning(), problem, problem, numbers, run)))
    records = []
    for _ in range(CYCLES):
        runs, record = step(runs)
        records.append(record)
    return records


def learn(architecture, keys, make_problem, learning=None):
    problem, count = make_problem(noise=0.1), len(keys)
    numbers = schedule(lam=1e-2, first=20, later=10)
    numbers = type(numbers)(jnp.full(count, 1e-2), *(getattr(numbers, name) for name in REST))
    allowed = np.asarray(flatten(initial_mask(architecture)), bool)
    return Batch(
        architecture,
        learning or Learning(),
        (problem, problem),
        numbers,
        np.zeros(count, int),
        keys,
        allowed,
    )


REST = ("decay", "kappa", "zero", "floor", "first", "later")


@pytest.mark.parametrize(
    "fits",
    [Sizing(100, 10**9, ()), Sizing(1, 10**9, ()), Sizing(3, 1, (2, 4))],
    ids=["whole", "one by one", "few weights"],
)
def test_parts_and_fewer_weights_change_no_record(architecture, keys, make_problem, alone, monkeypatch, fits):
    monkeypatch.setattr(batches, "sizing", lambda backend: fits)
    batch = learn(architecture, keys, make_problem)
    finished = 0
    for expected in alone:
        batch.cycle()
        record = batch.history[-1]
        for name in FIELDS:
            found, right = np.asarray(getattr(record, name)), np.asarray(getattr(expected, name))
            if found.dtype == float:
                np.testing.assert_allclose(found, right, rtol=1e-6, atol=1e-9, err_msg=name)
            else:
                np.testing.assert_array_equal(found, right, err_msg=name)
        finished += int((record.status != RUNNING).sum())
    assert finished > len(keys)  # some runs have passed through


def test_cycles_are_fetched_when_they_are_read(architecture, keys, make_problem):
    batch = learn(architecture, keys, make_problem)
    for _ in range(3):
        batch.cycle()
    assert [type(each.w) is np.ndarray for each in batch.history._records] == [False] * 3
    first, last = batch.history[0], batch.history[-1]
    assert [type(each.w) is np.ndarray for each in batch.history._records] == [True, False, True]
    assert first is batch.history[0]
    assert first.w.dtype == np.float64
    assert len(batch.history) == len(list(batch.history)) == 3
    assert batch.history[1:][-1] is last
    assert {len(each) for record in batch.history for each in jax.tree.leaves(record)} == {len(keys)}


def test_runs_of_few_weights_fill_a_part_of_many(architecture, make_problem):
    batch, steps = learn(architecture, jax.random.split(jax.random.key(0), 7), make_problem), []
    batch._programs = SimpleNamespace(together=4, cycle=lambda size: partial(keep, size))
    batch._sizes = (30, 10, 5)
    batch._living = np.array([30, 4, 6, 4, 4, 8, 4, 30])

    def keep(size, order, count, shared, column, runs, record):
        steps.append((size, sorted(batch._living[order[: int(count)]])))
        return runs, record

    batch.cycle()
    assert steps == [(30, [4, 6, 8, 30]), (5, [4, 4, 4])]  # the eighth run only fills a shape


def test_a_run_that_has_passed_costs_nothing(architecture, keys, make_problem, monkeypatch):
    monkeypatch.setattr(batches, "sizing", lambda backend: Sizing(2, 10**9, ()))
    batch, counts = learn(architecture, keys, make_problem), []
    cycle = batch._programs.cycle

    def counted(living):
        def step(order, count, *rest):
            counts.append(int(count))
            return cycle(living)(order, count, *rest)

        return step

    monkeypatch.setattr(batch._programs, "cycle", counted)
    before, running = [len(keys)], []
    for _ in range(CYCLES):
        turn = len(counts)
        batch.cycle()
        record = batch.history[-1]
        running.append(int((record.status == RUNNING).sum()))
        # Those that went on before the last cycle: they run, or have just ended and pass once.
        assert sum(counts[turn:]) == before[-1]
        before.append(len(keys) if len(running) == 1 else running[-2])
    assert counts[0] == len(keys)
    assert sum(counts) < len(keys) * CYCLES


def test_many_runs_compile_a_second_program_and_few_do_not(architecture, keys, make_problem, monkeypatch):
    for learning, many, programs in (
        (Learning(learning_rate=0.5), len(keys), 2),
        (Learning(learning_rate=0.25), len(keys) + 1, 1),
        (Learning(map_step="adam"), 1, 1),
    ):
        monkeypatch.setattr(batches, "sizing", lambda backend, many=many: Sizing(4, many, (2,)))
        batch = learn(architecture, keys, make_problem, learning)
        for _ in range(CYCLES):
            batch.cycle()
        assert compilations(architecture, learning) == programs


def test_fewer_runs_use_the_same_program(architecture, keys, make_problem):
    learning, records = Learning(learning_rate=0.3), []
    for some in (keys[:3], keys):
        batch = learn(architecture, some, make_problem, learning)
        batch.cycle()
        records.append(batch.history[-1])
        assert len(batch.status) == len(records[-1].energy) == len(some)
    assert compilations(architecture, learning) == 1
    np.testing.assert_allclose(records[0].energy, records[1].energy[:3], rtol=1e-9)
