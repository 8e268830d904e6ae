"""Complete restarts a second: the paper's network on the Lorenz z', on whatever processor JAX has."""

import time
from collections.abc import Callable

import jax
import numpy as np
import pandas as pd

from mathonet import systems
from mathonet.data.trajectories import as_samples
from mathonet.equation.reading import unscale
from mathonet.experiments.truth import compare, truths
from mathonet.network.mathonet import Architecture
from mathonet.operations import resolve
from mathonet.precision import double_precision
from mathonet.search.proposers.given_network import readings
from mathonet.search.proposers.sweep import make_problem, sweep
from mathonet.search.samples.regression import Regression
from mathonet.search.samples.rewrites import simplify

TARGET = 2
READ = 200
"""Runs of the last sweep that are read, cleaned and compared: that takes longer than to learn them."""


def restarts_of(backend: str) -> int:
    """How many restarts a sweep has."""
    return 200 if backend == "cpu" else 131_072


@double_precision
def restarts(say: Callable[[str], None], count: int | None = None, repeats: int = 3) -> pd.DataFrame:
    """Sweeps of one target, the first of which compiles; and how many runs reach the exact form alone.

    Args:
        say: is told of every sweep.
        count: restarts of a sweep; None for what suits the processor.
        repeats: sweeps after the first.
    """
    backend = jax.default_backend()
    count = count or restarts_of(backend)
    system = systems.get("lorenz")
    samples = as_samples([system.simulate()])
    operations = resolve(system.operations)
    assert system.hidden is not None
    architecture = Architecture(samples.inputs.shape[1], tuple(system.hidden), operations)
    problem = make_problem(samples, samples.scaling)
    seconds = []
    for seed in range(repeats + 1):
        began = time.perf_counter()
        runs = sweep(architecture, problem, problem, restarts=count, seed=seed, targets=[TARGET])
        # Runs are complete once their last cycle, of which forms are read, has been fetched.
        least = float(np.sqrt(2.0 * np.nanmin(runs.history[-1].energy)))
        seconds.append(time.perf_counter() - began)
        cycles = len(runs.history)
        say(
            f"restarts on {backend}: {count} in {seconds[-1]:.2f} s, {cycles} cycles, least error {least:.1e}"
        )

    truth = truths("lorenz")[TARGET]
    refitter = Regression(problem.column(TARGET), operations, 1e-12, len(operations))
    hits = read = 0
    for form, _ in readings(runs, TARGET, 0):
        cleaned = unscale(simplify(form, refitter).expression, samples.scaling, TARGET)
        hits, read = hits + (compare(cleaned, truth)[1] <= 1e-8), read + 1
        if read == READ:
            break
    later = sorted(seconds[1:])[repeats // 2]
    row = {
        "processor": f"{backend}: {jax.devices()[0].device_kind}",
        "restarts": count,
        "seconds, first": seconds[0],
        "seconds, later (median)": later,
        "restarts a second": count / later,
        "exact form alone": f"{hits} of {read}",
    }
    say(f"restarts: {row}")
    return pd.DataFrame([row])
