"""What the report says of equations whose network it cannot show being pruned."""

import re
from copy import copy
from dataclasses import replace

import pytest

from mathonet.errors import ConfigError
from mathonet.report.page.page import render
from mathonet.search.proposers.networks import Networks

SMALL = "Small networks led to the form of {}; many of them learn at once, and their pruning is not kept"


def proposed(model, *rungs):
    """The model as if these had proposed its equations, by a search of which no runs are kept."""
    found, other = model.discovery_, copy(model)
    chosen = tuple(replace(each, rung=rung, hits=0) for each, rung in zip(found.chosen, rungs, strict=True))
    settings = replace(found.settings, hidden=None)
    pools = tuple((each,) for each in chosen)
    other.discovery_ = replace(found, chosen=chosen, candidates=pools, sweeps={}, settings=settings)
    return other


def words(page):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", page))


def test_what_small_networks_led_to_is_told(told):
    page = render(proposed(told, Networks.name, Networks.name))
    assert SMALL.format("x and y") in words(page)
    assert "No network led" not in page
    assert '<section id="network"' not in page
    assert "<dt>found by</dt><dd>networks</dd>" in page


def test_what_small_networks_led_to_stands_beside_what_none_did(told):
    shown = words(render(proposed(told, "polynomials", Networks.name)))
    assert SMALL.format("y") in shown
    assert "No network led to the form of x: polynomials" in shown


def test_of_a_network_that_was_asked_for_only_the_pruning_is_told(told):
    shown = words(render(told))
    assert "Small networks led" not in shown
    assert "No network led" not in shown


def test_who_asks_for_runs_of_small_networks_is_told_how_to_have_some(told):
    found = proposed(told, Networks.name, "polynomials").discovery_
    with pytest.raises(
        ConfigError, match=r"Small networks led to the equation of 'x', whose.*Fit with hidden="
    ):
        found.history("x")
    with pytest.raises(
        ConfigError, match=r"No network led to .* 'y': it comes from the polynomials. Fit with"
    ):
        found.history("y")
    with pytest.raises(ConfigError, match=r"on the rung 'given' are kept. Fit with hidden="):
        found.history("y", "given")
