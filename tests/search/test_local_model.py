"""The local model: what it predicts of sums of columns is what least squares gives."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathonet.fit.score import score
from mathonet.search.local_model import LocalModel
from mathonet.search.options import Option, Price


def make(seed: int, rows: int = 60, count: int = 8, noise: float = 0.1, true: int = 3, size: float = 1.0):
    """Columns, a target of the first few of them, and the model; `size` is the log of the rung's."""
    rng = np.random.default_rng(seed)
    columns = rng.normal(size=(rows, count)) * 10.0 ** rng.uniform(-3, 3, count)
    target = columns[:, :true] @ (1.0 / np.linalg.norm(columns[:, :true], axis=0)) * np.sqrt(rows)
    target = target + noise * rng.normal(size=rows)
    price = Price(float(rows), 1e-12, size * rng.uniform(0.9, 1.1, count))
    return columns, target, LocalModel.of_columns(columns, target, price)


def left(columns: np.ndarray, target: np.ndarray, kept) -> float:
    chosen = columns[:, sorted(kept)]
    return float(np.sum((target - chosen @ np.linalg.lstsq(chosen, target, rcond=None)[0]) ** 2))


@given(st.integers(0, 10_000), st.sets(st.integers(0, 7), min_size=1))
def test_any_choice_reaches_what_least_squares_does(seed, kept):
    columns, target, model = make(seed)
    chi2, values = model.solve(kept)
    assert chi2 == pytest.approx(left(columns, target, kept), rel=1e-8)
    np.testing.assert_allclose(
        columns @ values, columns[:, sorted(kept)] @ values[sorted(kept)], rtol=1e-9, atol=1e-9
    )
    assert np.sum((target - columns @ values) ** 2) == pytest.approx(chi2, rel=1e-8)


@given(st.integers(0, 10_000), st.sets(st.integers(0, 7), min_size=1, max_size=7))
def test_moves_are_predicted_without_solving_for_each(seed, kept):
    columns, target, model = make(seed)
    price = model.price
    for predicted, choice in model.moves(kept, exchange=True):
        if choice:
            sizes = price.sizes[sorted(choice)].sum()
            wanted = score(left(columns, target, choice), price.count, price.floor, len(choice), sizes)
            assert predicted == pytest.approx(wanted, abs=1e-6)
    every = {choice for _, choice in model.moves(kept, exchange=True)}
    assert len(every) == len(kept) + (8 - len(kept)) + len(kept) * (8 - len(kept))


@pytest.mark.parametrize("noise", [0.0, 1e-9, 0.1])
def test_the_true_columns_are_chosen(noise):
    for seed in range(10):
        _, _, model = make(seed, rows=150, count=30, noise=noise, size=3.5)
        assert model.choices(())[0][1] == {0, 1, 2}
        assert model.step(frozenset())[1] == {0, 1, 2}


def test_of_columns_that_are_the_same_one_stays():
    rng = np.random.default_rng(0)
    columns = rng.normal(size=(50, 4))
    columns[:, 2] = -2.0 * columns[:, 0]
    target = columns[:, 0] + columns[:, 1]
    model = LocalModel.of_columns(columns, target, Price(50.0, 1e-12, np.ones(4)))
    _, kept = model.eliminate(range(4))
    assert len(kept) == 2
    assert 1 in kept
    assert np.isfinite(model.solve(range(4))[1]).all()
    assert model.gains(frozenset([0, 1]), np.array([2])).tolist() == [0.0]


def test_nearly_dependent_columns_keep_the_digits_of_clean_data():
    """Powers on a narrow range: normal equations would lose all that tells the true terms."""
    x = np.linspace(2.0, 2.3, 150)
    columns = np.stack([x**power for power in range(6)], axis=1)
    model = LocalModel.of_columns(columns, 3.0 * x - 0.5 * x**3, Price(150.0, 1e-13, np.ones(6)))
    assert model.step(model.eliminate(range(6))[1])[1] == {1, 3}


