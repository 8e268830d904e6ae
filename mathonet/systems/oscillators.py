"""Oscillators: Van der Pol, a damped pendulum alone and driven, Duffing and FitzHugh-Nagumo."""

import sympy

from mathonet.systems.system import TIME, System


def van_der_pol() -> System:
    """An oscillator whose damping changes sign, with a limit cycle."""
    x, y = sympy.symbols("x y")
    mu = sympy.Rational(3, 2)
    return System(
        name="van-der-pol",
        title="Van der Pol oscillator",
        states=("x", "y"),
        parameters={"mu": 1.5},
        equations=(y, mu * (1 - x**2) * y - x),
        start=(0.5, 0.0),
        t_span=(0.0, 15.0),
        samples=300,
        operations=("ident", "sin", "cos", "exp"),
        # x^2 y is a product of three factors, so a first layer has to form one of its products.
        hidden=(2, 2),
        reference="B. van der Pol, On relaxation-oscillations, Phil. Mag. 2 (1926) 978-992",
    )


def pendulum() -> System:
    """A damped pendulum released near its upper rest, so that the sine matters."""
    theta, omega = sympy.symbols("theta omega")
    stiffness, damping = sympy.Rational(49, 10), sympy.Rational(1, 5)
    return System(
        name="pendulum",
        title="Damped pendulum",
        states=("theta", "omega"),
        parameters={"stiffness": 4.9, "damping": 0.2},
        equations=(omega, -damping * omega - stiffness * sympy.sin(theta)),
        start=(2.6, 0.0),
        t_span=(0.0, 10.0),
        samples=250,
        operations=("ident", "sin", "cos", "exp"),
        hidden=(2,),
        reference="S. H. Strogatz, Nonlinear Dynamics and Chaos, 2nd ed., Westview (2015), sec. 6.7",
    )


def duffing() -> System:
    """An unforced, damped particle in a double well."""
    x, y = sympy.symbols("x y")
    damping = sympy.Rational(3, 10)
    return System(
        name="duffing",
        title="Duffing oscillator",
        states=("x", "y"),
        parameters={"alpha": -1.0, "beta": 1.0, "damping": 0.3},
        equations=(y, x - x**3 - damping * y),
        start=(-1.8, 1.2),
        t_span=(0.0, 20.0),
        samples=400,
        operations=("ident", "sin", "cos", "exp"),
        hidden=(2, 2),
        reference="J. Guckenheimer and P. Holmes, Nonlinear Oscillations, Springer (1983), sec. 2.2",
    )


def fitzhugh_nagumo() -> System:
    """A spiking neuron: fast voltage, slow recovery."""
    v, w = sympy.symbols("v w")
    a, b, tau, current = (sympy.Rational(text) for text in ("0.7", "0.8", "12.5", "0.5"))
    return System(
        name="fitzhugh-nagumo",
        title="FitzHugh-Nagumo neuron",
        states=("v", "w"),
        parameters={"a": 0.7, "b": 0.8, "tau": 12.5, "I": 0.5},
        equations=(v - v**3 / 3 - w + current, (v + a - b * w) / tau),
        start=(-1.0, 1.0),
        t_span=(0.0, 100.0),
        samples=500,
        operations=("ident", "sin", "cos", "exp"),
        hidden=(2, 2),
        reference="R. FitzHugh, Impulses and physiological states in theoretical models of nerve membrane, "
        "Biophys. J. 1 (1961) 445-466",
    )


def forced_pendulum() -> System:
    """The damped pendulum with a known torque of two frequencies on its axle."""
    theta, omega, u = sympy.symbols("theta omega u")
    stiffness, damping = sympy.Rational(49, 10), sympy.Rational(1, 5)
    slow, fast = sympy.Rational(9, 10) * TIME, sympy.Rational(23, 10) * TIME
    return System(
        name="forced-pendulum",
        title="Forced pendulum",
        states=("theta", "omega"),
        parameters={"stiffness": 4.9, "damping": 0.2},
        equations=(omega, -damping * omega - stiffness * sympy.sin(theta) + u),
        start=(2.0, 0.0),
        t_span=(0.0, 20.0),
        samples=400,
        operations=("ident", "sin", "cos", "exp"),
        hidden=(2,),
        reference="S. H. Strogatz, Nonlinear Dynamics and Chaos, 2nd ed., Westview (2015), sec. 8.5",
        inputs={"u": sympy.Rational(3, 2) * sympy.sin(slow) + sympy.sin(fast)},
    )
