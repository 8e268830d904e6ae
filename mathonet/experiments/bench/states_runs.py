"""Runs of the states benchmark: one record a run, none made twice, in several processes if asked."""

import json
import multiprocessing
import os
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from mathonet.experiments.bench.states_cases import Case
from mathonet.experiments.bench.states_timing import SIZES
from mathonet.experiments.bench.table import commit

METHODS = ("ours", "pysindy")
CLEAN_SEEDS, TIMING_SEEDS = 5, 3
"""Most seeds of a kind: clean data are the same for all seeds, and the time hardly differs."""

# One thread a process: several processes that each take every core wait for one another.
ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
}
Say = Callable[[str], None]


@dataclass(frozen=True)
class Task:
    """One run: a method on a case, or a size to be timed, with one seed."""

    method: str
    case: Case | str
    seed: int

    @property
    def name(self) -> str:
        """Name of the case."""
        return self.case if isinstance(self.case, str) else self.case.name

    @property
    def key(self) -> tuple[str, str, int, int]:
        """What makes two runs the same: not the commit, but what is measured."""
        return self.method, self.name, self.seed, zlib.crc32(repr(self.case).encode())


class Records:
    """The records in a folder, one file a method, one JSON object a line."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.found: dict[tuple, dict] = {}
        for method in METHODS:
            if self.path(method).exists():
                for record in _lines(self.path(method)):
                    self.found[_key(record)] = record
                if not self.path(method).read_bytes().endswith(b"\n"):
                    # A cut line must not take the next record with it.
                    with self.path(method).open("a") as file:
                        file.write("\n")

    def path(self, method: str) -> Path:
        """The file of a method; deleting it makes only that method run again."""
        return self.folder / f"states-{method}.jsonl"

    def add(self, record: dict) -> None:
        """Keep a record, at once on disk."""
        self.found[_key(record)] = record
        with self.path(record["method"]).open("a") as file:
            file.write(json.dumps(record) + "\n")

    def of(self, method: str, case: Case | str) -> list[dict]:
        """The records of a case as it is now defined, by seed."""
        name, _, digest = Task(method, case, 0).key[1:]
        every = (r for r in self.found.values() if (r["method"], r["case"]) == (method, name))
        return sorted((r for r in every if r["definition"] == digest), key=lambda r: r["seed"])


def _key(record: dict) -> tuple[str, str, int, int]:
    return record["method"], record["case"], record["seed"], record["definition"]


def _lines(path: Path) -> Iterator[dict]:
    for line in path.read_text().splitlines():
        try:
            yield json.loads(line)
        except json.JSONDecodeError:
            # The last line of a benchmark that was killed while writing; its run is made again.
            continue


def tasks(cases: Sequence[Case], timed: Sequence[str], seeds: range, peers: bool) -> list[Task]:
    """Every run that is asked for, seed by seed, so that a stopped benchmark has done a bit of everything."""
    found = []
    for place, seed in enumerate(seeds):
        for case in cases:
            if case.noise > 0 or place < CLEAN_SEEDS:
                found += [Task(method, case, seed) for method in (METHODS if peers else METHODS[:1])]
    return found + [Task("ours", name, seed) for name in timed for seed in seeds[:TIMING_SEEDS]]


def perform(wanted: Iterable[Task], records: Records, jobs: int, say: Say) -> None:
    """Make the runs that have no record yet; those that are timed last and alone."""
    waiting = [task for task in wanted if task.key not in records.found]
    together = [task for task in waiting if task.name not in SIZES]
    alone = [task for task in waiting if task.name in SIZES]
    done = 0

    def keep(record: dict) -> None:
        nonlocal done
        done += 1
        records.add(record)
        say(f"[{done}/{len(waiting)}] {_words(record)}")

    if jobs == 1:
        for task in together:
            keep(work(task))
    elif together:
        context = multiprocessing.get_context("spawn")
        with _environment(), ProcessPoolExecutor(jobs, context) as pool:
            for future in as_completed([pool.submit(work, task) for task in together]):
                keep(future.result())
    for task in alone:
        keep(work(task))


def work(task: Task) -> dict:
    """Make one run and return its record; a run that fails has a record that says why."""
    method, name, seed, digest = task.key
    record = {"method": method, "case": name, "seed": seed, "definition": digest, "commit": commit()}
    began = time.perf_counter()
    try:
        record |= _answer(task)
    except Exception as error:  # the other runs of hours must not be lost to one
        seconds = time.perf_counter() - began
        record |= {"exact": False, "seconds": seconds, "failed": f"{type(error).__name__}: {error}"}
    return record


def _answer(task: Task) -> dict:
    if isinstance(task.case, str):
        from mathonet.experiments.bench.states_timing import answer as timed

        return timed(task.case, task.seed)
    if task.method == "ours":
        from mathonet.experiments.bench.states_ours import answer as ours

        return ours(task.case, task.seed)
    from mathonet.experiments.bench.states_peers import answer as peers

    return peers(task.case, task.seed)


def _words(record: dict) -> str:
    worst = f"exact, error {max(record['errors']):.2g}" if record["exact"] else "not exact"
    result = record.get("failed") or worst
    return f"{record['case']} seed {record['seed']} {record['method']}: {result}, {record['seconds']:.1f} s"


@contextmanager
def _environment() -> Iterator[None]:
    """What new processes inherit: one thread each, and the folder of kept compilations."""
    import jax

    kept = {
        name.upper(): str(getattr(jax.config, name))
        for name in (
            "jax_compilation_cache_dir",
            "jax_persistent_cache_min_compile_time_secs",
            "jax_persistent_cache_min_entry_size_bytes",
        )
        if getattr(jax.config, name) is not None
    }
    before = dict(os.environ)
    os.environ.update(ONE_THREAD | kept)
    try:
        yield
    finally:
        for name in ONE_THREAD | kept:
            os.environ.pop(name, None)
        os.environ.update(before)
