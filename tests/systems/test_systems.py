"""Systems: conserved quantities, exact derivatives, honest noise."""

import numpy as np
import pytest
import sympy
from scipy.integrate import solve_ivp

from mathonet import operations, systems
from mathonet.errors import ConfigError, DataError

ALL = systems.names()


@pytest.mark.parametrize("name", ALL)
def test_description_is_complete(name):
    system = systems.get(name)
    assert system.name == name
    assert len(system.states) == len(system.equations) == len(system.start)
    assert set().union(*(e.free_symbols for e in system.equations)) <= set(system.symbols)
    assert not any(e.has(sympy.Float) for e in system.equations)
    operations.resolve(system.operations)


@pytest.mark.parametrize("name", ALL)
def test_derivatives_equal_the_equations(name):
    system = systems.get(name)
    trajectory = system.simulate(samples=20)
    for row in (0, 7, 19):
        values = trajectory.x[row] if trajectory.u is None else [*trajectory.x[row], *trajectory.u[row]]
        point = dict(zip(system.symbols, map(sympy.Float, values), strict=True))
        expected = [float(e.subs(point)) for e in system.equations]
        np.testing.assert_allclose(trajectory.x_dot[row], expected, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("name", ALL)
def test_derivatives_integrate_to_the_states(name):
    system = systems.get(name)
    t = system.t_span[0] + np.linspace(0.0, 0.004, 5)
    trajectory = system.simulate(t=t)
    weights = np.array([7, 32, 12, 32, 7]) * (t[1] - t[0]) * 2 / 45
    step = trajectory.x[-1] - trajectory.x[0]
    np.testing.assert_allclose(weights @ trajectory.x_dot, step, rtol=1e-8, atol=1e-11)


@pytest.mark.parametrize("name", ALL)
def test_default_sampling(name):
    system = systems.get(name)
    trajectory = system.simulate()
    assert trajectory.x.shape == (system.samples, len(system.states))
    assert (trajectory.t[0], trajectory.t[-1]) == system.t_span
    assert trajectory.names == system.states
    np.testing.assert_array_equal(trajectory.x[0], system.start)


def test_lorenz_is_the_papers():
    x, y, z = sympy.symbols("x y z")
    expected = (10 * (y - x), x * (28 - z) - y, x * y - sympy.Rational(8, 3) * z)
    assert all(
        sympy.expand(a - b) == 0 for a, b in zip(systems.get("lorenz").equations, expected, strict=True)
    )


def test_lorenz_volume_shrinks_at_the_known_rate():
    system = systems.get("lorenz")
    divergence = sum(sympy.diff(e, s) for e, s in zip(system.equations, system.symbols, strict=True))
    assert sympy.simplify(divergence) == -sympy.Rational(41, 3)


def test_lotka_volterra_conserves_its_invariant():
    x, y = systems.get("lotka-volterra").simulate().x.T
    invariant = 0.8 * x - 1.8 * np.log(x) + 0.9 * y - 1.3 * np.log(y)
    np.testing.assert_allclose(invariant, invariant[0], rtol=1e-9)


def test_sir_conserves_the_population():
    trajectory = systems.get("sir").simulate()
    np.testing.assert_allclose(trajectory.x.sum(axis=1), 1.0, rtol=1e-12)
    np.testing.assert_allclose(trajectory.x_dot.sum(axis=1), 0.0, atol=1e-16)


def test_pendulum_loses_energy_by_damping_only():
    theta, omega = systems.get("pendulum").simulate().x.T
    energy = omega**2 / 2 - 4.9 * np.cos(theta)
    assert np.all(np.diff(energy) < 0)


def test_duffing_settles_in_a_well():
    x, y = systems.get("duffing").simulate(t_span=(0, 150), samples=50).x[-1]
    assert abs(x) == pytest.approx(1.0, abs=1e-6)
    assert y == pytest.approx(0.0, abs=1e-6)


def test_van_der_pol_forgets_its_start():
    system = systems.get("van-der-pol")
    sizes = [
        abs(system.simulate(start, t_span=(0, 60), samples=3000).x[-800:, 0]).max()
        for start in ([0.1, 0], [3, 3])
    ]
    assert sizes[0] == pytest.approx(sizes[1], rel=1e-3)
    assert sizes[0] == pytest.approx(2.015, abs=0.02)


def test_fitzhugh_nagumo_spikes_repeatedly():
    v = systems.get("fitzhugh-nagumo").simulate(t_span=(0, 200), samples=1000).x[:, 0]
    assert np.count_nonzero((v[:-1] < 1) & (v[1:] >= 1)) >= 3


def test_a_driven_pendulum_gains_what_its_input_does():
    system = systems.get("forced-pendulum")
    trajectory = system.simulate(samples=8001)
    (theta, omega), u = trajectory.x.T, trajectory.u[:, 0]
    np.testing.assert_allclose(u, 1.5 * np.sin(0.9 * trajectory.t) + np.sin(2.3 * trajectory.t), atol=1e-14)
    energy = omega**2 / 2 - 4.9 * np.cos(theta)
    work = np.trapezoid((u - 0.2 * omega) * omega, trajectory.t)
    assert trajectory.input_names == ("u",)
    assert energy[-1] - energy[0] == pytest.approx(work, abs=1e-5)


def test_a_falling_body_reaches_its_final_velocity_from_both_sides():
    system = systems.get("falling-body")
    for v in (-1.0, -18.0):
        end = system.simulate([0.0, v], t_span=(0, 12), samples=10)
        assert end.u is None
        assert end.x[-1, 1] == pytest.approx(-np.sqrt(98.1), rel=1e-8)


def test_noise_has_the_stated_size_and_leaves_derivatives_alone():
    system = systems.get("lorenz")
    clean, noisy = system.simulate(samples=5000), system.simulate(samples=5000, noise=0.05)
    share = np.std(noisy.x - clean.x, axis=0) / np.sqrt(np.mean(clean.x**2, axis=0))
    np.testing.assert_allclose(share, 0.05, rtol=0.05)
    np.testing.assert_array_equal(noisy.x_dot, clean.x_dot)


def test_derivative_noise_has_the_stated_size_and_its_own_stream():
    system = systems.get("lorenz")
    clean, noisy = system.simulate(samples=5000), system.simulate(samples=5000, derivative_noise=0.1)
    share = np.std(noisy.x_dot - clean.x_dot, axis=0) / np.std(clean.x_dot, axis=0)
    np.testing.assert_allclose(share, 0.1, rtol=0.05)
    np.testing.assert_array_equal(noisy.x, clean.x)
    both = system.simulate(samples=5000, noise=0.05, derivative_noise=0.1)
    np.testing.assert_array_equal(both.x_dot, noisy.x_dot)
    correlation = np.corrcoef((both.x - clean.x)[:, 0], (both.x_dot - clean.x_dot)[:, 0])[0, 1]
    assert abs(correlation) < 0.06


def test_seeds_reproduce_and_differ():
    system = systems.get("lotka-volterra")
    first, again, other = (system.simulate(noise=0.1, seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.x, again.x)
    assert not np.array_equal(first.x, other.x)


@pytest.mark.parametrize("name", ["Lotka_Volterra", "lotka volterra", " LOTKA-VOLTERRA "])
def test_names_are_forgiving(name):
    assert systems.get(name).name == "lotka-volterra"


def test_misspelt_name_gets_a_suggestion():
    with pytest.raises(ConfigError, match=r"Did you mean 'lorenz'\?.*Known systems: lorenz, "):
        systems.get("lorentz")


def test_all_systems_are_the_named_ones():
    assert tuple(system.name for system in systems.all_systems()) == ALL


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"start": [1.0]}, "needs 3 finite numbers"),
        ({"start": [1.0, np.nan, 2.0]}, "needs 3 finite numbers"),
        ({"t": [0.0, 1.0], "samples": 3}, "not both"),
        ({"t": [1.0, 0.0]}, "increasing"),
        ({"samples": 1}, "at least two"),
        ({"noise": -0.1}, "noise must be a share"),
        ({"derivative_noise": np.nan}, "derivative_noise must be a share"),
    ],
)
def test_unusable_arguments_are_refused(options, message):
    with pytest.raises(ConfigError, match=message):
        systems.get("lorenz").simulate(**options)


def test_a_blow_up_is_an_error_not_a_hang():
    with pytest.raises(DataError, match="stopped before t = 30"):
        systems.get("lotka-volterra").simulate(start=[1.0, -1.0])


@pytest.mark.parametrize("name", ALL)
def test_states_agree_with_another_integrator(name):
    system = systems.get(name)
    found = system.simulate(t=system.t_span[0] + np.linspace(0.0, 1.0, 11))
    times, start = (found.t[0], found.t[-1]), np.array(system.start)
    other = solve_ivp(system.rhs(), times, start, "DOP853", found.t, rtol=1e-13, atol=1e-15)
    np.testing.assert_allclose(found.x, other.y.T, rtol=1e-10, atol=1e-10)
