"""The choice on the path: clean data to their last digits, noise that smoothing overstated, stand-ins."""

import jax
import numpy as np
import pytest
from scipy.integrate import solve_ivp

from mathonet.data.trajectory import Trajectory
from mathonet.equation.parse import from_text
from mathonet.result.states import discover_states
from mathonet.search import effort
from mathonet.search.config import Settings
from mathonet.search.measurements.measured import measure
from mathonet.search.path.fit import PathFit
from mathonet.search.path.objective import PathObjective
from mathonet.search.proposers.along_path import AlongPath
from mathonet.search.proposers.calls import Calls
from mathonet.search.samples.search import SampleSearch

T = np.linspace(0.0, 10.0, 150)
NAMES = ("x", "y")


def bead(_, x):
    return [x[1], np.sin(x[0]) * (np.cos(x[0]) - 0.93)]


def predators(_, x):
    return [1.1 * x[0] - 0.4 * x[0] * x[1], -0.4 * x[1] + 0.1 * x[0] * x[1]]


@pytest.fixture(scope="module")
def objective(observe) -> PathObjective:
    """Clean states of a bead on a hoop, and a stand-in for its equations that fits them to 1e-7."""
    measured = measure([observe(bead, [2.1, 0.0], T, names=NAMES)])
    with jax.enable_x64(True):
        made = PathObjective(
            measured, SampleSearch(measured.samples, Settings(operations=["ident", "sin", "cos"]))
        )
        scale = made.search.scaling
        stand_in = "-0.87199*x + 0.12608*x**3 - 0.0039287*x**5 + 0.46738*sin(2.0155*x)"
        forms = [from_text("y", NAMES), from_text(stand_in, NAMES)]
        for column, form in enumerate(forms):
            inner = form.substitute(lambda i: from_text(NAMES[i], NAMES).scale(float(scale.inputs[i])))
            forms[column] = inner.scale(1.0 / float(scale.targets[column]))
        made.best = made.joint.fit(forms)
    return made


@pytest.mark.slow
def test_clean_states_tell_sines_from_what_stands_in_for_them(observe):
    found = discover_states([observe(bead, [2.1, 0.0], T, names=NAMES)])
    assert [trust.level for trust in found.trust] == ["exact", "exact"]
    values = [equation.coefficients()["value"] for equation in found.system.equations]
    np.testing.assert_allclose(sorted(values[1]), [-0.93, 0.5, 1.0, 2.0], rtol=1e-8)


def test_sums_with_calls_are_looked_for_along_the_path(objective):
    """From the path of the stand-in the increments of the second equation tell its sines."""
    best = objective.best
    assert best is not None
    assert not objective.exact
    calls = Calls(objective.search.scaling.inputs, precise=True)
    with jax.enable_x64(True):
        forms = AlongPath(calls)._promising(objective, 1)
        objective.consider(objective.with_other(1, forms), calls.name)
    assert objective.exact
    assert objective.best.forms[0].skeleton == best.forms[0].skeleton
    objective.best = best


def test_systems_are_judged_anew_by_a_looser_floor(objective):
    strict, loose = objective.front, objective.joint.loosened(effort.LOOSE / objective.joint.share).front
    assert len(loose) == len(strict) > 0
    for fit in strict:
        judged = loose.get(fit.forms)
        assert judged is not None
        assert judged.score >= fit.score


def test_clean_states_that_were_printed_with_few_digits_are_exact(observe):
    clean = observe(predators, [10.0, 5.0], np.linspace(0.0, 20.0, 200))
    t, x = (np.vectorize(lambda value: float(f"{value:.6g}"))(part) for part in (clean.t, clean.x))
    found = discover_states([Trajectory(t, x, names=("prey", "predator"))])
    assert [len(each.expression.terms) for each in found.system.equations] == [2, 2]
    assert [trust.level for trust in found.trust] == ["exact", "exact"]


def test_overstated_noise_is_taken_from_the_fit(objective, observe):
    clean = observe(predators, [10.0, 5.0], T, names=NAMES)
    measured = measure([clean])
    loud = measured
    for state, level in enumerate(1e9 * measured.noise):
        loud = loud.weighed(state, np.full(len(T), level), "constant")
    assert not loud.clean
    with jax.enable_x64(True):
        made = PathObjective(loud, SampleSearch(loud.samples, Settings()))
        made.best = made.joint.fit([from_text("x - x*y", NAMES), from_text("-y + x*y", NAMES)])
        assert made._weigh_anew()
    assert made.joint.clean
    assert made.exact


