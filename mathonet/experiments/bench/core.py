"""The core benchmark: exact recovery in the paper's settings, single restarts, nested forms, noise, speed."""

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import sympy

from mathonet import Samples, systems
from mathonet.data.trajectories import as_samples
from mathonet.equation.expression import Expression
from mathonet.equation.parse import from_sympy
from mathonet.equation.reading import unscale
from mathonet.errors import ConfigError
from mathonet.experiments.bench.adam import compare_adam
from mathonet.experiments.bench.restarts import restarts
from mathonet.experiments.bench.table import command_line, write_tables
from mathonet.experiments.truth import compare, truths
from mathonet.network.mathonet import Architecture
from mathonet.operations import resolve
from mathonet.precision import double_precision
from mathonet.result.discover import Discovery, discover
from mathonet.search.proposers.given_network import readings
from mathonet.search.proposers.sweep import make_problem, sweep
from mathonet.search.samples.regression import Regression
from mathonet.search.samples.rewrites import simplify

PAPER = ("lorenz", "lotka-volterra")
Say = Callable[[str], None]


def run(folder: str | Path, seeds: range, say: Say, wanted: Sequence[str] | None = None) -> Path:
    """Run every part and write `core.md` with one CSV file a part.

    With the names of some parts only these are run, and written under names of their own.

    Raises:
        ConfigError: there is no such part.
    """
    parts = {
        "exact: clean samples, exact derivatives": lambda: exact(seeds, 0.0, say),
        "noise: 1 % of each derivative's deviation": lambda: exact(seeds, 0.01, say),
        "single: restarts that reach the exact form alone": lambda: single(seeds, say),
        "nested: forms with an architecture given by hand": lambda: nested(say),
        "speed: the whole Lorenz discovery after compilation": lambda: speed(say),
        "restarts: complete restarts a second in the paper's Lorenz setting": lambda: restarts(say),
        "adam: newton and adam on the Lorenz z": lambda: compare_adam(say),
    }
    names = [title.split(":")[0] for title in parts]
    unknown = [name for name in wanted or () if name not in names]
    if unknown:
        raise ConfigError(f"There is no part {unknown[0]!r} of `bench core`; choose from {names}.")
    name = "core" if not wanted else "-".join(("core", *wanted))
    chosen = {title: part for title, part in parts.items() if not wanted or title.split(":")[0] in wanted}
    return write_tables(folder, name, command_line(), {title: part() for title, part in chosen.items()})


def _samples(name: str, noise: float, seed: int) -> Samples:
    return as_samples([systems.get(name).simulate(derivative_noise=noise, seed=seed)])


def _discover(name: str, noise: float, seed: int) -> Discovery:
    system = systems.get(name)
    samples = _samples(name, noise, seed)
    return discover(samples, operations=system.operations, hidden=system.hidden, seed=seed)


def _least(gaps: list[float | None]) -> float | str:
    met = [gap for gap in gaps if gap is not None]
    return min(met) if met else "no rival met"


def exact(seeds: range, noise: float, say: Say) -> pd.DataFrame:
    """Discoveries in the paper's settings: how many have exactly the true terms, and their coefficients."""
    rows = []
    for name in PAPER:
        found = [_discover(name, noise, seed) for seed in seeds]
        for target, truth in enumerate(truths(name)):
            pairs = [compare(each.system.equations[target].expression, truth) for each in found]
            rows.append(
                {
                    "system": name,
                    "equation": found[0].samples.target_names[target] + "'",
                    "seeds": len(seeds),
                    "exactly the true terms": sum(ok for ok, _ in pairs),
                    "within 1e-8": sum(error <= 1e-8 for _, error in pairs),
                    "worst coefficient error": max(error for _, error in pairs),
                    "least gap to a rival form (nats)": _least([each.gaps[target] for each in found]),
                    "seconds (median)": float(np.median([each.seconds for each in found])),
                }
            )
            say(f"noise {noise:g}: {rows[-1]}")
    return pd.DataFrame(rows)


