"""Inputs between samples: smooth ones follow their curve, switched ones wait for the next sample."""

import numpy as np

from mathonet.data.drive import between, held

T = np.linspace(0.0, 10.0, 101)


def test_a_smooth_input_follows_its_curve_and_never_overshoots():
    at = np.linspace(0.0, 10.0, 777)
    found = between(T, np.sin(T)[:, None], at)[:, 0]
    np.testing.assert_allclose(found, np.sin(at), atol=2e-3)
    assert np.abs(found).max() <= 1.0


def test_a_switched_input_is_held_until_the_next_sample():
    u = (np.sin(T) > 0).astype(float)[:, None]
    assert held(u).tolist() == [True]
    found = between(T, u, np.array([[3.05, 3.1], [3.149, 3.2]]))
    assert found.shape == (2, 2, 1)
    assert set(np.unique(found)) <= {0.0, 1.0}
    np.testing.assert_array_equal(between(T, u, T), u)


def test_inputs_are_told_apart_one_by_one():
    u = np.column_stack([T, np.round(T / 4), np.ones_like(T)])
    assert held(u).tolist() == [False, True, False]
    assert held(u[:1]).tolist() == [False, False, False]
    np.testing.assert_array_equal(between(T[:1], u[:1], np.zeros((2, 3))), np.tile(u[0], (2, 3, 1)))


def test_smooth_inputs_are_known_between_their_samples_nearly_as_well_as_there():
    t = np.linspace(0.0, 10.0, 200)
    at = np.linspace(0.0, 10.0, 777)
    u = np.column_stack([np.sin(3.0 * t), np.sin(3.0 * t) + 0.01 * np.random.default_rng(0).normal(size=200)])
    found = between(t, u, at)
    assert np.abs(found[:, 0] - np.sin(3.0 * at)).max() < 1e-6
    # A noisy one is not followed through its noise by a spline, which would overshoot.
    assert np.abs(found[:, 1]).max() <= np.abs(u[:, 1]).max() + 1e-12
