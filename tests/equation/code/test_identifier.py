"""Names of the data: identifiers in the code, harmless in its comments, whatever they are."""

import keyword
import re

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mathonet.equation.code.export import LANGUAGES, export
from mathonet.equation.code.identifier import identifiers, visible
from mathonet.equation.expression import variable

HOSTILE = [
    "dx/dt",
    "1st",
    "lambda",
    "θ",
    "温度",
    "<script>alert(1)</script>",
    "a\nimport os; os.abort()",
    "a\r\nabort();",
    "*/ abort(); /*",
    "ends with \\",
    "ends with ??/",
    "'''\"\"\"",
    "#= julia",
    "%{",
    "{x}",
    "$(abort)",
    "\\end{document}",
    "x",
    "u",
    "t",
    "f",
    "dx",
    "np",
    "state",
    "end",
    "double",
    "pi",
    "log",
    "_",
    "",
    " ",
    "a b",
    "a_b",
    "a-b",
    "\u202egnp",
    "\ud800",
    "\x00",
    "e" * 300,
]


def test_names_as_one_would_write_them():
    found = identifiers(["dx/dt", "1st", "lambda", "θ", "Größe (cm)", "温度", "x"], {"lambda"})
    assert found == ["dx_dt", "x_1st", "lambda_", "theta", "Groe_cm", "x_2", "x"]


def test_a_name_that_is_an_identifier_keeps_it():
    assert identifiers(["a b", "a_b"], set()) == ["a_b_2", "a_b"]


@given(st.lists(st.text() | st.sampled_from(HOSTILE), min_size=1, max_size=8))
def test_identifiers_are_valid_and_differ(names):
    found = identifiers(names, {*keyword.kwlist, "x", "e"})
    assert len(set(found)) == len(names)
    assert all(re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name) and not keyword.iskeyword(name) for name in found)
    assert not {"x", "e"} & set(found)
    assert all(len(name) <= 63 for name in found)


@given(st.text())
def test_comments_stay_on_their_line(text):
    assert visible(text).isprintable()


def test_hostile_names_run_in_every_language(rows_of, make, tmp_path):
    names = HOSTILE
    count = len(names)
    # Every state has the next one as its slope: a mix-up of names would show.
    system = make([variable((place + 1) % count) for place in range(count)], names, [])
    x = np.random.default_rng(0).normal(size=(3, count))
    np.testing.assert_array_equal(rows_of(system, tmp_path, x, None), np.roll(x, -1, axis=1))


@given(names=st.lists(st.text(), min_size=2, max_size=4, unique=True))
@settings(max_examples=30, suppress_health_check=list(HealthCheck))
def test_any_names_run_in_python(names, make, load_python, tmp_path_factory):
    folder = tmp_path_factory.mktemp("names")
    system = make([variable(1) for _ in names[:-1]], names[:-1], names[-1:])
    f = load_python(system, "python", folder)["f"]
    assert f(0.0, [1.0] * (len(names) - 1), [2.0])[0] == (2.0 if len(names) == 2 else 1.0)
    made = load_python(system, "sympy", folder)
    assert [str(s) for s in (*made["states"], *made["inputs"])] == names


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_line_is_code_or_comment(language, make):
    """No part of a name begins a line of its own."""
    names = [f"{name}\n!ABORT" for name in HOSTILE]
    text = export(make([variable(0) for _ in names], names, []), language)
    assert not re.search(r"^\s*!ABORT", text, re.MULTILINE)
    assert text.isprintable() or set(c for c in text if not c.isprintable()) == {"\n"}
    assert text.encode("utf-8")
