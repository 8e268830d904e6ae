"""Sums of few terms: the catalogue, its layout, and the combinations."""

from itertools import combinations

import jax
import numpy as np
import pytest

from mathonet import Samples
from mathonet.data.samples import Windows
from mathonet.equation.expression import Expression
from mathonet.equation.flow import evaluate
from mathonet.equation.refit import Refitter
from mathonet.operations import resolve
from mathonet.search.combinations import _Combinations, best_combinations
from mathonet.search.layout import Layout, rows_of
from mathonet.search.pairs import Beside, best_pairs, thinned
from mathonet.search.shortening import SURE
from mathonet.search.sweep import make_problem
from mathonet.search.terms import Catalogue

CURVE = np.linspace(0.0, 6.0, 150)
ONE = np.stack([1.3 + np.sin(CURVE) + 0.1 * CURVE], axis=1)
TWO = np.column_stack([1.6 + np.sin(CURVE), 1.2 + 0.8 * np.cos(1.3 * CURVE)])


def refitter(x: np.ndarray, target: np.ndarray, operations=None, weights=None) -> Refitter:
    names = tuple(f"x{i}" for i in range(x.shape[1]))
    samples = Samples(x, target[:, None], names, ("x0",), weights=weights)
    with jax.enable_x64(True):
        return Refitter(make_problem(samples, None), resolve(operations), 1e-13)


def best(x: np.ndarray, target: np.ndarray, operations=None, weights=None, plain=False) -> Expression:
    fitter = refitter(x, target, operations, weights)
    with jax.enable_x64(True):
        return best_combinations(fitter, np.ones(x.shape[1]), plain)[0][0]


def left(form: Expression, x: np.ndarray, target: np.ndarray) -> float:
    return float(np.sqrt(np.mean((evaluate(form, x) - target) ** 2) / np.mean(target**2)))


LAWS = {
    "Michaelis-Menten": (ONE, lambda x: 0.3 - 1.7 * x / (0.45 + x)),
    "Hill": (ONE, lambda x: 0.2 - 0.5 * x + 1.1 * x**4 / (2.7 + x**4)),
    "Gompertz": (ONE, lambda x: 0.3 * x - 0.4 * x * np.log(x)),
    "two waves": (ONE, lambda x: 0.8 * np.sin(1.1 * x) - 0.3 * np.sin(2.3 * x)),
    "logistic": (ONE, lambda x: 1.0 - x + 2.0 / (1.0 + np.exp(3.0 - 2.2 * x))),
    "Holling": (TWO, lambda x, y: x - 0.2 * x**2 - 1.3 * x * y / (0.7 + x)),
    "cotangent": (TWO / 2, lambda x, y: 1.4 * np.cos(x) / np.tan(y)),
    "difference of angles": (TWO, lambda x, y: 0.6 * np.sin(x - y) - np.sin(x)),
    "glider": (TWO, lambda x, y: x - 0.9 * np.cos(1.7 * y) / x),
    "drag": (TWO - 1.5, lambda x, y: 0.4 - 0.8 * np.sin(x) - 0.3 * y * np.abs(y)),
    "Arrhenius": (TWO, lambda x, y: 0.4 - 0.5 * x - 30.0 * x * np.exp(-4.7 / y)),
    "Haldane": (ONE, lambda x: 1.2 - 0.3 * x - 2.1 * x / (0.6 + x + 0.5 * x**2)),
    "two rivals": (TWO, lambda x, y: 0.7 * x - 1.9 * x * y / (0.8 + x + 0.6 * y)),
    "two inputs times a call": (TWO, lambda x, y: 1.6 * x * y * np.exp(-1.9 * y) - 0.3 * y),
    "drag in air": (TWO, lambda x, y: 0.1 - 1.7 * y**2 * np.exp(-0.8 * x)),
    "Kleiber": (ONE, lambda x: 0.61 * x**0.75 - 0.33 * x),
    "magnet": (TWO, lambda x, y: 0.9 / (3.4 - x) ** 2 - 1.8 * x - 0.15 * y),
    "two limits": (TWO, lambda x, y: 0.3 * y - 0.9 * x * y / ((0.7 + x) * (0.4 + y))),
    "gate": (TWO, lambda x, y: 0.47 - 0.6 * x + 2.09 * y**3 - 1.9 * x * y**3),
    "two denominators": (TWO, lambda x, y: 0.5 * y - 0.9 * x / (0.4 + x) - 1.2 * x * y / (2.0 + y)),
}


