"""Options in a TOML file: checked as those of the command line, and written so that they come back."""

import argparse
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathonet.cli.configuration import check_parameters, options_of_discover, read_config, write_config
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
    "a NUL": ('source = "a\\u0000b.csv"', "holds a NUL character"),
    "a NUL in a list": ('states = ["x", "a\\u0000"]', "holds a NUL character"),
    "a number beyond numbers": ("budget = 1" + "0" * 400, "is too large"),
    "a number no program reads": ("seed = 1" + "0" * 5000, "is no TOML file"),
    "nested without end": ("states = " + "[" * 5000, "is no TOML file"),
    "much": ("seed = '" + "7" * 130_000 + "'", "characters more"),
    "a number among names": ("operations = ['ident', 3]", "must be text, got 3"),
}


@pytest.mark.parametrize(("text", "message"), BAD.values(), ids=BAD)
def test_mistakes_in_a_file_are_told(tmp_path, text, message):
    (tmp_path / "my.toml").write_text(text)
    with pytest.raises(ConfigError) as caught:
        read_config(tmp_path / "my.toml")
    assert message in str(caught.value)


def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.toml")
    with pytest.raises(ConfigError, match="it is a named pipe"):
        read_config(tmp_path / "pipe.toml")
    with pytest.raises(ConfigError, match="it is a folder"):
        read_config(tmp_path)


def test_a_source_is_looked_for_here_and_then_beside_the_file(tmp_path, monkeypatch):
    """As in version 0.1 from where it was run; else beside the file; never one of two by chance."""
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    place = tmp_path / "there" / "my.toml"
    place.write_text("source = 'hares.csv'")
    assert read_config(place) == {"source": "hares.csv"}
    (tmp_path / "there" / "hares.csv").touch()
    assert read_config(place) == {"source": str(tmp_path / "there" / "hares.csv")}
    assert read_config("../there/my.toml") == {"source": "../there/hares.csv"}
    (tmp_path / "here" / "hares.csv").touch()
    with pytest.raises(ConfigError, match="one in the working folder and one beside"):
        read_config(place)
    monkeypatch.chdir(tmp_path / "there")
    assert read_config("my.toml") == {"source": "hares.csv"}


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"restarts": "3"}, "must be a whole number"),
        ({"operations": [["ident"]]}, "must be text"),
        ({"known": {"x": {"call": "os.system"}}}, "must be text"),
        ({"dense": 1}, "must be true or false"),
        ({"__class__": 1}, "is no parameter"),
        ({"smoothing": ["gp"]}, "must be text"),
        ({"out": "/etc"}, "is no parameter"),
    ],
)
def test_forged_parameters_are_refused(parameters, message):
    check_parameters({"seed": 0, "known": None, "hidden": [3], "lambdas": [1e-3]})
    with pytest.raises(ConfigError, match=message):
        check_parameters(parameters)


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


names = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)


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
