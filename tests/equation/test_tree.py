"""Expression trees: nothing is lost on the way to JSON and back, and nothing foreign comes in."""

import json
import math
from pathlib import Path

import pytest
import sympy
from hypothesis import assume, given
from hypothesis import strategies as st

from mathonet.equation import tree
from mathonet.equation.assembly import constants
from mathonet.equation.expression import Call, Expression, Term, apply, power, total, variable
from mathonet.equation.parse import from_sympy
from mathonet.equation.tree import DEEPEST, from_tree, to_tree
from mathonet.errors import ArchiveError
from mathonet.operations import get

NAMES = ("x", "a name with 'quotes'")
SYMBOLS = sympy.symbols("x y")
FORMS = [
    "0",
    "-5",
    "x - y",
    "28*x - y - x*y**2",
    "x**-3*y",
    "0.1*sin(0.9*y + x**2)**2 + 1/3",
    "x*y/(1 + 3*x**2)",
    "exp(-x**2/2) + 1.5*log(49*x + 1) - sqrt(y + 2)*abs(x - 0.3)",
    "tanh(sin(cos(exp(x*0.1))))",
]

finite = st.floats(allow_nan=False, allow_infinity=False).filter(lambda c: c != 0)
leaves = st.sampled_from([variable(0), variable(1), power(variable(0), 2), power(variable(1), -1)])
calls = st.sampled_from(["sin", "cos", "exp", "tanh"]).map(get)


def grow(children: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    scaled = st.builds(lambda c, part: Expression((Term(c, part.terms[0].factors),)), finite, children)
    called = st.builds(lambda f, part: Expression((Term(1.0, ((Call(f, part), 1),)),)), calls, children)
    summed = st.builds(lambda a, b: total([*a.terms, *b.terms]), children, children)
    return st.one_of(scaled, called, summed).filter(lambda expression: expression.terms)


expressions = st.recursive(leaves, grow, max_leaves=6)


def bits(expression: Expression) -> list:
    """Every number of an expression to the bit; equality alone would not tell 0.1 from a neighbour's sign."""
    return [
        (
            term.coefficient.hex(),
            [
                (base if isinstance(base, int) else (base.operation.name, base.sign, bits(base.argument)), n)
                for base, n in term.factors
            ],
        )
        for term in expression.terms
    ]


def through_json(expression: Expression) -> Expression:
    return from_tree(json.loads(json.dumps(to_tree(expression, NAMES), allow_nan=False)), NAMES)


@pytest.mark.parametrize("form", FORMS)
def test_round_trip_keeps_every_bit(form):
    expression = from_sympy(sympy.sympify(form), SYMBOLS)
    assert bits(through_json(expression)) == bits(expression)


@given(expressions)
def test_round_trip_of_any_expression_keeps_every_bit(expression):
    assume(all(math.isfinite(value) for value in constants(expression)))
    assert bits(through_json(expression)) == bits(expression)


@pytest.mark.parametrize("sign", [-1, 0, 1])
def test_signs_survive(sign):
    log = Expression((Term(2.0, ((Call(get("log"), variable(0), sign), 1),)),))
    assert next(through_json(log).calls()).sign == sign


def test_whole_numbers_are_coefficients_too():
    assert from_tree([{"coefficient": 3, "factors": []}], NAMES) == Expression((Term(3.0),))


def x(**changes) -> dict:
    return {"input": "x", "power": 1} | changes


def call(**changes) -> dict:
    return {"call": "sin", "argument": [{"coefficient": 2.0, "factors": [x()]}], "power": 1} | changes


def one(*factors, **changes) -> list:
    return [{"coefficient": 1.0, "factors": list(factors)} | changes]


MALFORMED = {
    "a dict": {},
    "a text": "x + y",
    "a number": 3.0,
    "nothing": None,
    "a term that is a list": [[]],
    "a term that is a text": ["x"],
    "no coefficient": [{"factors": []}],
    "no factors": [{"coefficient": 1.0}],
    "factors that are a dict": one(factors={}),
    "factors that are a text": one(factors="x"),
    "an unknown key in a term": one(code="print(1)"),
    "a coefficient as text": one(coefficient="1"),
    "a coefficient that is true": one(coefficient=True),
    "no coefficient but null": one(coefficient=None),
    "NaN": one(coefficient=math.nan),
    "infinity": one(coefficient=-math.inf),
    "a whole number beyond floats": one(coefficient=10**400),
    "a complex coefficient": one(coefficient=1j),
    "a list as coefficient": one(coefficient=[1.0]),
    "a factor that is a text": one("x"),
    "a factor that is null": one(None),
    "an empty factor": one({}),
    "an unknown input": one(x(input="z")),
    "an input that is a number": one(x(input=0)),
    "an input that is a list": one(x(input=["x"])),
    "power zero": one(x(power=0)),
    "power too large": one(x(power=100)),
    "a broken power": one(x(power=0.5)),
    "a float as power": one(x(power=2.0)),
    "a power that is true": one(x(power=True)),
    "a power as text": one(x(power="2")),
    "no power": one({"input": "x"}),
    "an unknown key in a factor": one(x(derivative=1)),
    "an input and a call at once": one(call(input="x")),
    "an unknown operation": one(call(call="sinh")),
    "code as an operation": one(call(call="__import__('os').system('true')")),
    "an operation that is a number": one(call(call=1)),
    "an operation that is a list": one(call(call=["sin"])),
    "no argument": one({"call": "sin", "power": 1}),
    "an empty argument": one(call(argument=[])),
    "an argument as text": one(call(argument="x")),
    "an argument that is null": one(call(argument=None)),
    "a bad term inside": one(call(argument=one(x(input="z")))),
    "a leading coefficient inside log": one(call(call="log", argument=one(x(), coefficient=3.0))),
    "sign two": one(call(sign=2)),
    "sign true": one(call(sign=True)),
    "sign as text": one(call(sign="+")),
    "sign null": one(call(sign=None)),
}


@pytest.mark.parametrize("malformed", MALFORMED.values(), ids=MALFORMED)
def test_malformed_trees_are_refused(malformed):
    with pytest.raises(ArchiveError) as caught:
        from_tree(malformed, NAMES)
    assert len(str(caught.value)) < 400


def nested(depth: int) -> list:
    found = one(x())
    for _ in range(depth):
        found = one(call(argument=found))
    return found


def test_deep_trees_are_refused_before_the_stack_ends():
    assert from_tree(nested(DEEPEST), NAMES).terms
    with pytest.raises(ArchiveError, match="deep"):
        from_tree(nested(DEEPEST + 1), NAMES)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["coefficient", "factors", "input", "power", "call", "argument", "sign"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(json_values)
def test_any_json_is_an_expression_or_an_archive_error(value):
    try:
        found = from_tree(value, NAMES)
    except ArchiveError:
        return
    assert bits(through_json(found)) == bits(found)


def test_a_found_expression_can_be_evaluated_again(same):
    expression = from_sympy(sympy.sympify("2*sin(3*x + y) - log(x + 0.5)"), SYMBOLS)
    same(through_json(expression), expression)
    same(apply(get("sin"), through_json(expression)), apply(get("sin"), expression))


def test_reading_evaluates_no_text():
    source = Path(tree.__file__).read_text()
    assert not any(
        word in source for word in ("eval(", "exec(", "sympify", "parse_expr", "pickle", "compile(")
    )
