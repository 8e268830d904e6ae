"""Workers that carry out cases side by side, and survive those that hang or end their process."""

import faulthandler
import multiprocessing
import os
import re
import resource
import signal
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from tests.fuzz.case import Case
from tests.fuzz.layers import make
from tests.fuzz.oracle import HANG, TRACEBACK, Outcome, judge, quiet

PATIENCE = 60.0
"""Seconds after which nobody waits any more."""
START = 600.0
"""Seconds in which a worker is to have imported the package and compiled what most cases need."""
LIFE = 3_000
"""Cases after which a worker is renewed, since compiled programs fill its memory."""
MEMORY = 6 << 30
"""Bytes that a case may take beyond what a worker has at its start."""

Job = tuple[str, int, int] | Case
"""A case, or the layer, seed and number from which it is made."""


def case_of(job: Job) -> Case:
    """The case to carry out."""
    return job if isinstance(job, Case) else make(*job)


def warm_up() -> None:
    """Import the package, and compile what most cases need."""
    import mathonet.estimators.discoverer
    import mathonet.report.page.page  # noqa: F401

    judge(Case("command-line", (("copy", "run", "finished"),), "main", {"argv": ["simulate", "run"]}))


def _work(pipe: Connection, begin: Callable[[], None], patience: float, log: str) -> None:
    """The life of a worker: one case after the other; where one hangs is written down before it is ended."""
    os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    quiet()
    begin()
    with open("/proc/self/statm") as file:
        own = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (own + MEMORY, resource.RLIM_INFINITY))
    pipe.send(None)
    while True:
        job = pipe.recv()
        if job is None:
            return
        with open(log, "w") as place:
            faulthandler.dump_traceback_later(0.9 * patience, file=place)
            try:
                pipe.send(judge(case_of(job)))
            except Exception as error:
                pipe.send(Outcome(TRACEBACK, f"in the harness itself: {error!r:.300}", "harness"))
            finally:
                faulthandler.cancel_dump_traceback_later()


@dataclass
class Worker:
    """One process and what it is doing."""

    begin: Callable[[], None]
    patience: float
    job: Job | None = None
    began: float = 0.0
    done: int = 0
    ready: bool = False
    hung: bool = False
    place: str = "?"
    log: str = field(init=False)
    pipe: Connection = field(init=False)
    process: Any = field(init=False)

    def __post_init__(self) -> None:
        """Start the process; it is ready when it says so."""
        # Not forked: who starts it may have threads, which a copy would wait for in vain.
        context = multiprocessing.get_context("spawn")
        self.pipe, other = context.Pipe()
        handle, self.log = tempfile.mkstemp(prefix="fuzz-", suffix=".log")
        os.close(handle)
        own = (other, self.begin, self.patience, self.log)
        self.process = context.Process(target=_work, args=own, daemon=True)
        self.process.start()
        other.close()
        self.began = time.monotonic()

    @property
    def late(self) -> bool:
        """Whether it takes longer than anybody waits."""
        waited = time.monotonic() - self.began
        return waited > (self.patience if self.ready else START) and (self.job is not None or not self.ready)

    def take(self, job: Job) -> None:
        """Begin a case."""
        self.job, self.began = job, time.monotonic()
        self.pipe.send(job)

    def end(self) -> None:
        """End the process and everything it started."""
        self.hung = self.process.is_alive()
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            self.process.kill()
        self.process.join()
        self.pipe.close()
        # The innermost call comes first.
        calls = re.findall(r'File "(.*)", line \d+ in (\w+)', Path(self.log).read_text())
        Path(self.log).unlink()
        ours = (f"{Path(file).name}:{name}" for file, name in calls if f"{os.sep}mathonet{os.sep}" in file)
        self.place = next(ours, "?")


def carry_out(
    jobs: Iterable[Job],
    processes: int,
    begin: Callable[[], None] = warm_up,
    patience: float = PATIENCE,
) -> Iterator[tuple[Job, Outcome]]:
    """Every case with how it ended, in the order in which they end."""
    waiting = iter(jobs)
    workers = [Worker(begin, patience) for _ in range(processes)]
    try:
        while workers:
            wait([each.pipe for each in workers], timeout=0.5)
            for worker in list(workers):
                ended = _heard(worker)
                if ended is not None and worker.job is not None:
                    job, worker.job = worker.job, None
                    yield job, ended
                gone = not worker.process.is_alive() or worker.late
                if gone or (worker.done >= LIFE and worker.job is None):
                    job = worker.job
                    worker.end()
                    workers[workers.index(worker)] = Worker(begin, patience)
                    if job is not None:
                        yield job, _broken(worker)
                    elif gone and not worker.ready:
                        raise RuntimeError("A worker could not be started: does `import mathonet` work?")
                elif worker.ready and worker.job is None:
                    job = next(waiting, None)
                    if job is None:
                        worker.end()
                        workers.remove(worker)
                    else:
                        worker.take(job)
    finally:
        for worker in workers:
            worker.end()


def _heard(worker: Worker) -> Outcome | None:
    """What a worker has to say."""
    try:
        if not worker.pipe.poll():
            return None
        told = worker.pipe.recv()
    except (EOFError, OSError):
        return None
    if told is None:
        worker.ready = True
        return None
    worker.done += 1
    return told


def _broken(worker: Worker) -> Outcome:
    if worker.hung:
        return Outcome(HANG, f"over {worker.patience:g} s in {worker.place}", f"in {worker.place}")
    return Outcome(TRACEBACK, f"the process ended with {worker.process.exitcode}", "process ended")


class Trials:
    """One worker for cases that are asked for one after the other; another takes its place if it breaks."""

    def __init__(self, patience: float = PATIENCE) -> None:
        """Set how long to wait for a case; the worker is started when it is needed."""
        self._patience = patience
        self._worker: Worker | None = None

    def __call__(self, job: Job) -> Outcome:
        """How a case ends."""
        worker = self._worker = self._worker or Worker(warm_up, self._patience)
        ended = None
        while ended is None:
            wait([worker.pipe], timeout=0.5)
            ended = _heard(worker)
            if ended is None and (not worker.process.is_alive() or worker.late):
                self.end()
                ended = _broken(worker)
            elif worker.ready and worker.job is None:
                worker.take(job)
        worker.job = None
        return ended

    def end(self) -> None:
        """End the worker."""
        if self._worker is not None:
            self._worker.end()
            self._worker = None


def one(job: Job, patience: float = PATIENCE) -> Outcome:
    """How a case ends in a worker that has seen no other."""
    trials = Trials(patience)
    try:
        return trials(job)
    finally:
        trials.end()
