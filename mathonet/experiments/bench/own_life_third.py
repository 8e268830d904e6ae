"""Systems of our own from epidemiology, neuroscience, ecology and physiology that are set aside.

A third lot, written as in `own_matter`, chosen as in `own_matter_third`.
"""

from mathonet.experiments.bench.own_matter import Row

EPIDEMIOLOGY: tuple[Row, ...] = (
    (
        "feared-infection",
        "infection whose spread falls when many are ill, by Xiao and Ruan",
        "i r",
        16.0,
        (0.03, 0.02),
        (0.45, 0.3),
        ("1.46*i*(1.08 - i - r)/(1 + 7.3*i^2) - 0.37*i", "0.33*i - 0.092*r"),
    ),
    (
        "superinfection",
        "two strains of which one takes over the hosts of the other",
        "s i j",
        30.0,
        (0.9, 0.07, 0.02),
        (0.4, 0.1, 0.35),
        (
            "0.083 - 0.064*s - 0.97*s*i - 0.56*s*j",
            "0.97*s*i - 0.24*i - 0.43*i*j",
            "0.56*s*j + 0.43*i*j - 0.21*j",
        ),
    ),
    (
        "uneven-mixing",
        "infection among people who mix unevenly, by a power of the ill",
        "s i",
        24.0,
        (0.96, 0.01),
        (0.5, 0.3),
        ("0.038*(1 - s) - 0.74*s*exp(0.86*log(i))", "0.74*s*exp(0.86*log(i)) - 0.29*i"),
    ),
    (
        "ebola",
        "infection with latency, illness, hospital and funerals, all of which spread it",
        "s e i h d",
        40.0,
        (0.95, 0.02, 0.01, 0.0, 0.06),
        (0.6, 0.1, 0.08, 0.05, 0.03),
        (
            "-0.53*s*i - 0.11*s*h - 0.57*s*d",
            "0.53*s*i + 0.11*s*h + 0.57*s*d - 0.26*e",
            "0.26*e - 0.41*i",
            "0.19*i - 0.092*h",
            "0.14*i + 0.034*h - 0.24*d",
        ),
    ),
)

NEUROSCIENCE: tuple[Row, ...] = (
    (
        "calcium-store",
        "calcium let out of its store and pumped back, by Li and Rinzel",
        "c h",
        45.0,
        (0.12, 0.63),
        (0.31, 0.74),
        (
            "(2.93*(c*h/(c + 0.083))^3 + 0.107)*(1.97 - 1.18*c) - 0.92*c^2/(0.0104 + c^2)",
            "0.093*(1 - h) - 0.21*c*h",
        ),
    ),
    (
        "decision",
        "two groups of cells that decide against each other, by Wong and Wang",
        "a b",
        8.0,
        (0.04, 0.11),
        (0.43, 0.26),
        (
            "-0.93*a + 0.64*(1 - a)*(4.7*a - 3.9*b + 0.84)/(1 - exp(-1.6*(4.7*a - 3.9*b + 0.84)))",
            "-0.93*b + 0.64*(1 - b)*(4.7*b - 3.9*a + 0.67)/(1 - exp(-1.6*(4.7*b - 3.9*a + 0.67)))",
        ),
    ),
    (
        "three-cell-net",
        "three cells of a network by Hopfield, joined in a ring",
        "a b c",
        14.0,
        (0.4, -0.7, 1.1),
        (-1.3, 0.2, 0.5),
        (
            "-0.83*a + 1.46*tanh(a) - 2.17*tanh(c)",
            "-0.91*b + 1.83*tanh(a) + 0.62*tanh(b)",
            "-0.76*c + 2.06*tanh(b) + 0.24",
        ),
    ),
    (
        "brain-regions",
        "two brain regions near the onset of waves, by Stuart and Landau",
        "x y u v",
        14.0,
        (0.2, 0.1, -0.9, 0.6),
        (1.4, -0.5, 0.3, 0.8),
        (
            "0.47*x - 1.94*y - x*(x^2 + y^2) + 0.36*(u - x)",
            "1.94*x + 0.47*y - y*(x^2 + y^2) + 0.36*(v - y)",
            "0.23*u - 2.87*v - u*(u^2 + v^2) + 0.36*(x - u)",
            "2.87*u + 0.23*v - v*(u^2 + v^2) + 0.36*(y - v)",
        ),
    ),
)

