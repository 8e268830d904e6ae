"""Reexamining: from spoilt tables to the same equations and noise, outliers named, in files as well."""

import numpy as np
import pytest

from mathonet import Discoverer, load, systems
from mathonet.search.measurements.reexamining import _beyond_noise

ROWS = {(0, "x"): 1.5, (88, "y"): -4.0, (131, "x"): 0.7}


@pytest.fixture(scope="module")
def data() -> tuple[np.ndarray, np.ndarray]:
    """Lotka-Volterra, 200 rows with 1 % of noise."""
    t = np.linspace(0.0, 27.0, 200)
    x = systems.get("lotka-volterra").simulate(t=t).x
    noise = np.random.default_rng(0).normal(size=x.shape)
    return t, x + 0.01 * np.sqrt(np.mean(x**2, axis=0)) * noise


@pytest.fixture(scope="module")
def found(data) -> Discoverer:
    """What is found with three values far off, the first one of all among them."""
    t, x = data
    x = x.copy()
    for (row, name), off in ROWS.items():
        x[row, "xy".index(name)] += off
    return Discoverer().fit(x, t, names=["x", "y"])


def test_equations_and_noise_are_kept_and_outliers_named(data, found):
    _, x = data
    assert [len(each.expression.terms) for each in found.discovery_.system.equations] == [2, 2]
    coefficients = found.coefficients_["value"].to_numpy()
    np.testing.assert_allclose(np.sort(np.abs(coefficients)), [0.8, 0.9, 1.3, 1.8], rtol=0.02)
    assert {(each.row, each.name) for each in found.discovery_.measured.outliers} == set(ROWS)
    np.testing.assert_allclose(
        found.discovery_.measured.noise, 0.01 * np.sqrt(np.mean(x**2, axis=0)), rtol=0.2
    )
    assert {trust.level for trust in found.discovery_.trust} == {"good"}
    # What was given stays as it was.
    assert found.trajectories_[0].x[88, 1] == pytest.approx(x[88, 1] - 4.0)


def test_outliers_are_saved(found, tmp_path):
    found.save(tmp_path / "run")
    again = load(tmp_path / "run")
    assert again.discovery_.measured.outliers == found.discovery_.measured.outliers
    assert again.discovery_.measured.describe() == found.discovery_.measured.describe()


@pytest.mark.parametrize("growing", [False, True])
def test_residuals_beyond_noise_whatever_its_law_seemed_to_be(growing):
    rng = np.random.default_rng(0)
    shape = np.linspace(0.1, 2.0, 200) if growing else np.ones(200)
    left = 0.01 * shape * rng.normal(size=200)
    left[[50, 51, 120]] += [0.2, 0.15, -0.2]
    # Smoothing, which outliers mislead, may have seen noise that grows in any case.
    found = _beyond_noise(left, np.linspace(0.1, 2.0, 200), 2.0, 1e-6, 0)
    assert np.flatnonzero(found).tolist() == [50, 51, 120]


def test_what_is_left_by_a_wrong_system_names_nothing():
    wave = 0.05 * np.sin(np.linspace(0.0, 40.0, 200)) + 0.01 * np.random.default_rng(0).normal(size=200)
    wave[100] += 1.0
    assert not _beyond_noise(wave, np.ones(200), 2.0, 1e-6, 0).any()
    run = 0.01 * np.random.default_rng(0).normal(size=200)
    run[100:103] += 0.3
    assert not _beyond_noise(run, np.ones(200), 2.0, 1e-6, 0).any()
