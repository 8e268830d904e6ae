"""The integrator: accuracy that follows the tolerance, reversibility, inputs, one compilation."""

import numpy as np
import pytest
import sympy

from mathonet.equation.assembly import assemble, tape_operations
from mathonet.equation.parse import from_sympy
from mathonet.fit.integrate import Trajectories, _solve, integrate
from mathonet.operations import resolve

OPERATIONS = tape_operations(resolve(["ident", "sin"]))
TIMES = np.linspace(0.0, 10.0, 16)
NOTHING = np.zeros((len(TIMES), 0))
PENDULUM = ("y", "-4.9*sin(x)")
BACKWARDS = ("-y", "4.9*sin(x)")
CIRCLE = ("y", "-x")
START = np.array([1.5, 0.5])


def solve(sources, start=START, times=TIMES, u=NOTHING, inputs="", **tolerances) -> Trajectories:
    symbols = sympy.symbols(f"x y {inputs}".split())[: len(sources)] + sympy.symbols(inputs.split())
    tapes = tuple(
        assemble(from_sympy(sympy.sympify(source), symbols), len(symbols), OPERATIONS) for source in sources
    )
    return integrate(tapes, OPERATIONS, start, times, u, **tolerances)


def energy(x: np.ndarray) -> np.ndarray:
    return 0.5 * x[:, 1] ** 2 - 4.9 * np.cos(x[:, 0])


@pytest.mark.parametrize("tolerance", [1e-4, 1e-6, 1e-8, 1e-10])
def test_error_follows_the_tolerance(tolerance):
    """The end of the interval, where no interpolation adds an error of its own."""
    end = np.asarray(solve(CIRCLE, rtol=tolerance, atol=tolerance).x)[-1]
    turned = [[np.cos(10), np.sin(10)], [-np.sin(10), np.cos(10)]] @ START
    error = np.abs(end - turned).max()
    assert error < 100 * tolerance
    assert error > 1e-4 * tolerance or error < 1e-12


def test_smaller_tolerances_give_smaller_errors():
    turned = [[np.cos(10), np.sin(10)], [-np.sin(10), np.cos(10)]] @ START
    errors = [
        np.abs(np.asarray(solve(CIRCLE, rtol=tol, atol=tol).x)[-1] - turned).max()
        for tol in (1e-4, 1e-7, 1e-10)
    ]
    assert errors[0] > 10 * errors[1] > 100 * errors[2]


def test_energy_of_a_pendulum_is_kept():
    x = np.asarray(solve(PENDULUM).x)
    np.testing.assert_allclose(energy(x), energy(START[None])[0], rtol=1e-6)


def test_time_can_be_run_backwards():
    there = np.asarray(solve(PENDULUM).x)[-1]
    back = np.asarray(solve(BACKWARDS, start=there).x)[-1]
    np.testing.assert_allclose(back, START, rtol=1e-6)


def test_a_pendulum_is_the_same_in_a_mirror():
    x, mirrored = np.asarray(solve(PENDULUM).x), np.asarray(solve(PENDULUM, start=-START).x)
    np.testing.assert_allclose(mirrored, -x, rtol=1e-9, atol=1e-9)


def test_inputs_are_interpolated_linearly():
    u = np.stack([TIMES, np.where(TIMES < 5, 1.0, -1.0)], axis=1)
    found = solve(("u", "v"), start=np.zeros(2), u=u, inputs="u v")
    x = np.asarray(found.x)
    assert bool(found.good)
    np.testing.assert_allclose(x[:, 0], TIMES**2 / 2, atol=1e-6)
    trapezoid = np.concatenate([[0.0], np.cumsum((u[1:, 1] + u[:-1, 1]) / 2 * np.diff(TIMES))])
    np.testing.assert_allclose(x[:, 1], trapezoid, atol=1e-5)


def test_systems_with_as_many_states_share_one_compilation():
    solve(PENDULUM)
    before = _solve._cache_size()
    for sources in (CIRCLE, BACKWARDS, ("x*y - 2", "-0.1*x + y/3"), ("0*x - 1", "sin(x + y)")):
        assert np.isfinite(np.asarray(solve(sources, times=TIMES / 10).x)).all()
    solve(PENDULUM, start=-START, times=TIMES[:13], u=NOTHING[:13])
    solve(PENDULUM, rtol=1e-6, atol=1e-6)
    assert _solve._cache_size() == before


def test_padding_of_the_times_changes_nothing():
    np.testing.assert_allclose(
        np.asarray(solve(PENDULUM, times=TIMES[:11], u=NOTHING[:11]).x),
        np.asarray(solve(PENDULUM).x)[:11],
        rtol=1e-6,
        atol=1e-7,
    )


def test_blow_up_is_marked_and_what_was_reached_is_kept():
    found = solve(("x**2", "-y"), start=np.array([0.2, 1.0]))
    x = np.asarray(found.x)
    reached = np.isfinite(x).all(axis=1)
    assert not bool(found.good)
    assert bool(found.blown)
    assert reached.tolist() == (TIMES < 5.0).tolist()
    np.testing.assert_allclose(x[reached, 0], 0.2 / (1 - 0.2 * TIMES[reached]), rtol=1e-5)


def test_states_of_very_different_size_are_each_accurate():
    found = solve(("1000000000000*y", "-0.000000000001*x"), start=np.array([0.0, 1.0]))
    x = np.asarray(found.x)
    np.testing.assert_allclose(x[:, 0] / 1e12, np.sin(TIMES), atol=1e-6)
    np.testing.assert_allclose(x[:, 1], np.cos(TIMES), atol=1e-6)
