"""Expressions as padded instruction tapes: structure is data, so one compilation fits every form.

Registers hold the inputs, then the constants, then one result an instruction. An instruction adds or
multiplies two registers or applies an operation to one. The loop runs over the tape's true length: padding
costs memory, not time.
"""

from functools import partial

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int

from mathonet.fit.least_squares import Quadratic, minimise, quadratic
from mathonet.fit.problem import Problem
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


class TapeFit(eqx.Module):
    """Fitted constants with what scores and intervals are computed from.

    Attributes:
        constants: the constants at the minimum.
        rss: sum of squared weighted residuals there.
        normal: J^T J there.
    """

    constants: Float[Array, " constants"]
    rss: Float[Array, ""]
    normal: Float[Array, "constants constants"]


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


@partial(jax.jit, static_argnums=1)
def evaluate_tape(tape: Tape, operations: tuple[Operation, ...], inputs: Array) -> Float[Array, " samples"]:
    """Compiled `evaluate` with the tape's own constants."""
    return evaluate(tape, operations, tape.constants, inputs)


@partial(jax.jit, static_argnums=1)
def fit_tape(tape: Tape, operations: tuple[Operation, ...], problem: Problem, steps: int | Array) -> TapeFit:
    """Unpenalised least-squares fit of a tape's constants, from their present values.

    The Jacobian is forward mode through the loop; with `steps=0` it only evaluates.
    """

    def around(constants: Array, part: Problem) -> Quadratic:
        def values(c: Array) -> Array:
            return evaluate(tape, operations, c, part.inputs)

        value, push = jax.linearize(values, constants)
        slopes = jax.vmap(push)(jnp.eye(constants.shape[0], dtype=constants.dtype)).T
        return quadratic(part.residuals(value[:, None]), part.jacobian(slopes[:, None, :]))

    parts = in_batches(problem)

    def evaluate_all(constants: Array) -> Quadratic:
        if parts is None:
            return around(constants, problem)
        return jax.tree.map(
            lambda each: jnp.sum(each, axis=0), jax.lax.map(lambda p: around(constants, p), parts)
        )

    start, active, count = jnp.asarray(tape.constants), jnp.asarray(tape.active), problem.observations
    best = minimise(evaluate_all, start, active, count, steps, tolerance=1e-10, patience=2)
    rss = jnp.where(best.finite, best.around.rss, jnp.inf)
    return TapeFit(best.w, rss, best.around.normal)


BATCH = 2048


def in_batches(problem: Problem) -> Problem | None:
    """A long problem as a stack of short ones whose sums of squares add up; None if it is short.

    The derivative of every register in every constant is held at once: 1 GB at 100,000 rows.
    """
    rows = problem.inputs.shape[0]
    if rows <= 2 * BATCH or problem.operator is not None or problem.weights.ndim == 2:
        return None
    count = -(-rows // BATCH)

    def split(array: Array) -> Array:
        padding = [(0, count * BATCH - rows)] + [(0, 0)] * (array.ndim - 1)
        return jnp.pad(array, padding).reshape(count, BATCH, *array.shape[1:])

    # Rows that fill the last batch repeat a real sample with weight zero.
    inputs = jnp.concatenate([problem.inputs, jnp.repeat(problem.inputs[:1], count * BATCH - rows, 0)])
    stacked = inputs.reshape(count, BATCH, -1)
    return Problem(stacked, split(problem.targets), split(problem.weights), jnp.full(count, 1.0), None)


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
