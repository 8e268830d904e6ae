"""Systems of our own from epidemiology, neuroscience, ecology and physiology, to tune on.

A fourth lot, written as in `own_matter`, chosen as in `own_matter_fourth`.
"""

from mathonet.experiments.bench.own_matter import Row

EPIDEMIOLOGY: tuple[Row, ...] = (
    (
        "paired-exposure",
        "infection that takes repeated exposure, by Ruan and Wang",
        "s i",
        30.0,
        (1.9, 0.3),
        (0.8, 0.7),
        ("0.23*(2.1 - s) - 1.94*s*i^2/(1 + 2.7*i^2)", "1.94*s*i^2/(1 + 2.7*i^2) - 0.56*i"),
    ),
    (
        "seirs",
        "infection with latency and immunity for a while, with births and deaths",
        "s e i r",
        30.0,
        (0.9, 0.03, 0.04, 0.1),
        (0.4, 0.1, 0.2, 0.6),
        ("0.067 - 1.73*s*i - 0.053*s + 0.094*r", "1.73*s*i - 0.61*e", "0.56*e - 0.37*i", "0.29*i - 0.147*r"),
    ),
    (
        "tuberculosis",
        "infection that sleeps for long and wakes by new exposure",
        "s l i r",
        30.0,
        (2.4, 0.2, 0.1, 0.05),
        (0.9, 1.3, 0.3, 0.6),
        (
            "0.26 - 0.68*s*i - 0.087*s",
            "0.53*s*i + 0.21*r*i - 0.174*l - 0.38*l*i",
            "0.15*s*i + 0.087*l + 0.38*l*i - 0.52*i",
            "0.33*i - 0.21*r*i - 0.087*r",
        ),
    ),
    (
        "schistosomiasis",
        "worms that must pair in their hosts, and the snails they infect, by Macdonald",
        "w y",
        14.0,
        (1.3, 0.15),
        (5.6, 0.02),
        ("3.74*y - 0.47*w", "0.29*w^2*(1 - y)/(1.34 + w) - 0.41*y"),
    ),
)

NEUROSCIENCE: tuple[Row, ...] = (
    (
        "matsuoka",
        "two tired cells that inhibit each other in turn, by Matsuoka",
        "x u y v",
        18.0,
        (0.4, 0.1, -0.2, 0.3),
        (-0.3, 0.6, 0.7, 0.0),
        (
            "1.83*(1.36 - x - 2.3*u - 1.14*(y + abs(y)))",
            "0.31*(x + abs(x)) - 0.58*u",
            "1.83*(1.36 - y - 2.3*v - 1.14*(x + abs(x)))",
            "0.31*(y + abs(y)) - 0.58*v",
        ),
    ),
    (
        "working-memory",
        "rate of cells whose synapses are eased and run out, by Mongillo",
        "e u x",
        12.0,
        (0.4, 0.3, 0.9),
        (3.7, 0.4, 0.7),
        (
            "-1.14*e + 1.31*log(1 + exp(4.7*u*x*e - 0.63))",
            "0.37*(0.24 - u) + 0.29*e*(1 - u)",
            "0.56*(1 - x) - 0.81*u*x*e",
        ),
    ),
    (
        "gap-junction",
        "two excitable cells joined by a gap junction",
        "v w u z",
        45.0,
        (-1.1, 0.3, 1.2, -0.4),
        (0.6, -0.2, -1.4, 0.5),
        (
            "v - v^3/3 - w + 0.61 + 0.14*(u - v)",
            "0.11*(v + 0.73 - 0.82*w)",
            "u - u^3/3 - z + 0.34 + 0.14*(v - u)",
            "0.16*(u + 0.64 - 0.71*z)",
        ),
    ),
    (
        "persistent-sodium",
        "cell with a lasting sodium current and a potassium gate, by Izhikevich",
        "v n",
        20.0,
        (-0.6, 0.05),
        (-0.2, 0.5),
        (
            "0.23 - 1.04*(v + 0.79) - 2.37*(v - 0.6)/(1 + exp(-(v + 0.2)/0.15)) - 1.28*n*(v + 0.9)",
            "0.23*(1/(1 + exp(-(v + 0.25)/0.05)) - n)",
        ),
    ),
    (
        "lamprey-chain",
        "five phases along the cord of the lamprey, by Cohen and Holmes",
        "a b c d e",
        16.0,
        (0.2, 1.7, -1.4, 0.6, 2.3),
        (2.1, -0.3, 0.8, -1.9, 0.4),
        (
            "1.87 + 0.63*sin(b - a)",
            "1.21 + 0.63*sin(c - b) + 0.34*sin(a - b)",
            "1.36 + 0.63*sin(d - c) + 0.34*sin(b - c)",
            "0.58 + 0.63*sin(e - d) + 0.34*sin(c - d)",
            "0.67 + 0.34*sin(d - e)",
        ),
    ),
)

