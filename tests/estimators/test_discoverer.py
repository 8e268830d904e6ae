"""Discoverer: scikit-learn's contract, float64 whatever the caller's JAX does, and helpful refusals."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import jax
import numpy as np
import pandas as pd
import pytest
import sympy
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import mathonet
from mathonet import Discoverer, MathONetRegressor
from mathonet.errors import ConfigError, DataError, SimulationError

ROWS = 60
T = np.linspace(0, 2, ROWS)
X = np.stack([np.exp(-T), np.cos(3 * T)], axis=1)
X_DOT = np.stack([-X[:, 0], 2 * X[:, 0] * X[:, 1] - 0.5 * X[:, 1]], axis=1)
U = np.sin(5 * T)
WANTED = ["x' = -1.0000 x", "y' = -0.50000 y + 2.0000 x y"]


def make(**changes) -> Discoverer:
    return Discoverer(**({"hidden": [1], "operations": ["ident"], "restarts": 4, "cycles": 8} | changes))


@pytest.fixture(scope="module")
def fitted() -> Discoverer:
    return make().fit(X, T, X_DOT)


@pytest.fixture(scope="module")
def driven() -> Discoverer:
    return make().fit(X, T, X_DOT + 3 * U[:, None] * [[1, 0]], u=U)


def test_simple_numbers_are_beside_the_fitted_ones():
    found = make().fit(X, T, X_DOT + 3e-3 * np.random.default_rng(0).normal(size=X_DOT.shape))
    assert [each.text() for each in found.snapped().equations] == ["x' = -x", "y' = -0.5 y + 2 x y"]
    assert not set(found.equations()) & set(WANTED)
    with pytest.raises(NotFittedError):
        make().snapped()


def test_equations_in_every_notation(fitted):
    assert fitted.equations() == WANTED
    assert fitted.equations(3)[0] == "x' = -1.00 x"
    x, y = sympy.symbols("x y")
    for found, wanted in zip(fitted.sympy(), [-x, 2 * x * y - y / 2], strict=True):
        assert found.free_symbols == wanted.free_symbols
        assert all(abs(c) < 1e-9 for c in sympy.Poly(found - wanted, x, y).coeffs())
    for verb in (fitted.equations, fitted.latex):
        with pytest.raises(ConfigError, match="digits must be a whole number from 1 to 17, got -1"):
            verb(-1)
    assert fitted.latex().startswith(r"\begin{aligned}")
    assert fitted.latex().count("&=") == 2
    assert str(fitted).startswith("\n".join(WANTED))


def test_tables(fitted):
    assert {"target", "complexity", "error", "evidence", "equation", "chosen"} <= set(
        fitted.candidates_.columns
    )
    assert fitted.trust_["level"].tolist() == ["exact", "exact"]
    assert fitted.trust_["words"].str.contains("fits to rounding").all()
    assert fitted.candidates_.groupby("target")["chosen"].sum().to_dict() == {"x": 1, "y": 1}
    assert list(fitted.coefficients_.columns) == ["target", "term", "value", "std", "low", "high"]
    assert fitted.coefficients_["target"].tolist() == ["x", "y", "y"]
    assert fitted.coefficients_["term"].tolist() == ["x", "y", "x y"]
    np.testing.assert_allclose(fitted.coefficients_["value"], [-1.0, -0.5, 2.0], rtol=1e-8)


def test_predictions_and_simulation(fitted):
    np.testing.assert_allclose(fitted.predict(X), X_DOT, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(fitted.rhs()(0.0, X[3]), X_DOT[3], rtol=1e-8)
    np.testing.assert_allclose(fitted.rhs("jax")(0.0, jax.numpy.asarray(X[3])), X_DOT[3], rtol=1e-8)
    x = fitted.simulate(X[0], T)
    np.testing.assert_allclose(x[:, 0], X[:, 0], rtol=1e-6)
    np.testing.assert_allclose(x[:, 1], np.exp(2 * (1 - np.exp(-T)) - 0.5 * T), rtol=1e-6)
    with pytest.raises(ConfigError, match="'numpy' or 'jax'"):
        fitted.rhs("torch")


def test_parameters_follow_the_contract_of_scikit_learn():
    estimator = make(seed=7)
    parameters = estimator.get_params()
    assert parameters["seed"] == 7
    assert set(parameters) == set(Discoverer().get_params())
    twin = clone(estimator)
    assert twin is not estimator
    assert twin.get_params() == parameters
    assert estimator.set_params(seed=9, hidden=[2]) is estimator
    assert (estimator.seed, estimator.hidden, twin.seed) == (9, [2], 7)
    with pytest.raises(ValueError, match="nope"):
        estimator.set_params(nope=1)


def test_making_an_estimator_checks_and_changes_nothing():
    strange = Discoverer(hidden="x", operations=5, lambdas=None, seed=None)
    assert (strange.hidden, strange.operations, strange.lambdas, strange.seed) == ("x", 5, None, None)


def test_fitting_keeps_the_parameters(fitted):
    assert fitted.get_params() == make().get_params()
    assert fitted.n_features_in_ == 2
    assert clone(fitted).get_params() == fitted.get_params()
    assert not hasattr(clone(fitted), "discovery_")


@pytest.mark.parametrize("verb", ["equations", "sympy", "latex", "rhs"])
def test_nothing_can_be_asked_before_fitting(verb):
    with pytest.raises(NotFittedError):
        getattr(make(), verb)()


def test_names_are_used_everywhere(fitted):
    named = make().fit(X, T, X_DOT, names=["prey", "hunter"])
    assert named.equations() == ["prey' = -1.0000 prey", "hunter' = -0.50000 hunter + 2.0000 prey hunter"]
    assert named.sympy()[0].free_symbols == {sympy.Symbol("prey")}


@pytest.mark.parametrize("kind", [np.ndarray.tolist, pd.DataFrame, np.float32, np.asfortranarray], ids=str)
def test_anything_like_an_array_is_taken(fitted, kind):
    found = make().fit(kind(X), T.tolist(), kind(X_DOT))
    np.testing.assert_allclose(found.coefficients_["value"].iloc[:1], -1.0, rtol=1e-5)
    assert found.equations()[0].startswith("x' = -1.0000 x")


def test_one_state_may_have_one_dimension():
    found = make(hidden=1, lambdas=1e-3).fit(X[:, 0], T, X_DOT[:, 0])
    assert found.equations() == WANTED[:1]
    np.testing.assert_allclose(found.predict(X[:, 0]), X_DOT[:, :1], rtol=1e-8)
    halves = [[values[:30], values[30:]] for values in (X[:, 0], T, X_DOT[:, 0])]
    assert make().fit(*halves).equations() == WANTED[:1]


def test_columns_of_data_frames_are_names():
    frame = pd.DataFrame(X, columns=["prey", "hunter"])
    push = pd.Series(U, name="push")
    found = make().fit(frame, pd.Series(T), X_DOT + 3 * U[:, None] * [[1, 0]], u=push)
    assert found.equations()[0] == "prey' = -1.0000 prey + 3.0000 push"
    assert found.predict(frame, u=push).shape == X.shape
    with pytest.raises(DataError, match="in another order than prey, hunter"):
        found.predict(frame[["hunter", "prey"]], u=push)


def test_a_state_may_rest_in_one_trajectory():
    rest = [X, np.stack([X[:, 0], np.zeros(ROWS)], axis=1)]
    slopes = [X_DOT, np.stack([X_DOT[:, 0], np.zeros(ROWS)], axis=1)]
    assert make().fit(rest, None, slopes).equations() == WANTED


def test_list_of_trajectories_is_one_set_of_samples(fitted):
    """Cut anywhere, the samples are the same, and so are the equations to the bit."""
    cuts = [slice(0, 25), slice(25, 40), slice(40, None)]
    parts = [[values[cut] for cut in cuts] for values in (X, T, X_DOT)]
    found = make().fit(*parts)
    assert found.equations() == fitted.equations()
    pd.testing.assert_frame_equal(found.coefficients_, fitted.coefficients_)
    with_tuple = make().fit(tuple(parts[0]), None, tuple(parts[2]))
    pd.testing.assert_frame_equal(with_tuple.coefficients_, fitted.coefficients_)


def test_control_inputs(driven):
    assert driven.equations() == ["x' = -1.0000 x + 3.0000 u", WANTED[1]]
    np.testing.assert_allclose(driven.predict(X, u=U)[:, 0], X_DOT[:, 0] + 3 * U, rtol=1e-8, atol=1e-9)
    quiet = driven.simulate(X[0], T, u=np.zeros(ROWS))
    np.testing.assert_allclose(quiet[:, 0], X[:, 0], rtol=1e-6)
    constant = driven.simulate(X[0], T, u=np.ones(ROWS))
    np.testing.assert_allclose(constant[:, 0], 3 - 2 * np.exp(-T), rtol=1e-6)
    with pytest.raises(DataError, match="need the inputs"):
        driven.predict(X)
    with pytest.raises(DataError, match="need the inputs"):
        driven.rhs()(0.0, X[0])
    with pytest.raises(DataError, match=r"reshape\(1, -1\)"):
        driven.predict(X[0], u=U[:1])
    with pytest.raises(DataError, match="need the inputs"):
        driven.simulate(X[0], T)


def test_inputs_of_several_trajectories(driven):
    x_dot = X_DOT + 3 * U[:, None] * [[1, 0]]
    halves = [[values[:30], values[30:]] for values in (X, T, x_dot, U)]
    found = make().fit(*halves[:3], u=halves[3], input_names=["push"])
    assert found.equations()[0] == "x' = -1.0000 x + 3.0000 push"


def test_known_terms_beside_derivatives():
    """Gravity known, drag found: the known constant is as given and has no deviation."""
    v = np.linspace(0.5, 8.0, ROWS)
    found = make(known={"v": "-9.81"}).fit(v, T, -9.81 - 0.3 * v**2, names=["v"])
    assert found.equations() == ["v' = -0.30000 v^2 - 9.8100"]
    rows = found.coefficients_.set_index("term")
    assert len(rows) == 2
    assert rows.loc["1", ["value", "std"]].tolist() == [-9.81, 0.0]
    np.testing.assert_allclose(found.predict(v)[:, 0], -9.81 - 0.3 * v**2, rtol=1e-8)


@pytest.mark.parametrize("shift", [1e3, 1e5])
def test_states_far_from_zero_get_a_warning_and_no_spurious_terms(shift):
    """In shifted states every product adds terms that nearly cancel; their rounding must not be fitted."""
    with pytest.warns(UserWarning, match="far from zero"):
        found = make(hidden=[2]).fit(X + shift, T, X_DOT)
    terms = [set(rows["term"]) for _, rows in found.coefficients_.groupby("target")]
    assert terms == [{"x", "1"}, {"x", "y", "x y", "1"}]
    values = found.coefficients_["value"].to_numpy()
    np.testing.assert_allclose(values[:2], [-1, shift], rtol=1e-9)
    np.testing.assert_allclose(values[2:5], [-2 * shift, -2 * shift - 0.5, 2], rtol=1e-5)


def test_blow_up_of_a_simulation_is_told():
    found = make().fit(X[:, 0], T, X[:, 0] ** 2)
    with pytest.raises(SimulationError, match=r"after t = 0\.918367: a state"):
        found.simulate([1.0], np.linspace(0, 5, 50))


def broken(row: int, value: float) -> np.ndarray:
    values = X.copy()
    values[row, 1] = value
    return values


CONSTANT = np.stack([X[:, 0], np.full(ROWS, 2.0)], axis=1)
TEXT = np.full((ROWS, 2), "a")
BAD_DATA = {
    "NaN": ((broken(3, np.nan), T, X_DOT), {}, "'y' is NaN at row 3"),
    "infinite": ((broken(3, np.inf), T, X_DOT), {}, "'y' is infinite at row 3"),
    "NaN in a derivative": ((X, T, broken(4, np.nan)), {}, "derivative of state 'y' is NaN at row 4"),
    "NaN in an input": ((X, T, X_DOT), {"u": np.where(T == 0, np.nan, U)}, "input 'u' is NaN at row 0"),
    "NaN in time": ((X, np.where(T == 0, np.nan, T), X_DOT), {}, "'t' is NaN"),
    "empty": ((np.zeros((0, 2)), [], np.zeros((0, 2))), {}, "Nothing in the states"),
    "an empty list": (([], [], []), {}, "Nothing in the states"),
    "no columns": ((np.zeros((ROWS, 0)), T, np.zeros((ROWS, 0))), {}, "Nothing in the states"),
    "one row": ((X[:1], T[:1], X_DOT[:1]), {}, "Only 1 row of data"),
    "a constant column": ((CONSTANT, T, X_DOT), {}, "'y' is 2 at all 60 times"),
    "fewer times": ((X, T[:-1], X_DOT), {}, "60 rows but the times t have 59"),
    "fewer derivatives": ((X, T, X_DOT[:-1]), {}, r"\(59, 2\)"),
    "fewer columns": ((X, T, X_DOT[:, :1]), {}, r"\(60, 1\)"),
    "fewer inputs": ((X, T, X_DOT), {"u": U[:-1]}, "inputs u have 59"),
    "transposed": ((X.T, T, X_DOT.T), {}, "looks transposed"),
    "time that goes back": ((X, T[::-1], X_DOT), {}, "Time goes back at row 1"),
    "time that repeats": ((X, np.zeros(ROWS), X_DOT), {}, "Time repeats at row 1"),
    "text": ((TEXT, T, X_DOT), {}, "No numbers in the states"),
    "a text": (("hello", T, X_DOT), {}, "No numbers in the states"),
    "text as time": ((X, "hello", X_DOT), {}, "No numbers in the times"),
    "text as derivative": ((X, T, "hello"), {}, "No numbers in the derivatives"),
    "text as input": ((X, T, X_DOT), {"u": "hello"}, "No numbers in the inputs"),
    "complex": ((X + 0j, T, X_DOT), {}, "Complex numbers"),
    "dates": ((X, np.arange(ROWS).astype("M8[s]"), X_DOT), {}, "Dates or durations"),
    "a dict": (({"x": 1}, T, X_DOT), {}, "Not all entries"),
    "nothing": ((None, None, X_DOT), {}, r"Shape \(\)"),
    "a number": ((3.0, None, X_DOT), {}, r"Shape \(\)"),
    "three dimensions": ((X[None], T, X_DOT[None]), {}, r"Shape \(1, 60, 2\)"),
    "uneven rows": (([[1, 2], [3], [4, 5]], None, X_DOT), {}, "different lengths"),
    "an uneven first trajectory": (([[[1, 2], [3]], X], None, [X_DOT, X_DOT]), {}, "different lengths"),
    "states alone without times": ((X,), {}, "No times t were given"),
    "few states alone": ((X[:7], T[:7]), {}, "'x' has 7 measured values in all; at least 8 are needed"),
    "derivatives of one only": (([X, X], [T, T], [X_DOT, None]), {}, "1 of 2 trajectories have derivatives"),
    "fewer times than trajectories": (([X, X], [T], [X_DOT, X_DOT]), {}, "2 trajectories in x but 1 in t"),
    "one time for all trajectories": (([X, X], T, [X_DOT, X_DOT]), {}, "2 trajectories in x but 60 in t"),
    "a step as time": (([X, X], 0.1, [X_DOT, X_DOT]), {}, "2 trajectories in x but 0 in t"),
    "one derivative for all": (([X, X], None, X_DOT), {}, "2 trajectories in x but 60 in x_dot"),
    "trajectories that differ": (([X, X[:, :1]], None, [X_DOT, X_DOT[:, :1]]), {}, "differ in their number"),
    "an input for one only": (([X, X], None, [X_DOT, X_DOT]), {"u": [U, None]}, "differ in their number"),
    "too few names": ((X, T, X_DOT), {"names": ["a"]}, "2 state columns but 1 state names"),
    "names twice": ((X, T, X_DOT), {"names": ["a", "a"]}, "names repeat: a"),
    "names as one text": ((X, T, X_DOT), {"names": "ab"}, "the text 'ab'"),
    "names as a number": ((X, T, X_DOT), {"names": 5}, "no list but 5"),
    "an empty name": ((X, T, X_DOT), {"names": ["a", " "]}, "not empty"),
    "input names without inputs": ((X, T, X_DOT), {"input_names": ["u"]}, "without inputs"),
    "an input named like a state": ((X, T, X_DOT), {"u": U, "input_names": ["x"]}, "same name: x"),
}


@pytest.mark.parametrize(("arguments", "options", "message"), BAD_DATA.values(), ids=BAD_DATA)
def test_unusable_data_are_refused_with_the_reason(arguments, options, message):
    with pytest.raises(DataError, match=message):
        make().fit(*arguments, **options)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"operations": ["ident", "sine"]}, "Did you mean 'sin'"),
        ({"operations": "sin"}, "brackets"),
        ({"operations": 5}, "list"),
        ({"hidden": 2.5}, r"hidden.*for example \[3\]"),
        ({"hidden": []}, "hidden"),
        ({"hidden": "3"}, "hidden"),
        ({"lambdas": "a"}, r"lambdas must be a number or a list of them, for example \[1e-3\]"),
        ({"lambdas": [-1]}, "positive"),
        ({"restarts": 0}, "restarts"),
        ({"cycles": "many"}, "cycles"),
        ({"selection": "best"}, "'score' or 'validation'"),
        ({"map_step": "sgd"}, "newton"),
        ({"seed": None}, "seed"),
    ],
)
def test_unusable_settings_are_refused_in_fit(changes, message):
    with pytest.raises(ConfigError, match=message):
        make(**changes).fit(X, T, X_DOT)


@pytest.mark.parametrize(
    ("changes", "arguments", "message"),
    [
        ({"order": 3}, (X, T), "order must be 1 or 2, got 3"),
        ({"order": True}, (X, T), "order must be 1 or 2, got True"),
        ({"order": "2"}, (X, T), "order must be 1 or 2, got '2'"),
        ({"order": 2}, (X, T, X_DOT), "order=2 is for positions alone"),
        ({"smoothing": "lowess"}, (X, T), "no method 'lowess'"),
        ({"joint": True}, (X, T), "joint=True needs derivatives"),
        ({"known": {"z": "1"}}, (X, T), "names 'z', but the equations are those of"),
        ({"known": {"x": "1"}, "order": 2}, (X, T), r"names 'x', but .* \['x_dot', 'y_dot'\]"),
        ({"known": {"x": "sin(x, y)"}}, (X, T, X_DOT), "holds something"),
    ],
)
def test_settings_of_states_alone_are_checked(changes, arguments, message):
    with pytest.raises(ConfigError, match=message):
        make(**changes).fit(*arguments)


TIMES = np.linspace(0, 6, 150)


def spiral(start: complex, t: np.ndarray = TIMES) -> np.ndarray:
    """z' = (-0.2 - 2i) z with z = x + i y."""
    z = start * np.exp((-0.2 - 2j) * t)
    return np.stack([z.real, z.imag], axis=1)


