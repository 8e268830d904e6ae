"""The benchmarks' own tools: a comparison with the truth, and tables that say where they come from."""

import numpy as np
import pandas as pd
import pytest
import sympy

from mathonet import systems
from mathonet.equation.parse import from_sympy
from mathonet.experiments.bench.table import command_line, header, markdown, write_tables
from mathonet.experiments.truth import compare

SYMBOLS = sympy.symbols("x y")


def form(source: str):
    return from_sympy(sympy.sympify(source), SYMBOLS)


def test_the_truth_equals_itself():
    for system in systems.all_systems():
        for equation in system.equations:
            truth = from_sympy(equation, system.symbols)
            assert compare(truth, truth) == (True, 0.0)


def test_error_is_the_largest_relative_error_of_a_constant():
    same, error = compare(form("2.002*x - 3*sin(1.0001*y)"), form("2*x - 3*sin(y)"))
    assert same
    assert error == pytest.approx(1e-3)


@pytest.mark.parametrize(
    "found", ["2*x", "2*x - 3*y + 1e-9*x*y", "2*x - 3*y**2", "2*x - 3*sin(y)", "2*x - 3*y + 1e-12", "0"]
)
def test_a_term_too_many_or_too_few_is_another_form(found):
    assert compare(form(found), form("2*x - 3*y")) == (False, np.inf)


TABLE = pd.DataFrame({"system": ["a|b", "c"], "error": [1.23456e-9, np.inf], "hits": [3, 4]})


def test_header_says_where_a_table_comes_from():
    labels = [line.split(":")[0] for line in header("mathonet bench core")]
    assert labels == ["command", "commit", "machine", "date"]
    assert header("mathonet bench core")[0] == "command: mathonet bench core"
    assert "cores" in header("x")[2]


def test_tables_are_written_as_markdown_and_csv_with_the_header(tmp_path):
    path = write_tables(
        tmp_path / "deep", "core", "mathonet bench core", {"exact: clean": TABLE, "a b": TABLE}
    )
    assert path == tmp_path / "deep" / "core.md"
    text = path.read_text()
    for line in header("mathonet bench core"):
        assert f"- {line}" in text
    assert "## exact: clean" in text
    assert {entry.name for entry in path.parent.iterdir()} == {"core.md", "core-exact.csv", "core-a-b.csv"}
    lines = (path.parent / "core-exact.csv").read_text().splitlines()
    assert lines[:4] == [f"# {line}" for line in header("mathonet bench core")]
    again = pd.read_csv(path.parent / "core-exact.csv", comment="#")
    pd.testing.assert_frame_equal(again, TABLE)


def test_markdown_is_a_table_of_four_digits():
    assert markdown(TABLE).splitlines() == [
        "| system | error | hits |",
        "| --- | --- | --- |",
        "| a\\|b | 1.235e-09 | 3 |",
        "| c | inf | 4 |",
    ]


def test_command_line_is_what_a_user_would_type(monkeypatch):
    monkeypatch.setattr("sys.argv", ["/somewhere/bin/mathonet", "bench", "core"])
    assert command_line() == "mathonet bench core"
