"""Systems of our own from mechanics, chemistry and circuits, written as in `own_matter`; once set aside.

They are models of the textbooks, chosen before any of them was run; constants, starts and times were adjusted
by looking at integrated trajectories alone.
"""

from mathonet.experiments.bench.own_matter import Row

MECHANICS: tuple[Row, ...] = (
    (
        "ship-roll",
        "ship that rolls, righted less at large angles, damped by waves and by eddies",
        "a w",
        25.0,
        (0.95, 0.0),
        (-0.4, 0.7),
        ("w", "-0.92*a + 0.61*a^3 - 0.083*w - 0.27*w*abs(w)"),
    ),
    (
        "henon-heiles",
        "star in the field of a galaxy by Henon and Heiles",
        "x y vx vy",
        24.0,
        (0.22, -0.11, 0.05, 0.29),
        (-0.14, 0.27, 0.33, -0.08),
        ("vx", "vy", "-1.21*x - 1.86*x*y", "-0.87*y - 0.93*x^2 + 1.07*y^2"),
    ),
    (
        "kepler",
        "planet on its orbit, by distance and angle",
        "r u a",
        14.0,
        (0.72, 0.1, 0.3),
        (1.45, -0.2, -0.6),
        ("u", "1.5129/r^3 - 1.47/r^2", "1.23/r^2"),
    ),
    (
        "governor",
        "steam engine with Watt's governor",
        "a w n",
        18.0,
        (0.5, 0.0, 2.3),
        (1.2, 0.4, 1.4),
        ("w", "1.36*n^2*sin(a)*cos(a) - 2.71*sin(a) - 0.83*w", "0.63*cos(a) - 0.39"),
    ),
    (
        "bubble",
        "gas bubble in a liquid by Rayleigh and Plesset",
        "r u",
        8.0,
        (1.46, 0.0),
        (0.83, 0.4),
        ("u", "-1.5*u^2/r + 2.83/r^4 - 1.94/r - 0.64/r^2 - 0.31*u/r^2"),
    ),
    (
        "conical-tank",
        "level in a funnel that is filled and runs out",
        "h",
        22.0,
        (0.6,),
        (2.9,),
        ("(1.37 - 1.08*sqrt(h))/h^2",),
    ),
)

CHEMISTRY: tuple[Row, ...] = (
    (
        "van-de-vusse",
        "product that reacts on while its source pairs off, in a stirred tank",
        "a b",
        4.0,
        (0.4, 2.3),
        (3.9, 0.2),
        ("0.57*(4.8 - a) - 0.83*a - 0.29*a^2", "0.83*a - 1.03*b"),
    ),
    (
        "self-heating",
        "reacting store that heats itself and is cooled, by Semenov",
        "T",
        25.0,
        (1.17,),
        (0.55,),
        ("31.3*exp(-6.2/T) - 0.47*(T - 0.83)",),
    ),
    (
        "radical-polymer",
        "initiator that decays, and the monomer that its radicals link",
        "i m",
        16.0,
        (2.6, 5.4),
        (0.9, 3.1),
        ("-0.14*i", "-0.19*m*sqrt(i)"),
    ),
    (
        "rival-substrates",
        "two substrates that compete for one enzyme",
        "a b",
        8.0,
        (4.1, 2.6),
        (1.3, 3.7),
        ("-1.72*a/(1 + 0.93*a + 1.48*b)", "-1.13*b/(1 + 0.93*a + 1.48*b)"),
    ),
)

CIRCUITS: tuple[Row, ...] = (
    (
        "colpitts",
        "transistor oscillator of Colpitts",
        "x y z",
        25.0,
        (0.4, -0.3, 0.5),
        (-2.1, 1.6, 0.2),
        ("4.35*(z + 1 - exp(-y))", "4.71*z", "-0.11*(x + y) - 0.73*z"),
    ),
    (
        "flip-flop",
        "two amplifiers that saturate and hold each other down",
        "a b",
        9.0,
        (1.9, 1.4),
        (-0.8, -1.3),
        ("0.21 - 0.76*a - 1.83*tanh(0.94*b)", "0.34 - 0.88*b - 1.57*tanh(0.94*a)"),
    ),
    (
        "series-motor",
        "motor with its field in series, which drives a fan",
        "i w",
        7.0,
        (0.3, 0.2),
        (0.9, 4.8),
        ("5.8 - 1.27*i - 0.74*i*w", "0.31*i^2 - 0.092*w - 0.045*w^2"),
    ),
    (
        "generator-field",
        "generator on a strong net, with the decay of its field",
        "d w e",
        20.0,
        (1.5, 0.3, 0.7),
        (-0.3, 0.6, 1.6),
        ("w", "0.72 - 1.63*e*sin(d) - 0.19*w", "0.41 - 0.53*e + 0.32*cos(d)"),
    ),
)