@pytest.fixture(scope="module")
def from_states() -> Discoverer:
    noise = 0.01 * np.random.default_rng(0).normal(size=(150, 2))
    return make().fit(spiral(1.0) + noise, TIMES)


def test_states_alone(from_states):
    assert from_states.coefficients_["term"].tolist() == ["x", "y", "x", "y"]
    np.testing.assert_allclose(from_states.coefficients_["value"], [-0.2, 2, -2, -0.2], atol=0.02)
    assert from_states.n_features_in_ == 2
    assert from_states.trust_["level"].tolist() == ["good", "good"]
    assert from_states.discovery_.measured is not None
    assert {"target", "evidence", "equation", "chosen"} <= set(from_states.candidates_.columns)
    np.testing.assert_allclose(from_states.simulate([1.0, 0.0], TIMES), spiral(1.0), atol=0.05)


def test_scores_of_other_measurements(from_states):
    other = spiral(0.5 - 1j)
    assert from_states.score(other, TIMES) > 0.99
    assert from_states.score([other, spiral(2j)], [TIMES, TIMES]) > 0.99
    assert from_states.score(other, TIMES, kind="derivative") > 0.99
    slopes = np.stack([-0.2 * other[:, 0] + 2 * other[:, 1], -2 * other[:, 0] - 0.2 * other[:, 1]], axis=1)
    assert from_states.score(other, TIMES, slopes, kind="derivative") > 0.99
    assert from_states.score(other, 1.1 * TIMES) < 0.9
    holes = np.where(np.random.default_rng(0).random(other.shape) < 0.2, np.nan, other)
    assert from_states.score(holes, TIMES) > 0.99
    with pytest.raises(ConfigError, match="'trajectory' or 'derivative'"):
        from_states.score(other, TIMES, kind="r2")
    with pytest.raises(DataError, match="x has 1 states"):
        from_states.score(other[:, 0], TIMES)
    with pytest.raises(DataError, match="No times t were given"):
        from_states.score(other)
    with pytest.raises(DataError, match="in another order"):
        from_states.score(pd.DataFrame(other, columns=["y", "x"]), TIMES)
    with pytest.raises(NotFittedError):
        make().score(other, TIMES)


