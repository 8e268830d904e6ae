"""Steadiness: of tied systems the one that follows the data from its rivals' starts as well."""

import numpy as np
import pytest

from mathonet.data.trajectory import Trajectory
from mathonet.equation.expression import Expression
from mathonet.equation.parse import from_text
from mathonet.fit.path import RK4
from mathonet.fit.shooting import Shot
from mathonet.interruption import StoppedError, Watch, watched
from mathonet.operations import resolve
from mathonet.search import effort
from mathonet.search.fit import Fit
from mathonet.search.front import Front
from mathonet.search.measurements.measured import measure
from mathonet.search.measurements.route import route
from mathonet.search.path import steadiness
from mathonet.search.path.fit import PathFit
from mathonet.search.path.steadiness import steadiest

T = np.linspace(0.0, 4.0, 60)
STEADY = ("-x", "-y")
# The same where x = y, which is all that the data show; any other start is left exponentially.
UNSTEADY = ("-x", "3*y - 4*x")
EXPLOSIVE = ("-x", "9*y - 10*x + 30*y**3 - 90*x*y**2 + 90*x**2*y - 30*x**3")


def decay(start: float = 1.0, noise: float = 0.02, seed: int = 0, **parts) -> Trajectory:
    """Two states that decay alike."""
    x = start * np.exp(-T)[:, None] * np.ones(2)
    x = x + noise * np.random.default_rng(seed).normal(size=x.shape)
    return Trajectory(T, x, names=("x", "y"), **parts)


def joint_of(*trajectories: Trajectory, order: int = 1) -> PathFit:
    """What fits systems on trajectories, in their units."""
    measured = measure(trajectories, order)
    states, inputs = len(measured.states), len(measured.input_names)
    path, _ = route(measured, np.ones(inputs), (RK4, 2))
    return PathFit(
        path,
        measured.x,
        inputs,
        resolve(["ident"]),
        np.ones(states),
        (Expression(),) * states,
        measured.searched,
        measured.inputs,
        measured.x_dot,
        measured.x_dot_std,
        measured.x_std,
        clean=measured.clean,
    )


def enter(joint: PathFit, forms: tuple[str, ...], score: float, off: float = 0.0) -> Fit:
    """A system with the constants that it has, whose path begins at x = y or so far off it."""
    names = ("x", "y", "push")[: joint.inputs]
    flow = joint.flow([from_text(form, names) for form in forms])
    line = joint.smoothed.mean(axis=1)
    shot = Shot(flow.constants, np.stack([line + off, line - off], axis=1), 0.0, 0.0, np.eye(1), np.zeros(1))
    forms = tuple(flow.forms)
    fit = Fit(forms, forms, flow.constants, 0.0, np.eye(1), score, 1.0, shot=shot)
    joint.front.keep(fit)
    return fit


@pytest.mark.parametrize("rival", [UNSTEADY, EXPLOSIVE], ids=["leaves", "blows up"])
@pytest.mark.parametrize("starts", [(1.0,), (1.0, 0.5, -2.0)], ids=["one trajectory", "several"])
def test_a_system_that_leaves_the_data_from_its_rivals_start_is_passed_over(rival, starts):
    joint = joint_of(*(decay(start, seed=seed) for seed, start in enumerate(starts)))
    best, steady = enter(joint, rival, 100.0), enter(joint, STEADY, 101.0, 0.01)
    assert steadiest(joint, best) is steady
    assert steadiest(joint, steady) is steady


def test_a_system_that_is_as_steady_stays():
    joint = joint_of(decay())
    best = enter(joint, STEADY, 100.0)
    enter(joint, ("-x", "-0.5*x - 0.5*y"), 100.1)
    assert steadiest(joint, best) is best


def test_only_systems_that_are_tied_are_compared():
    joint = joint_of(decay())
    best = enter(joint, EXPLOSIVE, 100.0)
    enter(joint, STEADY, 100.0 + effort.HOPELESS + 0.1, 0.01)
    assert steadiest(joint, best) is best


