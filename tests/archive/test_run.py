"""The folder a run leaves: whole or not at all, strict JSON, and nothing of the user's replaced."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from mathonet import Samples
from mathonet.archive import run as archive
from mathonet.archive.folder import check_folder
from mathonet.archive.run import Saved
from mathonet.archive.run import write_run as write_saved
from mathonet.equation.tree import from_tree
from mathonet.errors import ArchiveError
from mathonet.result.discover import Discovery, discover

FILES = {"archive.json", "equations.json", "candidates.csv", "config.json", "data.npz", "history.npz"}


def write_run(discovery: Discovery, folder) -> Path:
    return write_saved(Saved("Discoverer", {}, discovery), folder)


@pytest.fixture(scope="module")
def discovery() -> Discovery:
    rng = np.random.default_rng(0)
    x = rng.uniform(1, 2, size=(60, 2))
    b = np.stack([3 * x[:, 0] - 2 * x[:, 0] * x[:, 1], -x[:, 1]], axis=1) + 1e-3 * rng.normal(size=(60, 2))
    samples = Samples(x, b, ("x", "y"), ("x", "y"))
    return discover(samples, hidden=(1,), operations=["ident"], restarts=4, cycles=6, seed=3)


def strict(path: Path):
    """JSON as the standard has it: no NaN, no Infinity."""

    def refuse(name: str):
        raise AssertionError(f"{name} is no JSON")

    return json.loads(path.read_text(), parse_constant=refuse)


def names(folder: Path) -> set[str]:
    return {entry.name for entry in folder.iterdir()}


def test_a_run_leaves_its_files_and_nothing_beside_them(discovery, tmp_path):
    path = write_run(discovery, tmp_path / "deep" / "run")
    assert path == tmp_path / "deep" / "run"
    assert names(path) == FILES
    assert names(tmp_path / "deep") == {"run"}


def test_equations_json_has_the_documented_shape(discovery, tmp_path):
    content = strict(write_run(discovery, tmp_path / "run") / "equations.json")
    assert set(content) == {
        "format",
        "equations",
        "not_found",
        "noise",
        "outliers",
        "smoothing",
        "seed",
        "seconds",
        "stopped",
    }
    assert content["format"] == 1
    assert content["seed"] == 3
    assert content["seconds"] >= 0
    assert len(content["noise"]) == len(content["equations"]) == 2
    for written, equation in zip(content["equations"], discovery.system.equations, strict=True):
        assert set(written) == {
            "target",
            "text",
            "latex",
            "simple_numbers",
            "expression",
            "coefficients",
            "evidence_gap",
            "trust",
        }
        assert written["target"] == equation.target
        assert written["text"] == equation.text()
        assert written["simple_numbers"] == equation.snapped().text()
        assert written["latex"] == equation.latex()
        assert from_tree(written["expression"], equation.inputs) == equation.expression
        table = equation.coefficients()
        for row, term, value, std in zip(
            written["coefficients"], table["term"], table["value"], table["std"], strict=True
        ):
            assert (row["term"], row["value"], row["std"]) == (term, value, std)
            assert row["low"] <= row["value"] <= row["high"]


def test_evidence_gap_is_null_where_there_is_no_other_form(discovery, tmp_path):
    content = strict(write_run(discovery, tmp_path / "run") / "equations.json")
    assert [each["evidence_gap"] for each in content["equations"]] == list(discovery.gaps)
    assert [gap is None for gap in discovery.gaps] == [len(pool) == 1 for pool in discovery.candidates]


def test_json_is_strict_even_where_a_number_is_missing(discovery, tmp_path):
    first, *others = discovery.system.equations
    unsure = replace(first, covariance=np.full_like(first.covariance, np.inf), sigma=float("nan"))
    system = replace(discovery.system, equations=(unsure, *others))
    trust = tuple(replace(each, gap=gap) for each, gap in zip(discovery.trust, (None, np.inf), strict=True))
    path = write_run(replace(discovery, system=system, trust=trust), tmp_path / "run")
    content = strict(path / "equations.json")
    assert content["noise"][0] is None
    assert content["equations"][0]["coefficients"][0]["std"] is None
    assert [each["evidence_gap"] for each in content["equations"]] == [None, None]


def test_config_holds_what_the_run_was_asked(discovery, tmp_path):
    content = strict(write_run(discovery, tmp_path / "run") / "config.json")
    assert content["operations"] == ["ident"]
    assert (content["hidden"], content["restarts"], content["cycles"], content["seed"]) == ([1], 4, 6, 3)
    assert content["learning"]["map_step"] == "newton"


def test_candidates_are_the_candidate_table(discovery, tmp_path):
    table = pd.read_csv(write_run(discovery, tmp_path / "run") / "candidates.csv")
    expected = discovery.table()
    assert list(table.columns) == list(expected.columns)
    assert table["equation"].tolist() == expected["equation"].tolist()
    assert table.groupby("target")["chosen"].sum().eq(1).all()


def test_history_holds_every_cycle_without_pickles(discovery, tmp_path):
    (runs,) = discovery.sweeps.values()
    with np.load(write_run(discovery, tmp_path / "run") / "history.npz", allow_pickle=False) as arrays:
        assert str(arrays["rung0/name"]) == "given"
        w = arrays["rung0/w"]
        assert w.shape[:2] == (len(runs.history), len(runs.target))
        np.testing.assert_array_equal(w[-1], runs.history[-1].w)
        np.testing.assert_array_equal(arrays["rung0/lambda"][0], runs.lam)


def test_an_earlier_run_is_replaced(discovery, tmp_path):
    path = write_run(discovery, tmp_path / "run")
    (path / "report.html").write_text("of the earlier run")
    write_run(replace(discovery, seconds=99.0), path)
    assert strict(path / "equations.json")["seconds"] == 99.0
    assert names(path) == FILES
    assert names(tmp_path) == {"run"}


@pytest.mark.parametrize("place", ["equations", "settings_to", "discovery_to", "savez", "table", "rename"])
@pytest.mark.parametrize("error", [RuntimeError, OSError, KeyboardInterrupt])
def test_a_failure_in_the_middle_changes_nothing(discovery, tmp_path, monkeypatch, place, error):
    path = write_run(discovery, tmp_path / "run")
    before = {entry.name: entry.read_bytes() for entry in path.iterdir()}

    def fail(*arguments, **_):
        # The earlier run may step aside and come back; it is the new one's arrival that fails.
        if place == "rename" and "-old" in f"{arguments[0]} {arguments[1]}":
            return original(*arguments)
        raise error("no space left")

    original = Path.rename
    with monkeypatch.context() as patch:
        if place == "rename":
            patch.setattr(Path, "rename", fail)
        elif place == "table":
            patch.setattr(Discovery, "table", fail)
        elif place == "savez":
            patch.setattr(archive.np, "savez_compressed", fail)
        else:
            patch.setattr(archive, place, fail)
        with pytest.raises(ArchiveError if error is OSError else error, match="no space left"):
            write_run(discovery, path)
        with pytest.raises(ArchiveError if error is OSError else error):
            write_run(discovery, tmp_path / "new" / "deeper" / "run")
    assert names(tmp_path) == {"run"}
    assert {entry.name: entry.read_bytes() for entry in path.iterdir()} == before


def test_what_is_no_text_is_refused_and_changes_nothing(discovery, tmp_path):
    with pytest.raises(ArchiveError, match="surrogates not allowed"):
        write_saved(Saved("Discoverer", {}, discovery), tmp_path / "run", {"config.toml": "\udcff"})
    assert names(tmp_path) == set()


def test_a_foreign_folder_is_refused_and_left_alone(discovery, tmp_path):
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(ArchiveError, match="holds no earlier run"):
        check_folder(tmp_path)
    with pytest.raises(ArchiveError, match="holds no earlier run"):
        write_run(discovery, tmp_path)
    assert names(tmp_path) == {"thesis.tex"}


def test_notes_beside_an_earlier_run_are_not_replaced(discovery, tmp_path):
    path = write_run(discovery, tmp_path / "run")
    (path / "notes.md").write_text("mine")
    with pytest.raises(ArchiveError, match=r"also 'notes\.md'"):
        write_run(discovery, path)
    assert (path / "notes.md").read_text() == "mine"


def test_a_file_is_refused(discovery, tmp_path):
    (tmp_path / "run").write_text("mine")
    for folder in (tmp_path / "run", tmp_path / "run" / "deeper"):
        with pytest.raises(ArchiveError, match="is a file"):
            write_run(discovery, folder)
    assert (tmp_path / "run").read_text() == "mine"


def test_the_working_folder_is_refused(discovery, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder in (".", "..", tmp_path):
        with pytest.raises(ArchiveError, match="working folder"):
            write_run(discovery, folder)
    assert names(tmp_path) == set()


def test_an_empty_folder_is_taken(discovery, tmp_path):
    (tmp_path / "run").mkdir()
    assert names(write_run(discovery, tmp_path / "run")) == FILES
