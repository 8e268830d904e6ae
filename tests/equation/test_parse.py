"""SymPy or text -> Expression: known mathematics in, everything else refused by name, nothing ever run."""

import numpy as np
import pytest
import sympy
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mathonet import systems
from mathonet.equation.expression import Expression
from mathonet.equation.parse import FUNCTIONS, from_sympy, from_text
from mathonet.equation.symbolic import to_sympy
from mathonet.errors import ConfigError

X, Y = SYMBOLS = sympy.symbols("x y")
POINTS = np.random.default_rng(3).uniform(0.3, 1.9, size=(20, 2))


def numbers(expression: sympy.Expr) -> np.ndarray:
    return np.broadcast_to(sympy.lambdify(SYMBOLS, expression, "numpy")(*POINTS.T), len(POINTS))


coefficients = st.floats(0.1, 3.0) | st.floats(-3.0, -0.1)
leaves = st.sampled_from([X, Y]) | coefficients.map(sympy.Float)
functions = st.sampled_from([sympy.sin, sympy.cos, sympy.tanh, lambda h: 1 / (sympy.Float(7.3) + h**2)])


def grow(children):
    return st.one_of(
        st.builds(lambda a, b: a + b, children, children),
        st.builds(lambda a, b: a * b, children, children),
        st.builds(lambda f, a: f(a), functions, children),
        st.builds(lambda a, n: a**n, children, st.integers(2, 3)),
    )


@given(st.recursive(leaves, grow, max_leaves=5))
@settings(max_examples=60)
def test_round_trip_keeps_value_and_form(expression):
    found = from_sympy(expression, SYMBOLS)
    written = to_sympy(found, SYMBOLS)
    np.testing.assert_allclose(numbers(written), numbers(expression), rtol=1e-8, atol=1e-8)
    assert from_sympy(written, SYMBOLS).skeleton == found.skeleton


@pytest.mark.parametrize("function", FUNCTIONS, ids=FUNCTIONS.values())
def test_every_function_has_a_normal_form(function):
    found = from_sympy(2 * function(0.5 * X + 1), SYMBOLS)
    np.testing.assert_allclose(
        numbers(to_sympy(found, SYMBOLS)), numbers(2 * function(0.5 * X + 1)), rtol=1e-13
    )


@pytest.mark.parametrize(
    "expression",
    [sympy.sqrt(X), X ** sympy.Rational(3, 2), X ** sympy.Rational(-1, 2), X**-2, 1 / (X + Y) ** 2],
    ids=str,
)
def test_whole_and_half_powers(expression):
    found = to_sympy(from_sympy(expression, SYMBOLS), SYMBOLS)
    np.testing.assert_allclose(numbers(found), numbers(expression), rtol=1e-13)


def test_numbers_of_every_kind():
    expression = sympy.pi * X + sympy.Rational(8, 3) * Y - sympy.E + sympy.Integer(2)
    by_factors = {term.factors: term.coefficient for term in from_sympy(expression, SYMBOLS).terms}
    assert by_factors == {((0, 1),): np.pi, ((1, 1),): 8 / 3, (): pytest.approx(2 - np.e, rel=1e-15)}


@pytest.mark.parametrize("name", systems.names())
def test_every_built_in_system_has_a_normal_form(name):
    system = systems.get(name)
    point = np.linspace(0.3, 0.7, len(system.symbols))
    for equation in system.equations:
        found = to_sympy(from_sympy(equation, system.symbols), system.symbols)
        values = [float(e.subs(dict(zip(system.symbols, point, strict=True)))) for e in (found, equation)]
        assert values[0] == pytest.approx(values[1], rel=1e-13)


def test_unknown_symbol_is_named_with_the_known_ones():
    with pytest.raises(ConfigError, match=r"Unknown symbol z.*\['x', 'y'\]"):
        from_sympy(X + sympy.Symbol("z"), SYMBOLS)


def test_a_symbol_with_assumptions_is_another_symbol():
    with pytest.raises(ConfigError, match="Unknown symbol x"):
        from_sympy(sympy.Symbol("x", positive=True), SYMBOLS)


@pytest.mark.parametrize(
    "expression",
    [
        sympy.sinh(X),
        sympy.erf(X),
        sympy.Function("f")(X),
        sympy.Derivative(sympy.Function("f")(X), X),
        sympy.Integral(X, (X, 0, 1)),
        sympy.Piecewise((X, X > 0), (Y, True)),
        sympy.Max(X, Y),
        sympy.atan2(X, Y),
    ],
    ids=str,
)
def test_unknown_functions_are_refused(expression):
    with pytest.raises(ConfigError):
        from_sympy(expression, SYMBOLS)