def test_a_fit_with_derivatives_is_scored_alike(fitted):
    assert fitted.score(X, T, X_DOT, kind="derivative") == pytest.approx(1.0, abs=1e-9)
    assert fitted.score(fitted.simulate(X[0], T), T) == pytest.approx(1.0, abs=1e-9)


def test_new_parameters_follow_the_contract_too():
    estimator = make(order=2, smoothing="spline", known={"x": "1"})
    twin = clone(estimator)
    assert twin.get_params() == estimator.get_params()
    assert (twin.order, twin.smoothing, twin.known) == (2, "spline", {"x": "1"})
    assert twin.set_params(order=1, known=None).known is None
    assert estimator.order == 2


def test_a_grid_search_over_smoothing():
    """Rows are cut into stretches of time; what is fitted on one is scored on the other."""
    t = np.linspace(0, 12, 300)
    x = spiral(1.0, t) + 0.005 * np.random.default_rng(0).normal(size=(300, 2))
    grid = GridSearchCV(
        make(), {"smoothing": ["gp", "spline"]}, cv=KFold(2), refit=False, error_score="raise"
    )
    grid.fit(x, t)
    assert grid.cv_results_["mean_test_score"].min() > 0.8
    assert len(grid.cv_results_["params"]) == 2


def test_the_last_step_of_a_pipeline():
    whole = make_pipeline(FunctionTransformer(lambda x: 10.0 * x), make())
    whole.fit(spiral(1.0), TIMES)
    assert whole[-1].equations()[0] == "x' = -0.20000 x + 2.0000 y"
    assert whole.score(spiral(2.0), TIMES) == pytest.approx(1.0, abs=1e-6)
    np.testing.assert_allclose(whole.predict(np.array([[1.0, 0.0]])), [[-2.0, -20.0]], rtol=1e-6)


