"""Large sums without the terms that are missed least."""

import jax
import numpy as np

from mathonet import Samples
from mathonet.equation.expression import Term, total
from mathonet.equation.flow import evaluate
from mathonet.equation.parse import from_text
from mathonet.equation.refit import Refitter
from mathonet.equation.simplify import monomials
from mathonet.operations import resolve
from mathonet.search.shortening import Shortener, worth_keeping
from mathonet.search.sweep import make_problem

NAMES = ("x", "y")


def shortener(truth: str, floor: float) -> Shortener:
    rng = np.random.default_rng(0)
    rows = rng.uniform(-1.0, 1.0, (80, 2))
    samples = Samples(rows, evaluate(from_text(truth, NAMES), rows)[:, None], NAMES, ("x",))
    return Shortener(Refitter(make_problem(samples, None), resolve(["inv"]), floor), floor)


def test_a_sparse_polynomial_is_what_stays_of_a_whole_one():
    truth = "0.65 + 0.95*x - x^2*y + 0.1*x^3*y"
    with jax.enable_x64(True):
        search = shortener(truth, 1e-12)
        whole = search.refitter.fit(total(Term(1e-12, each) for each in monomials(2, 5)))
        shorter = search.shortened(whole)
        search.enter(shorter)
    assert shorter.expression.skeleton == from_text(truth, NAMES).skeleton
    assert search.sure
    assert search.best(3) == [shorter]


def test_of_two_alike_the_better_stays():
    with jax.enable_x64(True):
        search = shortener("x + 0.5*y", 1e-12)
        wrong = search.refitter.fit(from_text("2*x + y", NAMES), 0)
        right = search.refitter.fit(from_text("2*x + y", NAMES))
        for each in (wrong, right, wrong):
            search.enter(each)
    assert search.best(3) == [right]


def test_what_is_missed_least_goes_first_and_the_rest_stays():
    rng = np.random.default_rng(0)
    columns = rng.normal(size=(80, 6))
    target = 2.0 * columns[:, 1] - 3.0 * columns[:, 4] + 1e-3 * rng.normal(size=80)
    assert worth_keeping(columns, target, 80.0, 1e-6)[0] == [1, 4]


def test_dependent_and_unusable_columns_go():
    rng = np.random.default_rng(0)
    columns = rng.normal(size=(80, 3))
    made = np.column_stack([columns, columns[:, 0] + columns[:, 1], np.zeros(80), np.full(80, np.inf)])
    assert worth_keeping(made, columns[:, 0] + columns[:, 1], 80.0, 1e-9)[0] in ([3], [0, 1])
