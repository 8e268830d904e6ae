"""Nodes: how samples are gathered, and what is kept of them."""

import numpy as np

from mathonet.data.smoothing.nodes import choose_grain, gather

T = np.arange(400) * 0.05


def test_clean_samples_are_not_gathered_and_oversampled_ones_are():
    rng = np.random.default_rng(0)
    assert choose_grain([(T, np.sin(T))]) == 1
    dense = np.linspace(0.0, 20.0, 20_000)
    grain = choose_grain([(dense, np.sin(dense) + 0.1 * rng.normal(size=len(dense)))])
    # A cubic misses a sine by far less than the noise over such a node.
    assert grain >= 64
    assert grain * (dense[1] - dense[0]) < 0.7


def test_a_node_keeps_the_squares_of_its_samples():
    rng = np.random.default_rng(0)
    y = rng.normal(size=len(T))
    noise = rng.uniform(0.5, 2.0, size=len(T))
    nodes = gather([(T, y)], [noise], 8)
    x = rng.normal(size=(len(nodes.t), 4))
    off = x - nodes.best
    found = np.einsum("ni,nij,nj->", off, nodes.information, off) + nodes.rest.sum()
    member = np.repeat(np.arange(len(nodes.t)), nodes.count.astype(int))
    gap = T / nodes.unit - nodes.t[member]
    cubic = x[member] * gap[:, None] ** np.arange(4) / np.array([1, 1, 2, 6])
    np.testing.assert_allclose(found, np.sum(((y - cubic.sum(axis=1)) / noise) ** 2), rtol=1e-10)
    np.testing.assert_allclose(nodes.log_weight.sum(), np.sum(np.log(noise)))


def test_close_pairs_share_a_node_and_nothing_is_lost():
    t = np.sort(np.concatenate([T, T[::7] + 1e-7]))
    y = np.sin(t)
    nodes = gather([(t, y)], [np.ones(len(t))], 1)
    assert len(nodes.t) == len(T)
    assert nodes.count.sum() == len(t)
    assert np.diff(nodes.t).min() > 0.1
    assert nodes.rest.sum() < 1e-28


def test_trajectories_stay_apart_and_long_ones_are_cut_into_stretches():
    nodes = gather([(T, np.sin(T)), (T[:3], T[:3])], [np.ones(len(T)), np.ones(3)], 1)
    np.testing.assert_array_equal(np.flatnonzero(nodes.first), [0, len(T)])
    assert np.isinf(nodes.steps[[0, len(T)]]).all()
    cut = nodes.stretches(100)
    assert len(cut.t) == 100
    np.testing.assert_array_equal(np.flatnonzero(cut.first)[:4], [0, 25, 50, 75])
    assert np.isfinite(cut.steps[1:25]).all()
