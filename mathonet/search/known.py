"""Known terms: what a user knows of an equation is taken off its target, and is back in the result."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np
import sympy

from mathonet.data.samples import Samples
from mathonet.equation.assembly import constants, zero_free
from mathonet.equation.equation import Equation, EquationSystem
from mathonet.equation.expression import HOMOGENEOUS, Call, Expression, number
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
        elif isinstance(formula, Real) and not isinstance(formula, bool) and np.isfinite(float(formula)):
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
    own = {key: place for place, key in enumerate(_keys(equation.expression, None, set()))}
    # A constant that a known number was added to is the fitted one as well.
    matched = [(here, own[key]) for here, key in enumerate(_keys(whole, None, set())) if key in own]
    covariance = np.zeros((len(constants(zero_free(whole))),) * 2)
    for here, there in matched:
        for beside, other in matched:
            covariance[here, beside] = equation.covariance[there, other]
    return replace(equation, expression=whole, covariance=covariance)


def _keys(part: Expression, call: Call | None, seen: set[Call]) -> Iterator[tuple]:
    """Where every constant stands, in the order of `constants`: in which call, beside which factors."""
    for position, term in enumerate(part.terms):
        if call is None or call.operation.name not in HOMOGENEOUS or position:
            yield call, term.factors
        for factor, _ in term.factors:
            if isinstance(factor, Call) and factor not in seen:
                seen.add(factor)
                yield from _keys(factor.argument, factor, seen)
