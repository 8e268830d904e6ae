"""The files of known systems: what they hold, and what is said of a file that is written wrongly."""

import tomllib
from collections import Counter
from dataclasses import astuple
from importlib.resources import files

import pytest

from mathonet.errors import ConfigError
from mathonet.experiments.bench.recovery.known_systems import (
    NESTED_FIELDS,
    OWN_FIELDS,
    SCIENCES,
    nested,
    odebench,
    own,
    parse,
)

FOLDER = files("mathonet.experiments.bench.recovery").joinpath("systems")
ONE = """
[[system]]
name = "spring"
title = "mass on a spring"
states = ["x", "v"]
end = 10
starts = [[1, 0.0], [-0.5, 2.0]]
equations = ["v", "-3.1*x"]
"""
OWN = ONE + 'science = "mechanics"\npart = "first"\n'


def tables(name):
    return tomllib.loads(FOLDER.joinpath(name).read_text(encoding="utf-8"))["system"]


def test_every_file_is_read_and_every_name_is_there_once():
    held = [table["name"] for file in FOLDER.iterdir() for table in tables(file.name)]
    assert sorted(held) == sorted(system.name for system in (*odebench(), *own(), *nested()))
    assert len(held) == len(set(held)) == 63 + 175 + 40


@pytest.mark.parametrize(("systems", "file"), [(own, "own-held-out.toml"), (nested, "nested-held-out.toml")])
def test_what_is_held_out_is_so_by_its_file(systems, file):
    assert [system.name for system in systems() if system.held_out] == [
        table["name"] for table in tables(file)
    ]


def test_nothing_of_odebench_is_held_out():
    assert not any(system.held_out for system in odebench())


def test_files_keep_to_their_science_and_tell_the_parts():
    tuning = {science: tables(f"own-tuning-{science}.toml") for science in SCIENCES}
    for science, systems in tuning.items():
        assert {table["science"] for table in systems} == {science}
    parts = Counter(table["part"] for systems in tuning.values() for table in systems)
    assert parts == {"first": 46, "second": 32, "third": 31, "fourth": 33}
    assert Counter(table["part"] for table in tables("own-held-out.toml")) == {"fourth": 33}


def test_numbers_are_floats_in_tuples_since_records_are_kept_by_how_a_system_is_written():
    (system,) = parse(ONE, "one.toml")
    assert repr(system) == (
        "Dynamics(name='spring', states=('x', 'v'), equations=('v', '-3.1*x'), "
        "starts=((1.0, 0.0), (-0.5, 2.0)), end=10.0)"
    )
    assert astuple(system)[5:] == ("mass on a spring", "", False)
    assert parse(OWN, "own.toml", OWN_FIELDS, held_out=True)[0].held_out


def test_what_is_for_readers_is_read_and_not_kept():
    kind = OWN.replace('part = "first"', 'kind = "rectifier"')
    assert parse(OWN, "own.toml", OWN_FIELDS) == parse(kind, "nested.toml", NESTED_FIELDS)


@pytest.mark.parametrize(
    ("text", "ours", "message"),
    [
        (
            ONE.replace('title = "mass on a spring"', ""),
            False,
            r"^one.toml, system 1 \(spring\) lacks title",
        ),
        (
            ONE.replace('name = "spring"', ""),
            False,
            r"1 \(without a name\) lacks name. The fields are",
        ),
        (ONE, True, "lacks part, science"),
        (OWN, False, "has unknown fields: part, science"),
        (OWN + "\nend_time = 3.0", True, "has unknown fields: end_time"),
        (ONE.replace("end = 10", "end = true"), False, "end must be a number, got True"),
        (ONE.replace("end = 10", "end = inf"), False, "end must be a number, got inf"),
        (ONE.replace('["x", "v"]', '"x v"'), False, "states must be a list of texts, got 'x v'"),
        (ONE.replace(", [-0.5, 2.0]", ""), False, "starts must be two lists of numbers, got"),
        (ONE.replace("[-0.5, 2.0]", "[-0.5]"), False, "a number in both starts, for every state"),
        (ONE.replace('["v", "-3.1*x"]', '["v"]'), False, "must have an equation"),
        (ONE.replace("[[system]]", "[[systems]]"), False, "must hold tables .* found systems"),
        ("system = [1]", False, "must hold tables"),
        ("", False, "found nothing"),
        ("[[system]", False, "one.toml is no TOML file"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(text, ours, message):
    with pytest.raises(ConfigError, match=message):
        parse(text, "one.toml", OWN_FIELDS if ours else None)
