"""The paper's uncertainty in reduced form: the bands cover, and a figure has all it needs."""

import numpy as np
import pytest

from mathonet.experiments.paper import uncertainty as part
from mathonet.experiments.paper.uncertainty import LEAST, MOST, NOMINAL, panels, uncertainty
from mathonet.result.uncertainty import Band


def test_comparison_counts_coverage_and_width_of_every_equation():
    """Two equations, two copies of the noise: columns go copy by copy."""
    draw = np.random.default_rng(0)
    noise = np.array([1.0, 10.0])
    measured = np.tile(noise, 2) * draw.standard_normal((20_000, 4))
    zero = np.zeros_like(measured)
    ours, paper = Band(zero, zero + np.tile(noise, 2)), Band(zero, zero + 0.1 * np.tile(noise, 2))
    said = []
    results = part._compared(ours, paper, measured, noise, ["a'", "b'"], "case", said.append)
    found = {result.name: result for result in results}
    for name in ("case, a': coverage of our band", "case, b': coverage of our band"):
        assert found[name].ours == pytest.approx(NOMINAL, abs=0.004)
        assert (found[name].seeds, found[name].success) == (2, 2)
    assert found["case: coverage of our band"].success == 2
    assert found["case: coverage of the sampled band"].ours == pytest.approx(0.1585, abs=0.006)
    assert found["case: width of our band in noise deviations"].ours == pytest.approx(4.0)
    assert found["case: width of the sampled band in noise deviations"].ours == pytest.approx(0.4)
    assert len(said) == 1
    narrow = part._compared(paper, paper, measured, noise, ["a'", "b'"], "case", said.append)
    assert [result.success for result in narrow[:3]] == [0, 0, 0]


def test_intervals_of_refitted_coefficients_cover():
    said = []
    result = part._refitted("lorenz", 100, said.append)
    assert result.seeds == 7 * part.REFITS
    assert 0.93 <= result.ours <= 0.975
    assert result.success == round(result.ours * result.seeds)
    assert len(said) == 1


@pytest.mark.paper
@pytest.mark.timeout(900)
def test_bands_cover_at_every_noise_level():
    results = uncertainty(2, lambda line: None)
    for result in results:
        if "N = 10000" in result.name and "coverage of our band" in result.name:
            assert LEAST <= result.ours <= MOST, result
        if "intervals of coefficients" in result.name:
            assert 0.92 <= result.ours <= 0.98, result
    widths = [result.ours for result in results if "width of the sampled band" in result.name]
    assert max(widths) < 2.0  # without observation noise it cannot cover measurements
    for panel in panels(samples=100):
        assert (
            panel.truth.shape
            == panel.measured.shape
            == panel.linearised.mean.shape
            == panel.sampled.mean.shape
        )
        assert len(panel.t) == len(panel.truth)
        assert panel.linearised.covers(panel.truth).mean() > 0.9 or not panel.noise.any()
