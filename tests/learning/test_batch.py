"""Runs that go from cycle to cycle in parts, with the weights that live: the same as every run by itself."""

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
    ("sizes", "fits"),
    [((), Sizing(100, 10**9)), ((), Sizing(1, 10**9)), ((6, 10), Sizing(3, 1))],
    ids=["whole", "one by one", "few weights"],
)
def test_parts_and_fewer_weights_change_no_record(
    architecture, keys, make_problem, alone, monkeypatch, sizes, fits
):
    monkeypatch.setattr(batches, "SIZES", sizes)
    monkeypatch.setattr(batches, "sizing", lambda backend: fits)
    batch = learn(architecture, keys, make_problem)
    finished = 0
    for expected in alone:
        record = batch.cycle()
        for name in FIELDS:
            found, right = np.asarray(getattr(record, name)), np.asarray(getattr(expected, name))
            if found.dtype == float:
                np.testing.assert_allclose(found, right, rtol=1e-6, atol=1e-9, err_msg=name)
            else:
                np.testing.assert_array_equal(found, right, err_msg=name)
        finished += int((record.status != RUNNING).sum())
    assert finished > len(keys)  # some runs have passed through


def test_a_run_that_has_passed_costs_nothing(architecture, keys, make_problem, monkeypatch):
    monkeypatch.setattr(batches, "sizing", lambda backend: Sizing(2, 10**9))
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
        record = batch.cycle()
        running.append(int((record.status == RUNNING).sum()))
        # Those that went on before the last cycle: they run, or have just ended and pass once.
        assert sum(counts[turn:]) == before[-1]
        before.append(len(keys) if len(running) == 1 else running[-2])
    assert counts[0] == len(keys)
    assert sum(counts) < len(keys) * CYCLES


def test_many_runs_compile_a_second_program_and_few_do_not(architecture, keys, make_problem, monkeypatch):
    monkeypatch.setattr(batches, "SIZES", (12,))
    for learning, many, programs in (
        (Learning(learning_rate=0.5), len(keys), 2),
        (Learning(learning_rate=0.25), len(keys) + 1, 1),
        (Learning(map_step="adam"), 1, 1),
    ):
        monkeypatch.setattr(batches, "sizing", lambda backend, many=many: Sizing(4, many))
        batch = learn(architecture, keys, make_problem, learning)
        for _ in range(CYCLES):
            batch.cycle()
        assert compilations(architecture, learning) == programs


def test_fewer_runs_use_the_same_program(architecture, keys, make_problem):
    learning, records = Learning(learning_rate=0.3), []
    for some in (keys[:3], keys):
        batch = learn(architecture, some, make_problem, learning)
        records.append(batch.cycle())
        assert len(batch.status) == len(records[-1].energy) == len(some)
    assert compilations(architecture, learning) == 1
    np.testing.assert_allclose(records[0].energy, records[1].energy[:3], rtol=1e-9)