@pytest.mark.parametrize("expression", [X**0.3, X**Y, 2**X, X ** sympy.Rational(1, 3)], ids=str)
def test_other_powers_are_refused_with_a_way_out(expression):
    with pytest.raises(ConfigError, match="whole or half powers"):
        from_sympy(expression, SYMBOLS)


@pytest.mark.parametrize("expression", [sympy.I * X, sympy.oo, sympy.nan, sympy.zoo, X + sympy.I], ids=str)
def test_numbers_that_are_not_real_are_refused(expression):
    with pytest.raises(ConfigError):
        from_sympy(expression, SYMBOLS)


NAMES = ("x", "y")


def formula(text: str) -> Expression:
    return from_text(text, NAMES)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("-9.81", sympy.Float(-9.81)),
        ("x + 2*y", X + 2 * Y),
        ("x - y - 1", X - Y - 1),
        ("2*x/y/4", X / Y / 2),
        ("2/(x*y)", 2 / (X * Y)),
        ("-x^2", -(X**2)),
        ("-x**2", -(X**2)),
        ("(-x)^3", -(X**3)),
        ("2*x^2*y", 2 * X**2 * Y),
        ("x^-2", X**-2),
        ("x**+2", X**2),
        ("1/(1 + x^2)", 1 / (1 + X**2)),
        ("(x + y)^2 - (x - y)^2", 4 * X * Y),
        ("- -x", X),
        ("3*sin(0.5*x + 1) - cos(y)", 3 * sympy.sin(X / 2 + 1) - sympy.cos(Y)),
        ("x*exp(-y) + tanh(x)", X * sympy.exp(-Y) + sympy.tanh(X)),
        ("sqrt(x)*log(y) + abs(x - y)", sympy.sqrt(X) * sympy.log(Y) + sympy.Abs(X - Y)),
        ("inv(x) + tan(y)", 1 / X + sympy.tan(Y)),
        ("sin(cos(x*y))", sympy.sin(sympy.cos(X * Y))),
        ("pi*x + e", sympy.pi * X + sympy.E),
        ("  1e-3 * x\t", X / 1000),
        ("x^0", sympy.Integer(1)),
    ],
)
def test_text_means_what_mathematics_says(text, wanted):
    found = to_sympy(formula(text), SYMBOLS)
    np.testing.assert_allclose(numbers(found), numbers(wanted), rtol=1e-12)


