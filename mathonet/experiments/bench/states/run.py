"""The states benchmark: from noisy states alone to the true equations, PySINDy on the same data beside it."""

import importlib.util
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from mathonet.errors import ConfigError
from mathonet.experiments.bench.states.cases import GROUPS, Case, all_cases, choose
from mathonet.experiments.bench.states.runs import METHODS, Records, Say, perform, tasks
from mathonet.experiments.bench.states.timing import NOISE, SIZES, STEP
from mathonet.experiments.bench.table import command_line, write_tables

TITLES = {
    "lorenz": "lorenz: states only, dt = 0.01",
    "six": "six: six systems, 400 points",
    "half": "half: the same with half of the points dropped at random",
    "two": "two: the same from two trajectories of different grids",
    "special": "special: a known input, positions alone, a known term",
    "clean": "clean: no noise; the seeds are those of the search",
    "coarse": "coarse: no noise, but rtol 1e-6, float32 numbers, or six printed digits",
}
GOOD = ("exact", "good")


def run(
    folder: str | Path,
    seeds: range,
    say: Say,
    cases: Sequence[str] | None = None,
    peers: bool = True,
    jobs: int = 1,
) -> Path:
    """Make the runs that are not recorded yet, and write `states.md` from all that are.

    Raises:
        ConfigError: an unknown case, no number of processes, or PySINDy is not installed.
    """
    wanted, timed = choose(cases, tuple(SIZES))
    if jobs < 1:
        raise ConfigError(f"--jobs must be a whole number of at least 1, got {jobs}.")
    if peers and wanted and importlib.util.find_spec("pysindy") is None:
        raise ConfigError(
            "PySINDy is not installed: pip install 'mathonet[bench]', or leave the peers out by --no-peers."
        )
    records = Records(Path(folder))
    perform(tasks(wanted, timed, seeds, peers), records, jobs, say)
    return write_tables(folder, "states", command_line(), tables(records))


def tables(records: Records) -> dict[str, pd.DataFrame]:
    """One table a group of cases that has records, one of times, and one of where the records come from."""
    parts = {}
    for group in GROUPS:
        cases = [case for case in all_cases() if case.group == group]
        rows = [row(case, records) for case in cases if any(records.of(method, case) for method in METHODS)]
        if rows:
            parts[TITLES[group]] = pd.DataFrame(rows)
    timed = [_timing(name, records) for name in SIZES if records.of("ours", name)]
    if timed:
        parts[f"timing: Lorenz, dt = {STEP:g}, {NOISE:.0%} noise, one process each"] = pd.DataFrame(timed)
    origins = Counter((record["method"], record["commit"]) for record in records.found.values())
    parts["records: runs by commit"] = pd.DataFrame(
        [{"method": method, "commit": commit, "runs": n} for (method, commit), n in sorted(origins.items())],
        columns=["method", "commit", "runs"],
    )
    return parts


def row(case: Case, records: Records) -> dict:
    """What is known of a case: its data, our runs, and the peer's."""
    ours, peer = (records.of(method, case) for method in METHODS)
    line: dict = {"case": case.name, **case.described(), "noise": f"{case.noise:.0%}"}
    line |= {"wanted of 50": "" if case.wanted is None else str(case.wanted), **_summary("", ours)}
    if case.group == "clean":
        line["within 1e-6"] = sum(record["exact"] and max(record["errors"]) <= 1e-6 for record in ours)
    line["called exact or good"] = sum(map(trusted, ours))
    line["wrong but called good"] = sum(map(wrongly_trusted, ours))
    line["failed"] = sum("failed" in record for record in ours)
    line |= _summary("PySINDy ", peer)
    line["PySINDy, any setting exact"] = _text(sum(record.get("oracle", False) for record in peer), peer)
    return line


def trusted(record: dict) -> bool:
    """Whether every equation was called good or exact."""
    levels = record.get("trust", [])
    return bool(levels) and all(level in GOOD for level in levels)


def wrongly_trusted(record: dict) -> bool:
    """Whether a wrong equation was called good or exact."""
    pairs = zip(record.get("right", []), record.get("trust", []), strict=True)
    return any(not right and level in GOOD for right, level in pairs)


def _summary(label: str, runs: list[dict]) -> dict:
    errors = [record["errors"] for record in runs if record["exact"]]
    each, worst = np.concatenate([*errors, []]), [max(of_run) for of_run in errors]
    return {
        f"{label}exact": _text(len(errors), runs),
        f"{label}median error": _median(each),
        f"{label}worst of a run, median": _median(worst),
        f"{label}worst error": max(worst, default=np.nan),
        f"{label}seconds (median)": _median([record["seconds"] for record in runs]),
    }


def _median(values: Sequence[float] | np.ndarray) -> float:
    return float(np.median(values)) if len(values) else np.nan


def _text(count: int, runs: list[dict]) -> str:
    return f"{count} of {len(runs)}" if runs else ""


def _timing(name: str, records: Records) -> dict:
    runs = records.of("ours", name)
    made = [record for record in runs if "failed" not in record]
    return {
        "points": SIZES[name],
        "processes": len(runs),
        "exact": _text(sum(record["exact"] for record in runs), runs),
        "cold seconds (worst)": max((record["cold"] for record in made), default=np.nan),
        "warm seconds (worst)": max((record["seconds"] for record in made), default=np.nan),
        "peak GiB (worst)": max((record["gibibytes"] for record in made), default=np.nan),
        "failed": len(runs) - len(made),
    }