def test_a_noise_with_which_nothing_can_be_fitted_is_not_taken(observe, monkeypatch):
    measured = measure([observe(predators, [10.0, 5.0], T, 0.02, names=NAMES)])
    for state, level in enumerate(5.0 * measured.noise):
        measured = measured.weighed(state, np.full(len(T), level), "constant")
    with jax.enable_x64(True):
        made = PathObjective(measured, SampleSearch(measured.samples, Settings()))
        made.best = fit = made.joint.fit([from_text("x - x*y", NAMES), from_text("-y + x*y", NAMES)])
        joint = made.joint
        monkeypatch.setattr(PathFit, "fit", lambda *given: None)
        assert not made._weigh_anew()
    assert made.measured is measured
    assert made.joint is joint
    assert made.best is fit


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_spikes_of_a_state_are_no_noise(seed):
    """Roessler's third state rises over two decades in a few of 150 samples; each has 2 % of noise."""
    t = np.linspace(0.0, 30.0, 150)

    def roessler(_, x):
        return [-x[1] - x[2], x[0] + 0.2 * x[1], 0.2 + x[2] * (x[0] - 5.7)]

    x = solve_ivp(roessler, (0.0, 30.0), [2.3, 1.1, 0.8], t_eval=t, rtol=1e-10, atol=1e-12).y.T
    x = x * (1.0 + 0.02 * np.random.default_rng(seed).normal(size=x.shape))
    found = discover_states([Trajectory(t, x, names=("x", "y", "z"))])
    terms = [equation.coefficients().set_index("term")["value"] for equation in found.system.equations]
    for own, true in zip(
        terms,
        ({"y": -1.0, "z": -1.0}, {"x": 1.0, "y": 0.2}, {"z": -5.7, "x z": 1.0, "1": 0.2}),
        strict=True,
    ):
        assert set(own.index) == set(true)
        assert all(own[name] == pytest.approx(value, rel=0.05) for name, value in true.items())
    assert found.measured is not None
    assert found.measured.describe().count("proportional") == 3


def test_terms_that_nearly_cancel_are_not_trusted(observe):
    """Two states on a line: anything can be added to an equation and taken off again."""
    t = np.linspace(0.0, 12.0, 150)

    def monod(_, x):
        rate = x[0] * x[1] / (0.8 + x[1])
        return [0.5 * rate, -0.9 * rate]

    few = Settings(operations=["ident", "inv"])
    found = discover_states([observe(monod, [0.3, 8.0], t, 0.005, names=NAMES)], few)
    for equation, trust in zip(found.system.equations, found.trust, strict=True):
        largest = max(abs(term.coefficient) for term in equation.expression.terms)
        assert largest < 100.0 or trust.level in ("doubtful", "undecided", "poor")


@pytest.mark.parametrize(
    ("law", "start", "noise", "beyond"),
    [
        (bead, [2.1, 0.0], 0.0, True),
        (predators, [10.0, 5.0], 0.0, False),
        (predators, [10.0, 5.0], 0.03, False),
        (lambda _, x: [-x[0] / (0.1 + x[0]), x[0] - x[1]], [3.0, 0.0], 0.0, True),
    ],
)
def test_that_no_polynomial_can_be_right_is_told_from_smoothed_derivatives(
    observe, law, start, noise, beyond
):
    measured = measure([observe(law, start, T, noise, names=NAMES)])
    with jax.enable_x64(True):
        assert PathObjective(measured, SampleSearch(measured.samples, Settings())).beyond == beyond


def test_degree_2_alone_says_nothing_about_cubic_laws(observe):
    """With five states the cubic library is too large; what degree 2 leaves may still be a polynomial."""
    start = [1.5, -0.6, 0.9, 1.2, -0.8]

    def chain(_, x):
        return [x[(i + 1) % 5] - 0.4 * x[i] - 0.3 * x[i] ** 3 for i in range(5)]

    measured = measure([observe(chain, start, T)])
    with jax.enable_x64(True):
        assert not PathObjective(measured, SampleSearch(measured.samples, Settings())).beyond