def test_the_farther_behind_the_steadier_it_must_be():
    """A rival that follows a little more of the data is preferred where it is hardly behind."""
    joint, slow = joint_of(decay()), ("-0.62*x - 1e-9*x**2", "-0.62*y")
    best, rival = enter(joint, slow, 100.0), enter(joint, STEADY, 100.0)
    own, other = (steadiness._followed(joint, fit, [best, rival]) for fit in (best, rival))
    latest = (other - own - effort.CLEARLY_STEADIER) / effort.STEADIER_PER_SCORE
    assert latest > 0
    for behind, wins in ((0.5 * latest, True), (1.5 * latest, False)):
        joint.front = Front()
        best, rival = enter(joint, slow, 100.0), enter(joint, STEADY, 100.0 + behind)
        assert (steadiest(joint, best) is rival) == wins


def test_a_system_follows_all_of_the_data_or_nothing():
    joint = joint_of(decay())
    fit = enter(joint, STEADY, 100.0)
    assert steadiness._followed(joint, fit, [fit]) == pytest.approx(1.0, abs=0.03)
    gone = enter(joint, ("x", "y"), 100.0)
    assert steadiness._followed(joint, gone, [gone]) == 0.0
    nowhere = enter(joint, ("-x", "-y + 9*y**9 + 9e99*x**9*y**9"), 100.0)
    assert steadiness._followed(joint, nowhere, [nowhere]) == 0.0


def test_missing_values_do_not_count():
    x = decay().x.copy()
    x[10:30, 0] = np.nan
    x[0, 1] = np.nan
    joint = joint_of(Trajectory(T, x, names=("x", "y")))
    fit = enter(joint, STEADY, 100.0)
    assert steadiness._followed(joint, fit, [fit]) == pytest.approx(1.0, abs=0.05)


def test_inputs_push_every_start():
    """x' = push - x, and y alike, with push = cos t: half of (cos t + sin t) in the end."""
    push = np.cos(T)
    x = (0.5 * (np.cos(T) + np.sin(T)))[:, None] * np.ones(2)
    x = x + 0.02 * np.random.default_rng(0).normal(size=x.shape)
    joint = joint_of(Trajectory(T, x, u=push, names=("x", "y"), input_names=("push",)))
    fit = enter(joint, ("push - x", "push - y"), 100.0)
    assert steadiness._followed(joint, fit, [fit]) == pytest.approx(1.0, abs=0.03)


def test_clean_states_and_hidden_ones_leave_the_choice_to_the_score():
    for joint in (
        joint_of(decay(noise=0.0)),
        joint_of(Trajectory(T, decay().x[:, 0], names=("x",)), order=2),
    ):
        assert joint.clean or joint.hidden
        best = enter(joint, EXPLOSIVE, 100.0)
        enter(joint, STEADY, 100.0, 0.01)
        assert steadiest(joint, best) is best


def test_a_long_path_is_followed_for_a_part_of_it(monkeypatch):
    joint = joint_of(*(decay(seed=seed) for seed in range(4)))
    steps, taken = steadiness.step_from, []
    monkeypatch.setattr(steadiness, "step_from", lambda *given: taken.append(given[3]) or steps(*given))
    monkeypatch.setattr(effort, "SEARCH_NODES", 150)
    fit = enter(joint, STEADY, 100.0)
    assert steadiness._followed(joint, fit, [fit]) == pytest.approx(1.0, abs=0.03)
    assert taken == [node for node in range(149) if node not in (59, 119)]


def test_the_search_may_be_ended_meanwhile():
    joint = joint_of(decay())
    best = enter(joint, UNSTEADY, 100.0)
    enter(joint, STEADY, 100.0, 0.01)
    watch = Watch()
    watch.stop("enough")
    with watched(watch), pytest.raises(StoppedError):
        steadiest(joint, best)
