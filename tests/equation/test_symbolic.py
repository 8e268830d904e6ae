"""Text, LaTeX and SymPy: three notations of one value, in which no term can hide."""

import re

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from sympy.parsing.sympy_parser import implicit_multiplication, parse_expr, standard_transformations

from mathonet.equation.assembly import constants
from mathonet.equation.equation import with_signs
from mathonet.equation.expression import Call, Expression, Term, apply, number, variable
from mathonet.equation.parse import from_sympy
from mathonet.equation.symbolic import constant_labels, latex, term_text, text, to_sympy
from mathonet.errors import ConfigError
from mathonet.operations import get

NAMES = ("x", "y")
SYMBOLS = sympy.symbols("x y")
FORMS = [
    "0",
    "-5",
    "-10*x + 10*y",
    "28*x - y - x*y**2",
    "1e-12*x - 1e15*y",
    "1/x**2 + x/y - 3/(x*y)",
    "1/(49*x + 2)",
    "x**2/(1 + 3*x**2)**3",
    "y/((x + y)*(x - 3*y))",
    "2*exp(-x**2/2)*y - 0.3*exp(-2*x)/(1 + x)",
    "sin(x)*cos(2*y - 1)**2",
    "tanh(-0.52*x + 0.25) + tan(0.3*x)",
    "log(3*x + 1) - 2*log(y)*x",
    "sqrt(49*x + 1) + sqrt(-y)/2",
    "abs(-3*x + 2)/abs(y)",
    "sin(0.4*cos(x*y) + exp(-x)/(2 + y**2))",
]
POINTS = np.random.default_rng(0).uniform(0.3, 1.9, size=(25, 2)) * [[1, -1]]


def form(source: str) -> Expression:
    return from_sympy(sympy.sympify(source), SYMBOLS)


def numbers(expression: sympy.Expr) -> np.ndarray:
    function = sympy.lambdify(SYMBOLS, expression, "numpy")
    return np.broadcast_to(function(*POINTS.T), len(POINTS))


def parsed(written: str) -> sympy.Expr:
    """A product is written with a space, as on paper."""
    local = dict(zip(NAMES, SYMBOLS, strict=True)) | {"abs": sympy.Abs}
    rules = (*standard_transformations, implicit_multiplication)
    return parse_expr(written.replace("^", "**"), local, rules)


def braced(source: str, start: int) -> int:
    """Where the brace that opens at `start` closes."""
    depth = 0
    for place in range(start, len(source)):
        depth += {"{": 1, "}": -1}.get(source[place], 0)
        if depth == 0:
            return place
    raise AssertionError(f"unbalanced: {source}")


def plain(source: str) -> str:
    """LaTeX as text that SymPy reads; only the commands that are written here."""
    source = re.sub(r" \\cdot 10\^\{(-?\d+)\}", r"e\1", source)
    for command in (r"\frac", r"\sqrt"):
        while command in source:
            place = source.index(command)
            end = braced(source, place + len(command))
            first = source[place + len(command) + 1 : end]
            if command == r"\sqrt":
                source = f"{source[:place]} sqrt({first}){source[end + 1 :]}"
                continue
            last = braced(source, end + 1)
            source = f"{source[:place]}(({first})/({source[end + 2 : last]})){source[last + 1 :]}"
    source = source.replace(r"\left|", "abs(").replace(r"\right|", ")")
    source = source.replace(r"\left(", "(").replace(r"\right)", ")").replace(r"\,", "*")
    source = re.sub(r"\^\{(\d+)\}", r"**\1", source)
    source = re.sub(r"\\(sin|cos|tan|exp|log|tanh)", r"\1", source)
    assert "\\" not in source, source
    assert "{" not in source, source
    return source


