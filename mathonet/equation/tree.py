"""Expression <-> JSON tree: whitelisted shapes and registered operations only, nothing is ever evaluated.

expression = [term, ...]        term = {"coefficient": number, "factors": [factor, ...]}
factor = {"input": name, "power": n}  or  {"call": operation, "argument": expression, "power": n, "sign": s}
"""

import math
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from mathonet.equation.expression import HOMOGENEOUS, Call, Expression, Term
from mathonet.errors import ArchiveError, ConfigError
from mathonet.operations import get

DEEPEST = 40
_FACTORS = ({"input", "power"}, {"call", "argument", "power"}, {"call", "argument", "power", "sign"})


def to_tree(expression: Expression, names: Sequence[str]) -> list[dict[str, Any]]:
    """The expression as JSON data; coefficients keep every bit."""

    def factor(base: int | Call, power: int) -> dict[str, Any]:
        if isinstance(base, int):
            return {"input": names[base], "power": power}
        call = {"call": base.operation.name, "argument": to_tree(base.argument, names), "power": power}
        return {**call, "sign": base.sign} if base.sign else call

    return [
        {"coefficient": term.coefficient, "factors": [factor(base, power) for base, power in term.factors]}
        for term in expression.terms
    ]


def from_tree(tree: Any, names: Sequence[str], depth: int = 0) -> Expression:
    """The expression of a tree from a file.

    Raises:
        ArchiveError: the tree has another shape, an unknown input or operation, or a number that is none.
    """
    if depth > DEEPEST:
        raise ArchiveError(f"The expression tree is nested more than {DEEPEST} deep.")
    if not isinstance(tree, list):
        raise ArchiveError(f"An expression must be a list of terms, got {type(tree).__name__}.")
    return Expression(tuple(_term(item, names, depth) for item in tree))


def _term(item: Any, names: Sequence[str], depth: int) -> Term:
    if not isinstance(item, dict) or set(item) != {"coefficient", "factors"}:
        raise ArchiveError(f"A term must hold a coefficient and factors and no more, got {_short(item)}.")
    if not isinstance(item["factors"], list):
        raise ArchiveError(f"The factors of a term must be a list, got {_short(item['factors'])}.")
    factors = tuple(_factor(factor, names, depth) for factor in item["factors"])
    return Term(_coefficient(item["coefficient"]), factors)


def _coefficient(value: Any) -> float:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        # A whole number may be too large for a float, and then has no isfinite either.
        with suppress(OverflowError):
            if math.isfinite(value):
                return float(value)
    raise ArchiveError(f"A coefficient must be a finite number, got {_short(value)}.")


def _factor(item: Any, names: Sequence[str], depth: int) -> tuple[int | Call, int]:
    if not isinstance(item, dict) or set(item) not in _FACTORS:
        raise ArchiveError(f"A factor must be an input or a call, each with a power, got {_short(item)}.")
    power, sign = item.get("power"), item.get("sign", 0)
    if isinstance(power, bool) or not isinstance(power, int) or not 0 < abs(power) <= 99:
        raise ArchiveError(f"A power must be a whole number from 1 to 99 or -1 to -99, got {_short(power)}.")
    if "input" in item:
        if item["input"] not in names:
            raise ArchiveError(f"Unknown input {_short(item['input'])}; the inputs are {list(names)}.")
        return list(names).index(item["input"]), power
    if not isinstance(item["call"], str):
        raise ArchiveError(f"A call must name its operation, got {_short(item['call'])}.")
    if type(sign) is not int or sign not in (-1, 0, 1):
        raise ArchiveError(f"The sign of a call must be -1, 0 or 1, got {_short(sign)}.")
    try:
        operation = get(item["call"])
    except ConfigError as error:
        raise ArchiveError(f"{error} Register your own operations before loading.") from error
    argument = from_tree(item["argument"], names, depth + 1)
    if not argument.terms:
        raise ArchiveError(f"The call of {operation.name} has an empty argument.")
    if operation.name in HOMOGENEOUS and argument.terms[0].coefficient != 1.0:
        raise ArchiveError(
            f"The first coefficient inside {operation.name} must be 1 (the normal form), "
            f"got {argument.terms[0].coefficient!r}."
        )
    return Call(operation, argument, sign), power


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
