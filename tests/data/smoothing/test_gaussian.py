"""Smoothing by logarithms: channels of one sign, over decades, with noise of either kind."""

import numpy as np
import pytest

from mathonet.data.smoothing import gaussian, smooth, smooth_all
from mathonet.errors import DataError

T = np.linspace(0.0, 10.0, 200)
SPIKES = np.exp(3.0 * np.sin(4.0 * T) + np.cos(0.7 * T))
SPIKES_SLOPE = SPIKES * (12.0 * np.cos(4.0 * T) - 0.7 * np.sin(0.7 * T))


def error(found: np.ndarray, truth: np.ndarray) -> float:
    return float(np.sqrt(np.mean((found - truth) ** 2)))


def spiky(seed: int = 0, share: float = 0.05) -> np.ndarray:
    return (SPIKES * (1.0 + share * np.random.default_rng(seed).normal(size=len(T))))[:, None]


@pytest.mark.parametrize("seed", range(3))
def test_spikes_with_noise_of_some_percent_are_smoothed_by_their_logarithm(seed):
    x = spiky(seed)
    found = smooth(T, x)
    assert found.model == ("proportional",)
    np.testing.assert_allclose(found.noise, 0.05 * np.sqrt(np.mean(SPIKES**2)), rtol=0.3)
    np.testing.assert_allclose(found.sigma[:, 0], 0.05 * SPIKES, rtol=0.5)
    plain = gaussian._smooth([(T, x[:, 0])]).curves[0].mean
    assert error(found.x_dot[:, 0], SPIKES_SLOPE) < 0.5 * error(plain[:, 1], SPIKES_SLOPE)


def test_deviations_from_logarithms_are_those_of_the_errors():
    bend = np.gradient(SPIKES_SLOPE, T)
    squares = []
    for seed in range(4):
        found = smooth(T, spiky(seed))
        pairs = (
            (found.x, found.x_std, SPIKES),
            (found.x_dot, found.x_dot_std, SPIKES_SLOPE),
            (found.x_ddot, found.x_ddot_std, bend),
        )
        squares.append([np.mean(((x[:, 0] - true) / std[:, 0])[3:-3] ** 2) for x, std, true in pairs])
    spread = np.sqrt(np.mean(squares, axis=0))
    assert (spread > 0.6).all()
    assert (spread < 1.5).all()


def test_channels_of_either_sign_and_unit_are_smoothed_alike():
    plain = smooth(T, spiky())
    for unit in (-1.0, 1e-7, -1e5):
        found = smooth(T, unit * spiky())
        np.testing.assert_allclose(found.x_dot / unit, plain.x_dot, rtol=1e-4, atol=1e-4)
        np.testing.assert_allclose(found.sigma / abs(unit), plain.sigma, rtol=1e-3)
        assert (found.x_dot_std > 0).all()


@pytest.mark.parametrize("value", [0.0, -1e-3])
def test_a_channel_that_touches_zero_has_no_logarithm(value):
    x = spiky()
    x[np.argmin(x)] = value
    found = smooth(T, x)
    assert np.isfinite(found.x_dot).all()
    assert (found.sigma > 0).all()
    np.testing.assert_array_equal(found.x[:, 0], gaussian._smooth([(T, x[:, 0])]).curves[0].mean[:, 0])


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("height", "level"), [(1.0, 0.09), (1.0, 0.007), (2.0, 0.03), (2.0, 0.003)])
def test_constant_noise_on_a_positive_channel_is_still_constant(seed, height, level):
    """Whether or not its logarithm is smoothed: spikes may be smoother there although their noise is not."""
    x = np.exp(height * np.sin(4.0 * T)) + level * np.random.default_rng(seed).normal(size=len(T))
    assert x.min() > 0
    found = smooth(T, x[:, None])
    assert found.model == ("constant",)
    np.testing.assert_allclose(found.sigma, level, rtol=0.25)
    slope = np.exp(height * np.sin(4.0 * T)) * 4.0 * height * np.cos(4.0 * T)
    plain = gaussian._smooth([(T, x)]).curves[0].mean
    assert error(found.x_dot[:, 0], slope) <= error(plain[:, 1], slope)


def test_logarithms_of_several_trajectories_with_gaps():
    x = spiky()
    x[60:70] = np.nan
    parts = [(T[:120], x[:120]), (T[120:190:2], x[120:190:2]), (T[190:193], x[190:193])]
    parts.append((T[:15], np.full((15, 1), np.nan)))
    found = smooth_all(parts)
    assert {each.model for each in found} == {("proportional",)}
    assert len({float(each.noise[0]) for each in found}) == 1
    assert all(np.isfinite(part).all() for each in found for part in (each.x, each.x_dot_std, each.sigma))
    seen = np.concatenate([each.sigma[np.isfinite(own)] for each, (_, own) in zip(found, parts, strict=True)])
    np.testing.assert_allclose(found[0].noise, np.sqrt(np.mean(seen**2)))
    whole = np.concatenate([SPIKES[:60], SPIKES[70:120]])
    np.testing.assert_allclose(np.delete(found[0].sigma[:, 0], slice(60, 70)), 0.05 * whole, rtol=0.6)
    np.testing.assert_allclose(found[3].x, np.exp(np.mean(np.log(seen / 0.05))), rtol=0.5)


@pytest.mark.parametrize(("model", "swell"), [("constant", 2.0), ("proportional", -2.0)])
def test_logarithms_of_a_long_series_are_judged_by_the_values_they_are_learned_from(model, swell):
    """Those of four stretches, here the loudest or the quietest: other values say nothing about either."""
    t = np.arange(8000) * 0.05
    clean = np.exp(1.5 * np.sin(2.0 * t) + swell * np.cos(6.0 * np.pi * t / t[-1]))
    level = np.full(len(t), 0.005) if model == "constant" else 0.05 * clean
    found = smooth(t, (clean + level * np.random.default_rng(1).normal(size=len(t)))[:, None])
    assert found.model == (model,)
    np.testing.assert_allclose(found.sigma[:, 0], level, rtol=0.3)


def test_where_logarithms_cannot_be_smoothed_their_values_are(monkeypatch):
    smoothed = gaussian._smooth

    def only_values(channel, grain=None):
        if grain is not None:
            raise DataError("cannot be computed within rounding")
        return smoothed(channel)

    monkeypatch.setattr(gaussian, "_smooth", only_values)
    found = smooth(T, spiky())
    np.testing.assert_array_equal(found.x[:, 0], smoothed([(T, spiky()[:, 0])]).curves[0].mean[:, 0])
