"""The path of found equations goes through the data and follows the equations."""

from dataclasses import replace

import numpy as np

from mathonet import Discoverer
from mathonet.result.followed import follow

T = np.linspace(0.0, 20.0, 400)
CLEAN = np.column_stack([np.cos(T), -np.sin(T)])
NOISE = 0.05


def fitted() -> Discoverer:
    noisy = CLEAN + NOISE * np.random.default_rng(0).standard_normal(CLEAN.shape)
    noisy[100:110, 0] = np.nan
    return Discoverer(operations=["ident"]).fit(noisy, T, names=["x", "v"])


def test_path_is_nearer_to_the_truth_than_data_or_smoothing():
    model = fitted()
    found = follow(model.discovery_)
    assert found is not None
    assert np.array_equal(found.rows, np.arange(len(T)))
    error = np.sqrt(np.mean((found.x - CLEAN) ** 2))
    smoothed = np.sqrt(np.mean((model.discovery_.measured.x - CLEAN) ** 2))
    assert error < 0.5 * smoothed < NOISE
    # It is a solution: started at its first state, a simulation stays on it.
    assert np.allclose(model.simulate(found.x[0], T), found.x, atol=5e-3)
    short = follow(model.discovery_, most=100)
    assert short is not None
    assert 50 <= len(short.rows) <= 150
    assert short.rows[0] == 0


def test_derivatives_have_no_path():
    model = Discoverer(operations=["ident"], hidden=[1], restarts=2).fit(
        CLEAN, T, CLEAN[:, ::-1] * [1.0, -1.0]
    )
    assert follow(model.discovery_) is None


def test_equations_that_leave_all_bounds_have_no_path():
    found = fitted().discovery_
    equations = tuple(
        replace(each, expression=each.expression.scale(1e200)) for each in found.system.equations
    )
    assert follow(replace(found, system=replace(found.system, equations=equations))) is None
