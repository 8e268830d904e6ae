"""Recovery benchmarks: known systems, measured under many conditions, and what is found of them again.

`odebench` are the 63 systems of ODEBench, `own` those of ours that are not among them; both are made, scored
and tabled alike.
"""

import importlib.util
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from mathonet.errors import ConfigError
from mathonet.experiments.bench.paired import paired
from mathonet.experiments.bench.recovery import known_systems
from mathonet.experiments.bench.recovery.cases import Case, Dynamics, cases
from mathonet.experiments.bench.runs import Records, Say, Task, perform, recorded
from mathonet.experiments.bench.table import command_line, write_tables

METHODS = ("ours", "pysindy")
SYSTEMS: dict[str, Callable[[], tuple[Dynamics, ...]]] = {
    "odebench": known_systems.odebench,
    "own": known_systems.own,
}
GRIDS, SIGMAS, RHOS = (150, 512), (0.0, 0.01, 0.02, 0.05), (0.0, 0.5)
LEAST_POINTS = 20
COUNTED = ("exact", "same_function", "reconstruction", "generalisation")


def run(
    benchmark: str,
    folder: str | Path,
    seeds: range,
    say: Say,
    systems: Sequence[str] | None = None,
    grids: Sequence[int] | None = None,
    sigmas: Sequence[float] | None = None,
    rhos: Sequence[float] | None = None,
    derivatives: bool = False,
    peers: bool = True,
    jobs: int = 1,
    against: str | Path | None = None,
) -> Path:
    """Make the runs that are not recorded yet, and write the tables of all that are.

    With a folder of earlier records, every run is compared with the same one there.

    Raises:
        ConfigError: an unknown system, a condition that makes no sense, or PySINDy is not installed.
    """
    wanted = choose(benchmark, systems)
    conditions = checked(grids, sigmas, rhos, derivatives)
    if jobs < 1:
        raise ConfigError(f"--jobs must be a whole number of at least 1, got {jobs}.")
    if peers and importlib.util.find_spec("pysindy") is None:
        raise ConfigError(
            "PySINDy is not installed: pip install 'mathonet[bench]', or leave the peers out by --no-peers."
        )
    if against is not None and not Records(Path(against), benchmark, METHODS[:1]).found:
        raise ConfigError(
            f"{str(against)!r} has no record of any run. Give the folder that earlier runs had as --out."
        )
    records = Records(Path(folder), benchmark, METHODS)
    every = cases(wanted, *conditions, derivatives)
    methods = METHODS if peers else METHODS[:1]
    tasks = [Task(method, case, seed) for seed in seeds for case in every for method in methods]
    perform(tasks, records, jobs, say, work, words)
    if against is not None:
        compared = paired(Path(against), records, METHODS[:1])
        return write_tables(folder, f"{benchmark}-paired", command_line(), compared)
    return write_tables(folder, benchmark, command_line(), tables(SYSTEMS[benchmark](), records))


def choose(benchmark: str, wanted: Sequence[str] | None) -> list[Dynamics]:
    """The systems that are wanted: names, sciences, or one of the sets `tuning` and `held-out`.

    Those that are set aside have to be asked for, by `held-out` or by name: not without a wish, and not by
    their science.

    Raises:
        ConfigError: a name fits nothing.
    """
    every = SYSTEMS[benchmark]()
    for name in wanted or ():
        if not any(name in _labels(system) for system in every):
            groups = dict.fromkeys(label for system in every for label in _labels(system)[1:])
            raise ConfigError(
                f"{name!r} is no system of the benchmark {benchmark!r}. There are "
                f"{', '.join(system.name for system in every)}; groups: {', '.join(groups)}."
            )
    asked = wanted or ("tuning",)
    return [system for system in every if any(name in _labels(system) for name in asked)]


def _labels(system: Dynamics) -> tuple[str, ...]:
    science = () if system.held_out or not system.science else (system.science,)
    return (system.name, set_of(system), *science)


def set_of(system: Dynamics) -> str:
    """The set that a system belongs to."""
    return "held-out" if system.held_out else "tuning"


