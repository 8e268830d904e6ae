"""Motion of bodies: a fall with drag."""

import sympy

from mathonet.systems.system import System


def falling_body() -> System:
    """A body thrown down, with drag by the square of its speed; height and velocity count upwards."""
    v = sympy.Symbol("v")
    gravity, drag = sympy.Rational("9.81"), sympy.Rational("0.1")
    return System(
        name="falling-body",
        title="Falling body with drag",
        states=("h", "v"),
        parameters={"gravity": 9.81, "drag": 0.1},
        equations=(v, drag * v**2 - gravity),
        start=(0.0, -1.0),
        t_span=(0.0, 2.5),
        samples=100,
        operations=("ident", "sqrt", "exp"),
        hidden=(2,),
        reference="J. R. Taylor, Classical Mechanics, University Science Books (2005), sec. 2.4",
    )
