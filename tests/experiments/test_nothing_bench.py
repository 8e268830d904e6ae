"""The benchmark of data without a law: what it draws, what it records, and that nothing is called good."""

import numpy as np
import pytest

from mathonet.errors import ConfigError
from mathonet.estimators.discoverer import Discoverer
from mathonet.experiments.bench import nothing
from mathonet.experiments.bench.nothing import FAMILIES, SAMPLES, Case, all_cases, answer, choose
from mathonet.experiments.bench.runs import Records
from mathonet.result.trust import TRUSTED


def test_every_family_is_drawn_anew_for_every_seed_and_always_alike():
    for case in all_cases():
        x, t = case.data(3)
        assert x.shape == (SAMPLES, case.states)
        assert t.shape == (SAMPLES,)
        assert (np.ptp(x, axis=0) > 0).all()
        np.testing.assert_array_equal(x, case.data(3)[0])
        assert not np.array_equal(x, case.data(4)[0])


def test_cases_are_chosen_by_name_and_family():
    assert [case.name for case in choose(["spikes"])] == ["spikes-1", "spikes-2"]
    assert choose(["one-step-1"]) == [Case("one-step", 1)]
    assert len(choose(None)) == 2 * len(FAMILIES)
    with pytest.raises(ConfigError, match="families: spikes"):
        choose(["lorenz"])


def test_records_are_kept_and_counted(tmp_path, monkeypatch):
    made = []

    def quick(case, seed):
        made.append((case.name, seed))
        level = "good" if seed == 1 else "poor"
        return {
            "trust": [level],
            "explained": [0.1],
            "words": ["why"],
            "equations": ["x' = 1"],
            "seconds": 1.0,
        }

    monkeypatch.setattr(nothing, "answer", quick)
    said: list[str] = []
    nothing.run(tmp_path, range(1), said.append, ["spikes-1"])
    path = nothing.run(tmp_path, range(2), said.append, ["spikes-1"])
    assert made == [("spikes-1", 0), ("spikes-1", 1)]
    assert said[-1].endswith("spikes-1 seed 1: good, 1.0 s")
    table = nothing.tables(Records(tmp_path, "nothing", ["ours"]))
    assert table["levels: equations of every level"][["good", "poor"]].to_numpy().tolist() == [[1, 1]]
    assert "x' = 1" in path.read_text(encoding="utf-8")
    with pytest.raises(ConfigError, match="--jobs"):
        nothing.run(tmp_path, range(1), said.append, jobs=0)


@pytest.mark.parametrize("name", ["spikes-1", "one-step-1"])
def test_spikes_and_steps_are_not_trusted(name: str):
    """Of whole numbers the last digit is as large as what they do."""
    x, t = choose([name])[0].data(0)
    found = Discoverer(operations=["ident"]).fit(x[60:160], t[60:160])
    assert np.ptp(x[60:160]) > 0
    assert found.trust_["level"][0] not in TRUSTED


@pytest.mark.slow
@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.name)
@pytest.mark.parametrize("seed", range(3))
def test_nothing_is_trusted_where_there_is_no_law(case: Case, seed: int):
    found = answer(case, seed, operations=["ident"])
    assert not set(found["trust"]) & set(TRUSTED), found
