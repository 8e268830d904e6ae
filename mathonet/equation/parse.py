"""SymPy -> Expression, for truths to compare with and terms that a user knows; whitelisted nodes only."""

import math
from collections.abc import Sequence
from typing import cast

import sympy

from mathonet.equation.expression import Expression, apply, number, power, total, variable
from mathonet.errors import ConfigError
from mathonet.operations import get

FUNCTIONS = {
    sympy.sin: "sin",
    sympy.cos: "cos",
    sympy.tan: "tan",
    sympy.exp: "exp",
    sympy.log: "log",
    sympy.tanh: "tanh",
    sympy.Abs: "abs",
}


def from_sympy(expression: sympy.Expr, symbols: Sequence[sympy.Symbol]) -> Expression:
    """The normal form of a SymPy expression in the given symbols.

    Raises:
        ConfigError: the expression holds something the normal form has no place for.
    """
    if expression.is_Number or expression.is_NumberSymbol:
        if not math.isfinite(float(expression)):
            raise ConfigError(f"The constant {expression} is not finite.")
        return number(float(expression))
    if isinstance(expression, sympy.Symbol):
        if expression not in symbols:
            raise ConfigError(f"Unknown symbol {expression}; the inputs are {[str(s) for s in symbols]}.")
        return variable(list(symbols).index(expression))
    # SymPy types arguments as Basic, but those of an expression are expressions.
    arguments = cast(tuple[sympy.Expr, ...], expression.args)
    if isinstance(expression, sympy.Pow):
        base, exponent = arguments
        if isinstance(exponent, sympy.Integer):
            return power(from_sympy(base, symbols), exponent.p)
        if isinstance(exponent, sympy.Rational) and exponent.q == 2:
            return power(apply(get("sqrt"), from_sympy(base, symbols)), exponent.p)
        raise ConfigError(
            f"The power {expression} has no normal form: use whole or half powers, or exp and log."
        )
    parts = [from_sympy(part, symbols) for part in arguments]
    if expression.is_Add:
        return total(term for part in parts for term in part.terms)
    if expression.is_Mul:
        product = number(1.0)
        for part in parts:
            product = product * part
        return product
    name = FUNCTIONS.get(expression.func)
    if name is None:
        raise ConfigError(
            f"{expression.func} has no normal form here; the operations are {sorted(FUNCTIONS.values())}."
        )
    return apply(get(name), parts[0])
