"""The systems of the recovery benchmarks, their clean solutions and their measurements."""

from itertools import permutations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from mathonet.equation.flow import evaluate
from mathonet.experiments.bench.recovery.cases import Case, Dynamics, cases
from mathonet.experiments.bench.recovery.known_systems import SCIENCES, odebench, own

ODEBENCH, OWN = odebench(), own()
RATIONAL = {14, 15, 18, 19, 20, 22, 42, 48, 53}
POLYNOMIAL = 37


def operations(system):
    return {call.operation.name for form in system.truth for call in form.calls()}


def skeleton(system):
    return tuple(form.skeleton for form in system.truth)


def skeletons(system):
    """Those of a system with its states in every order."""
    for order in permutations(range(len(system.states))):
        states, equations = (
            tuple(each[place] for place in order) for each in (system.states, system.equations)
        )
        yield skeleton(Dynamics(system.name, states, equations, system.starts, system.end))


def test_odebench_is_whole():
    assert [system.name for system in ODEBENCH] == [str(number) for number in range(1, 64)]
    assert sum(len(system.equations) for system in ODEBENCH) == 117
    assert [len(s.states) for s in ODEBENCH] == [1] * 23 + [2] * 28 + [3] * 10 + [4] * 2
    assert sum(not operations(system) for system in ODEBENCH) == POLYNOMIAL
    assert {int(s.name) for s in ODEBENCH if operations(s) == {"inv"}} == RATIONAL


def test_starts_belong_to_the_states():
    for system in (*ODEBENCH, *OWN):
        assert len(system.states) == len(system.equations) == len(set(system.states))
        assert all(len(start) == len(system.states) for start in system.starts)
        assert system.starts[0] != system.starts[1]


@pytest.mark.parametrize(
    ("number", "state", "slopes"),
    [
        # The logistic function is 1/2 at 0.48, and 3/4 where its argument is log 3.
        (4, [0.48 + 0.96 * np.log(3.0)], [0.25]),
        (10, [0.5], [-0.6 * 0.5 * 0.5**1.2]),
        (27, [3.0 / 1.62, 1.84 / 1.45], [0.0, 0.0]),
        (44, [0.0, -1.0], [-1.0, 1.67 + 0.64]),
        (55, [0.0, 1.0, 3.0], [10.0, -1.0, -8.0]),
    ],
)
def test_known_facts_of_some_systems(number, state, slopes):
    found = [evaluate(form, np.array([state]))[0] for form in ODEBENCH[number - 1].truth]
    np.testing.assert_allclose(found, slopes, atol=1e-12)


def test_clean_solutions_are_tight_even_in_chaos():
    system = ODEBENCH[55]
    found = system.trajectory(1, 150)
    f = [lambda x, form=form: evaluate(form, x[None])[0] for form in system.truth]
    other = solve_ivp(
        lambda t, x: [each(x) for each in f],
        (0.0, 4.0),
        system.starts[1],
        method="DOP853",
        rtol=1e-12,
        atol=1e-12,
        t_eval=found.t[found.t <= 4.0],
    )
    np.testing.assert_allclose(found.x[: other.y.shape[1]], other.y.T, atol=1e-7)
    np.testing.assert_allclose(found.x[-1], system.trajectory(1, 512).x[-1], atol=1e-4)


def test_noise_is_a_share_of_each_value_and_one_seed_one_noise():
    system = ODEBENCH[26]
    clean = system.trajectory(0, 512).x
    small, large = (Case(system, 512, sigma).data(3).x / clean - 1.0 for sigma in (0.01, 0.05))
    np.testing.assert_allclose(5.0 * small, large, atol=1e-12)
    assert np.std(large) == pytest.approx(0.05, rel=0.1)
    assert not np.allclose(large, Case(system, 512, 0.05).data(4).x / clean - 1.0)
    assert Case(system, 512, 0.05).data(3).x_dot is None


def test_points_are_dropped_and_no_more_than_asked():
    system = ODEBENCH[0]
    whole, half = Case(system, 151, 0.02).data(0), Case(system, 151, 0.02, 0.5).data(0)
    assert (len(whole), len(half)) == (151, 151 - 75)
    assert set(half.t) <= set(whole.t)
    assert set(half.t) != set(Case(system, 151, 0.02, 0.5).data(1).t)
    kept = np.isin(whole.t, half.t)
    np.testing.assert_array_equal(whole.x[kept], half.x)


def test_given_derivatives_are_exact():
    case = Case(ODEBENCH[32], 150, derivatives=True)
    data = case.data(0)
    expected = np.stack([evaluate(form, data.x) for form in case.dynamics.truth], axis=1)
    np.testing.assert_allclose(data.x_dot, expected, rtol=1e-10)


def test_the_box_is_a_quarter_wider_than_the_data():
    case = Case(ODEBENCH[53], 150)
    x, box = case.dynamics.trajectory(0, 150).x, case.box()
    ratio = np.ptp(box, axis=0) / np.ptp(x, axis=0)
    assert (ratio <= 1.25).all()
    assert (ratio > 1.2).all()


def test_cases_are_every_system_under_every_condition():
    made = cases(ODEBENCH[:2], (150, 512), (0.0, 0.05), (0.0, 0.5), False)
    assert len(made) == len(set(made)) == 16
    assert len({repr(case) for case in made}) == 16
    assert [case.name for case in made[:2]] == ["1", "2"]


@pytest.mark.parametrize(("held_out", "count", "calls"), [(False, 142, 8), (True, 33, 6)])
def test_own_systems_are_many_of_every_kind(held_out, count, calls):
    systems = [system for system in OWN if system.held_out == held_out]
    assert len(systems) == count
    assert {len(system.states) for system in systems} == {1, 2, 3, 4, 5}
    used = set().union(*map(operations, systems))
    assert len({"inv", "sin", "cos", "exp", "tanh", "log", "abs", "sqrt"} & used) >= calls
    sciences = [system.science for system in systems]
    assert sciences == sorted(sciences, key=SCIENCES.index)
    assert all(sciences.count(science) >= 4 for science in SCIENCES)


def test_no_own_system_has_the_form_of_another_or_of_one_of_odebench():
    known = {skeleton(system) for system in ODEBENCH}
    for system in OWN:
        assert not known & set(skeletons(system))
        known.add(skeleton(system))


@pytest.mark.parametrize("system", [each for each in OWN if each.held_out], ids=lambda system: system.name)
def test_systems_set_aside_move_on_in_every_state(system):
    data = system.trajectory(0, 150)
    spread, size = np.ptp(data.x, axis=0), np.abs(data.x).max(axis=0)
    assert (spread > 0.1 * size).all()
    assert ((size > 0.05) & (size < 150.0)).all()
    # Neither at rest from the start on, nor for most of the time after it.
    assert (np.ptp(data.x[15:], axis=0) > 0.1 * spread).all()


@pytest.mark.parametrize("system", OWN, ids=lambda system: system.name)
def test_own_systems_move_and_are_resolved(system):
    for start in (0, 1):
        data = system.trajectory(start, 150)
        spread = np.ptp(data.x, axis=0)
        assert np.isfinite(data.x).all()
        # Every state changes much beside its size, and no sample jumps over what happens.
        assert (spread > 0.03 * np.abs(data.x).max(axis=0)).all()
        assert (np.abs(np.diff(data.x, axis=0)).max(axis=0) < 0.35 * spread).all()
