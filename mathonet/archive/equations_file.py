"""The content of `equations.json`: what was found, for other programs, in strict JSON."""

import math
from dataclasses import asdict
from typing import Any

import pandas as pd

from mathonet.equation.tree import to_tree
from mathonet.result.discovery import Discovery

FORMAT = 1


def equations(discovery: Discovery) -> dict[str, Any]:
    """The content of `equations.json`."""
    found, simple = [], discovery.simple()
    coefficients = discovery.system.coefficients()
    for number, (equation, trust) in enumerate(zip(discovery.system.equations, discovery.trust, strict=True)):
        own = pd.DataFrame(coefficients[coefficients["target"] == equation.target])
        rows = own.drop(columns="target").to_dict("records")
        found.append(
            {
                "target": equation.target,
                "text": equation.text(),
                "latex": equation.latex(),
                "simple_numbers": simple[number].text() if number in simple else None,
                "expression": to_tree(equation.expression, equation.inputs),
                "coefficients": [{key: _number(v) for key, v in row.items()} for row in rows],
                "evidence_gap": _number(trust.gap),
                "trust": {
                    "level": trust.level,
                    "explained": _number(trust.explained),
                    "residual_correlation": _number(trust.correlation),
                    "words": list(trust.words),
                },
            }
        )
    cut = discovery.cut
    return {
        "format": FORMAT,
        "equations": found,
        "not_found": list(discovery.not_found),
        "noise": _noise(discovery),
        "outliers": _outliers(discovery),
        "smoothing": None if discovery.measured is None else discovery.measured.smoothing,
        "seed": discovery.settings.seed,
        "seconds": round(discovery.seconds, 3),
        "stopped": None if cut is None else {"why": cut.why, "left_out": list(cut.left_out)},
    }


def _noise(discovery: Discovery) -> list[Any]:
    """Deviation of every derivative, or of every measured state."""
    if discovery.measured is not None:
        return [_number(float(value)) for value in discovery.measured.noise]
    return [_number(equation.sigma) for equation in discovery.system.equations]


def _outliers(discovery: Discovery) -> list[Any]:
    """Measured values that did not count: where, what was measured, and what would fit."""
    found = () if discovery.measured is None else discovery.measured.outliers
    return [{key: _number(value) for key, value in asdict(each).items()} for each in found]


def _number(value: Any) -> Any:
    """JSON has no NaN and no infinity: an interval that cannot be computed is null."""
    return None if isinstance(value, float) and not math.isfinite(value) else value
