"""Process and posterior: likelihood, means and deviations against a dense Gaussian process."""

import numpy as np
import pytest

from mathonet.data.smoothing.nodes import gather
from mathonet.data.smoothing.posterior import Posterior
from mathonet.data.smoothing.process import Chain, Parameters, tune

RNG = np.random.default_rng(0)
T = 0.2 * np.cumsum(RNG.uniform(0.5, 1.5, 60))
UNIT = float(np.median(np.diff(T)))
Y = np.sin(T) + 0.1 * RNG.normal(size=60)
NOISE = RNG.uniform(0.5, 2.0, size=60)
OWN = Parameters(rate=0.4, size=1.3, noise=0.2, likelihood=0.0)


def kernel(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    s = np.abs(np.subtract.outer(a, b)) * OWN.rate / UNIT
    return OWN.size**2 * np.exp(-s) * (1.0 + s + 0.4 * s**2 + s**3 / 15.0)


@pytest.fixture(scope="module")
def nodes():
    return gather([(T, Y)], [NOISE], 1)


def dense() -> np.ndarray:
    return kernel(T, T) + np.diag((OWN.noise * NOISE) ** 2)


def test_likelihood_is_the_dense_one(nodes):
    covariance, count = dense(), len(Y)
    log_det, squares = Chain.of(nodes).costs(np.array([OWN.rate]), np.array([OWN.noise / OWN.size]))
    np.testing.assert_allclose(
        log_det + 2.0 * count * np.log(OWN.size), np.linalg.slogdet(covariance)[1], rtol=1e-9
    )
    np.testing.assert_allclose(squares / OWN.size**2, Y @ np.linalg.solve(covariance, Y), rtol=1e-8)


def test_values_and_slopes_anywhere_are_those_of_the_dense_process(nodes):
    covariance = dense()
    posterior = Posterior.of(nodes, OWN)
    at = np.concatenate([T[:5], np.linspace(T[0] - 1.0, T[-1] + 1.0, 57)])
    mean, std = posterior.at((at - T[0]) / nodes.unit, 0, len(nodes.t))
    step = 1e-4
    to = kernel(at, T)
    slope = (kernel(at + step, T) - kernel(at - step, T)) / (2.0 * step)
    np.testing.assert_allclose(mean[:, 0], to @ np.linalg.solve(covariance, Y), atol=1e-8)
    np.testing.assert_allclose(mean[:, 1] / nodes.unit, slope @ np.linalg.solve(covariance, Y), atol=1e-5)
    left = OWN.size**2 - np.sum(to * np.linalg.solve(covariance, to.T).T, axis=1)
    np.testing.assert_allclose(std[:, 0], np.sqrt(left), atol=1e-7)
    left = 0.2 * (OWN.size * OWN.rate / UNIT) ** 2 - np.sum(
        slope * np.linalg.solve(covariance, slope.T).T, axis=1
    )
    np.testing.assert_allclose(std[:, 1] / nodes.unit, np.sqrt(left), atol=1e-5)


def test_tuning_finds_a_maximum():
    nodes = gather([(T, Y)], [np.ones(60)], 1)
    found = tune(nodes, 1e-9, 1.0)
    chain = Chain.of(nodes)

    def cost(rate: float, size: float, noise: float) -> float:
        log_det, squares = chain.costs(np.array([rate]), np.array([noise / size]))
        return float(squares[0] / size**2 + log_det[0] + 2.0 * 60 * np.log(size))

    best = cost(found.rate, found.size, found.noise)
    for change in np.exp([[0.1, 0, 0], [-0.1, 0, 0], [0, 0.1, 0], [0, -0.1, 0], [0, 0, 0.1], [0, 0, -0.1]]):
        assert cost(found.rate * change[0], found.size * change[1], found.noise * change[2]) > best
    np.testing.assert_allclose(found.noise, 0.1, rtol=0.25)
