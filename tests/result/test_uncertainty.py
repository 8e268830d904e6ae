"""Predictive bands: the textbook's for linear forms, Monte Carlo's for others; they cover what they say."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from mathonet import Discoverer, FieldDiscoverer, Samples, systems
from mathonet.equation.assembly import constants
from mathonet.equation.equation import Equation, EquationSystem
from mathonet.equation.parse import from_sympy
from mathonet.errors import ConfigError, DataError
from mathonet.operations import resolve
from mathonet.result.discover import Discovery, discover
from mathonet.result.uncertainty import Band, linearised_band, sampled_band
from mathonet.search.proposers.sweep import make_problem
from mathonet.search.samples.regression import Regression

SIGMA = 0.05


@lru_cache
def found(name: str, copies: int = 1, **options) -> Discovery:
    """A discovery from noisy derivatives; several copies of the noise are learned at once, as targets."""
    system = systems.get(name)
    data = system.simulate()
    draw = np.random.default_rng(3)
    targets = [data.x_dot + SIGMA * draw.standard_normal(data.x.shape) for _ in range(copies)]
    names = tuple(f"{state}{copy}" if copies > 1 else state for copy in range(copies) for state in data.names)
    samples = Samples(data.x, np.concatenate(targets, axis=1), data.names, names)
    given = {"operations": system.operations, "hidden": system.hidden, "restarts": 2, **options}
    return discover(samples, **given)


def hunters() -> Discovery:
    """Eight noisy copies of Lotka-Volterra."""
    return found("lotka-volterra", 8)


@lru_cache
def pendulum() -> Discovery:
    """The true form of the pendulum fitted to noisy derivatives, in place of what a search had found."""
    system = systems.get("pendulum")
    data = system.simulate()
    noise = SIGMA * np.random.default_rng(3).standard_normal(data.x.shape)
    samples = Samples(data.x, data.x_dot + noise, data.names, data.names)
    discovery, problem, equations = hunters(), make_problem(samples, None), []
    for target, name in enumerate(data.names):
        regression = Regression(problem.column(target), discovery.settings.resolved(), 0.0)
        fit = regression.fit(regression.fit(from_sympy(system.equations[target], system.symbols)).expression)
        freedom = fit.count - len(fit.constants)
        equations.append(Equation(name, data.names, fit.as_fitted[0], fit.covariance, freedom, fit.sigma))
    return replace(discovery, system=EquationSystem(tuple(equations)), samples=samples)


def points(name: str, rows: int = 2500):
    return systems.get(name).simulate(samples=rows)


def test_a_band_reaches_two_deviations():
    band = Band(np.array([[1.0, -2.0]]), np.array([[0.5, 2.0]]))
    np.testing.assert_array_equal(band.low, [[0.0, -6.0]])
    np.testing.assert_array_equal(band.high, [[2.0, 2.0]])
    np.testing.assert_array_equal(band.covers([[2.0, 2.1]]), [[True, False]])
    with pytest.raises(DataError, match="shape"):
        band.covers([1.0, 2.0])


def test_linear_forms_have_the_textbooks_band():
    discovery = hunters()
    x = points("lotka-volterra", 50).x
    alone, whole = linearised_band(discovery, x, noise=False), linearised_band(discovery, x)
    seen = discovery.samples.inputs
    design = np.stack([seen[:, 0], seen[:, 0] * seen[:, 1]], axis=1)
    at = np.stack([x[:, 0], x[:, 0] * x[:, 1]], axis=1)
    sigma = discovery.system.equations[0].sigma
    wanted = sigma**2 * np.sum(at @ np.linalg.inv(design.T @ design) * at, axis=1)
    np.testing.assert_allclose(alone.std[:, 0], np.sqrt(wanted), rtol=1e-9)
    np.testing.assert_allclose(whole.std[:, 0], np.sqrt(wanted + sigma**2), rtol=1e-9)
    np.testing.assert_array_equal(whole.mean[:, 0], discovery.system.equations[0](x))
    assert whole.finite is None


def test_nonlinear_forms_have_the_band_of_sampled_constants():
    discovery = pendulum()
    equation = discovery.system.equations[1]
    assert any(equation.expression.calls())
    x = points("pendulum", 30).x
    band = linearised_band(discovery, x, noise=False)
    values = np.asarray(constants(equation.expression))

    def by_hand(c: np.ndarray) -> np.ndarray:
        return c[0] * x[:, 1] + c[1] * np.sin(c[2] * x[:, 0])

    np.testing.assert_allclose(by_hand(values), band.mean[:, 1], rtol=1e-10, atol=1e-12)
    drawn = np.random.default_rng(0).multivariate_normal(values, equation.covariance, size=4000)
    sampled = [by_hand(c) for c in drawn]
    np.testing.assert_allclose(band.std[:, 1], np.std(sampled, axis=0), rtol=0.05)


def test_ours_covers_new_measurements_and_the_others_do_not_claim_to():
    discovery, fresh = hunters(), points("lotka-volterra")
    clean = np.tile(fresh.x_dot, 8)
    measured = clean + SIGMA * np.random.default_rng(9).standard_normal(clean.shape)
    band, alone = linearised_band(discovery, fresh.x), linearised_band(discovery, fresh.x, noise=False)
    assert 0.945 <= band.covers(measured).mean() <= 0.965
    assert (np.abs(band.covers(measured).mean(axis=0) - 0.954) < 0.03).all()
    # Without the noise a band says where the equation lies, which is a much narrower statement.
    assert alone.covers(clean).mean() > 0.8
    for narrow in (alone, sampled_band(discovery, fresh.x, 200)):
        assert narrow.covers(measured).mean() < 0.6
        assert narrow.std.mean() < 0.6 * SIGMA


def test_nonlinear_equations_cover_new_measurements():
    discovery, fresh = pendulum(), points("pendulum")
    measured = fresh.x_dot + SIGMA * np.random.default_rng(9).standard_normal(fresh.x.shape)
    assert 0.935 <= linearised_band(discovery, fresh.x).covers(measured).mean() <= 0.975


def test_sampled_bands_are_repeatable_and_in_the_datas_units():
    discovery, x = hunters(), points("lotka-volterra", 40).x
    first, again, other = (sampled_band(discovery, x, 300, seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.mean, again.mean)
    np.testing.assert_array_equal(first.std, again.std)
    assert (first.std != other.std).any()
    values = np.stack([equation(x) for equation in discovery.system.equations], axis=1)
    np.testing.assert_allclose(first.mean, values, atol=0.15)
    assert (first.std > 0).all()
    assert first.finite is not None
    assert (first.finite == 1).all()


def test_a_joint_network_has_a_band_for_every_output():
    discovery = found("lotka-volterra", joint=True, operations=("ident",))
    x = points("lotka-volterra", 40).x
    band = sampled_band(discovery, x, 300)
    np.testing.assert_allclose(band.mean, discovery.system.predict(x), atol=0.15)
    assert (band.std > 0).all()


@pytest.mark.parametrize(("name", "least"), [("lorenz", 7), ("pendulum", 4)])
def test_two_deviation_intervals_of_constants_cover_the_truth(name, least):
    """Refits of the true form over 60 noises, pooled: 95 % within two deviations."""
    system = systems.get(name)
    data, operations = system.simulate(), resolve(system.operations)
    inside = []
    for seed in range(60):
        noise = SIGMA * np.random.default_rng([17, seed]).standard_normal(data.x.shape)
        samples = Samples(data.x, data.x_dot + noise, data.names, data.names)
        problem = make_problem(samples, None)
        for target, equation in enumerate(system.equations):
            truth = from_sympy(equation, system.symbols)
            fitted = Regression(problem.column(target), operations, 0.0).fit(truth)
            error = np.abs(fitted.constants - constants(truth))
            inside.extend(error <= 2 * np.sqrt(np.diagonal(fitted.covariance)))
    assert len(inside) == 60 * least
    assert 0.92 <= np.mean(inside) <= 0.98


def test_intervals_of_found_equations_cover_the_truth():
    """The whole way, search and choice included."""
    system = systems.get("lotka-volterra")
    truths = [constants(from_sympy(equation, system.symbols)) for equation in system.equations]
    inside = []
    for number, equation in enumerate(hunters().system.equations):
        table = equation.coefficients()
        assert len(table) == 2, equation.text()
        inside.extend(np.abs(table["value"] - truths[number % 2]) <= 2 * table["std"])
    assert np.mean(inside) > 0.83  # of 32: 95 % less three deviations


def test_unusable_inputs_are_refused_with_the_reason():
    discovery = hunters()
    with pytest.raises(DataError, match=r"\(rows, 2\) for \['x', 'y'\], got \(3, 5\)"):
        linearised_band(discovery, np.ones((3, 5)))
    with pytest.raises(DataError, match="not finite in row 1"):
        sampled_band(discovery, [[1.0, 2.0], [np.nan, 1.0]])
    with pytest.raises(DataError, match="numbers"):
        linearised_band(discovery, [["a", "b"]])
    with pytest.raises(ConfigError, match="samples must be a whole number of at least 2"):
        sampled_band(discovery, [[1.0, 2.0]], samples=1)
    with pytest.raises(ConfigError, match="seed"):
        sampled_band(discovery, [[1.0, 2.0]], seed=-1)


def test_weighted_residuals_are_not_taken_for_the_noise():
    discovery = hunters()
    x = discovery.samples.inputs
    weighted = replace(discovery, samples=replace(discovery.samples, weights=np.linspace(1, 2, len(x))))
    with pytest.raises(ConfigError, match="noise=False"):
        linearised_band(weighted, x)
    assert np.isfinite(linearised_band(weighted, x, noise=False).std).all()


def test_the_estimator_gives_both_bands_also_with_control_inputs():
    model, data = Discoverer(), points("lotka-volterra", 40)
    model.discovery_ = found("lotka-volterra", joint=True, operations=("ident",))
    x, u = data.x[:, :1], data.x[:, 1:]
    np.testing.assert_array_equal(model.band(data.x).mean, model.predict(data.x))
    np.testing.assert_array_equal(model.band(x, u).std, linearised_band(model.discovery_, data.x).std)
    sampled = model.band(x, u, kind="sampled", samples=50, seed=4)
    np.testing.assert_array_equal(sampled.std, sampled_band(model.discovery_, data.x, 50, 4).std)
    with pytest.raises(DataError, match=r"\(rows, 2\)"):
        model.band(x)
    with pytest.raises(DataError, match="as many rows"):
        model.band(x, u[:5])
    with pytest.raises(ConfigError, match="kind"):
        model.band(x, u, kind="exact")  # pyright: ignore[reportArgumentType]
    with pytest.raises(NotFittedError):
        Discoverer().band(x)


def test_fields_have_bands_on_their_grid():
    field, rate = systems.fisher_kpp(5.0)
    noisy = rate + 0.01 * np.random.default_rng(0).standard_normal(rate.shape)
    model = FieldDiscoverer(operations=["ident"], hidden=[1], restarts=3).fit(
        field.values, field.t, [field.x], u_t=noisy
    )
    band = model.band(field.values)
    assert band.mean.shape == (11, 26, 1)
    np.testing.assert_array_equal(band.mean, model.predict(field.values))
    fresh = rate + 0.01 * np.random.default_rng(1).standard_normal(rate.shape)
    assert 0.9 <= band.covers(fresh).mean() <= 0.99
    sampled = model.band(field.values, kind="sampled", samples=100)
    assert sampled.std.shape == (11, 26, 1)
    assert sampled.finite is not None
    assert sampled.finite.shape == (11, 26, 1)
    with pytest.raises(ConfigError, match="kind"):
        model.band(field.values, kind="both")  # pyright: ignore[reportArgumentType]


def test_equation_that_no_network_led_to_says_what_to_do_instead():
    """A default search compares sums with calls without a network, and finds the pendulum's sine there."""
    data = systems.get("pendulum").simulate()
    model = Discoverer(operations=["ident", "sin"]).fit(data.x, data.t, x_dot=data.x_dot)
    assert "sin" in model.equations()[1]
    with pytest.raises(ConfigError, match=r"'x': it comes from the polynomials.*kind='linearised'.*hidden="):
        model.band(data.x, kind="sampled")
    with pytest.raises(ConfigError, match=r"sums with calls.*hidden="):
        model.discovery_.history("y")
    assert np.isfinite(model.band(data.x).std).all()
