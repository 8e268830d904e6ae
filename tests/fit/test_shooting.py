"""Shooting: exact steps and slopes, honest covariances, no way for a bad field to hang or spread."""

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm
from scipy.optimize import least_squares
from scipy.signal import savgol_filter

from mathonet.fit import shooting
from mathonet.fit.path import ANNEAL, RK4, RK8, Path, stage_times, step_error
from mathonet.fit.shooting import shoot


class Linear:
    """x' = A x, the constants being the entries of A."""

    def __init__(self, states: int = 2) -> None:
        self.states = states
        self.places = [slice(states * state, states * (state + 1)) for state in range(states)]

    def values(self, rows, constants):
        return rows @ constants.reshape(self.states, self.states).T

    def __call__(self, rows, constants):
        matrix = constants.reshape(self.states, self.states)
        by_constant = np.einsum("ij,ka->kija", np.eye(self.states), rows)
        by_constant = by_constant.reshape(len(rows), self.states, -1)
        return rows @ matrix.T, np.broadcast_to(matrix, (len(rows), *matrix.shape)), by_constant


class Lorenz:
    """The Lorenz system with its three constants."""

    places = (slice(0, 1), slice(1, 2), slice(2, 3))

    def values(self, rows, constants):
        (x, y, z), (s, r, b) = rows.T, constants
        return np.stack([s * (y - x), x * (r - z) - y, x * y - b * z], axis=1)

    def __call__(self, rows, constants):
        (x, y, z), (s, r, b) = rows.T, constants
        one, none = np.ones_like(x), np.zeros_like(x)
        by_input = np.array([[-s * one, s * one, none], [r - z, -one, -x], [y, x, -b * one]])
        by_constant = np.array([[y - x, none, none], [none, x, none], [none, none, -z]])
        return self.values(rows, constants), by_input.transpose(2, 0, 1), by_constant.transpose(2, 0, 1)


class Driven:
    """x' = c u x with an input u(t), which ends at exp(c sin t) for u = cos t; state second, input first."""

    places = (slice(0, 1),)

    def values(self, rows, constants):
        return constants[0] * rows[:, :1] * rows[:, 1:]

    def __call__(self, rows, constants):
        by_input = constants[0] * rows[:, ::-1][:, None, :]
        return self.values(rows, constants), by_input, (rows[:, :1] * rows[:, 1:])[:, :, None]


class Counted:
    """A field that counts how often it is asked, and for how many rows."""

    def __init__(self, field) -> None:
        self.field, self.calls, self.rows, self.slopes = field, 0, 0, 0
        self.places = field.places

    def values(self, rows, constants):
        self.calls, self.rows = self.calls + 1, self.rows + len(rows)
        return self.field.values(rows, constants)

    def __call__(self, rows, constants):
        self.calls, self.rows, self.slopes = self.calls + 1, self.rows + len(rows), self.slopes + 1
        return self.field(rows, constants)


def make_path(t, y, sigma, method=RK4, substeps=1, weights=None, drive=None) -> Path:
    """The path of one trajectory; without weights, every value has noise sigma."""
    sigma = np.broadcast_to(np.asarray(sigma, float), y.shape[1:])
    others = np.zeros((len(t) - 1, len(method[1]) * substeps, 0)) if drive is None else drive
    return Path(
        y,
        np.broadcast_to(1.0 / sigma, y.shape) if weights is None else weights,
        sigma,
        np.diff(t),
        np.ones(len(t) - 1),
        others,
        np.arange(y.shape[1]) + others.shape[2],
        method,
        substeps,
    )


MATRIX = np.array([[-0.3, 1.2], [-1.0, -0.1]])
TRUE = MATRIX.ravel()


def spiral(t, start=(1.0, 0.5)) -> np.ndarray:
    return expm(MATRIX * (t - t[0])[:, None, None]) @ np.asarray(start)


@pytest.fixture(scope="module")
def tiny():
    """Six noisy nodes of the spiral, and a start away from the optimum."""
    rng = np.random.default_rng(2)
    t = np.array([0.0, 0.3, 0.5, 0.9, 1.4, 1.6])
    path = make_path(t, spiral(t) + 0.05 * rng.normal(size=(6, 2)), (0.05, 0.08))
    return path, path.y + 0.02 * rng.normal(size=(6, 2)), TRUE + 0.1 * rng.normal(size=4)


