"""Known terms: what a user knows of an equation is taken off its target, and is back in the result."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np
import sympy

from mathonet.data.samples import Samples
from mathonet.equation.assembly import constants
from mathonet.equation.equation import Equation, EquationSystem
from mathonet.equation.expression import Expression, number
from mathonet.equation.flow import evaluate
from mathonet.equation.parse import from_sympy, from_text
from mathonet.errors import ConfigError


def parse_known(
    known: Mapping[str, Any] | None, targets: Sequence[str], names: Sequence[str]
) -> dict[str, Expression]:
    """Known terms by target: numbers, formulas as text, or SymPy expressions in the names of the inputs.

    Raises:
        ConfigError: there is no such equation, or a formula cannot be read.
    """
    if known is None:
        return {}
    if not isinstance(known, Mapping):
        raise ConfigError(f"known must be a dictionary such as {{'v': '-9.81'}}, got {known!r}.")
    found = {}
    for target, formula in known.items():
        if target not in targets:
            raise ConfigError(f"known names {target!r}, but the equations are those of {list(targets)}.")
        if isinstance(formula, str):
            found[target] = from_text(formula, names)
        elif isinstance(formula, sympy.Expr):
            found[target] = from_sympy(formula, [sympy.Symbol(name) for name in names])
        elif isinstance(formula, Real) and np.isfinite(float(formula)):
            found[target] = number(float(formula))
        else:
            raise ConfigError(f"known[{target!r}] must be a formula such as '-9.81', got {formula!r}.")
    return found


def without_known(samples: Samples, known: Mapping[str, Expression]) -> Samples:
    """The samples with the known terms taken off their targets."""
    targets = samples.targets.copy()
    for column, name in enumerate(samples.target_names):
        if name in known:
            targets[:, column] -= evaluate(known[name], samples.inputs)
    return replace(samples, targets=targets)


def with_known(system: EquationSystem, known: Mapping[str, Expression]) -> EquationSystem:
    """The system with the known terms in their equations; their constants have no deviation."""
    return replace(
        system,
        equations=tuple(
            _joined(each, known[each.target]) if each.target in known else each for each in system.equations
        ),
    )


def _joined(equation: Equation, known: Expression) -> Equation:
    whole = equation.expression + known
    free, all_constants = constants(equation.expression), constants(whole)
    # A constant that the sum has unchanged is the fitted one; one that a known term was added to, as well.
    places = _match(equation.expression, whole, free, all_constants)
    covariance = np.zeros((len(all_constants),) * 2)
    for here, there in places.items():
        for beside, other in places.items():
            covariance[here, beside] = equation.covariance[there, other]
    return replace(equation, expression=whole, covariance=covariance)


def _match(
    form: Expression, whole: Expression, free: Sequence[float], all_constants: Sequence[float]
) -> dict[int, int]:
    """For constants of the whole, which constant of the form stands behind each."""
    own = {term.factors: term.coefficient for term in form.terms}
    moved = {term.coefficient: own[term.factors] for term in whole.terms if term.factors in own}
    found: dict[int, int] = {}
    left = list(range(len(free)))
    for here, value in enumerate(all_constants):
        wanted = moved.get(value, value)
        there = next((place for place in left if free[place] == wanted), None)
        if there is not None:
            found[here] = there
            left.remove(there)
    return found
