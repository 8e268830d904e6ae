"""From measured states alone to equations: small cases of everything a measurement can be."""

from dataclasses import replace

import jax
import numpy as np
import pandas as pd
import pytest
from scipy.integrate import solve_ivp

from mathonet import Discoverer, systems
from mathonet.data.trajectory import Trajectory
from mathonet.equation.parse import from_text
from mathonet.errors import ConfigError, DataError
from mathonet.experiments.truth import truths
from mathonet.result.discovery import Discovery
from mathonet.result.states import discover_states
from mathonet.search.config import Settings

# All cases have so many rows that their searches share few compiled shapes.
T = np.linspace(0, 12, 150)
SMALL = Settings(hidden=(1,), operations=("ident",), restarts=4, cycles=8)
"""One small network: what is under test is the choice on the path, not the search."""
PREY = {("x", "x"): 1.0, ("x", "x y"): -0.5, ("y", "y"): -0.8, ("y", "x y"): 0.4}


def lotka_volterra(_, state):
    x, y = state
    return [x - 0.5 * x * y, 0.4 * x * y - 0.8 * y]


def table(found: Discovery) -> pd.DataFrame:
    parts = [equation.coefficients() for equation in found.system.equations]
    return pd.concat(parts).set_index(["target", "term"])


def check(found: Discovery, wanted: dict[tuple[str, str], float], close: float = 0.05) -> None:
    """Exactly the wanted terms, each near its value, and no further than four of its own deviations."""
    rows = table(found)
    assert rows.index.tolist() == list(wanted)
    values = np.array(list(wanted.values()))
    np.testing.assert_allclose(rows["value"], values, rtol=close)
    error = np.abs(rows["value"].to_numpy() - values)
    assert (error <= 4 * rows["std"].to_numpy() + 1e-9 * np.abs(values)).all()


@pytest.fixture(scope="module")
def noisy(observe) -> Trajectory:
    return observe(lotka_volterra, [2.0, 1.0], T, 0.03)


@pytest.fixture(scope="module")
def found(noisy) -> Discovery:
    return discover_states([noisy], SMALL)


def test_noisy_states_give_the_equations(found):
    check(found, PREY)
    assert [each.level for each in found.trust] == ["good", "good"]
    assert found.system.names == ("x", "y")


def test_everything_behind_the_choice_is_there(found, noisy):
    assert found.measured is not None
    np.testing.assert_array_equal(found.measured.trajectories[0].x, noisy.x)
    assert found.measured.noise == pytest.approx(0.03 * np.sqrt(np.mean(noisy.x**2, axis=0)), rel=0.2)
    rows = found.table()
    assert rows.groupby("target")["chosen"].sum().to_dict() == {"x": 1, "y": 1}
    best = rows.loc[rows.groupby("target")["evidence"].idxmax()]
    assert best["chosen"].all()
    # In the data's units: what the chosen system leaves is the noise.
    np.testing.assert_allclose(best["error"], found.measured.noise, rtol=0.2)
    assert all(gap is not None and gap > 3 for gap in found.gaps)
    assert found.seconds > 0
    assert list(found.sweeps) == ["given"]


def test_the_search_stops_where_nothing_but_noise_is_left(noisy):
    found = discover_states([noisy], Settings())
    check(found, PREY)
    assert not found.sweeps


def test_deviations_are_honest(observe):
    """Over noise draws, errors in units of their deviations have a root mean square of about one."""
    errors = []
    for seed in range(12):
        rows = table(discover_states([observe(lotka_volterra, [2.0, 1.0], T, 0.03, 100 + seed)], SMALL))
        assert rows.index.tolist() == list(PREY)
        errors.append((rows["value"] - list(PREY.values())) / rows["std"])
    assert np.sqrt(np.mean(np.square(errors))) == pytest.approx(1.0, abs=0.35)


def test_clean_states_give_constants_to_six_digits(observe):
    found = discover_states([observe(lotka_volterra, [2.0, 1.0], T)], SMALL)
    rows = table(found)
    assert rows.index.tolist() == list(PREY)
    np.testing.assert_allclose(rows["value"], list(PREY.values()), rtol=1e-6)
    assert [each.level for each in found.trust] == ["exact", "exact"]