@pytest.mark.parametrize(("method", "order", "h"), [(RK4, 4, 0.2), (RK8, 8, 0.8)], ids=["RK4", "RK8"])
@pytest.mark.parametrize("substeps", [1, 2])
def test_steps_have_the_order_of_their_method(method, order, h, substeps):
    """With the exact states as path, chi2 is the squared error of single steps; an input varies in them."""

    def error(h: float) -> float:
        t = np.arange(9) * h
        at = t[:-1, None] + h * stage_times(method, substeps)
        exact = np.exp(np.sin(t))[:, None]
        path = make_path(t, exact, 1.0, method, substeps, drive=np.cos(at)[:, :, None])
        shot = shoot(Driven(), np.ones(1), path, exact, (1.0,), steps=0)
        assert shot is not None
        return np.sqrt(shot.chi2)

    # The error of one step is of one order higher.
    assert np.log2(error(h) / error(h / 2)) == pytest.approx(order + 1, abs=0.6)


def test_several_steps_an_interval_are_finer():
    t = np.arange(9) * 0.4
    paths = [make_path(t, spiral(t), 1e-3, substeps=n) for n in (1, 2, 4, 8)]
    coarse, fine = (step_error(Linear(), TRUE, paths[k], paths[-1], spiral(t)) for k in (0, 1))
    assert coarse / fine == pytest.approx(2**4, rel=0.15)
    assert step_error(Linear(), TRUE, paths[0], paths[0], spiral(t)) == 0.0
    assert step_error(Linear(), np.full(4, np.nan), paths[0], paths[1], spiral(t)) == np.inf


def test_stage_times_are_shares_of_the_interval():
    np.testing.assert_allclose(stage_times(RK4, 2), [0, 0.25, 0.25, 0.5, 0.5, 0.75, 0.75, 1])
    assert len(stage_times(RK8, 3)) == 3 * len(RK8[1])
    assert (stage_times(RK8, 3) >= 0).all()
    assert stage_times(RK8, 3).max() == 1.0


def residuals(path: Path, q: float, field, unknown: np.ndarray, constants: int) -> np.ndarray:
    """All residuals of one trajectory, by steps that share nothing with the package (RK4 written out)."""
    c, x = unknown[:constants], unknown[constants:].reshape(path.y.shape)
    at, h = x[:-1], path.h[:, None] / path.substeps
    for _ in range(path.substeps):
        a = field.values(at, c)
        b = field.values(at + h / 2 * a, c)
        d = field.values(at + h / 2 * b, c)
        at = at + h / 6 * (a + 2 * b + 2 * d + field.values(at + h * d, c))
    joints = (at - x[1:]) * path.joined[:, None] / (q * path.scale)
    return np.concatenate([joints.ravel(), (path.weights * (x - path.y)).ravel()])


def slopes(function, at: np.ndarray) -> np.ndarray:
    """Central differences."""
    step = 1e-6
    return np.stack(
        [(function(at + step * e) - function(at - step * e)) / (2 * step) for e in np.eye(len(at))], axis=1
    )


@pytest.mark.parametrize("q", [1.0, 1e-2])
@pytest.mark.parametrize("substeps", [1, 3])
def test_information_and_gradient_are_those_of_the_dense_problem(tiny, q, substeps):
    """At any point: the Schur complement of the dense normal equations, slopes by differences."""
    path, x, constants = tiny
    path = replace(path, substeps=substeps)
    shot = shoot(Linear(), constants, replace(path, drive=np.zeros((5, 4 * substeps, 0))), x, (q,), steps=0)
    assert shot is not None
    np.testing.assert_array_equal(shot.constants, constants)
    np.testing.assert_array_equal(shot.x, x)

    def function(unknown):
        return residuals(path, q, Linear(), unknown, 4)

    at = np.concatenate([constants, x.ravel()])
    left = function(at)
    jacobian = slopes(function, at)
    own, free = jacobian[:, :4], jacobian[:, 4:]
    inside = np.linalg.solve(free.T @ free, free.T @ np.column_stack([own, left]))
    reduced = own.T @ np.column_stack([own, left]) - (own.T @ free) @ inside
    assert shot.chi2 == pytest.approx(left @ left, rel=1e-12)
    np.testing.assert_allclose(shot.information, reduced[:, :4], rtol=1e-4)
    np.testing.assert_allclose(shot.gradient, reduced[:, 4], rtol=1e-4)


