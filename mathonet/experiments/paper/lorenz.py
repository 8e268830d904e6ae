"""The paper's clean Lorenz system: equations, and what every cycle of the search left standing."""

from functools import partial

import numpy as np
import pandas as pd

from mathonet import Trajectory, discover, systems
from mathonet.data.trajectories import as_samples
from mathonet.experiments.paper.figures import Draw, search_figures
from mathonet.experiments.paper.noise import PAPER
from mathonet.experiments.paper.results import Part, Result, Say, recovered
from mathonet.experiments.truth import truths
from mathonet.report import draw_attractors
from mathonet.result.discover import Discovery
from mathonet.result.history import best_run, cycle_models, start_terms, weight_table

CYCLES = {"x": 7, "y": 9, "z": 6}
"""Cycles after which the paper has the true structure."""
LASSO = {"x": 267, "y": 395, "z": 651}
"""Terms of the paper's sparse group Lasso, its first cycle; it starts from 1551."""
START = 1551
DURATION, STEPS = 20.0, 4001
CLOSE = 1.0
PANELS = 7
"""Cycles shown in the figure of attractors, beside the refitted equations and the truth."""

NOTES = (
    "Coefficients succeed if they agree with the truth to ten digits and no other term stands.",
    "Terms are counted as the paper counts: after sines and cosines of sums are expanded by the addition "
    "theorems (`mathonet.equation.expansion`). The whole network then has 3 x 2^9 products of sines and "
    "cosines, 9 monomials, 3 logarithms and 3 exponentials, which is the paper's 1551; its constant, which "
    "the bias and the logarithms make, is one more. The tables of cycles give the plain count as well: each "
    "product of inputs and operations once.",
)


def lorenz(seeds: int, say: Say) -> Part:
    """Equations over the seeds; cycles, weights and attractors of the first seed."""
    system = systems.get("lorenz")
    data = system.simulate()
    samples = as_samples([data])
    found: list[Discovery] = []
    for seed in range(seeds):
        found.append(discover(samples, operations=system.operations, hidden=system.hidden, seed=seed))
        say(f"lorenz, seed {seed + 1} of {seeds}: {found[-1].seconds:.1f} s")
    results: list[Result] = []
    tables: dict[str, pd.DataFrame] = {}
    files: dict[str, pd.DataFrame] = {}
    figures: dict[str, Draw] = {}
    for target, (name, truth) in enumerate(zip(data.names, truths(system.name), strict=True)):
        results += recovered(found, target, truth, PAPER[0.0][target], "")
        results += _search(found, target, name, len(truth.terms))
        tables[f"cycles of {name}'"] = cycles_table(found[0], name)
        figures |= search_figures(found[0], name, f"-{name}")
        run = best_run(found[0].sweeps["given"], target)
        files[f"weights of {name}'"] = weight_table(found[0].sweeps["given"], run, data.names)
    models = cycle_models(found[0].sweeps["given"], samples)[: _longest(found[0], data.names)]
    truth = system.simulate(t=np.linspace(0.0, DURATION, STEPS))
    paths = [model.simulate(truth.x[0], truth.t) for model in models]
    refitted = found[0].system.simulate(truth.x[0], truth.t)
    tables["attractors"] = attractors_table(paths, refitted, truth)
    shown = np.unique(np.linspace(0, len(models) - 1, min(len(models), PANELS)).astype(int))
    titles = [*(f"cycle {cycle + 1}" for cycle in shown), "refitted"]
    drawn = [*(paths[cycle] for cycle in shown), refitted]
    figures["attractors"] = partial(draw_attractors, drawn, titles, truth.x, t=truth.t, names=data.names)
    say(f"lorenz: {sum(r.success == seeds for r in results)} of {len(results)} numbers in all seeds")
    return Part(results, tables, files, figures, NOTES)


def _search(found: list[Discovery], target: int, name: str, terms: int) -> list[Result]:
    """Terms at the start, after the Lasso and at the end, and the cycles it took: medians over the seeds."""
    histories = [cycles_table(each, name) for each in found]
    whole = start_terms(found[0].sweeps["given"].architecture)[1]
    # The constant is not counted at the start: the paper's 1551 has none.
    start = None if whole is None else float(whole - 1)
    lasso = [int(table["expanded"].iloc[0]) for table in histories]
    ends = [int(table["expanded"].iloc[-1]) for table in histories]
    # The first cycle with as many terms as the truth has, where there is one.
    reached = [np.flatnonzero(table["terms"].to_numpy() == terms) for table in histories]
    first = [int(rows[0]) + 1 for rows in reached if len(rows)]
    count = len(found)
    return [
        Result(f"{name}': terms at the start", None, START, start, None, count, count * (start == START)),
        Result(
            f"{name}': terms after the sparse group Lasso",
            terms,
            LASSO[name],
            float(np.median(lasso)),
            None,
            count,
            lasso.count(terms),
        ),
        Result(
            f"{name}': terms at the end", terms, terms, float(np.median(ends)), None, count, ends.count(terms)
        ),
        Result(
            f"{name}': cycles to the true terms",
            None,
            CYCLES[name],
            float(np.median(first)) if first else None,
            None,
            count,
            len(first),
        ),
    ]


def cycles_table(found: Discovery, name: str) -> pd.DataFrame:
    """The history of a target's best run up to the cycle after which nothing changed."""
    table = found.history(name)
    same = (table["validation"] == table["validation"].iloc[-1]) & (
        table["weights"] == table["weights"].iloc[-1]
    )
    return table.iloc[: int(np.argmax(same)) + 1]


def _longest(found: Discovery, names: tuple[str, ...]) -> int:
    return max(len(cycles_table(found, name)) for name in names)


def attractors_table(paths: list[np.ndarray], refitted: np.ndarray, truth: Trajectory) -> pd.DataFrame:
    """How long each cycle's model, and the refitted equations, stay near the true path, and their spread."""
    rows = [_compare(cycle + 1, path, truth) for cycle, path in enumerate(paths)]
    return pd.DataFrame([*rows, _compare("refitted", refitted, truth), _compare("truth", truth.x, truth)])


def _compare(cycle: int | str, x: np.ndarray, truth: Trajectory) -> dict[str, object]:
    away = np.linalg.norm(x - truth.x[: len(x)], axis=1) > CLOSE
    row: dict[str, object] = {
        "cycle": cycle,
        "simulated to t": float(truth.t[len(x) - 1]),
        f"within {CLOSE:g} of the truth to t": float(
            truth.t[int(np.argmax(away)) if away.any() else len(x) - 1]
        ),
    }
    for name, column in zip(truth.names, x.T, strict=True):
        row |= {f"mean {name}": float(column.mean()), f"deviation {name}": float(column.std())}
    return row
