"""The paper's parts: what they write, what the command refuses, and (marked `paper`) the headline numbers."""

import json

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from mathonet import Samples, cli, discover, systems
from mathonet.cli import commands
from mathonet.cli.arguments import PAPER
from mathonet.equation.assembly import constants
from mathonet.equation.parse import from_sympy
from mathonet.experiments.paper import parts
from mathonet.experiments.paper.fisher_kpp import fisher_kpp
from mathonet.experiments.paper.lorenz import cycles_table, lorenz
from mathonet.experiments.paper.lotka_volterra import lotka_volterra
from mathonet.experiments.paper.noise import Cell, noise
from mathonet.experiments.paper.noisy import noisy_discovery
from mathonet.experiments.paper.results import Part, Result, recovered, write_part
from mathonet.experiments.paper.tutorial import tutorial
from mathonet.experiments.truth import truths

KEYS = ["name", "truth", "paper", "ours", "bound", "seeds", "success"]
RESULTS = [
    Result("x': x", -10.0, -9.99999935280567, -10.0, None, 20, 20),
    Result("lost", 1.0, None, float("nan"), 0.012345678, 20, 0),
]
FIGURE = {"a-figure": lambda: Figure((1.0, 1.0))}


def small() -> Part:
    table = pd.DataFrame({"cycle": [1, 2], "terms": [12.0, np.nan]})
    return Part(RESULTS, {"cycles of x': all": table}, {"weights of x'": table}, FIGURE, ("A note.",))


def test_a_part_leaves_results_tables_and_figures(tmp_path):
    path = write_part(tmp_path, "lorenz", "mathonet paper lorenz", small())
    assert path == tmp_path / "lorenz"
    assert {entry.name for entry in path.iterdir()} == {
        "results.json",
        "table.md",
        "cycles-of-x.csv",
        "weights-of-x.csv",
        "a-figure.png",
        "a-figure.svg",
    }
    rows = json.loads((path / "results.json").read_text())
    assert [list(row) for row in rows] == [KEYS] * 2
    assert rows[0] == dict(zip(KEYS, ["x': x", -10.0, -9.99999935280567, -10.0, None, 20, 20], strict=True))
    assert rows[1]["ours"] is None
    pd.testing.assert_frame_equal(pd.read_csv(path / "weights-of-x.csv"), small().files["weights of x'"])


def test_the_table_has_all_digits_and_says_where_it_comes_from(tmp_path):
    text = (write_part(tmp_path, "p", "mathonet paper p", small()) / "table.md").read_text()
    assert text.startswith("# p\n\n- command: mathonet paper p\n- commit: ")
    assert "| x': x | -10 | -9.99999935280567 | -10 |  | 20 | 20 |" in text
    assert "| lost | 1 |  |  | 0.0123457 | 20 | 0 |" in text
    assert "A note." in text
    assert "| 2 |  |" in text


def test_a_list_of_results_is_a_part_too(tmp_path):
    path = write_part(tmp_path, "plain", "mathonet paper plain", RESULTS)
    assert {entry.name for entry in path.iterdir()} == {"results.json", "table.md"}


@pytest.fixture
def quick(monkeypatch):
    """Parts that take no time, and the seeds each was asked for."""
    asked = {}

    def entry(name):
        def compute(seeds, say):
            asked[name] = seeds
            say(f"computing {name}")
            return small()

        return parts.Entry(compute, 3)

    monkeypatch.setattr(parts, "PARTS", {name: entry(name) for name in PAPER})
    monkeypatch.setattr(commands, "_use_compilation_cache", lambda: None)
    return asked


def test_one_part_shows_its_table_and_its_progress(quick, tmp_path, capsys):
    assert cli.main(["paper", "lorenz", "--out", str(tmp_path / "deep" / "out"), "--seeds", "2"]) == 0
    shown = capsys.readouterr()
    assert quick == {"lorenz": 2}
    assert "# lorenz" in shown.out
    assert "part 1 of 1: lorenz, 2 seeds" in shown.err
    assert "computing lorenz" in shown.err


def test_all_parts_are_written_with_a_summary(quick, tmp_path, capsys):
    assert cli.main(["paper", "all", "--out", str(tmp_path)]) == 0
    assert quick == dict.fromkeys(PAPER, 3)
    for name in PAPER:
        assert (tmp_path / name / "results.json").exists()
    summary = (tmp_path / "summary.md").read_text()
    assert summary == capsys.readouterr().out
    assert "numbers that every seed has right" in summary
    last = [cell.strip() for cell in summary.strip().splitlines()[-1].split("|")[1:-1]]
    assert last[0] == "all"
    assert last[-2:] == [str(2 * len(PAPER)), str(len(PAPER))]


