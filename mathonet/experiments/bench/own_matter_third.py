"""Systems of our own from mechanics, chemistry and circuits that are set aside, written as in `own_matter`.

A third lot, chosen as in `own_matter_aside` and after it: models of the textbooks, none of which was run;
constants, starts and times were adjusted by looking at integrated trajectories alone.
"""

from mathonet.experiments.bench.own_matter import Row

MECHANICS: tuple[Row, ...] = (
    (
        "curve-ball",
        "spinning ball in flight, with drag and the lift by Magnus",
        "u w",
        2.6,
        (14.2, 9.3),
        (6.4, 17.1),
        ("-0.047*u*sqrt(u^2 + w^2) - 0.38*w", "-9.81 - 0.047*w*sqrt(u^2 + w^2) + 0.38*u"),
    ),
    (
        "cart-pendulum",
        "pendulum that hangs from a cart with friction",
        "a w v",
        7.0,
        (1.8, 0.0, 0.3),
        (-0.7, 1.4, -0.5),
        (
            "w",
            "-(14.03*sin(a) + cos(a)*(0.374*w^2*sin(a) - 0.36*v))/(0.87*(1 + 0.43*sin(a)^2))",
            "(0.43*sin(a)*(0.87*w^2 + 9.81*cos(a)) - 0.36*v)/(1 + 0.43*sin(a)^2)",
        ),
    ),
    (
        "absorber",
        "mass on a spring that stiffens, with an absorber of its vibrations",
        "x y u v",
        16.0,
        (1.6, -0.2, 0.0, 0.3),
        (-0.5, 0.9, 0.8, 0.0),
        (
            "u",
            "v",
            "-1.37*x - 0.64*x^3 - 0.43*(x - y) - 0.062*(u - v)",
            "2.18*(x - y) + 0.31*(u - v)",
        ),
    ),
    (
        "settling-grain",
        "grain of sand that settles in water, drag between Stokes' and Newton's",
        "v",
        1.1,
        (0.05,),
        (3.6,),
        ("4.93 - 0.86*v - 0.94*exp(1.687*log(v))",),
    ),
    (
        "plate-actuator",
        "plate on a spring, drawn by the charge of another",
        "x v",
        14.0,
        (0.42, 0.0),
        (-0.15, 0.1),
        ("v", "-1.74*x - 0.21*v + 0.163/(1 - x)^2"),
    ),
)

CHEMISTRY: tuple[Row, ...] = (
    (
        "salnikov",
        "fuel made at a steady rate that burns and heats itself, by Sal'nikov",
        "a q",
        24.0,
        (0.6, 1.3),
        (0.3, 2.4),
        ("0.39 - 0.127*a*exp(q)", "0.64*a*exp(q) - 1.07*q"),
    ),
    (
        "hydrogen-bromide",
        "bromine that burns in hydrogen, slowed by its product, in a flow",
        "b p",
        6.0,
        (3.4, 0.1),
        (0.4, 3.1),
        (
            "0.29*(2.7 - b) - 0.87*b*sqrt(b)/(b + 0.46*p)",
            "1.74*b*sqrt(b)/(b + 0.46*p) - 0.53*p",
        ),
    ),
    (
        "cloud-droplet",
        "droplet of brine that grows in damp air, by Koehler",
        "r",
        5.0,
        (0.45,),
        (2.6,),
        ("(0.58 - 0.91/r + 0.67/r^3)/r",),
    ),
    (
        "autocatalator",
        "autocatalysis in three steps that feeds itself back",
        "a b c",
        20.0,
        (1.2, 0.6, 1.9),
        (0.3, 2.1, 0.8),
        ("0.43 + 0.31*c - a*b^2 - 0.12*a", "2.3*a*b^2 + 0.276*a - 1.94*b", "0.83*b - 0.57*c"),
    ),
)

CIRCUITS: tuple[Row, ...] = (
    (
        "superconducting-ring",
        "flux in a superconducting ring with one weak link",
        "f v",
        14.0,
        (-1.7, 1.9),
        (4.6, 0.8),
        ("v", "0.93 - 0.29*v - 0.47*f - 1.84*sin(f)"),
    ),
    (
        "tunnel-diode",
        "oscillator with a tunnel diode",
        "v i",
        16.0,
        (0.2, 0.1),
        (1.9, 0.7),
        ("3.4*(i - 3.27*v*exp(-2.18*v) - 0.0067*exp(1.93*v))", "0.81*(1.16 - v - 0.34*i)"),
    ),
    (
        "two-dynamos",
        "two disc dynamos that feed each other, by Rikitake",
        "x y z",
        18.0,
        (0.9, -0.4, 1.6),
        (-1.3, 0.7, 2.8),
        ("z*y - 0.86*x", "(z - 2.13)*x - 0.86*y", "1.12 - x*y"),
    ),
    (
        "constant-power",
        "filter of a supply whose load draws constant power",
        "i v",
        12.0,
        (0.4, 1.3),
        (1.7, 2.4),
        ("1.31*(2.14 - 0.41*i - v)", "0.94*(i - 0.78/v - 0.11*v)"),
    ),
)
