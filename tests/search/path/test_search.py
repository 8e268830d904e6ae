"""The search on a measured path: right equations from noisy states, and who is asked when."""

import jax
import numpy as np
import pytest

from mathonet.data.trajectory import Trajectory
from mathonet.equation.assembly import constants
from mathonet.equation.expression import Expression
from mathonet.equation.parse import from_text
from mathonet.equation.reading import unscale
from mathonet.search.config import Settings
from mathonet.search.measurements.measured import measure
from mathonet.search.path.moves import regress
from mathonet.search.path.objective import PathObjective
from mathonet.search.path.search import path_proposers, search_path
from mathonet.search.proposers.along_path import AlongPath
from mathonet.search.proposers.calls import Calls
from mathonet.search.proposers.elimination import Elimination
from mathonet.search.proposers.networks import Networks
from mathonet.search.proposers.polynomials import Polynomials
from mathonet.search.samples.search import SampleSearch

T = np.linspace(0.0, 12.0, 150)
NAMES = ("x", "y")


def pendulum(_, x):
    return [x[1], -2.0 * np.sin(x[0]) - 0.2 * x[1]]


def predators(_, x):
    return [1.1 * x[0] - 0.4 * x[0] * x[1], -0.8 * x[1] + 0.3 * x[0] * x[1]]


def objective_of(trajectory: Trajectory, *operations: str) -> PathObjective:
    measured = measure([trajectory])
    settings = Settings(operations=["ident", *operations], rows=300)
    with jax.enable_x64(True):
        return PathObjective(measured, SampleSearch(measured.samples, settings, precise=measured.precise))


def found(objective: PathObjective) -> list[Expression]:
    """The equations of the best system in the data's units."""
    assert objective.best is not None
    scaling = objective.search.scaling
    return [unscale(form, scaling, state) for state, form in enumerate(objective.best.forms)]


def check(objective: PathObjective, truth: tuple[str, ...], close: float) -> None:
    for got, text in zip(found(objective), truth, strict=True):
        wanted = from_text(text, NAMES)
        assert got.skeleton == wanted.skeleton
        np.testing.assert_allclose(constants(got), constants(wanted), rtol=close)


@pytest.fixture(scope="module")
def swing(observe) -> PathObjective:
    """A damped pendulum let go at 2.6 rad, with 2 % of noise, after the search."""
    objective = objective_of(observe(pendulum, [2.6, 0.0], T, 0.02, names=NAMES), "sin", "exp")
    with jax.enable_x64(True):
        search_path(objective)
    return objective


@pytest.fixture(scope="module")
def prey(observe) -> PathObjective:
    """Predators and prey with 3 % of noise, after the search."""
    objective = objective_of(observe(predators, [3.0, 1.5], T, 0.03, names=NAMES), "sin")
    with jax.enable_x64(True):
        search_path(objective)
    return objective


def test_a_noisy_pendulum_is_found_from_its_states(swing):
    check(swing, ("y", "-0.2*y - 2*sin(x)"), 0.1)
    assert swing.settled
    assert swing.decided


def test_noisy_predators_and_prey_are_found_from_their_states(prey):
    check(prey, ("1.1*x - 0.4*x*y", "-0.8*y + 0.3*x*y"), 0.05)
    assert prey.decided


def test_polynomials_that_are_enough_leave_networks_untrained(prey):
    """Where nothing but noise is left, short equations are not compared with richer ones."""
    networks = [each for each in path_proposers(prey.search) if each.name == Networks.name]
    assert networks
    assert not any(each.could_win(prey) for each in networks)


def test_proposers_go_from_cheap_to_dear(prey, observe):
    named = [type(getattr(each, "inner", each)).__name__ for each in path_proposers(prey.search)]
    assert named.index("Elimination") < named.index("Calls") < named.index("Networks")
    alone = objective_of(observe(predators, [3.0, 1.5], T, 0.03, names=NAMES))
    assert not any(
        isinstance(getattr(each, "inner", None), Calls | Networks) for each in path_proposers(alone.search)
    )


def test_a_wrong_sum_of_monomials_is_left_in_one_step(observe):
    """No single term added, dropped or exchanged leads from one to the other."""
    objective = objective_of(observe(predators, [3.0, 1.5], T, 0.03, names=NAMES))
    with jax.enable_x64(True):
        wrong = [from_text(text, NAMES) for text in ("1 + y + y**2 + x**2 + x**3", "-y + x*y")]
        objective.best = wrong_fit = objective.joint.fit(regress(objective.joint, wrong), steps=40)
        assert wrong_fit is not None
        proposer = AlongPath(Polynomials((2,)))
        assert proposer.could_win(objective)
        for each, proposals in proposer.propose([objective]):
            each.consider(proposals, proposer.name)
    check(objective, ("1.1*x - 0.4*x*y", "-0.8*y + 0.3*x*y"), 0.05)
    assert objective.best.score < wrong_fit.score - 100.0


def test_along_the_path_nothing_is_asked_twice_or_without_a_path(prey, observe):
    calls = AlongPath(Calls(np.ones(2), precise=False))
    fresh = objective_of(observe(predators, [3.0, 1.5], T, 0.03, names=NAMES), "sin")
    assert not calls.could_win(fresh)
    prey_asked, prey.asked = prey.asked, {}
    assert calls.could_win(prey)
    prey.asked = {calls.inner: prey.structure}
    assert not calls.could_win(prey)
    prey.asked = prey_asked
    assert not AlongPath(Polynomials(), lambda objective: True).could_win(prey)


def test_what_is_not_promised_to_win_is_not_proposed(prey):
    """Beside the true equations no other form of an equation comes within reach, but themselves."""
    with jax.enable_x64(True):
        forms = AlongPath(Polynomials((2,)))._promising(prey, 0)
    assert len(forms) <= 2
    assert all(form.skeleton == prey.best.forms[0].skeleton for form in forms[:1])


def test_a_proposal_changes_one_equation_and_starts_from_the_path(prey):
    other = from_text("x + y", NAMES)
    (proposal,) = prey.with_other(1, [other])
    assert proposal.forms == (prey.best.forms[0], other)
    assert proposal.start is prey.best.path.x


def test_elimination_finds_a_start_where_nothing_is_known(observe):
    objective = objective_of(observe(predators, [3.0, 1.5], T, 0.03, names=NAMES))
    elimination = Elimination(2)
    assert elimination.could_win(objective)
    with jax.enable_x64(True):
        for each, proposals in elimination.propose([objective]):
            each.consider(proposals, elimination.name)
    check(objective, ("1.1*x - 0.4*x*y", "-0.8*y + 0.3*x*y"), 0.05)
    assert not Elimination(3).could_win(objective)
