"""How a form depends on its constants: exact derivatives, one compilation whatever the form."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from mathonet.equation.assembly import assemble, constants, zero_free
from mathonet.equation.expression import Expression
from mathonet.errors import ConfigError
from mathonet.fit.linear import monomial
from mathonet.fit.tape import Tape, evaluate
from mathonet.operations import Operation

ROWS = 512
"""Rows of one compiled evaluation; the last part is padded, so every number of rows shares it."""


def sensitivity(
    expression: Expression, inputs: np.ndarray, operations: tuple[Operation, ...]
) -> Float[np.ndarray, "rows constants"]:
    """Derivatives of an expression in its free constants, in the order of `assembly.constants`.

    A sum of monomials is its own derivative and needs no tape; neither does its size matter. Call in double
    precision.

    Args:
        expression: the form, with its constants.
        inputs: one row a sample.
        operations: what the tape may call, from `tape_operations`.

    Raises:
        ConfigError: the form is too large to be evaluated.
    """
    form = zero_free(expression)
    if not any(form.calls()):
        with np.errstate(all="ignore"):
            return np.stack([monomial(inputs, term.factors) for term in form.terms], axis=1)
    tape = assemble(form, inputs.shape[1], operations)
    if tape is None:
        raise ConfigError(
            f"An equation of {len(form.terms)} terms is too large for a band: use fewer neurons or terms."
        )
    count, parts = len(constants(form)), [np.zeros((0, len(constants(form))))]
    for begin in range(0, len(inputs), ROWS):
        part = inputs[begin : begin + ROWS]
        # Padding repeats a real row, so that no operation meets an argument that the data never had.
        padded = np.concatenate([part, np.repeat(part[:1], ROWS - len(part), axis=0)])
        parts.append(np.asarray(slopes(tape, operations, jnp.asarray(padded)))[: len(part), :count])
    return np.concatenate(parts)


@partial(jax.jit, static_argnums=1)
def slopes(
    tape: Tape, operations: tuple[Operation, ...], inputs: Float[Array, "rows inputs"]
) -> Float[Array, "rows constants"]:
    """Derivatives of a tape's value in all its constants, forward mode through the tape's loop."""
    start = jnp.asarray(tape.constants)
    _, push = jax.linearize(lambda c: evaluate(tape, operations, c, inputs), start)
    return jax.vmap(push)(jnp.eye(start.shape[0], dtype=start.dtype)).T