def test_the_fit_is_that_of_a_dense_least_squares(tiny):
    path, x, constants = tiny
    shot = shoot(Linear(), constants, path, x, (1.0, 0.1))
    assert shot is not None
    dense = least_squares(
        lambda unknown: residuals(path, 0.1, Linear(), unknown, 4),
        np.concatenate([constants, x.ravel()]),
        xtol=1e-14,
        ftol=1e-14,
        gtol=1e-14,
    )
    assert shot.chi2 == pytest.approx(2 * dense.cost, rel=1e-6)
    assert shot.data == pytest.approx(np.sum((path.weights * (shot.x - path.y)) ** 2))
    # The fit ends where a step gains 1e-3 in chi2: within 0.04 deviations.
    deviation = np.sqrt(np.diagonal(np.linalg.inv(shot.information)))
    assert np.max(np.abs(shot.constants - dense.x[:4]) / deviation) < 0.04


def profile(path: Path, x: np.ndarray, constants: np.ndarray):
    """The best path for fixed constants."""
    shot = shoot(Linear(), constants, path, x, (0.1,), active=np.arange(0))
    assert shot is not None
    np.testing.assert_array_equal(shot.constants, constants)
    return shot


def test_the_gradient_is_that_of_the_best_path(tiny):
    """Path left free: chi2 / 2 of the best path, as a function of the constants, has this slope."""
    path, x, constants = tiny
    by_differences = slopes(lambda c: np.array([profile(path, x, c).chi2 / 2]), constants)[0]
    np.testing.assert_allclose(profile(path, x, constants).gradient, by_differences, rtol=1e-4)


def test_only_active_constants_are_fitted(tiny):
    path, x, constants = tiny
    shot = shoot(Linear(), constants, path, x, (1.0, 0.1), active=np.array([1, 2]))
    assert shot is not None
    np.testing.assert_array_equal(shot.constants[[0, 3]], constants[[0, 3]])
    assert (shot.constants[[1, 2]] != constants[[1, 2]]).all()
    deviation = 1 / np.sqrt(np.diagonal(shot.information))
    assert np.max(np.abs(shot.gradient * deviation)[[1, 2]]) < 0.1
    assert np.min(np.abs(shot.gradient * deviation)[[0, 3]]) > 0.1


def test_what_was_not_measured_does_not_count(tiny):
    path, x, constants = tiny
    missing = np.zeros(path.y.shape, bool)
    missing[1, 0] = missing[3] = missing[5, 1] = True
    weights = np.where(missing, 0.0, path.weights)
    shots = []
    for filler in (0.0, -1e3):
        other = replace(path, y=np.where(missing, filler, path.y), weights=weights)
        assert other.count == path.count - missing.sum()
        shots.append(shoot(Linear(), constants, other, x))
    np.testing.assert_array_equal(shots[0].constants, shots[1].constants)
    assert shots[0].chi2 == shots[1].chi2
    whole = shoot(Linear(), constants, path, x)
    assert whole is not None
    assert whole.chi2 > shots[0].chi2
    assert np.linalg.det(whole.information) > np.linalg.det(shots[0].information)


def test_a_state_that_was_never_measured_is_found():
    """A velocity from positions alone: x' = v, v' = -1.5 x - 0.2 v."""

    class Oscillator:
        places = (slice(0, 0), slice(0, 2))

        def values(self, rows, constants):
            return np.stack([rows[:, 1], rows @ constants], axis=1)

        def __call__(self, rows, constants):
            by_constant = np.stack([np.zeros_like(rows), rows], axis=1)
            by_input = np.broadcast_to([[0.0, 1.0], constants], (len(rows), 2, 2))
            return self.values(rows, constants), by_input, by_constant

    t = np.linspace(0, 8, 60)
    wanted = np.array([-1.5, -0.2])
    exact = solve_ivp(lambda _, x: [x[1], wanted @ x], (0, 8), [1, 0], t_eval=t, rtol=1e-9, atol=1e-9).y.T
    weights = np.tile([1e3, 0.0], (60, 1))
    path = make_path(t, exact * [1, 0], (1e-3, 1e-2), weights=weights, substeps=2)
    start = np.stack([exact[:, 0], np.gradient(exact[:, 0], t)], axis=1)
    shot = shoot(Oscillator(), np.array([-1.0, 0.0]), path, start)
    assert shot is not None
    np.testing.assert_allclose(shot.constants, wanted, atol=1e-4)
    np.testing.assert_allclose(shot.x[:, 1], exact[:, 1], atol=1e-3)


