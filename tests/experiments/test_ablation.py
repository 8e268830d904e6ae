"""The ablation benchmark: every variant changes one thing, and is set beside the usual effort."""

from dataclasses import fields

import pytest

from mathonet.errors import ConfigError
from mathonet.experiments.bench import ablation
from mathonet.search.config import Settings
from mathonet.search.effort import EFFORTS, NORMAL, Quotas
from mathonet.search.path_search import path_proposers
from mathonet.search.sample_search import SampleSearch


def test_every_quota_is_halved_and_doubled():
    numbers = {each.name for each in fields(Quotas) if each.name not in ("blocks", "degrees", "most_beside")}
    assert numbers == set(ablation.QUOTAS)
    every = ablation.variants()
    for name in numbers:
        half, twice = every[f"half {name}"], every[f"twice {name}"]
        for precise in (False, True):
            own = getattr(NORMAL.quotas(precise), name)
            assert getattr(half.quotas(precise), name) <= max(own // 2, 1)
            assert getattr(twice.quotas(precise), name) == 2 * own


def test_every_proposer_is_left_out_once(observe):
    import jax
    import numpy as np

    from mathonet.search.measurements.measured import measure

    data = observe(lambda _, x: [-x[0]], [1.0], np.linspace(0.0, 3.0, 60), 0.01, names=("x",))
    with jax.enable_x64(True):
        measured = measure([data])
        names = [each.name for each in path_proposers(SampleSearch(measured.samples, Settings()))]
        assert set(names) == set(ablation.LEFT_OUT)
        for left_out in ablation.LEFT_OUT:
            with ablation._as_usual(ablation.variants()[f"without {left_out}"]):
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
    with pytest.raises(ConfigError, match="without stepwise"):
        ablation.run(tmp_path, range(1), lambda _: None, ["2"], [0.0], ["nonsense"])
    with pytest.raises(ConfigError, match="--jobs"):
        ablation.run(tmp_path, range(1), lambda _: None, jobs=0)
