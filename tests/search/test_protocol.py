"""Protocols: the paper's numbers, and that what a user says goes before them."""

from collections import defaultdict

import pytest
from sklearn.base import clone

from mathonet import Discoverer
from mathonet.cli.arguments import parser
from mathonet.errors import ConfigError
from mathonet.search.config import Settings
from mathonet.search.protocol import protocol_settings


def test_the_default_protocol_is_the_default_settings():
    assert protocol_settings("default") == Settings()
    assert Discoverer().check_parameters() == Settings()


def test_the_papers_protocol_has_the_papers_numbers():
    settings = protocol_settings("paper")
    assert settings.lambdas == (1e-2, 1e-4, 1e-6, 1e-8, 1e-10)
    assert settings.restarts == 10
    assert settings.hidden == (3,)
    assert [operation.name for operation in settings.resolved()] == ["ident", "sin", "cos", "log", "exp"]
    assert (settings.selection, settings.learning.map_step) == ("validation", "adam")
    assert settings.validation == 0.1
    schedule = settings.schedule(0.0)
    assert float(schedule.decay) == pytest.approx(0.1)
    assert (int(schedule.first), int(schedule.later)) == (800, 800)
    assert Discoverer(protocol="paper").check_parameters() == settings


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({"lambdas": (1e-3,)}, {"lambdas": (1e-3,)}),
        ({"restarts": 3}, {"restarts": 3}),
        ({"hidden": (2,), "joint": True}, {"hidden": (2,), "joint": True}),
        ({"cycles": 5, "seed": 4}, {"cycles": 5, "seed": 4}),
        ({"selection": "score"}, {"selection": "score"}),
        ({"epochs": 200}, {"numbers": {"first": 200, "later": 200}}),
        # Newton has no use for hundreds of epochs, so the protocol's go with Adam.
        ({"map_step": "newton"}, {"numbers": {}}),
        ({"map_step": "newton", "epochs": 9}, {"numbers": {"first": 9, "later": 9}}),
    ],
)
def test_what_is_given_goes_before_the_protocol(given, wanted):
    plain, changed = protocol_settings("paper"), protocol_settings("paper", **given)
    assert {name: getattr(changed, name) for name in wanted} == wanted
    kept = {"lambdas", "restarts", "selection", "hidden", "numbers"} - set(wanted) - set(given)
    assert all(getattr(changed, name) == getattr(plain, name) for name in kept)
    assert Discoverer(protocol="paper", **given).check_parameters() == changed


def test_adam_alone_has_enough_epochs_to_learn():
    assert Discoverer(map_step="adam").check_parameters().numbers == {"first": 800, "later": 800}


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"protocol": "papers"}, r"protocol='papers' does not exist; choose one of \['default', 'paper'\]"),
        ({"epochs": 0}, "epochs must be a whole number from 1 to 1000000"),
        ({"epochs": 2.5}, "epochs"),
        ({"map_step": "sgd"}, "map_step='sgd'"),
        ({"seed": None}, "seed"),
    ],
)
def test_unusable_protocols_are_refused(given, complaint):
    with pytest.raises(ConfigError, match=complaint):
        Discoverer(**given).check_parameters()


def test_estimators_keep_the_protocol_when_cloned():
    assert clone(Discoverer(protocol="paper", epochs=7)).get_params()["protocol"] == "paper"


def test_the_command_line_leaves_open_what_is_not_said():
    reader = parser(defaultdict(lambda: lambda _: 0))
    said = reader.parse_args(["discover", "lorenz", "--protocol", "paper", "--restarts", "2"])
    assert (said.protocol, said.restarts) == ("paper", 2)
    assert (said.lambdas, said.cycles, said.selection, said.map_step, said.epochs) == (None,) * 5
    assert reader.parse_args(["discover", "lorenz"]).protocol == "default"
