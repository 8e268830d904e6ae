"""Effort: what quick, normal and thorough mean for a search."""

from dataclasses import fields

import numpy as np
import pytest

from mathonet.data.samples import Samples
from mathonet.errors import ConfigError
from mathonet.result.discover import discover
from mathonet.search.config import Settings
from mathonet.search.effort import NORMAL, PROPOSERS, QUICK, THOROUGH, Quotas, effort_of
from mathonet.search.proposers.calls import Calls
from mathonet.search.proposers.elimination import Elimination
from mathonet.search.proposers.networks import Networks
from mathonet.search.proposers.polynomials import Polynomials
from mathonet.search.proposers.stepwise import Stepwise
from mathonet.search.samples.search import SampleSearch

X = np.random.default_rng(0).normal(size=(50, 2))
SAMPLES = Samples(X, X[:, :1], ("x", "y"), ("x",))
COUNTS = [each.name for each in fields(Quotas) if each.name not in ("blocks", "degrees")]


@pytest.mark.parametrize("precise", [False, True])
@pytest.mark.parametrize("name", COUNTS)
def test_more_effort_never_looks_at_less(name, precise):
    quick, normal, thorough = (getattr(each.quotas(precise), name) for each in (QUICK, NORMAL, THOROUGH))
    assert quick <= normal <= thorough


def test_names_that_do_not_exist_are_refused_with_the_choices():
    for wrong in ("quik", None, 3):
        with pytest.raises(ConfigError, match=r"quick.*normal.*thorough"):
            effort_of(wrong)
    with pytest.raises(ConfigError, match="quik"):
        Settings(effort="quik")


def test_restarts_that_were_given_go_before_those_of_the_effort():
    assert Settings().starts(1) == 20
    assert Settings(effort="thorough").starts(1) == 40
    assert Settings(effort="thorough", restarts=7).starts(1) == 7


@pytest.mark.parametrize(("effort", "trained"), [("quick", 0), ("normal", 1), ("thorough", 1)])
def test_a_quick_search_trains_no_networks_unless_one_is_asked_for(effort, trained):
    search = SampleSearch(SAMPLES, Settings(effort=effort))
    assert [each.name for each in search.proposers].count(Networks.name) == trained
    assert SampleSearch(SAMPLES, Settings(effort=effort, hidden=(1,))).given is not None


def test_the_names_of_proposers_are_those_they_have():
    own = (Polynomials, Elimination, Stepwise, Calls, Networks)
    assert tuple(each.name for each in own) == PROPOSERS


def test_proposers_that_were_not_named_are_left_out():
    search = SampleSearch(SAMPLES, Settings(proposers=("networks",)))
    assert search.effort.without == PROPOSERS[:-1]
    assert SampleSearch(SAMPLES, Settings()).effort.without == ()


def test_a_name_that_no_proposer_has_is_refused():
    with pytest.raises(ConfigError, match=r"netwroks.*networks"):
        Settings(proposers=("netwroks",))


def test_names_that_leave_nothing_to_search_with_are_refused():
    with pytest.raises(ConfigError, match="leaves nothing"):
        discover(SAMPLES, Settings(proposers=("networks",), effort="quick"))


def test_a_network_that_is_asked_for_and_proposers_exclude_each_other():
    with pytest.raises(ConfigError, match="give one of them"):
        Settings(hidden=(2,), proposers=("networks",))