def test_the_command_and_the_parts_have_the_same_names():
    assert tuple(parts.PARTS) == PAPER


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--seeds", "0"], "--seeds must be a whole number of at least 1, got 0"),
        (["--seeds", "-3"], "--seeds must be a whole number of at least 1, got -3"),
        (["--out", "file"], "Results cannot be written to file"),
        (["--out", "file/below"], "Results cannot be written to file/below"),
        (["--out", "/proc/nowhere"], "Choose another --out"),
    ],
)
def test_bad_options_end_with_one_line(quick, tmp_path, monkeypatch, capsys, arguments, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("mine")
    assert cli.main(["paper", "lorenz", *arguments]) == 2
    shown = capsys.readouterr()
    assert shown.err.startswith("error: ")
    assert message in shown.err
    assert shown.out == ""
    assert quick == {}
    assert {entry.name for entry in tmp_path.iterdir()} == {"file"}


def test_an_unknown_part_ends_with_the_usage(capsys):
    with pytest.raises(SystemExit) as caught:
        cli.main(["paper", "figure-7"])
    assert caught.value.code == 2
    assert "usage: mathonet paper" in capsys.readouterr().err


@pytest.fixture(scope="module")
def decay():
    x = np.linspace(1.0, 2.0, 40)[:, None]
    return discover(Samples(x, -2 * x, ("x",), ("x",)), operations=["ident"], hidden=(1,), restarts=2)


def test_success_is_ten_digits_and_the_true_terms(decay):
    x = systems.get("lorenz").symbols[0]
    (right,) = recovered([decay], 0, from_sympy(-2 * x, (x,)), (-1.99,), "here, ")
    assert (right.name, right.truth, right.paper, right.success) == ("here, x': x", -2.0, -1.99, 1)
    assert right.ours == pytest.approx(-2.0, rel=1e-12)
    (near,) = recovered([decay], 0, from_sympy(-(2 + 1e-9) * x, (x,)), None, "")
    assert near.success == 0
    for other in recovered([decay], 0, from_sympy(-2 * x - 1e-9, (x,)), None, ""):
        assert (other.ours, other.success) == (None, 0)


def test_a_table_of_cycles_ends_where_nothing_changes(decay):
    table, whole = cycles_table(decay, "x"), decay.history("x")
    assert 1 <= len(table) <= len(whole)
    assert table["validation"].iloc[-1] == whole["validation"].iloc[-1]


def test_a_cell_counts_where_every_coefficient_is_sure():
    wanted, deviation = np.array([1.0, -4.0]), np.array([0.1, 0.6])
    information = np.diag(deviation**-2.0)
    errors = np.array([[0.1, 0.0], [0.0, -0.6]])
    cell = Cell(10_000, 1.0, "x", ["x", "y"], wanted, deviation, information, errors, 2)
    assert cell.sure == pytest.approx(4 / 0.6)
    assert not cell.counts
    assert cell.squares == pytest.approx(2.0)


def say(_: str) -> None:
    """Nobody listens."""


def right(part: Part, *, but: tuple[str, ...] = ()) -> bool:
    """Whether every number succeeded in every seed, save those with a word of `but` in their names."""
    failed = [
        r
        for r in part.results
        if r.success not in (None, r.seeds) and not any(word in r.name for word in but)
    ]
    assert not failed, failed
    return bool(part.results)


@pytest.mark.paper
def test_lorenz_to_ten_digits_and_the_papers_count_of_terms():
    part = lorenz(2, say)
    assert right(part, but=("Lasso",))
    ours = {result.name: result.ours for result in part.results}
    assert ours["z': terms at the start"] == 1551
    assert ours["z': terms at the end"] == 2
    assert ours["z': cycles to the true terms"] <= 6
    horizon = part.tables["attractors"].set_index("cycle")["within 1 of the truth to t"]
    assert horizon[1] < horizon[6] < horizon["refitted"]


@pytest.mark.paper
def test_lotka_volterra_to_ten_digits_by_one_network_and_by_two():
    part = lotka_volterra(2, say)
    assert right(part, but=("Lasso",))
    ours = {result.name: result.ours for result in part.results}
    assert ours["one network, terms at the start"] == 140
    assert part.tables["test and simulation"]["worst error of the simulation"].max() < 1e-6


@pytest.mark.paper
def test_noise_keeps_the_true_terms_and_reaches_the_bound():
    part = noise(4, say, sizes=(10_000,))
    table = part.tables["cells"]
    assert (table["exactly the true terms"] == table["seeds"])[table["every coefficient sure"] == "yes"].all()
    pooled = part.results[-1]
    assert "Cramer-Rao" in pooled.name
    assert pooled.ours == pytest.approx(1.0, abs=0.2)  # 112 coefficients; the whole part has 1,120


@pytest.mark.paper
def test_the_noisiest_long_series_gives_the_coefficient_that_the_paper_misses():
    """The paper has -1.193 for -1 at sigma = 10; two draws of the noise that no other run has seen."""
    found = noisy_discovery("lorenz", 100_000, 10.0, 2, seed=[41, 5])
    truth = truths("lorenz")[1]
    for equation in found.system.equations[1::3]:
        assert equation.expression.skeleton == truth.skeleton
        assert np.abs(constants(equation.expression) - np.asarray(constants(truth))).max() < 0.1


@pytest.mark.paper
def test_fisher_kpp_by_moments():
    assert right(fisher_kpp(1, say))


@pytest.mark.paper
def test_the_tutorial_expression_with_all_constants():
    part = tutorial(1, say)
    assert right(part)
    assert [result.name for result in part.results] == ["k1", "k2", "k3", "k4", "k5"]
