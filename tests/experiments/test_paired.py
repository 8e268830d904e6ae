import json

import pytest

from mathonet.errors import ConfigError
from mathonet.experiments.bench.paired import paired
from mathonet.experiments.bench.runs import Records


def record(seed, exact, form, seconds, digest):
    return {
        "method": "ours", "case": "1", "seed": seed, "definition": 7, "grid": 150, "sigma": 0.0, "rho": 0.0,
        "derivatives": False, "exact": exact, "equations": [form], "form": [form], "seconds": seconds,
        "ledger": {"digest": digest},
    }  # fmt: skip


def write(folder, *records):
    folder.mkdir()
    (folder / "odebench-ours.jsonl").write_text("".join(json.dumps(each) + "\n" for each in records))
    return folder


def test_runs_are_compared_one_by_one(tmp_path):
    old = write(tmp_path / "old", record(1, True, "a", 2.0, "p"), record(2, False, "b", 4.0, "q"))
    new = write(tmp_path / "new", record(1, True, "a", 1.0, "p"), record(2, True, "c", 1.0, "r"))
    found = paired(old, Records(new, "odebench", ("ours",)), ("ours",))
    (line,) = found["paired: before and now"].to_dict("records")
    assert (line["runs"], line["same equations"], line["same ledger"]) == (2, 1, "1 of 2")
    assert line["exact"] == "1 -> 2"
    assert line["ratio (median)"] == 0.375
    (changed,) = found["changed: runs with other equations"].to_dict("records")
    assert (changed["before"], changed["now"], changed["exact"]) == ("b", "c", "0 -> 1")


def test_a_folder_without_the_same_runs_is_refused(tmp_path):
    new = write(tmp_path / "new", record(1, True, "a", 1.0, "p"))
    with pytest.raises(ConfigError, match="no record of any"):
        paired(tmp_path / "elsewhere", Records(new, "odebench", ("ours",)), ("ours",))
