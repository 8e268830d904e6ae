"""Effort: what quick, normal and thorough mean for a search."""

from dataclasses import fields

import numpy as np
import pytest

from mathonet.data.samples import Samples
from mathonet.errors import ConfigError
from mathonet.search.config import Settings
from mathonet.search.effort import NORMAL, QUICK, THOROUGH, Quotas, effort_of
from mathonet.search.proposers.networks import Networks
from mathonet.search.samples.search import SampleSearch

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


@pytest.mark.parametrize(("effort", "trained"), [("quick", 0), ("normal", 2), ("thorough", 2)])
def test_a_quick_search_trains_no_networks_unless_one_is_asked_for(effort, trained):
    x = np.random.default_rng(0).normal(size=(50, 2))
    samples = Samples(x, x[:, :1], ("x", "y"), ("x",))
    search = SampleSearch(samples, Settings(effort=effort))
    assert sum(isinstance(each, Networks) for each in search.proposers) == trained
    assert len(SampleSearch(samples, Settings(effort=effort, hidden=(1,))).networks) == 1
