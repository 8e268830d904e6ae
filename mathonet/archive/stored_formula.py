"""A user's SymPy formula as JSON data, and back: whitelisted nodes only, nothing is ever evaluated from text.

formula = {"symbol": name}  or  {"number": x}  or  {"ratio": [p, q]}
          or  {"call": name, "arguments": [formula, ...]}
Parts without symbols are numbers: nobody can make SymPy compute huge ones by writing them into a file.
"""

import math
from typing import Any, cast

import sympy

from mathonet.equation.parse import FUNCTIONS
from mathonet.errors import ArchiveError, ConfigError

NODES: dict[type, str] = {sympy.Add: "add", sympy.Mul: "mul", sympy.Pow: "pow", **FUNCTIONS}
CALLS = {name: node for node, name in NODES.items()}
LARGEST = 99
"""Largest power, as of the expression trees."""


def formula_to(formula: sympy.Expr) -> dict[str, Any]:
    """A formula as JSON data.

    Raises:
        ConfigError: it holds something that no known term may hold.
    """
    if isinstance(formula, sympy.Symbol):
        return {"symbol": formula.name}
    if isinstance(formula, sympy.Rational):
        return {"ratio": [int(formula.p), int(formula.q)]}
    if not formula.free_symbols and formula.is_real and math.isfinite(float(formula)):
        return {"number": float(formula)}
    name = NODES.get(formula.func)
    if name is None:
        raise ConfigError(f"The formula {formula} cannot be saved: it holds {formula.func}.")
    arguments = cast(tuple[sympy.Expr, ...], formula.args)
    return {"call": name, "arguments": [formula_to(each) for each in arguments]}


def formula_from(tree: Any) -> sympy.Expr:
    """The formula again.

    Raises:
        ArchiveError: the tree has another shape.
    """
    match tree:
        case {"symbol": str(name)} if name and len(tree) == 1:
            return sympy.Symbol(name)
        case {"number": float(value)} if math.isfinite(value) and len(tree) == 1:
            return sympy.Float(value)
        case {"ratio": [int(p), int(q)]} if q > 0 and len(tree) == 1:
            return sympy.Rational(p, q)
        case {"call": str(name), "arguments": [_, *_] as arguments} if name in CALLS and len(tree) == 2:
            parts = [formula_from(each) for each in arguments]
            if name in ("add", "mul") or (parts[0].free_symbols and _fits(name, parts[1:])):
                return CALLS[name](*parts)
    raise ArchiveError(f"a formula holds {str(tree)[:60]!r}")


def _fits(name: str, others: list[sympy.Expr]) -> bool:
    """Whether these follow the first argument: a whole or half power, or nothing."""
    if name != "pow":
        return not others
    if len(others) != 1 or not isinstance(others[0], sympy.Rational):
        return False
    return others[0].q <= 2 and abs(others[0].p) <= LARGEST
