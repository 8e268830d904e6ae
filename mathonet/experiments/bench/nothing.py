"""The benchmark of data without a law: what is found must never be called exact or good."""

import time
import warnings
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import numpy as np
import pandas as pd

from mathonet.errors import ConfigError
from mathonet.experiments.bench.runs import Records, Say, Task, perform, recorded
from mathonet.experiments.bench.table import command_line, write_tables
from mathonet.result.trust import TRUSTED, Level

METHOD = "ours"
SAMPLES, STEP = 250, 0.1
SHARES = (0.0, 0.01, 0.05, 0.2)
"""Noise that steps may have."""


def spikes(rng: np.random.Generator) -> np.ndarray:
    """A train of spikes of height 1, in 2 to 20 % of the samples."""
    found = rng.random(SAMPLES) < rng.uniform(0.02, 0.2)
    # One at least, for a constant column is another thing.
    found[rng.integers(SAMPLES)] = True
    return found.astype(float)


def one_step(rng: np.random.Generator) -> np.ndarray:
    """One step from 0 to 1, without noise or with 1, 5 or 20 % of it."""
    at = rng.integers(SAMPLES // 5, SAMPLES - SAMPLES // 5)
    return (np.arange(SAMPLES) >= at) + rng.choice(SHARES) * rng.normal(size=SAMPLES)


def many_steps(rng: np.random.Generator) -> np.ndarray:
    """Five to twenty levels at random, without noise or with 1, 5 or 20 % of it."""
    count = int(rng.integers(5, 21))
    ends = np.sort(rng.choice(np.arange(1, SAMPLES), count - 1, replace=False))
    levels = rng.normal(size=count)[np.searchsorted(ends, np.arange(SAMPLES), side="right")]
    return levels + rng.choice(SHARES) * rng.normal(size=SAMPLES)


def white_noise(rng: np.random.Generator) -> np.ndarray:
    """Normal numbers."""
    return rng.normal(size=SAMPLES)


def poisson_noise(rng: np.random.Generator) -> np.ndarray:
    """Counts with a mean of 0.5 to 20."""
    return rng.poisson(rng.uniform(0.5, 20.0), SAMPLES).astype(float)


def random_walk(rng: np.random.Generator) -> np.ndarray:
    """Sums of normal numbers."""
    return rng.normal(size=SAMPLES).cumsum()


FAMILIES: dict[str, Callable[[np.random.Generator], np.ndarray]] = {
    "spikes": spikes,
    "one-step": one_step,
    "many-steps": many_steps,
    "white-noise": white_noise,
    "poisson-noise": poisson_noise,
    "random-walk": random_walk,
}


@dataclass(frozen=True)
class Case:
    """Columns of one family, each drawn by itself: no equation of them is true."""

    family: str
    states: int

    @property
    def name(self) -> str:
        """As on the command line."""
        return f"{self.family}-{self.states}"

    def data(self, seed: int) -> tuple[np.ndarray, np.ndarray]:
        """States and times."""
        rng = np.random.default_rng([zlib.crc32(self.name.encode()), seed])
        columns = [FAMILIES[self.family](rng) for _ in range(self.states)]
        return np.stack(columns, axis=1), STEP * np.arange(SAMPLES)


def all_cases() -> list[Case]:
    """Every family with one and with two states."""
    return [Case(family, states) for family in FAMILIES for states in (1, 2)]


def choose(wanted: Sequence[str] | None) -> list[Case]:
    """The cases that are wanted, by name or family.

    Raises:
        ConfigError: a name fits nothing.
    """
    every = all_cases()
    for name in wanted or ():
        if not any(name in (case.name, case.family) for case in every):
            raise ConfigError(
                f"No case is called {name!r}. The cases are {', '.join(case.name for case in every)}; "
                f"families: {', '.join(FAMILIES)}."
            )
    return [case for case in every if not wanted or case.name in wanted or case.family in wanted]


def run(
    folder: str | Path, seeds: range, say: Say, cases: Sequence[str] | None = None, jobs: int = 1
) -> Path:
    """Make the runs that are not recorded yet, and write `nothing.md` from all that are.

    Raises:
        ConfigError: an unknown case, or no number of processes.
    """
    wanted = choose(cases)
    if jobs < 1:
        raise ConfigError(f"--jobs must be a whole number of at least 1, got {jobs}.")
    records = Records(Path(folder), "nothing", [METHOD])
    tasks = [Task(METHOD, case, seed) for seed in seeds for case in wanted]
    perform(tasks, records, jobs, say, work, _words)
    return write_tables(folder, "nothing", command_line(), tables(records))


def work(task: Task) -> dict:
    """Make one run and return its record."""
    case = task.case
    assert isinstance(case, Case)
    return recorded(task, lambda task: answer(case, task.seed))


def answer(case: Case, seed: int, **options) -> dict:
    """What a user would get by default: levels, words and equations; the seed is also that of the search."""
    from mathonet.estimators.discoverer import Discoverer

    x, t = case.data(seed)
    began = time.perf_counter()
    with warnings.catch_warnings(action="ignore"):
        found = Discoverer(seed=seed, **options).fit(x, t).discovery_
    return {
        "trust": [trust.level for trust in found.trust],
        "explained": [round(trust.explained, 4) for trust in found.trust],
        "words": ["; ".join(trust.words) for trust in found.trust],
        "equations": [each.text() for each in found.system.equations],
        "seconds": time.perf_counter() - began,
    }


def _words(record: dict) -> str:
    result = record.get("failed") or ", ".join(record["trust"])
    return f"{record['case']} seed {record['seed']}: {result}, {record['seconds']:.1f} s"


def tables(records: Records) -> dict[str, pd.DataFrame]:
    """One line a case with the levels of its equations, those that are trusted, and whence the records."""
    found = [(case, records.of(METHOD, case)) for case in all_cases()]
    lines = [_line(case, runs) for case, runs in found if runs]
    trusted = [
        {"case": case.name, "seed": run["seed"], "level": level, "equation": equation, "words": words}
        for case, runs in found
        for run in runs
        if "failed" not in run
        for level, equation, words in zip(run["trust"], run["equations"], run["words"], strict=True)
        if level in TRUSTED
    ]
    origins = Counter(record["commit"] for record in records.found.values())
    commits = [{"commit": commit, "runs": count} for commit, count in sorted(origins.items())]
    return {
        "levels: equations of every level": pd.DataFrame(lines),
        "trusted: equations called exact or good": pd.DataFrame(
            trusted, columns=["case", "seed", "level", "equation", "words"]
        ),
        "records: runs by commit": pd.DataFrame(commits, columns=["commit", "runs"]),
    }


def _line(case: Case, runs: Sequence[dict]) -> dict:
    made = [run for run in runs if "failed" not in run]
    levels = Counter(level for run in made for level in run["trust"])
    return {
        "case": case.name,
        "runs": len(runs),
        "equations": sum(levels.values()),
        **{level: levels[level] for level in get_args(Level)},
        "refused or failed": len(runs) - len(made),
        "seconds (median)": float(np.median([run["seconds"] for run in runs])),
    }
