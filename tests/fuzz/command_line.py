"""The command-line layer: commands with odd options, on small data that are at hand."""

from typing import Any

from tests.fuzz.case import Case, Step
from tests.fuzz.draw import ODD_NAMES, VALUES, Random, chance, mutated, one_of

DATA = b"t,x,y\n" + b"".join(
    b"%g,%g,%g\n" % (0.1 * k, 0.9**k, 1.0 + 0.3 * k - 0.01 * k * k) for k in range(14)
)
"""Small enough to be searched in a moment, and always the same: programs are compiled once."""
QUICK = ["--budget", "0.01", "--restarts", "1", "--cycles", "1", "--operations", "ident"]
"""What keeps a search short, should one begin."""
TOML = b"""# The options of a run.
source = "data.csv"
time = "t"
states = ["x"]
operations = ["ident"]
restarts = 1
cycles = 1
budget = 0.01
seed = 3
dense = false
known = ["x=0"]
"""
SURROUNDINGS: tuple[Step, ...] = (
    ("bytes", "data.csv", DATA),
    ("copy", "run", "finished"),
    ("folder", "foreign"),
    ("bytes", "foreign/a.txt", b"somebody's\n"),
    ("bytes", "empty", b""),
    ("folder", "link-target"),
    ("bytes", "link-target/b.txt", b"somebody else's\n"),
    ("link", "link", "link-target"),
    ("link", "link-to-file", "foreign/a.txt"),
    ("link", "loop", "loop"),
    ("bytes", "options.toml", TOML),
)
"""What lies in the folder of every case; what plays no part in a failure is taken away when it is shrunk."""

DISCOVER: dict[str, tuple[str, ...]] = {
    "--time": ("t", "x"),
    "--states": ("x", "y"),
    "--derivatives": ("y", ""),
    "--inputs": ("y",),
    "--experiment": ("", "x"),
    "--order": ("1", "2"),
    "--smoothing": ("gp", "spline", "savgol"),
    "--known": ("x=0", "x=y", "y=1/(x-x)"),
    "--operations": ("ident", "sin", "exp", "inv"),
    "--hidden": ("1", "2"),
    "--dense": (),
    "--no-dense": (),
    "--joint": (),
    "--lambdas": ("1e-3", "nan", "inf", "1e309"),
    "--restarts": ("1", "2"),
    "--cycles": ("1", "2"),
    "--selection": ("score", "validation"),
    "--map-step": ("newton", "adam"),
    "--epochs": ("1", "3"),
    "--protocol": ("default",),
    "--seed": ("0", "7"),
    "--noise": ("0", "0.01"),
    "--json": (),
    "--dry-run": (),
    "--ignore": ("y", "nothing"),
    "--time-unit": ("s", "day", "parsec"),
    "--sheet": ("1", "Sheet"),
    "--out": ("out", "run", "foreign", "link", "pipe", "device", "deep", "loop", "link-to-file"),
    "--config": ("options.toml", "run/config.toml", "data.csv"),
    "--resume": ("run", "foreign", "nowhere"),
    "--budget": ("0.01", "nan", "-1", "0", "1e-300"),
}
"""Options of `discover`, with values that may be right."""
SAVED: dict[str, dict[str, tuple[str, ...]]] = {
    "simulate": {
        "--x0": ("1", "2", "-1", "1e300", "nan"),
        "--times": (
            "0:1:3",
            "0",
            "1",
            "2",
            "0:1:1000000000000",
            "0:1:-1",
            "1:0:5",
            "0:nan:4",
            "nan",
            "5:6:2",
        ),
        "--trajectory": ("1", "0", "99"),
        "--out": ("out.csv", "foreign", "foreign/a.txt", "link-to-file", "pipe", "device", "loop", "run"),
    },
    "report": {"--out": ("page.html", "foreign", "link-to-file", "link", "pipe", "device", "loop")},
    "export": {
        "--to": ("latex", "python", "numpy", "jax", "julia", "matlab", "c", "sympy"),
        "--out": ("code.txt", "foreign", "link-to-file", "link", "pipe", "device", "loop", "run/data.npz"),
    },
}
"""Options of the commands on a finished run."""


