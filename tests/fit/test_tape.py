"""Tapes: structure as data, one compilation for every form."""

from itertools import pairwise

import jax.numpy as jnp
import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mathonet.equation.assembly import assemble, tape_operations
from mathonet.equation.expression import apply, number, power, variable
from mathonet.fit.problem import Problem, Windows
from mathonet.fit.tape import (
    BATCH,
    FIRST_OPERATION,
    SIZES,
    evaluate_tape,
    fit_tape,
    in_batches,
    make_tape,
    pad,
)
from mathonet.operations import get, resolve

OPERATIONS = tape_operations(resolve(["ident", "sin", "cos", "exp", "tanh"]))
NAMES = [operation.name for operation in OPERATIONS]
NUMPY = {"ident": lambda h: h, "sin": np.sin, "cos": np.cos, "tanh": np.tanh}
INPUTS = np.random.default_rng(2).uniform(-1.5, 1.5, size=(20, 2))
PLACES = SIZES[0][1]


def make_problem(inputs: np.ndarray, targets: np.ndarray, **changes) -> Problem:
    given = {
        "inputs": jnp.asarray(inputs),
        "targets": jnp.asarray(targets)[:, None],
        "weights": jnp.ones(len(targets)),
        "count": jnp.asarray(float(len(targets))),
    }
    return Problem(**(given | changes))


@st.composite
def programs(draw):
    """Instructions (name, left, right) over two inputs, the constants and earlier results."""
    values = draw(st.lists(st.floats(-2, 2), min_size=1, max_size=4))
    registers = 2 + len(values)
    program = []
    for _ in range(draw(st.integers(1, 8))):
        name = draw(st.sampled_from(["add", "multiply", *NUMPY]))
        program.append((name, draw(st.integers(0, registers - 1)), draw(st.integers(0, registers - 1))))
        registers += 1
    return values, program


def run_by_numpy(values, program) -> list[np.ndarray]:
    registers = [INPUTS[:, 0], INPUTS[:, 1], *(np.full(len(INPUTS), value) for value in values)]
    for name, left, right in program:
        a, b = registers[left], registers[right]
        registers.append(a + b if name == "add" else a * b if name == "multiply" else NUMPY[name](a))
    return registers


def as_tape(values, program):
    def padded(register: int) -> int:
        return register if register < 2 + len(values) else register + PLACES - len(values)

    codes = {"add": 0, "multiply": 1} | {name: FIRST_OPERATION + i for i, name in enumerate(NAMES)}
    code, left, right = zip(*((codes[name], padded(a), padded(b)) for name, a, b in program), strict=True)
    return make_tape(list(code), list(left), list(right), values, SIZES[0])


@given(programs())
@settings(max_examples=60)
def test_evaluation_equals_numpy(case):
    registers = run_by_numpy(*case)
    assume(max(np.abs(register).max() for register in registers) < 1e3)
    value = evaluate_tape(as_tape(*case), OPERATIONS, INPUTS)
    np.testing.assert_allclose(value, registers[-1], rtol=1e-9, atol=1e-9)


def test_fit_reaches_machine_precision():
    sine = apply(get("sin"), variable(0).scale(1.4) + variable(1).scale(0.8))
    growth = apply(get("exp"), variable(1).scale(0.4))
    start = sine.scale(1.5) + growth.scale(-0.5) + number(0.2)
    target = 2.0 * np.sin(1.3 * INPUTS[:, 0] + 0.9 * INPUTS[:, 1]) - 0.7 * np.exp(0.5 * INPUTS[:, 1]) + 0.3
    tape = assemble(start, 2, OPERATIONS)
    fitted = fit_tape(tape, OPERATIONS, make_problem(INPUTS, target), 60)
    assert fitted.rss < 1e-26
    assert np.all(np.asarray(fitted.constants)[~tape.active] == 0.0)


def test_no_step_only_evaluates():
    tape = assemble(variable(0).scale(2.0) + number(1.0), 2, OPERATIONS)
    problem = make_problem(INPUTS, np.zeros(len(INPUTS)))
    fitted = fit_tape(tape, OPERATIONS, problem, 0)
    np.testing.assert_allclose(fitted.rss, np.sum((2 * INPUTS[:, 0] + 1) ** 2))
    design = np.stack([INPUTS[:, 0], np.ones(len(INPUTS))], axis=1)
    np.testing.assert_allclose(fitted.normal[:2, :2], design.T @ design, rtol=1e-12)


