"""Scores of found equations against the truth: form, function, and simulations from both starts."""

import warnings
from collections.abc import Callable, Sequence

import numpy as np
import sympy
from scipy.integrate import solve_ivp

from mathonet.equation.expression import Expression
from mathonet.equation.flow import evaluate
from mathonet.equation.symbolic import to_sympy
from mathonet.experiments.bench.recovery.cases import SINGULAR, Case
from mathonet.experiments.bench.recovery.same_form import coefficient_errors
from mathonet.precision import double_precision

SAME = 0.05
"""Largest difference of a function that is the same: RMS over the box, as a share of the truth's."""
GOOD = 0.9
"""R2 of a simulation that counts."""
TOLERANCE = 1e-9
FAR = 1e3
"""A simulation has blown up so many sizes of the true trajectory away."""
MOST_CALLS = 100_000
"""Of the right-hand side, some seconds: a simulation that needs more counts as failed."""


@double_precision
def scores(case: Case, found: Sequence[Expression]) -> dict:
    """What a system of found right-hand sides is worth; the truth is used here and nowhere before.

    Returns:
        Whether the forms of all equations are the true ones, which are, the errors of their constants, the
        largest difference from a true function on the box, and R2 from both starts (None: blown up).
    """
    errors, differences = [], []
    for place, (one, true) in enumerate(zip(found, case.dynamics.truth, strict=True)):
        rows = _compared(case, place)
        errors.append(coefficient_errors(one, true, rows))
        differences.append(_difference(evaluate(one, rows), evaluate(true, rows)))
    right = [each is not None for each in errors]
    r2 = [r_squared(case, found, start) for start in (0, 1)]
    return {
        "exact": all(right),
        "right": right,
        "errors": [error for each in errors if each is not None for error in each],
        "difference": _finite(max(differences)),
        "same_function": bool(max(differences) <= SAME),
        "r2": r2,
        "reconstruction": r2[0] is not None and r2[0] > GOOD,
        "generalisation": r2[1] is not None and r2[1] > GOOD,
    }


@double_precision
def has_true_form(case: Case, place: int, found: Expression) -> bool:
    """Whether a found right-hand side of the state at `place` has the true form."""
    return coefficient_errors(found, case.dynamics.truth[place], _compared(case, place)) is not None


def _compared(case: Case, place: int) -> np.ndarray:
    """States of the box on which the right-hand sides of one equation are compared.

    None is near a pole, and none where a logarithm or root of the truth would be of a number whose sign it
    never has on the data: x^p is a power of x on one side of zero alone.
    """
    true, box, x = case.dynamics.truth[place], case.box(), case.dynamics.trajectory(0, case.points).x
    largest = np.abs(evaluate(true, x)).max()
    good = np.abs(evaluate(true, box)) <= SINGULAR * largest
    for call in true.calls():
        if call.operation.name in ("log", "sqrt"):
            signs = np.sign(evaluate(call.argument, x))
            if (signs == signs[0]).all():
                good &= np.sign(evaluate(call.argument, box)) == signs[0]
    return box[good]


def _difference(found: np.ndarray, wanted: np.ndarray) -> float:
    with np.errstate(all="ignore"):
        left = np.sqrt(np.mean((found - wanted) ** 2) / np.mean(wanted**2))
    return float(left) if np.isfinite(left) else np.inf


def _finite(value: float) -> float | None:
    """Infinity has no place in JSON."""
    return value if np.isfinite(value) else None


def r_squared(case: Case, found: Sequence[Expression], start: int) -> float | None:
    """Variance-weighted R2 of a simulation from a clean start against the clean path; None if it blows up."""
    clean = case.dynamics.trajectory(start, case.points)
    size = np.abs(clean.x).max(axis=0)
    x = simulated(found, case.names, clean.x[0], clean.t, size)
    if x is None:
        return None
    left, spread = np.sum((x - clean.x) ** 2), np.sum((clean.x - clean.x.mean(axis=0)) ** 2)
    return float(1.0 - left / spread)


class _EndedError(ArithmeticError):
    """The simulation blew up, or takes too long."""


def simulated(
    equations: Sequence[Expression], names: Sequence[str], x0: np.ndarray, t: np.ndarray, size: np.ndarray
) -> np.ndarray | None:
    """States (times, states) by SciPy's LSODA, which turns to a stiff method where it must; None if it ends.

    Args:
        equations: right-hand sides, one a state.
        names: of the states.
        x0: the start.
        t: times.
        size: of each state, which tolerances and the bound follow.
    """
    slopes, calls = _function(equations, names), 0
    bound = FAR * max(float(size.max()), float(np.abs(x0).max()))

    def f(_: float, x: np.ndarray) -> list[float]:
        nonlocal calls
        calls += 1
        if calls > MOST_CALLS or not np.abs(x).max() < bound:
            raise _EndedError
        return slopes(x.tolist())

    try:
        with warnings.catch_warnings(action="ignore"):
            found = solve_ivp(
                f,
                (t[0], t[-1]),
                x0,
                method="LSODA",
                t_eval=t,
                rtol=TOLERANCE,
                atol=TOLERANCE * np.where(size > 0, size, 1.0),
            )
    except (ArithmeticError, ValueError, TypeError):
        # Plain floats raise where arrays would hold inf or nan, and a root of a negative number is complex.
        return None
    x = found.y.T
    return x if found.success and x.shape == (len(t), len(x0)) and np.isfinite(x).all() else None


def _function(equations: Sequence[Expression], names: Sequence[str]) -> Callable[[list[float]], list[float]]:
    """The right-hand sides as one function of plain floats: arrays take ten times as long."""
    symbols = [sympy.Symbol(name) for name in names]
    formulas = [to_sympy(each, symbols, sympy.Rational) for each in equations]
    return sympy.lambdify([symbols], formulas, "math", cse=True)