ECOLOGY: tuple[Row, ...] = (
    (
        "intraguild",
        "two rivals for one prey of which one eats the other",
        "r n p",
        40.0,
        (1.4, 0.4, 0.2),
        (0.5, 0.9, 0.7),
        ("r*(1.06 - 0.42*r - 0.93*n - 0.31*p)", "n*(0.78*r - 0.84*p - 0.46)", "p*(0.17*r + 0.52*n - 0.37)"),
    ),
    (
        "rietkerk",
        "water above and in the ground and the plants of dry land, by Rietkerk",
        "o w p",
        40.0,
        (2.6, 0.4, 0.5),
        (0.6, 2.9, 3.7),
        (
            "1.06 - 0.54*o*(p + 0.37)/(p + 1.83)",
            "0.54*o*(p + 0.37)/(p + 1.83) - 0.43*p*w/(w + 1.62) - 0.21*w",
            "0.57*p*w/(w + 1.62) - 0.26*p",
        ),
    ),
    (
        "armstrong-mcgehee",
        "two predators on one prey, of which one gets sated",
        "n p q",
        40.0,
        (1.2, 0.7, 0.4),
        (3.3, 0.3, 0.9),
        (
            "1.07*n*(1 - n/4.6) - 1.33*n*p/(0.87 + n) - 0.29*n*q",
            "0.86*n*p/(0.87 + n) - 0.43*p",
            "0.26*n*q - 0.38*q",
        ),
    ),
    (
        "host-parasites",
        "hosts and the parasites that gather in few of them, by Anderson and May",
        "h p",
        24.0,
        (1.3, 0.4),
        (3.6, 2.9),
        ("0.63*h - 0.34*p", "2.13*p*h/(1.74 + h) - 0.71*p - 0.43*p^2/h"),
    ),
    (
        "crowley-martin",
        "predators that get sated and disturb each other, by Crowley and Martin",
        "n p",
        30.0,
        (0.9, 2.3),
        (4.6, 0.6),
        (
            "1.13*n*(1 - n/5.7) - 1.94*n*p/((1 + 0.63*n)*(1 + 0.24*p))",
            "1.16*n*p/((1 + 0.63*n)*(1 + 0.24*p)) - 0.47*p",
        ),
    ),
)

PHYSIOLOGY: tuple[Row, ...] = (
    (
        "per-clock",
        "messenger and protein of the fly's clock, by Goldbeter",
        "m p q r n",
        50.0,
        (0.6, 0.5, 0.6, 0.6, 1.1),
        (2.4, 1.3, 0.7, 0.6, 0.8),
        (
            "0.77/(1 + n^4) - 0.66*m/(0.51 + m)",
            "0.39*m - 3.2*p/(2.03 + p) + 1.57*q/(1.96 + q)",
            "3.2*p/(2.03 + p) - 1.57*q/(1.96 + q) - 4.9*q/(2.1 + q) + 2.46*r/(1.92 + r)",
            "4.9*q/(2.1 + q) - 2.46*r/(1.92 + r) - 1.88*r + 1.31*n - 0.94*r/(0.21 + r)",
            "1.88*r - 1.31*n",
        ),
    ),
    (
        "beta-cells",
        "glucose, insulin and the cells that make it, by Topp",
        "g i b",
        30.0,
        (2.6, 0.4, 0.5),
        (0.9, 1.8, 1.3),
        ("0.96 - 0.16*g - 0.54*g*i", "1.67*b*g^2/(1.83 + g^2) - 0.62*i", "b*(0.64*g - 0.34 - 0.21*g^2)"),
    ),
    (
        "virus-and-killers",
        "cells, infected cells, virus and the cells that kill the infected, by Nowak",
        "u i v z",
        30.0,
        (1.2, 0.05, 0.1, 0.2),
        (0.6, 0.3, 1.1, 0.6),
        (
            "0.19 - 0.14*u - 0.78*u*v",
            "0.78*u*v - 0.31*i - 0.57*i*z",
            "2.14*i - 0.83*v",
            "0.94*i*z - 0.17*z + 0.02",
        ),
    ),
    (
        "allosteric-glycolysis",
        "sugar turned over by an enzyme that its product drives, by Goldbeter and Lefever",
        "a g",
        48.0,
        (9.4, 1.3),
        (15.2, 2.6),
        (
            "0.74 - 5.94*a*(1 + a)*(1 + g)^2/(21430 + (1 + a)^2*(1 + g)^2)",
            "5.94*a*(1 + a)*(1 + g)^2/(21430 + (1 + a)^2*(1 + g)^2) - 0.24*g",
        ),
    ),
)