def test_the_same_seed_gives_the_same_result_in_either_precision(found, noisy):
    """To the bit, although the caller's JAX computes in float32 meanwhile."""
    with jax.enable_x64(False):
        again = discover_states([noisy], SMALL)
    pd.testing.assert_frame_equal(table(again), table(found), check_exact=True)
    pd.testing.assert_frame_equal(again.table(), found.table(), check_exact=True)


def test_another_seed_searches_elsewhere_and_finds_the_same(found, noisy):
    other = discover_states([noisy], replace(SMALL, seed=5))
    pd.testing.assert_frame_equal(table(other), table(found), rtol=1e-3)


def test_columns_22_orders_of_magnitude_apart_give_the_same_equations(found, noisy):
    unit = np.array([1e-11, 1e11])
    other = discover_states([replace(noisy, x=noisy.x * unit)], SMALL)
    rows, wanted = table(other), table(found)
    assert rows.index.tolist() == wanted.index.tolist()
    factor = 1 / np.array([1.0, unit[1], 1.0, unit[0]])
    np.testing.assert_allclose(rows["value"], wanted["value"] * factor, rtol=1e-4)
    np.testing.assert_allclose(rows["std"], wanted["std"] * factor, rtol=1e-3)


def test_missing_values(noisy):
    x = noisy.x.copy()
    x[np.random.default_rng(0).random(x.shape) < 0.3] = np.nan
    check(discover_states([replace(noisy, x=x)], SMALL), PREY)


def test_missing_times(noisy):
    """Half of the samples gone at random."""
    kept = np.sort(np.random.default_rng(1).permutation(150)[:75])
    check(discover_states([Trajectory(T[kept], noisy.x[kept])], SMALL), PREY, 0.08)


def test_trajectories_of_other_starts_lengths_and_grids(observe):
    first, second = np.linspace(0, 9, 110), np.linspace(3, 9, 80) ** 1.1
    pair = [
        observe(lotka_volterra, [2.0, 1.0], first, 0.03),
        observe(lotka_volterra, [1.0, 3.0], second, 0.03, 1),
    ]
    check(discover_states(pair, SMALL), PREY)


def test_weights_tell_which_values_count(noisy):
    """Values that are wrong, but told to be, do no harm."""
    x, weights = noisy.x.copy(), np.ones((150, 2))
    x[60:70], weights[60:70] = 30.0, 0.0
    check(discover_states([replace(noisy, x=x, weights=weights)], SMALL), PREY)


def test_known_terms(observe):
    """What is known stands in the equation with no deviation, and the rest is found beside it."""

    def field(t, state):
        return np.add(lotka_volterra(t, state), [-0.2 * np.sin(state[1]), 0.0])

    known = {"x": from_text("-0.2*sin(y)", ("x", "y"))}
    found = discover_states([observe(field, [2.0, 1.0], T, 0.02)], SMALL, known=known)
    rows = table(found)
    fitted = rows[rows["std"] > 0]
    assert fitted.index.tolist() == list(PREY)
    np.testing.assert_allclose(fitted["value"], list(PREY.values()), rtol=0.05)
    assert sorted(rows[rows["std"] == 0]["value"]) == [-0.2, 1.0]
    assert "- 0.20000 sin(y)" in found.system.equations[0].text()


def test_second_order_from_positions_alone(observe):
    whole = observe(lambda _, x: [x[1], -2.0 * x[0] - 0.1 * x[1]], [1.0, 0.0], T, 0.01)
    found = discover_states([Trajectory(T, whole.x[:, :1], names=("q",))], SMALL, order=2)
    assert found.system.names == ("q", "q_dot")
    assert found.system.equations[0].text(3) == "q' = 1.00 q_dot"
    check(
        found,
        {("q", "q_dot"): 1.0, ("q_dot", "q"): -2.0, ("q_dot", "q_dot"): -0.1},
    )
    assert [each.level for each in found.trust] == ["exact", "good"]
    assert found.table()["target"].unique().tolist() == ["q_dot"]


def test_a_forced_system(observe):
    drive = np.sin(2 * T) + 0.5 * np.cos(0.7 * T)
    forced = observe(
        lambda t, x: -0.5 * x + np.sin(2 * t) + 0.5 * np.cos(0.7 * t),
        [1.0],
        T,
        0.02,
        u=drive,
        input_names=("push",),
    )
    found = discover_states([forced], SMALL)
    check(found, {("x", "x"): -0.5, ("x", "push"): 1.0})
    assert found.system.input_names == ("push",)