def test_sines_of_two_differences_are_found_among_too_many_terms():
    x = np.random.default_rng(4).uniform(-1.0, 3.0, (200, 3)) * [1.0, 2.0, 1.5]
    a, b, c = x.T
    target = 0.41 + 0.57 * np.sin(b - a) + 0.38 * np.sin(c - a)
    assert left(best(x, target), x, target) < 1e-10


@pytest.mark.parametrize("name", LAWS)
def test_laws_of_few_terms_are_found_without_luck(name):
    x, law = LAWS[name]
    target = law(*x.T)
    assert left(best(x, target), x, target) < 1e-10


def test_the_order_of_the_inputs_does_not_matter():
    x, law = LAWS["Holling"]
    target = law(*x.T) + 0.02 * np.random.default_rng(9).normal(size=len(x))
    with jax.enable_x64(True):
        found, swapped = (
            best_combinations(refitter(rows, target), np.ones(2)) for rows in (x, x[:, ::-1].copy())
        )
    np.testing.assert_allclose([square for _, square in swapped], [square for _, square in found], rtol=1e-6)


def test_residuals_that_are_sums_over_rows_are_thinned():
    t = np.linspace(0.0, 10.0, 600)
    x = np.column_stack([1.5 + np.sin(t), 1.0 + 0.5 * np.cos(t)])
    target = 0.3 - 1.1 * x[:, 0] / (0.6 + x[:, 0])
    width = 9
    index = np.arange(len(t) - width)[:, None] + np.arange(width)
    windows = Windows(index, np.full(index.shape, 1.0 / width))
    sums = np.mean(target[index], axis=1)
    samples = Samples(x, sums[:, None], ("x0", "x1"), ("x0",), operator=windows)
    with jax.enable_x64(True):
        fitter = Refitter(make_problem(samples, None), resolve(None), 1e-13)
        rows, chosen = rows_of(fitter)
        assert (len(rows), len(chosen)) == (len(t), 200)
        form = best_combinations(fitter, np.ones(2))[0][0]
    assert left(form, x, target) < 1e-8


def test_weights_and_noise_are_taken_into_account():
    x, law = LAWS["Holling"]
    target = law(*x.T)
    noisy = target.copy()
    noisy[::3] += 5.0 * np.random.default_rng(3).normal(size=len(noisy[::3]))
    weights = np.where(np.arange(len(noisy)) % 3 == 0, 1e-6, 1.0)
    assert left(best(x, noisy, weights=weights), x, target) < 1e-5


def test_only_the_operations_of_the_search_are_used():
    x, law = LAWS["two waves"]
    form = best(x, law(*x.T), ["ident", "inv", "exp"])
    assert {call.operation.name for call in form.calls()} <= {"inv", "exp"}
    assert not any(best(x, law(*x.T), plain=True).calls())


def test_atoms_and_their_expressions_are_the_same_functions():
    fitter = refitter(TWO, TWO[:, 0])
    rows, chosen = rows_of(fitter)
    catalogue = Catalogue(rows, fitter.operations, np.ones(2))
    random = np.random.default_rng(3)
    with jax.enable_x64(True):
        layout = Layout(fitter, catalogue.atoms, rows, chosen)
        for k in random.choice(len(layout.atoms), 300, replace=False):
            values = evaluate(layout.atoms[k].expression(1.0), rows)
            np.testing.assert_allclose(
                values / np.linalg.norm(values), layout.columns[k], atol=1e-9, err_msg=str(layout.atoms[k])
            )


