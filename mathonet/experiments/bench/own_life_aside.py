"""Systems of our own from epidemiology, neuroscience, ecology and physiology that were once set aside.

Written as in `own_matter`, chosen as in `own_matter_aside`.
"""

from mathonet.experiments.bench.own_matter import Row

EPIDEMIOLOGY: tuple[Row, ...] = (
    (
        "standard-incidence",
        "infection by the share of the ill among all, which kills or leaves no immunity",
        "s i",
        30.0,
        (5.6, 0.2),
        (2.1, 3.4),
        ("0.34 - 0.92*s*i/(s + i) - 0.057*s + 0.12*i", "0.92*s*i/(s + i) - 0.41*i"),
    ),
    (
        "few-beds",
        "infection whose treatment saturates, with births and deaths",
        "s i",
        30.0,
        (1.9, 0.15),
        (0.6, 0.9),
        ("0.12 - 0.61*s*i - 0.083*s", "0.61*s*i - 0.19*i - 0.47*i/(1 + 2.3*i)"),
    ),
    (
        "vaccination",
        "infection beside a vaccine that protects in part and for a while",
        "s v i",
        24.0,
        (1.1, 0.15, 0.06),
        (0.3, 0.6, 0.05),
        (
            "0.062 - 0.94*s*i - 0.21*s + 0.31*i + 0.086*v",
            "0.148*s - 0.197*v*i - 0.148*v",
            "0.94*s*i + 0.197*v*i - 0.372*i",
        ),
    ),
    (
        "dengue",
        "hosts with immunity for a while, and the mosquitoes that infect them",
        "s i r u v",
        30.0,
        (1.2, 0.05, 0.1, 0.7, 0.1),
        (0.7, 0.2, 0.4, 1.9, 0.3),
        (
            "-0.58*s*v + 0.047*r",
            "0.58*s*v - 0.36*i",
            "0.31*i - 0.047*r",
            "0.21 - 0.74*u*i - 0.13*u",
            "0.74*u*i - 0.13*v",
        ),
    ),
)

NEUROSCIENCE: tuple[Row, ...] = (
    (
        "hodgkin-huxley",
        "squid axon of Hodgkin and Huxley, millivolts above rest",
        "v m h n",
        15.0,
        (3.2, 0.06, 0.58, 0.33),
        (21.0, 0.1, 0.45, 0.4),
        (
            "11.7 - 118*m^3*h*(v - 116) - 35.4*n^4*(v + 12.3) - 0.31*(v - 10.7)",
            "0.098*(24.7 - v)/(exp(0.098*(24.7 - v)) - 1)*(1 - m) - 4.1*exp(-0.056*v)*m",
            "0.071*exp(-0.049*v)*(1 - h) - h/(1 + exp(3.02 - 0.103*v))",
            "0.0102*(9.8 - v)/(exp(0.102*(9.8 - v)) - 1)*(1 - n) - 0.124*exp(-0.0126*v)*n",
        ),
    ),
    (
        "terman-wang",
        "oscillator of Terman and Wang with a slow gate",
        "x y",
        20.0,
        (-1.7, 1.1),
        (1.4, 7.2),
        ("2.87*x - x^3 + 2.31 - y", "0.27*(5.6 + 5.6*tanh(3.1*x) - y)"),
    ),
    (
        "tired-synapses",
        "rate of cells whose synapses run out of transmitter",
        "e x",
        12.0,
        (0.3, 0.95),
        (2.6, 0.25),
        ("-1.06*e + 1.52*log(1 + exp(2.94*x*e - 0.87))", "0.24*(1 - x) - 0.37*x*e"),
    ),
    (
        "theta-pair",
        "two cells of Ermentrout and Kopell, one exciting, one inhibiting",
        "a b",
        14.0,
        (0.4, -1.3),
        (-1.9, 2.2),
        (
            "1 - cos(a) + (1 + cos(a))*(0.38 - 0.16*(1 - cos(b)))",
            "1 - cos(b) + (1 + cos(b))*(0.13 + 0.29*(1 - cos(a)))",
        ),
    ),
)

