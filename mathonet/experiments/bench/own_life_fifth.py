"""Systems of our own from epidemiology, neuroscience, ecology and physiology that are set aside.

A fifth lot, written as in `own_matter`, chosen as in `own_matter_fifth`.
"""

from mathonet.experiments.bench.own_matter import Row

EPIDEMIOLOGY: tuple[Row, ...] = (
    (
        "awareness",
        "infection and the memory of it that makes people wary",
        "s i m",
        40.0,
        (0.95, 0.02, 0.05),
        (0.5, 0.2, 0.9),
        ("0.052*(1 - s) - 1.57*s*i*exp(-1.36*m)", "1.57*s*i*exp(-1.36*m) - 0.33*i", "1.84*i - 0.17*m"),
    ),
    (
        "fox-rabies",
        "rabies among foxes that crowd, by Anderson",
        "s e i",
        30.0,
        (1.7, 0.1, 0.05),
        (0.7, 0.3, 0.4),
        (
            "0.54*s - 0.21*s*(s + e + i) - 2.87*s*i",
            "2.87*s*i - 0.92*e - 0.21*e*(s + e + i)",
            "0.83*e - 0.94*i - 0.21*i*(s + e + i)",
        ),
    ),
    (
        "two-group",
        "two groups that infect themselves and each other, by Lajmanovich and Yorke",
        "i j",
        14.0,
        (0.04, 0.01),
        (0.6, 0.9),
        ("(1.12*i + 0.37*j)*(0.74 - i) - 0.43*i", "(0.52*i + 0.63*j)*(1.31 - j) - 0.58*j"),
    ),
    (
        "seiar",
        "infection with latency, of which many do not show it",
        "s e i a r",
        40.0,
        (0.97, 0.02, 0.02, 0.01, 0.1),
        (0.6, 0.1, 0.05, 0.2, 0.3),
        (
            "0.016 - 0.87*s*i - 0.46*s*a",
            "0.87*s*i + 0.46*s*a - 0.34*e",
            "0.21*e - 0.27*i",
            "0.13*e - 0.19*a",
            "0.22*i + 0.19*a - 0.043*r",
        ),
    ),
    (
        "worried-sis",
        "infection without immunity that people shun as it spreads",
        "i",
        14.0,
        (0.01,),
        (0.83,),
        ("1.74*i*(1 - i)*exp(-2.3*i) - 0.31*i",),
    ),
)

NEUROSCIENCE: tuple[Row, ...] = (
    (
        "recurrent-rate",
        "rate of cells that excite themselves",
        "r",
        7.0,
        (0.12,),
        (-1.7,),
        ("0.23 - 0.84*r + 1.36*tanh(1.29*r - 0.27)",),
    ),
    (
        "fitzhugh-rinzel",
        "excitable cell with a slow current that makes it burst, by FitzHugh and Rinzel",
        "v w y",
        80.0,
        (-1.0, 0.2, -0.1),
        (1.3, 0.6, 0.4),
        ("v - v^3/3 - w + y + 0.38", "0.093*(v + 0.71 - 0.78*w)", "0.017*(-0.83 - v - 0.94*y)"),
    ),
    (
        "supralinear-net",
        "exciting and inhibiting cells of quadratic response, by Rubin",
        "e i",
        14.0,
        (1.9, 0.6),
        (0.1, 0.3),
        ("-0.93*e + 0.37*(1.64*e - 1.12*i + 0.87)^2", "-0.78*i + 0.34*(1.83*e - 0.76*i + 0.41)^2"),
    ),
    (
        "mckean",
        "excitable cell of straight pieces, by McKean",
        "v w",
        30.0,
        (-1.2, 0.4),
        (0.9, -0.5),
        ("0.32 - 1.13*v + 0.97*(abs(v + 0.83) - abs(v - 0.83)) - w", "0.24*(v + 0.37 - 0.56*w)"),
    ),
)

