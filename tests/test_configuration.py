"""Options in a TOML file: checked as those of the command line, and written so that they come back."""

import argparse

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathonet.configuration import options_of_discover, read_config, write_config
from mathonet.errors import ConfigError

BAD = {
    "no TOML": ("a = = 1", "is no TOML file"),
    "an unknown key": ("restart = 3", "Did you mean 'restarts'"),
    "a key like none": ("zzz = 3", "Known keys: source, out, budget"),
    "a key of the command line": ("resume = 'run'", "--resume belongs on the command line"),
    "a number as text": ("restarts = '3'", "must be a whole number, got '3'"),
    "a share as a whole number": ("restarts = 3.5", "must be a whole number, got 3.5"),
    "yes and no": ("seed = true", "must be a whole number, got True"),
    "a word for a switch": ("dense = 'yes'", "must be true or false"),
    "a choice that is none": ("smoothing = 'median'", "must be one of ['gp', 'spline', 'savgol']"),
    "nothing": ("states = []", "is an empty list"),
    "a table": ("[search]\nrestarts = 3", "which is no option"),
    "a number among names": ("operations = ['ident', 3]", "must be text, got 3"),
}


@pytest.mark.parametrize(("text", "message"), BAD.values(), ids=BAD)
def test_mistakes_in_a_file_are_told(tmp_path, text, message):
    (tmp_path / "my.toml").write_text(text)
    with pytest.raises(ConfigError) as caught:
        read_config(tmp_path / "my.toml")
    assert message in str(caught.value)


def test_keys_may_be_written_either_way(tmp_path):
    (tmp_path / "my.toml").write_text("map-step = 'adam'\nlambdas = 1\nderivatives = []\nbudget = 5")
    found = read_config(tmp_path / "my.toml")
    assert found == {"map_step": "adam", "lambdas": [1.0], "derivatives": [], "budget": 5.0}
    (tmp_path / "my.toml").write_text("map_step = 'adam'")
    assert read_config(tmp_path / "my.toml") == {"map_step": "adam"}


def test_a_file_name_that_is_no_text_is_told_beside_the_options(tmp_path):
    bare = {name: action.default for name, action in options_of_discover().items()}
    written = write_config(argparse.Namespace(**bare | {"source": "m\udcff.csv", "seed": 3}))
    (tmp_path / "my.toml").write_bytes(written.encode())
    assert '# source = "m\\udcff.csv" is no text' in written
    found = read_config(tmp_path / "my.toml")
    assert "source" not in found
    assert found["seed"] == 3


names = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@given(
    source=names,
    states=st.none() | st.lists(names, min_size=1, max_size=3),
    lambdas=st.none() | st.lists(st.floats(1e-300, 1e300), min_size=1, max_size=3),
    seed=st.integers(0, 2**63 - 1),
    dense=st.booleans(),
)
def test_what_is_written_is_read_back(tmp_path_factory, source, states, lambdas, seed, dense):
    bare = {name: action.default for name, action in options_of_discover().items()}
    given = {"source": source, "states": states, "lambdas": lambdas, "seed": seed, "dense": dense}
    options = argparse.Namespace(**bare | given)
    place = tmp_path_factory.mktemp("config") / "my.toml"
    place.write_text(write_config(options), encoding="utf-8", newline="")
    assert bare | read_config(place) == vars(options)
