"""Equations from noisy states alone, through the weak form."""

import numpy as np
import pytest

from mathonet.data.trajectory import Trajectory
from mathonet.data.weak import weak_samples
from mathonet.experiments.truth import compare, truths
from mathonet.result.discover import discover
from mathonet.systems import get


def found(name: str, noise: float, seed: int, t: np.ndarray | None = None, **options) -> tuple[bool, float]:
    """Whether all equations have exactly the true terms, and the largest relative error of a constant."""
    made = get(name).simulate(t=t, noise=noise, seed=seed)
    samples = weak_samples([Trajectory(made.t, made.x, names=made.names)])
    equations = discover(samples, **options).system.equations
    pairs = [compare(each.expression, truth) for each, truth in zip(equations, truths(name), strict=True)]
    return all(same for same, _ in pairs), max(error for _, error in pairs)


def test_lotka_volterra_from_noisy_states():
    same, error = found("lotka-volterra", 0.02, 1, operations=["ident"])
    assert same
    assert error < 0.02


def test_lotka_volterra_from_states_at_random_times():
    t = np.sort(np.random.default_rng(2).choice(np.linspace(0, 30, 400), 300, replace=False))
    same, error = found("lotka-volterra", 0.01, 0, t, operations=["ident"])
    assert same
    assert error < 0.05


@pytest.mark.slow
@pytest.mark.parametrize("hidden", [None, (3,)])
def test_lorenz_from_noisy_states(hidden):
    same, error = found("lorenz", 0.01, 0, 0.01 * np.arange(1000), hidden=hidden)
    assert same
    assert error < 0.05
