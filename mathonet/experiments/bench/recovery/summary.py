"""Lines of the tables of a recovery benchmark: what records say of a method, by condition and by system."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from mathonet.experiments.bench.recovery.cases import Dynamics
from mathonet.experiments.bench.recovery.methods import METHODS, OURS

COUNTED = ("exact", "same_function", "reconstruction", "generalisation")


def summary(groups: dict[tuple, list[dict]]) -> pd.DataFrame:
    """One line a method and condition: how many systems score, and equations, the mean over the seeds.

    Seconds are the median over the warm runs, over all where none is warm. `called_exact_wrong` is a number
    of equations over all runs.
    """
    lines = []
    for (group, points, sigma, rho, derivatives), members in sorted(groups.items()):
        for method in METHODS:
            runs = [record for record in members if record["method"] == method]
            seeds = {record["seed"] for record in runs}
            if not runs:
                continue
            line = {"method": method + ("-derivatives" if derivatives else ""), "grid": points}
            line |= {"sigma": sigma, "rho": rho, "seeds": len(seeds)}
            line |= {name: sum(bool(r.get(name)) for r in runs) / len(seeds) for name in COUNTED}
            line |= {"median_seconds": float(np.median(_seconds(runs))), "set": group}
            line |= {"systems": len({record["case"] for record in runs}), "runs": len(runs)}
            line["worst_seconds"] = max(_seconds(runs))
            line["total_seconds"] = sum(record["seconds"] for record in runs)
            line["exact_or_tied"] = sum(r.get("exact_or_tied", r["exact"]) for r in runs) / len(seeds)
            line["tied"] = sum(bool(record.get("tied")) for record in runs) / len(seeds)
            line["failed"] = sum("failed" in record for record in runs)
            line["exact_equations"] = _total(runs, _right) / len(seeds)
            line["called_exact_wrong"] = _total(runs, called_exact_wrong)
            lines.append(line)
    return pd.DataFrame(lines)


def _total(runs: Sequence[dict], count: Callable[[dict], int | None]) -> float:
    """Equations over all runs; missing where one of the records does not tell."""
    counts = [count(record) for record in runs]
    return float(np.nan if None in counts else sum(each for each in counts if each is not None))


def _right(record: dict) -> int | None:
    """The number of equations with the true form."""
    if "failed" in record or not record["equations"]:
        return 0
    return sum(record["right"]) if "right" in record else None


def called_exact_wrong(record: dict) -> int | None:
    """The number of equations that are called exact and have another form than the true one."""
    if "failed" in record:
        return 0
    right, levels = record.get("right"), record.get("trust")
    if right is None or levels is None:
        return None
    # States without an equation have a score, but no level of trust.
    answered = record.get("answered", [True] * len(right))
    judged = [one for one, there in zip(right, answered, strict=True) if there]
    if len(judged) != len(levels):
        return None
    return sum(level == "exact" and not one for one, level in zip(judged, levels, strict=True))


def _seconds(runs: Sequence[dict]) -> list[float]:
    warm = [record["seconds"] for record in runs if not record.get("cold")]
    return warm or [record["seconds"] for record in runs]


def line_of(system: Dynamics, runs: list[dict]) -> dict:
    """A system in a table: how often it scores, the errors of its constants, and an answer."""
    line: dict = {}
    for method in METHODS:
        own = sorted((r for r in runs if r["method"] == method), key=lambda record: record["seed"])
        if not own:
            continue
        label = "" if method == "ours" else f"{method} "
        line |= {"system": system.name, "title": system.title}
        for name in COUNTED:
            line[f"{label}{name}"] = f"{sum(bool(r.get(name)) for r in own)} of {len(own)}"
        errors = [error for record in own if record["exact"] for error in record["errors"]]
        line[f"{label}median error"] = float(np.median(errors)) if errors else np.nan
        line[f"{label}seconds"] = float(np.median(_seconds(own)))
        if method in OURS:
            line[f"{label}trust"] = " ".join(own[0].get("trust", ["failed"]))
            line[f"{label}tied"] = sum(bool(record.get("tied")) for record in own)
        line[f"{label}first answer"] = own[0].get("failed") or "; ".join(own[0]["equations"])
    return line