def everything(estimator: Discoverer) -> list[np.ndarray]:
    estimator.fit(X, T, X_DOT)
    return [
        estimator.coefficients_["value"].to_numpy(),
        estimator.predict(X),
        estimator.simulate(X[0], T),
        estimator.rhs()(0.0, X[0]),
        *(record.w for sweep in estimator.discovery_.sweeps.values() for record in sweep.history),
    ]


def test_results_are_float64_although_the_callers_jax_is_float32(fitted):
    with jax.enable_x64(False):
        found = everything(make())
        assert jax.numpy.asarray(1.0).dtype == np.float32
    assert all(type(values) is np.ndarray and values.dtype == np.float64 for values in found)
    np.testing.assert_array_equal(found[0], fitted.coefficients_["value"])


def test_a_thread_computes_in_float64_too(fitted):
    """JAX keeps its switch per thread: a new one starts with the process' own setting."""
    switch = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", False)
    try:
        with ThreadPoolExecutor(2) as pool:
            results = list(pool.map(everything, [make(), make()]))
        assert jax.numpy.asarray(1.0).dtype == np.float32
    finally:
        jax.config.update("jax_enable_x64", switch)
    for found in results:
        assert all(values.dtype == np.float64 for values in found)
        np.testing.assert_allclose(found[0], fitted.coefficients_["value"], rtol=1e-12)


