"""Ending a search early: watches, checkpoints, and what a search that was ended gives back."""

import threading
import time

import numpy as np
import pytest

from mathonet import Discoverer, systems
from mathonet.errors import ConfigError
from mathonet.interruption import StoppedError, Watch, checkpoint, finishing, stopping, watched


def test_without_a_watch_nothing_stops():
    assert stopping() is None
    checkpoint()


def test_a_spent_budget_stops_and_says_why():
    with watched(Watch(0.01)):
        time.sleep(0.02)
        assert stopping() == "the budget of 0.01 s was spent"
        with pytest.raises(StoppedError, match=r"budget of 0\.01 s"):
            checkpoint()
        with finishing():
            checkpoint()
        with pytest.raises(StoppedError):
            checkpoint()
    checkpoint()


def test_a_step_that_needs_more_than_is_left_is_not_begun():
    with watched(Watch(100.0)):
        assert stopping(50.0) is None
        assert stopping(150.0) is not None


def test_a_reserve_is_not_for_the_search():
    assert Watch(10.0, reserve=4.0).left == pytest.approx(6.0, abs=0.5)


def test_an_inner_watch_does_not_replace_the_outer_one():
    outer = Watch()
    with watched(outer), watched(Watch(100.0)):
        outer.stop("enough")
        assert stopping() == "enough"


def test_a_watch_is_of_its_own_thread():
    seen = []
    with watched(Watch(1e-9)):
        thread = threading.Thread(target=lambda: seen.append(stopping()))
        thread.start()
        thread.join()
    assert seen == [None]


@pytest.fixture(scope="module")
def data():
    return systems.get("lotka-volterra").simulate(noise=0.02, derivative_noise=0.02)


OVERRUN = 2.0
"""Seconds that a compiled search may take beyond a tiny budget: its last steps are done in full."""
QUICK = {"operations": ["ident", "sin"]}


@pytest.mark.parametrize("slopes", [True, False])
def test_a_budget_ends_a_search_with_the_best_so_far(data, slopes):
    model, spent = Discoverer(**QUICK, budget=0.001), []
    # The first search compiles, which cannot be interrupted. Other processes must not count.
    for _ in range(2):
        began = time.process_time()
        model.fit(data.x, data.t, x_dot=data.x_dot if slopes else None, names=data.names)
        spent.append(time.process_time() - began)
    assert spent[1] < OVERRUN
    cut = model.discovery_.cut
    assert cut is not None
    assert cut.why == "the budget of 0.001 s was spent"
    assert "rival forms" in cut.left_out
    assert (
        model.trust_["words"]
        .str.contains("the search was cut short (the budget of 0.001 s", regex=False)
        .all()
    )
    assert not model.trust_["level"].isin(["good"]).any()
    assert np.isfinite(model.predict(data.x)).all()


def test_a_search_can_be_stopped_at_any_stage(data):
    """Wherever it is stopped, there are equations, and it says why it was cut short."""
    stages = []
    Discoverer(**QUICK).fit(
        data.x, data.t, x_dot=data.x_dot, names=data.names, progress=lambda *told: stages.append(told)
    )
    for number in range(0, len(stages), max(1, len(stages) // 6)):
        watch, told = Watch(), []

        def stop(*_, watch=watch, told=told, number=number):
            told.append(None)
            if len(told) > number:
                watch.stop("enough")

        with watched(watch):
            model = Discoverer(**QUICK).fit(data.x, data.t, x_dot=data.x_dot, names=data.names, progress=stop)
        assert len(model.equations()) == 2
        assert model.discovery_.cut is not None
        assert model.discovery_.cut.why == "enough"


@pytest.mark.parametrize("budget", [0, -1, "a", float("nan"), True])
def test_a_budget_must_be_a_time(data, budget):
    with pytest.raises(ConfigError, match="positive number of seconds"):
        Discoverer(budget=budget).fit(data.x, data.t, x_dot=data.x_dot)


def test_a_budget_that_is_not_spent_changes_nothing(data):
    found = [
        Discoverer(**QUICK, hidden=[1], restarts=4, budget=budget).fit(data.x, data.t, x_dot=data.x_dot)
        for budget in (None, 1000)
    ]
    assert found[0].equations() == found[1].equations()
    assert found[1].discovery_.cut is None


def test_a_watch_reminds_once_when_its_time_has_come():
    told = []
    watch = Watch(began=time.monotonic() - 61.0)
    watch.remind(60.0, lambda: told.append("goes on"))
    with watched(watch):
        checkpoint()
        checkpoint()
    assert told == ["goes on"]
    late = Watch()
    late.remind(60.0, lambda: told.append("too early"))
    with watched(late):
        checkpoint()
    assert told == ["goes on"]