def test_one_state(observe):
    found = discover_states([observe(lambda _, x: x * (1 - x / 3), [0.1], T, 0.02)], SMALL)
    check(found, {("x", "x"): 1.0, ("x", "x^2"): -1 / 3})


def test_nothing_but_noise_is_no_equation():
    rest = Trajectory(T, np.random.default_rng(0).normal(size=150))
    found = discover_states([rest], SMALL)
    assert found.system.equations[0].text() == "x' = 0"
    assert found.trust[0].level == "poor"
    assert table(found)["value"].tolist() == [0.0]


def test_states_far_from_zero_get_a_warning(noisy):
    with pytest.warns(UserWarning, match=r"far from zero.*Subtract a reference value"):
        discover_states([replace(noisy, x=noisy.x + 1e3)], SMALL)


@pytest.mark.parametrize("smoothing", ["spline", "savgol"])
def test_other_smoothing_gives_the_same_path(found, noisy, smoothing):
    """Smoothing is for the search alone: the fit on the path depends on it by its noise at most."""
    other = discover_states([noisy], SMALL, smoothing=smoothing)
    rows, wanted = table(other), table(found)
    assert rows.index.tolist() == wanted.index.tolist()
    np.testing.assert_allclose(rows["value"], wanted["value"], rtol=0.01)


def test_what_a_fit_on_states_cannot_do_is_told(noisy):
    with pytest.raises(ConfigError, match="joint=True needs derivatives"):
        discover_states([noisy], replace(SMALL, joint=True))
    with pytest.raises(ConfigError, match="Smoothing has no method 'x'"):
        discover_states([noisy], SMALL, smoothing="x")  # pyright: ignore[reportArgumentType]


def test_few_samples_are_refused_and_some_are_not_trusted(noisy):
    few = Trajectory(T[:7], noisy.x[:7])
    with pytest.raises(DataError, match=r"7 measured samples; smoothing needs at least 8"):
        discover_states([few], SMALL)
    some = discover_states([Trajectory(T[::15], noisy.x[::15])], SMALL)
    assert {each.level for each in some.trust} <= {"undecided", "poor", "doubtful"}


@pytest.mark.slow
def test_a_long_series_is_fitted_whole_at_the_end(observe):
    """Choices are made on 1500 nodes; deviations are those of all 3000 samples."""
    t = np.linspace(0, 120, 3000)
    found = discover_states([observe(lotka_volterra, [2.0, 1.0], t, 0.05)], SMALL)
    check(found, PREY, 0.01)
    assert np.max(table(found)["std"]) < 0.004


@pytest.mark.slow
def test_a_pendulum_by_the_whole_search(observe):
    found = discover_states(
        [
            observe(
                lambda _, x: [x[1], -2.0 * np.sin(x[0]) - 0.2 * x[1]],
                [2.6, 0.0],
                np.linspace(0, 16, 250),
                0.03,
            )
        ]
    )
    rows = table(found)
    assert [len(each.expression.terms) for each in found.system.equations] == [1, 2]
    assert "sin(" in found.system.equations[1].text()
    assert rows.loc[("x", "y"), "value"] == pytest.approx(1.0, abs=0.02)


@pytest.mark.slow
def test_chaos_by_the_whole_search(observe):
    def lorenz(_, state):
        x, y, z = state
        return [10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z]

    found = discover_states([observe(lorenz, [-8.0, 7.0, 27.0], np.arange(600) * 0.01, 0.05)])
    wanted = {
        ("x", "x"): -10.0,
        ("x", "y"): 10.0,
        ("y", "x"): 28.0,
        ("y", "y"): -1.0,
        ("y", "x z"): -1.0,
        ("z", "z"): -8 / 3,
        ("z", "x y"): 1.0,
    }
    check(found, wanted, 0.1)


def test_a_state_without_noise_beside_a_noisy_one():
    """A path that is stiff in one state and loose in another must still be found."""
    data = systems.get("lotka-volterra").simulate(samples=200)
    x = data.x.copy()
    x[:, 1] += 0.1 * np.sqrt(np.mean(x[:, 1] ** 2)) * np.random.default_rng(1).standard_normal(200)
    settings = Settings(operations=["ident"])
    found = discover_states([Trajectory(data.t, x, names=data.names)], settings)
    assert found.measured.exact == (0,)
    wanted = truths("lotka-volterra")
    for equation, truth in zip(found.system.equations, wanted, strict=True):
        assert equation.expression.skeleton == truth.skeleton
    assert {trust.level for trust in found.trust} == {"good"}


