"""The ladder benchmark: every built-in system by the default settings, nothing told about its form."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from mathonet import systems
from mathonet.data.trajectories import as_samples
from mathonet.experiments.bench.table import command_line, write_tables
from mathonet.experiments.truth import compare, truths
from mathonet.result.discover import Discovery, discover

NOISES = (0.0, 0.01, 0.05)
Say = Callable[[str], None]


def run(folder: str | Path, seeds: range, say: Say) -> Path:
    """Discover every system at every noise level and write `ladder.md`."""
    parts = {
        f"noise {noise:g}: share of each derivative's deviation": table(noise, seeds, say) for noise in NOISES
    }
    return write_tables(folder, "ladder", command_line(), parts)


def table(noise: float, seeds: range, say: Say) -> pd.DataFrame:
    """One row an equation: how often it was found, how often it was trusted though wrong, and how long."""
    rows = []
    for system in systems.all_systems():
        found = [_discover(system.name, noise, seed) for seed in seeds]
        for target, truth in enumerate(truths(system.name)):
            pairs = [compare(each.system.equations[target].expression, truth) for each in found]
            levels = [each.trust[target].level for each in found]
            wrong = [level for level, (ok, _) in zip(levels, pairs, strict=True) if not ok]
            errors = [error for ok, error in pairs if ok]
            rows.append(
                {
                    "system": system.name,
                    "equation": system.states[target] + "'",
                    "seeds": len(seeds),
                    "exactly the true terms": len(errors),
                    "worst coefficient error": max(errors, default=np.nan),
                    "wrong but called good": sum(level in ("exact", "good") for level in wrong),
                    "example": found[0].system.equations[target].text(4),
                    "seconds (median)": float(np.median([each.seconds for each in found])),
                }
            )
            say(f"ladder {noise:g}: {rows[-1]}")
    return pd.DataFrame(rows)


def _discover(name: str, noise: float, seed: int) -> Discovery:
    data = systems.get(name).simulate(derivative_noise=noise, seed=seed)
    return discover(as_samples([data]), seed=seed)
