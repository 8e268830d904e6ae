"""Expressions as padded instruction tapes: structure is data, so one compilation runs every form.

Registers hold the inputs, then the constants, then one result an instruction. An instruction adds or
multiplies two registers or applies an operation to one. The loop runs over the tape's true length: padding
costs memory, not time.
"""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int

from mathonet.operations import Operation

Numbers = Array | np.ndarray
"""A tape is made in NumPy, and held in JAX once it is inside a compiled function."""

ADD, MULTIPLY, FIRST_OPERATION = 0, 1, 2
SIZES = ((96, 24), (256, 40))
"""Padded shapes (instructions, constants), smallest first: one compilation each."""


class Tape(eqx.Module):
    """One expression of the inputs, with its constants.

    Attributes:
        code: what each instruction does: `ADD`, `MULTIPLY`, or `FIRST_OPERATION` plus an operation's index.
        left: register of the first argument; inputs count from 0, then the constants, then the results.
        right: register of the second argument.
        length: number of instructions; the last one gives the value.
        constants: values of the constants, zero where padded.
        active: which constants are real.
    """

    code: Int[Numbers, " instructions"]
    left: Int[Numbers, " instructions"]
    right: Int[Numbers, " instructions"]
    length: Int[Numbers, ""]
    constants: Float[Numbers, " constants"]
    active: Bool[Numbers, " constants"]


def evaluate(
    tape: Tape, operations: tuple[Operation, ...], constants: Numbers, inputs: Float[Array, "samples inputs"]
) -> Float[Array, " samples"]:
    """The tape's value at every sample, for the given constants in place of its own."""
    samples, count = inputs.shape
    given = count + constants.shape[0]
    broadcast = jnp.broadcast_to(constants[:, None], (constants.shape[0], samples))
    results = jnp.zeros((tape.code.shape[0], samples), inputs.dtype)
    registers = jnp.concatenate([inputs.T, broadcast, results])

    branches = [lambda a, b: a + b, lambda a, b: a * b]
    branches += [lambda a, b, f=operation.evaluate: f(a) for operation in operations]

    def instruct(i, registers):
        a, b = registers[tape.left[i]], registers[tape.right[i]]
        return registers.at[given + i].set(jax.lax.switch(tape.code[i], branches, a, b))

    registers = jax.lax.fori_loop(0, tape.length, instruct, registers)
    return registers[given + tape.length - 1]


def pad(length: int, count: int) -> tuple[int, int] | None:
    """The smallest padded shape that holds a tape, or None if none does."""
    return next((size for size in SIZES if length <= size[0] and count <= size[1]), None)


def make_tape(
    code: list[int], left: list[int], right: list[int], constants: list[float], size: tuple[int, int]
) -> Tape:
    """A tape padded to `size`; register numbers must already count the padded constants."""
    instructions, places = size

    def padded(values: list, length: int, dtype) -> np.ndarray:
        array = np.zeros(length, dtype)
        array[: len(values)] = values
        return array

    return Tape(
        padded(code, instructions, np.int32),
        padded(left, instructions, np.int32),
        padded(right, instructions, np.int32),
        np.asarray(len(code), np.int32),
        padded(constants, places, np.float64),
        np.arange(places) < len(constants),
    )
