"""Richer proposers are asked only while they can give something."""

import numpy as np

from mathonet import Samples
from mathonet.operations import resolve
from mathonet.result.discover import discover
from mathonet.search.samples.simplest import simplest_calls

X = np.random.default_rng(0).uniform(0.5, 3.0, size=(200, 1))
NOISE = np.random.default_rng(1).normal(size=(200, 1))


def asked(target: np.ndarray, operations: list[str]) -> list[str]:
    """The proposers that were asked."""
    told: list[str] = []
    samples = Samples(X, target, ("x",), ("x",))
    discover(samples, operations=operations, progress=lambda rung, _: told.append(rung))
    return list(dict.fromkeys(told))


def test_the_simplest_forms_with_calls_have_one_term_and_one_call():
    simplest = simplest_calls(2, resolve(["ident", "sin"]))
    assert len(simplest) == 5
    assert all(len(form.terms) == 1 and len(list(form.calls())) == 1 for form in simplest)


def test_there_are_none_without_other_operations():
    assert simplest_calls(2, resolve(["ident"])) == ()


def test_exact_form_ends_the_search():
    assert asked(2.0 * X - X**2, ["ident", "sin"]) == ["polynomials"]


def test_cheapest_form_that_leaves_noise_ends_the_search():
    assert asked(2.0 * X + 0.05 * NOISE, ["ident", "sin"]) == ["polynomials"]


def test_settled_target_is_not_learned_again():
    targets = np.concatenate([2.0 * X, np.sin(3.0 * X)], axis=1)
    found = discover(Samples(X, targets, ("x",), ("x", "y")), operations=["ident", "sin"])
    assert [each.level for each in found.trust] == ["exact", "exact"]
    assert {each.rung for each in found.candidates[0]} == {"polynomials"}
    assert found.chosen[1].rung == "sums with calls"
    assert not found.sweeps


def test_noise_does_not_end_the_search_below_a_cheaper_form():
    x = np.random.default_rng(3).uniform(0.0, 1.2, size=(800, 1))
    for seed in range(3):
        target = 2.0 * np.exp(-0.9 * x**2) + 0.02 * np.random.default_rng(seed).normal(size=x.shape)
        found = discover(Samples(x, target, ("x",), ("x",)), operations=["ident", "sin", "exp"], seed=seed)
        assert "exp(" in found.system.equations[0].text()


def test_short_form_hidden_in_a_quadratic_is_looked_for():
    points = np.random.default_rng(4).uniform(0.8, 1.2, size=(600, 2))
    for seed in range(3):
        noise = 0.02 * np.random.default_rng(seed).normal(size=600)
        target = (points[:, 0] ** 2 * points[:, 1] + noise)[:, None]
        found = discover(Samples(points, target, ("x", "y"), ("x",)), operations=["ident"], seed=seed)
        assert len(found.system.equations[0].expression.terms) == 1
