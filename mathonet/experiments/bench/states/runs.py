"""Runs of the states benchmark: which there are, and who answers them."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from mathonet.experiments.bench import runs
from mathonet.experiments.bench.runs import Say, Task
from mathonet.experiments.bench.states.cases import Case
from mathonet.experiments.bench.states.timing import SIZES

METHODS = ("ours", "pysindy")
CLEAN_SEEDS, TIMING_SEEDS = 5, 3
"""Most seeds of a kind: clean data are the same for all seeds, and the time hardly differs."""


class Records(runs.Records):
    """The records of this benchmark in a folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, "states", METHODS)


def tasks(cases: Sequence[Case], timed: Sequence[str], seeds: range, peers: bool) -> list[Task]:
    """Every run that is asked for, seed by seed, so that a stopped benchmark has done a bit of everything."""
    found = []
    for place, seed in enumerate(seeds):
        for case in cases:
            if case.noise > 0 or place < CLEAN_SEEDS:
                found += [Task(method, case, seed) for method in (METHODS if peers else METHODS[:1])]
    return found + [Task("ours", name, seed) for name in timed for seed in seeds[:TIMING_SEEDS]]


def perform(wanted: Iterable[Task], records: runs.Records, jobs: int, say: Say) -> None:
    """Make the runs that have no record yet; those that are timed last and alone."""
    runs.perform(wanted, records, jobs, say, work, _words, alone=lambda task: task.name in SIZES)


def work(task: Task) -> dict:
    """Make one run and return its record."""
    return runs.recorded(task, _answer)


def _answer(task: Task) -> dict:
    if isinstance(task.case, str):
        from mathonet.experiments.bench.states.timing import answer as timed

        return timed(task.case, task.seed)
    if task.method == "ours":
        from mathonet.experiments.bench.states.ours import answer as ours

        return ours(task.case, task.seed)
    from mathonet.experiments.bench.states.peers import answer as peers

    return peers(task.case, task.seed)


def _words(record: dict) -> str:
    worst = f"exact, error {max(record['errors']):.2g}" if record["exact"] else "not exact"
    result = record.get("failed") or worst
    return f"{record['case']} seed {record['seed']} {record['method']}: {result}, {record['seconds']:.1f} s"
