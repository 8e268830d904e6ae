"""The posterior of a run's weights: variances are no deviations, and signs do not matter."""

from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from mathonet import Samples, systems
from mathonet.learning.energy import linearise
from mathonet.network.mathonet import Architecture, build, flatten
from mathonet.operations import get
from mathonet.result import posterior as module
from mathonet.result.discover import Discovery, discover
from mathonet.result.history import best_run
from mathonet.result.posterior import Posterior, sample_moments, weight_posterior
from mathonet.search.proposers.sweep import make_problem

LINEAR = Architecture(1, (1,), (get("ident"),))
PLACE = 1
"""Of the slope among the flat weights."""
DRAWS = np.random.default_rng(0).standard_normal((4000, 5))
SIGMA = 0.05


@pytest.fixture(scope="module")
def noisy() -> tuple[Discovery, Samples]:
    system = systems.get("lotka-volterra")
    data = system.simulate()
    noise = SIGMA * np.random.default_rng(3).standard_normal(data.x.shape)
    samples = Samples(data.x, data.x_dot + noise, data.names, data.names)
    return discover(samples, operations=["ident"], hidden=(2,), restarts=3), samples


def one_path(slope: float, deviation: float) -> Posterior:
    """A network slope * x whose only uncertain weight is the slope, in its PolyNet."""
    w = build(LINEAR, lambda kind, layer, shape: np.zeros(shape))
    w.layers[0].poly[0, 0, 1] = slope
    w.layers[0].oper[0, 0] = w.output[0, 0] = 1.0
    flat = np.asarray(flatten(w))
    assert flat[PLACE] == slope
    return Posterior(LINEAR, flat, np.where(np.arange(flat.size) == PLACE, deviation, 0.0), 1.0)


@pytest.mark.parametrize("slope", [2.5, -2.5])
def test_the_deviation_of_a_line_is_that_of_its_slope_whatever_its_sign(slope):
    x = np.array([[-3.0], [0.0], [0.5], [4.0]])
    variance = 0.04
    mean, std, finite = sample_moments(one_path(slope, np.sqrt(variance)), DRAWS, x)
    np.testing.assert_allclose(mean, slope * x, atol=0.02)
    np.testing.assert_allclose(std, 0.2 * np.abs(x), rtol=0.05, atol=1e-12)
    assert (finite == 1).all()


def test_deviations_are_roots_of_variances_for_all_living_weights_and_no_other(noisy):
    discovery, _ = noisy
    signs = []
    for target in range(2):
        found = weight_posterior(discovery, target)
        sweep = discovery.sweeps["given"]
        run = best_run(sweep, target)
        record = sweep.history[-1]
        living = record.active[run]
        np.testing.assert_array_equal(found.w, record.w[run])
        np.testing.assert_allclose(found.std[living] ** 2, record.zeta[run][living], rtol=1e-12)
        assert (found.std[living] > 0).all()
        assert (found.std[~living] == 0).all()
        signs.extend(np.sign(found.w[living]))
    assert {-1.0, 1.0} <= set(signs)  # negative weights are uncertain as well, so they must be among them


def test_variances_are_those_of_the_measured_noise(noisy):
    """zeta = 1/(1/eta + h) with h = diag(J^T J)/sigma^2: sigma is the noise the samples really have."""
    discovery, samples = noisy
    training, _ = samples.split(discovery.settings.validation, discovery.settings.seed)
    problem = make_problem(training, samples.scaling)
    for target in range(2):
        found = weight_posterior(discovery, target)
        variance = (SIGMA / samples.scaling.targets[target]) ** 2
        assert found.lam * len(training.targets) == pytest.approx(variance, rel=0.35)
        _, slopes = linearise(found.architecture, jnp.asarray(found.w), problem.column(target))
        curvature = np.sum(np.asarray(slopes) ** 2, axis=0) / (len(training.targets) * found.lam)
        living = found.std > 0
        precision = 1 / found.std[living] ** 2
        # What is left beside the curvature is the prior's 1/eta, never negative, and small here.
        assert (precision >= (1 - 1e-2) * curvature[living]).all()
        assert np.median(precision / curvature[living]) == pytest.approx(1.0, abs=0.1)


def test_chunks_do_not_change_the_moments(monkeypatch):
    x = np.linspace(-1.0, 1.0, 7)[:, None]
    whole = sample_moments(one_path(1.0, 0.3), DRAWS[:301], x)
    monkeypatch.setattr(module, "AT_ONCE", 640)
    parts = sample_moments(one_path(1.0, 0.3), DRAWS[:301], x)
    for one, other in zip(whole, parts, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-14)


def test_samples_that_overflow_are_left_out_and_counted():
    wide = one_path(1.0, 1.0)
    draws = np.zeros((100, 5))
    draws[:30] = 1e200  # their squares overflow
    draws[30:65] = 0.5
    mean, std, finite = sample_moments(wide, draws, np.array([[1.0], [2.0]]))
    np.testing.assert_allclose(finite, 0.7)
    np.testing.assert_allclose(mean[:, 0], [1.25, 2.5])
    np.testing.assert_allclose(std[:, 0], [0.25, 0.5])
    draws[:60] = 1e200
    mean, std, finite = sample_moments(wide, draws, np.array([[1.0], [0.0]]))
    assert np.isnan(mean[0]).all()
    assert np.isnan(std[0]).all()
    assert finite[0] == pytest.approx(0.4)
    assert (mean[1], std[1], finite[1]) == (0.0, 0.0, 1.0)  # at x = 0 the slope does not matter


def test_no_loop_over_samples():
    """The samples are one compiled scan: the same program for every posterior of an architecture."""
    x = np.linspace(-1.0, 1.0, 7)[:, None]
    sample_moments(one_path(1.0, 0.3), DRAWS, x)
    before = module._sums._cache_size()
    for slope in (2.0, 3.0):
        sample_moments(replace(one_path(slope, 0.1), lam=2.0), DRAWS, x)
    assert module._sums._cache_size() == before
    assert jax.config.jax_enable_x64
