"""The outliers benchmark in small: its data, its table, and its place on the command line."""

import numpy as np
import pytest

from mathonet import cli
from mathonet.errors import ConfigError
from mathonet.experiments.bench import outliers
from mathonet.experiments.bench.outliers_cases import COUNTS, NOISES, SYSTEMS, all_spoilt
from mathonet.experiments.bench.runs import Records, Task

CASES = {case.name: case for case in all_spoilt()}


def made(task: Task, noise: float, **more) -> dict:
    method, name, seed, digest = task.key
    record = {"method": method, "case": name, "seed": seed, "definition": digest, "commit": "abc"}
    record |= {"exact": True, "right": [True], "trust": ["good"], "noise": [noise], "seconds": 2.0}
    return record | {"outliers": [[3, "x", 9.0]], "named": 1, "false": 0, "missed": []} | more


def test_seven_systems_with_every_noise_and_number():
    assert len(CASES) == len(SYSTEMS) * len(NOISES) * len(COUNTS)


def test_values_that_are_off_are_the_only_difference():
    plain, _ = CASES["lv-2%-0"].data(1)
    spoilt, wrong = CASES["lv-2%-10"].data(1)
    rows, columns = np.nonzero(plain.x != spoilt.x)
    assert [(row, plain.names[column]) for row, column in zip(rows, columns, strict=True)] == [
        (row, name) for row, name, _ in wrong
    ]
    assert len(wrong) == 10
    assert len(plain) == 200


def test_noise_is_compared_with_that_of_the_same_data(tmp_path):
    records = Records(tmp_path, "outliers", ("ours",))
    for seed in (0, 1):
        records.add(made(Task("ours", CASES["sir-1%-0"], seed), 0.01, outliers=[], named=0))
        records.add(made(Task("ours", CASES["sir-1%-3"], seed), 0.011 + 0.01 * seed))
    row = outliers.tables(records)["all: seven systems together"].iloc[1]
    assert (row["runs"], row["noise kept"], row["true equations"], row["named"]) == (2, 1, 2, 2)
    assert row["largest change of noise"] == pytest.approx(1.1)


def test_unknown_cases_are_refused(tmp_path, capsys):
    with pytest.raises(ConfigError, match="No case is called 'nope'"):
        outliers.run(tmp_path, range(1), print, ["nope"])
    assert cli.main(["bench", "outliers", "--no-peers", "--out", str(tmp_path)]) == 2
    assert "--no-peers" in capsys.readouterr().err


@pytest.mark.slow
def test_a_run(tmp_path):
    path = outliers.run(tmp_path, range(1), print, ["sir-clean-3"])
    assert "sir-clean-3" in path.read_text()
