"""The true equations of the built-in systems, and whether a found form is one of them."""

import numpy as np

from mathonet import systems
from mathonet.equation.assembly import constants
from mathonet.equation.expression import Expression
from mathonet.equation.parse import from_sympy


def truths(name: str) -> list[Expression]:
    """The right-hand sides of a system, one a state."""
    system = systems.get(name)
    return [from_sympy(equation, system.symbols) for equation in system.equations]


def compare(found: Expression, truth: Expression) -> tuple[bool, float]:
    """Whether the form is exactly the true one, and the largest relative error of a constant."""
    errors = coefficient_errors(found, truth)
    return (False, np.inf) if errors is None else (True, float(np.max(errors)))


def coefficient_errors(found: Expression, truth: Expression) -> np.ndarray | None:
    """The relative error of each constant, None for a form that is not the true one."""
    if found.skeleton != truth.skeleton:
        return None
    values, wanted = np.asarray(constants(found)), np.asarray(constants(truth))
    return np.abs(values - wanted) / np.abs(wanted)
