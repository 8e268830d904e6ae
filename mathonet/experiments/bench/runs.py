"""Runs of a benchmark: one record a run, none made twice, in several processes if asked."""

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
from typing import Generic, Protocol, TypeVar

from mathonet.experiments.bench.table import commit

# One thread a process: several processes that each take every core wait for one another.
ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
}
Say = Callable[[str], None]


class Named(Protocol):
    """A case: it has a name, and its representation is its definition."""

    @property
    def name(self) -> str:
        """As in the records."""
        ...


C = TypeVar("C", bound=Named)


@dataclass(frozen=True)
class Task(Generic[C]):
    """One run: a method on a case, or on what a bare name stands for, with one seed."""

    method: str
    case: C | str
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
    """The records of a benchmark in a folder, one file a method, one JSON object a line."""

    def __init__(self, folder: Path, benchmark: str, methods: Sequence[str]) -> None:
        self.folder = folder
        self.benchmark = benchmark
        self.found: dict[tuple, dict] = {}
        for method in methods:
            if self.path(method).exists():
                for record in _lines(self.path(method)):
                    self.found[_key(record)] = record
                if not self.path(method).read_bytes().endswith(b"\n"):
                    # A cut line must not take the next record with it.
                    with self.path(method).open("a") as file:
                        file.write("\n")

    def path(self, method: str) -> Path:
        """The file of a method; deleting it makes only that method run again."""
        return self.folder / f"{self.benchmark}-{method}.jsonl"

    def add(self, record: dict) -> None:
        """Keep a record, at once on disk."""
        self.found[_key(record)] = record
        with self.path(record["method"]).open("a") as file:
            file.write(json.dumps(record) + "\n")

    def of(self, method: str, case: Named | str) -> list[dict]:
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


def perform(
    wanted: Iterable[Task],
    records: Records,
    jobs: int,
    say: Say,
    work: Callable[[Task], dict],
    words: Callable[[dict], str],
    alone: Callable[[Task], bool] = lambda task: False,
) -> None:
    """Make the runs that have no record yet.

    Args:
        wanted: every run that is asked for.
        records: those that are made, and where new ones are kept.
        jobs: number of processes.
        say: told of every run, in `words`.
        work: makes one run; a function of a module, so that other processes find it.
        words: a record in a line.
        alone: which runs come last, one at a time in this process.
    """
    waiting = [task for task in wanted if task.key not in records.found]
    together = [task for task in waiting if not alone(task)]
    done = 0

    def keep(record: dict) -> None:
        nonlocal done
        done += 1
        records.add(record)
        say(f"[{done}/{len(waiting)}] {words(record)}")

    if jobs == 1:
        for task in together:
            keep(work(task))
    elif together:
        context = multiprocessing.get_context("spawn")
        with _environment(), ProcessPoolExecutor(jobs, context) as pool:
            for future in as_completed([pool.submit(work, task) for task in together]):
                keep(future.result())
    for task in waiting:
        if alone(task):
            keep(work(task))


def recorded(task: Task, answer: Callable[[Task], dict]) -> dict:
    """Make one run and return its record; a run that fails has a record that says why."""
    method, name, seed, digest = task.key
    record = {"method": method, "case": name, "seed": seed, "definition": digest, "commit": commit()}
    began = time.perf_counter()
    try:
        record |= answer(task)
    except Exception as error:  # the other runs of hours must not be lost to one
        seconds = time.perf_counter() - began
        record |= {"exact": False, "seconds": seconds, "failed": f"{type(error).__name__}: {error}"}
    return record


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
