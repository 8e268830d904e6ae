"""Clean data with errors of the numbers themselves: coarse integrators, float32, printed digits."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from mathonet import Discoverer
from mathonet.experiments.bench.states_cases import choose, compared


def found(name: str):
    (case,), _ = choose([name])
    (data,) = case.data(0)
    d = Discoverer().fit(data.x, data.t, names=data.names)
    forms = [each.expression for each in d.discovery_.system.equations]
    return compared(forms, case.truth()), d


@pytest.mark.parametrize("name", ["duffing-loose", "lv-loose", "sir-loose"])
def test_a_coarse_integrator_brings_no_terms_and_no_doubt(name):
    result, d = found(name)
    assert result["exact"]
    assert max(result["errors"]) < 1e-5
    assert set(d.trust_["level"]) == {"good"}
    assert "no function of the states explains what is left" in d.trust_["words"][0]


@pytest.mark.parametrize("name", ["vdp-float32", "duffing-digits"])
def test_what_rounding_leaves_is_exact(name):
    result, d = found(name)
    assert result["exact"]
    assert set(d.trust_["level"]) == {"exact"}


def test_a_polynomial_that_nearly_follows_exact_data_is_not_taken_for_the_law():
    # A cubic follows x log x on this range to some millionths, which only polynomials of higher degree tell.
    t = np.linspace(0.0, 10.0, 150)
    x = solve_ivp(
        lambda _, x: 0.3 * x - 0.1 * x * np.log(x), (0, 10), [2.0], t_eval=t, rtol=1e-12, atol=1e-13
    )
    d = Discoverer().fit(x.y.T, t)
    assert "log" in d.equations()[0]
    assert d.trust_["level"][0] == "exact"
