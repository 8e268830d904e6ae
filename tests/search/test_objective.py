"""Proposers of the user: an equation proposer is one class, and is asked right after polynomials."""

import numpy as np
import pytest

from mathonet import Discoverer, Samples, discover
from mathonet.equation.parse import from_text
from mathonet.errors import ConfigError
from mathonet.search.objective import EquationProposer, check_proposers

X = np.random.default_rng(0).uniform(0.5, 2.0, (60, 1))


class Cubes(EquationProposer):
    """Proposes one form, in the units of the search, and counts how often it is asked."""

    name = "cubes"

    def __init__(self) -> None:
        self.asked = 0

    def forms(self, regression, limit=None):
        self.asked += 1
        return [from_text("sin(2.2*x + 2*x**3)", ("x",))]


def test_a_form_that_only_the_user_knows_is_found():
    own, target = Cubes(), np.sin(1.7 * X + 0.9 * X**3)
    found = discover(Samples(X, target, ("x",), ("x",)), operations=["ident", "sin"], proposers=[own])
    assert own.asked
    assert found.chosen[0].rung == "cubes"
    assert found.trust[0].level == "exact"
    np.testing.assert_allclose(found.system.predict(X), target, atol=1e-9)


NO_NAME, NO_OBJECT = "There is no proposer 'sines'; choose from .'polynomials'", "EquationProposer objects"


@pytest.mark.parametrize(
    ("given", "message"),
    [("sines", NO_NAME), (["sines"], NO_NAME), (Cubes, NO_OBJECT), ([Cubes], NO_OBJECT), (3, NO_OBJECT)],
)
def test_what_is_no_proposer_is_refused(given, message):
    with pytest.raises(ConfigError, match=message):
        Discoverer(operations=["ident"], proposers=given).fit(X[:, 0], np.arange(60.0), x_dot=X[:, 0])


def test_what_is_no_form_is_refused_with_the_name_of_its_proposer():
    class Odd(EquationProposer):
        name = "odd one"

        def forms(self, regression, limit=None):
            return ["x0"]

    with pytest.raises(ConfigError, match=r"'odd one' proposed 'x0'"):
        Odd().fits(None)


def test_nothing_in_the_place_of_forms_is_refused_with_the_name_of_its_proposer():
    class Forgot(EquationProposer):
        name = "forgot to yield"

        def forms(self, regression, limit=None):
            from_text("x", ("x",))

    with pytest.raises(ConfigError, match=r"'forgot to yield' gave None"):
        Forgot().fits(None)


def test_a_proposer_needs_a_name():
    class Nameless(EquationProposer):
        def forms(self, regression, limit=None):
            return []

    with pytest.raises(ConfigError, match="Nameless has none"):
        check_proposers([Nameless()])


def test_a_proposer_has_no_name_of_the_searchs_own():
    class Networks(Cubes):
        name = "networks"

    with pytest.raises(ConfigError, match="give yours another `name`"):
        check_proposers([Networks()])


def test_proposers_that_can_be_gone_through_once_are_refused():
    with pytest.raises(ConfigError, match="proposers must be a list, got <generator"):
        check_proposers(each for each in [Cubes()])