ECOLOGY: tuple[Row, ...] = (
    (
        "shared-prey",
        "predators that feed by the prey there is for each, by Arditi and Ginzburg",
        "n p",
        30.0,
        (0.9, 0.5),
        (3.7, 2.6),
        ("0.94*n*(1 - n/4.3) - 1.13*n*p/(n + 0.82*p)", "0.87*n*p/(n + 0.82*p) - 0.39*p"),
    ),
    (
        "theta-logistic",
        "growth that crowding slows by a power, by Gilpin and Ayala",
        "n",
        9.0,
        (0.3,),
        (9.7,),
        ("1.26*n - 0.64*n*exp(0.37*log(n))",),
    ),
    (
        "plankton",
        "nutrient, algae and the animals that graze them",
        "n p z",
        35.0,
        (1.6, 0.3, 0.15),
        (0.4, 1.1, 0.6),
        (
            "0.21*(2.8 - n) - 1.07*n*p/(0.46 + n) + 0.12*z",
            "1.07*n*p/(0.46 + n) - 0.13*p - 1.38*p^2*z/(0.27 + p^2)",
            "0.74*p^2*z/(0.27 + p^2) - 0.34*z",
        ),
    ),
    (
        "fishery",
        "fish and the boats that come while the catch pays",
        "n e",
        20.0,
        (3.4, 0.3),
        (1.1, 1.6),
        ("0.87*n*(1 - n/5.6) - 0.64*n*e", "0.37*n*e - 0.58*e"),
    ),
    (
        "group-defence",
        "prey that defend themselves when they are many",
        "n p",
        30.0,
        (1.3, 0.6),
        (2.4, 1.4),
        (
            "1.13*n*(1 - n/3.4) - 1.86*n*p/(1 + 0.37*n + 0.29*n^2)",
            "1.17*n*p/(1 + 0.37*n + 0.29*n^2) - 0.58*p",
        ),
    ),
    (
        "jassby-platt",
        "predators that get sated by the law of Jassby and Platt",
        "n p",
        35.0,
        (3.1, 0.4),
        (0.9, 1.3),
        ("0.91*n*(1 - n/5.3) - 1.44*p*tanh(0.53*n)", "0.83*p*tanh(0.53*n) - 0.46*p"),
    ),
)

PHYSIOLOGY: tuple[Row, ...] = (
    (
        "bone",
        "cells that resorb bone and cells that form it, by Komarova",
        "c b",
        16.0,
        (3.4, 1.1),
        (0.8, 1.7),
        ("0.97*exp(0.54*log(c) - 0.61*log(b)) - 0.43*c", "0.36*c - 0.27*b"),
    ),
    (
        "p53",
        "protein p53 that makes its own remover, by way of a precursor",
        "p m q",
        20.0,
        (0.3, 0.2, 1.1),
        (1.7, 0.9, 0.4),
        ("0.93 - 1.68*p*q/(0.083 + p)", "1.14*p - 0.86*m", "0.86*m - 0.79*q"),
    ),
    (
        "mitosis",
        "cyclin, its kinase and the protease that ends division, by Goldbeter",
        "c m x",
        45.0,
        (0.12, 0.1, 0.02),
        (0.6, 0.7, 0.1),
        (
            "0.027 - 0.26*c*x/(0.023 + c) - 0.011*c",
            "3.1*c*(1 - m)/((0.52 + c)*(1.013 - m)) - 1.53*m/(0.013 + m)",
            "1.04*m*(1 - x)/(1.011 - x) - 0.49*x/(0.011 + x)",
        ),
    ),
    (
        "cell-swelling",
        "water and a solute that seep into a cell, by Jacobs",
        "w s",
        9.0,
        (1.1, 0.05),
        (2.6, 1.9),
        ("1.38*(0.87 + s)/w - 2.91", "0.84*(1.63 - s/w)"),
    ),
)
