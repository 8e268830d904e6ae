"""The ablation benchmark: every variant changes one thing, and is set beside the usual effort."""

import re
from dataclasses import fields, replace
from pathlib import Path

import pytest

from mathonet.errors import ConfigError
from mathonet.experiments.bench import ablation
from mathonet.experiments.bench.recovery import run as recovery
from mathonet.search import effort
from mathonet.search.config import Settings
from mathonet.search.effort import EFFORTS, NORMAL
from mathonet.search.path.search import path_proposers
from mathonet.search.quotas import Quotas, Restarts
from mathonet.search.samples.search import SampleSearch


def test_every_quota_is_halved_and_doubled():
    numbers = {each.name for each in fields(Quotas) if each.name not in ("blocks", "degrees")}
    every = ablation.variants()
    for name in numbers:
        half, twice = every[f"half {name}"].effort, every[f"twice {name}"].effort
        for precise in (False, True):
            own = getattr(NORMAL.quotas(precise), name)
            assert getattr(half.quotas(precise), name) <= max(own // 2, 1)
            assert getattr(twice.quotas(precise), name) == 2 * own


def test_restarts_of_networks_are_halved_and_doubled_one_at_a_time():
    every, usual = ablation.variants(), NORMAL.networks
    assert usual is not None
    for name in (each.name for each in fields(Restarts) if each.name != "kept"):
        for word, own in (("half", getattr(usual, name) // 2), ("twice", 2 * getattr(usual, name))):
            assert every[f"{word} network {name}"].effort.networks == replace(usual, **{name: own})
    twice, half = (every[f"{word} network kept"].effort.networks for word in ("twice", "half"))
    assert twice == replace(usual, kept=(1.0, 1 / 4, 1 / 18))
    assert half == replace(usual, kept=(1 / 4, 1 / 16, 1 / 72))


def test_every_threshold_is_halved_and_doubled_where_it_is_read():
    before = effort.HOPELESS
    with ablation.applied(ablation.variants()["twice HOPELESS"]):
        assert before * 2 == effort.HOPELESS
    assert before == effort.HOPELESS
    names = {
        name for name, value in vars(effort).items() if name.isupper() and isinstance(value, int | float)
    }
    assert {f"half {name}" for name in names} - set(ablation.variants()) == {
        f"half {name}" for name in ablation.SECONDS
    }


def test_thresholds_are_read_where_they_are_used():
    # A number that is imported by its name keeps its value when the ablation changes it.
    changed = set(ablation.thresholds())
    for path in Path(effort.__file__).parent.rglob("*.py"):
        for found in re.findall(r"from mathonet.search.effort import (.*)", path.read_text()):
            assert not {name.strip() for name in found.split(",")} & changed, path


def test_every_proposer_is_left_out_once(observe):
    import jax
    import numpy as np

    from mathonet.search.measurements.measured import measure

    data = observe(lambda _, x: [-x[0]], [1.0], np.linspace(0.0, 3.0, 60), 0.01, names=("x",))
    with jax.enable_x64(True):
        measured = measure([data])
        names = [each.name for each in path_proposers(SampleSearch(measured.samples, Settings()))]
        assert set(names) == set(effort.PROPOSERS)
        for left_out in effort.PROPOSERS:
            with ablation.applied(ablation.variants()[f"without {left_out}"]):
                search = SampleSearch(measured.samples, Settings())
            kept = [each.name for each in path_proposers(search)]
            assert kept == [name for name in names if name != left_out]
    assert EFFORTS["normal"] is NORMAL


def test_a_table_sets_each_change_beside_the_usual_effort(tmp_path):
    path = ablation.run(tmp_path, range(1), lambda _: None, ["2"], [0.0], ["without stepwise", "half turns"])
    lines = path.read_text().splitlines()
    assert any(line.startswith("| without stepwise | 1 (+0 -0) | 1 (+0 -0) |") for line in lines)
    assert any(line.startswith("| half turns | 1 (+0 -0)") for line in lines)
    assert not any("twice" in line for line in lines)


def test_what_does_not_exist_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="elimination on the path; stepwise"):
        ablation.run(tmp_path, range(1), lambda _: None, ["2"], [0.0], ["nonsense"])
    with pytest.raises(ConfigError, match="--jobs"):
        ablation.run(tmp_path, range(1), lambda _: None, jobs=0)


def test_noise_is_a_share(tmp_path):
    with pytest.raises(ConfigError, match="--sigmas are shares"):
        ablation.run(tmp_path, range(1), lambda _: None, ["2"], [-1.0])


def test_misses_of_against_are_told_before_any_run(tmp_path):
    with pytest.raises(ConfigError, match="has no record of any run"):
        recovery.run(
            "odebench", tmp_path, range(1), pytest.fail, ["2"], peers=False, against=tmp_path / "none"
        )
