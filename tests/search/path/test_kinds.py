"""Rivals of another kind: what noise lets stand in for a form is fitted beside it, and nothing else."""

import jax
import numpy as np
import pytest

from mathonet.equation.assembly import constants
from mathonet.equation.expression import Expression
from mathonet.equation.kinds import kind
from mathonet.equation.parse import from_text
from mathonet.result.selection import as_good
from mathonet.search import effort
from mathonet.search.fit import Fit
from mathonet.search.path.fit import PathFit
from mathonet.search.path.increments import increments
from mathonet.search.path.kinds import compared, other_kinds
from mathonet.search.path.moves import regress
from mathonet.search.proposers.calls import Calls

T = np.arange(0.0, 6.0, 1.0 / 30.0)
NAMES = ("x", "y")
OPERATIONS = ["ident", "sin", "tanh", "exp"]
CALLS = Calls(np.ones(2), precise=False)


def pendulum(_, x):
    return [x[1], -9.81 * np.sin(x[0]) - 0.1 * x[1]]


def hardening(_, x):
    return [x[1], x[0] - x[0] ** 3 - 0.1 * x[1]]


def fitted(joint: PathFit, *texts: str) -> Fit:
    with jax.enable_x64(True):
        found = joint.fit(regress(joint, [from_text(text, NAMES) for text in texts]), steps=40)
    assert found is not None
    return found


def rival(joint: PathFit, fit: Fit, equation: int) -> Expression | None:
    with jax.enable_x64(True):
        along = increments(joint, fit, equation)
        assert along is not None
        looked = [along.fit(fit.forms[equation]), *CALLS.fits(along)]
        list(other_kinds(joint, fit, equation, looked))
    return as_good(fit.forms[equation], compared(joint, fit, equation), joint.along(fit))


@pytest.mark.parametrize(
    ("form", "others"),
    [("x + y + x**3", [{"sin"}, {"tanh"}]), ("sin(x) + y", [set()])],
    ids=["cubic", "sine"],
)
def test_a_small_swing_does_not_tell_a_sine_from_a_cubic(
    observe, joint_of, form: str, others: list[set[str]]
):
    joint = joint_of(observe(pendulum, [0.9, 0.0], T, 0.02), operations=OPERATIONS)
    fit = fitted(joint, "y", form)
    before = len(joint.front)
    found = rival(joint, fit, 1)
    assert found is not None
    assert kind(found) in others
    assert len(constants(found)) <= len(constants(fit.forms[1]))
    assert len(joint.front) - before <= effort.RIVALS_FITTED


def test_what_the_data_tell_has_no_equal(observe, joint_of):
    joint = joint_of(observe(hardening, [0.1, 0.0], 4.0 * T, 0.02), operations=OPERATIONS)
    fit = fitted(joint, "y", "x + y + x**3")
    assert rival(joint, fit, 1) is None
    # A straight line has no equal with a single constant: sin(e x)/e has two.
    assert rival(joint, fit, 0) is None
