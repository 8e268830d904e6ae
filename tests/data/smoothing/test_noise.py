"""Noise: whether its deviation grows with the value, told from residuals."""

import numpy as np
import pytest
from scipy.stats import norm

from mathonet.data.smoothing.noise import MARGIN, log_likelihood, proportional_share

LEVEL = np.sin(np.linspace(0.0, 20.0, 300))
LEVEL = LEVEL / np.sqrt(np.mean(LEVEL**2))


def test_likelihood_is_that_of_independent_normal_residuals():
    rng = np.random.default_rng(0)
    left, sigma = rng.normal(size=50), rng.uniform(0.5, 2.0, size=50)
    expected = float(np.sum(norm.logpdf(left, scale=sigma))) + 25.0 * np.log(2.0 * np.pi)
    assert log_likelihood(left, sigma) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("share", [0.03, 0.1, 0.3])
def test_noise_that_grows_with_the_value_is_told(share: float):
    found = {
        proportional_share(np.random.default_rng(seed).normal(size=300) * np.hypot(LEVEL, share), LEVEL)
        for seed in range(10)
    }
    assert share in found
    # The next share may be as likely by chance, that after it hardly.
    told = np.array(list(found), float)
    assert ((told > 0.2 * share) & (told < 5.0 * share)).all()


def test_constant_noise_is_not_called_proportional():
    for seed in range(40):
        assert proportional_share(np.random.default_rng(seed).normal(size=300), LEVEL) is None


def test_a_hint_is_less_than_the_margin():
    """The more the noise grows with the value, the surer it is told; at first only as a hint."""
    sign = np.where(np.arange(300) % 2, 1.0, -1.0)
    lefts = [sign * np.hypot(1.0, k * LEVEL) for k in np.linspace(0.0, 3.0, 61)]
    hinted, told = (
        [proportional_share(left, LEVEL, margin) is not None for left in lefts] for margin in (0.0, MARGIN)
    )
    assert 0 < sum(told) < sum(hinted) < len(lefts)
    assert told == sorted(told)
    assert hinted == sorted(hinted)


def test_units_of_residuals_do_not_matter():
    rng = np.random.default_rng(0)
    left = rng.normal(size=300) * np.hypot(LEVEL, 0.1)
    assert proportional_share(1e-9 * left, LEVEL) == proportional_share(1e9 * left, LEVEL) == 0.1
