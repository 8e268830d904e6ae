"""Equations: callable, with intervals, and a simulation that ends, one way or the other."""

import time
from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy
from scipy.integrate import solve_ivp

from mathonet.equation.assembly import constants, zero_free
from mathonet.equation.equation import Equation, EquationSystem, with_signs
from mathonet.equation.parse import from_sympy
from mathonet.errors import DataError, SimulationError

FORMS = ["-10*x + 10*y", "0", "1.5", "0.1*sin(0.9*y + x**2)", "x*y/(1 + 3*x**2)", "exp(-x) - log(y + 3)"]
ROWS = np.random.default_rng(5).uniform(0.3, 1.9, size=(20, 2))


def equation(target: str, source: str, names: str, std: float = 1e-2, freedom: float = 50.0) -> Equation:
    expression = from_sympy(sympy.sympify(source), sympy.symbols(names.split()))
    count = len(constants(zero_free(expression)))
    return Equation(target, tuple(names.split()), expression, std**2 * np.eye(count), freedom, 0.1)


def system(*sources: str, states: str, inputs: str = "") -> EquationSystem:
    names = f"{states} {inputs}".strip()
    equations = [
        equation(target, source, names) for target, source in zip(states.split(), sources, strict=True)
    ]
    return EquationSystem(tuple(equations), tuple(inputs.split()))


@pytest.mark.parametrize("source", FORMS)
def test_an_equation_is_a_function_of_rows(source, value):
    found = equation("x", source, "x y")
    np.testing.assert_allclose(found(ROWS), value(found.expression, ROWS), rtol=1e-12, atol=1e-13)
    assert found(ROWS).dtype == np.float64
    np.testing.assert_allclose(
        found.function(*ROWS.T) * np.ones(len(ROWS)), found(ROWS), rtol=1e-12, atol=1e-13
    )


