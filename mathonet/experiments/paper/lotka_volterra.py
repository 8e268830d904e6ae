"""The paper's Lotka-Volterra system: one network with two outputs, as there, and one network an equation."""

from functools import partial

import numpy as np
import pandas as pd

from mathonet import Samples, Trajectory, discover, systems
from mathonet.data.trajectories import as_samples
from mathonet.experiments.paper.figures import Draw, search_figures
from mathonet.experiments.paper.lorenz import cycles_table
from mathonet.experiments.paper.results import Part, Result, Say, recovered
from mathonet.experiments.truth import truths
from mathonet.report import draw_phase, draw_prediction
from mathonet.result.discover import Discovery
from mathonet.result.history import best_run, start_terms, weight_table

PAPER = ((1.300, -0.900), (-1.800, 0.800))
"""The paper's coefficients, in our order: x, x y in x'; y, x y in y'."""
START, LASSO, END = 140, 108, 4
"""The paper's terms of both equations: at the start, after its first cycle (the Lasso), at the end."""
TEST = 0.1
KINDS = {"one network": True, "a network an equation": False}

NOTES = (
    "Learned from 270 of the 300 samples; the other 30 are the test. Coefficients succeed if they agree with "
    "the truth to ten digits and no other term stands.",
    "Terms are counted as the paper counts, after sines and cosines of sums are expanded: for each of two "
    "outputs 2 x 2^5 products of sines and cosines, 5 monomials and the constant.",
)


def lotka_volterra(seeds: int, say: Say) -> Part:
    """Both kinds of network over the seeds; cycles of the first seed; simulation against the data."""
    system = systems.get("lotka-volterra")
    data = system.simulate()
    samples = as_samples([data])
    results: list[Result] = []
    tables: dict[str, pd.DataFrame] = {}
    files: dict[str, pd.DataFrame] = {}
    figures: dict[str, Draw] = {"data": partial(draw_prediction, data.t, data.x, names=data.names)}
    checks = []
    for kind, joint in KINDS.items():
        options = {"operations": system.operations, "hidden": system.hidden, "joint": joint}
        found: list[Discovery] = []
        for seed in range(seeds):
            training, test = samples.split(TEST, seed)
            found.append(discover(training, seed=seed, **options))
            checks.append({"network": kind, "seed": seed, **_check(found[-1], test, data)})
            say(f"lotka-volterra, {kind}, seed {seed + 1} of {seeds}: {found[-1].seconds:.1f} s")
        for target, (name, truth) in enumerate(zip(data.names, truths(system.name), strict=True)):
            results += recovered(found, target, truth, PAPER[target], f"{kind}, ")
            tables[f"cycles of {name}' by {kind}"] = cycles_table(found[0], name)
        results += _search(found, kind)
        if joint:
            # One network: its weights and errors are those of both equations, only what they spell differs.
            figures |= search_figures(found[0], data.names[0])
            figures["weights-y"] = search_figures(found[0], data.names[1])["weights"]
            figures |= _simulated(found[0], data, samples)
        sweep = found[0].sweeps["given"]
        for run in dict.fromkeys(best_run(sweep, target) for target in np.unique(sweep.target)):
            label = "both" if joint else f"{data.names[sweep.target[run]]}'"
            files[f"weights of {label} by {kind}"] = weight_table(sweep, run, data.names)
    tables["test and simulation"] = pd.DataFrame(checks)
    return Part(results, tables, files, figures, NOTES)


def _simulated(found: Discovery, data: Trajectory, samples: Samples) -> dict[str, Draw]:
    """Phase plot and simulation of the first seed's equations, with the samples of its test hollow."""
    test = samples.split(TEST, 0)[1]
    held = (data.x[:, None, :] == test.inputs[None, :, :]).all(axis=2).any(axis=1)
    t = np.linspace(data.t[0], data.t[-1], 5 * len(data.t))
    x = found.system.simulate(data.x[0], t)
    return {
        "phase": partial(draw_phase, data.x, x, data.names, held_out=held),
        "prediction": partial(draw_prediction, data.t, data.x, x, data.names, held, simulated_t=t),
    }


def _search(found: list[Discovery], kind: str) -> list[Result]:
    """Terms of both equations at the start, after the Lasso and at the end: medians over the seeds."""
    names = found[0].samples.target_names
    architecture = found[0].sweeps["given"].architecture
    whole = [start_terms(architecture, m if architecture.outputs > 1 else 0)[1] for m in range(len(names))]
    histories = [[each.history(name)["expanded"] for name in names] for each in found]
    lasso = [sum(int(table.iloc[0]) for table in tables) for tables in histories]
    end = [sum(int(table.iloc[-1]) for table in tables) for tables in histories]
    count = len(found)
    start = float(sum(number or np.nan for number in whole))
    return [
        Result(f"{kind}, terms at the start", None, START, start, None, count, count * (start == START)),
        Result(
            f"{kind}, terms after the sparse group Lasso",
            END,
            LASSO,
            float(np.median(lasso)),
            None,
            count,
            lasso.count(END),
        ),
        Result(f"{kind}, terms at the end", END, END, float(np.median(end)), None, count, end.count(END)),
    ]


def _check(found: Discovery, test: Samples, data: Trajectory) -> dict[str, float]:
    """Largest errors: of derivatives on the test samples, and of the simulation from the first state."""
    residuals = found.system.predict(test.inputs) - test.targets
    simulated = found.system.simulate(data.x[0], data.t)
    return {
        "worst error on the test": float(np.abs(residuals).max()),
        "worst error of the simulation": float(np.abs(simulated - data.x).max()),
    }
