"""Stepwise: what one equation lacks is seen though the constants of another have taken it up."""

import jax
import numpy as np
import pytest

from mathonet.equation.parse import from_text
from mathonet.search.config import Settings
from mathonet.search.measurements.measured import measure
from mathonet.search.path.moves import regress
from mathonet.search.path.objective import PathObjective
from mathonet.search.proposers.stepwise import Stepwise
from mathonet.search.samples.search import SampleSearch

NAMES = ("x", "y")
T = np.linspace(0.0, 10.0, 150)
LACKING = ("-x + 2.4*y + x**2*y", "0.07 - 2.4*x - 0.01*y")
TRUE = ("-x + 2.4*y + x**2*y", "0.07 - 2.4*x - x**2*y")


def glycolysis(_, x):
    return [-x[0] + 2.4 * x[1] + x[0] ** 2 * x[1], 0.07 - 2.4 * x[0] - x[0] ** 2 * x[1]]


@pytest.fixture
def objective(observe) -> PathObjective:
    """At a system that lacks a cubic term, on noisy data."""
    measured = measure([observe(glycolysis, [0.4, 0.31], T, 0.01, names=NAMES)])
    with jax.enable_x64(True):
        search = SampleSearch(measured.samples, Settings(rows=300), precise=measured.precise)
        made = PathObjective(measured, search)
        made.best = made.joint.fit(
            regress(made.joint, [from_text(each, NAMES) for each in LACKING]), steps=40
        )
    assert made.best is not None
    return made


def test_a_term_of_degree_3_comes_in_where_the_joint_fit_wants_it(objective):
    proposer, before = Stepwise(3), objective.best
    with jax.enable_x64(True):
        for _ in range(proposer.turns):
            if proposer.could_win(objective):
                for each, proposals in proposer.propose([objective]):
                    each.consider(proposals, proposer.name)
    assert objective.best.score < before.score - 20.0
    wanted = tuple(from_text(each, NAMES).skeleton for each in TRUE)
    assert tuple(form.skeleton for form in objective.best.forms) == wanted


def test_it_is_not_asked_twice_about_one_system(objective):
    proposer = Stepwise(3)
    assert proposer.could_win(objective)
    objective.asked[proposer] = objective.structure
    assert not proposer.could_win(objective)
    objective.best = None
    assert not proposer.could_win(objective)
