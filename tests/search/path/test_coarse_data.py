"""Clean data with errors of the numbers themselves: coarse integrators, float32, printed digits."""

import jax
import numpy as np
import pytest
from scipy.integrate import solve_ivp

from mathonet import Discoverer
from mathonet.data.trajectory import Trajectory
from mathonet.equation.parse import from_text
from mathonet.experiments.bench.states.cases import choose, compared
from mathonet.search.config import Settings
from mathonet.search.measurements.measured import measure
from mathonet.search.measurements.route import make_joint
from mathonet.search.path.coarse_data import settled_on_coarse_data
from mathonet.search.path.moves import regress
from mathonet.search.samples.search import SampleSearch


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


def predators(_, x):
    return [1.1 * x[0] - 0.4 * x[0] * x[1], -0.8 * x[1] + 0.3 * x[0] * x[1]]


def coarse(count: int) -> Trajectory:
    t = np.linspace(0.0, 15.0, count)
    x = solve_ivp(predators, (0, 15), [3.0, 1.5], t_eval=t, rtol=1e-6, atol=1e-9).y.T
    return Trajectory(t, x, names=("x", "y"))


def test_terms_that_the_error_of_the_data_hid_are_dropped():
    measured = measure([coarse(300)])
    with jax.enable_x64(True):
        joint = make_joint(measured, SampleSearch(measured.samples, Settings(), precise=True), None)
        forms = [from_text(each, ("x", "y")) for each in ("x + x*y + x**2", "y + x*y")]
        fit = joint.fit(regress(joint, forms), steps=40)
        settled = settled_on_coarse_data(joint, [fit])
    assert settled is not None
    looser, found = settled
    assert [len(form.terms) for form in found.forms] == [2, 2]
    assert looser.floor > joint.floor
    assert looser.score(found.as_fitted, found.chi2) == pytest.approx(found.score, abs=1.0)


def test_a_long_series_of_a_coarse_integrator_keeps_its_floor_to_the_end():
    data = coarse(2000)
    d = Discoverer().fit(data.x, data.t, names=data.names)
    assert [len(each.expression.terms) for each in d.discovery_.system.equations] == [2, 2]
    assert set(d.trust_["level"]) == {"good"}


def test_shares_of_a_states_size_hold_for_printed_digits_too():
    t = np.linspace(0.0, 15.0, 300)
    x = solve_ivp(predators, (0, 15), [3.0, 1.5], t_eval=t, rtol=1e-11, atol=1e-12).y.T
    measured = measure([Trajectory(t, np.round(x, 6), names=("x", "y"))])
    with jax.enable_x64(True):
        joint = make_joint(measured, SampleSearch(measured.samples, Settings(), precise=True), None)
    assert measured.clean
    assert joint.share == pytest.approx(np.max(measured.sigma / measured.size))
    assert joint.share > 1e-7
