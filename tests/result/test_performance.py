"""The score of equations on other measurements: R^2 by simulation or by derivatives, whatever is missing."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from sklearn.metrics import r2_score

from mathonet.data.trajectory import Trajectory
from mathonet.equation.equation import Equation, EquationSystem
from mathonet.equation.parse import from_text
from mathonet.errors import DataError
from mathonet.result.performance import score_system

T = np.linspace(0, 8, 128)


def system(*texts: str, names=("x", "y"), inputs=()) -> EquationSystem:
    every = (*names, *inputs)
    forms = [from_text(text, every) for text in texts]
    return EquationSystem(
        tuple(
            Equation(name, every, form, np.eye(max(len(form.terms), 1)), 1.0, 0.0)
            for name, form in zip(names, forms, strict=True)
        ),
        tuple(inputs),
    )


SPIRAL = system("-0.1*x + y", "-x - 0.1*y")


def spiral(t: np.ndarray, start: complex = 1.0) -> np.ndarray:
    """z' = (-0.1 - i) z with z = x + i y."""
    z = start * np.exp((-0.1 - 1j) * t)
    return np.stack([z.real, z.imag], axis=1)


def score(equations: EquationSystem, *trajectories: Trajectory, kind="trajectory", order=1) -> float:
    return score_system(equations, trajectories, kind, order, "gp")


def test_the_truth_scores_one():
    assert score(SPIRAL, Trajectory(T, spiral(T))) == pytest.approx(1.0, abs=1e-9)
    pair = Trajectory(T, spiral(T)), Trajectory(T + 5.0, spiral(T, 2 - 1j))
    assert score(SPIRAL, *pair) == pytest.approx(1.0, abs=1e-9)


def test_another_system_scores_as_its_simulation():
    other = system("y", "-x")
    found = score(other, Trajectory(T, spiral(T)))
    circle = np.stack([np.cos(T), -np.sin(T)], axis=1)
    assert found == pytest.approx(r2_score(spiral(T), circle, multioutput="variance_weighted"), abs=1e-6)
    assert 0 < found < 0.9


def test_missing_values_are_left_out_and_a_missing_start_is_smoothed():
    x = spiral(T)
    x[::3, 0] = np.nan
    x[5::7, 1] = np.nan
    assert np.isnan(x[0]).any()
    assert score(SPIRAL, Trajectory(T, x)) == pytest.approx(1.0, abs=1e-3)
    whole = spiral(T)
    whole[3, 1] = np.nan
    found = score(system("y", "-x"), Trajectory(T, whole))
    assert found == pytest.approx(score(system("y", "-x"), Trajectory(T, spiral(T))), abs=0.01)


def test_a_blow_up_scores_minus_infinity():
    assert score(system("x^2*y^2 + 9*x^3", "y"), Trajectory(T, spiral(T))) == -np.inf


def test_given_derivatives():
    x = spiral(T)
    slopes = np.stack([-0.1 * x[:, 0] + x[:, 1], -x[:, 0] - 0.1 * x[:, 1]], axis=1)
    given = Trajectory(T, x, x_dot=slopes)
    assert score(SPIRAL, given, kind="derivative") == pytest.approx(1.0, abs=1e-12)
    lame = score(system("y", "-x"), given, kind="derivative")
    wanted = r2_score(slopes, np.stack([x[:, 1], -x[:, 0]], axis=1), multioutput="variance_weighted")
    assert lame == pytest.approx(wanted, abs=1e-12)


def test_derivatives_of_smoothed_states():
    noisy = spiral(T) + 0.005 * np.random.default_rng(0).normal(size=(128, 2))
    assert score(SPIRAL, Trajectory(T, noisy), kind="derivative") > 0.99
    assert score(system("-y", "x"), Trajectory(T, noisy), kind="derivative") < -1


def test_derivatives_with_inputs_at_uneven_times():
    """Gaps are filled for smoothing: there the inputs must follow."""
    t = np.delete(T, slice(40, 48))
    drive = np.sin(2 * t)
    x = solve_ivp(
        lambda time, x: -0.5 * x + np.sin(2 * time), (0, 8), [1.0], t_eval=t, rtol=1e-10, atol=1e-12
    ).y.T
    driven = system("-0.5*x + u", names=("x",), inputs=("u",))
    given = Trajectory(t, x, u=drive, names=("x",), input_names=("u",))
    assert score(driven, given, kind="derivative") > 0.99
    assert score(driven, given) > 0.999


def test_second_order_from_positions():
    """x'' = -x: positions are simulated from the smoothed velocity, or accelerations compared."""
    oscillator = system("x_dot", "-x", names=("x", "x_dot"))
    given = Trajectory(T, np.cos(T), names=("x",))
    assert score(oscillator, given, order=2) == pytest.approx(1.0, abs=1e-4)
    assert score(oscillator, given, kind="derivative", order=2) > 0.99


@pytest.mark.parametrize("kind", ["trajectory", "derivative"])
def test_other_states_are_refused(kind):
    with pytest.raises(DataError, match=r"x has 1 states, but the equations are those of \['x', 'y'\]"):
        score(SPIRAL, Trajectory(T, np.cos(T)), kind=kind)


def test_derivatives_beside_second_order_are_refused():
    oscillator = system("x_dot", "-x", names=("x", "x_dot"))
    with pytest.raises(DataError, match="order"):
        score(oscillator, Trajectory(T, np.cos(T), x_dot=-np.sin(T)), kind="derivative", order=2)


def test_a_state_that_rests_does_not_count():
    """Its variance is zero, and so is its weight, missing values or not."""
    x = np.stack([spiral(T)[:, 0], np.ones(128)], axis=1)
    decaying = system("-0.1*x", "0*y")
    for missing in (0, 1):
        x[4 : 4 + missing, 0] = np.nan
        seen = np.isfinite(x[:, 0])
        wanted = r2_score(x[seen, 0], np.exp(-0.1 * T)[seen])
        assert score(decaying, Trajectory(T, x)) == pytest.approx(wanted, rel=1e-6)