@double_precision
def single(seeds: range, say: Say) -> pd.DataFrame:
    """Every run by itself: read, clean, refit, and compare; nothing is learned from the other runs."""
    rows = []
    for name in PAPER:
        system, samples = systems.get(name), _samples(name, 0.0, 0)
        operations, scaling = resolve(system.operations), samples.scaling
        assert system.hidden is not None
        architecture = Architecture(samples.inputs.shape[1], tuple(system.hidden), operations)
        problem = make_problem(samples, scaling)
        hits: dict[int, int] = dict.fromkeys(range(len(samples.target_names)), 0)
        for number, seed in enumerate(seeds):
            runs = sweep(architecture, problem, problem, seed=seed)
            for target, truth in enumerate(truths(name)):
                refitter = Regression(problem.column(target), operations, 1e-12, len(operations))
                for form, _ in readings(runs, target, 0):
                    cleaned = unscale(simplify(form, refitter).expression, scaling, target)
                    hits[target] += compare(cleaned, truth)[1] <= 1e-8
            say(f"single {name}: {number + 1} sweeps, hits {hits}")
        for target, count in hits.items():
            equation = samples.target_names[target] + "'"
            total = len(runs.target) // len(hits) * len(seeds)
            rows.append({"system": name, "equation": equation, "restarts": total, "share": count / total})
    return pd.DataFrame(rows)


TUTORIAL = "k4 sin(k1 y + k2 y^2) + k5 cos(k3 x^3)"


def forms() -> Iterator[tuple[str, sympy.Expr, dict, np.ndarray]]:
    """Nested, rational and transcendental forms: name, truth, architecture and samples' inputs."""
    x, y = sympy.symbols("x y")
    draw = np.random.default_rng(0)
    line, positive = draw.uniform(-2, 4, (200, 1)), draw.uniform(0.2, 3, (200, 1))
    plane = draw.uniform(-2, 2, (300, 2))
    yield (
        TUTORIAL,
        1.2 * sympy.sin(0.9 * y + 0.5 * y**2) + 0.7 * sympy.cos(0.4 * x**3),
        {"hidden": (2, 2), "operations": ["ident", "sin", "cos"]},
        plane,
    )
    yield (
        "0.5 tanh(0.52 x - 0.25)",
        0.5 * sympy.tanh(0.52 * x - 0.25),
        {"hidden": (1,), "operations": ["ident", "tanh", "sin", "exp"]},
        line,
    )
    yield (
        "x log(2.29 x)",
        x * sympy.log(x) + sympy.Float(np.log(2.29)) * x,
        {"hidden": (1, 1), "operations": ["ident", "log", "exp"]},
        positive,
    )
    yield (
        "x y/(1 + x^2)",
        x * y / (1 + x**2),
        {"hidden": (2, 1), "dense": True, "operations": ["ident", "inv"]},
        plane,
    )
    yield (
        "-0.9 sin(x)",
        -0.9 * sympy.sin(x),
        {"hidden": (1,), "operations": ["ident", "sin", "cos", "exp"]},
        line,
    )


def clean_samples(truth: sympy.Expr, inputs: np.ndarray) -> tuple[Samples, Expression]:
    """Samples of a form f(x) or f(x, y), and the form."""
    symbols = sympy.symbols("x y")[: inputs.shape[1]]
    values = np.asarray(sympy.lambdify(symbols, truth)(*inputs.T))
    return Samples(inputs, values[:, None], tuple(map(str, symbols)), ("f",)), from_sympy(truth, symbols)


def nested(say: Say, seeds: int = 5) -> pd.DataFrame:
    """Nested, rational and transcendental forms from clean samples."""
    rows = []
    for name, form, options, inputs in forms():
        samples, truth = clean_samples(form, inputs)
        found = [discover(samples, seed=seed, **options) for seed in range(seeds)]
        pairs = [compare(each.system.equations[0].expression, truth) for each in found]
        rows.append(
            {
                "form": name,
                "hidden": str(list(options["hidden"])) + (" dense" if options.get("dense") else ""),
                "operations": " ".join(options["operations"]),
                "samples": len(inputs),
                "seeds": seeds,
                "exact": sum(error <= 1e-8 for _, error in pairs),
                "worst error": max(error for _, error in pairs),
                "seconds (median)": float(np.median([each.seconds for each in found])),
            }
        )
        say(f"nested: {rows[-1]}")
    return pd.DataFrame(rows)


def speed(say: Say, repeats: int = 5) -> pd.DataFrame:
    """Seconds of the Lorenz discovery (3 equations, 20 restarts each): the first, and the later ones."""
    seconds = []
    for seed in range(repeats + 1):
        began = time.perf_counter()
        _discover("lorenz", 0.0, seed)
        seconds.append(time.perf_counter() - began)
    say(f"speed: {seconds}")
    row = {
        "first in this process": seconds[0],
        "later, median": float(np.median(seconds[1:])),
        "worst": max(seconds[1:]),
    }
    return pd.DataFrame([row])
