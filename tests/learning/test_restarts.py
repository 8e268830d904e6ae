"""Restarts in batches: one compiled program for graphs of every structure."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from mathonet.interruption import StoppedError, Watch, watched
from mathonet.learning.projected import Rows
from mathonet.learning.restarts import Batch, Batches, Reached, compilations
from mathonet.network.supergraph import Shape, build, stack, take
from mathonet.operations import resolve

OPERATIONS = resolve(["sin", "exp", "inv"])
SHAPE = Shape(inputs=1, calls=1, arguments=3, outputs=4)
BATCH = Batch(64, 8)
ALIKE = Batch(16, 4, alike=2)
X = np.linspace(0.2, 3.0, 40)


@pytest.fixture(autouse=True)
def wide():
    with jax.enable_x64(True):
        yield


@pytest.fixture
def batches() -> Batches:
    law = 0.4 - 1.2 * X + 0.8 * np.sin(2.3 * X + 0.3)
    parts = (np.stack([np.ones_like(X), X]), np.ones_like(X), law)
    return Batches(Rows(*map(jnp.asarray, parts), jnp.asarray(40.0)), OPERATIONS, BATCH)


def graphs(count: int):
    made = [build(SHAPE, [k % 3], [[(), (1,)]], [(), (1,), (2,)]) for k in range(count)]
    return stack([each for each in made if each is not None])


def test_some_of_many_starts_lead_to_the_law(batches):
    many = take(graphs(3), np.repeat(np.arange(3), 50))
    at = batches.drawn(many, 0, 1e-10)
    assert len(at.w) == 150
    at = batches.advanced(many, at, 20, 1e-15)
    hits = at.rss < 1e-14
    assert hits[:50].sum() >= 5
    assert not hits[50:].any()


def test_starts_have_arguments_that_operations_bend_over(batches):
    many = take(graphs(3), np.repeat(np.arange(3), 100))
    at = batches.drawn(many, 1, 1e-10)
    h = at.w[:, 0, :1] + at.w[:, 0, 1:2] * X
    waves = np.ptp(h[:100], axis=1)
    assert waves.min() > 0.4
    assert waves.max() < 20.0
    # An inverse stays on one side of its pole.
    assert (np.sign(h[200:]).min(axis=1) == np.sign(h[200:]).max(axis=1)).all()


def test_the_same_key_gives_the_same_starts_whatever_the_batch(batches):
    many, seed = take(graphs(3), np.arange(60) % 3), 5
    other = Batches(batches.rows, OPERATIONS, Batch(16, 4))
    assert batches.drawn(many, seed, 1e-10).w == pytest.approx(other.drawn(many, seed, 1e-10).w)


def test_nothing_is_compiled_for_another_structure_or_number(batches):
    at = batches.drawn(graphs(3), 0, 1e-10)
    batches.advanced(graphs(3), at, 3, 1e-10)
    before = compilations(OPERATIONS, BATCH)
    for count in (1, 7, 64, 100):
        at = batches.drawn(graphs(count), count, 1e-10)
        batches.advanced(graphs(count), at, 5, 1e-15)
    assert compilations(OPERATIONS, BATCH) == before


def test_one_start_that_diverges_harms_no_other(batches):
    many = graphs(3)
    at = batches.drawn(many, 2, 1e-10)
    broken = at.w.copy()
    broken[1] = np.nan
    found = batches.advanced(many, Reached(broken, at.rss, at.damping), 5, 1e-15)
    whole = batches.advanced(many, at, 5, 1e-15)
    assert not np.isfinite(found.rss[1])
    assert found.rss[[0, 2]] == pytest.approx(whole.rss[[0, 2]])


def test_side_by_side_with_others_of_the_same_operations_nothing_changes(batches):
    other = Batches(batches.rows, OPERATIONS, ALIKE)
    many, seed = take(graphs(3), np.random.default_rng(0).integers(3, size=41)), 5
    ours, theirs = (each.drawn(many, seed, 1e-10) for each in (batches, other))
    assert theirs.w.dtype == float
    assert ours.w == pytest.approx(theirs.w, rel=1e-12)
    ours, theirs = batches.advanced(many, ours, 3, 1e-10), other.advanced(many, theirs, 3, 1e-10)
    assert ours.rss == pytest.approx(theirs.rss, rel=1e-6)


def test_all_products_live_at_the_start_where_that_is_asked(batches):
    many = take(graphs(3), np.arange(60) % 3)
    every = batches.drawn(many, 5, 1e-10, least=1.0)
    assert (every.w[many.argument_lives > 0] != 0.0).all()


def test_a_stop_ends_a_stage_between_its_batches(batches):
    other, watch = Batches(batches.rows, OPERATIONS, ALIKE), Watch()
    watch.stop("enough")
    with watched(watch), pytest.raises(StoppedError):
        other.drawn(take(graphs(3), np.arange(600) % 3), 5, 1e-10)


def test_a_size_that_parts_do_not_fill_is_refused(batches):
    with pytest.raises(ValueError, match="multiple"):
        Batches(batches.rows, OPERATIONS, Batch(20, 4, alike=8))


def test_starts_do_not_hang_on_the_callers_kind_of_random_numbers(batches):
    many = take(graphs(3), np.arange(12) % 3)
    usual = batches.drawn(many, 5, 1e-10)
    with jax.default_prng_impl("rbg"):
        assert np.array_equal(batches.drawn(many, 5, 1e-10).w, usual.w)
