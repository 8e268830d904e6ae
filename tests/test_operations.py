"""Operations: finite everywhere, exact away from singularities, one meaning in both faces."""

import pickle

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mathonet import operations
from mathonet.errors import ConfigError
from mathonet.operations import STANDARD, Operation, get, parity

ALL = operations.names()
LARGEST = float(np.finfo(np.float64).max)
EXTREMES = [
    0.0,
    -0.0,
    5e-324,
    1e-308,
    1e-200,
    1e-100,
    1e-99,
    np.pi / 2,
    700.0,
    701.0,
    1e100,
    1e101,
    1e308,
    LARGEST,
]


@jax.jit
def _values_and_gradients(h):
    functions = [operations.get(name).evaluate for name in ALL]
    return jnp.stack([f(h) for f in functions]), jnp.stack([jax.grad(f)(h) for f in functions])


@pytest.fixture
def own_registry(monkeypatch):
    monkeypatch.setattr(operations, "_registered", dict(operations._registered))


@settings(max_examples=300)
@given(st.floats(allow_nan=False, allow_infinity=False))
@example(0.0)
@example(1e308)
@example(-1e308)
@example(5e-324)
@example(np.pi / 2)
def test_value_and_gradient_are_finite_for_every_finite_argument(h):
    values, gradients = _values_and_gradients(h)
    assert np.all(np.isfinite(values))
    assert np.all(np.isfinite(gradients))


@pytest.mark.parametrize("name", ALL)
def test_value_and_gradient_are_finite_at_the_edges(name):
    evaluate = operations.get(name).evaluate
    h = jnp.array([sign * e for e in EXTREMES for sign in (1, -1)])
    assert np.all(np.isfinite(evaluate(h)))
    assert np.all(np.isfinite(jax.vmap(jax.grad(evaluate))(h)))


@pytest.mark.parametrize("name", ALL)
def test_float32_stays_float32_and_finite(name):
    evaluate = operations.get(name).evaluate
    h = jnp.array([0.0, 1e-45, 1e-20, -1.5, np.pi / 2, 80.0, 100.0, 3e38, -3e38], dtype=jnp.float32)
    assert evaluate(h).dtype == jnp.float32
    assert np.all(np.isfinite(evaluate(h)))
    assert np.all(np.isfinite(jax.vmap(jax.grad(evaluate))(h)))


@settings(max_examples=25)
@given(st.sampled_from(ALL), st.floats(-30, 30).filter(lambda h: abs(h) > 1e-6))
def test_faces_agree_to_rounding(name, h):
    operation = operations.get(name)
    symbol = sympy.Symbol("h")
    face = operation.symbolic(symbol)
    expected = float(face.subs(symbol, sympy.Float(h, 40)).evalf(30))
    slope = abs(float(operation.evaluate(h * (1 + 1e-15)) - operation.evaluate(h)))
    assert float(operation.evaluate(h)) == pytest.approx(expected, rel=2e-14, abs=2e-15 + 10 * slope)


@pytest.mark.parametrize("name", ALL)
def test_gradient_is_the_derivative_of_the_symbolic_face(name):
    operation = operations.get(name)
    symbol = sympy.Symbol("h", positive=True)
    derivative = sympy.diff(operation.symbolic(symbol), symbol)
    for h in (0.3, 1.1, 2.7):
        assert float(jax.grad(operation.evaluate)(h)) == pytest.approx(
            float(derivative.subs(symbol, h)), rel=1e-13
        )


@pytest.mark.parametrize(
    ("name", "edge"), [("inv", 1e-100), ("log", 1e-100), ("sqrt", 1e-100), ("exp", 700.0)]
)
def test_guards_join_continuously(name, edge):
    evaluate = operations.get(name).evaluate
    below, above = evaluate(jnp.array([edge * (1 - 1e-13), edge * (1 + 1e-13)]))
    assert float(below) == pytest.approx(float(above), rel=1e-9)


def test_inv_of_zero_is_zero_and_log_of_zero_is_constant():
    assert float(operations.get("inv").evaluate(jnp.array(0.0))) == 0.0
    assert float(operations.get("log").evaluate(jnp.array(0.0))) == pytest.approx(-100 * np.log(10))


def test_operation_is_hashable_and_static():
    @jax.jit
    def apply(h):
        return operations.get("sin").evaluate(h)

    by_argument = jax.jit(lambda operation, h: operation.evaluate(h), static_argnums=0)
    assert float(by_argument(operations.get("sin"), 0.5)) == float(apply(0.5))
    assert len({operations.get("sin"), operations.get("sin"), operations.get("cos")}) == 2


