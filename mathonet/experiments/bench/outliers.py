"""The outliers benchmark: are equations and noise kept, and rows named, where some values are far off?"""

import fnmatch
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from mathonet.errors import ConfigError
from mathonet.experiments.bench import runs
from mathonet.experiments.bench.outliers_cases import COUNTS, NOISES, Spoilt, all_spoilt
from mathonet.experiments.bench.runs import Say, Task
from mathonet.experiments.bench.states.cases import compared
from mathonet.experiments.bench.table import command_line, write_tables

METHOD = "ours"
KEPT = 0.2
"""Noise counts as kept up to this part of that without outliers."""
CLEAN = 1e-6
"""Share of a state's size up to which noise counts as none."""


def run(
    folder: str | Path, seeds: range, say: Say, cases: Sequence[str] | None = None, jobs: int = 1
) -> Path:
    """Make the runs that are not recorded yet, and write `outliers.md` from all that are.

    Raises:
        ConfigError: an unknown case, or no number of processes.
    """
    wanted = choose(cases)
    if jobs < 1:
        raise ConfigError(f"--jobs must be a whole number of at least 1, got {jobs}.")
    Path(folder).mkdir(parents=True, exist_ok=True)
    records = runs.Records(Path(folder), "outliers", (METHOD,))
    tasks = [Task(METHOD, case, seed) for seed in seeds for case in wanted]
    runs.perform(tasks, records, jobs, say, work, _words)
    return write_tables(folder, "outliers", command_line(), tables(records))


def choose(wanted: Sequence[str] | None) -> list[Spoilt]:
    """The cases whose names fit one of some patterns, such as `lv-*`; all without any.

    Raises:
        ConfigError: a name fits nothing.
    """
    every = all_spoilt()
    for name in wanted or ():
        if not fnmatch.filter([case.name for case in every], name):
            raise ConfigError(
                f"No case is called {name!r}. The cases are {', '.join(case.name for case in every)}."
            )
    return [case for case in every if not wanted or any(fnmatch.fnmatch(case.name, name) for name in wanted)]


def work(task: Task) -> dict:
    """Make one run and return its record."""
    return runs.recorded(task, _answer)


def _answer(task: Task) -> dict:
    assert isinstance(task.case, Spoilt)
    return answer(task.case, task.seed)


def answer(case: Spoilt, seed: int) -> dict:
    """What `Discoverer` says: equations, noise as shares of the states' sizes, and the outliers it names."""
    from mathonet.experiments.bench.states.ours import discovered

    data, wrong = case.data(seed)
    began = time.perf_counter()
    found = discovered(case.base, [data], seed)
    seconds = time.perf_counter() - began
    assert found.measured is not None
    clean = case.base.data(seed)[0].x
    places = {(row, state) for row, state, _ in wrong}
    named = {(each.row, each.name) for each in found.measured.outliers}
    return {
        **compared([each.expression for each in found.system.equations], case.base.truth()),
        "trust": [trust.level for trust in found.trust],
        "equations": [each.text() for each in found.system.equations],
        "noise": (found.measured.noise / np.sqrt(np.mean(clean**2, axis=0))).tolist(),
        "outliers": [list(each) for each in wrong],
        "named": len(places & named),
        "false": len(named - places),
        "missed": sorted(size for row, state, size in wrong if (row, state) not in named),
        "seconds": seconds,
    }


def tables(records: runs.Records) -> dict[str, pd.DataFrame]:
    """One table of all systems together, and one a noise."""
    every, parts, sums = all_spoilt(), {}, []
    for noise in NOISES:
        cases = [case for case in every if case.base.noise == noise and records.of(METHOD, case)]
        name = f"{noise:.0%} noise" if noise else "clean"
        if cases:
            rows = [{"case": case.name, **_summary(_pairs(records, case))} for case in cases]
            parts[f"{name}: by system and number of outliers in 200 rows"] = pd.DataFrame(rows)
        for count in COUNTS:
            pairs = [pair for case in cases if case.count == count for pair in _pairs(records, case)]
            if pairs:
                sums.append({"noise": name, "in 200 rows": count, **_summary(pairs)})
    return {"all: seven systems together": pd.DataFrame(sums), **parts}


def _pairs(records: runs.Records, case: Spoilt) -> list[tuple[dict, dict | None]]:
    """Records of a case, each with that of the same data without outliers."""
    plain = replace(case, name=f"{case.base.name}-0", count=0)
    without = {record["seed"]: record for record in records.of(METHOD, plain)}
    return [(record, without.get(record["seed"])) for record in records.of(METHOD, case)]


def _summary(pairs: Sequence[tuple[dict, dict | None]]) -> dict:
    """Counts over some runs, and what runs on the same data without outliers gave."""
    found = [own for own, _ in pairs]
    made = [(own, plain) for own, plain in pairs if "failed" not in own and plain and "failed" not in plain]
    changes = [_change(own["noise"], plain["noise"]) for own, plain in made]
    missed = [size for own in found for size in own.get("missed", [])]
    return {
        "runs": len(found),
        "true equations": sum(own["exact"] for own in found),
        "without outliers": sum(plain["exact"] for _, plain in pairs if plain),
        "noise kept": sum(change <= KEPT for change in changes),
        "largest change of noise": max(changes, default=np.nan),
        "outliers": sum(len(own.get("outliers", [])) for own in found),
        "named": sum(own.get("named", 0) for own in found),
        "missed": len(missed),
        "largest missed": max(missed, default=np.nan),
        "named falsely": sum(own.get("false", 0) for own in found),
        "wrong but called good": sum(
            not right and level in ("exact", "good")
            for own in found
            for right, level in zip(own.get("right", []), own.get("trust", []), strict=True)
        ),
        "failed": sum("failed" in own for own in found),
        "seconds (median)": float(np.median([own["seconds"] for own in found])),
    }


def _change(noise: Sequence[float], plain: Sequence[float]) -> float:
    """Largest relative change of any state's noise; none where both are none."""
    floor = [max(own, CLEAN) / max(other, CLEAN) for own, other in zip(noise, plain, strict=True)]
    return max(max(ratio, 1.0 / ratio) - 1.0 for ratio in floor)


def _words(record: dict) -> str:
    result = record.get("failed") or ("true equations" if record["exact"] else "other equations")
    named = (
        f", {record['named']} of {len(record['outliers'])} named, {record['false']} falsely"
        if "named" in record
        else ""
    )
    return f"{record['case']} seed {record['seed']}: {result}{named}, {record['seconds']:.1f} s"
