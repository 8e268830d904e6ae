"""Regression: constants, covariance and score of a form."""

import logging
from contextlib import contextmanager

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from mathonet.equation.assembly import constants
from mathonet.equation.complexity import log_size
from mathonet.equation.expression import Expression, apply, number, power, total, variable
from mathonet.fit.problem import Problem, Windows
from mathonet.fit.score import score
from mathonet.operations import get, resolve
from mathonet.search.samples.regression import Regression

X, Y = variable(0), variable(1)
LINEAR = X + X * Y + number(1.0)


@pytest.fixture(scope="module")
def noisy(inputs) -> np.ndarray:
    noise = 0.1 * np.random.default_rng(5).normal(size=len(inputs))
    return 2 * inputs[:, 0] - 0.7 * inputs[:, 0] * inputs[:, 1] + 0.4 + noise


def test_linear_form_has_the_solution_and_covariance_of_least_squares(refit_on, inputs, noisy):
    fitted = refit_on(noisy).fit(LINEAR)
    design = np.stack([inputs[:, 0], inputs[:, 0] * inputs[:, 1], np.ones(len(inputs))], axis=1)
    expected, rss, *_ = np.linalg.lstsq(design, noisy)
    sigma2 = rss[0] / (len(noisy) - 3)
    np.testing.assert_allclose(fitted.constants, expected, rtol=1e-8)
    np.testing.assert_allclose(fitted.chi2, rss[0], rtol=1e-10)
    np.testing.assert_allclose(fitted.sigma, np.sqrt(sigma2), rtol=1e-10)
    np.testing.assert_allclose(fitted.covariance, sigma2 * np.linalg.inv(design.T @ design), rtol=1e-7)


def test_fitted_expression_has_the_fitted_constants(refit_on, noisy):
    fitted = refit_on(noisy).fit(LINEAR)
    np.testing.assert_array_equal(constants(fitted.expression), fitted.constants)
    assert fitted.as_fitted == (LINEAR,)


def test_score_is_the_one_score(refit_on, noisy):
    regression = refit_on(noisy)
    fitted = regression.fit(LINEAR)
    price = log_size(LINEAR, 2, len(regression.operations))
    assert fitted.score == score(fitted.chi2, len(noisy), 1e-12, 3, price)


def test_constants_inside_operations_are_found_to_machine_precision(refit_on, inputs):
    regression = refit_on(1.5 * np.sin(1.2 * inputs[:, 0] + 0.3))
    fitted = regression.fit(apply(get("sin"), X.scale(1.1) + number(0.1)))
    np.testing.assert_allclose(fitted.constants, [1.5, 1.2, 0.3], rtol=1e-12)
    assert fitted.chi2 < 1e-26


def test_columns_of_very_different_size_have_finite_intervals(refit_on, inputs, noisy):
    points = inputs * [[1e8, 1e-8]]
    fitted = refit_on(noisy, points=points).fit(X + X * Y + number(1.0))
    np.testing.assert_allclose(fitted.constants[0] * 1e8, 2.0, atol=0.1)
    assert np.all(np.diagonal(fitted.covariance) > 0)


def test_error_of_a_form_is_its_root_mean_square_residual(refit_on, inputs, noisy):
    expected = np.sqrt(np.mean((inputs[:, 0] - noisy) ** 2))
    np.testing.assert_allclose(refit_on(noisy).error(X), expected, rtol=1e-12)


def test_values_are_those_of_the_expression(refit_on, inputs, noisy, value):
    form = apply(get("exp"), X.scale(0.3)) * Y
    np.testing.assert_allclose(refit_on(noisy).values(form), value(form, inputs), rtol=1e-12)


def test_zero_is_fitted_by_the_mean(refit_on, noisy):
    fitted = refit_on(noisy).fit(Expression())
    np.testing.assert_allclose(fitted.constants, [noisy.mean()], rtol=1e-8)


def test_form_that_cannot_be_fitted_has_an_infinite_score(refit_on, noisy):
    regression = refit_on(noisy)
    too_long = Expression()
    for i in range(1, 100):
        too_long = too_long + apply(get("sin"), X.scale(i))
    assert regression.fit(too_long).score == np.inf
    assert regression.fit(X.scale(np.inf), steps=0).score == np.inf
    assert regression.fit(apply(get("sin"), X.scale(np.inf))).score == np.inf


def test_long_sum_of_monomials_is_fitted_and_pays_for_its_length(refit_on, noisy):
    regression = refit_on(noisy)
    long = Expression()
    for i in range(20):
        long = long + power(X, i)
    assert regression.fit(Expression()).score < regression.fit(long).score < np.inf


def test_form_with_more_constants_than_half_the_rows_is_refused(refit_on, noisy):
    regression = refit_on(noisy)
    form = total(term for i in range(31) for term in power(X, i).terms)
    assert regression.fit(form).score == np.inf


def test_a_hundred_forms_are_refitted_without_any_compilation(refit_on, noisy, many_forms):
    regression = refit_on(noisy)
    regression.fit(LINEAR)
    with jax.log_compiles(), _compile_log() as compiled:
        found = [regression.fit(form).chi2 for form in many_forms]
    assert not compiled
    assert len(set(found)) > 50


@contextmanager
def _compile_log():
    """What JAX compiles meanwhile."""
    seen: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: seen.append(record.getMessage())
    logger = logging.getLogger("jax")
    logger.addHandler(handler)
    try:
        yield seen
    finally:
        logger.removeHandler(handler)


def test_the_log_of_compilations_would_show_one():
    with jax.log_compiles(), _compile_log() as compiled:
        jax.jit(lambda h: jnp.sin(h) * 3.25)(jnp.ones(7))
    assert compiled


def test_operator_and_whitening_enter_the_fit(inputs):
    rng = np.random.default_rng(3)
    rows, width = 40, 5
    index = rng.integers(0, len(inputs), size=(rows, width))
    value = rng.normal(size=(rows, width))
    whiten = np.linalg.cholesky(np.eye(rows) + 0.3)
    design = np.stack([inputs[:, 0], inputs[:, 1]], axis=1)
    target = np.einsum("rw,rwk->rk", value, design[index]) @ [2.0, -0.5] + 0.01 * rng.normal(size=rows)
    problem = Problem(
        jnp.asarray(inputs),
        jnp.asarray(target)[:, None],
        jnp.asarray(whiten),
        jnp.asarray(float(rows)),
        Windows(jnp.asarray(index), jnp.asarray(value)),
    )
    fitted = Regression(problem, resolve(["ident", "sin"]), 1e-12).fit(X + Y)
    seen = whiten @ np.einsum("rw,rwk->rk", value, design[index])
    expected, rss, *_ = np.linalg.lstsq(seen, whiten @ target)
    np.testing.assert_allclose(fitted.constants, expected, rtol=1e-9)
    np.testing.assert_allclose(fitted.chi2, rss[0], rtol=1e-9)


@pytest.mark.parametrize(("slope", "told"), [(0.8, True), (900.0, False)])
def test_a_form_is_exact_if_the_samples_tell_its_constants(refit_on, inputs, slope, told):
    """Of a tanh so steep that it is a sign, another form may be the law: the search goes on."""
    regression = refit_on(np.tanh(slope * inputs[:, 0]))
    fitted = regression.fit(apply(get("tanh"), X.scale(slope)))
    assert regression.fits_to_rounding(fitted)
    assert regression.is_exact(fitted) == told
