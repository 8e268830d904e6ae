"""Recovery benchmarks: known systems, measured under many conditions, and what is found of them again.

`odebench` are the 63 systems of ODEBench, `own` those of ours that are not among them, `nested` laws with
sums, quotients and calls inside their calls; all are made, scored and tabled alike.
"""

import importlib.util
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

import pandas as pd

from mathonet.errors import ConfigError
from mathonet.experiments.bench.paired import paired
from mathonet.experiments.bench.recovery import known_systems
from mathonet.experiments.bench.recovery.cases import Case, Dynamics, cases
from mathonet.experiments.bench.recovery.methods import METHODS, answer, chosen
from mathonet.experiments.bench.recovery.summary import COUNTED, line_of, summary
from mathonet.experiments.bench.runs import Records, Say, Task, perform, recorded
from mathonet.experiments.bench.table import command_line, write_tables

SYSTEMS: dict[str, Callable[[], tuple[Dynamics, ...]]] = {
    "odebench": known_systems.odebench,
    "own": known_systems.own,
    "nested": known_systems.nested,
}
GRIDS, SIGMAS, RHOS = (150, 512), (0.0, 0.01, 0.02, 0.05), (0.0, 0.5)
LEAST_POINTS = 20


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
    methods: Sequence[str] | None = None,
) -> Path:
    """Make the runs that are not recorded yet, and write the tables of all that are.

    With a folder of earlier records, every run of ours is compared with the same one there. The peer runs
    beside `ours`, not beside our other methods alone.

    Raises:
        ConfigError: an unknown system or method, a condition that makes no sense, or no PySINDy.
    """
    wanted = choose(benchmark, systems)
    conditions = checked(grids, sigmas, rhos, derivatives)
    if jobs < 1:
        raise ConfigError(f"--jobs must be a whole number of at least 1, got {jobs}.")
    ours = chosen(methods)
    beside = ("pysindy",) if peers and "ours" in ours else ()
    if beside and importlib.util.find_spec("pysindy") is None:
        raise ConfigError(
            "PySINDy is not installed: pip install 'mathonet[bench]', or leave the peers out by --no-peers."
        )
    if against is not None and not Records(Path(against), benchmark, ours).found:
        raise ConfigError(
            f"{str(against)!r} has no record of any run. Give the folder that earlier runs had as --out."
        )
    records = Records(Path(folder), benchmark, METHODS)
    every = cases(wanted, *conditions, derivatives)
    tasks = [Task(method, case, seed) for seed in seeds for case in every for method in (*ours, *beside)]
    perform(tasks, records, jobs, say, work, words)
    if against is not None:
        compared = paired(Path(against), records, ours)
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
    return recorded(task, lambda task: answer(task.method, case, task.seed)) | case.measured


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
            if (line := line_of(system, [r for r in groups[part] if r["case"] == name]))
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