@pytest.mark.parametrize("input_", [np.sign(np.sin(0.9 * T)), np.ones(len(T))], ids=["relay", "constant"])
def test_inputs_whose_powers_are_the_same(input_, observe):
    """The square of a relay is a constant, and a constant input says nothing of its own."""

    def pushed(t, x):
        return [x[1], -2.0 * x[0] - 0.4 * x[1] + 3.0 * input_[np.searchsorted(T, t + 1e-9, "right") - 1]]

    data = observe(pushed, [1.0, 0.0], T, 0.01, names=("q", "p"), u=input_[:, None], input_names=("u",))
    found = discover_states([data], SMALL)
    last = "u" if np.ptp(input_) > 0 else "1"
    assert table(found).index.tolist() == [("q", "p"), ("p", "q"), ("p", "p"), ("p", last)]


@pytest.mark.slow
@pytest.mark.parametrize("rows", [25, 35])
def test_few_rows_of_clean_states_are_not_taken_for_coarse_ones(rows):
    def law(t, x):
        return [1.2 * np.cos(x[0]) + 0.9 * np.sin(x[1]), 0.7 - 0.5 * np.sin(x[0])]

    t = np.linspace(0.0, 8.0, rows)
    solved = solve_ivp(law, (0.0, 8.0), [0.2, 0.3], t_eval=t, rtol=1e-11, atol=1e-12)
    found = Discoverer().fit(solved.y.T, t, names=["a", "b"])
    assert list(found.trust_["level"]) == ["exact", "exact"]
    assert str(found).splitlines()[0] == "a' = 1.2000 cos(1.0000 a) + 0.90000 sin(1.0000 b)"
    assert str(found).splitlines()[1] == "b' = -0.50000 sin(1.0000 a) + 0.70000"


def test_few_digits_do_not_make_a_law_of_a_form_with_many_constants(observe):
    """A saturated predator, six digits: a sum of six terms with an exponential leaves nothing either."""

    def rates(t, s):
        eaten = s[0] * s[1] / (0.4 + s[0])
        return [s[0] * (1.0 - s[0]) - 1.5 * eaten, eaten - 0.5 * s[1]]

    clean = observe(rates, [0.6, 0.3], np.linspace(0.0, 40.0, 300))
    printed = np.vectorize(lambda value: float(f"{value:.6g}"))(clean.x)
    found = discover_states([Trajectory(clean.t, printed, names=("prey", "hunter"))])
    assert [len(each.expression.terms) for each in found.system.equations] == [3, 2]
    assert [trust.level for trust in found.trust] == ["exact", "exact"]


def test_the_tail_of_a_quotient_that_something_else_follows_is_undecided(observe):
    """x^2/(1 + x^2) far from zero: a root follows it to the last digits of clean states, and so do powers."""
    states = observe(
        lambda t, x: 0.4 * x * (1 - x / 95) - x**2 / (1 + x**2), [44.0], np.linspace(0.0, 10.0, 150)
    )
    (trust,) = discover_states([states]).trust
    assert trust.level == "undecided"


def test_a_constant_a_digit_makes_no_law(observe):
    """x/(1 - exp(-x)) from clean states: a sum of tanh and cos with eight constants leaves nothing either."""

    def rates(t, s):
        return [1.3 * s[0] / (1.0 - np.exp(-s[0])) - 2.1 * s[1], 0.9 * s[0] - 0.5 * s[1] - 0.3]

    states = observe(rates, [0.8, 0.3], np.linspace(0.0, 10.0, 200))
    # With networks it depends on their starts whether the law itself is found.
    without = Settings(proposers=("polynomials", "elimination on the path", "stepwise", "sums with calls"))
    first, second = discover_states([states], without).trust
    assert first.level == "undecided"
    assert second.level == "exact"


def test_networks_that_led_to_a_noisy_law_are_named(observe):
    states = observe(
        lambda t, x: 1.4 - 1.1 * np.tanh(1.9 * np.sin(x)), [0.3], np.linspace(0.0, 12.0, 120), 0.02
    )
    settings = Settings(operations=("ident", "sin", "tanh"), proposers=("networks",))
    found = discover_states([states], settings)
    assert [each.rung for each in found.chosen] == ["networks"]
