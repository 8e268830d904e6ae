"""SymPy or text -> Expression, for truths to compare with and terms that a user knows; by whitelist."""

import ast
import math
import unicodedata
from collections.abc import Sequence
from typing import cast

import sympy

from mathonet.equation.assembly import constants
from mathonet.equation.expression import Expression, TooLargeError, apply, number, power, total, variable
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


CONSTANTS = {"pi": math.pi, "e": math.e}
MOST_SHOWN = 60
"""Characters of a formula that a message repeats."""


def from_text(text: str, names: Sequence[str]) -> Expression:
    """The normal form of a formula such as "-9.81 + 0.5*sin(x)" in the given names.

    The text is parsed, never run: numbers, names, + - * / **, and calls of known operations are all it may
    hold.

    Raises:
        ConfigError: it holds something else, or an unknown name.
    """
    shown = text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}..."
    try:
        tree = ast.parse(text.strip().replace("^", "**"), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ConfigError(
            f"The formula {shown!r} cannot be read ({error}). Write it such as '-9.81 + 0.5*sin(x)'."
        ) from error
    try:
        # Python's parser normalises names in this way.
        found = _node(tree.body, shown, tuple(unicodedata.normalize("NFKC", name) for name in names))
    except RecursionError as error:
        raise ConfigError(f"The formula {shown!r} is nested too deeply.") from error
    except (TooLargeError, OverflowError) as error:
        raise ConfigError(f"The formula {shown!r} is too large to expand ({error}).") from error
    if not all(map(math.isfinite, constants(found))):
        raise ConfigError(f"The formula {shown!r} holds a number that is not finite.")
    return found


def _node(node: ast.expr, text: str, names: tuple[str, ...]) -> Expression:
    # True and False are whole numbers to Python.
    if (
        isinstance(node, ast.Constant)
        and isinstance(node.value, (int, float))
        and not isinstance(node.value, bool)
    ):
        return number(float(node.value))
    if isinstance(node, ast.Name):
        if node.id in names:
            return variable(names.index(node.id))
        if node.id in CONSTANTS:
            return number(CONSTANTS[node.id])
        raise ConfigError(f"Unknown name {node.id!r} in {text!r}; the inputs are {list(names)}.")
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        part = _node(node.operand, text, names)
        return part.scale(-1.0) if isinstance(node.op, ast.USub) else part
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        exponent = _exponent(node.right, text)
        return power((_inverse if exponent < 0 else _node)(node.left, text, names), abs(exponent))
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult)):
        left, right = _node(node.left, text, names), _node(node.right, text, names)
        if isinstance(node.op, ast.Mult):
            return left * right
        return left + (right if isinstance(node.op, ast.Add) else right.scale(-1.0))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        return _node(node.left, text, names) * _inverse(node.right, text, names)
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and len(node.args) == 1
        and not node.keywords
    ):
        if node.func.id not in FUNCTIONS.values() and node.func.id not in ("sqrt", "inv"):
            raise ConfigError(
                f"Unknown operation {node.func.id!r} in {text!r}; "
                f"there are {sorted([*FUNCTIONS.values(), 'sqrt', 'inv'])}."
            )
        if node.func.id == "inv":
            return _inverse(node.args[0], text, names)
        argument = _node(node.args[0], text, names)
        if node.func.id == "log" and not argument.terms:
            raise ConfigError(f"The formula {text!r} holds log(0), which is infinite.")
        return apply(get(node.func.id), argument)
    raise ConfigError(
        f"The formula {text!r} holds something that is no number, name, sum, product, power or operation."
    )


def _inverse(node: ast.expr, text: str, names: tuple[str, ...]) -> Expression:
    """One over a part of a formula; of a product, one over each factor.

    Multiplied out first, `1/((x + 1)*(y + 1))` would be another form than `1/(x + 1)/(y + 1)`: a sum of four
    terms below the line, whose constants are not free of each other.
    """
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return _inverse(node.left, text, names) * _inverse(node.right, text, names)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        _refuse_zero(above := _node(node.right, text, names), text)
        return above * _inverse(node.left, text, names)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        exponent = _exponent(node.right, text)
        if exponent > 0:
            return power(_inverse(node.left, text, names), exponent)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        part = _inverse(node.operand, text, names)
        return part.scale(-1.0) if isinstance(node.op, ast.USub) else part
    _refuse_zero(part := _node(node, text, names), text)
    return power(part, -1)


def _exponent(node: ast.expr, text: str) -> int:
    sign = 1
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        node, sign = node.operand, -1 if isinstance(node.op, ast.USub) else 1
    if not isinstance(node, ast.Constant) or type(node.value) is not int or node.value > 20:
        raise ConfigError(f"Powers in {text!r} must be whole numbers up to 20.")
    return sign * node.value


def _refuse_zero(divisor: Expression, text: str) -> None:
    if not divisor.terms:
        raise ConfigError(f"The formula {text!r} divides by zero.")
