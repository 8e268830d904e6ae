"""Exported code computes what `predict` does, in every language that is here to run it."""

import ast
import re
import runpy
import shutil
import subprocess

import diffrax
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from mathonet.cli import arguments
from mathonet.equation.code.export import LANGUAGES, export
from mathonet.equation.expression import Call, Expression, Term, apply, number, power, total, variable
from mathonet.errors import ArchiveError, ConfigError
from mathonet.operations import Operation, get, names

X, Y, U = (variable(i) for i in range(3))
PENDULUM = apply(get("sin"), X).scale(-1.0) + Y.scale(-0.2) + U
POINTS = np.random.default_rng(8).uniform(-2.0, 2.0, size=(12, 3))

coefficients = st.floats(0.1, 3.0) | st.floats(-3.0, -0.1)
leaves = st.sampled_from([X, Y, U]) | coefficients.map(number)
operations = st.sampled_from([get(name) for name in names()])


def grow(children: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    return st.one_of(
        st.builds(lambda a, b: a + b, children, children),
        st.builds(lambda a, b: a * b, children, children),
        st.builds(apply, operations, children),
        st.builds(power, children, st.sampled_from([2, 3, -1, -2])),
    ).filter(
        lambda e: e.terms and all(np.isfinite(t.coefficient) and abs(t.coefficient) < 1e6 for t in e.terms)
    )


expressions = st.recursive(leaves, grow, max_leaves=5)
quiet = settings(max_examples=10, suppress_health_check=list(HealthCheck))


FIXED = {
    "every operation": total(
        term
        for place, name in enumerate(names())
        for term in apply(get(name), X.scale(0.7) + Y + number(0.3)).scale(1.0 + 0.1 * place).terms
    ),
    "a rational form": X * Y * apply(get("inv"), X * X + number(1.5)) + power(Y, -3),
    "an inverse of an inverse": apply(get("inv"), apply(get("inv"), X + number(1.5)) * Y),
    "a product below": apply(get("inv"), X + number(1.5)) * apply(get("inv"), Y * Y + number(2.5)) * U,
    "powers of calls": power(apply(get("sin"), X), 3) * power(apply(get("cos"), Y), -2),
    "nothing": Expression(),
    "a constant": number(-0.1),
    "far constants": X.scale(1.2345678901234567e-200) + Y.scale(-1e22) + number(1 / 3),
    "a square left as a call": Expression((Term(2.0, ((Call(get("square"), X + Y), 1),)),)),
}


def together(make, forms: dict[str, Expression], x: np.ndarray):
    """One system of many forms, so that a language is started once: x, y and u, then states of no account."""
    rest = [f"state of {name}" for name in list(forms)[3:]]
    return make(list(forms.values()), ["x", "y", "u", *rest], []), np.pad(x, ((0, 0), (0, len(rest))))


def compare(found: np.ndarray, wanted: np.ndarray, forms: dict[str, Expression]) -> None:
    for column, name in enumerate(forms):
        np.testing.assert_allclose(found[:, column], wanted[:, column], rtol=1e-12, atol=1e-12, err_msg=name)


@given(parts=st.lists(expressions, min_size=12, max_size=12))
@quiet
def test_random_expressions_mean_what_predict_means(
    parts, rows_of, make, evaluate_with_error, tmp_path_factory
):
    forms = {f"form {place}": part for place, part in enumerate(parts)}
    system, x = together(make, forms, POINTS)
    wanted, found = system.predict(x), rows_of(system, tmp_path_factory.mktemp("export"), x, None)
    bounds = np.stack([evaluate_with_error(part, POINTS)[1] for part in parts], axis=1)
    # Near a pole or in nested exponentials one rounding moves the value by more than the tolerance.
    tame = np.isfinite(wanted) & (bounds < 1e-11 * np.maximum(np.abs(wanted), 1e-3))
    np.testing.assert_allclose(found[tame], wanted[tame], rtol=1e-12, atol=1e-12)


def test_inputs_come_after_the_states(rows_of, make, tmp_path):
    system = make([Y, PENDULUM], ["x", "y"], ["u"])
    x, u = POINTS[:, :2], POINTS[:, 2:]
    np.testing.assert_allclose(rows_of(system, tmp_path, x, u), system.predict(x, u), rtol=1e-12)


def test_each_construction(rows_of, make, tmp_path):
    system, x = together(make, FIXED, POINTS)
    compare(rows_of(system, tmp_path, x, None), system.predict(x), FIXED)


def signed(name: str, sign: int) -> Expression:
    """The operation on x, its argument noted to have a sign."""
    (term,) = apply(get(name), X).terms
    factors = tuple(
        (Call(base.operation, base.argument, sign) if isinstance(base, Call) else base, power_)
        for base, power_ in term.factors
    )
    return Expression((Term(1.0, factors),))


def test_arguments_without_a_value_mean_the_same(rows_of, make, tmp_path):
    """Zero, negative, huge, infinite and missing arguments: infinities and nans where `predict` has them."""
    forms = {f"{name} {sign}": signed(name, sign) for name in names() for sign in (-1, 0, 1)}
    points = np.array([0.0, -1.0, 1.0, -3e4, 3e4, 1e200, -1e200, np.inf, -np.inf, np.nan])
    system, x = together(make, forms, np.stack([points, *np.ones((2, 10))], axis=1))
    found, wanted = rows_of(system, tmp_path, x, None), system.predict(x)
    # The last bits of a huge angle are each library's own.
    angles = [place for place, form in enumerate(forms) if form.startswith(("sin", "cos", "tan "))]
    rows = np.flatnonzero(np.abs(points) == 1e200)
    found[np.ix_(rows, angles)] = wanted[np.ix_(rows, angles)]
    compare(found, wanted, forms)


def softplus() -> Operation:
    return Operation("softplus", jax.nn.softplus, lambda h: sympy.log(1 + sympy.exp(h)))


def bell() -> Operation:
    return Operation(
        "bell", lambda h: jnp.exp(-h * h / 3) / jnp.pi, lambda h: sympy.exp(-(h**2) / 3) / sympy.pi
    )


def leaky() -> Operation:
    return Operation(
        "leaky",
        lambda h: jnp.where(h > 0, h, 0.1 * h),
        lambda h: sympy.Piecewise((h, h > 0), (sympy.Float(0.1) * h, True)),
    )


def error() -> Operation:
    return Operation("error", jax.scipy.special.erf, sympy.erf)


def test_own_operations_are_written_by_sympy(rows_of, make, tmp_path):
    own = (softplus(), bell(), leaky(), error())
    forms = {operation.name: apply(operation, X + Y.scale(0.5)) * Y for operation in own}
    system, x = together(make, forms, POINTS)
    compare(rows_of(system, tmp_path, x, None), system.predict(x), forms)


def test_an_operation_without_counterpart_is_told(make):
    operation = Operation("bessel", jnp.sin, lambda h: sympy.besselj(0, h))
    system = make([apply(operation, X)], ["x"], [])
    with pytest.raises(ConfigError, match=r"'bessel' cannot be written in C99.*besselj"):
        export(system, "c")


SYMPY_FORMS = {**FIXED, "own": apply(softplus(), X * Y), "own in pieces": apply(leaky(), X) * U}


@pytest.mark.parametrize("expression", SYMPY_FORMS.values(), ids=SYMPY_FORMS)
def test_sympy_source_builds_the_same_expressions(expression, make, load_python, tmp_path):
    system = make([expression, X], ["x", "a name"], ["u"])
    made = load_python(system, "sympy", tmp_path)
    assert [str(symbol) for symbol in (*made["states"], *made["inputs"])] == ["x", "a name", "u"]
    wanted = system.predict(POINTS[:4, :2], POINTS[:4, 2:])[:, 0]
    for row, value in zip(POINTS, wanted, strict=False):
        at = dict(zip((*made["states"], *made["inputs"]), map(sympy.Float, row), strict=True))
        assert float(made["rates"][0].subs(at).evalf(20)) == pytest.approx(value, rel=1e-12, abs=1e-12)


def test_numpy_and_python_go_to_scipy_with_a_function_of_time_as_input(make, load_python, tmp_path):
    system = make([Y, PENDULUM], ["x", "y"], ["u"])
    t = np.linspace(0.0, 5.0, 21)
    wanted = system.simulate([1.0, 0.0], np.linspace(0, 5, 2001), np.cos(np.linspace(0, 5, 2001)))[::100]
    for language in ("python", "numpy"):
        f = load_python(system, language, tmp_path)["f"]
        found = solve_ivp(
            f, (0, 5), [1.0, 0.0], t_eval=t, args=(lambda s: [np.cos(s)],), rtol=1e-9, atol=1e-9
        )
        np.testing.assert_allclose(found.y.T, wanted, atol=2e-6)


def test_jax_is_compiled_differentiated_and_solved_by_diffrax(make, load_python, tmp_path):
    system = make([Y, PENDULUM], ["x", "y"], ["u"])
    f = load_python(system, "jax", tmp_path)["f"]
    x, u = POINTS[:, :2], POINTS[:, 2:]
    np.testing.assert_allclose(jax.jit(f)(0.0, x, u), system.predict(x, u), rtol=1e-12)
    np.testing.assert_allclose(jax.vmap(f, (None, 0, 0))(0.0, x, u), system.predict(x, u), rtol=1e-12)
    slopes = jax.jacobian(f, 1)(0.0, jnp.array([0.3, 0.1]), jnp.array([0.0]))
    np.testing.assert_allclose(slopes, [[0, 1], [-np.cos(0.3), -0.2]], rtol=1e-12)
    assert f(0.0, jnp.ones(2, jnp.float32), jnp.ones(1, jnp.float32)).dtype == jnp.float32
    solution = diffrax.diffeqsolve(
        diffrax.ODETerm(f),
        diffrax.Tsit5(),
        0.0,
        5.0,
        0.01,
        jnp.array([1.0, 0.0]),
        args=jnp.array([0.3]),
        stepsize_controller=diffrax.PIDController(rtol=1e-9, atol=1e-9),
    )
    wanted = system.simulate([1.0, 0.0], [0.0, 5.0], [0.3, 0.3])
    np.testing.assert_allclose(solution.ys[-1], wanted[-1], atol=1e-6)


def test_numpy_takes_one_state_or_any_stack_of_rows(make, load_python, tmp_path):
    system = make([Y, number(0.5)], ["x", "y"], [])
    f = load_python(system, "numpy", tmp_path)["f"]
    assert f(0.0, [1, 2]).tolist() == [2.0, 0.5]
    assert f(0.0, np.ones((3, 4, 2))).shape == (3, 4, 2)
    with pytest.raises(ValueError, match="unpack"):
        f(0.0, np.ones((2, 3)))


@pytest.mark.parametrize("language", ["julia", "matlab"])
def test_languages_that_may_not_be_here_have_the_right_shape(language, make):
    """Balanced brackets, one `end` for each block, every name defined before it is used."""
    system = make([FIXED["every operation"], PENDULUM], ["x", "dx/dt"], ["torque (N m)"])
    text = export(system, language)
    code = "\n".join(line.split("  #" if language == "julia" else "  %")[0] for line in text.splitlines())
    code = "\n".join(line for line in code.splitlines() if not line.startswith(("#", "%")))
    for left, right in ("()", "[]", "{}"):
        assert code.count(left) == code.count(right)
    assert len(re.findall(r"\b(?:function|try|if)\b", code)) == len(re.findall(r"\bend\b", code))
    if language == "julia":
        assert "function f!(dxdt, state, p, t)" in code
        assert re.search(r"dxdt\[1\] = .*\n    dxdt\[2\] = .*\n    return nothing\nend\n$", text)
        assert "torque_N_m = input[1]" in code
        called = set(re.findall(r"\b(real_\w+)\(", code.split("function f!")[1]))
        assert called == {"real_sin", "real_cos", "real_tan", "real_log", "real_sqrt"}
        assert all(f"{name}(h) = " in code for name in called)
    else:
        assert code.lstrip().startswith("function dxdt = f(t, state, input)\n")
        assert "torque_N_m = input(1, :);" in code
        assert not re.search(r"(?<!\.)[*/^]", code), "every product is elementwise"
        assert all(line.endswith((";", "end", ")")) for line in code.splitlines() if line.strip())


def test_latex_is_a_document_and_compiles_where_latex_is(make, tmp_path):
    system = make([FIXED["every operation"], PENDULUM], ["x_1", "50% & #\\^~{}$\n\n"], ["θ"])
    text = export(system, "latex", tmp_path / "f.tex")
    assert text.index(r"\begin{document}") < text.index(r"\begin{aligned}") < text.index(r"\end{document}")
    assert "\n\n" not in text[text.index(r"\[") :], "an empty line would end the formula"
    if shutil.which("pdflatex"):
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "f.tex"]
        ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stdout[-2000:]


