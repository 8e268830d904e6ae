"""The paper's protocol beside our default, on its clean systems: what each costs and what it reaches."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from mathonet import Discoverer, systems
from mathonet.equation.expression import Expression, TooLargeError
from mathonet.equation.reading import read, unscale
from mathonet.experiments.paper.noise import PAPER
from mathonet.experiments.paper.results import Result, Say
from mathonet.experiments.truth import compare, truths
from mathonet.result.discover import Discovery
from mathonet.result.history import best_run

MOST_SEEDS, MOST_PAPER_SEEDS = 5, 1
"""Seeds of our default and of the paper's protocol, whose one run is already 50 starts of every network."""


@dataclass(frozen=True)
class Way:
    """One way to discover one system: a label, the options, and how many seeds it is worth."""

    system: str
    label: str
    options: dict[str, Any]
    seeds: int


@dataclass(frozen=True)
class Outcome:
    """What one way reached for one equation from one seed.

    Attributes:
        way: the way.
        equation: such as x'.
        seed: of the search.
        seconds: of the whole discovery, compilation left out.
        runs: random starts of this equation's network, over all lambdas.
        hits: how many of them end in a network that reads as exactly the true terms.
        terms: of the best network as it is read.
        validation: its validation error, in units of the derivative's size.
        read: its largest relative error of a coefficient, infinite unless it has exactly the true terms.
        found: the same of the equation after clean-up and refit.
    """

    way: Way
    equation: str
    seed: int
    seconds: float
    runs: int
    hits: int
    terms: int
    validation: float
    read: float
    found: float


WAYS = (
    Way("lorenz", "our default", {}, MOST_SEEDS),
    Way(
        "lorenz",
        "paper's protocol, 200 epochs a cycle",
        {"protocol": "paper", "epochs": 200},
        MOST_PAPER_SEEDS,
    ),
    Way(
        "lorenz",
        "paper's protocol, 800 epochs a cycle",
        {"protocol": "paper", "epochs": 800},
        MOST_PAPER_SEEDS,
    ),
    Way("lotka-volterra", "our default", {}, MOST_SEEDS),
    Way("lotka-volterra", "our default, joint network", {"joint": True}, MOST_SEEDS),
    Way(
        "lotka-volterra",
        "paper's protocol, joint network, 800 epochs a cycle",
        {"protocol": "paper", "joint": True, "epochs": 800},
        MOST_PAPER_SEEDS,
    ),
)
"""Lorenz decays its lambda every 200 epochs, Lotka-Volterra every 800; the paper's network of the latter is
joint. It does not say how many epochs a cycle has, so Lorenz is run with the longer cycles as well."""


def protocol(seeds: int, say: Say, ways: tuple[Way, ...] = WAYS) -> list[Result]:
    """Seconds and errors of every way; at most 5 seeds of ours and one of the paper's protocol.

    A seed succeeds if it has exactly the true terms. "As read" is the network with the least validation error
    and, of nearly equal ones, the fewest weights, as it left the last cycle: what the paper reports. "After
    clean-up and refit" is the equation that the same search ends in here.
    """
    return summary(outcomes(seeds, say, ways))


def outcomes(seeds: int, say: Say, ways: tuple[Way, ...] = WAYS) -> list[Outcome]:
    """Every way, seed and equation."""
    found, compiled = [], set()
    for way in ways:
        kind = (way.system, "protocol" in way.options, "joint" in way.options)
        if kind not in compiled:
            _fit(way, 0, {"cycles": 1, "epochs": 1})
            compiled.add(kind)
        for seed in range(min(seeds, way.seeds)):
            new = _measure(way, seed)
            found += new
            as_read = sum(np.isfinite(each.read) for each in new)
            cleaned = sum(np.isfinite(each.found) for each in new)
            say(
                f"protocol, {way.system}, {way.label}, seed {seed}: {new[0].seconds:.1f} s, of {len(new)} "
                f"equations {as_read} exact as read, {cleaned} after clean-up"
            )
    return found


def summary(found: list[Outcome]) -> list[Result]:
    """Seconds of a whole discovery (median over the seeds), and for every equation errors and shares."""
    results = []
    for way in dict.fromkeys((each.way.system, each.way.label) for each in found):
        runs = [each for each in found if (each.way.system, each.way.label) == way]
        case, seeds = ", ".join(way), len({each.seed for each in runs})
        seconds = float(np.median([each.seconds for each in runs]))
        results.append(Result(f"{case}: seconds", None, None, seconds, None, seeds, None))
        for equation in dict.fromkeys(each.equation for each in runs):
            own = [each for each in runs if each.equation == equation]
            read, refitted = [each.read for each in own], [each.found for each in own]
            theirs = _paper_error(way[0], equation)
            exact = int(np.sum(np.isfinite(read)))
            share = float(np.mean([each.hits / each.runs for each in own]))
            error = float(np.median([each.validation for each in own]))
            label = f"{case}, {equation}"
            results += [
                _worst(f"{label}, best network as read: worst relative error", theirs, read),
                _worst(f"{label}, after clean-up and refit: worst relative error", theirs, refitted),
                Result(f"{label}, best network: validation error", 0.0, None, error, None, seeds, exact),
                Result(f"{label}: share of runs exact as read", None, None, share, None, seeds, None),
            ]
    return results


def _worst(name: str, paper: float | None, errors: list[float]) -> Result:
    good = [error for error in errors if np.isfinite(error)]
    return Result(name, 0.0, paper, max(good, default=None), None, len(errors), len(good))


def _fit(way: Way, seed: int, others: dict[str, Any]) -> Discoverer:
    system = systems.get(way.system)
    data = system.simulate()
    options = {**way.options, **others, "seed": seed}
    model = Discoverer(operations=system.operations, hidden=system.hidden, **options)
    return model.fit(data.x, data.t, data.x_dot, names=data.names)


def _measure(way: Way, seed: int) -> list[Outcome]:
    discovery, measured = _fit(way, seed, {}).discovery_, []
    system, sweep, joint = systems.get(way.system), discovery.sweeps["given"], discovery.settings.joint
    for target, (name, truth) in enumerate(zip(system.states, truths(way.system), strict=True)):
        network, output = (0, target) if joint else (target, 0)
        runs = np.flatnonzero(sweep.target == network).tolist()
        readings = {run: _reading(discovery, run, output, target) for run in runs}
        best = best_run(sweep, network)
        measured.append(
            Outcome(
                way,
                f"{name}'",
                seed,
                discovery.seconds,
                len(runs),
                sum(compare(reading, truth)[0] for reading in readings.values()),
                len(readings[best].terms),
                float(np.sqrt(2.0 * sweep.history[-1].validation[best])),
                compare(readings[best], truth)[1],
                compare(discovery.system.equations[target].expression, truth)[1],
            )
        )
    return measured


def _reading(discovery: Discovery, run: int, output: int, target: int) -> Expression:
    """A run's network as an equation in the data's units; empty if it is too large to be read."""
    try:
        form = read(discovery.sweeps["given"].network(run))[output]
    except (TooLargeError, OverflowError):
        return Expression()
    return unscale(form, discovery.samples.scaling, target)


def _paper_error(system: str, equation: str) -> float | None:
    """The worst relative error of the paper's own clean coefficients; Lotka-Volterra has 3 digits there."""
    if system != "lorenz":
        return None
    number = ("x'", "y'", "z'").index(equation)
    truth = ((-10.0, 10.0), (28.0, -1.0, -1.0), (-8.0 / 3.0, 1.0))[number]
    return float(np.max(np.abs(np.divide(PAPER[0.0][number], truth) - 1.0)))