def test_best_pairs_are_those_of_least_squares():
    random = np.random.default_rng(3)
    kinds = np.repeat(np.arange(40), 5)
    columns = random.normal(size=(200, 40))
    columns[7] = columns[6]
    columns /= np.linalg.norm(columns, axis=1)[:, None]
    target, there = random.normal(size=40), np.linalg.qr(random.normal(size=(40, 2)))[0]
    rest = target - there @ (there.T @ target)
    starts = np.flatnonzero(np.r_[True, np.diff(kinds) > 0])
    beside = [Beside(columns, there[:, :0], 0.0 * target), Beside(columns, there, target)]
    beside[0].left = 2.0 * float(target @ target)
    found = best_pairs(columns @ columns.T, starts, beside, 30)
    least = {}
    # Of two equal columns either may stand in a pair: the first is named for both.
    for i, j in combinations(np.delete(np.arange(200), 7), 2):
        left = np.linalg.lstsq(np.c_[there, columns[[i, j]].T], target, rcond=None)[1][0]
        pair = (kinds[i], kinds[j])
        least[pair] = max(least.get(pair, (0.0, 0, 0)), (rest @ rest - left, i, j))
    wanted = sorted(least.values(), reverse=True)[:30]
    # Of one kind, either column may come first.
    told = [(group, *sorted(6 if each == 7 else each for each in pair)) for _, group, *pair in found]
    assert told == [(1, *pair[1:]) for pair in wanted]
    np.testing.assert_allclose([p[0] for p in found], [rest @ rest - p[0] for p in wanted], rtol=1e-9)


@pytest.fixture(scope="module")
def layout() -> Layout:
    fitter = refitter(TWO, LAWS["Holling"][1](*TWO.T) + 0.05 * np.random.default_rng(3).normal(size=len(TWO)))
    rows, chosen = rows_of(fitter)
    with jax.enable_x64(True):
        return Layout(fitter, Catalogue(rows, fitter.operations, np.ones(2)).atoms, rows, chosen)


@pytest.mark.parametrize("size", [0, 1, 2, 3])
def test_gains_by_products_are_those_by_orthogonal_columns(layout, size):
    """Noisy data take the first, exact ones the second."""
    noisy, exact = _Combinations(layout, 10.0 * SURE), _Combinations(layout, SURE)
    for chosen in list(combinations(noisy.simple[:6], size))[:5]:
        (left_by_products, by_products), (left_over, gains) = (
            each._left(list(chosen)) for each in (noisy, exact)
        )
        assert left_by_products == pytest.approx(left_over, rel=1e-9)
        # Of a column that the others nearly span, products have no digits left.
        told = gains > 1e-6 * gains.max()
        assert told.sum() > 100
        np.testing.assert_allclose(by_products[told], gains[told], rtol=1e-4, atol=1e-6 * gains.max())


def test_gains_beside_columns_that_are_dependent(layout):
    """Fewer of them do as much, so nothing is expected of these; and nothing is divided by zero."""
    noisy = _Combinations(layout, 10.0 * SURE)
    first, second = noisy.simple[:2]
    noisy.columns = noisy.columns.copy()
    noisy.columns[second] = noisy.columns[first]
    noisy.along = noisy.columns[noisy.simple[: len(noisy.place)]] @ noisy.columns.T
    left_over, gains = noisy._left([first, second])
    assert left_over == pytest.approx(noisy.target @ noisy.target)
    assert not gains.any()


@pytest.mark.parametrize("inputs", [1, 2, 3, 4, 5, 8, 12])
def test_the_catalogue_stays_small(inputs):
    rows = 1.0 + np.random.default_rng(inputs).random((50, inputs))
    atoms = Catalogue(rows, resolve(None), np.ones(inputs)).atoms
    assert len(atoms) < 25_000
    assert len({atom.kind for atom in atoms}) < 5_000


@pytest.mark.parametrize("inputs", [2, 3, 5])
def test_of_too_many_terms_every_kind_keeps_its_first_and_a_spread_of_its_grid(inputs):
    rows = 0.5 + np.random.default_rng(1).random((60, inputs))
    fitter = refitter(rows, rows @ np.arange(1.0, inputs + 1.0))
    chosen_rows, chosen = rows_of(fitter)
    with jax.enable_x64(True):
        made = Layout(
            fitter, Catalogue(chosen_rows, fitter.operations, np.ones(inputs)).atoms, chosen_rows, chosen
        )
    search = _Combinations(made, 1e-3)
    calls = [k for k, atom in enumerate(search.atoms) if atom.calls and not atom.stands_alone]
    kept = thinned(calls, search.kind, 500)
    assert len(kept) < len(calls)
    for kind in set(search.kind[calls]):
        own = [k for k in calls if search.kind[k] == kind]
        left = [own.index(k) for k in kept if search.kind[k] == kind]
        assert left[:2] == list(range(len(own)))[:2]
        assert max(np.diff([*left, len(own)]), default=1) <= -(-len(own) // max(len(left) - 2, 1)) + 1