def joined(first: Path, second: Path) -> Path:
    """Two trajectories one after the other; the time between them must not matter."""
    return replace(
        first,
        y=np.concatenate([first.y, second.y]),
        weights=np.concatenate([first.weights, second.weights]),
        h=np.concatenate([first.h, [123.0], second.h]),
        joined=np.concatenate([first.joined, [0.0], second.joined]),
        drive=np.zeros((len(first.h) + len(second.h) + 1, 4, 0)),
    )


def test_nothing_is_carried_from_one_trajectory_to_the_next(tiny):
    """The sums of two trajectories are those of each alone, however far apart they are."""
    path, x, constants = tiny
    t = np.array([5.0, 5.2, 5.9, 6.3])
    other = make_path(t, spiral(t, (-2.0, 7.0)), path.scale)
    both = joined(path, other)
    shots = [
        shoot(Linear(), constants, each, start, (0.1,), steps=0)
        for each, start in ((path, x), (other, other.y + 0.01), (both, np.concatenate([x, other.y + 0.01])))
    ]
    for name in ("chi2", "data", "information", "gradient"):
        one, two, sum_of = (getattr(each, name) for each in shots)
        np.testing.assert_allclose(one + two, sum_of, rtol=1e-12)


def test_two_short_trajectories_are_fitted_by_one_set_of_constants():
    t = np.linspace(0, 1.5, 12)
    paths = [make_path(t, spiral(t, start), 1e-3) for start in ((1.0, 0.0), (0.0, -3.0))]
    both = joined(*paths)
    shot = shoot(Linear(), np.zeros(4), both, both.y)
    assert shot is not None
    np.testing.assert_allclose(shot.constants, TRUE, atol=1e-4)


def test_chaos_is_followed():
    """Lorenz, 5 % noise, 8 time units (some 7 doublings of an error): chi2 as noise alone would leave it."""
    t = np.arange(400) * 0.02
    wanted = np.array([10.0, 28.0, 8 / 3])
    exact = solve_ivp(
        lambda _, x: Lorenz().values(x[None], wanted)[0], (0, 8), [-8, 7, 27], t_eval=t, rtol=1e-9
    ).y.T
    sigma = 0.05 * np.sqrt(np.mean(exact**2, axis=0))
    y = exact + sigma * np.random.default_rng(0).normal(size=exact.shape)
    smoothed = np.asarray(savgol_filter(y, 11, 3, axis=0))
    shot = shoot(Lorenz(), np.array([8.0, 24.0, 2.2]), make_path(t, y, sigma, substeps=2), smoothed)
    assert shot is not None
    # 1200 values: the deviation of chi2 / count is 0.04.
    assert shot.chi2 / y.size == pytest.approx(1.0, abs=0.12)
    assert shot.chi2 - shot.data < 0.01 * shot.chi2
    deviation = np.sqrt(np.diagonal(np.linalg.inv(shot.information)))
    assert np.max(np.abs(shot.constants - wanted) / deviation) < 4.0
    np.testing.assert_allclose(shot.constants, wanted, rtol=0.01)


def test_covariances_are_calibrated():
    """Over noise draws, errors in units of their deviations have a root mean square of one."""
    t = np.linspace(0, 6, 40)
    exact, sigma = spiral(t), np.array([0.03, 0.05])
    rng = np.random.default_rng(5)
    whitened, left = [], []
    for _ in range(60):
        path = make_path(t, exact + sigma * rng.normal(size=exact.shape), sigma)
        shot = shoot(Linear(), TRUE, path, exact)
        assert shot is not None
        whitened.append(np.linalg.cholesky(shot.information).T @ (shot.constants - TRUE))
        left.append(shot.chi2)
    assert np.sqrt(np.mean(np.square(whitened))) == pytest.approx(1.0, abs=0.15)
    # 4 constants and 2 states of the start are fitted.
    assert np.mean(left) == pytest.approx(80 - 6, rel=0.1)


