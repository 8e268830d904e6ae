"""The ablation benchmark: what each proposer brings, and what half or twice of each quota does.

Every system of ODEBench that is asked for is searched as usual, then with one proposer left out, and with one
quota of `search.effort` halved or doubled. A line of the table says what that changes.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pandas as pd

from mathonet.errors import ConfigError
from mathonet.experiments.bench.recovery import choose, words
from mathonet.experiments.bench.recovery_cases import Case
from mathonet.experiments.bench.runs import Records, Say, Task, perform, recorded
from mathonet.experiments.bench.table import command_line, write_tables
from mathonet.search.effort import EFFORTS, NORMAL, Effort, Quotas

POINTS = 150
SIGMAS = (0.0, 0.02)
USUAL = "normal"
LEFT_OUT = (
    *("polynomials", "elimination on the path", "stepwise", "sums with calls"),
    *("one layer", "two layers, dense"),
)
"""Names of proposers."""
QUOTAS = (
    *("beside", "few_beside", "kinds", "short_sums", "starts", "completed", "heads", "grid_heads"),
    *("added", "extended", "extensions", "handed_on"),
)
"""Numbers of `Quotas`."""
COUNTED = ("exact", "generalisation")


def variants() -> dict[str, Effort]:
    """The usual effort, and each way to change it, by name."""
    found = {USUAL: NORMAL} | {f"without {name}": replace(NORMAL, without=(name,)) for name in LEFT_OUT}
    found["without whole blocks"] = _changed(lambda quotas: replace(quotas, blocks=()))
    for name in QUOTAS:
        for word, factor in (("half", 0.5), ("twice", 2.0)):
            found[f"{word} {name}"] = _changed(
                lambda quotas, name=name, factor=factor: replace(
                    quotas, **{name: max(int(factor * getattr(quotas, name)), 1)}
                )
            )
    found["half turns"] = replace(NORMAL, turns=1)
    found["twice turns"] = replace(NORMAL, turns=2 * NORMAL.turns)
    return found


def _changed(change: Callable[[Quotas], Quotas]) -> Effort:
    """The usual effort with other quotas, for noisy data and for precise ones."""
    return replace(NORMAL, noisy=change(NORMAL.noisy), precise=change(NORMAL.precise))


def run(
    folder: str | Path,
    seeds: range,
    say: Say,
    systems: Sequence[str] | None = None,
    sigmas: Sequence[float] | None = None,
    chosen: Sequence[str] | None = None,
    jobs: int = 1,
) -> Path:
    """Make the runs that are not recorded yet, and write `ablation.md` from all that are.

    Args:
        folder: of the records and tables.
        seeds: of the noise.
        say: told of every run.
        systems: of ODEBench; None for all.
        sigmas: noises; None for none and 2 %.
        chosen: names of variants, or beginnings of names, such as "without"; None for all.
        jobs: number of processes.

    Raises:
        ConfigError: an unknown system or variant, or no number of processes.
    """
    if jobs < 1:
        raise ConfigError(f"--jobs must be a whole number of at least 1, got {jobs}.")
    every = [name for name in variants() if not chosen or name.startswith((USUAL, *chosen))]
    if chosen and len(every) == 1:
        raise ConfigError(f"No variant begins so. The variants are {', '.join(variants())}.")
    cases = [
        Case(dynamics, POINTS, sigma)
        for sigma in sigmas or SIGMAS
        for dynamics in choose("odebench", systems)
    ]
    Path(folder).mkdir(parents=True, exist_ok=True)
    records = Records(Path(folder), "ablation", every)
    tasks = [Task(name, case, seed) for name in every for seed in seeds for case in cases]
    perform(tasks, records, jobs, say, work, words)
    return write_tables(folder, "ablation", command_line(), {"changes": table(records, tasks)})


def work(task: Task) -> dict:
    """Make one run and return its record."""
    return recorded(task, _answer) | _case(task).measured


def _answer(task: Task) -> dict:
    from mathonet.experiments.bench.recovery_ours import answer

    with _as_usual(variants()[task.method]):
        return answer(_case(task), task.seed)


def _case(task: Task) -> Case:
    assert isinstance(task.case, Case)
    return task.case


@contextmanager
def _as_usual(effort: Effort) -> Iterator[None]:
    kept = EFFORTS[USUAL]
    EFFORTS[USUAL] = effort
    try:
        yield
    finally:
        EFFORTS[USUAL] = kept


def table(records: Records, tasks: Sequence[Task]) -> pd.DataFrame:
    """A line a variant: systems that are found, and how many are won and lost beside the usual effort."""
    rows = []
    for name in dict.fromkeys(task.method for task in tasks):
        row: dict = {"change": name}
        for sigma in dict.fromkeys(_case(task).sigma for task in tasks):
            pairs = [
                (records.found[task.key], records.found[replace(task, method=USUAL).key])
                for task in tasks
                if task.method == name and _case(task).sigma == sigma
            ]
            label = "clean" if sigma == 0 else f"{sigma:.0%}"
            for score in COUNTED:
                own = [(bool(a.get(score)), bool(b.get(score))) for a, b in pairs]
                won, lost = sum(a > b for a, b in own), sum(a < b for a, b in own)
                row[f"{label} {score}"] = f"{sum(a for a, _ in own)} (+{won} -{lost})"
            row[f"{label} s"] = round(sum(a["seconds"] for a, _ in pairs))
        rows.append(row)
    return pd.DataFrame(rows)
