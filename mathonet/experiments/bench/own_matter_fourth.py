"""Systems of our own from mechanics, chemistry and circuits, to tune on, written as in `own_matter`.

A fourth lot: models of the textbooks, written without knowledge of the search and before any was run;
constants, starts and times were adjusted by looking at integrated trajectories alone. They are the half of
a larger lot that chance gave to tuning.
"""

from mathonet.experiments.bench.own_matter import Row

MECHANICS: tuple[Row, ...] = (
    (
        "snap-truss",
        "shallow truss that snaps through, by von Mises",
        "x v",
        18.0,
        (1.9, 0.0),
        (-0.3, -1.1),
        ("v", "0.24 - 0.13*v - 3.27*x*(1 - 1.38/sqrt(x^2 + 0.81))"),
    ),
    (
        "air-pendulum",
        "pendulum with friction in its bearing and in the air",
        "a w",
        10.0,
        (2.7, 0.0),
        (-0.8, 2.9),
        ("w", "-7.43*sin(a) - 0.13*w - 0.21*w*abs(w)"),
    ),
    (
        "bead-on-parabola",
        "bead that slides on a wire bent to a parabola",
        "x v",
        8.0,
        (1.7, 0.0),
        (-0.6, 2.8),
        ("v", "-(1.46*x*v^2 + 5.93*x)/(1 + 1.46*x^2) - 0.17*v"),
    ),
    (
        "swinging-atwood",
        "Atwood's machine of which one weight swings",
        "r u a w",
        5.0,
        (1.3, 0.0, 1.4, 0.0),
        (0.9, 0.2, -0.6, 1.9),
        ("u", "0.361*(r*w^2 + 9.81*cos(a) - 17.36)", "w", "-(2*u*w + 9.81*sin(a))/r"),
    ),
    (
        "galloping-cable",
        "cable that gallops in the wind, by Parkinson",
        "y v",
        20.0,
        (0.2, 0.1),
        (-1.9, 1.2),
        ("v", "-1.73*y + 0.24*v + 0.37*v^3 - 0.16*v^5"),
    ),
)

CHEMISTRY: tuple[Row, ...] = (
    (
        "vacant-sites",
        "two gases that react on a catalyst and need vacant sites, by Takoudis",
        "a b",
        40.0,
        (0.3, 0.2),
        (0.1, 0.6),
        (
            "0.49*(1 - a - b) - 0.031*a - 29.3*a*b*(1 - a - b)^2",
            "0.83*(1 - a - b) - 0.062*b - 29.3*a*b*(1 - a - b)^2",
        ),
    ),
    (
        "elovich",
        "gas that is taken up by a surface, by Elovich",
        "q",
        9.0,
        (0.1,),
        (1.9,),
        ("2.37*exp(-0.74*q)",),
    ),
    (
        "bz-three",
        "Belousov-Zhabotinsky reaction, three variables, by Field and Noyes",
        "x y z",
        14.0,
        (0.3, 0.4, 0.2),
        (0.7, 0.1, 0.4),
        ("6.3*(0.031*y - x*y + x*(1 - x))", "11.7*(1.12*z - x*y - 0.031*y)", "0.94*(x - z)"),
    ),
    (
        "biodiesel",
        "oil turned to biodiesel in three steps, in a flow",
        "o d m a e",
        12.0,
        (1.9, 0.3, 0.4, 2.1, 0.3),
        (0.6, 0.7, 0.4, 1.1, 2.1),
        (
            "0.17*(1.4 - o) - 0.43*o*a + 0.21*d*e",
            "0.43*o*a - 0.21*d*e - 0.64*d*a + 0.37*m*e - 0.17*d",
            "0.64*d*a - 0.37*m*e - 0.52*m*a - 0.17*m",
            "0.17*(4.3 - a) - 0.43*o*a + 0.21*d*e - 0.64*d*a + 0.37*m*e - 0.52*m*a",
            "0.43*o*a - 0.21*d*e + 0.64*d*a - 0.37*m*e + 0.52*m*a - 0.17*e",
        ),
    ),
    (
        "solid-decomposition",
        "solid that decomposes, by Sestak and Berggren",
        "a",
        6.0,
        (0.02,),
        (0.35,),
        ("1.14*exp(0.54*log(a) + 1.32*log(1 - a))",),
    ),
)

CIRCUITS: tuple[Row, ...] = (
    (
        "boost-converter",
        "mean of a boost converter whose switch follows its voltage",
        "i v",
        14.0,
        (0.3, 0.6),
        (3.4, 1.2),
        ("0.93*(2.16 - 0.21*i - (0.37 + 0.12*v)*v)", "1.24*((0.37 + 0.12*v)*i - 0.46*v)"),
    ),
    (
        "squid",
        "phases of two weak links in one superconducting ring",
        "a b",
        16.0,
        (0.3, -1.2),
        (1.9, 2.4),
        ("1.36 - 1.07*sin(a) - 0.53*(a - b - 1.4)", "1.21 - 0.84*sin(b) + 0.53*(a - b - 1.4)"),
    ),
    (
        "wien-bridge",
        "Wien bridge with an amplifier that saturates",
        "x y",
        20.0,
        (0.1, 0.0),
        (-1.2, 0.9),
        ("0.93*(2.84*tanh(1.37*x) - y) - 2.07*x", "0.81*(2.84*tanh(1.37*x) - x - y)"),
    ),
    (
        "mayr-arc",
        "electric arc by Mayr, fed through a coil",
        "i g",
        12.0,
        (0.6, 2.4),
        (3.4, 1.6),
        ("1.17*(2.74 - 0.68*i - i/g)", "0.86*(i^2/1.63 - g)"),
    ),
    (
        "induction-motor",
        "induction motor in the frame of its net",
        "i j f g w",
        8.0,
        (0.2, 0.1, 0.3, -0.2, 0.1),
        (1.1, -0.6, 0.5, 0.4, 1.7),
        (
            "3.7 - 2.64*i + 2.9*j + 1.12*f + 1.87*w*g",
            "-2.64*j - 2.9*i + 1.12*g - 1.87*w*f",
            "0.74*i - 0.61*f + (2.9 - w)*g",
            "0.74*j - 0.61*g - (2.9 - w)*f",
            "1.53*(j*f - i*g) - 0.27*w",
        ),
    ),
)