def test_importing_changes_no_setting_and_loads_no_stack():
    code = """
import sys, mathonet
assert "jax" not in sys.modules
assert {"Discoverer", "discover", "systems"} <= set(dir(mathonet))
import jax
before = dict(jax.config.values)
for name in dir(mathonet):
    getattr(mathonet, name)
import mathonet.cli, mathonet.cli.display, mathonet.estimators.discoverer
assert dict(jax.config.values) == before
assert jax.numpy.ones(1).dtype == "float32"
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def test_public_names_exist_and_others_do_not():
    for name in mathonet.__all__:
        assert getattr(mathonet, name) is not None
    with pytest.raises(AttributeError, match="nope"):
        _ = mathonet.nope


def test_what_acts_on_a_given_network_alone_is_not_ignored_in_silence():
    lambdas = np.array([1e-3, 1e-4])
    with pytest.warns(UserWarning, match="no effect of joint, lambdas, restarts"):
        Discoverer(["ident"], joint=True, restarts=7, lambdas=lambdas).fit(X, x_dot=X)
    with pytest.warns(UserWarning, match="no effect of cycles"):
        MathONetRegressor(["ident"], cycles=3).fit(X, X[:, 0])
    Discoverer(["ident"], hidden=[2], joint=True, restarts=7, lambdas=lambdas).check_parameters()
