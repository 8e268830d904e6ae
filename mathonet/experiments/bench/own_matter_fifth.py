"""Systems of our own from mechanics, chemistry and circuits that are set aside, written as in `own_matter`.

A fifth lot, chosen as in `own_matter_fourth`: the half of a larger lot that chance set aside, none of which
was run.
"""

from mathonet.experiments.bench.own_matter import Row

MECHANICS: tuple[Row, ...] = (
    (
        "levitated-ball",
        "steel ball held up by a magnet that is governed",
        "x v i",
        6.0,
        (1.34, 0.0, 1.1),
        (0.8, 0.3, 0.9),
        ("v", "9.81 - 8.37*i^2/x^2", "3.6*(1.94*x + 0.53*v - 0.86 - i)"),
    ),
    (
        "spherical-pendulum",
        "pendulum that circles and swings, its angle from the vertical",
        "a w",
        6.0,
        (1.45, 0.3),
        (0.6, -0.8),
        ("w", "1.13*cos(a)/sin(a)^3 - 6.74*sin(a)"),
    ),
    (
        "toda-chain",
        "three masses in a row with springs by Toda",
        "r s u v w",
        12.0,
        (0.9, -0.5, 0.2, 0.7, -0.6),
        (-0.4, 0.8, -0.3, 0.1, 0.9),
        (
            "v - u",
            "w - v",
            "1.27*(1 - exp(-0.84*r))",
            "1.27*(exp(-0.84*r) - exp(-0.84*s))",
            "1.27*(exp(-0.84*s) - 1)",
        ),
    ),
    (
        "stribeck",
        "slider pulled over an oiled bed, friction by Stribeck",
        "v",
        9.0,
        (0.05,),
        (4.7,),
        ("0.93 - 0.78*exp(-1.62*v^2) - 0.29*v",),
    ),
    (
        "surge-tank",
        "water in a conduit and the surge tank at its end",
        "q z",
        22.0,
        (1.6, -0.7),
        (-0.4, 1.1),
        ("-0.87*z - 0.43*q*abs(q)", "0.74*q - 0.18"),
    ),
)

CHEMISTRY: tuple[Row, ...] = (
    (
        "lindemann",
        "molecules that fall apart once excited by others, by Lindemann",
        "a b",
        10.0,
        (2.7, 0.1),
        (0.9, 1.4),
        ("-0.47*a^2 + 0.83*a*b", "0.47*a^2 - 0.83*a*b - 0.36*b"),
    ),
    (
        "crystalliser",
        "crystals that grow by their surface in a solution that is fed",
        "m c",
        9.0,
        (0.15, 2.3),
        (1.9, 1.1),
        ("0.94*exp(0.667*log(m))*(c - 0.63) - 0.28*m", "0.28*(2.74 - c) - 0.71*exp(0.667*log(m))*(c - 0.63)"),
    ),
    (
        "batch-reactor",
        "pairs that react and heat the vessel, rate by Arrhenius' law",
        "c T",
        12.0,
        (2.1, 0.92),
        (1.2, 1.31),
        ("-37.4*c^2*exp(-5.1/T)", "11.6*c^2*exp(-5.1/T) - 0.34*(T - 0.87)"),
    ),
    (
        "coupled-brusselators",
        "two Brusselators that exchange what they make",
        "x y u v",
        16.0,
        (0.7, 2.1, 1.6, 1.2),
        (1.9, 0.8, 0.4, 2.9),
        (
            "1.06 - 3.74*x + x^2*y + 0.12*(u - x)",
            "2.74*x - x^2*y + 0.083*(v - y)",
            "1.34 - 3.86*u + 0.87*u^2*v + 0.12*(x - u)",
            "2.86*u - 0.87*u^2*v + 0.083*(y - v)",
        ),
    ),
    (
        "enzyme-complex",
        "substrate, its complex with an enzyme, and a product that is used up",
        "s c p",
        12.0,
        (2.6, 0.05, 0.1),
        (0.7, 0.6, 1.1),
        ("-0.76*s*(0.87 - c) + 0.28*c", "0.76*s*(0.87 - c) - 0.87*c", "0.59*c - 0.24*p"),
    ),
)

CIRCUITS: tuple[Row, ...] = (
    (
        "iron-core-coil",
        "flux in a coil whose iron core saturates",
        "f",
        3.0,
        (-1.6,),
        (2.2,),
        ("1.46 - 0.83*f - 0.072*f^5",),
    ),
    (
        "memristor-circuit",
        "Chua's circuit with a memristor of cubic charge",
        "x y z w",
        16.0,
        (0.3, 0.1, -0.2, 0.1),
        (-0.5, 0.2, 0.4, -0.2),
        ("9.6*(y + 0.43*x - 0.74*w^2*x)", "x - y + z", "-13.7*y - 0.12*z", "x"),
    ),
    (
        "ring-oscillator",
        "ring of three inverters",
        "a b c",
        10.0,
        (0.3, -0.2, 0.6),
        (-1.1, 0.4, 0.2),
        ("-0.87*a - 2.63*tanh(1.18*c)", "-0.94*b - 2.41*tanh(1.31*a)", "-0.79*c - 2.52*tanh(1.24*b)"),
    ),
    (
        "jerk-circuit",
        "circuit of three integrators with a rectifier, by Sprott",
        "x y z",
        30.0,
        (0.2, -0.4, 0.3),
        (-0.6, 0.3, 0.8),
        ("y", "z", "-0.61*z - 0.98*y + 1.03*abs(x) - 1.12"),
    ),
)