@pytest.mark.parametrize("source", FORMS)
def test_right_hand_sides_agree_with_predict(source):
    found = system("x*y - 0.3*y**2", source, states="x y")
    expected = found.predict(ROWS)
    assert expected.shape == (len(ROWS), 2)
    plain, traced = found.rhs(), jax.jit(found.rhs("jax"))
    for row, slopes in zip(ROWS, expected, strict=True):
        assert plain(0.0, row).dtype == np.float64
        np.testing.assert_allclose(plain(0.0, row), slopes, rtol=1e-12, atol=1e-13)
        np.testing.assert_allclose(traced(0.0, jnp.asarray(row)), slopes, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(plain(0.0, ROWS.T).T, expected, rtol=1e-12, atol=1e-13)


def test_right_hand_side_takes_inputs():
    found = system("2*u - x", states="x", inputs="u")
    assert found.rhs()(0.0, [3.0], [5.0]) == pytest.approx([7.0])
    assert found.rhs()(0.0, 3.0, np.float64(5.0)) == pytest.approx([7.0])
    assert jax.jit(lambda x, u: found.rhs("jax")(0.0, [x], [u]))(3.0, 5.0) == pytest.approx([7.0])
    np.testing.assert_allclose(found.predict([[3.0]], u=[5.0]), [[7.0]])
    np.testing.assert_allclose(found.predict([[3.0]], u=[[5.0]]), [[7.0]])


@pytest.mark.parametrize("module", ["numpy", "jax"])
@pytest.mark.parametrize(
    ("inputs", "arguments", "message"),
    [
        ("u", ([3.0, 1.0],), r"need the inputs \['u'\]; give u"),
        ("u", ([3.0, 1.0], [1.0, 2.0]), r"u must have 1 entries.*got 2"),
        ("", ([3.0, 1.0], [1.0]), "no inputs; leave u out"),
        ("", ([3.0],), r"x must have 2 entries.*\['x', 'y'\]; got 1"),
    ],
)
def test_right_hand_side_says_what_is_missing(module, inputs, arguments, message):
    driven = f"x + {inputs}" if inputs else "x"
    found = system("y - x", driven, states="x y", inputs=inputs)
    with pytest.raises(DataError, match=message):
        found.rhs(module)(0.0, *arguments)


def test_inputs_that_no_equation_has_need_not_be_given():
    found = system("y - x", "-x", states="x y", inputs="u v")
    without = system("y - x", "-x", states="x y")
    assert found.needed == ()
    times = [0.0, 0.5, 1.0]
    np.testing.assert_array_equal(found.simulate([1.0, 2.0], times), without.simulate([1.0, 2.0], times))
    np.testing.assert_array_equal(found.rhs()(0.0, [1.0, 2.0]), without.rhs()(0.0, [1.0, 2.0]))
    np.testing.assert_array_equal(found.predict([[1.0, 2.0]]), without.predict([[1.0, 2.0]]))


def test_right_hand_side_has_a_gradient_in_jax():
    found = system("x*y", "sin(x)", states="x y")
    slopes = jax.jacobian(lambda x: found.rhs("jax")(0.0, x))(jnp.array([2.0, 3.0]))
    np.testing.assert_allclose(slopes, [[3.0, 2.0], [np.cos(2.0), 0.0]], rtol=1e-12)


def test_names_never_become_code():
    names = "import lambda x-y __class__"
    symbols = sympy.symbols("a b c d")
    expression = from_sympy(symbols[0] * symbols[1] - symbols[2] ** 2 + symbols[3], symbols)
    found = Equation("import", tuple(names.split()), expression, np.zeros((3, 3)), 1.0, 0.0)
    assert found.function(2.0, 3.0, 4.0, 5.0) == pytest.approx(2 * 3 - 16 + 5)
    assert found.text().startswith("import' = ")


def test_coefficients_have_intervals_that_hold_the_stated_share():
    table = equation("x", "2*sin(3*x + 1) - 4*y", "x y", std=0.5, freedom=1e9).coefficients()
    assert list(table.columns) == ["target", "term", "value", "std", "low", "high"]
    assert set(table["target"]) == {"x"}
    assert dict(zip(table["term"], table["value"], strict=True)) == {
        "y": -4.0,
        "sin(3.0000 x + 1.0000)": 2.0,
        "x inside sin": 3.0,
        "1 inside sin": 1.0,
    }
    np.testing.assert_allclose(table["std"], 0.5)
    np.testing.assert_allclose(table["high"] - table["value"], 1.959964 * 0.5, rtol=1e-5)
    np.testing.assert_allclose(table["value"] - table["low"], table["high"] - table["value"], rtol=1e-12)


def test_few_samples_and_a_higher_level_widen_the_interval():
    few, many = (equation("x", "2*x", "x", freedom=freedom) for freedom in (3.0, 300.0))

    def width(found: Equation, level: float) -> float:
        table = found.coefficients(level)
        return float(table["high"].iloc[0] - table["low"].iloc[0])

    assert width(few, 0.95) > width(many, 0.95)
    assert width(many, 0.99) > width(many, 0.95)


def test_nothing_is_an_equation_too():
    found = equation("x", "0", "x y")
    assert found.text() == "x' = 0"
    assert found.sympy() == 0
    np.testing.assert_array_equal(found(ROWS), 0.0)


def test_text_and_latex_name_the_derivative():
    found = equation("theta", "-2*omega", "theta omega")
    assert found.text(3) == "theta' = -2.00 omega"
    assert found.latex(3) == r"\dot{\theta} = -2.00 \, \omega"
    assert found.sympy() == -2.0 * sympy.Symbol("omega")


def test_snapped_constants_are_simple_numbers_where_the_errors_allow_it():
    found = equation("y", "27.9981*x - 1.00012*y - 0.71234*x*y", "x y", std=1e-3)
    snapped = found.snapped()
    assert found.text() == "y' = 27.998 x - 1.0001 y - 0.71234 x y"
    assert snapped.text() == "y' = 28 x - y - 0.71234 x y"
    assert snapped.latex(3) == r"\dot{y} = 28 \, x - y - 0.712 \, x \, y"
    assert snapped.coefficients()["std"].tolist() == pytest.approx([0.0, 0.0, 1e-3])
    assert snapped.coefficients()["value"].tolist() == [28.0, -1.0, -0.71234]
    np.testing.assert_allclose(snapped(ROWS), found(ROWS), atol=5e-3)
    assert snapped.snapped().text() == snapped.text()


def test_snapped_constants_stay_within_the_interval_of_few_samples_too():
    few, many = (equation("x", "1.0025*x", "x", std=1e-3, freedom=freedom) for freedom in (3.0, 300.0))
    assert few.snapped().text() == "x' = x"
    assert many.snapped() is many


def test_snapped_forms_keep_their_calls_and_signs():
    source = "1.3333333*log(x + 2.00001) - 0.50001/(x + 0.33334) + 0.99999*sin(1.00001*x + 3)"
    found = equation("x", source, "x", std=1e-5)
    data = np.linspace(0.5, 2.0, 20)[:, None]
    noted = replace(found, expression=with_signs(found.expression, lambda part: np.ones(20)))
    assert noted.snapped().text() == "x' = -0.5/(x + 1/3) + 4/3 log(x + 2) + sin(x + 3)"
    np.testing.assert_allclose(noted.snapped()(data), found(data), atol=1e-3)


def test_an_equation_whose_calls_would_become_one_stays():
    found = equation("x", "2*sin(1.0001*x) + 3*sin(0.9999*x)", "x", std=1e-3)
    assert len(found.expression.terms) == 2
    assert found.snapped() is found


@pytest.mark.parametrize("source", ["0", "0.7123*x", "1.3e-7*exp(0.3333*y)"])
def test_an_equation_without_simple_numbers_stays(source):
    found = equation("x", source, "x y", std=1e-9 if source.startswith("1.3e-7") else 1e-5)
    assert found.snapped() is found


def test_a_system_is_snapped_equation_by_equation():
    found = system("10.001*y - 10.002*x", "0.7777*y + 2*u", states="x y", inputs="u")
    snapped = found.snapped()
    assert [each.text() for each in snapped.equations] == ["x' = -10 x + 10 y", "y' = 0.77770 y + 2 u"]
    assert snapped.latex().splitlines()[1] == r"\dot{x} &= -10 \, x + 10 \, y \\"
    assert snapped.input_names == found.input_names
    assert snapped.simulate([1.0, 2.0], [0.0, 0.1], [1.0, 1.0]).shape == (2, 2)


LORENZ = ("10*y - 10*x", "28*x - y - x*z", "x*y - 8*z/3")
VAN_DER_POL = ("y", "1.5*y - 1.5*x**2*y - x")


@pytest.mark.parametrize(
    ("sources", "states", "start", "end"),
    [
        (LORENZ, "x y z", [-8.0, 8.0, 27.0], 2.0),
        (("1.3*x - 0.9*x*y", "0.8*x*y - 1.8*y"), "x y", [0.44, 4.6], 10.0),
        (VAN_DER_POL, "x y", [0.5, 0.0], 10.0),
        (("omega", "-0.2*omega - 4.9*sin(theta)"), "theta omega", [2.6, 0.0], 10.0),
    ],
    ids=["lorenz", "lotka-volterra", "van-der-pol", "pendulum"],
)
def test_simulation_equals_scipy(sources, states, start, end):
    found, times = system(*sources, states=states), np.linspace(0.5, 0.5 + end, 100)
    expected = solve_ivp(
        found.rhs(), (times[0], times[-1]), start, "DOP853", t_eval=times, rtol=1e-12, atol=1e-12
    )
    x = found.simulate(start, times)
    assert x.shape == (100, len(start))
    assert x.dtype == np.float64
    np.testing.assert_array_equal(x[0], start)
    np.testing.assert_allclose(x, expected.y.T, rtol=1e-5, atol=1e-5 * np.abs(expected.y).max())


def test_simulation_needs_no_even_times():
    times = np.array([0.0, 0.1, 0.15, 2.0, 2.0 + 1e-9])
    np.testing.assert_allclose(
        system("-x", states="x").simulate([2.0], times)[:, 0], 2 * np.exp(-times), atol=1e-7
    )


def test_inputs_are_interpolated_between_the_times():
    times = np.linspace(0.0, 3.0, 7)
    x = system("2*u", states="x", inputs="u").simulate([1.0], times, u=times)
    np.testing.assert_allclose(x[:, 0], 1.0 + times**2, rtol=1e-8)


@pytest.mark.parametrize("scale", [1e-200, 1e-9, 1.0, 1e15])
def test_units_do_not_matter(scale):
    times = np.linspace(0, 5, 50)
    x = system("-x", states="x").simulate([scale], times)
    np.testing.assert_allclose(x[:, 0] / scale, np.exp(-times), atol=1e-7)


def test_growth_without_a_singularity_is_followed_to_the_end():
    times = np.linspace(0, 100, 50)
    x = system("x", states="x").simulate([1.0], times)
    np.testing.assert_allclose(np.log(x[:, 0]), times, rtol=1e-6, atol=1e-9)


def test_stiff_system_is_solved():
    x = system("1000000 - 1000000*x", states="x").simulate([0.0], np.linspace(0, 5, 50))
    np.testing.assert_allclose(x[1:, 0], 1.0, rtol=1e-5)


@pytest.mark.parametrize(
    ("source", "singular"),
    [("x**2", 1.0), ("x**10", 1 / 9), ("exp(x)", np.exp(-1)), ("-1/x", 0.5), ("1 + x**2", np.pi / 4)],
)
def test_a_blow_up_is_told_at_once_with_its_time(source, singular):
    found, times = system(source, states="x"), np.linspace(0, 5, 51)
    with pytest.raises(SimulationError, match="grows past all bounds") as caught:
        found.simulate([1.0], times)
    reached = float(str(caught.value).split("after t = ")[1].split(":")[0])
    assert singular - 0.1 <= reached <= singular
    began = time.perf_counter()
    with pytest.raises(SimulationError):
        found.simulate([1.01], times)
    assert time.perf_counter() - began < 2.0


def test_the_time_before_a_blow_up_can_be_simulated():
    times = np.linspace(0, 0.99, 51)
    x = system("x**2", states="x").simulate([1.0], times)
    np.testing.assert_allclose(x[:, 0], 1 / (1 - times), rtol=1e-6)


TWO = system("-x", "-y", states="x y")
DRIVEN = system("u - x", "v - y", states="x y", inputs="u v")


@pytest.mark.parametrize(
    ("found", "arguments", "message"),
    [
        (TWO, {"x0": [1.0]}, "2 finite numbers"),
        (TWO, {"x0": [[1.0, 2.0]]}, "2 finite numbers"),
        (TWO, {"x0": [1.0, np.nan]}, "2 finite numbers"),
        (TWO, {"x0": [1.0, np.inf]}, "2 finite numbers"),
        (TWO, {"x0": None}, "2 finite numbers"),
        (TWO, {"x0": "ab"}, "x0 must be an array of numbers"),
        (TWO, {"x0": [[1.0], [1.0, 2.0]]}, "x0 must be an array of numbers"),
        (TWO, {"t": [0.0]}, "increasing"),
        (TWO, {"t": 1.0}, "increasing"),
        (TWO, {"t": [1.0, 0.0]}, "increasing"),
        (TWO, {"t": [0.0, 0.0]}, "increasing"),
        (TWO, {"t": [0.0, np.nan]}, "increasing"),
        (TWO, {"t": ["now", "later"]}, "t must be an array of numbers"),
        (TWO, {"u": [1.0, 2.0]}, "no inputs"),
        (DRIVEN, {}, r"need the inputs \['u', 'v'\]"),
        (DRIVEN, {"u": [1.0, 2.0]}, r"\(2, 2\)"),
        (DRIVEN, {"u": np.ones((3, 2))}, r"\(2, 2\)"),
        (DRIVEN, {"u": [[1.0, np.nan], [0.0, 0.0]]}, "not finite"),
        (DRIVEN, {"u": "ab"}, "u must be an array of numbers"),
    ],
)
def test_what_cannot_be_simulated_is_refused(found, arguments, message):
    with pytest.raises(DataError, match=message):
        found.simulate(**({"x0": [1.0, 2.0], "t": [0.0, 1.0]} | arguments))


@pytest.mark.parametrize("x", [np.ones((4, 3)), np.ones(4), 3.0, None, "ab"])
def test_predictions_need_rows_of_states(x):
    with pytest.raises(DataError, match="x must be"):
        TWO.predict(x)


def test_one_row_is_refused_with_the_remedy_and_one_state_may_have_one_dimension():
    with pytest.raises(DataError, match=r"got \(2,\)\. For one row, give x\.reshape\(1, -1\)"):
        system("y", "-x", states="x y").predict([1.0, 2.0])
    np.testing.assert_array_equal(system("2*x", states="x").predict([1.0, 2.0, 3.0]), [[2], [4], [6]])


def test_inputs_given_as_rows_are_not_shuffled_into_columns():
    with pytest.raises(DataError, match=r"\(3, 2\)"):
        DRIVEN.predict(np.ones((3, 2)), u=np.arange(6.0).reshape(2, 3))


def test_the_same_equation_gives_the_same_bits_whenever_it_is_compiled(monkeypatch):
    source = "-1.7*x**2*y*z + 0.3*x*y*sin(1.1*z*x + y) + 2.9*x*z/(1.3 + y**2)"
    rows = np.random.default_rng(6).uniform(0.3, 1.9, size=(200, 3))
    found = []
    for count in (0, 7, 95, 97, 995):
        monkeypatch.setattr(sympy.Dummy, "_count", count)
        found.append(equation("x", source, "x y z")(rows))
    assert all(np.array_equal(each, found[0]) for each in found)