@pytest.mark.parametrize("name", ALL)
def test_operation_survives_a_trip_to_another_process(name):
    operation = operations.get(name)
    assert pickle.loads(pickle.dumps(operation)) == operation  # noqa: S301


def test_resolve_none_is_standard():
    assert tuple(o.name for o in operations.resolve(None)) == STANDARD


def test_resolve_mixes_names_and_objects(own_registry):
    mine = Operation("halved", lambda h: h / 2, lambda h: h / 2, price=2.0)
    assert operations.resolve(["sin", mine]) == (operations.get("sin"), mine)


@pytest.mark.parametrize(
    ("items", "message"),
    [([], "empty"), (["sin", "sin"], "more than once: sin"), ("sin", "list"), ([3], "name or an Operation")],
)
def test_resolve_refuses(items, message):
    with pytest.raises(ConfigError, match=message):
        operations.resolve(items)


def test_unknown_name_gets_a_suggestion_and_the_list():
    with pytest.raises(ConfigError, match=r"Did you mean 'sqrt'\?.*ident, sin"):
        operations.get("sqr_t")


def test_register_makes_known_and_may_be_repeated(own_registry):
    for _ in range(2):
        operations.register(Operation("slow_cos", lambda h: jnp.cos(h / 2), lambda h: sympy.cos(h / 2)))
    assert "slow_cos" in operations.names()
    assert operations.get("slow_cos").price == 1.0


def test_register_accepts_a_guarded_domain(own_registry):
    def evaluate(h):
        outside = jnp.abs(h) > 0.999
        return jnp.where(outside, 0.0, jnp.arcsin(jnp.where(outside, 0.0, h)))

    operations.register(Operation("asin", evaluate, sympy.asin))


@pytest.mark.parametrize(
    ("evaluate", "symbolic", "message"),
    [
        (lambda h: 1 / h, lambda h: 1 / h, "value .* at h = 0"),
        (lambda h: jnp.sqrt(jnp.abs(h)), lambda h: sympy.sqrt(sympy.Abs(h)), "gradient .* at h = 0"),
        (lambda h: jnp.where(h == 0, 0.0, jnp.log(jnp.abs(h))), lambda h: sympy.log(abs(h)), "gradient"),
        (lambda h: jnp.sum(h), lambda h: h, "shape and dtype"),
        (lambda h: jnp.tanh(h - jnp.mean(jnp.tanh(h) + 1)), sympy.tanh, "not elementwise"),
        (lambda h: np.sin(np.asarray(h)), sympy.sin, "failed on JAX arrays"),
        (jnp.sin, sympy.cos, "disagree at h"),
        (jnp.sin, lambda h: h * sympy.I, "hardly ever a real number"),
    ],
)
def test_register_refuses_unsound_operations(own_registry, evaluate, symbolic, message):
    with pytest.raises(ConfigError, match=message):
        operations.register(Operation("mine", evaluate, symbolic))
    assert "mine" not in operations.names()


def test_built_in_names_are_protected():
    mine = Operation("sin", jnp.cos, sympy.cos)
    with pytest.raises(ConfigError, match="built-in"):
        operations.register(mine)
    with pytest.raises(ConfigError, match="built-in"):
        operations.resolve([mine])


@pytest.mark.parametrize("arguments", [("two words",), ("",), (3,)])
def test_names_must_be_identifiers(arguments):
    with pytest.raises(ConfigError, match="identifier"):
        Operation(*arguments, jnp.sin, sympy.sin)


@pytest.mark.parametrize("price", [0.0, -1.0, float("nan"), float("inf"), "1"])
def test_price_must_be_positive(price):
    with pytest.raises(ConfigError, match="price"):
        Operation("mine", jnp.sin, sympy.sin, price)


def test_parity_is_known_of_own_operations_too():
    bell = Operation("bell", lambda h: jnp.exp(-h * h), lambda h: sympy.exp(-(h**2)))
    found = {name: parity(get(name)) for name in ("sin", "tan", "tanh", "cos", "abs", "exp", "log", "ident")}
    assert found == {"sin": -1, "tan": -1, "tanh": -1, "cos": 1, "abs": 1, "exp": 0, "log": 1, "ident": -1}
    assert parity(bell) == 1
