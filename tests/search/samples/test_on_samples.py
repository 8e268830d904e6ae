"""OnSamples: equations whose targets are multiples of each other are looked at once."""

import jax.numpy as jnp
import numpy as np
import pytest

from mathonet.equation.parse import from_text
from mathonet.fit.problem import Problem
from mathonet.operations import resolve
from mathonet.search.objective import EquationProposer
from mathonet.search.samples.objective import SampleObjective
from mathonet.search.samples.on_samples import OnSamples
from mathonet.search.samples.regression import Regression

OPERATIONS = resolve(["ident", "sin"])
FORM = from_text("x*y - 0.3*x + 0.1", ("x", "y"))


class Counting(EquationProposer):
    """Proposes the form of the first target, and counts how often it is asked."""

    name = "counting"

    def __init__(self):
        self.asked = 0

    def forms(self, regression, limit=None):
        self.asked += 1
        yield regression.fit(FORM)


def objective(target: int, wanted: np.ndarray, inputs: np.ndarray) -> SampleObjective:
    count = len(wanted)
    arrays = (jnp.asarray(inputs), jnp.asarray(wanted)[:, None], jnp.ones(count), jnp.asarray(float(count)))
    regression = Regression(Problem(*arrays), OPERATIONS, 1e-12)
    return SampleObjective(target, regression, regression, regression)


@pytest.fixture
def inputs():
    return np.random.default_rng(0).uniform(0.2, 1.0, (60, 2))


def searched(targets, inputs):
    objectives = [objective(place, each, inputs) for place, each in enumerate(targets)]
    counting = Counting()
    for each, proposals in OnSamples(counting).propose(objectives):
        each.consider(proposals, "counting")
    return counting.asked, objectives


def test_what_leaves_one_state_and_comes_to_another_is_searched_once(inputs):
    x, y = inputs.T
    rate = x * y - 0.3 * x + 0.1
    asked, (first, second) = searched([rate, -2.0 * rate * (1 + 1e-16 * x)], inputs)
    assert asked == 1
    assert first.best is not None
    assert second.best is not None
    assert second.best.expression.skeleton == first.best.expression.skeleton
    np.testing.assert_allclose(second.best.constants, -2.0 * np.asarray(first.best.constants), rtol=1e-9)


def test_other_targets_are_looked_at_on_their_own(inputs):
    x, y = inputs.T
    rate = x * y - 0.3 * x + 0.1
    assert searched([rate, -rate + 1e-9 * x], inputs)[0] == 2
    assert searched([rate, np.zeros(60)], inputs)[0] == 2
