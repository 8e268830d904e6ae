"""Names in LaTeX: readable for the usual ones, valid for all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.mathtext import MathTextParser

from mathonet.equation.latex_name import escaped, latex_name

PARSE = MathTextParser("path").parse


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("x", "x"),
        ("x1", "x_{1}"),
        ("x_10", "x_{10}"),
        ("x_1_2", "x_{1,2}"),
        ("alpha", r"\alpha"),
        ("Omega2", r"\Omega_{2}"),
        ("θ", r"\theta"),
        ("λ_1", r"\lambda_{1}"),
        ("µ", r"\mu"),
        ("½", r"\mathrm{½}"),
        ("dose", r"\mathrm{dose}"),
        ("dose_mg", r"\mathrm{dose}_{\mathrm{mg}}"),
        ("T_in_out", r"T_{\mathrm{in},\mathrm{out}}"),
        ("CO2", r"\mathrm{CO2}"),
        ("a b", r"\mathrm{a\ b}"),
        ("50%", r"\mathrm{50\%}"),
        ("A&B", r"\mathrm{A\&B}"),
        ("u[+1]", r"\mathrm{u[+1]}"),
        ("7", r"\mathrm{7}"),
        ("__", r"\mathrm{\_\_}"),
        ("_x_", "x"),
    ],
)
def test_names_as_one_would_write_them(name, wanted):
    assert latex_name(name) == wanted


NAMES = st.text(st.characters(min_codepoint=32, max_codepoint=126, exclude_characters="&"), min_size=1)


@given(NAMES.filter(str.strip))
def test_every_printable_name_can_be_set(name):
    """Names that are blank are refused where data come in."""
    written = latex_name(name)
    PARSE(rf"$\dot{{{written}}} = 2 \, {written}^{{2}}$")


@given(st.text(min_size=1))
def test_braces_close_and_no_mark_is_left_to_act(name):
    written = latex_name(name).replace(r"\{", "").replace(r"\}", "")
    assert written.count("{") == written.count("}")
    for mark in "#$%&":
        assert written.count(mark) == written.count(f"\\{mark}")


def test_escapes():
    assert escaped("my_op") == r"my\_op"