def test_latex_names_with_accents_and_greek_letters_compile(make, tmp_path):
    system = make([Y, PENDULUM], ["größe^2 °C", "Δp ω²_é"], ["u"])
    text = export(system, "latex", tmp_path / "f.tex")
    assert r"\text{größe$\wedge{}$2\ °C}" in text
    assert r"\text{$\Delta$p\ $\omega$²}" in text
    assert "LuaLaTeX" not in text
    if shutil.which("pdflatex"):
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "f.tex"]
        ran = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
        assert ran.returncode == 0, ran.stdout[-2000:]
        assert b"Missing character" not in ran.stdout


def test_latex_names_in_other_scripts_say_what_they_need(make):
    assert "use LuaLaTeX" in export(make([Y, PENDULUM], ["скорость", "y"], ["u"]), "latex")


def test_the_header_says_where_it_comes_from(make):
    system = make([Y, PENDULUM], ["x", "y"], ["u"])
    for language in LANGUAGES:
        text = export(system, language)
        assert re.match(r"(#|//|%) Equations found by mathonet \d", text)
        assert "y' = -0.2" in text


def test_the_constants_keep_every_bit(make, load_python, tmp_path):
    value = 0.1 + 0.2
    system = make([X.scale(value)], ["x"], [])
    for language in LANGUAGES:
        if language != "latex":
            assert repr(value) in export(system, language)
    tree = ast.parse(export(system, "python"))
    assert any(isinstance(node, ast.Constant) and node.value == value for node in ast.walk(tree))


def test_mistakes_are_told(make, tmp_path):
    system = make([X], ["x"], [])
    with pytest.raises(ConfigError, match=r"no export to 'pyton'. Did you mean 'python'\?"):
        export(system, "pyton")
    with pytest.raises(ArchiveError, match="could not be written"):
        export(system, "c", tmp_path / "nowhere" / "f.c")


def test_a_file_holds_what_is_returned(make, tmp_path):
    system = make([X], ["χ"], [])
    text = export(system, "python", tmp_path / "f.py")
    assert (tmp_path / "f.py").read_text(encoding="utf-8") == text
    assert runpy.run_path(str(tmp_path / "f.py"))["f"](0.0, [2.0]) == [2.0]


def test_the_command_line_offers_the_same_languages():
    assert set(arguments.LANGUAGES) == set(LANGUAGES)
