"""Jumps: switches, steps and spikes are seen; curves, noise and outliers are not mistaken for them."""

import numpy as np
import pytest

from mathonet.data.jumps import left_by_steps, moves_in_jumps
from mathonet.experiments.bench.recovery.known_systems import odebench
from mathonet.experiments.bench.states.cases import all_cases

STEP = np.repeat([0.0, 1.0], 100)
ODD = np.arange(200) % 23 == 7


def jumping() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    return {
        "one step": STEP,
        "one step between numbers that are not round": np.pi + np.e * STEP,
        "one step over two intervals": np.concatenate([STEP[:100], [0.4], STEP[100:]]),
        "one step with noise": STEP + 0.08 * rng.normal(size=200),
        "levels": np.repeat(rng.normal(size=15), 20),
        "set points": np.repeat([20.0, 35.0, 50.0, 35.0, 20.0], 30),
        "spikes of one height": 1.0 * ODD,
        "spikes of many heights": ODD * rng.uniform(1.0, 2.0, 200),
        "spikes on noise": 5.0 * ODD + 0.1 * rng.normal(size=200),
        "coin": rng.integers(0, 2, 200).astype(float),
        "gaps": np.where(np.arange(200) % 3 == 0, np.nan, STEP),
    }


def moving() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(1)
    t = np.linspace(0.0, 10.0, 200)
    curve = np.sin(t)
    outliers = curve.copy()
    outliers[[20, 77, 140]] += [50.0, -80.0, 30.0]
    return {
        "constant": np.full(200, 3.0),
        "few": np.array([0.0, 0.0, 0.0, 1.0, 1.0]),
        "line": t,
        "curve": curve,
        "curve with outliers": outliers,
        "curve with a gap": np.where((t > 4.0) & (t < 6.0), np.nan, curve),
        "curve with few digits": np.round(curve, 1),
        "line with few digits": np.round(t),
        "growth": 1.0 / (1.0 + np.exp(-8.0 * (t - 5.0))),
        "decay": np.exp(-3.0 * t),
        "white noise": rng.normal(size=200),
        "counts": rng.poisson(5.0, 200).astype(float),
        "random walk": rng.normal(size=200).cumsum(),
        "noise that goes with the value": np.exp(-t) * (1.0 + 0.1 * rng.normal(size=200)),
    }


@pytest.mark.parametrize("name", jumping())
def test_what_moves_in_jumps_is_seen(name: str):
    x = jumping()[name]
    assert moves_in_jumps(x)
    assert moves_in_jumps(-x)


@pytest.mark.parametrize("name", moving())
def test_what_does_not_is_left_alone(name: str):
    x = moving()[name]
    assert not moves_in_jumps(x)
    assert not moves_in_jumps(-x)


@pytest.mark.parametrize("size", [1e-300, 1e300])
def test_size_does_not_matter(size: float):
    assert moves_in_jumps(size * (STEP + 0.5))
    assert not moves_in_jumps(size * moving()["curve"])


def test_no_state_of_a_known_system_moves_in_jumps():
    """Relaxation oscillators, spikes of Rössler's z and outbreaks among them, clean and noisy."""
    rng = np.random.default_rng(0)
    columns = [column for case in all_cases() for each in case.data(0) for column in each.x.T]
    for system in odebench():
        for column in system.trajectory(0, 150).x.T:
            columns += [column, column * (1.0 + 0.05 * rng.normal(size=150))]
    assert len(columns) > 300
    assert not any(map(moves_in_jumps, columns))


def test_steps_leave_what_lies_between_their_jumps():
    rng = np.random.default_rng(3)
    noise = 0.1 * rng.normal(size=200)
    levels = np.repeat([1.0, 4.0, 2.0, 5.0], 50) + noise
    ones = np.ones(200)
    three = sum(np.sum((part - part.mean()) ** 2) for part in np.split(levels, 4))
    assert left_by_steps([levels], [ones], 3) == pytest.approx(three)
    left = [left_by_steps([levels], [ones], jumps) for jumps in range(5)]
    assert left == sorted(left, reverse=True)
    assert left[0] == pytest.approx(np.sum((levels - levels.mean()) ** 2))
    # A piece has a level of its own, and values of weight zero do not count.
    pieces = [levels[:50], np.where(np.arange(150) == 7, 1e6, levels[50:])]
    assert left_by_steps(pieces, [ones[:50], (np.arange(150) != 7) * 1.0], 2) == pytest.approx(three, rel=0.1)
    assert left_by_steps([np.ones(5)], [np.zeros(5)], 2) == 0.0