@pytest.mark.parametrize("source", FORMS)
def test_all_notations_have_the_value_of_the_expression(source, value):
    expression = form(source)
    expected = value(expression, POINTS)
    for found in (
        to_sympy(expression, SYMBOLS),
        parsed(text(expression, NAMES, digits=17)),
        parsed(plain(latex(expression, NAMES, digits=17))),
    ):
        np.testing.assert_allclose(numbers(found), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("source", FORMS)
def test_sympy_holds_the_free_constants_to_the_bit(source):
    expression = form(source)
    seen: list[float] = []
    to_sympy(expression, SYMBOLS, lambda c: seen.append(c) or sympy.Float(c))
    assert seen == constants(expression)
    assert all(float(sympy.Float(c)) == c for c in seen)


def test_lorenz_is_written_as_in_the_book():
    assert text(form("28*x - y - x*y"), NAMES) == "28.000 x - 1.0000 y - 1.0000 x y"
    assert latex(form("-8*y/3"), NAMES) == r"-2.6667 \, y"
    assert text(Expression(), NAMES) == latex(Expression(), NAMES) == "0"


def test_greek_and_indexed_names_are_written_in_latex():
    assert latex(form("2*x + 3*y"), ("theta", "x_1")) == r"2.0000 \, \theta + 3.0000 \, x_{1}"


@pytest.mark.parametrize("digits", [0, -1, 18, 2.5, "3", True, None])
def test_digits_that_no_number_has_are_refused(digits):
    for notation in (text, latex):
        with pytest.raises(ConfigError, match="whole number from 1 to 17"):
            notation(form("2*x"), NAMES, digits)
    assert text(form("2*x"), NAMES, 1) == "2 x"


@given(st.floats(1e-300, 1e300), st.floats(1e-300, 1e300), st.integers(1, 12))
def test_no_term_hides(small, large, digits):
    """Decimals would round 1e-9 away; significant digits show every term beside every other."""
    expression = Expression((Term(large, ((0, 1),)), Term(-small, ((1, 1),))))
    first, second = text(expression, NAMES, digits).split(" - ")
    for written, name, coefficient in ((first, "x", large), (second, "y", small)):
        figure, _, label = written.partition(" ")
        assert label == name
        assert float(figure) == pytest.approx(coefficient, rel=10.0 ** (1 - digits))
        assert float(figure) != 0.0


@pytest.mark.parametrize(
    ("digits", "expected"), [(1, "1e+05 x"), (3, "1.23e+05 x"), (6, "123456 x"), (8, "123456.00 x")]
)
def test_digits_are_significant_digits(digits, expected):
    assert text(form("123456*x"), NAMES, digits).replace("1.e", "1e") == expected


@pytest.mark.parametrize("name", ["log", "sqrt"])
@pytest.mark.parametrize(("low", "high", "sign"), [(0.1, 2.0, 1), (-2.0, -0.1, -1), (-1.0, 1.0, 0)])
def test_bars_are_written_only_where_the_data_need_them(name, low, high, sign):
    data = np.linspace(low, high, 40)
    expression = with_signs(apply(get(name), variable(0)), lambda argument: data)
    assert next(expression.calls()).sign == sign
    inside = {1: "x", -1: "-(x)", 0: "abs(x)"}[sign]
    assert text(expression, NAMES) == f"1.0000 {name}({inside})"
    function = {"log": sympy.log, "sqrt": sympy.sqrt}[name]
    argument = {1: SYMBOLS[0], -1: -SYMBOLS[0], 0: sympy.Abs(SYMBOLS[0])}[sign]
    found = to_sympy(expression, SYMBOLS)
    assert found == sympy.Float(1.0) * function(argument)
    assert r"\left|" in latex(expression, NAMES) if sign == 0 else r"\left|" not in latex(expression, NAMES)
    np.testing.assert_allclose(
        sympy.lambdify(SYMBOLS[0], found, "numpy")(data), getattr(np, name)(np.abs(data)), rtol=1e-14
    )


def test_a_touch_of_zero_is_no_sign():
    data = np.array([0.0, 1.0, 2.0])
    expression = with_signs(apply(get("log"), variable(0)), lambda argument: data)
    assert next(expression.calls()).sign == 0


def test_signs_are_noted_inside_other_calls_and_kept_out_of_them():
    inner = apply(get("log"), variable(0))
    expression = with_signs(apply(get("sin"), inner), lambda argument: np.ones(3))
    sine, log = expression.calls()
    assert (sine.operation.name, sine.sign) == ("sin", 0)
    assert (log.operation.name, log.sign) == ("log", 1)


def test_an_argument_too_large_to_evaluate_has_no_sign():
    expression = with_signs(apply(get("log"), variable(0)), lambda argument: None)
    assert next(expression.calls()).sign == 0


@pytest.mark.parametrize("source", FORMS)
def test_every_free_constant_has_a_label(source):
    expression = form(source)
    labels = constant_labels(expression, NAMES)
    assert len(labels) == len(constants(expression))
    outer = [term_text(term, NAMES) for term in expression.terms]
    assert [label for label in labels if " inside " not in label] == outer


def test_labels_say_where_a_constant_stands():
    assert constant_labels(form("2*sin(3*x + 1) - 4"), NAMES) == [
        "sin(3.0000 x + 1.0000)",
        "x inside sin",
        "1 inside sin",
        "1",
    ]


def test_an_inverse_of_an_inverse_keeps_its_brackets():
    x = variable(0)
    form = apply(get("inv"), apply(get("inv"), x + number(1.5)) * x)
    assert text(form, ["x"]) == "1.0000 (x + 1.5000)/x"
    assert to_sympy(form, [SYMBOLS[0]]).subs(SYMBOLS[0], 2.0) == 1.75


def test_a_sign_is_for_logarithms_and_roots_alone():
    assert text(Expression((Term(1.0, ((Call(get("sin"), variable(0), -1), 1),)),)), ["x"]) == "1.0000 sin(x)"


@pytest.mark.parametrize(
    ("source", "simple", "wanted", "in_latex"),
    [
        ("28*x - y + 1", {28.0, 1.0}, "28 x - y + 1", r"28 \, x - y + 1"),
        ("28*x - y", {28.0}, "28 x - 1.0000 y", r"28 \, x - 1.0000 \, y"),
        ("8*x/3 - 1", {8 / 3, 1.0}, "8/3 x - 1", r"\frac{8}{3} \, x - 1"),
        (
            "1/x - 3.2e-7/(x + y)",
            {1.0, 3.2e-7},
            "1/x - 3.2e-07/(x + y)",
            r"\frac{1}{x} - \frac{3.2 \cdot 10^{-7}}{x + y}",
        ),
        ("-sin(2*x + 1)", {1.0, 2.0}, "-sin(2 x + 1)", r"-\sin\left(2 \, x + 1\right)"),
    ],
)
def test_simple_numbers_are_written_as_people_do(source, simple, wanted, in_latex):
    assert text(form(source), NAMES, simple=simple) == wanted
    assert latex(form(source), NAMES, simple=simple) == in_latex