ECOLOGY: tuple[Row, ...] = (
    (
        "grazed-pasture",
        "grass under grazing that saturates, by Noy-Meir",
        "n",
        10.0,
        (1.6,),
        (7.4,),
        ("0.86*n*(1 - n/6.3) - 0.74*(1 - exp(-1.37*n))",),
    ),
    (
        "npzd",
        "nutrient, algae, grazers and what is dead",
        "n p z d",
        35.0,
        (1.7, 0.3, 0.2, 0.1),
        (0.5, 1.2, 0.6, 0.8),
        (
            "0.31*d + 0.14*z - 1.16*n*p/(0.53 + n) + 0.11*(1.9 - n)",
            "1.16*n*p/(0.53 + n) - 0.13*p - 0.97*p*z/(0.64 + p)",
            "0.62*p*z/(0.64 + p) - 0.29*z",
            "0.13*p + 0.26*p*z/(0.64 + p) + 0.09*z - 0.42*d",
        ),
    ),
    (
        "allee-prey",
        "prey that need each other, and their predators",
        "n p",
        24.0,
        (1.6, 0.5),
        (2.6, 0.9),
        ("0.63*n*(1 - n/3.1)*(n - 0.42) - 0.74*n*p", "0.52*n*p - 0.78*p"),
    ),
    (
        "tilman-patches",
        "two species on patches, of which one drives the other out, by Tilman",
        "p q",
        20.0,
        (0.02, 0.1),
        (0.7, 0.05),
        ("0.61*p*(1 - p) - 0.34*p", "1.87*q*(1 - p - q) - 0.29*q - 0.61*p*q"),
    ),
    (
        "hassell-varley",
        "predators that hinder each other by a power of their number, by Hassell and Varley",
        "n p",
        30.0,
        (0.8, 1.9),
        (4.2, 0.5),
        (
            "1.02*n*(1 - n/5.3) - 1.36*n*p/(n + 0.74*exp(0.46*log(p)))",
            "0.91*n*p/(n + 0.74*exp(0.46*log(p))) - 0.48*p",
        ),
    ),
)

PHYSIOLOGY: tuple[Row, ...] = (
    (
        "zeeman-heart",
        "fibre of the heart and what drives it, by Zeeman",
        "x b",
        16.0,
        (-1.1, 0.2),
        (1.6, -0.7),
        ("2.36*(1.12*x - x^3 - b)", "0.63*(x - 0.21)"),
    ),
    (
        "oral-dose",
        "drug that is swallowed, in gut, blood and tissue",
        "a c d",
        14.0,
        (5.3, 0.1, 0.0),
        (1.4, 2.6, 0.9),
        ("-0.83*a", "0.71*a - 0.68*c + 0.19*d", "0.37*c - 0.19*d"),
    ),
    (
        "stepanova",
        "tumour by Gompertz' law and the defence that it wakes and tires, by Stepanova",
        "x y",
        30.0,
        (5.6, 0.4),
        (0.8, 0.9),
        ("-0.37*x*log(x/6.8) - 0.61*x*y", "0.43*(x - 0.19*x^2)*y - 0.36*y + 0.14"),
    ),
    (
        "inflammation",
        "germs, the early defence and the late one that stirs it, by Kumar",
        "p m l",
        14.0,
        (0.3, 0.1, 0.2),
        (0.8, 0.4, 1.2),
        (
            "1.94*p*(1 - p) - 3.7*m*p",
            "(2.6*p + 0.74*l)*m*(1 - m) - 0.63*m",
            "0.57*(1 + tanh((m - 0.46)/0.27)) - 0.34*l",
        ),
    ),
    (
        "alcohol",
        "alcohol that is drunk and broken down by an enzyme",
        "c",
        14.0,
        (0.05,),
        (4.6,),
        ("0.83 - 1.12*c/(0.71 + c)",),
    ),
)
