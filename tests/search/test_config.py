"""Settings: checked when made, in words that help."""

import numpy as np
import pytest

from mathonet.errors import ConfigError
from mathonet.operations import STANDARD
from mathonet.search.config import Settings


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"operations": ["ident", "sine"]}, "Did you mean 'sin'"),
        ({"operations": []}, "at least one"),
        ({"operations": "sin"}, "brackets"),
        ({"operations": 5}, "list"),
        ({"operations": [5]}, "name or an Operation"),
        ({"operations": ["sin", "sin"]}, "more than once"),
        ({"hidden": ()}, r"for example \[3\]"),
        ({"hidden": (0,)}, r"for example \[3\]"),
        ({"hidden": (1.5,)}, r"for example \[3\]"),
        ({"hidden": (True,)}, r"for example \[3\]"),
        ({"hidden": "3"}, r"for example \[3\]"),
        ({"hidden": 0}, r"for example \[3\]"),
        ({"hidden": 2.5}, r"for example \[3\]"),
        ({"hidden": True}, r"number or a list of them, for example \[3\]; got True"),
        ({"hidden": object()}, r"number or a list of them, for example \[3\]"),
        ({"lambdas": None}, r"number or a list of them, for example \[1e-3\]; got None"),
        ({"lambdas": "a"}, r"for example \[1e-3\]; got 'a'"),
        ({"lambdas": -1.0}, "positive numbers"),
        ({"dense": "yes"}, "dense must be True or False"),
        ({"joint": 1}, "joint must be True or False"),
        ({"lambdas": ()}, "positive numbers"),
        ({"lambdas": (0.0,)}, "positive numbers"),
        ({"lambdas": (-1e-3,)}, "positive numbers"),
        ({"lambdas": (float("nan"),)}, "positive numbers"),
        ({"lambdas": (float("inf"),)}, "positive numbers"),
        ({"lambdas": ("a",)}, "positive numbers"),
        ({"restarts": 0}, "restarts must be a whole number from 1 to 100000, got 0"),
        ({"restarts": 2.5}, "restarts"),
        ({"restarts": True}, "restarts"),
        ({"cycles": 0}, "cycles"),
        ({"cycles": None}, "cycles"),
        ({"rows": 9}, "rows must be a whole number from 10"),
        ({"seed": -1}, "seed must be a whole number from 0"),
        ({"seed": 10**20}, "seed must be a whole number from 0"),
        ({"hidden": (100_000,)}, "at most 100"),
        ({"seed": "a"}, "seed"),
        ({"seed": None}, "seed"),
        ({"selection": "best"}, "'score' or 'validation'"),
        ({"selection": None}, "'score' or 'validation'"),
        ({"validation": 0.0}, "validation"),
        ({"validation": 0.95}, "validation"),
        ({"validation": float("nan")}, "validation"),
    ],
)
def test_unusable_settings_are_refused(options, message):
    with pytest.raises(ConfigError, match=message):
        Settings(**options)


@pytest.mark.parametrize("one", [3, np.int64(3)])
def test_one_number_is_a_list_of_one(one):
    assert Settings(hidden=one).hidden == (3,)
    assert Settings(hidden=np.array([3, 2])).hidden == (3, 2)
    assert Settings(lambdas=np.float32(0.5)).lambdas == (0.5,)
    assert Settings(lambdas=[1e-3]).lambdas == (1e-3,)


def test_defaults_are_the_standard_operations():
    assert tuple(operation.name for operation in Settings().resolved()) == tuple(STANDARD)


def test_whole_numbers_of_numpy_become_plain_ones():
    settings = Settings(
        hidden=tuple(np.array([2, 1])), seed=np.int64(3), restarts=np.int32(4), cycles=np.uint8(5)
    )
    assert settings.hidden == (2, 1)
    for value in (*settings.hidden, settings.seed, settings.restarts, settings.cycles):
        assert type(value) is int


def test_deeper_networks_get_more_starts_unless_a_number_is_given():
    assert Settings(hidden=(2,)).starts(1) < Settings(hidden=(2, 2)).starts(2)
    assert Settings(restarts=7).starts(1) == Settings(restarts=7).starts(3) == 7


def test_schedule_takes_the_floor_of_the_data_unless_one_is_given():
    assert float(Settings().schedule(1e-20).floor) == 1e-20
    assert float(Settings(numbers={"floor": 1e-6, "decay": 0.5}).schedule(1e-20).floor) == 1e-6
    assert float(Settings(numbers={"decay": 0.5}).schedule(1e-20).decay) == 0.5