def test_what_coefficients_cost_counts():
    columns, target, model = make(3)
    dear = replace(model.price, coefficients=lambda c: 5.0 * np.ones_like(c))
    priced = LocalModel.of_columns(columns, target, dear)
    kept = frozenset([0, 1, 5])
    assert priced.score(kept) == pytest.approx(model.score(kept) + 15.0)
    plain, more = (dict((k, s) for s, k in each.moves(kept, add=False)) for each in (model, priced))
    assert all(more[k] == pytest.approx(plain[k] + 10.0) for k in plain)


def test_of_noise_one_column_is_chosen_all_the_same():
    rng = np.random.default_rng(0)
    columns, target = rng.normal(size=(80, 5)), rng.normal(size=80)
    model = LocalModel.of_columns(columns, target, Price(80.0, 1e-12, np.full(5, 4.0)))
    ((_, kept),) = model.choices(())
    assert len(kept) == 1
    assert model.gains(frozenset(), np.arange(5)).argmax() in kept


def test_a_bound_on_promises_does_not_make_drops_dearer():
    """What is below the least sum of squares counts as that, and no rise is added to it before."""
    price = Price(50.0, 0.0, np.ones(2))
    model = LocalModel([Option(0, 0), Option(0, 1)], np.eye(2), np.array([1.0, 2.0]), -5.0, price, least=0.1)
    options, found = model.drops([0, 1])
    for k, predicted in zip(options.tolist(), found.tolist(), strict=True):
        assert predicted == pytest.approx(model.score({0, 1} - {k}))


def test_columns_that_are_zero_infinite_or_too_many_bring_nothing():
    rng = np.random.default_rng(1)
    columns, target = rng.normal(size=(30, 4)), rng.normal(size=30)
    columns[:, 2], columns[3, 3] = 0.0, np.inf
    model = LocalModel.of_columns(columns, target, Price(30.0, 1e-12, np.ones(4)))
    assert model.solve(range(4))[0] == pytest.approx(left(columns[:, :2], target, {0, 1}))
    assert model.solve(range(4))[1][2:].tolist() == [0.0, 0.0]
    wide = LocalModel.of_columns(rng.normal(size=(4, 6)), rng.normal(size=4), Price(4.0, 1e-12, np.ones(6)))
    assert np.isfinite(wide.solve(range(3))[1]).all()


def test_a_constant_that_is_not_felt_goes_for_nothing():
    options = [Option(0, 0), Option(0, 1)]
    model = LocalModel.of_quadratic(
        options, np.diag([4.0, 0.0]), np.zeros(2), 10.0, np.array([1.0, 20.0]), Price(50.0, 0.0, np.ones(2))
    )
    assert model.solve([0])[0] == pytest.approx(10.0)
    assert model.solve([1])[0] == pytest.approx(14.0)


def test_an_inner_constant_that_is_there_already_is_not_counted_again():
    """Two terms of one call: what the second brings is by its own coefficient."""
    rng = np.random.default_rng(2)
    root, right = rng.normal(size=(3, 3)), rng.normal(size=3)
    options = [Option(0, 0, (1,)), Option(0, 2, (1,))]
    model = LocalModel(options, root, right, 1.0, Price(50.0, 0.0, np.ones(2)))
    gain = model.solve([0])[0] - model.solve([0, 1])[0]
    assert model.gains(frozenset([0]), np.array([1]))[0] == pytest.approx(gain, rel=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_of_very_many_columns_that_depend_on_one_another_the_true_ones_are_chosen(seed):
    # Products of smooth courses, as a trajectory of many states has them: all together follow anything.
    rng = np.random.default_rng(seed)
    t = np.linspace(0.0, 5.0, 400)
    waves = np.cos(t[:, None] * rng.uniform(0.5, 8.0, 14) + rng.uniform(0.0, 6.0, 14))
    pairs = [(i, j) for i in range(14) for j in range(i, 14)]
    columns = np.column_stack([np.ones(400), waves, *(waves[:, i] * waves[:, j] for i, j in pairs)])
    true = frozenset({0, 3, 15 + pairs.index((2, 4)), 15 + pairs.index((1, 2))})
    signs = rng.choice([-1.0, 1.0], len(true))
    target = columns[:, sorted(true)] @ signs
    price = Price(400.0, 1e-8, np.full(columns.shape[1], 5.0))
    model = LocalModel.of_columns(columns, target, price)
    assert model.choices(())[0][1] == true
