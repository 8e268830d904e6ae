"""Chaotic systems: Lorenz and Roessler."""

import sympy

from mathonet.systems.system import System

_x, _y, _z = sympy.symbols("x y z")


def lorenz() -> System:
    """Convection between two plates, with the classical parameters, as sampled in the paper."""
    sigma, rho, beta = sympy.Integer(10), sympy.Integer(28), sympy.Rational(8, 3)
    return System(
        name="lorenz",
        title="Lorenz system",
        states=("x", "y", "z"),
        parameters={"sigma": 10.0, "rho": 28.0, "beta": 8 / 3},
        equations=(sigma * (_y - _x), _x * (rho - _z) - _y, _x * _y - beta * _z),
        start=(-8.0, 8.0, 27.0),
        t_span=(0.001, 5.0),
        samples=100,
        operations=("ident", "sin", "cos", "log", "exp"),
        hidden=(3,),
        reference="E. N. Lorenz, Deterministic nonperiodic flow, J. Atmos. Sci. 20 (1963) 130-141",
    )


def roessler() -> System:
    """A single-scroll attractor with one product."""
    a, b, c = sympy.Rational(1, 5), sympy.Rational(1, 5), sympy.Rational(57, 10)
    return System(
        name="roessler",
        title="Roessler system",
        states=("x", "y", "z"),
        parameters={"a": 0.2, "b": 0.2, "c": 5.7},
        equations=(-_y - _z, _x + a * _y, b + _z * (_x - c)),
        start=(-5.0, 5.0, 0.5),
        t_span=(0.0, 30.0),
        samples=600,
        operations=("ident", "sin", "cos", "exp"),
        hidden=(3,),
        reference="O. E. Roessler, An equation for continuous chaos, Phys. Lett. A 57 (1976) 397-398",
    )