ECOLOGY: tuple[Row, ...] = (
    (
        "crowded-predators",
        "predators that get sated and hinder each other, by Beddington and DeAngelis",
        "n p",
        35.0,
        (1.2, 2.4),
        (5.1, 0.7),
        (
            "1.06*n*(1 - n/6.3) - 1.71*n*p/(1 + 0.58*n + 0.36*p)",
            "0.94*n*p/(1 + 0.58*n + 0.36*p) - 0.37*p",
        ),
    ),
    (
        "ivlev",
        "predators that get sated by Ivlev's law",
        "n p",
        35.0,
        (2.9, 0.5),
        (0.8, 1.4),
        ("0.97*n*(1 - n/4.7) - 1.58*p*(1 - exp(-0.66*n))", "0.88*p*(1 - exp(-0.66*n)) - 0.41*p"),
    ),
    (
        "food-limited",
        "water fleas short of food, by Smith",
        "n",
        18.0,
        (0.25,),
        (11.6,),
        ("0.84*n*(7.1 - n)/(7.1 + 2.9*n)",),
    ),
    (
        "droop",
        "algae that grow by what they have stored, in a chemostat",
        "s q x",
        20.0,
        (2.4, 0.5, 0.1),
        (0.6, 0.9, 0.7),
        (
            "0.31*(2.7 - s) - 1.13*s*x/(0.44 + s)",
            "1.13*s/(0.44 + s) - 0.86*(q - 0.35)",
            "0.86*x*(1 - 0.35/q) - 0.31*x",
        ),
    ),
    (
        "may-leonard",
        "three rivals of which each gives way to the next",
        "x y z",
        40.0,
        (0.6, 0.3, 0.1),
        (0.15, 0.25, 0.7),
        (
            "x*(1.04 - x - 1.37*y - 0.62*z)",
            "y*(0.97 - 0.58*x - y - 1.33*z)",
            "z*(1.09 - 1.41*x - 0.66*y - z)",
        ),
    ),
    (
        "herd",
        "prey in herds, of which predators reach the rim",
        "n p",
        30.0,
        (2.9, 0.4),
        (1.1, 1.2),
        ("1.08*n*(1 - n/3.9) - 0.87*p*sqrt(n)", "0.62*p*sqrt(n) - 0.76*p"),
    ),
)

PHYSIOLOGY: tuple[Row, ...] = (
    (
        "goodwin",
        "gene, messenger and protein in a loop by Goodwin, protein removed by an enzyme",
        "x y z",
        40.0,
        (0.3, 0.5, 1.4),
        (2.1, 1.2, 0.6),
        ("3.8/(1 + z^4) - 0.34*x", "0.71*x - 0.42*y", "0.58*y - 1.96*z/(0.67 + z)"),
    ),
    (
        "tumour-and-defence",
        "tumour and the cells that attack it, by Kuznetsov",
        "e n",
        30.0,
        (0.6, 12.0),
        (2.7, 41.0),
        ("0.121 + 1.17*e*n/(20.6 + n) - 0.0074*e*n - 0.38*e", "0.58*n*(1 - 0.0061*n) - 0.47*e*n"),
    ),
    (
        "heart-muscle",
        "excited heart muscle of Aliev and Panfilov",
        "u v",
        24.0,
        (0.31, 0.05),
        (0.9, 0.7),
        ("-7.6*u*(u - 0.13)*(u - 1) - u*v", "(0.014 + 0.21*v/(u + 0.3))*(-v - 7.6*u*(u - 1.13))"),
    ),
    (
        "tumour-vessels",
        "tumour and the vessels that bear it, by Hahnfeldt",
        "v k",
        25.0,
        (0.2, 0.7),
        (0.9, 2.8),
        ("-0.29*v*log(v/k)", "0.94*v - 0.71*k*exp(0.667*log(v))"),
    ),
)