def test_start_that_is_not_finite_has_an_infinite_sum_of_squares():
    form = apply(get("inv"), variable(0) + number(-1.0))
    huge = form.scale(1e200) * form.scale(1e200)
    fitted = fit_tape(assemble(huge, 2, OPERATIONS), OPERATIONS, make_problem(INPUTS, INPUTS[:, 0]), 60)
    assert fitted.rss == np.inf


def many_forms(count: int):
    rng = np.random.default_rng(4)
    names = ["sin", "cos", "exp", "tanh", "inv"]
    seen = {}
    while len(seen) < count:
        form = number(rng.normal())
        for _ in range(rng.integers(1, 4)):
            i, j = rng.integers(0, 3, size=2)
            monomial = power(variable(0), int(i)) * power(variable(1), int(j))
            if rng.random() < 0.6:
                inner = variable(int(rng.integers(2))).scale(0.5) + number(2.0)
                monomial = monomial * apply(get(str(rng.choice(names))), inner)
            form = form + monomial.scale(rng.normal())
        if form.terms and pad(0, len(form.terms)):
            seen[form.skeleton] = form
    return list(seen.values())


def test_a_hundred_forms_of_one_padded_size_compile_once():
    inputs = INPUTS[:17]
    problem = make_problem(inputs, np.sin(inputs[:, 0]))
    before = fit_tape._cache_size()
    sums = []
    for form in many_forms(100):
        tape = assemble(form, 2, OPERATIONS)
        assert tape.code.shape == (SIZES[0][0],)
        sums.append(float(fit_tape(tape, OPERATIONS, problem, 20).rss))
    assert fit_tape._cache_size() - before == 1
    assert len(set(sums)) > 50


def test_long_problem_in_batches_equals_the_whole():
    rng = np.random.default_rng(6)
    rows = 2 * BATCH + 131
    inputs = rng.uniform(-1.5, 1.5, size=(rows, 2))
    target = 2 * np.sin(1.3 * inputs[:, 0]) + 0.1 * rng.normal(size=rows)
    weights = jnp.asarray(rng.uniform(0.5, 2.0, rows))
    # An operator, even the identity, keeps a problem whole.
    identity = Windows(jnp.arange(rows)[:, None], jnp.ones((rows, 1)))
    tape = assemble(apply(get("sin"), variable(0)), 2, OPERATIONS)
    batched, whole = (
        fit_tape(tape, OPERATIONS, make_problem(inputs, target, weights=weights, operator=operator), 60)
        for operator in (None, identity)
    )
    np.testing.assert_allclose(batched.rss, whole.rss, rtol=1e-10)
    np.testing.assert_allclose(batched.constants, whole.constants, rtol=1e-8)
    np.testing.assert_allclose(batched.normal, whole.normal, rtol=1e-8)


def test_only_long_plain_problems_are_split_and_no_row_is_lost():
    rows = 2 * BATCH + 131
    inputs, targets = np.arange(rows, dtype=float)[:, None], np.arange(rows) + 1.0
    long = make_problem(inputs, targets)
    parts = in_batches(long)
    assert parts is not None
    real = np.asarray(parts.weights) > 0
    np.testing.assert_array_equal(np.asarray(parts.inputs)[real], inputs)
    np.testing.assert_array_equal(np.asarray(parts.targets)[real], targets[:, None])
    assert np.isin(np.asarray(parts.inputs)[~real], inputs).all()
    assert in_batches(make_problem(inputs[: 2 * BATCH], targets[: 2 * BATCH])) is None
    windows = Windows(jnp.arange(rows)[:, None], jnp.ones((rows, 1)))
    assert in_batches(make_problem(inputs, targets, operator=windows)) is None


def test_padding_takes_the_smallest_shape_that_holds_a_tape():
    assert pad(1, 1) == SIZES[0]
    for smaller, size in pairwise(SIZES):
        assert pad(*smaller) == smaller
        assert pad(smaller[0] + 1, 1) == size
        assert pad(1, smaller[1] + 1) == size
    assert pad(SIZES[-1][0] + 1, 1) is None
    assert pad(1, SIZES[-1][1] + 1) is None