class Broken(Linear):
    """Linear, but for some place where it is not finite."""

    def __init__(self, where: str) -> None:
        super().__init__()
        self.where = where

    def values(self, rows, constants):
        value = super().values(rows, constants)
        if self.where == "blow-up":
            return np.exp(300.0 * rows**2) * 1e200
        return (
            np.full_like(value, np.nan if self.where == "nan" else np.inf)
            if self.where != "slopes"
            else value
        )

    def __call__(self, rows, constants):
        _, by_input, by_constant = super().__call__(rows, constants)
        return (
            self.values(rows, constants),
            by_input,
            by_constant * (np.nan if self.where == "slopes" else 1.0),
        )


@pytest.mark.parametrize("where", ["nan", "inf", "blow-up", "slopes"])
def test_a_field_that_is_not_finite_gives_none_at_once(tiny, where):
    path, x, constants = tiny
    field = Counted(Broken(where))
    with np.errstate(all="ignore"):
        assert shoot(field, constants, path, x) is None
    assert field.calls <= 8


def test_a_field_that_is_finite_only_near_the_start_costs_its_budget_at_most(tiny):
    """Steps that leave the region are refused; the fit ends, finite, by its number of steps."""
    path, x, constants = tiny

    class Narrow(Linear):
        def values(self, rows, c):
            return np.where(np.abs(c - constants).max() < 1e-3, 1.0, np.nan) * super().values(rows, c)

    field = Counted(Narrow())
    shot = shoot(field, constants, path, x)
    assert shot is not None
    assert np.isfinite(shot.chi2)
    assert np.abs(shot.constants - constants).max() < 1e-3
    # Four stages for a trial and once for its slopes, in steps // 4 steps of three q and all of the last.
    assert field.calls <= 5 * (3 * 6 + 25) + 5 * len(ANNEAL)


def test_a_constant_without_effect_stays_where_it_is(tiny):
    path, x, constants = tiny

    class Idle(Linear):
        def values(self, rows, c):
            return super().values(rows, c[:4])

        def __call__(self, rows, c):
            value, by_input, by_constant = super().__call__(rows, c[:4])
            return value, by_input, np.pad(by_constant, [(0, 0), (0, 0), (0, 1)])

    shot, wanted = (
        shoot(field, start, path, x)
        for field, start in ((Idle(), np.append(constants, 3.0)), (Linear(), constants))
    )
    assert shot is not None
    assert wanted is not None
    assert shot.constants[4] == 3.0
    np.testing.assert_allclose(shot.constants[:4], wanted.constants, rtol=1e-6)
    assert (shot.information[4] == 0).all()


def test_the_cost_of_a_step_is_linear_in_the_number_of_nodes(monkeypatch):
    """Counted, not timed: as many calls of the field however long the path; a band as wide as two nodes."""
    bands = []
    factorise = shooting.cholesky_banded
    monkeypatch.setattr(shooting, "cholesky_banded", lambda band: bands.append(band.shape) or factorise(band))
    rows = []
    for nodes in (50, 200):
        t = np.linspace(0, 0.05 * nodes, nodes)
        field = Counted(Linear())
        y = spiral(t) + 0.02 * np.random.default_rng(0).normal(size=(nodes, 2))
        assert shoot(field, TRUE, make_path(t, y, 0.02), y) is not None
        assert field.calls < 5 * (3 * 6 + 25)
        # One stage of all nodes at a time, and all four for the slopes.
        assert field.rows == (field.calls + 3 * field.slopes) * (nodes - 1)
        assert bands[-1] == (4, 2 * nodes)
        rows.append(field.rows)
    assert rows[1] < 2 * 4 * rows[0]


def test_a_long_path_takes_little_memory():
    """Nothing of size nodes times nodes: 20,000 nodes would be 3 GB."""
    t = np.arange(20_000) * 0.01
    y = np.stack([np.sin(t), np.cos(t)], axis=1)
    path = make_path(t, y, 1e-3)
    tracemalloc.start()
    shot = shoot(Linear(), np.array([0.0, 1.0, -1.0, 0.0]), path, y, ANNEAL[-1:], steps=1)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert shot is not None
    assert peak < 200 * y.nbytes
