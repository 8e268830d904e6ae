"""A result's simple numbers: where data and trust in the form allow them, and told where they show."""

from dataclasses import replace

import numpy as np
import pytest

from mathonet import Samples
from mathonet.result.discover import Discovery, discover


def found(noise: float) -> Discovery:
    rng = np.random.default_rng(0)
    x = rng.uniform(1, 2, size=(60, 2))
    targets = np.stack([3 * x[:, 0] - 2 * x[:, 0] * x[:, 1], -0.7123 * x[:, 1]], axis=1)
    samples = Samples(x, targets + noise * rng.normal(size=(60, 2)), ("x", "y"), ("x", "y"))
    return discover(samples, hidden=(1,), operations=["ident"], restarts=4, cycles=6)


@pytest.fixture(scope="module")
def noisy() -> Discovery:
    return found(1e-2)


def leveled(discovery: Discovery, level: str) -> Discovery:
    return replace(discovery, trust=tuple(replace(each, level=level) for each in discovery.trust))


def test_simple_numbers_stand_beside_what_was_fitted(noisy):
    assert [each.text() for each in noisy.snapped().equations] == [
        "x' = 3 x - 2 x y",
        noisy.system.equations[1].text(),
    ]
    assert {number: each.text() for number, each in noisy.simple().items()} == {0: "x' = 3 x - 2 x y"}
    assert noisy.system.equations[0].text() != "x' = 3.0000 x - 2.0000 x y"
    assert (noisy.system.equations[0].coefficients()["std"] > 0).all()
    assert (noisy.snapped().equations[0].coefficients()["std"] == 0).all()


@pytest.mark.parametrize("level", ["doubtful", "poor"])
def test_equations_that_are_not_trusted_stay_as_they_were_fitted(noisy, level):
    assert leveled(noisy, level).snapped() == noisy.system
    assert leveled(noisy, level).simple() == {}


def test_constants_of_a_grid_stay_as_they_were_fitted(noisy):
    grid = replace(noisy, settings=replace(noisy.settings, stencil=1))
    assert grid.snapped() == noisy.system


def test_nothing_is_told_where_the_digits_say_it_already():
    clean = found(0.0)
    assert clean.system.equations[0].text() == "x' = 3.0000 x - 2.0000 x y"
    assert clean.snapped().equations[0].text() == "x' = 3 x - 2 x y"
    assert clean.simple() == {}
