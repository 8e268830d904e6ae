"""Populations: Lotka-Volterra and the SIR epidemic."""

import sympy

from mathonet.systems.system import System


def lotka_volterra() -> System:
    """Hunters and their prey, as sampled in the paper."""
    x, y = sympy.symbols("x y")
    birth, hunted, fed, death = (sympy.Rational(text) for text in ("1.3", "0.9", "0.8", "1.8"))
    return System(
        name="lotka-volterra",
        title="Lotka-Volterra system",
        states=("x", "y"),
        parameters={"alpha": 1.3, "beta": 0.9, "gamma": 0.8, "delta": 1.8},
        equations=(birth * x - hunted * x * y, fed * x * y - death * y),
        start=(0.44249296, 4.6280594),
        t_span=(0.0, 30.0),
        samples=300,
        operations=("ident", "sin", "cos"),
        hidden=(2,),
        reference="A. J. Lotka, Analytical note on certain rhythmic relations in organic systems, "
        "PNAS 6 (1920) 410-415",
    )


def sir() -> System:
    """An epidemic in shares of a population: susceptible, infected, recovered."""
    s, i = sympy.symbols("s i")
    beta, gamma = sympy.Rational("0.4"), sympy.Rational("0.3")
    return System(
        name="sir",
        title="SIR epidemic",
        states=("s", "i", "r"),
        parameters={"beta": 0.4, "gamma": 0.3},
        equations=(-beta * s * i, beta * s * i - gamma * i, gamma * i),
        start=(0.99, 0.01, 0.0),
        t_span=(0.0, 100.0),
        samples=200,
        operations=("ident", "exp", "log"),
        hidden=(2,),
        reference="W. O. Kermack and A. G. McKendrick, A contribution to the mathematical theory of "
        "epidemics, Proc. R. Soc. A 115 (1927) 700-721",
    )
