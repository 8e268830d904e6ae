"""Each equation on its own: states with a law are found beside those without one."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.integrate import cumulative_simpson
from scipy.ndimage import gaussian_filter1d

from mathonet import Discoverer, load
from mathonet.data.trajectory import Trajectory
from mathonet.equation.expression import Expression, Term
from mathonet.errors import ConfigError
from mathonet.interruption import Watch, watched
from mathonet.result.apart import _has_law, found_apart
from mathonet.result.states import discover_states
from mathonet.result.trust import Trust
from mathonet.search.config import Settings


def wandering(seed: int = 0, count: int = 200) -> Trajectory:
    """A position whose velocity is no function of anything that was measured."""
    rng = np.random.default_rng(seed)
    fine = np.linspace(0.0, 20.0, 20 * count + 1)
    velocity = gaussian_filter1d(rng.standard_normal(len(fine)), 300)
    velocity /= velocity.std()
    position = cumulative_simpson(velocity, x=fine, initial=0)
    x = np.column_stack([position, velocity])[::20]
    return Trajectory(
        fine[::20], x + 0.01 * x.std(axis=0) * rng.standard_normal(x.shape), names=("pos", "vel")
    )


def search(trajectories, quick=False):
    effort = "quick" if quick else "normal"
    return discover_states(trajectories, Settings(operations=("ident",), effort=effort))


@pytest.fixture(scope="module")
def data() -> Trajectory:
    return wandering()


@pytest.fixture(scope="module")
def together(data):
    return search([data])


@pytest.fixture(scope="module")
def apart(data, together):
    return found_apart(search, [data], together)


def test_a_law_is_found_beside_a_state_that_has_none(together, apart):
    assert any(each.level in ("doubtful", "poor") for each in together.trust)
    found, driven = apart
    (equation,) = found.system.equations
    assert equation.target == "pos"
    assert found.not_found == ("vel",)
    coefficient = {term.factors: term.coefficient for term in equation.expression.terms}[((1, 1),)]
    assert coefficient == pytest.approx(1.0, rel=0.02)
    assert found.trust[0].level == "good"
    assert driven[0].names == ("pos",)
    assert driven[0].input_names == ("vel",)


def test_it_says_what_is_taken_as_given(apart):
    found, _ = apart
    assert "takes vel as measured" in found.trust[0].words[-1]
    assert "No equation was found for vel" in found.missing()


def test_inputs_that_were_given_come_after_the_states_without_a_law(data, together):
    pushed = replace(data, u=np.ones((len(data.t), 1)), input_names=("push",), input_units=("N",))
    seen = []

    def told(trajectories, quick):
        seen.append((trajectories[0].names, trajectories[0].input_names))
        return together

    found_apart(told, [pushed], together)
    assert seen[0] == (("pos",), ("vel", "push"))
    assert seen[1] == (("vel",), ("pos", "push"))


@pytest.mark.parametrize(
    "change",
    [
        lambda found: replace(found, trust=tuple(replace(each, level="good") for each in found.trust)),
        lambda found: replace(found, measured=None),
        lambda found: replace(found, settings=replace(found.settings, hidden=(3,))),
        lambda found: found.cut_short(type("Cut", (), {"why": "time", "left_out": ()})()),
    ],
    ids=["all trusted", "derivatives", "one network", "cut short"],
)
def test_nothing_is_looked_at_again_where_that_could_not_help(data, together, change):
    def never(*_):
        raise AssertionError("searched again")

    found = change(together)
    assert found_apart(never, [data], found) == (found, [data])


def test_all_states_stay_where_none_has_a_law_of_its_own(data, together):
    assert found_apart(lambda *_: together, [data], together) == (together, [data])


def test_the_estimator_reports_saves_and_simulates_it(data, tmp_path):
    d = Discoverer(operations=["ident"]).fit(data.x, data.t, names=data.names)
    assert [line.split(" =")[0] for line in d.equations()] == ["pos'"]
    assert "No equation was found for vel" in str(d)
    d.save(tmp_path / "run")
    again = load(tmp_path / "run")
    assert again.discovery_.not_found == ("vel",)
    course = again.trajectories_[0].u
    x = again.simulate(data.x[0, :1], data.t, course)
    assert np.sqrt(np.mean((x[:, 0] - data.x[:, 0]) ** 2)) < 0.1 * data.x[:, 0].std()
    with pytest.raises(ValueError, match="vel"):
        again.simulate(data.x[0, :1], data.t)
    assert again.simulate(data.x[0], data.t, data.x[:, 1:]).shape == x.shape
    # What was given to `fit` may be given again: the states without a law are told apart.
    assert again.score(data.x, data.t) > 0.99
    np.testing.assert_allclose(again.predict(data.x), again.predict(data.x[:, :1], data.x[:, 1:]))
    assert again.discovery_.given == ("pos", "vel")


def test_a_search_that_is_stopped_meanwhile_says_so_and_keeps_what_was_found(data, together):
    asked = []

    def stopped(trajectories, quick):
        asked.append(trajectories[0].names)
        watch.stop("you asked for it")
        return together

    watch = Watch()
    with watched(watch):
        found, given = found_apart(stopped, [data], together)
    assert asked == [("pos",)]
    assert found.cut is not None
    assert found.cut.left_out == ("each equation on its own",)
    assert found.system == together.system
    assert given == [data]


def test_a_state_that_nothing_could_be_fitted_for_has_no_law(data, together):
    def nothing(*_):
        raise ConfigError("nothing could be fitted")

    assert found_apart(nothing, [data], together) == (together, [data])


@pytest.mark.parametrize(
    ("level", "explained", "terms", "lawful"),
    [
        ("exact", 1.0, 9, True),
        ("undecided", 0.95, 2, True),
        ("undecided", 0.95, 6, False),
        ("doubtful", 1.0 - 1e-14, 1, True),
        ("doubtful", 1.0 - 1e-14, 6, False),
        ("doubtful", 1.0 - 1e-6, 1, False),
        ("poor", 0.3, 1, False),
    ],
)
def test_a_short_form_that_leaves_next_to_nothing_is_a_law_though_that_is_no_noise(
    level, explained, terms, lawful
):
    form = Expression(tuple(Term(1.0, ((place, 1),)) for place in range(terms)))
    system = SimpleNamespace(equations=[SimpleNamespace(expression=form)])
    alone = SimpleNamespace(trust=[Trust(level, explained, None, None, ())], system=system, cut=None)
    assert _has_law(alone) is lawful