def case(random: Random) -> Case:
    """A case of the command line."""
    share, extra = random.random(), _places(random)
    if share < 0.55:
        argv, more = _discover(random)
        extra += more
    elif share < 0.93:
        argv = _saved(random)
    else:
        argv = [one_of(random, ("systems", "discover", "bench", "paper", "", "--help", "--version", *VALUES))]
        argv += [one_of(random, VALUES) for _ in range(int(random.integers(0, 3)))]
    if argv[:1] in (["bench"], ["paper"]):
        # They work for hours if nothing is wrong: only what is, is tried.
        argv = [argv[0], "no such part", *argv[1:]]
    return Case("command-line", (*SURROUNDINGS, *extra), "main", {"argv": argv}, "a command")


def _places(random: Random) -> tuple[Step, ...]:
    """Places to write to that are no plain files; a pipe is rare, since whoever opens one waits."""
    steps: list[Step] = [("device", "device")]
    if chance(random, 0.3):
        steps.append(("pipe", "pipe"))
    if chance(random, 0.1):
        steps.append(("folders", "deep", 1500))
    return tuple(steps)


def _discover(random: Random) -> tuple[list[str], tuple[Step, ...]]:
    """The search, most often with something amiss that ends it before it begins."""
    steps: tuple[Step, ...] = ()
    source = "data.csv" if chance(random, 0.7) else one_of(random, VALUES)
    if chance(random, 0.15):
        steps, source = (("bytes", "odd.csv", mutated(random, DATA)),), "odd.csv"
    elif chance(random, 0.1):
        name = one_of(random, ODD_NAMES).replace('"', "").encode("utf-8", "replace")
        steps, source = (("bytes", "odd.csv", DATA.replace(b"y", b'"' + name + b'"', 1)),), "odd.csv"
    elif chance(random, 0.1):
        changed = mutated(random, TOML)
        steps = (("bytes", "options.toml", changed),)
    argv = ["discover", *([source] if chance(random, 0.9) else []), *QUICK]
    if chance(random, 0.02):
        return ["discover", "data.csv", *QUICK], ()
    # Most say what they understand and no more, or meet something that ends them before a search.
    looked = chance(random, 0.5)
    for _ in range(int(random.integers(1, 4))):
        argv += _option(random, DISCOVER, wrong=0.1 if looked else 0.35)
    if looked:
        argv += ["--dry-run"]
    elif chance(random, 0.8):
        argv += one_of(random, MISTAKES)
    return argv, steps


MISTAKES: tuple[Any, ...] = (
    ["--time", "nothing"],
    ["--states", "x", "x"],
    ["--known", "q=1"],
    ["--operations", "sinh"],
    ["--seed", "-1"],
    ["--restarts", "0"],
    ["--cycles", "-3"],
    ["--hidden", "0"],
    ["--dense"],
    ["--out", "foreign"],
    ["--lambdas", "-1"],
    ["--derivatives", "y", "y"],
    ["--noise", "0.1"],
    ["--dry-run"],
    ["--dry-run", "--json"],
    ["--sheet", "7"],
    ["--ignore", "t"],
    ["--unknown"],
    ["--budget", "-1"],
    ["--config", "nowhere.toml"],
)
"""What ends a search before it begins: most cases need none."""


def _saved(random: Random) -> list[str]:
    """A command on a finished run."""
    command = one_of(random, ("simulate", "simulate", "export", "export", "export", "report"))
    argv = [command, "run" if chance(random, 0.85) else one_of(random, VALUES)]
    if command == "export" and chance(random, 0.85):
        argv += ["--to", one_of(random, SAVED["export"]["--to"])]
    for _ in range(int(random.integers(0 if command != "report" else 1, 3))):
        argv += _option(random, SAVED[command], wrong=0.25)
    if command == "report" and chance(random, 0.9):
        argv[1] = one_of(random, ("nowhere", "foreign", "loop", "empty", "link"))
    return argv


def _option(random: Random, options: dict[str, tuple[str, ...]], wrong: float) -> list[str]:
    """An option with a value or several, right or odd."""
    name = one_of(random, sorted(options))
    right = options[name]
    count = 1 if chance(random, 0.7) else int(random.integers(0, 4))
    if not right:
        count = 0 if chance(random, 0.9) else 1
    values = [one_of(random, right if right and not chance(random, wrong) else VALUES) for _ in range(count)]
    return [f"{name}={values[0]}"] if len(values) == 1 and chance(random, 0.2) else [name, *values]
