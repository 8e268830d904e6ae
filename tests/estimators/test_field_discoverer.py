"""FieldDiscoverer on the paper's Fisher-KPP field."""

import numpy as np
import pytest

from mathonet import FieldDiscoverer, systems
from mathonet.errors import ConfigError, DataError


@pytest.fixture(scope="module")
def fisher():
    return systems.fisher_kpp(5.0)


@pytest.fixture(scope="module")
def fitted(fisher):
    field, rate = fisher
    return FieldDiscoverer(restarts=10, hidden=3).fit(field.values, field.t, field.x, u_t=rate)


def test_diffusion_growth_and_competition_come_out(fitted):
    found = dict(zip(fitted.coefficients_["term"], fitted.coefficients_["value"], strict=True))
    assert found == pytest.approx({"u": 1.0, "u_xx": 0.01, "u^2": -1.0}, rel=1e-6)
    assert fitted.equations() == ["u_t = 1.0000 u + 0.010000 u_xx - 1.0000 u^2"]
    with pytest.raises(ConfigError, match="digits"):
        fitted.equations(-1)


def test_moments_stand_in_grid_units_too(fitted):
    moments = fitted.moments_.set_index("term")["grid units"]
    assert moments["u_xx"] == pytest.approx(6.25, rel=1e-6)
    assert abs(moments["u_x"]) < 1e-6


def test_prediction_is_the_time_derivative(fitted, fisher):
    field, rate = fisher
    np.testing.assert_allclose(fitted.predict(field.values), rate, atol=1e-10)


def test_bad_settings_are_refused(fisher):
    field, rate = fisher
    with pytest.raises(DataError, match="u_t"):
        FieldDiscoverer().fit(field.values, field.t, [field.x])
    with pytest.raises(ConfigError, match="radius"):
        FieldDiscoverer(radius=0).fit(field.values, field.t, [field.x], u_t=rate)
    with pytest.raises(ConfigError, match=r"27 points, and the grid has 26\. Choose a radius of at most 12"):
        FieldDiscoverer(radius=13).fit(field.values, field.t, [field.x], u_t=rate)
    with pytest.raises(DataError, match=r"u_t must be \(11 times, 26 points, fields\)"):
        FieldDiscoverer().fit(field.values, field.t, [field.x], u_t=rate[:, :5])
    for hidden in ("3", 2.5):
        with pytest.raises(ConfigError, match="hidden"):
            FieldDiscoverer(hidden=hidden).fit(field.values, field.t, field.x, u_t=rate)
    with pytest.raises(ConfigError, match="features"):
        FieldDiscoverer(features="weak").fit(field.values, field.t, [field.x], u_t=rate)
