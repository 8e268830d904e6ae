"""Rows: few residuals and samples that stand for all."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from mathonet.equation.expression import Expression, number, variable
from mathonet.fit.problem import Problem, Windows
from mathonet.learning.projected import Rows
from mathonet.operations import resolve
from mathonet.search import effort
from mathonet.search.rows import choose_rows
from mathonet.search.samples.regression import Regression

T = np.linspace(0.0, 8.0, 600)
ROWS = np.column_stack([np.sin(T), np.cos(1.3 * T) + 0.1 * T])
GIVEN = [number(1.0), variable(0), variable(1)]


@pytest.fixture(autouse=True)
def wide():
    with jax.enable_x64(True):
        yield


def regression(rows: np.ndarray, target: np.ndarray, operator=None) -> Regression:
    count = len(target)
    parts = (jnp.asarray(rows), jnp.asarray(target)[:, None], jnp.ones(count), jnp.asarray(float(count)))
    return Regression(Problem(*parts, operator), resolve(["ident", "sin"]), 1e-12)


def learned_rows(regression: Regression, given: list[Expression]) -> tuple[Rows, float]:
    chosen = choose_rows(regression)
    return chosen.given(regression, given), chosen.size


def test_targets_have_a_root_mean_square_of_one():
    rows, size = learned_rows(regression(ROWS, 40.0 * ROWS[:, 0]), GIVEN)
    assert rows.z.shape == (3, effort.NETWORK_ROWS)
    assert np.mean(np.asarray(rows.targets) ** 2) == pytest.approx(1.0)
    assert np.asarray(rows.weighed(40.0 * rows.z[1:2])[0]) == pytest.approx(np.asarray(rows.targets))
    assert size > 10.0


def test_few_samples_are_padded_by_such_that_count_nothing():
    rows, _ = learned_rows(regression(ROWS[:30], ROWS[:30, 0]), GIVEN)
    assert rows.z.shape == (3, effort.NETWORK_ROWS)
    assert float(rows.count) == 30.0
    assert not np.asarray(rows.mix[30:]).any()
    assert not np.asarray(rows.targets[30:]).any()


def test_mixed_samples_are_interpolated_from_few():
    index = np.minimum(np.arange(600)[:, None] + np.arange(5), 599)
    operator = Windows(jnp.asarray(index), jnp.asarray(np.full((600, 5), 0.2)))
    value = np.exp(-0.5 * ROWS[:, 0]) * np.sin(2.0 * ROWS[:, 1])
    target = value[index].mean(axis=1)
    rows, size = learned_rows(regression(ROWS, target, operator), GIVEN)
    assert rows.mix.shape == (effort.NETWORK_ROWS, effort.NETWORK_SAMPLES)
    x, y = np.asarray(rows.z[1]), np.asarray(rows.z[2])
    found = np.asarray(rows.weighed(jnp.asarray(np.exp(-0.5 * x) * np.sin(2.0 * y))[None])[0])
    assert found == pytest.approx(np.asarray(rows.targets), abs=1e-4)
    assert size > 0.0


def test_a_place_without_an_input_is_zero():
    rows, _ = learned_rows(regression(ROWS, ROWS[:, 0]), [*GIVEN, Expression()])
    assert not np.asarray(rows.z[3]).any()


@pytest.mark.parametrize("short", [10, 11])
def test_rows_of_a_grid_are_no_line_in_it(short):
    x, y = (
        each.ravel() for each in np.meshgrid(np.linspace(0, 1, 99), np.linspace(0, 1, short), indexing="ij")
    )
    grid = np.column_stack([x, y])
    chosen = choose_rows(regression(grid, x + y)).samples
    cubic = np.stack([x**i * y**j for i in range(4) for j in range(4 - i)], axis=1)
    assert np.linalg.cond(cubic[chosen]) < 3 * np.linalg.cond(cubic)
    assert abs(np.corrcoef(grid[chosen].T)[0, 1]) < 0.3