def checked(
    grids: Sequence[int] | None,
    sigmas: Sequence[float] | None,
    rhos: Sequence[float] | None,
    derivatives: bool,
) -> tuple[Sequence[int], Sequence[float], Sequence[float]]:
    """The conditions that are asked for, or else all.

    Raises:
        ConfigError: one makes no sense, or noise is asked for beside exact derivatives.
    """
    if derivatives and (sigmas or rhos):
        raise ConfigError("--derivatives are exact, at clean states: leave --sigmas and --rhos out.")
    for points in grids or ():
        if points < LEAST_POINTS:
            raise ConfigError(f"--grids are numbers of points from {LEAST_POINTS} on, got {points}.")
    for label, values in (("--sigmas", sigmas), ("--rhos", rhos)):
        for value in values or ():
            if not 0.0 <= value < 1.0:
                raise ConfigError(f"{label} are shares from 0 to below 1, such as 0.05, got {value:g}.")
    if derivatives:
        return grids or GRIDS, (0.0,), (0.0,)
    return grids or GRIDS, sigmas or SIGMAS, rhos or RHOS


def work(task: Task) -> dict:
    """Make one run and return its record, which says how the system was measured."""
    case = task.case
    assert isinstance(case, Case)
    return recorded(task, lambda task: _answer(task.method, case, task.seed)) | case.measured


def _answer(method: str, case: Case, seed: int) -> dict:
    if method == "ours":
        from mathonet.experiments.bench.recovery.ours import answer as ours

        return ours(case, seed)
    from mathonet.experiments.bench.recovery.peers import answer as peers

    return peers(case, seed)


def words(record: dict) -> str:
    """A record in a line."""
    scored = ", ".join(name.replace("_", " ") for name in COUNTED if record.get(name)) or "nothing"
    where = f"{record['grid']} points, sigma {record['sigma']:g}, rho {record['rho']:g}"
    result = record.get("failed") or scored
    return (
        f"{record['case']} ({where}) seed {record['seed']} {record['method']}: {result}, "
        f"{record['seconds']:.1f} s"
    )


def tables(systems: Sequence[Dynamics], records: Records) -> dict[str, pd.DataFrame]:
    """The summary, one table a condition with a line a system, and where the records come from."""
    known = {system.name: system for system in systems}
    groups: dict[tuple, list[dict]] = defaultdict(list)
    for record in records.found.values():
        condition = tuple(record[key] for key in ("grid", "sigma", "rho", "derivatives"))
        system = known.get(record["case"])
        if system is None:
            continue
        *_, digest = Task(record["method"], Case(system, *condition), record["seed"]).key
        # Records of a system that has been changed since do not count.
        if record["definition"] == digest:
            groups[set_of(system), *condition].append(record)
    parts = {"summary": summary(groups)}
    if len({set_of(system) for system in systems}) == 1:
        parts["summary"] = parts["summary"].drop(columns="set", errors="ignore")
    for part in sorted(groups, key=lambda key: (key[1:], key[0] != "tuning")):
        lines = [
            line
            for name, system in known.items()
            if (line := _line(system, [r for r in groups[part] if r["case"] == name]))
        ]
        parts[_title(*part)] = pd.DataFrame(lines)
    origins = pd.DataFrame(records.found.values(), columns=["method", "commit"]).value_counts(sort=False)
    return parts | {"records: runs by commit": origins.rename("runs").reset_index()}


def _title(group: str, points: int, sigma: float, rho: float, derivatives: bool) -> str:
    name = f"{points}-{sigma:g}-{rho:g}" + ("-derivatives" if derivatives else "")
    name += f"-{group}" if group == "held-out" else ""
    about = "exact derivatives given" if derivatives else "states only"
    aside = ", set aside" if group == "held-out" else ""
    return f"{name}: {points} points, sigma {sigma:g}, rho {rho:g}, {about}{aside}"


def summary(groups: dict[tuple, list[dict]]) -> pd.DataFrame:
    """One line a method and condition: how many systems score, the mean over the seeds.

    Seconds are the median over the warm runs, over all where none is warm.
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
            lines.append(line)
    return pd.DataFrame(lines)


def _seconds(runs: Sequence[dict]) -> list[float]:
    warm = [record["seconds"] for record in runs if not record.get("cold")]
    return warm or [record["seconds"] for record in runs]


def _line(system: Dynamics, runs: list[dict]) -> dict:
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
        if method == "ours":
            line["trust"] = " ".join(own[0].get("trust", ["failed"]))
            line["tied"] = sum(bool(record.get("tied")) for record in own)
        line[f"{label}first answer"] = own[0].get("failed") or "; ".join(own[0]["equations"])
    return line
