"""Tapes: structure as data, one compilation for every form."""

from itertools import pairwise

import jax
import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mathonet.equation.assembly import assemble, tape_operations
from mathonet.fit.tape import FIRST_OPERATION, SIZES, evaluate, make_tape, pad
from mathonet.operations import resolve

evaluate_tape = jax.jit(
    lambda tape, operations, inputs: evaluate(tape, operations, tape.constants, inputs), static_argnums=1
)

OPERATIONS = tape_operations(resolve(["ident", "sin", "cos", "exp", "tanh"]))
NAMES = [operation.name for operation in OPERATIONS]
NUMPY = {"ident": lambda h: h, "sin": np.sin, "cos": np.cos, "tanh": np.tanh}
INPUTS = np.random.default_rng(2).uniform(-1.5, 1.5, size=(20, 2))
PLACES = SIZES[0][1]


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


def test_a_hundred_forms_of_one_padded_size_compile_once(many_forms):
    before = evaluate_tape._cache_size()
    found = []
    for form in many_forms:
        tape = assemble(form, 2, OPERATIONS)
        assert tape.code.shape == (SIZES[0][0],)
        found.append(float(evaluate_tape(tape, OPERATIONS, INPUTS[:17])[0]))
    assert evaluate_tape._cache_size() - before == 1
    assert len(set(found)) > 50


def test_padding_takes_the_smallest_shape_that_holds_a_tape():
    assert pad(1, 1) == SIZES[0]
    for smaller, size in pairwise(SIZES):
        assert pad(*smaller) == smaller
        assert pad(smaller[0] + 1, 1) == size
        assert pad(1, smaller[1] + 1) == size
    assert pad(SIZES[-1][0] + 1, 1) is None
    assert pad(1, SIZES[-1][1] + 1) is None
