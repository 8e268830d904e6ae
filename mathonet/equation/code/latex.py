"""Equations as a LaTeX document that compiles as it stands, or whose block is copied into another."""

from dataclasses import replace
from importlib.metadata import version

from mathonet.equation.code.identifier import visible
from mathonet.equation.code.source import commented
from mathonet.equation.equation import EquationSystem
from mathonet.equation.symbolic import MOST_DIGITS


def write_latex(system: EquationSystem) -> str:
    """A document with one aligned block; all digits of the constants stand in its comments."""
    shown = replace(
        system,
        equations=tuple(
            replace(each, target=visible(each.target), inputs=tuple(map(visible, each.inputs)))
            for each in system.equations
        ),
    )
    lines = [
        f"Equations found by mathonet {version('mathonet')}, exported as LaTeX. With every digit:",
        "",
        *(f"  {equation.text(MOST_DIGITS)}" for equation in shown.equations),
    ]
    comments = "\n".join(commented("%", line) for line in lines)
    return (
        f"{comments}\n\\documentclass{{article}}\n\\usepackage{{amsmath}}\n\\begin{{document}}\n"
        f"\\[\n{shown.latex()}\n\\]\n\\end{{document}}\n"
    )