@given(st.recursive(leaves, grow, max_leaves=5))
@example(1 / ((X**2 + 7.3) * (Y**2 + 7.3)))
@example(X / (Y**2 + 7.3) ** 2)
@settings(max_examples=60)
def test_what_sympy_writes_is_read_back(expression):
    found = formula(str(expression))
    assert found.skeleton == from_sympy(expression, SYMBOLS).skeleton
    np.testing.assert_allclose(numbers(to_sympy(found, SYMBOLS)), numbers(expression), rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize(
    "text",
    [
        "1/((x + 1)*(y + 2))",
        "((x + 1)*(y + 2))^-1",
        "inv((x + 1)*(y + 2))",
        "1/(-(x + 1)*-(y + 2))",
        "1/((x + 1)/(1/(y + 2)))",
    ],
)
def test_what_is_divided_by_a_product_is_divided_by_each_factor(text):
    assert formula(text) == formula("1/(x + 1)/(y + 2)")


def test_a_state_may_be_called_like_a_constant_and_in_any_script():
    assert from_text("e + pi", ("pi", "e")) == formula("x + y")
    # The micro sign: Python reads it as the Greek letter.
    assert from_text("2*\u00b5 + \u03b8", ("\u00b5", "\u03b8")) == formula("2*x + y")


def test_nothing_is_zero():
    assert formula("0*x + y - y") == Expression()


REFUSED = {
    "an unknown name": ("x + z", r"Unknown name 'z'.*\['x', 'y'\]"),
    "infinity by name": ("inf", "Unknown name 'inf'"),
    "a dunder": ("__name__", "Unknown name"),
    "an unknown operation": ("sinh(x)", "Unknown operation 'sinh'.*'tanh'"),
    "an import": ("__import__('os').system('true')", "no number, name"),
    "a bare import": ("__import__('os')", "Unknown operation '__import__'"),
    "an attribute": ("x.real", "no number, name"),
    "a method": ("x.conjugate(1)", "no number, name"),
    "a subscript": ("x[0]", "no number, name"),
    "two arguments": ("sin(x, y)", "no number, name"),
    "no argument": ("sin()", "no number, name"),
    "a keyword argument": ("sin(x, y=2)", "no number, name"),
    "a starred argument": ("sin(*x)", "no number, name"),
    "a text": ("'x'", "no number, name"),
    "bytes": ("b'x'", "no number, name"),
    "a formatted text": ("f'{x}'", "no number, name"),
    "a lambda": ("lambda: x", "no number, name"),
    "a list": ("[x, y]", "no number, name"),
    "a comprehension": ("[x for x in y]", "no number, name"),
    "a condition": ("x if y else 1", "no number, name"),
    "a comparison": ("x < y", "no number, name"),
    "an assignment inside": ("(x := 2)", "no number, name"),
    "an assignment": ("x = 1", "cannot be read"),
    "two statements": ("x; y", "cannot be read"),
    "two lines": ("x\n+ y", "cannot be read"),
    "other operators": ("x // y", "no number, name"),
    "a matrix product": ("x @ y", "no number, name"),
    "true": ("True", "no number, name"),
    "false": ("x + False", "no number, name"),
    "nothing": ("", "cannot be read"),
    "None": ("None", "no number, name"),
    "an ellipsis": ("...", "no number, name"),
    "an imaginary number": ("2j*x", "no number, name"),
    "a product without sign": ("2 x", "cannot be read"),
    "a null byte": ("x\0", "cannot be read"),
    "brackets left open": ("(x + y", "cannot be read"),
    "a power that is a name": ("x^y", "whole numbers up to 20"),
    "a power that is broken": ("x^0.5", "whole numbers up to 20"),
    "a power of a power": ("x^2^3", "whole numbers up to 20"),
    "a power that is true": ("x^True", "whole numbers up to 20"),
    "a power turned by bits": ("x^~2", "whole numbers up to 20"),
    "a power that is denied": ("x**(not 2)", "whole numbers up to 20"),
    "a huge power": ("x^999999999", "whole numbers up to 20"),
    "a tower of powers": ("9**9**9**9", "whole numbers up to 20"),
    "a hugely negative power": ("x^-21", "whole numbers up to 20"),
    "powers that expand": ("((x + y + 1)^20)^20", "too large"),
    "division by zero": ("x/0", "divides by zero"),
    "division by what cancels": ("1/(x - x)", "divides by zero"),
    "zero to a negative power": ("0^-1", "divides by zero"),
    "the inverse of zero": ("inv(0)", "divides by zero"),
    "division by a fraction of zero": ("1/(x/0)", "divides by zero"),
    "division by a product with zero": ("1/(x*(y - y))", "divides by zero"),
    "division by zero in a denominator": ("1/(x/(y - y))", "divides by zero"),
    "the log of zero": ("log(x - x)", "infinite"),
    "an infinite number": ("1e999*x", "not finite"),
    "a product that overflows": ("1e300*1e300*x", "not finite"),
    "a number too long for float64": ("9" * 400, "too large"),
    "brackets in brackets": ("(" * 500 + "x" + ")" * 500, "cannot be read"),
    "calls in calls": ("sin(" * 3000 + "x" + ")" * 3000, "cannot be read|nested too deeply"),
    "signs without end": ("-" * 5000 + "x", "cannot be read|nested too deeply"),
    "sums without end": ("x+" * 20000 + "x", "cannot be read|nested too deeply"),
}


@pytest.mark.parametrize(("text", "message"), REFUSED.values(), ids=REFUSED)
def test_other_text_is_refused_and_the_message_short(text, message):
    with pytest.raises(ConfigError, match=message) as caught:
        formula(text)
    assert len(str(caught.value)) < 400


def test_text_is_never_run(monkeypatch, tmp_path):
    """What would leave a mark if Python ran it leaves none; and a formula that is read needs no running."""

    def refuse(*_, **__):
        raise AssertionError("text was run")

    mark = tmp_path / "mark"
    for text in (f"open({str(mark)!r}, 'w')", f"abs(open({str(mark)!r}, 'w').close() or 1)"):
        with pytest.raises(ConfigError):
            formula(text)
    assert not mark.exists()
    with monkeypatch.context() as patched:
        patched.setattr("builtins.eval", refuse)
        patched.setattr("builtins.exec", refuse)
        patched.setattr(sympy, "sympify", refuse)
        found = formula("2*x + sin(y)")
    assert found == formula("sin(y) + 2*x")


@given(st.text(alphabet="xy01+-*/^().,sincoe ~[]'=", max_size=30))
@settings(max_examples=300)
@pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning")
def test_any_text_is_an_expression_of_finite_numbers_or_refused(text):
    try:
        found = formula(text)
    except ConfigError:
        return
    assert all(np.isfinite(term.coefficient) for term in found.terms)
