"""How a form depends on its constants: exact derivatives, nothing compiled for any form."""

import numpy as np
from jaxtyping import Float

from mathonet.equation.assembly import zero_free
from mathonet.equation.expression import Expression
from mathonet.equation.program import compile_form
from mathonet.fit.face import Faces
from mathonet.operations import Operation


def sensitivity(
    expression: Expression, inputs: np.ndarray, operations: tuple[Operation, ...]
) -> Float[np.ndarray, "rows constants"]:
    """Derivatives of an expression in its free constants, in the order of `assembly.constants`.

    Call in double precision.

    Args:
        expression: the form, with its constants.
        inputs: one row a sample.
        operations: what the form may call, from `tape_operations`.
    """
    program = compile_form(zero_free(expression), inputs)
    with np.errstate(all="ignore"):
        return program.jacobian(program.values, Faces(operations))
